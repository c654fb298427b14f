"""Counts become tables: by maximum likelihood, or as the posterior mean under a Dirichlet prior."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.errors import OptionError, nearest
from likely.errors.options import choose, number
from likely.families.predictor import Setting
from likely.structures.search.scores import fit_of

TABLE_ESTIMATES = ("bayes", "mle")
PRIORS = ("uniform", "bdeu", "backoff")
MISSING_OPTIONS = ("em", "ignore", "error")


@dataclass(frozen=True)
class TableEstimate:
    """How counts become tables.

    `estimate`: "bayes", the posterior mean, or "mle", the shares themselves. `prior` says what is added to the counts
    before rows are normalised: with "uniform", `strength` for each entry (1 is Laplace's rule); with "bdeu", `strength`
    for the whole table, an equal part of it for each entry; with "backoff" each row leans on the same table with one
    parent fewer, and that on the one before it, the parents that tell most staying longest. `own` are nodes with
    pseudo-counts of their own: a number for each entry or an array like the table. `missing`: missing values are filled
    in by "em", or each table is counted where all its nodes are seen ("ignore"), or they are an "error".
    """

    estimate: str = "bayes"
    prior: str = "uniform"
    strength: float = 1.0
    missing: str = "em"
    own: tuple[tuple[str, Any], ...] = ()


def read_setting(estimate: Any, prior: Any, strength: Any, missing: Any, nodes: Sequence[str]) -> TableEstimate:
    """The options of a fit, checked; a prior may map some nodes to pseudo-counts of their own."""
    own: tuple[tuple[str, Any], ...] = ()
    if isinstance(prior, Mapping):
        own, prior = tuple((name, _own(name, prior[name], nodes)) for name in sorted(prior, key=str)), "uniform"
    for name, value, known in (
        ("estimate", estimate, TABLE_ESTIMATES),
        ("prior", prior, PRIORS),
        ("missing", missing, MISSING_OPTIONS),
    ):
        choose(value, known, name, "O515")
    number(strength, "strength", "O485", hint="say how many pseudo-counts, from 0 on")
    return TableEstimate(estimate, prior, float(strength), missing, own)


def _own(name: Any, told: Any, nodes: Sequence[str]) -> Any:
    """Pseudo-counts of a node as nested tuples, which compare as values do."""
    if name not in nodes:
        raise OptionError("O493", f"{name!r} is no node", place="prior=", hint=f"name nodes.{nearest(name, nodes)}")
    try:
        values = np.asarray(told, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.array(np.nan)
    if not ((values >= 0) & np.isfinite(values)).all():
        hint = "give a number for each entry, or an array like its table, from 0 on"
        raise OptionError("O487", f"the prior of {name!r} is {told!r}", place=f"prior[{name!r}]", hint=hint)
    return _tuples(values.tolist())


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def pseudo_counts(counts: Array, node: str, setting: TableEstimate) -> Floats:
    """(levels of each parent ..., own levels): what the prior adds to the counts of a node.

    >>> pseudo_counts(np.zeros((2, 2)), "x", TableEstimate(prior="bdeu")).tolist()
    [[0.25, 0.25], [0.25, 0.25]]
    """
    if setting.estimate == "mle":
        added: Any = 0.0
    elif node in dict(setting.own):
        added = dict(setting.own)[node]
        if np.ndim(added) and np.shape(added) != counts.shape:
            what = f"the prior of {node!r} has the shape {np.shape(added)} and its table {counts.shape}"
            hint = "give (levels of each parent ..., own levels), or one number"
            raise OptionError("O487", what, place=f"prior[{node!r}]", hint=hint)
    elif setting.prior == "backoff":
        added = _leaning(counts, setting.strength)
    else:
        added = setting.strength / (counts.size if setting.prior == "bdeu" else 1.0)
    return np.broadcast_to(np.asarray(added, dtype=np.float64), counts.shape)


def _leaning(counts: Array, strength: float) -> Floats:
    """Pseudo-counts from the table with one parent fewer, which leans in turn; the node by itself leans on nothing.

    What a row leans on is worth as much as for the cells of a classifier, with a little for every level evenly.
    """
    parents = range(counts.ndim - 1)
    told = [information(counts.sum(axis=tuple(other for other in parents if other != at))) for at in parents]
    order = sorted(parents, key=lambda at: -told[at])
    added: Floats = np.array(strength)
    for kept in range(len(order)):
        above = normalised(counts.sum(axis=tuple(order[kept:]), keepdims=True), added)
        added = strength * (Setting.leaning * above + Setting.evenly)
    return added


def information(counts: Array) -> float:
    """Nats that rows tell about columns of a table of counts (rows, columns), times the weight of all."""
    return fit_of(counts) - fit_of(counts.sum(axis=0))


def normalised(counts: Array, added: Floats | float = 0.0) -> Floats:
    """Rows of counts and pseudo-counts that sum to one along the last axis; a row of nothing is uniform.

    >>> normalised(np.array([[3, 1], [0, 0]])).tolist()
    [[0.75, 0.25], [0.5, 0.5]]
    """
    mass = np.asarray(counts + added, dtype=np.float64)
    whole = mass.sum(axis=-1, keepdims=True)
    rows: Floats = np.divide(mass, whole, out=np.full(mass.shape, 1.0 / mass.shape[-1]), where=whole > 0)
    return rows


def estimate_tables(
    counts: Sequence[Array], nodes: Sequence[str], setting: TableEstimate
) -> tuple[tuple[Floats, ...], tuple[str, ...]]:
    """The tables of all nodes, and notes on rows of which the data say nothing where the prior is silent too."""
    tables, notes = [], []
    for node, mine in zip(nodes, counts, strict=True):
        added = pseudo_counts(mine, node, setting)
        tables.append(normalised(mine, added))
        silent = int(((mine + added).sum(axis=-1) == 0).sum())
        if silent:
            rows = mine.size // mine.shape[-1]
            what = f"{silent} of {rows} rows of {node!r} were" if rows > 1 else f"{node!r} was"
            notes.append(f"{what} never seen: uniform")
    return tuple(tables), tuple(notes)
