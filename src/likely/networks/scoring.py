"""How well a network fits rows: the log likelihood of each, and scores of a graph from counts. Higher is better."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import gammaln, xlogy

from likely.engines import ask
from likely.errors import OptionError, nearest
from likely.networks.counting import counts_of, questions, refuse_large_tables
from likely.networks.exact import Exact
from likely.networks.factored import Factored
from likely.networks.rows import source_of
from likely.networks.spelling import Levels
from likely.numerics import Array, Floats, log
from likely.structures.graph import Graph

SCORES = ("bic", "aic", "mdl", "log-likelihood", "bdeu", "k2")


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
    kind: str = "bic",
    *,
    levels: Levels = None,
    weights: Any = None,
    strength: float = 1.0,
) -> float:
    """How well a graph fits rows, whatever its tables: the sum of `node_scores`. Higher is better, of every kind."""
    _check(kind, strength)
    rows, schema = source_of(data, graph, levels, weights)
    refuse_large_tables(graph, schema)
    counts = counts_of(ask(rows, schema, questions(graph)), graph, schema)
    return float(node_scores(counts, kind, strength).sum())


def node_scores(counts: Sequence[Array], kind: str = "bic", strength: float = 1.0) -> Floats:
    """(nodes,): what each node adds to the score of a graph, from its counts (levels of parents ..., own levels).

    "log-likelihood" is that of the rows under their own shares, in nats. "aic" takes off one for each free parameter,
    "bic" half the log of the weight of the rows. "mdl" is minus the description length in nats, which is the same
    number as "bic". "bdeu" and "k2" are log evidences: of Dirichlet priors that spread `strength` over each table
    evenly, and of one pseudo-count in each entry. Rows in which the node or a parent is missing do not count for it.

    >>> node_scores([np.array([3, 1])], "log-likelihood").round(4).tolist()
    [-2.2493]
    """
    _check(kind, strength)
    return np.array([_node_score(mine.reshape(-1, mine.shape[-1]), kind, strength) for mine in counts])


def _node_score(counts: Array, kind: str, strength: float) -> float:
    if kind in ("bdeu", "k2"):
        return _log_evidence_of(counts, 1.0 if kind == "k2" else strength / counts.size)
    cells, weight = counts.sum(axis=1), float(counts.sum())
    fit = float(xlogy(counts, counts).sum() - xlogy(cells, cells).sum())
    free = len(counts) * (counts.shape[1] - 1)
    price = {"log-likelihood": 0.0, "aic": 1.0}.get(kind, 0.5 * math.log(max(weight, 1.0)))
    return float(fit - price * free)


def _log_evidence_of(counts: Array, added: float) -> float:
    """The log probability of the rows, the tables integrated out under `added` pseudo-counts in each entry."""
    cells, whole = counts.sum(axis=1), added * counts.shape[1]
    entries, rows = gammaln(counts + added) - gammaln(added), gammaln(whole) - gammaln(cells + whole)
    return float(entries.sum() + rows.sum())


def _check(kind: Any, strength: Any) -> None:
    if kind not in SCORES:
        hint = f"choose one of {', '.join(map(repr, SCORES))}.{nearest(kind, SCORES)}"
        raise OptionError("O488", f"unknown score {kind!r}", place="kind=", hint=hint)
    if isinstance(strength, bool) or not isinstance(strength, int | float | np.number) or not 0 < strength < np.inf:
        what, hint = f"strength is {strength!r}", "say how many pseudo-counts, more than 0"
        raise OptionError("O488", what, place="strength=", hint=hint)
