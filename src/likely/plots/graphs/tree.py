"""A decision tree from left to right: what each node asks, which answer leads on, and the classes of the rows there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.companions.trees.rules import short_weight, thresholds
from likely.companions.trees.tree import Tree
from likely.core.numerics import Array
from likely.core.schema import NUMERIC, Schema
from likely.errors.options import whole
from likely.output.display_width import display_width
from likely.plots.graphs.boxes import box_width, shrink
from likely.plots.named_results import expect
from likely.plots.style import COLOURS, FAINT, FIGURE_WIDTH, GRID, INK, Axes, Figure, bar, bare, head, picture, place
from likely.plots.typeface import number, short, shorts

# Leaves, and nodes that are not followed further, that a picture shows at most unless it is told how deep
MOST_ENDS = 40
TREE_BOX_HEIGHT, SHARE_STRIP_HEIGHT = 0.4, 0.09  # inches: a box, and the strip of class shares at its foot
TREE_BOX_GAP, BRANCH_BEND = 0.1, 0.3  # between boxes one below the other, and for the bend of the branches
TREE_LETTER_WIDTH = 0.065  # a letter of 8 points
TREE_THRESHOLD_DIGITS, MOST_THRESHOLD_DIGITS = 4, 6  # of a threshold, and of one that is near another
MOST_BRANCHES = 16  # of a node: of more, those with the most rows are drawn
MOST_LEGEND_CLASSES = 10  # classes in the legend


@dataclass(frozen=True)
class _Laid:
    """Where nodes stand, in inches: the left edge and width of the boxes of each level, the middle of each node."""

    left: list[float]
    wide: list[float]
    middle: dict[int, float]
    size: tuple[float, float]


@picture
def tree(model: Any, *, depth: int | None = None, ax: Axes | None = None) -> Figure:
    """The tree of a DecisionTree or RegressionTree, as many levels of splits as said, or as can be read.

    A box says what is asked or, at a leaf, the likeliest class, and how many of the rows there have it; the strip at
    its foot shows the shares of the classes. A value up to a threshold goes on above, and a dashed box has more below.
    Of many branches the ones with the most rows are drawn.

    >>> import likely
    >>> model = likely.DecisionTree().fit([[1.0], [2.0], [3.0], [4.0]], list("aabb"))
    >>> tree(model).axes[0].get_title()
    "A tree of 2 leaves for 'y'"
    """
    judge = getattr(model, "model_", model)
    expect(judge, "tree", "tree(model)", "a fitted DecisionTree or RegressionTree")
    grown, schema = judge.tree, judge.schema
    unfolded = _unfolded(grown, schema.target.kind in NUMERIC)
    deepest = _depth(grown, depth, unfolded)
    shown = np.flatnonzero(unfolded & (grown.level <= deepest)).tolist()
    names = _names(grown, schema, shown)
    boxes = {node: _lines(grown, schema, node, deepest, names) for node in shown}
    labels = _labels(grown, schema, shown)
    laid = _lay(grown, shown, deepest, boxes, labels)
    scale = 1.0 if ax is None else shrink(ax, *laid.size)
    figure, ax = place(ax, max(laid.size[0] + 0.4, FIGURE_WIDTH), laid.size[1] + 1.2)
    across = max(laid.size[0], FIGURE_WIDTH - 0.4)
    bare(ax, xlim=(-0.05, across + 0.05), ylim=(laid.size[1] + 0.05, -0.05), xticks=[], yticks=[])
    ax.set(aspect="equal", anchor="W")
    for node in shown:
        if node:
            _branch(ax, laid, grown, node, labels[node], scale)
        _box(ax, laid, grown, schema, node, boxes[node], scale)
    _legend(ax, schema)
    cut = f": the first {deepest} of {grown.depth} levels of splits" if deepest < grown.depth else ""
    leaves = f"{grown.leaves} leaves" if grown.leaves != 1 else "one leaf"
    head(ax, f"A tree of {leaves} for {short(schema.target.name, 30)!r}{cut}")
    return figure


def _unfolded(grown: Tree, amounts: bool) -> Array:
    """(nodes,) bool: those that are drawn, but for their depth: of many branches the ones with the most rows."""
    out = np.ones(len(grown.level), dtype=bool)
    rows = grown.counts[:, 0] if amounts else grown.counts.sum(axis=1)
    for node in np.flatnonzero(grown.children > 0):  # every node after the one above it
        sons = grown.sons(np.array([node]))
        out[sons] = out[node]
        if len(sons) > MOST_BRANCHES:
            out[np.delete(sons, np.argsort(-rows[sons], kind="stable")[:MOST_BRANCHES])] = False
    return out


def _depth(grown: Tree, depth: int | None, unfolded: Array) -> int:
    """How many levels of splits are shown: as said, else as many as leave room to read."""
    if depth is not None:
        whole(depth, "depth", "O635", hint="say a whole number from 0 on, or None for as deep as can be read")
        return min(int(depth), grown.depth)
    at = np.bincount(grown.level[unfolded])
    leaves = np.bincount(grown.level[grown.leaf & unfolded], minlength=len(at))
    ends = at + np.cumsum(leaves) - leaves  # leaves further up, and all nodes of that level
    return max(int(np.flatnonzero(ends <= MOST_ENDS)[-1]), min(1, grown.depth))


def _names(grown: Tree, schema: Schema, shown: list[int]) -> dict[int, str]:
    """The names of the columns that are asked for, told apart."""
    asked = sorted({int(grown.column[node]) for node in shown if grown.children[node] > 0})
    return dict(zip(asked, shorts((schema.columns[at].name for at in asked), 24), strict=True))


def _lines(grown: Tree, schema: Schema, node: int, deepest: int, names: dict[int, str]) -> tuple[str, str]:
    """What a box says: the question or the answer, and the rows behind it."""
    inner = grown.children[node] > 0
    asked = names[grown.column[node]] + "?" if inner else ""
    if schema.target.kind in NUMERIC:
        weight, value, _ = grown.counts[node].tolist()
        rows = f"{short_weight(weight)} row" + ("" if weight == 1 else "s")
        first, second = asked or number(value), f"{number(value)}, {rows}" if inner else rows
    else:
        best = int(grown.evidence[node].argmax())
        weight, most = float(grown.counts[node].sum()), float(grown.counts[node, best])
        says = short(schema.classes[best], 24)
        rows = f"{short_weight(most)} of {short_weight(weight)}" if weight > 0 else "no rows"
        first, second = asked or says, f"{says}, {rows}" if inner else rows
    if inner and grown.level[node] == deepest:
        return f"… {first}", second
    branches = int(grown.children[node])
    return f"{first} ({MOST_BRANCHES} of {branches} branches)" if branches > MOST_BRANCHES else first, second


def _labels(grown: Tree, schema: Schema, shown: list[int]) -> dict[int, str]:
    """What is written on the branch that leads to each node."""
    edges, holed, out = (
        [_short(text) for text in thresholds(grown, TREE_THRESHOLD_DIGITS)],
        grown.holed(schema),
        {0: ""},
    )
    for node in shown:
        names = shorts(schema.columns[grown.column[node]].levels, 18)
        for turn, child in enumerate(grown.sons(np.array([node])).tolist()):
            hole = holed[node] and turn == grown.children[node] - 1
            out[child] = "missing" if hole else f"{'>' if turn else '≤'} {edges[node]}" if edges[node] else names[turn]
    return out


def _lay(
    grown: Tree, shown: list[int], deepest: int, boxes: dict[int, tuple[str, str]], labels: dict[int, str]
) -> _Laid:
    drawn, wide, before = set(shown), [0.0] * (deepest + 1), [0.0] * (deepest + 1)
    for node in shown:
        level = int(grown.level[node])
        wide[level] = max(
            wide[level], box_width(boxes[node][0]), 0.2 + TREE_LETTER_WIDTH * display_width(boxes[node][1])
        )
        before[level] = max(
            before[level], BRANCH_BEND + 0.1 + TREE_LETTER_WIDTH * display_width(labels[node]) if node else 0.0
        )
    left = [sum(wide[:at]) + sum(before[: at + 1]) for at in range(deepest + 1)]
    middle: dict[int, float] = {}
    low = 0.0
    for node in _from_above(grown, deepest, drawn):
        ends = grown.children[node] == 0 or grown.level[node] == deepest
        if ends:
            middle[node] = low + TREE_BOX_HEIGHT / 2
            low += TREE_BOX_HEIGHT + TREE_BOX_GAP
        else:
            sons = [son for son in grown.sons(np.array([node])).tolist() if son in drawn]
            middle[node] = (middle[sons[0]] + middle[sons[-1]]) / 2
    return _Laid(left, wide, middle, (left[-1] + wide[-1], low - TREE_BOX_GAP))


def _from_above(grown: Tree, deepest: int, drawn: set[int]) -> list[int]:
    """The nodes that are shown, each after its own children, the first children on top."""
    out, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        out.append(node)
        if grown.level[node] < deepest:
            waiting.extend(son for son in grown.sons(np.array([node])).tolist() if son in drawn)
    return out[::-1]


def _short(threshold: str) -> str:
    """A threshold as people write it, however near another one is."""
    return number(float(threshold), MOST_THRESHOLD_DIGITS) if threshold else ""


def _branch(ax: Axes, laid: _Laid, grown: Tree, node: int, label: str, scale: float) -> None:
    above, level = int(grown.parent[node]), int(grown.level[node])
    start = laid.left[level - 1] + laid.wide[level - 1]
    y, bend, end = laid.middle[node], start + BRANCH_BEND, laid.left[level]
    ax.plot(
        [start, bend, end], [laid.middle[above], y, y], color=FAINT, linewidth=0.9, solid_joinstyle="round", zorder=1
    )
    paper = {"facecolor": "white", "edgecolor": "none", "pad": 0.4}
    ax.text(bend + 0.02, y, label, fontsize=8 * scale, color=INK, ha="left", va="center_baseline", bbox=paper, zorder=2)


def _box(ax: Axes, laid: _Laid, grown: Tree, schema: Schema, node: int, lines: tuple[str, str], scale: float) -> None:
    level, leaf = int(grown.level[node]), grown.children[node] == 0
    left, wide, top = laid.left[level], laid.wide[level], laid.middle[node] - TREE_BOX_HEIGHT / 2
    empty = bool(grown.counts[node].sum() <= 0) and schema.target.kind not in NUMERIC
    edge = FAINT if empty else INK
    face = "white" if not leaf or empty else "#f3f3f3"
    _rectangle(ax, left, top, wide, TREE_BOX_HEIGHT, facecolor=face, edgecolor="none", zorder=3)
    strip = top + TREE_BOX_HEIGHT - SHARE_STRIP_HEIGHT
    if schema.target.kind in NUMERIC:
        share = _height(grown, node)
        for part, colour in ((wide, GRID), (wide * share, COLOURS[0])):
            _rectangle(ax, left, strip, part, SHARE_STRIP_HEIGHT, facecolor=colour, edgecolor="none", zorder=4)
    elif not empty:
        parts = grown.counts[node] / grown.counts[node].sum() * wide
        for at, (start, part) in enumerate(zip(np.cumsum(parts) - parts, parts, strict=True)):
            if part > 0:
                _rectangle(ax, left + start, strip, part, SHARE_STRIP_HEIGHT, zorder=4, **bar(at))
    rim: dict[str, Any] = {"linewidth": 1.2 if leaf else 0.8, "linestyle": "--" if lines[0].startswith("…") else "-"}
    _rectangle(ax, left, top, wide, TREE_BOX_HEIGHT, facecolor="none", edgecolor=edge, zorder=5, **rim)
    text = TREE_BOX_HEIGHT - SHARE_STRIP_HEIGHT
    middle = left + wide / 2
    words: dict[str, Any] = {"ha": "center", "va": "center_baseline", "zorder": 6}
    ax.text(middle, top + 0.28 * text, lines[0], fontsize=8.5 * scale, color=edge, **words)
    ax.text(middle, top + 0.75 * text, lines[1], fontsize=7 * scale, color=FAINT, **words)


def _rectangle(ax: Axes, left: float, top: float, wide: float, high: float, **look: Any) -> None:
    from matplotlib.patches import Rectangle

    ax.add_patch(Rectangle((left, top), wide, high, **look))


def _height(grown: Tree, node: int) -> float:
    """Of regression, where the value stands between the least (0) and the largest (1) of all nodes."""
    values = grown.counts[:, 1]
    low, high = float(values.min()), float(values.max())
    return (float(values[node]) - low) / (high - low) if high > low else 0.5


def _legend(ax: Axes, schema: Schema) -> None:
    from matplotlib.patches import Patch

    if schema.target.kind in NUMERIC:
        ax.set_xlabel(
            "strip: the value between the least and the largest of all nodes", loc="left", color=FAINT, fontsize=8
        )
        return
    names = shorts(schema.classes[:MOST_LEGEND_CLASSES], 20)
    keys = [Patch(label=name, **bar(at)) for at, name in enumerate(names)]
    more = len(schema.classes) - MOST_LEGEND_CLASSES
    title = f"shares of {short(schema.target.name, 24)}" + (f" (and {more} more)" if more > 0 else "")
    ax.legend(
        handles=keys,
        title=title,
        title_fontsize=8.5,
        loc="upper left",
        bbox_to_anchor=(0.0, -0.01),
        ncols=min(len(keys), 5),
        alignment="left",
        borderaxespad=0.0,
    )
