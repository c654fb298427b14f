"""Nodes and arcs on paper where each arc has a look, a number and a word of its own; circles are allowed."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.errors import OptionError, listed, nearest
from likely.errors.advice import Advice, InPython
from likely.plots.graphs.boxes import CARD_GAPS, LABEL_GAPS, Box, GraphDrawing, arrange, centred, label_spots, page
from likely.plots.graphs.node_cards import Card, legend_columns, paint
from likely.plots.picture_files import tooltip
from likely.plots.style import FAINT, FIGURE_WIDTH, INK, Axes, Figure
from likely.plots.typeface import shorts

MOST_ROUTED_NODES = 400  # nodes
DRAW_A_PART = InPython("draw a part: nodes=[...]", "leave --plot out: the table, --json and -o have all")
MOST_ARCS_WITH_LABELS = 40  # arcs: the numbers of more would hide the picture
ROUTE_NAME_LETTERS = 24  # of a name
LEGEND_LINE = 0.2  # inches of a line of the legend


@dataclass(frozen=True)
class LineStyle:
    """Colour, width in points and dashes of a line; two looks differ in dashes, for grey print."""

    colour: Any
    line: float = 1.0
    dashes: Any = "-"


@dataclass(frozen=True)
class Arc:
    """An arc on paper: what is written on it, what is read where a mouse rests, and whether it has a head."""

    parent: str
    child: str
    look: LineStyle
    label: str = ""
    full: str = ""
    headed: bool = True

    @property
    def ends(self) -> tuple[str, str]:
        """From where, to where."""
        return self.parent, self.child


def draw_arcs(
    nodes: Sequence[str], arcs: Sequence[Arc], legend: dict[str, LineStyle], words: str, ax: Axes | None
) -> tuple[Figure, Axes]:
    """Nodes as boxes in layers with these arcs, those without any below; the first arcs decide what is above what."""
    ends = {end for arc in arcs for end in arc.ends}
    linked, lone = ([node for node in nodes if (node in ends) is with_arcs] for with_arcs in (True, False))
    cards = {node: Card(name, full=node) for node, name in zip(nodes, shorts(nodes, ROUTE_NAME_LETTERS), strict=True)}
    least = max([FIGURE_WIDTH - 0.4, *(cards[node].size[0] for node in lone)])
    drawing, routes = _routed([cards[node].size for node in linked], linked, arcs, least)
    wide = drawing.wide
    columns = legend_columns([*legend], wide)
    told = textwrap.fill(words, int(wide / 0.065))
    room = 0.75 + LEGEND_LINE * -(-len(legend) // max(columns, 1)) + 0.17 * len(told.splitlines())
    figure, ax, boxes, scale = page(ax, drawing, [cards[node].size for node in lone], wide, 0.5, room, "N")
    for at in sorted(range(len(arcs)), key=lambda at: arcs[at].look.line):  # the widest over the others
        _arc(ax, arcs[at], routes[at], scale)
    for node, box in zip([*linked, *lone], boxes, strict=True):
        paint(ax, cards[node], box, scale)
    if linked and lone:
        ax.text(0, drawing.tall + 0.42, "no arc:", color=FAINT, fontsize=8 * scale, va="bottom")
    if _labelled(arcs):
        _numbers(ax, arcs, routes, drawing.boxes, scale)
    _legend(ax, legend, columns, told)
    return figure, ax


def shown_nodes(nodes: Sequence[str], wanted: Iterable[str] | None, place: str) -> list[str]:
    """The nodes to draw: those that are wanted, or all; too many are refused."""
    if isinstance(wanted, str):
        wanted = (wanted,)
    named = dict.fromkeys(nodes if wanted is None else wanted)
    for name in named:
        if name not in nodes:
            hint = f"the nodes are {listed(nodes, 12)}.{nearest(name, nodes)}"
            raise OptionError("O562", f"there is no node {name!r}", place=place, hint=hint)
    if len(named) > MOST_ROUTED_NODES:
        what = f"a picture of {len(named)} nodes could not be read: at most {MOST_ROUTED_NODES} are drawn"
        raise OptionError("O561", what, place=place, hint=Advice(DRAW_A_PART))
    return [node for node in nodes if node in named]


def _routed(
    sizes: Sequence[tuple[float, float]], nodes: Sequence[str], arcs: Sequence[Arc], least: float
) -> tuple[GraphDrawing, list[Floats]]:
    """The boxes in the middle of a page that is at least so wide, and the route of each arc from parent to child.

    Arcs of two graphs together may run in a circle: one that would close it is laid the other way round.
    """
    at = {node: place for place, node in enumerate(nodes)}
    below: dict[int, set[int]] = {place: set() for place in at.values()}
    ways = []
    for arc in arcs:
        parent, child = at[arc.parent], at[arc.child]
        ways.append((child, parent) if _leads(below, child, parent) else (parent, child))
        below[ways[-1][0]].add(ways[-1][1])
    drawing = arrange(sizes, dict.fromkeys(ways), LABEL_GAPS if _labelled(arcs) else CARD_GAPS)
    drawing = centred(drawing, max(drawing.wide, least))
    routes = [
        _trimmed(drawing.arcs[way] if way[0] == at[arc.parent] else drawing.arcs[way][::-1])
        for arc, way in zip(arcs, ways, strict=True)
    ]
    return drawing, routes


def _trimmed(points: Floats) -> Floats:
    """A route without the last curves that have no length, and so no direction."""
    while len(points) > 4 and np.allclose(points[-4:], points[-1]):
        points = points[:-3]
    return points


def _leads(below: dict[int, set[int]], start: int, end: int) -> bool:
    """Whether arrows lead from one place to another."""
    seen, waiting = {start}, [start]
    while waiting:
        new = below[waiting.pop()] - seen
        seen |= new
        waiting += new
    return end in seen


def _arc(ax: Axes, arc: Arc, points: Floats, scale: float) -> None:
    """A line, and a head of its own: the edge of a head must not be dashed."""
    from matplotlib.patches import PathPatch, Polygon
    from matplotlib.path import Path

    look, long = arc.look, (0.09 + 0.02 * arc.look.line) if arc.headed else 0.0
    along = (points[-1] - points[-2]) / np.hypot(*(points[-1] - points[-2]))
    neck, aside = points[-1] - long * along, 0.4 * long * along[::-1] * (1, -1)
    path = Path(np.vstack([points[:-1], neck]), [Path.MOVETO] + [Path.CURVE4] * (len(points) - 1))
    line: dict[str, Any] = {"edgecolor": look.colour, "linewidth": look.line * scale, "linestyle": look.dashes}
    tip = tooltip(arc.full or " -> ".join(arc.ends))
    ax.add_patch(PathPatch(path, facecolor="none", capstyle="butt", gid=tip, **line))
    if arc.headed:
        ax.add_patch(Polygon([points[-1], neck + aside, neck - aside], facecolor=look.colour, linewidth=0))


def _labelled(arcs: Sequence[Arc]) -> bool:
    """Whether labels are drawn: where there are any, and few."""
    return len(arcs) <= MOST_ARCS_WITH_LABELS and any(arc.label for arc in arcs)


def _numbers(ax: Axes, arcs: Sequence[Arc], routes: Sequence[Floats], boxes: Iterable[Box], scale: float) -> None:
    """The labels of arcs, each where it hides little, on paper of their own: wide arcs would cross their letters."""
    labels = {(at, at): arc.label for at, arc in enumerate(arcs) if arc.label}
    paper = {"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.85}
    for (at, _), spot in label_spots({(at, at): way for at, way in enumerate(routes)}, labels, boxes).items():
        letters: dict[str, Any] = {"fontsize": 7 * scale, "color": INK, "bbox": paper, "zorder": 2}
        ax.text(spot.x, spot.y, arcs[at].label, ha="center", va="center", **letters)


def _legend(ax: Axes, legend: dict[str, LineStyle], columns: int, words: str) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=look.colour, linewidth=look.line, linestyle=look.dashes, label=label)
        for label, look in legend.items()
    ]
    place: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (0, 0), "frameon": False, "alignment": "left"}
    box = ax.legend(handles=handles, ncols=max(columns, 1), title=words, title_fontsize=8, **place)
    box.get_title().set_color(FAINT)
