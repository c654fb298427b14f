"""The drawn tree: boxes, branches and shares, cut where it is too deep to read."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from sklearn.tree import DecisionTreeClassifier

import likely
from likely.companions.trees.tree import Tree
from likely.core.schema import Column, Schema
from likely.errors import LikelyError
from likely.plots.graphs.tree import tree as draw


def full(depth: int, classes: int = 2) -> Any:
    """A tree with two branches at every node."""
    nodes, inner = 2 ** (depth + 1) - 1, 2**depth - 1
    at = np.arange(nodes)
    split = at < inner
    grown = Tree(
        np.where(split, at % 2, -1).astype(np.int32),
        np.where(split, at / 7, np.nan),
        np.where(split, 2 * at + 1, -1).astype(np.int32),
        np.where(split, 2, 0).astype(np.int32),
        np.random.default_rng(0).integers(1, 9, (nodes, classes)).astype(float),
        np.where(split, 0.1, np.nan),
        np.full(nodes, 0.5),
    )
    columns = (Column("x", "real"), Column("y", "real"))
    return SimpleNamespace(tree=grown, schema=Schema(columns, Column("z", "category", tuple(range(classes)))))


def texts(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


def test_every_node_and_branch_is_named() -> None:
    nan = np.nan
    grown = Tree(
        np.array([0, -1, -1, -1], dtype=np.int32),
        np.full(4, nan),
        np.array([1, -1, -1, -1], dtype=np.int32),
        np.array([3, 0, 0, 0], dtype=np.int32),
        np.array([[9.0, 8.0], [2.0, 7.0], [0.0, 0.0], [7.0, 1.0]]),
        np.array([0.38, nan, nan, nan]),
        np.array([1.0, 0.5, 0.0, 0.5]),
    )
    column = Column("纹理", "category", ("清晰", "模糊", "稍糊"))
    schema = Schema((column,), Column("好瓜", "category", ("否", "是")))
    figure = draw(SimpleNamespace(tree=grown, schema=schema))
    told = texts(figure)
    assert {"纹理?", "否, 9 of 17", "清晰", "是", "7 of 9", "模糊", "no rows", "稍糊"} <= set(told)
    assert figure.axes[0].get_title() == "A tree of 3 leaves for '好瓜'"
    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == ["否", "是"]
    figure.draw_without_rendering()


def test_boxes_do_not_overlap_and_shares_fill_them() -> None:
    model = full(5)
    figure = draw(model)
    boxes = [one.get_bbox() for one in figure.axes[0].patches if isinstance(one, Rectangle) and one.get_height() > 0.2]
    frames = {tuple(np.round(box.extents, 6)) for box in boxes}
    assert len(frames) == model.tree.nodes
    ordered = sorted(frames)
    for at, (left, top, right, bottom) in enumerate(ordered):
        for other in ordered[at + 1 :]:
            assert other[0] >= right or left >= other[2] or other[1] >= bottom or top >= other[3]
    strips = [one for one in figure.axes[0].patches if isinstance(one, Rectangle) and one.get_height() < 0.2]
    assert sum(one.get_width() for one in strips) == pytest.approx(sum(right - left for left, _, right, _ in frames))


def test_a_deep_tree_is_cut_where_it_can_be_read() -> None:
    figure = draw(full(8))
    assert figure.axes[0].get_title() == "A tree of 256 leaves for 'z': the first 5 of 8 levels of splits"
    assert sum(text.startswith("… ") for text in texts(figure)) == 32
    shallow = draw(full(8), depth=1)
    assert sum(text.startswith("… ") for text in texts(shallow)) == 2


def test_a_lone_leaf_and_many_classes() -> None:
    figure = draw(full(0, 14))
    assert figure.axes[0].get_title() == "A tree of one leaf for 'z'"
    assert figure.axes[0].get_legend().get_title().get_text() == "shares of z (and 4 more)"
    figure.draw_without_rendering()


def test_amounts_show_where_their_value_stands() -> None:
    model = full(2, 3)
    model.schema = Schema(model.schema.columns, Column("price", "real", ("all rows",)))
    figure = draw(model)
    assert figure.axes[0].get_legend() is None
    assert "strip" in figure.axes[0].get_xlabel()
    weight, value, _ = model.tree.counts[0]
    assert f"{value:g}, {weight:g} rows" in texts(figure)
    figure.draw_without_rendering()


def test_axes_of_the_user_are_used() -> None:
    ax = Figure().add_subplot()
    assert draw(full(3), ax=ax) is ax.get_figure()


@pytest.mark.parametrize("depth", [-1, 1.5, "all", True])
def test_the_depth_is_checked(depth: Any) -> None:
    with pytest.raises(LikelyError, match="O635"):
        draw(full(2), depth=depth)


def test_what_is_no_tree_is_refused() -> None:
    with pytest.raises(LikelyError, match="O374"):
        draw(DecisionTreeClassifier())


def test_hundreds_of_branches_are_folded() -> None:
    """Those with the most rows are drawn, and the box says of how many."""
    rng = np.random.default_rng(0)
    towns = np.where(rng.random(900) < 0.5, "capital", rng.integers(0, 200, 900).astype(str))
    y = np.where((towns == "capital") ^ (rng.random(900) < 0.2), "yes", "no")
    model = likely.DecisionTree(max_depth=1).fit(towns[:, None], y)
    assert model.get_n_leaves() > 150
    figure = model.plot()
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert any(" of " in text and "branches" in text for text in texts)
    assert sum("capital" in text for text in texts) == 1
    assert figure.get_size_inches()[1] < 15
