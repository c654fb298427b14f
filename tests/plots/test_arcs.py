"""Arcs that were learnt, on paper: every one is drawn once, tells its sort without colours, and hides no node."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, PathPatch, Polygon

from likely import plots
from likely.errors import LikelyError
from likely.networks.trust.arc_strength import ArcStrengths
from likely.networks.trust.structure_comparison import compare_structures
from likely.plots.graphs.arcs import COMPARISON_STYLES
from likely.plots.graphs.routes import Arc, LineStyle, draw_arcs
from likely.plots.style import styled

TRUTH = {"雨": [], "hose": [], "wet": ["雨", "hose"], "slip": ["wet"], "alone": []}


def lines(figure: Figure) -> dict[str, Any]:
    """The line of each arc, by what is read where a mouse rests."""
    found = [one for one in figure.axes[0].patches if isinstance(one, PathPatch)]
    return {str(one.get_gid()).removeprefix("tooltip: "): one for one in found}


def heads(figure: Figure) -> list[Any]:
    return [one for one in figure.axes[0].patches if isinstance(one, Polygon)]


def legend(figure: Figure) -> list[str]:
    found: Any = figure.axes[0].get_legend()
    return [text.get_text() for text in found.get_texts()]


def boxes(figure: Figure) -> list[Any]:
    return [one for one in figure.axes[0].patches if isinstance(one, FancyBboxPatch) and one.get_gid()]


def strengths(together: Any, pointing: Any, graphs: int = 10) -> ArcStrengths:
    names = tuple("abcdefgh"[: len(together)])
    return ArcStrengths(names, np.array(together), np.array(pointing), graphs, graphs)


def test_each_sort_of_arc_has_a_colour_and_dashes_of_its_own() -> None:
    learnt = {"雨": ["wet"], "hose": [], "wet": ["hose"], "slip": ["雨"], "alone": []}
    figure = plots.structure_comparison(compare_structures(learnt, TRUTH))
    found = lines(figure)
    assert {name.partition(":")[0]: name.partition(": ")[2].split()[0] for name in found} == {
        "hose -> wet": "right",
        "wet -> 雨": "reversed",
        "wet -> slip": "missing",
        "雨 -> slip": "extra",
    }
    assert (
        len({repr(look.dashes) for look in COMPARISON_STYLES.values()})
        == len({look.colour for look in COMPARISON_STYLES.values()})
        == 4
    )
    drawn = {(to_text(line.get_edgecolor()), repr(line.get_linestyle())) for line in found.values()}
    assert len(drawn) == len(heads(figure)) == 4
    assert figure.axes[0].get_title() == "1 arc right, 1 reversed, 1 missing, 1 extra"
    assert [text.rpartition(": ")[2] for text in legend(figure)] == ["1", "1", "1", "1"]
    assert "no arc:" in [text.get_text() for text in figure.axes[0].texts]
    assert len(boxes(figure)) == 5


def to_text(colour: Any) -> str:
    return ",".join(f"{part:.3f}" for part in colour)


def test_a_part_of_the_nodes() -> None:
    figure = plots.structure_comparison(compare_structures(TRUTH, TRUTH), nodes=["wet", "slip"])
    assert figure.axes[0].get_title() == "1 arc right, 0 reversed, 0 missing, 0 extra"
    with pytest.raises(LikelyError, match="O562") as caught:
        plots.structure_comparison(compare_structures(TRUTH, TRUTH), nodes=["wets"])
    assert "'wet'?" in caught.value.hint


def test_what_could_not_be_read_is_refused() -> None:
    many: dict[str, list[str]] = {f"n{at}": [] for at in range(401)}
    with pytest.raises(LikelyError, match="O561"):
        plots.structure_comparison(compare_structures(many, many))
    assert len(boxes(plots.structure_comparison(compare_structures(many, many), nodes=list(many)[:9]))) == 9


@pytest.mark.parametrize("draw", [plots.structure_comparison, plots.arc_strength])
def test_something_else_is_refused(draw: Any) -> None:
    with pytest.raises(LikelyError, match="O374"):
        draw(3)


def test_wide_lines_are_sure() -> None:
    together = [[0, 10, 6, 0], [10, 0, 3, 2], [6, 3, 0, 0], [0, 2, 0, 0]]
    pointing = [[0, 10, 3, 0], [0, 0, 0, 0], [0, 3, 0, 0], [0, 0, 0, 0]]
    found = strengths(together, pointing)
    figure = plots.arc_strength(found, threshold=0.5)
    drawn = {name.partition(":")[0]: line for name, line in lines(figure).items()}
    assert set(drawn) == {"a -> b", "a -> c", "c -> b"}  # b - d is in too few graphs
    assert drawn["a -> b"].get_linewidth() > drawn["a -> c"].get_linewidth() > drawn["c -> b"].get_linewidth()
    assert drawn["a -> b"].get_linestyle() == "-" != drawn["c -> b"].get_linestyle()
    assert sorted(text.get_text() for text in figure.axes[0].texts)[:3] == ["0.30", "0.60", "1.00"]
    assert legend(figure) == ["in the consensus: 2", "below its threshold, 0.5: 1"]
    assert "10 graphs" in figure.axes[0].get_title()
    assert figure.axes[0].get_title().endswith("2 arcs")


def test_numbers_cover_no_heads_and_no_boxes() -> None:
    rng = np.random.default_rng(3)
    upper = np.triu((rng.random((8, 8)) < 0.3) * rng.integers(3, 11, (8, 8)), 1)
    figure = plots.arc_strength(strengths(upper + upper.T, upper), threshold=0.5)
    figure.draw_without_rendering()
    numbers = [text.get_window_extent() for text in figure.axes[0].texts if text.get_text().startswith(("0.", "1."))]
    assert len(numbers) == len(lines(figure)) == len(heads(figure)) > 5
    others = [one.get_window_extent() for one in [*heads(figure), *boxes(figure)]]
    assert not any(number.overlaps(other) for number in numbers for other in others)
    assert not any(one.overlaps(other) for one, other in combinations(numbers, 2))


def test_numbers_that_are_all_one_are_not_written() -> None:
    figure = plots.arc_strength(strengths([[0, 10], [10, 0]], [[0, 9], [1, 0]]))
    assert [text.get_text() for text in figure.axes[0].texts] == ["a", "b"]
    found: Any = figure.axes[0].get_legend()
    assert "all of them" in found.get_title().get_text()


def test_a_small_graph_is_in_the_middle() -> None:
    figure = plots.arc_strength(strengths([[0, 10], [10, 0]], [[0, 9], [1, 0]]))
    figure.draw_without_rendering()
    for box in boxes(figure):
        extent = box.get_window_extent()
        assert (extent.x0 + extent.x1) / 2 == pytest.approx(figure.bbox.width / 2, rel=0.02)


def test_a_pair_that_points_either_way_has_no_head() -> None:
    figure = plots.arc_strength(strengths([[0, 10], [10, 0]], [[0, 5], [5, 0]]))
    assert len(lines(figure)) == 1
    assert not heads(figure)
    assert len(heads(plots.arc_strength(strengths([[0, 10], [10, 0]], [[0, 9], [1, 0]])))) == 1


def test_no_arcs_at_all() -> None:
    figure = plots.arc_strength(strengths(np.zeros((3, 3), int), np.zeros((3, 3), int)))
    figure.draw_without_rendering()
    assert len(boxes(figure)) == 3
    assert not lines(figure)


@given(st.integers(0, 10**6), st.integers(2, 14), st.floats(0.05, 0.6))
@settings(derandomize=True, deadline=None, max_examples=15)
def test_arcs_in_circles_end_at_their_boxes(seed: int, count: int, density: float) -> None:
    rng = np.random.default_rng(seed)
    names = [f"节点 {at}" for at in range(count)]
    pairs = [pair if rng.random() < 0.5 else pair[::-1] for pair in combinations(names, 2) if rng.random() < density]
    with styled():
        figure, ax = draw_arcs(names, [Arc(*pair, LineStyle("black")) for pair in pairs], {}, "", None)
    figure.draw_without_rendering()
    rims = {str(box.get_gid()).removeprefix("tooltip: "): box for box in boxes(figure)}
    assert len(rims) == count
    assert set(lines(figure)) == {" -> ".join(pair) for pair in pairs}
    tips = [head.get_xy()[0] for head in heads(figure)]
    assert len(tips) == len(pairs)
    for (parent, child), tip in zip(pairs, tips, strict=True):
        assert touches(rims[child], tip)
        assert touches(rims[parent], lines(figure)[f"{parent} -> {child}"].get_path().vertices[0])
    extents = [box.get_window_extent() for box in rims.values()]
    assert not any(one.overlaps(other) for one, other in combinations(extents, 2))
    assert ax.get_title() == ""


def touches(box: Any, point: Any) -> bool:
    """Whether a point is on the edge of a box."""
    low = np.array([box.get_x(), box.get_y()])
    high = low + np.array([box.get_width(), box.get_height()])
    return bool((point > low - 1e-6).all() and (point < high + 1e-6).all())


def test_axes_can_be_given() -> None:
    shared = Figure(figsize=(9, 4))
    left, right = shared.subplots(1, 2)
    assert plots.structure_comparison(compare_structures(TRUTH, TRUTH), ax=right) is shared
    assert not left.patches
    shared.draw_without_rendering()
