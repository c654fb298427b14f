"""Hill climbing: the best arc is added, deleted or turned round as long as that helps; then the graph is shaken."""

from __future__ import annotations

import numpy as np

from likely.errors.options import whole
from likely.kernels.search.moves import wander
from likely.structures.search.result import Track
from likely.structures.search.rules import Rules
from likely.structures.search.scorer import Scorer
from likely.structures.search.search_state import Position

SCORE_ROUNDING = 1e-10  # of the score: what sums of many logarithms may differ by
MOST_IDLE_RESTARTS = 150  # in a row that may gain nothing; more for more nodes
MEAN_NODES_LOOSENED = 4.0  # nodes that lose all their arcs in a restart, besides one, in the mean
# Moves for which an arc rests, and times as many without a gain, after which a climb ends
TABU_MOVES, DOWNHILL_TIMES = 5, 2
LONG_TABU, LONG_DOWNHILL = 10, 10  # the same where that is the whole search
FEW_NODES_TO_CLIMB = 12  # of which the last restart goes such a long way, as two parents may tell only together


def hill_climb(
    scorer: Scorer, rules: Rules, track: Track, *, seed: int = 0, restarts: int | None = None, tabu: int = TABU_MOVES
) -> None:
    """Climb, and from the top again and again.

    A climb ends where no single move helps, which says little: many graphs are ties, and which of them a climb meets
    first decides where it ends. So a climb goes on from the top, downhill if it must, for a few moves, while arcs that
    were just changed rest for so many (`tabu`; 0 for none). And each restart turns arcs round that may be turned
    without changing what the graph says, takes all arcs from a few nodes, and climbs again; what is not worse is kept.
    The search ends after so many `restarts` in a row that gained nothing: 150, or two for each node, where None is
    said; with 0 there are none, and the first climb itself goes on downhill. Where None is said of few nodes, the last
    restart in vain goes a longer way downhill instead.
    """
    _search(scorer, rules, track, seed, restarts, tabu, DOWNHILL_TIMES)


def tabu_search(
    scorer: Scorer, rules: Rules, track: Track, *, seed: int = 0, restarts: int | None = None, tabu: int = LONG_TABU
) -> None:
    """The same with longer ways downhill: slower, and not so easily caught."""
    _search(scorer, rules, track, seed, restarts, tabu, LONG_DOWNHILL)


def _search(
    scorer: Scorer, rules: Rules, track: Track, seed: int, restarts: int | None, tabu: int, downhill: int
) -> None:
    _check("restarts", restarts)
    _check("tabu", tabu)
    thorough = restarts is None and rules.size <= FEW_NODES_TO_CLIMB
    if restarts is None:
        restarts = max(MOST_IDLE_RESTARTS, 2 * rules.size)
    told = np.array(scorer.sizes) > 1  # an arc of a node of one level gains nothing, and bars others as circles
    rules = rules.narrowed(np.outer(told, told))
    top = Position(scorer, rules, rules.start())
    track.reached(top.parents, top.score, "climbing")
    top = _climb(top, track, 0 if restarts else tabu, downhill)  # restarts find more than a way downhill
    draw = np.random.default_rng(seed)
    vain = 0
    while vain < restarts:
        here = top.copy()
        if thorough and vain + 1 == restarts and tabu:
            here = _climb(here, track, max(tabu, LONG_TABU), max(downhill, LONG_DOWNHILL))
        else:
            _shake(here, draw)
            here = _climb(here, track, tabu, downhill)
        least = SCORE_ROUNDING * abs(top.score)
        vain = 0 if here.score > top.score + least else vain + 1
        if here.score >= top.score - least:
            top = here
        track.step(f"restarting, {vain} in vain")


def _climb(here: Position, track: Track, tabu: int, downhill: int) -> Position:
    """The best position on the way uphill; and with `tabu`, on the way that goes on from there."""
    until = np.zeros((here.rules.size, here.rules.size), dtype=np.int64)
    top, score = here, here.score  # the top is a copy as soon as the way leads down from it
    high, now, vain = score, 0, 0
    while vain <= downhill * tabu:
        now += 1
        least = SCORE_ROUNDING * abs(score)
        move = here.best(until, now, high - score + least)
        if not tabu and (move is None or move.gain <= least):
            break
        if move is None:  # all arcs rest
            vain += 1
            continue
        if top is here and move.gain <= least:
            top = here.copy()
        here.make(move)
        score = here.score
        until[move.parent, move.child] = until[move.child, move.parent] = now + tabu + 1
        vain += 1
        if score > high + least:
            top, high, vain = here, score, 0
        if score > track.score + least:
            track.reached(here.parents, score, "climbing")
        else:
            track.step("climbing")
    return top


def _shake(here: Position, draw: np.random.Generator) -> None:
    """Turn round what may be turned, and take all arcs from a few nodes."""
    rules, before = here.rules, here.arcs.copy()
    tries = int(draw.integers(1, 4 * max(int(before.sum()), 1)))
    wander(here.arcs, rules.allowed, rules.required, tries, np.uint64(draw.integers(1 << 62)))
    loose = draw.choice(rules.size, min(rules.size, 1 + int(draw.exponential(MEAN_NODES_LOOSENED))), replace=False)
    here.arcs[loose] &= rules.required[loose]
    here.arcs[:, loose] &= rules.required[:, loose]
    here.settle(np.flatnonzero((here.arcs != before).any(axis=0)).tolist())


def _check(name: str, value: object) -> None:
    if value is None and name == "restarts":
        return
    whole(value, name, "O505")
