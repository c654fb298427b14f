"""The best graph of all, by dynamic programming over sets of nodes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import comb

import numpy as np

from likely.core.numerics import Array, Floats
from likely.errors import ModelError
from likely.errors.advice import Advice, Option
from likely.kernels.search.subsets import add_up, best_orders, last_of, members, sets_worth, spread, squeezed, unknown
from likely.structures.search.result import Track
from likely.structures.search.rules import Rules
from likely.structures.search.scorer import Family, Parents, Scorer
from likely.structures.search.start_graphs import begin, graph_score

MOST_BYTES_OF_LATTICE = 2 << 30  # bytes: 24 nodes
FAMILIES_A_TICK = 2048  # families scored between two signs of life, and fewer where rows are many
ROWS_A_TICK = 2e7  # rows counted between two signs of life
MOST_FAMILIES_SCORED = 4_000_000  # scored one by one: several minutes
# What a row must gain for a larger set of parents to be better, and not just summed otherwise
LEAST_GAIN_A_ROW_OF_SET = 1e-12


def exact(scorer: Scorer, rules: Rules, track: Track, *, seed: int = 0) -> None:
    """No graph that obeys the rules has a better score; up to 24 nodes, and better not many more than 20.

    Parents are tried by their number, fewest first, and after each number the best graph with so few is known: who
    stops the search early has that. Where the score is a log likelihood less a price for each free number, which
    `scorer.price` tells, parents whose price exceeds all that could be gained are not even counted. Nothing is left to
    chance: `seed` is there because every search has one.
    """
    _check_memory(rules.size)
    _check_work(scorer, rules)
    lattice = _Lattice(scorer, rules, track)
    begin(scorer, rules, track)
    for extra in range(rules.size):
        if not lattice.grow(extra):
            break
    track.step("exact: done", 1.0)


def _check_memory(nodes: int) -> None:
    """Refuse more nodes than there is memory for."""
    need = (nodes * (1 << nodes) // 2 + 2 * (1 << nodes)) * 8
    if need > MOST_BYTES_OF_LATTICE:
        what = f"the exact search of {nodes} nodes needs {need / (1 << 30):,.0f} GiB of memory"
        ways = Option("search", "tabu"), " or ", Option("search", "order")
        hint = Advice("it is meant for up to about 20 nodes; take ", *ways, ", or fewer columns")
        raise ModelError("M361", what, place=Advice(Option("search", "exact")), hint=hint)


def _check_work(scorer: Scorer, rules: Rules) -> None:
    """Refuse to score very many families where none can be left out."""
    families = _families(rules).sum()
    if not scorer.equivalent and _price(scorer) < 0.0 and families > MOST_FAMILIES_SCORED:
        what = f"the exact search has {families:,} families to score, and this score needs them one by one"
        rest = "; 'bic' and 'bdeu' of rows without missing values need far fewer families"
        hint = Advice("allow fewer parents, as in ", Option("max_parents", 4), rest)
        raise ModelError("M362", what, place=Advice(Option("search", "exact")), hint=hint)


def _families(rules: Rules) -> Array:
    """(nodes, extra): how many sets of parents a node has with so many that are not required."""
    needed, allowed = rules.required.sum(axis=0).tolist(), rules.allowed.sum(axis=0).tolist()
    out = np.zeros((rules.size, rules.size), dtype=np.int64)
    for node in range(rules.size):
        for extra in range(min(rules.most - needed[node], rules.size - 1) + 1):
            out[node, extra] = comb(allowed[node] - needed[node], extra)
    return out


def _batches(scorer: Scorer, sets: Array) -> Iterator[slice]:
    """Parts of some sets, each counted within a moment."""
    size = int(min(FAMILIES_A_TICK, max(32.0, ROWS_A_TICK / (1.0 + scorer.weight))))
    return (slice(at, min(at + size, len(sets))) for at in range(0, len(sets), size))


def _price(scorer: Scorer) -> float:
    """What a free number of a table costs, where the score is a log likelihood less a price; -1 where it is not."""
    return -1.0 if scorer.price is None else scorer.price


@dataclass
class _Kept:
    """Sets of parents of one node that are better than all their subsets, smaller ones first."""

    sets: Array = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    scores: Floats = field(default_factory=lambda: np.empty(0))

    def add(self, sets: Array, scores: Floats) -> None:
        self.sets, self.scores = np.concatenate([self.sets, sets]), np.concatenate([self.scores, scores])

    def best(self, among: int) -> Parents:
        """The best parents among these nodes."""
        inside = np.flatnonzero((self.sets & ~among) == 0)
        return members(int(self.sets[inside[np.argmax(self.scores[inside])]]))


class _Lattice:
    """best[node, others]: the score of the best parents of a node among others, of those tried so far."""

    def __init__(self, scorer: Scorer, rules: Rules, track: Track) -> None:
        self.scorer, self.rules, self.track = scorer, rules, track
        nodes = rules.size
        self.sizes = np.array(scorer.sizes, dtype=np.int64)
        self.best = np.full((nodes, 1 << max(nodes - 1, 0)), -np.inf)
        self.totals = np.empty(1 << nodes)
        self.kept = [_Kept() for _ in range(nodes)]
        self.needed = [_bits(np.flatnonzero(rules.required[:, node])) for node in range(nodes)]
        self.spots = [np.flatnonzero(rules.allowed[:, node] & ~rules.required[:, node]) for node in range(nodes)]
        self.score = _Differences(scorer) if scorer.equivalent else _Families(scorer)
        self.families, self.seen = _families(rules), 0
        self.all = int(self.families.sum())

    def grow(self, extra: int) -> bool:
        """Try all parents with so many that are not required; whether there were any that may pay."""
        doing = f"exact: {extra} parents" if extra != 1 else "exact: 1 parent"
        tried = [self._try(node, extra, doing) for node in range(self.rules.size)]
        if any(better for _, better in tried):
            self._reach(doing)
        return any(some for some, _ in tried)

    def _try(self, node: int, extra: int, doing: str) -> tuple[bool, bool]:
        """Whether there were sets of parents that may pay for a node, and whether any did."""
        number = int(self.families[node, extra])
        if not number:
            return False, False
        best = self.best[node]
        sets = sets_worth(extra, self.spots[node], self.needed[node], node, best, self.sizes, _price(self.scorer))
        for share in self.score.ask(node, sets):
            self.track.step(doing, (self.seen + share * number) / self.all)
        self.seen += number
        scores, places = self.score.told(node, sets), squeezed(sets, node)
        margin = LEAST_GAIN_A_ROW_OF_SET * (1.0 + self.scorer.weight)
        better = np.flatnonzero((scores > best[places] + margin) | (not extra))
        if len(better):
            self.kept[node].add(sets[better], scores[better])
            best[places[better]] = scores[better]
            spread(best)
        return bool(len(sets)), bool(len(better))

    def _reach(self, doing: str) -> None:
        """Tell the best graph with the parents tried so far."""
        best_orders(self.best, self.totals)
        parents: list[Parents] = [()] * self.rules.size
        rest = (1 << self.rules.size) - 1
        while rest:
            last = int(last_of(rest, self.best, self.totals))
            rest ^= 1 << last
            parents[last] = self.kept[last].best(rest)
        self.track.reached(parents, graph_score(self.scorer, parents), doing, self.seen / max(self.all, 1))


class _Families:
    """Scores of families, each asked for by itself."""

    def __init__(self, scorer: Scorer) -> None:
        self.scorer, self.scores = scorer, np.empty(0)

    def ask(self, node: int, sets: Array) -> Iterator[float]:
        """Score a node below sets of parents; the share of the work done, batch by batch."""
        self.scores = np.empty(len(sets))
        for part in _batches(self.scorer, sets):
            self.scores[part] = self.scorer.scores([(node, members(one)) for one in sets[part].tolist()])
            yield part.stop / len(sets)

    def told(self, node: int, sets: Array) -> Floats:
        """(sets,): what was asked for."""
        return self.scores


class _Differences:
    """Scores of families as differences of the values of sets of nodes, which are n times fewer than families.

    Where equivalent graphs have equal scores, the sum along any order of a set is the same, and that is its value. A
    scorer that finds values without such a sum has them in `joint`.
    """

    def __init__(self, scorer: Scorer) -> None:
        self.scorer, self.values = scorer, np.full(1 << len(scorer.sizes), np.nan)
        self.values[0] = 0.0

    def ask(self, node: int, sets: Array) -> Iterator[float]:
        """Find the values of the sets with and without the node; the share of the work done, batch by batch."""
        asked, joint = unknown(np.concatenate([sets, sets | 1 << node]), self.values), self.scorer.joint
        for part in _batches(self.scorer, asked):
            if joint is not None:
                self.values[asked[part]] = joint(asked[part])
            else:
                scores = self.scorer.scores([_topmost(one) for one in asked[part].tolist()])
                add_up(asked[part], scores, self.values)
            yield part.stop / len(asked)

    def told(self, node: int, sets: Array) -> Floats:
        """(sets,): the score of the node below each; nan where the parents are held impossible."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.values[sets | 1 << node] - self.values[sets])


def _topmost(bits: int) -> Family:
    """The highest node of a set, below the others."""
    nodes = members(bits)
    return nodes[-1], nodes[:-1]


def _bits(nodes: Array) -> int:
    """The set of some nodes."""
    return sum(1 << int(node) for node in nodes)
