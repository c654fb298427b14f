"""Max-min hill climbing: tests narrow down which arcs a climb tries (Tsamardinos, Brown and Aliferis 2006)."""

from __future__ import annotations

from typing import Any

from likely.output.phrases import plural
from likely.structures.search.candidates import candidates
from likely.structures.search.hill_climbing import hill_climb
from likely.structures.search.independence import MOST_GIVEN, read_most_given, read_test
from likely.structures.search.result import Track
from likely.structures.search.rules import Rules
from likely.structures.search.scorer import Scorer
from likely.structures.search.start_graphs import begin


def mmhc(
    scorer: Scorer,
    rules: Rules,
    track: Track,
    *,
    seed: int = 0,
    alpha: float = 0.05,
    test: Any = "g2",
    max_given: int | None = MOST_GIVEN,
    restarts: int | None = None,
    tabu: int = 0,
) -> None:
    """A climb that tries only arcs between nodes that no test parts: for tables with many columns.

    `alpha`, `test` and `max_given` are as in `pc`; `restarts` and `tabu` as in `hill_climb`.
    """
    begin(scorer, rules, track)
    judge, least = read_test(scorer, test, alpha, seed)
    able = candidates(judge, least, rules, track, read_most_given(max_given))
    links = int(able.sum()) // 2
    track.notes.append(f"tests leave {plural(links, 'pair')} of {rules.size * (rules.size - 1) // 2:,} to join")
    hill_climb(scorer, rules.narrowed(able), track, seed=seed, restarts=restarts, tabu=tabu)
