"""How well a network fits rows: the log likelihood of each, and scores of a graph from counts. Higher is better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats, log
from likely.data import ask
from likely.data.level_rows import source_of
from likely.data.levels.level_text import Levels
from likely.errors import OptionError
from likely.networks.content import NetworkContent
from likely.networks.inference.exact import Exact
from likely.networks.learning.counts import alone_of, counts_of, every, questions, refuse_large_tables
from likely.networks.structure.conditional_likelihood import conditional_log_likelihood
from likely.networks.structure.network_prior import expert_of, own_of
from likely.networks.structure.row_codes import hold
from likely.networks.structure.scorer import family_score
from likely.networks.tables.joint import Factored
from likely.structures.graph import Graph
from likely.structures.search.score_names import EXPERT, canonical_name, check_strength, read_score
from likely.structures.search.scores import FamilyScore

CONDITIONAL = "cll"  # the score that needs a target


def log_likelihood(exact: Exact, codes: Array) -> Floats:
    """(rows,): log P(row) of codes (rows, nodes), what is missing (-1) summed over; -inf of what cannot be.

    >>> coin = Factored(Graph(("coin",), ((),)), (("heads", "tails"),), (np.array([0.25, 0.75]),))
    >>> np.exp(log_likelihood(Exact(coin), np.array([[0], [1]]))).round(4).tolist()
    [0.25, 0.75]
    """
    holes = (codes < 0).any(axis=1)
    out = np.empty(len(codes))
    out[~holes] = _complete(exact.factored, codes if not holes.any() else codes[~holes])
    if holes.any():
        out[holes] = exact.marginals_of_rows(np.ascontiguousarray(codes[holes]), ())[1]
    return out


def _complete(factored: Factored, codes: Array) -> Floats:
    flat = factored.flat
    logs, columns = log(flat.values), np.ascontiguousarray(codes.T, dtype=np.int64)
    out = np.zeros(len(codes))
    for at, start in enumerate(flat.starts):
        places = start + columns[at]
        for arc in range(flat.parent_starts[at], flat.parent_starts[at + 1]):
            places += flat.parent_strides[arc] * columns[flat.parents[arc]]
        out += logs[places]
    return out


def score(
    graph: Graph,
    data: Any,
    kind: str | FamilyScore = "bic",
    *,
    levels: Levels = None,
    weights: Any = None,
    strength: float = 1.0,
    prior: Any = None,
    target: str | None = None,
) -> float:
    """How well a graph fits rows, whatever its tables: the sum of `node_scores`. Higher is better, of every kind.

    "bde" takes a network as `prior`. "cll" is no sum over nodes: it is how well the others tell the `target`.
    """
    if (kind == CONDITIONAL) != (target is not None):
        hint = "say score(data, 'cll', target='species')" if target is None else "only kind='cll' has a target"
        what = "the conditional log likelihood is of a target" if target is None else f"{kind!r} has no target"
        raise OptionError("O567", what, place="target=", hint=hint)
    place = None if target is None else graph.at(target)
    rows, schema = source_of(data, graph.nodes, levels, weights)
    refuse_large_tables(graph, schema)
    if place is not None:
        check_strength(strength)
        return conditional_log_likelihood(hold(rows, schema), graph.parent_places, place, strength)
    judge = score_of(kind, strength, prior, graph.nodes, [column.levels for column in schema.columns])
    bundle = ask(rows, schema, questions(graph))
    weight = float(every(bundle, schema).rows.sum())
    alone = [alone_of(bundle, schema, at) for at in range(len(graph.nodes))]
    counts = counts_of(bundle, graph, schema)
    return float(node_scores(counts, judge, alone=alone, weight=weight, graph=graph).sum())


def node_scores(
    counts: Sequence[Array],
    kind: str | FamilyScore = "bic",
    strength: float = 1.0,
    *,
    alone: Sequence[Array] | None = None,
    weight: float | None = None,
    graph: Graph | None = None,
) -> Floats:
    """(nodes,): what each node adds to the score of a graph, from its counts (levels of parents ..., own levels).

    "log-likelihood" is that of the rows under their own shares, in nats. "aic" takes off one for each free parameter,
    "bic" half the log of the weight of the rows. "mdl" is minus the description length in nats, which is the same
    number as "bic". "bdeu", "k2" and "jeffreys" are log evidences: of Dirichlet priors that spread `strength` over each
    table evenly, of one pseudo-count in each entry, and of half of one. "fnml" and "qnml" are normalised likelihoods.
    Where rows have missing values, `alone` are the counts of each node by itself (levels,) and `weight` is that of all
    rows, as in `family_score`. The `graph` is needed only where a prior network must know which cells are meant.

    >>> node_scores([np.array([3, 1])], "log-likelihood").round(4).tolist()
    [-2.2493]
    """
    judge = kind if isinstance(kind, FamilyScore) else read_score(kind, strength)
    out = np.empty(len(counts))
    for node, mine in enumerate(counts):
        parents, table = () if graph is None else graph.parent_places[node], mine.reshape(-1, mine.shape[-1])
        if alone is None or weight is None or mine.sum() == weight:
            out[node] = judge.family(node, parents, table, len(table))
        else:
            out[node] = family_score(judge, node, parents, table, len(table), alone[node][None], weight)
    return out


def score_of(
    kind: str | FamilyScore, strength: float, prior: Any, names: Sequence[str], levels: Sequence[Sequence[Any]]
) -> FamilyScore:
    """The score that is meant, of rows with these nodes and levels; `prior` may be a network, or by node."""
    kind = canonical_name(kind)
    if kind == "dirichlet" and isinstance(prior, Mapping):
        return own_of(prior, names, levels)
    if isinstance(prior, NetworkContent) != (kind == EXPERT):
        what = (
            f"{kind!r} takes no network as prior"
            if isinstance(prior, NetworkContent)
            else "'bde' needs a network as prior"
        )
        hint = "say 'bde' with prior=network; 'bdeu' needs none: it is the same under a network that believes nothing"
        raise OptionError("O568", what, place="prior=", hint=hint)
    if isinstance(prior, NetworkContent):
        check_strength(strength)
        return expert_of(prior, names, levels, strength)
    return read_score(kind, strength, prior)
