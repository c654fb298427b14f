"""Pictures of structures show every column and arc, in Chinese too, and fit into axes that are given."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from likely.errors import LikelyError
from likely.plots.graphs.structure import structure
from likely.plots.picture_files import save
from likely.structures import Structure, k_dependence, tree


def learnt(columns: int, seed: int = 0, k: int | None = None, **options: Any) -> Structure:
    rng = np.random.default_rng(seed)
    names = [f"第{at}列 with a long name $5" if at % 3 else f"c{at}" for at in range(columns)]
    drawn = rng.random((columns, columns)) ** 4
    information, told = np.triu(drawn, 1) + np.triu(drawn, 1).T, rng.random(columns)
    if k is not None:
        return Structure.of(names, k_dependence(information, told, k)[1], information, "好瓜", "k-dependence")
    parents = tree(names, information, told, np.full(columns, 2), rows=100, classes=2, **options)
    return Structure.of(names, parents, information, "好瓜", "tree")


STAR = Structure(("a", "b", "c"), ((), ("a",), ("a",)), ((), (0.0,), (0.0,)), "y", "super-parent")
AVERAGE = Structure(
    tuple("abcdefghi"),
    ((),) * 9,
    ((),) * 9,
    "好瓜",
    "average",
    tuple(combinations("abcdefghi", 2)),
    tuple(at / 630 for at in range(36)),
)
PICTURES = {
    "A tree of 8 columns given 好瓜": learnt(8),
    "A tree of 60 columns given 好瓜": learnt(60),
    "2 trees among 5 columns given y": Structure(
        tuple("abcde"), ((), ("a",), (), ("c",), ()), ((), (0.1,), (), (0.2,), ()), "y", "tree"
    ),
    "30 columns given 好瓜 and up to 2 others": learnt(30, k=2),
    "8 columns given 好瓜 and up to 1 other": learnt(8, k=1),
    "8 columns given 好瓜 alone": learnt(8, k=0),
    "1 column given 好瓜 alone": learnt(1),
    "0 columns given 好瓜 alone": learnt(0),
    "3 columns given y and a": STAR,
    "Average over 36 super-parents given 好瓜: the heaviest 30": AVERAGE,
}


@pytest.mark.parametrize("title", PICTURES)
def test_titles_captions_and_given_axes(title: str) -> None:
    before = dict(matplotlib.rcParams)
    own = PICTURES[title].plot()
    own.draw_without_rendering()
    assert own.axes[0].get_title() == title
    assert own.axes[0].get_xlabel()
    shared = Figure(figsize=(12, 5))
    left, right = shared.subplots(1, 2)
    assert structure(PICTURES[title], ax=right) is shared
    assert not left.has_data()
    shared.draw_without_rendering()
    assert dict(matplotlib.rcParams) == before


@pytest.mark.parametrize("found", [learnt(8), learnt(30), learnt(60), learnt(30, k=2), learnt(60, k=3), STAR])
def test_every_column_has_a_box_that_holds_its_name_and_every_arc_an_arrow(found: Structure) -> None:
    figure = structure(found)
    figure.draw_without_rendering()
    ax = figure.axes[0]
    boxes = [patch.get_window_extent() for patch in ax.patches if isinstance(patch, FancyBboxPatch)]
    assert len(boxes) == len(found.columns) + 1  # and the target
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    assert sum(isinstance(patch, FancyArrowPatch) for patch in ax.patches) == len(found.arcs)
    names = [text for text in ax.texts if text.get_fontsize() == 9]
    assert len(names) == len(boxes)
    for name in names:
        inside = name.get_window_extent()
        assert any(box.x0 < inside.x0 and inside.x1 < box.x1 for box in boxes), name.get_text()
    numbers = [text for text in ax.texts if text.get_fontsize() == 7]
    assert len(numbers) == (len(found.arcs) if len(found.arcs) <= 40 else 0)


def test_the_numbers_are_the_information() -> None:
    found = learnt(8)
    texts = [text.get_text() for text in structure(found).axes[0].texts if text.get_fontsize() == 7]
    assert sorted(texts) == sorted(f"{nats:.2f}" for *_, nats in found.arcs)


def test_of_many_columns_those_with_the_strongest_arcs() -> None:
    found = learnt(300, k=2)
    ax = structure(found, top=12).axes[0]
    assert ax.get_title() == "300 columns given 好瓜 and up to 2 others: the 12 with the strongest arcs"
    assert sum(isinstance(patch, FancyBboxPatch) for patch in ax.patches) == 13
    assert any(isinstance(patch, FancyArrowPatch) for patch in ax.patches)


def test_the_bars_are_the_weights() -> None:
    bars = structure(AVERAGE).axes[0].patches
    assert [bar.get_width() for bar in bars] == sorted(AVERAGE.member_weights)[:5:-1]


def test_it_is_saved(tmp_path: Any) -> None:
    for ending in ("png", "svg", "pdf"):
        save(learnt(8).plot(), tmp_path / f"a.{ending}")
        save(learnt(8).plot(), tmp_path / f"b.{ending}")
        assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / f"b.{ending}").read_bytes()


def test_something_else_is_refused() -> None:
    with pytest.raises(LikelyError, match="O374"):
        structure("a tree")  # type: ignore[arg-type]
