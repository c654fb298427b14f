"""Search over orders of the nodes: given an order, each node takes its best parents among those before it."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from itertools import combinations
from math import comb, inf
from random import Random
from typing import NamedTuple

import numpy as np

from likely.errors.options import whole
from likely.kernels.search.subsets import members
from likely.structures.search.result import Track
from likely.structures.search.rules import Rules
from likely.structures.search.scorer import Scorer

FAMILIES_SCORED_AHEAD = 6_000  # families that are all scored before the search begins
LEAST_GAIN_A_ROW_OF_MOVE = 1e-12  # what a row must gain for a move to be better, and not just summed otherwise
LOOSENED_ONE_IN = 3  # one of so many nodes at most is put elsewhere by a restart


class Choice(NamedTuple):
    """Parents as bits of a number, which sort the best first, and of equal ones the smallest."""

    loss: float  # the score, negative
    number: int
    parents: int


NO_CHOICE = Choice(inf, 0, 0)


def order(scorer: Scorer, rules: Rules, track: Track, *, seed: int = 0, restarts: int = 30) -> None:
    """Move single nodes to better places in an order until none has one; then put some elsewhere, and do so again.

    Orders are fewer than graphs, and none has a circle: one step from order to order changes the parents of many nodes
    at once, where climbing would have to lose first (Teyssier & Koller 2005). Where few families are possible all are
    scored; otherwise parents grow one by one as long as that pays.
    """
    whole(restarts, "restarts", "O511", hint="say how often to begin anew: a whole number from 0 on")
    chance = Random(seed)
    needed = rules.start()
    menus = [ParentSets(scorer, rules, node) for node in range(rules.size)]
    track.reached([tuple(menu.required) for menu in menus], -sum(menu.first.loss for menu in menus), "order", 0.0)
    _prepare(menus, scorer, track)
    best = _Order(menus, _after(chance.sample(range(rules.size), rules.size), needed), scorer.weight)
    _climb(best, track, chance, "order", 0.0)
    for restart in range(restarts if rules.size > 2 else 0):
        again = _Order(menus, _after(_loosened(best, chance), needed), scorer.weight)
        _climb(again, track, chance, f"order: restart {restart + 1} of {restarts}", restart / restarts)
        if again.score >= best.score - again.least:  # an equal one is elsewhere, from where others are near
            best = again
    track.step("order: done", 1.0)


def _loosened(best: _Order, chance: Random) -> list[int]:
    """Another order of the same graph, in which some nodes were put anywhere."""
    nodes = _after(chance.sample(best.nodes, len(best.nodes)), list(map(set, best.parents)))
    most = min(len(nodes), max(5, len(nodes) // LOOSENED_ONE_IN))
    loose = chance.sample(nodes, chance.randint(1, most))
    nodes = [node for node in nodes if node not in loose]
    for node in loose:
        nodes.insert(chance.randrange(len(nodes) + 1), node)
    return nodes


def _after(nodes: Sequence[int], parents: Sequence[set[int]]) -> list[int]:
    """The same order, but each node after its parents.

    >>> _after([2, 0, 1], [{1}, set(), set()])
    [2, 1, 0]
    """
    place = {node: at for at, node in enumerate(nodes)}
    order: dict[int, None] = {}
    waiting = list(reversed(nodes))
    while waiting:
        missing = parents[waiting[-1]] - order.keys()
        if missing:
            waiting += sorted(missing, key=place.__getitem__, reverse=True)
        else:
            order[waiting.pop()] = None
    return list(order)


def _prepare(menus: Sequence[ParentSets], scorer: Scorer, track: Track) -> None:
    """Score all families where they are few, and otherwise those with one parent more than required."""
    if sum(menu.families for menu in menus) > FAMILIES_SCORED_AHEAD:
        scorer.prefetch([(menu.node, tuple(menu.required)) for menu in menus])
        return
    for menu in menus:
        menu.fill()
        track.step("order: families", 0.0)


class ParentSets:
    """The parents of one node that were scored, the best first.

    It grows by need: of the best parents in a set, those with one more or less that are better still are added before
    they are told. So what is told cannot be bettered by one parent more or less of the set.
    """

    def __init__(self, scorer: Scorer, rules: Rules, node: int) -> None:
        self.scorer, self.node, self.most = scorer, node, rules.most
        self.required = sorted(rules.start()[node])
        self.optional = np.flatnonzero(rules.allowed[:, node] & ~rules.required[:, node]).tolist()
        score, parents = scorer.score(node, tuple(self.required)), sum(1 << parent for parent in self.required)
        self.first = Choice(-score, len(self.required), parents)
        self.choices = [self.first]
        self.known, self.grown = {parents}, set[int]()
        self.margin = LEAST_GAIN_A_ROW_OF_MOVE * (1.0 + scorer.weight)

    @property
    def families(self) -> int:
        """How many sets of parents are possible."""
        return sum(comb(len(self.optional), extra) for extra in range(self._spare + 1))

    @property
    def _spare(self) -> int:
        return min(len(self.optional), self.most - len(self.required))

    def best(self, among: int) -> Choice:
        """The best parents among these nodes; none where a required one is missing."""
        outside = ~among
        while True:
            for choice in self.choices:
                if not choice.parents & outside:
                    break
            else:
                return NO_CHOICE
            if choice.parents in self.grown:
                return choice
            self._grow(choice)

    def _grow(self, choice: Choice) -> None:
        """Add what is better by one parent more or less."""
        self.grown.add(choice.parents)
        row = self.scorer.toggled(self.node, members(choice.parents))
        for other in self.optional:
            parents = choice.parents ^ (1 << other)
            if row[other] > self.margin - choice.loss and parents not in self.known and self._fits(parents):
                self.known.add(parents)
                insort(self.choices, Choice(-float(row[other]), parents.bit_count(), parents))

    def _fits(self, parents: int) -> bool:
        return parents.bit_count() <= self.most

    def fill(self) -> None:
        """Add all that are better than all their subsets; nothing is left to grow."""
        tops = {self.first.parents: -self.first.loss}
        for extra in range(1, self._spare + 1):
            picks = list(combinations(self.optional, extra))
            scores = self.scorer.scores([(self.node, tuple(sorted([*self.required, *pick]))) for pick in picks])
            for pick, score in zip(picks, scores.tolist(), strict=True):
                parents = self.first.parents | sum(1 << parent for parent in pick)
                below = max(tops[parents ^ (1 << parent)] for parent in pick)
                tops[parents] = max(below, score)
                if score > below + self.margin:
                    self.known.add(parents)
                    self.choices.append(Choice(-score, len(self.required) + extra, parents))
        self.choices.sort()
        self.grown = self.known


class _Order:
    """An order of the nodes, those before each as bits, and what each chooses of them."""

    def __init__(self, menus: Sequence[ParentSets], nodes: list[int], weight: float) -> None:
        self.menus, self.nodes, self.least = menus, nodes, LEAST_GAIN_A_ROW_OF_MOVE * (1.0 + weight) * len(nodes)
        self.before = [0] * len(nodes)
        self.choices = [NO_CHOICE] * len(nodes)
        self._settle(0, len(nodes))

    @property
    def score(self) -> float:
        """The sum of all choices."""
        return -sum(choice.loss for choice in self.choices)

    @property
    def parents(self) -> list[tuple[int, ...]]:
        """The parents of each node."""
        return [members(choice.parents) for choice in self.choices]

    def _settle(self, start: int, stop: int) -> None:
        """Let the nodes of a stretch choose."""
        passed = sum(1 << node for node in self.nodes[:start])
        for node in self.nodes[start:stop]:
            self.before[node] = passed
            self.choices[node] = self.menus[node].best(passed)
            passed |= 1 << node

    def improve(self, node: int) -> bool:
        """Move a node to its best place; whether that is another one."""
        at = self.nodes.index(node)
        gain, to = max(self._leftwards(node, at), self._rightwards(node, at))
        if gain <= self.least:
            return False
        self.nodes.insert(to, self.nodes.pop(at))
        self._settle(min(at, to), max(at, to) + 1)
        return True

    def _leftwards(self, node: int, at: int) -> tuple[float, int]:
        """What a move to an earlier place gains, and where: the node loses what it passes, which may take it."""
        best, mine, bit = (0.0, at), self.choices[node], 1 << node
        before, gained, loss = self.before[node], 0.0, mine.loss
        for to in range(at - 1, -1, -1):
            other = self.nodes[to]
            before ^= 1 << other
            if mine.parents >> other & 1:
                mine = self.menus[node].best(before)
                if mine is NO_CHOICE:
                    break
            gained += self.choices[other].loss - self.menus[other].best(self.before[other] | bit).loss
            best = max(best, (gained + loss - mine.loss, to))
        return best

    def _rightwards(self, node: int, at: int) -> tuple[float, int]:
        """What a move to a later place gains, and where: the node may take what it passes, which loses it."""
        best, loss, bit = (0.0, at), self.choices[node].loss, 1 << node
        before, lost = self.before[node], 0.0
        for to in range(at + 1, len(self.nodes)):
            other = self.nodes[to]
            before |= 1 << other
            if self.choices[other].parents & bit:
                theirs = self.menus[other].best(self.before[other] ^ bit)
                if theirs is NO_CHOICE:
                    break
                lost += theirs.loss - self.choices[other].loss
            best = max(best, (loss - self.menus[node].best(before).loss - lost, to))
        return best


def _climb(order: _Order, track: Track, chance: Random, doing: str, done: float) -> None:
    """Move nodes, each in its turn, until all have their best place."""
    track.reached(order.parents, order.score, doing, done)
    still = 0
    while still < len(order.nodes):
        for node in chance.sample(order.nodes, len(order.nodes)):
            if not order.improve(node):
                still += 1
                continue
            still = 0
            if order.score > track.score:
                track.reached(order.parents, order.score, doing, done)
            else:
                track.step(doing, done)
