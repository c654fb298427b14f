"""Graphs that a search begins and ends with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from likely.structures.search.result import Track
from likely.structures.search.rules import Rules
from likely.structures.search.scorer import Scorer


def begin(scorer: Scorer, rules: Rules, track: Track) -> None:
    """Reach the graph of the required arcs alone, so that there is one whenever a search is interrupted."""
    parents = rules.start()
    track.reached([*map(tuple, parents)], graph_score(scorer, parents), "begin")


def answer(scorer: Scorer, track: Track, parents: Sequence[Iterable[int]], doing: str) -> None:
    """Reach the graph that the search was for: it is kept even where the one to begin with scores higher."""
    score = graph_score(scorer, parents)
    track.parents = None
    track.reached([*map(tuple, parents)], score, doing, 1.0)


def graph_score(scorer: Scorer, parents: Sequence[Iterable[int]]) -> float:
    """The sum of the scores of all families."""
    return float(scorer.scores([(node, tuple(sorted(mine))) for node, mine in enumerate(parents)]).sum())
