"""PC-stable: a graph from tests of independence alone (Spirtes, Glymour and Scheines; Colombo and Maathuis 2014)."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np

from likely.output.phrases import plural
from likely.structures.search.independence import MOST_GIVEN, IndependenceTest, read_most_given, read_test
from likely.structures.search.orientation import (
    Partial,
    Trio,
    apply_meek_rules,
    extended,
    point_colliders,
    point_known,
)
from likely.structures.search.result import Track
from likely.structures.search.rules import Rules
from likely.structures.search.scorer import Parents, Scorer
from likely.structures.search.skeleton import Skeleton, given_to, skeleton
from likely.structures.search.start_graphs import answer, begin


def pc(
    scorer: Scorer,
    rules: Rules,
    track: Track,
    *,
    seed: int = 0,
    alpha: float = 0.05,
    test: Any = "g2",
    max_given: int | None = MOST_GIVEN,
) -> None:
    """A graph with the independences that tests find; directions that they leave open are chosen.

    `alpha`: how often independent nodes may be taken for dependent. `test`: see `independence.TESTS`. `max_given`: how
    many nodes a test has given at most. The score takes no part; it only says how good the graph is.
    """
    begin(scorer, rules, track)
    judge, least = read_test(scorer, test, alpha, seed)
    joined = skeleton(judge, least, rules, track, read_most_given(max_given))
    partial = directed(judge, least, joined, rules, track)
    parents, exact = extended(partial)
    if not exact:
        track.notes.append("no graph has just the V-structures that the tests say: some arcs were pointed by need")
    _keep_most(parents, rules, joined, track)
    answer(scorer, track, parents, "directions")


def directed(test: IndependenceTest, least: float, joined: Skeleton, rules: Rules, track: Track) -> Partial:
    """The pattern: the links, with the arrows that rules, V-structures and what follows from them fix."""
    partial = Partial(joined.linked.copy(), np.zeros_like(joined.linked))
    gone = point_known(partial, rules, joined.log_p)
    against = point_colliders(partial, _colliders(test, least, joined, track))
    apply_meek_rules(partial)
    arcs, loose = int(partial.linked.sum()) // 2, int(partial.loose.sum()) // 2
    track.notes.append(f"tests and rules fix the direction of {arcs - loose} of {plural(arcs, 'arc')}")
    if gone:
        track.notes.append(f"{plural(gone, 'link')} left out: the rules would have made a circle of them")
    if against:
        track.notes.append(f"{plural(against, 'V-structure')} left out: against clearer ones, or the rules")
    return partial


def _colliders(test: IndependenceTest, least: float, joined: Skeleton, track: Track) -> list[Trio]:
    """The V-structures, the clearest first: both joined to the middle, and parted mostly without it.

    All sets of as many neighbours as parted them first are asked, for the one that did is met by chance.
    """
    near = [joined.near(node) for node in range(len(joined.linked))]
    parting = _parting(test, least, joined, near)
    track.step("V-structures")
    found = []
    for (one, other), given in joined.parted.items():
        sets = parting[one, other] or [given]
        for middle in set(near[one]) & set(near[other]):
            held = sum(middle in those for those in sets)
            if 2 * held < len(sets):
                found.append((held > 0, -joined.log_p[one, other], (one, middle, other)))
    return [trio for *_, trio in sorted(found)]


def _parting(
    test: IndependenceTest, least: float, joined: Skeleton, near: list[list[int]]
) -> dict[tuple[int, int], list[Parents]]:
    """The sets of neighbours of one that part each pair with a node between, as many as did so first."""
    asked: dict[tuple[int, int], list[int]] = defaultdict(list)  # node, how many are given -> others
    found: dict[tuple[int, int], list[Parents]] = defaultdict(list)
    for (one, other), given in joined.parted.items():
        if given and not set(near[one]).isdisjoint(near[other]):
            asked[one, len(given)].append(other)
            asked[other, len(given)].append(one)
    for (node, level), others in asked.items():
        for given in map(tuple, map(sorted, given_to(near[node], level))):
            told = test.log_p(node, others, given)
            for other in np.array(others)[told > least].tolist():
                pair = found[min(node, other), max(node, other)]
                if given not in pair:
                    pair.append(given)
    return found


def _keep_most(parents: list[list[int]], rules: Rules, joined: Skeleton, track: Track) -> None:
    """Take the parents that tell least away where there are too many."""
    gone = 0
    for node, mine in enumerate(parents):
        mine.sort(key=lambda at: (not rules.required[at, node], joined.log_p[at, node]))
        gone += len(mine[rules.most :])
        del mine[rules.most :]
    if gone:
        track.notes.append(f"{plural(gone, 'arc')} left out: max_parents is {rules.most}")
