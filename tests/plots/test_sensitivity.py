"""The tornado shows how far each entry moves the answer, the farthest first."""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from likely import plots
from likely.errors import LikelyError


def entry(at: int, low: float, high: float, **given: str) -> Any:
    return SimpleNamespace(
        node=f"节点 {at}", level="高", given=given, value=0.25, derivative=high - low, low=low, high=high
    )


def made(*entries: Any) -> Any:
    return SimpleNamespace(target="LVFAILURE", level="TRUE", posterior=0.3, parameters=entries)


ENTRIES = [
    entry(
        at, 0.3 - 0.2 / (at + 1), 0.3 + 0.25 / (at + 1), a_parent_with_a_long_name="NORMAL", another="HIGH", third="x"
    )
    for at in range(20)
]


def test_the_widest_twelve_about_the_answer() -> None:
    figure = plots.sensitivity(made(*reversed(ENTRIES)))
    ax: Any = figure.axes[0]
    bars = [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in ax.patches]
    assert len(bars) == 24
    np.testing.assert_allclose(bars[0], (0.3, 0.1))
    np.testing.assert_allclose(bars[1], (0.3, 0.55))
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert [label.split("\n")[0] for label in labels] == [f"节点 {at} = 高: 0.25" for at in range(12)]
    assert labels[0].split("\n")[1] == "given a_parent_with_a_long_… = NORMAL, another = HIGH,…"
    assert [text.get_text() for text in ax.texts][:2] == ["0.100", "0.550"]
    assert ax.get_title() == "What moves P(LVFAILURE = TRUE), which is 0.3"


def test_nothing_overlaps_and_axes_can_be_given() -> None:
    figure = plots.sensitivity(made(*ENTRIES, entry(99, 0.45, 0.1)))
    figure.draw_without_rendering()
    ax: Any = figure.axes[0]
    for texts in (ax.get_yticklabels(), ax.texts):
        boxes = [text.get_window_extent() for text in texts]
        assert not any(one.shrunk(1, 0.9).overlaps(other.shrunk(1, 0.9)) for one, other in combinations(boxes, 2))
        assert all(box.x0 >= 0 and box.x1 <= figure.bbox.width for box in boxes)
    legend = ax.get_legend().get_window_extent()
    assert not any(legend.overlaps(text.get_window_extent()) for text in ax.texts)
    shared = Figure(figsize=(12, 5))
    left, right = shared.subplots(1, 2)
    assert plots.sensitivity(made(*ENTRIES), ax=right) is shared
    assert not left.has_data()
    shared.draw_without_rendering()


def test_numbers_near_the_ends() -> None:
    found = made(entry(0, 1e-7, 0.9999999))
    assert [text.get_text() for text in plots.sensitivity(found).axes[0].texts] == ["1e-07", "1 − 1e-07"]


def test_of_two_entries_that_make_up_a_row_one() -> None:
    found = made(*ENTRIES[:4])
    found.distinct = ENTRIES[:1]
    assert len(plots.sensitivity(found).axes[0].patches) == 2


def test_where_nothing_moves_it() -> None:
    figure = plots.sensitivity(made())
    figure.draw_without_rendering()
    assert [text.get_text() for text in figure.axes[0].texts] == ["no entry of a table moves it"]


def test_something_else_is_refused() -> None:
    with pytest.raises(LikelyError, match="O374"):
        plots.sensitivity(3)
