"""A graph from rows with missing values: what the network expects fills them in, and the search goes on, by turns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from likely.errors import OptionError
from likely.errors.advice import Advice, Option
from likely.errors.options import whole
from likely.networks.inference.cost import Cost
from likely.networks.inference.exact import Exact
from likely.networks.learning.em import EMOptions, fill_in, first_tables
from likely.networks.structure.completion import COMPLETIONS_OF_A_ROW, RowsByCompleteness
from likely.networks.structure.row_codes import Coded
from likely.networks.structure.scores import node_scores
from likely.networks.tables.estimation import TableEstimate, normalised, pseudo_counts
from likely.networks.tables.joint import Factored
from likely.networks.tables.table import refuse_large_table
from likely.structures.graph import Graph
from likely.structures.pattern import Pattern
from likely.structures.search.nml import FIT
from likely.structures.search.result import SearchResult, Tick, Track
from likely.structures.search.scorer import Parents
from likely.structures.search.scores import FamilyScore, LikelihoodScore

MOST_TURNS = 20
TURNS_WITHOUT_GAIN = 2  # turns that gain nothing, after which there are no more
TURNS_OF_A_GRAPH = EMOptions(tolerance=1e-5, iterations=20)  # of EM for the tables of each graph
SMOOTH = TableEstimate(prior="bdeu")  # one row spread over each table: nothing that was not seen becomes impossible
SCORE_DECREASE_BY_ROUNDING = 1e-9  # of a score
EM_INTERRUPTED, TOO_DENSE = "interrupted", "a graph was too dense to be asked"

BIC = LikelihoodScore("bic")

Search = Callable[[Coded], SearchResult]


class ScoredGraph(NamedTuple):
    """One graph: its score with missing values summed out, the log likelihood in it, its arcs, the rows it came of."""

    score: float
    log_likelihood: float
    parents: tuple[Parents, ...]
    rows: int

    @property
    def arcs(self) -> int:
        """How many arcs the graph has."""
        return sum(map(len, self.parents))


@dataclass(frozen=True)
class StructuralEMReport:
    """The turns of structural EM, the first a search over rows as they are; `ended` says why there are no more.

    >>> turns = ScoredGraph(-120.0, -100.0, ((), (0,)), 50), ScoredGraph(-115.0, -99.0, ((), ()), 80)
    >>> StructuralEMReport(turns, "the graph stays")
    structural EM, 2 turns (the graph stays): score -120 -> -115, arcs 1 -> 0
    """

    turns: tuple[ScoredGraph, ...]
    ended: str

    @property
    def best(self) -> int:
        """Which turn found the graph that is kept, from 0 on."""
        return max(range(len(self.turns)), key=lambda at: self.turns[at].score)

    @property
    def monotone(self) -> bool:
        """Whether no turn was worse than the one before."""
        scores = [turn.score for turn in self.turns]
        return all(new >= old - SCORE_DECREASE_BY_ROUNDING * max(1.0, abs(old)) for old, new in pairwise(scores))

    def __repr__(self) -> str:
        if not self.turns:
            return f"structural EM: {self.ended}"
        first, best, many = self.turns[0], self.turns[self.best], len(self.turns)
        fell = "" if self.best == many - 1 else f"; that of turn {self.best + 1} is kept"
        head = f"structural EM, {many} turn{'s' * (many != 1)} ({self.ended})"
        return f"{head}: score {first.score:.8g} -> {best.score:.8g}, arcs {first.arcs} -> {best.arcs}{fell}"


def structural_em(
    search: Search,
    coded: Coded,
    kind: FamilyScore = BIC,
    *,
    simple: Search | None = None,
    seed: int = 0,
    turns: int = MOST_TURNS,
    draws: int = COMPLETIONS_OF_A_ROW,
    tick: Tick | None = None,
) -> tuple[SearchResult, StructuralEMReport]:
    """The best graph for rows with missing values, and how it was found.

    `search` finds a graph for rows; first for the rows as they are, by counts of what is seen, then by turns for rows
    completed by the network of the graph before (Friedman 1997). The score of a graph is the log likelihood of what is
    seen, missing values summed out, and what the `kind` of score takes off or adds to the likelihood of complete rows:
    with "bic", half the log of the rows for each free number. It ends when the graph says what an earlier one said,
    when two turns gain nothing, or after so many `turns`; the best graph is kept. Ctrl-C keeps the best so far. Where
    the first graph is too dense to be asked, the turns begin with what a `simple` search finds.
    """
    for name, value in (("turns", turns), ("draws", draws)):
        whole(value, name, "O536", least=1)
    if not coded.holes:
        return search(coded), StructuralEMReport((), "there are no missing values")
    turning = _Turning(coded, kind, RowsByCompleteness.of(coded), Track(tick), int(seed), int(draws))
    try:
        ended = turning.go(search, simple, int(turns))
    except KeyboardInterrupt:
        if turning.kept is None:
            raise
        ended = EM_INTERRUPTED
    return turning.found(ended), StructuralEMReport(tuple(turning.turns), ended)


@dataclass
class _Turning:
    """What structural EM holds while it goes on: the turns so far, and what the search found in the best of them."""

    coded: Coded
    kind: FamilyScore
    parted: RowsByCompleteness
    track: Track
    seed: int
    draws: int
    turns: list[ScoredGraph] = field(default_factory=list)
    kept: SearchResult | None = None

    def go(self, search: Search, simple: Search | None, turns: int) -> str:
        """Turn by turn; gives the reason why it ended."""
        rows, said = self.coded, list[Pattern]()
        while True:
            found = search(rows)
            self.track.steps += found.steps
            self.kept = self.kept or found
            if found.interrupted:
                raise KeyboardInterrupt
            graph = Graph.placed(rows.names, found.parents)
            if simple is not None and not self.turns and not self._cost(graph).feasible:
                found = self.kept = simple(rows)
                if found.interrupted:
                    raise KeyboardInterrupt
                graph = Graph.placed(rows.names, found.parents)
            pattern = graph.equivalence_class()
            if pattern in said:
                return "the graph stays" if pattern == said[-1] else "a graph came back"
            if not self._feasible(graph):
                return TOO_DENSE
            tables = self._judge(found, graph, rows)
            if len(self.turns) > self._best + TURNS_WITHOUT_GAIN:
                return "the score rises no more"
            if len(self.turns) == turns:
                return "all turns were taken"
            said.append(pattern)
            self._step("completing rows")
            rows = self.parted.completed(tables, self.draws, self.seed)

    def _feasible(self, graph: Graph) -> bool:
        """Whether missing values can be filled in by exact inference; before the first turn there is no other way."""
        cost = self._cost(graph)
        if not cost.feasible and not self.turns:
            what = f"missing values cannot be filled in: the graph of what is seen would take {cost.told}"
            hint = Advice("say ", Option("max_parents", 3), " or fewer, or ", Option("missing", "ignore"))
            raise OptionError("O537", what, place=Advice(Option("missing", "em")), hint=hint)
        return cost.feasible

    def _cost(self, graph: Graph) -> Cost:
        return Exact(Factored(graph, self.coded.levels, ())).cost

    def _judge(self, found: SearchResult, graph: Graph, rows: Coded) -> Factored:
        """The tables of a graph by EM, and a turn that tells how good it is."""
        for name, mine in zip(graph.nodes, graph.parent_places, strict=True):
            refuse_large_table(name, [rows.sizes[at] for at in (*mine, graph.places[name])])
        families = list(enumerate(graph.parent_places))
        seen = [rows.counts(at, mine) for at, mine in families]
        whole = [self.parted.whole.counts(at, mine) for at, mine in families]
        added = [pseudo_counts(mine, name, SMOOTH) for mine, name in zip(seen, graph.nodes, strict=True)]
        alone = [rows.counts(at, ()) for at, _ in families]
        counts, report = fill_in(
            first_tables(graph, rows.levels, seen, alone, self.seed),
            self.parted.holes.open_codes,
            self.parted.holes.each_weight,
            whole,
            added,
            options=TURNS_OF_A_GRAPH,
            tick=lambda: self._step("filling in missing values"),
        )
        likelihood = report.log_likelihoods[-1]
        price = node_scores(counts, self.kind, graph=graph) - node_scores(counts, FIT)
        score = likelihood + float(price.sum())
        self.turns.append(ScoredGraph(score, likelihood, found.parents, rows.rows))
        if self._best == len(self.turns) - 1:
            self.kept = found
        self.track.reached(found.parents, score, f"structural EM, turn {len(self.turns)}")
        if report.interrupted:
            raise KeyboardInterrupt
        return Factored(graph, rows.levels, tuple(map(normalised, counts, added)))

    def _step(self, doing: str) -> None:
        self.track.step(f"structural EM, turn {len(self.turns) + 1}: {doing}")

    @property
    def _best(self) -> int:
        return StructuralEMReport(tuple(self.turns), "").best

    def found(self, ended: str) -> SearchResult:
        """The best graph, with what is to be said of it."""
        assert self.kept is not None, "there was a search"
        interrupted = ended == EM_INTERRUPTED
        if not self.turns:
            return replace(self.kept, interrupted=interrupted)
        notes = (*self.kept.notes, *self._silent())
        if ended == TOO_DENSE:
            notes = (*notes, "structural EM ended early: the next graph was too dense to fill missing values in by")
        kept = self.track.found(interrupted)
        return replace(kept, trace=tuple(now for now in kept.trace if now.score > -np.inf), notes=notes)

    def _silent(self) -> list[str]:
        """Nodes of which no row tells anything."""
        never = [name for at, name in enumerate(self.coded.names) if not self.coded.counts(at, ()).any()]
        return [f"no row has {name!r}: the rows say nothing of its arcs" for name in never]
