"""A network learnt whole from rows: its graph by a search, its tables by counts."""

from __future__ import annotations

import time
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from typing import Any

from likely.core.schema import Column, Level, Schema
from likely.data import Blocks
from likely.data.level_rows import ALL_IN_ONE_CELL, source_of
from likely.data.levels.interval_levels import cuts_of
from likely.data.levels.level_text import Levels
from likely.data.tables import open_rows
from likely.errors import DataError, OptionError
from likely.errors.advice import Advice, LeaveOut
from likely.networks.learning.counts import refuse_large_tables
from likely.networks.learning.learnt_tables import LearntTables, unlearnt
from likely.networks.network import Network
from likely.networks.structure.columns import Columns, TooManyError, code_columns
from likely.networks.structure.cut_search import search_cutting
from likely.networks.structure.plan import Plan
from likely.networks.structure.row_codes import Coded
from likely.networks.structure.search_report import SearchReport
from likely.networks.structure.streamed_rows import Streamed
from likely.networks.tables.estimation import TableEstimate, read_setting
from likely.structures.graph import Graph
from likely.structures.search.evidence import BayesianDirichletScore, PriorNetworkScore
from likely.structures.search.result import SearchResult, Tick
from likely.structures.search.scores import FamilyScore

MOST_USEFUL_LEVELS = 64  # levels of a column beyond which they may only name rows
SHARES_WITHIN = 1e-6  # what shares that add up to one may be off by
MOST_ROW_BYTES = (
    1 << 32
)  # bytes of rows that are held: one a value, eight a number until it is binned; more are streamed


def learn_network(
    data: Any,
    score: str | FamilyScore = "bic",
    search: str = "hill-climb",
    required: Any = (),
    forbidden: Any = (),
    *,
    tiers: Any = None,
    max_parents: int | None = None,
    strength: float = 1.0,
    prior: Any = None,
    missing: str = "em",
    weights: Any = None,
    levels: Levels = None,
    seed: int = 0,
    tick: Tick | None = None,
    **options: Any,
) -> Network:
    """A network with its tables, learnt from rows of any origin: each column is a node.

    Ctrl-C ends the search early, and the best network so far is what it found; `search_` tells how it went. An arrow
    is no cause: `directions()` tells which could point the other way as well.

    Parameters
    ----------
    data : rows
        Columns by name, records, a NumPy array, a data frame, a file or a DuckDB relation.
    score : str, default='bic'
        "bic", "aic", "mdl", "log-likelihood", "bdeu" (with `strength`), "k2", "jeffreys", "dirichlet" (with `prior`
        pseudo-counts in each entry, or {node: pseudo-counts}), "bde" (with a network as `prior`), "fnml", "qnml".
        Higher is better.
    search : str, default='hill-climb'
        "hill-climb", "tabu", "order", "exact" (about 20 columns at most), "tree", "chow-liu", "forest", "pc" or
        "mmhc".
    required, forbidden : arcs, default=()
        Arcs (parent, child) that must or must not be there.
    tiers : groups, default=None
        Groups of columns, the earliest first; no arc leads from a later group to an earlier one.
    max_parents : int, default=None
        How many parents a node may have.
    strength : float, default=1.0
        How many pseudo-counts the prior of the score is worth.
    prior : number, {node: number} or Network, default=None
        What "dirichlet" and "bde" begin with.
    missing : str, default='em'
        Missing values; "em" fills them in by turns (structural EM), "ignore" counts the rows that have what is
        counted, which is quicker and finds arcs too many, "error" refuses them.
    weights : array or str, default=None
        Numbers, one a row, or the name of a column.
    levels : {column: levels}, default=None
        The levels where the rows do not tell all. Numeric columns are binned. Columns that cannot be nodes, such as
        dates and names of rows, are left out, which `search_` tells.
    seed : int, default=0
        The same seed finds the same network.
    tick : callable, default=None
        Called with the `Progress` of the search.
    **options : object
        Of the search, such as restarts= and tabu= of "hill-climb".

    Returns
    -------
    Network

    Examples
    --------
    >>> rows = {"rain": ["no", "no", "yes", "yes"] * 9, "wet": ["no", "no", "yes", "yes"] * 8 + ["no", "yes"] * 2}
    >>> net = learn_network(rows)
    >>> net.edges
    (('rain', 'wet'),)
    """
    plan = Plan(score, search, required, forbidden, tiers, max_parents, strength, prior, missing, seed, options)
    return learn(plan, data, weights, levels, tick)


def learn(plan: Plan, data: Any, weights: Any = None, levels: Levels = None, tick: Tick | None = None) -> Network:
    """The network that a plan finds."""
    if tick is not None and not callable(tick):
        hint = "give a function that takes a Progress"
        raise OptionError("O510", f"tick is {tick!r}", place="tick=", hint=hint)
    started = time.perf_counter()
    aside: dict[str, str] = {}
    try:
        columns = code_columns(data, levels, weights, MOST_ROW_BYTES, aside)
    except TooManyError:
        learnt, found = _streamed(plan, data, weights, levels, tick)
    else:
        _refuse_light(columns)
        _check_rules(plan, columns.names, aside)
        coded, found = search_cutting(columns, lambda rows: plan.find(rows, tick))
        found = replace(found, notes=(*aside.values(), *_odd(columns), *found.notes))
        learnt = _learnt(plan, Graph.placed(coded.names, found.parents), _schema(coded, columns.declared), coded)
    network = Network.of(learnt)
    network._search = SearchReport(
        plan,
        found.score,
        sum(map(len, found.parents)),
        time.perf_counter() - started,
        found.steps,
        found.trace,
        found.interrupted,
        found.notes,
    )
    return network


def _check_rules(plan: Plan, names: tuple[str, ...], aside: Mapping[str, str]) -> None:
    """A mistake in the rules is told before the work; and where it is a column that was left out, why."""
    try:
        plan.rules(names)
    except OptionError as error:
        if error.about in aside:
            error.message += f"; {aside[error.about]}"
        raise


def _odd(columns: Columns) -> list[str]:
    """What a person should know of columns that were taken as they are."""
    sizes = {name: len(levels) for name, levels in zip(columns.names, columns.levels, strict=True)}
    alone = [f"{name!r} has one level, which tells nothing" for name, size in sizes.items() if size == 1]
    wide = [
        Advice(f"{name!r} has {size:,} levels: ", LeaveOut(name), " if they only name rows")
        for name, size in sizes.items()
        if size > MOST_USEFUL_LEVELS
    ]
    return alone + wide


def _refuse_light(columns: Columns) -> None:
    """An error where weights are shares: a score takes them as numbers of rows, and shares as hardly one row."""
    weights = columns.weights
    if weights is not None and len(weights) > 1 and weights.sum() <= 1.0 + SHARES_WITHIN:
        what = f"the weights add up to {weights.sum():.6g}, as if there were one row"
        hint = "multiply them: a weight is how many rows a row stands for"
        raise DataError("D431", what, place="weights=", hint=hint)


def _streamed(
    plan: Plan, data: Any, weights: Any, levels: Levels, tick: Tick | None
) -> tuple[LearntTables, SearchResult]:
    """The same of rows that do not fit into memory: they are read again for whatever is counted."""
    names = open_rows(data, None, weights).names
    plan.rules(names)
    rows, schema = source_of(data, names, levels, weights)
    streamed = Streamed(rows, schema)
    found = plan.find(streamed, tick)
    if plan.missing == "em" and streamed.holes:
        plan = replace(plan, missing="ignore")
        note = "rows do not fit into memory: their missing values are not filled in"
        found = replace(found, notes=(*found.notes, note))
    return _learnt(plan, Graph.placed(names, found.parents), schema, rows), found


def _schema(coded: Coded, declared: Container[str]) -> Schema:
    pairs = zip(coded.names, coded.levels, strict=True)
    return Schema(tuple(_column(name, levels, name in declared) for name, levels in pairs), ALL_IN_ONE_CELL)


def _learnt(plan: Plan, graph: Graph, schema: Schema, rows: Blocks) -> LearntTables:
    """The tables of a graph, under the prior that the score has."""
    refuse_large_tables(graph, schema)
    setting = _setting(plan, graph, [column.levels for column in schema.columns])
    return unlearnt(graph, schema, setting).taking(rows)


def _column(name: str, levels: Sequence[Level], said: bool) -> Column:
    """A node; intervals stay as they are, as levels do that were declared."""
    own = tuple(levels)
    fixed = said or cuts_of(own) is not None
    return Column(name, "category", own, own if fixed else (), fixed=True)


def _setting(plan: Plan, graph: Graph, levels: Sequence[Sequence[Level]]) -> TableEstimate:
    """The prior of the tables: that of the score where it has one, else one pseudo-count in each entry."""
    kind = plan.kind(graph.nodes, levels)
    prior: Any = "uniform"
    strength = 1.0
    if isinstance(kind, BayesianDirichletScore):
        prior, strength = ("bdeu", kind.strength) if kind.added is None else ("uniform", kind.added)
    if isinstance(kind, PriorNetworkScore):
        families = [(*mine, at) for at, mine in enumerate(graph.parent_places)]
        prior = {name: kind.strength * kind.joint(mine) for name, mine in zip(graph.nodes, families, strict=True)}
    return read_setting("bayes", prior, strength, plan.missing, graph.nodes)
