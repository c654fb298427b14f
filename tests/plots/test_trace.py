"""The trace of a search: a climb that is seen, what was still to gain, and where it was interrupted."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from likely import plots
from likely.errors import LikelyError
from likely.structures.search.result import Progress


def made(scores: list[float], interrupted: bool = False) -> Any:
    trace = tuple(Progress(0.5 * at, score, at + 1, at, "climbing") for at, score in enumerate(scores))
    return SimpleNamespace(trace=trace, score=scores[-1], seconds=0.5 * len(scores) + 1, interrupted=interrupted)


def test_the_score_rises_graph_by_graph_and_the_gap_closes_with_time() -> None:
    figure = plots.trace(made([-1000.0, -500.0, -420.0, -410.0]))
    upper, lower = figure.axes
    steps, below, end = upper.lines[0], *lower.lines
    assert steps.get_drawstyle() == below.get_drawstyle() == "steps-post"
    np.testing.assert_allclose(np.asarray(steps.get_xdata(), float), [0, 1, 2, 3])
    np.testing.assert_allclose(np.asarray(steps.get_ydata(), float), [-1000, -500, -420, -410])
    np.testing.assert_allclose(np.asarray(below.get_xdata(), float), [1e-4, 0.5, 1.0, 1.5])
    np.testing.assert_allclose(np.asarray(below.get_ydata(), float), [590, 90, 10, 10])
    np.testing.assert_allclose(np.asarray(end.get_xdata(), float), 3.0)
    assert (lower.get_xscale(), lower.get_yscale()) == ("log", "log")
    assert upper.get_title() == "Score −410 with 3 arcs, found after 1.5 of 3 s"
    assert (upper.get_xlabel(), lower.get_xlabel()) == ("better graphs, one after the other", "seconds")
    assert "higher is better" in upper.get_ylabel()
    figure.draw_without_rendering()


def test_most_of_the_climb_is_seen_though_it_takes_no_time() -> None:
    trace = tuple(Progress(0.03 + 1e-4 * at, -1000 + 9.0 * at, at + 1, at, "climbing") for at in range(100))
    figure = plots.trace(SimpleNamespace(trace=trace, score=-109.0, seconds=60.0, interrupted=False))
    figure.draw_without_rendering()
    (upper, _), places = figure.axes, np.arange(100.0)
    seen = upper.transData.transform(np.column_stack([places, [one.score for one in trace]]))
    assert np.ptp(seen[:, 0]) > 0.8 * upper.bbox.width


def test_an_interrupted_search_says_so() -> None:
    for told, words in ((True, "interrupted here"), (False, "end of the search")):
        found: Any = plots.trace(made([-3.0, -2.0, -1.0], told)).axes[0].get_legend()
        assert [text.get_text() for text in found.get_texts()] == [words]


@pytest.mark.parametrize("scores", [[-5.0], [-5.0, -4.0], [float("-inf"), -4.0], [float("-inf")]])
def test_few_steps_need_one_panel(scores: list[float]) -> None:
    figure = plots.trace(made(scores))
    figure.draw_without_rendering()
    assert len(figure.axes) == 1


def test_axes_that_are_given_hold_the_score_alone() -> None:
    shared = Figure(figsize=(9, 4))
    left, right = shared.subplots(1, 2)
    assert plots.trace(made([-3.0, -2.0, -1.0, -0.5]), ax=right) is shared
    assert len(shared.axes) == 2
    assert not left.has_data()


def test_something_else_is_refused() -> None:
    with pytest.raises(LikelyError, match="O374"):
        plots.trace(3)
