"""Which column depends on which: boxes and arcs in layers; of an average, the weights of its super-parents."""

from __future__ import annotations

import textwrap
from collections import Counter

from likely.core.numerics import Floats
from likely.output.display_width import display_width
from likely.output.phrases import plural
from likely.plots.graphs.boxes import BOX_HEIGHT, Box, arrow, box_width, draw, label_spots, page
from likely.plots.named_results import expect
from likely.plots.style import FAINT, FIGURE_WIDTH, INK, Axes, Figure, bar, head, label_levels, picture, place
from likely.plots.typeface import short, shorts
from likely.structures.forest import ForestStructure
from likely.structures.structure import Structure, ranked

MOST_ARCS_WITH_NUMBERS = 40  # arcs: the numbers of more would hide the picture
MOST_SONS_WITH_NUMBERS = 12  # of one column: the numbers of more would touch
MOST_PARENT_BARS = 30
COLUMN_LETTERS, ARC_LETTERS, USUAL_LETTERS = 20, 44, 24  # of a column, of an arc of a forest, and of a usual label
TARGET_HEIGHT = BOX_HEIGHT + 0.3  # inches above the graph, where the target stands
WEAK_ARC_COLOUR, STRONG_ARC_COLOUR = (0.74, 0.82, 0.88), (0.0, 0.27, 0.45)  # arcs


@picture
def structure(found: Structure | ForestStructure, *, top: int = 60, ax: Axes | None = None) -> Figure:
    """The columns of a Structure as boxes, with an arc from each to those that depend on it.

    Wide and dark arcs carry much information, which is written on them where they are few. Of more than `top` columns
    those with the strongest arcs are shown. An average has no arcs of its own: its super-parents are shown by weight,
    and of a forest the arcs that most members have.

    >>> found = Structure(("root", "touch"), ((), ("root",)), ((), (0.21,)), target="good", kind="tree")
    >>> structure(found).axes[0].get_title()
    'A tree of 2 columns given good'
    """
    expect(found, "arcs", "structure(found)", "a Structure: model.structure_")
    if isinstance(found, ForestStructure):
        return _forest(found, ax)
    return _average(found, ax) if found.kind == "average" else _graph(found, top, ax)


def _average(found: Structure, ax: Axes | None) -> Figure:
    members = ranked(found)
    named = [(" & ".join(names) or "(none)", weight) for names, weight in members]
    title = f"Average over {len(members)} super-parents given {short(found.target)}"
    return _bars(named, title, "weight in the average", "heaviest", ax)


def _forest(found: ForestStructure, ax: Axes | None) -> Figure:
    names = dict(zip(found.columns, shorts(found.columns, COLUMN_LETTERS), strict=True))
    arcs = [
        (f"{names.get(parent, parent)} \N{RIGHTWARDS ARROW} {names.get(child, child)}", share)
        for parent, child, share in found.arcs
    ]
    title = f"What depends on what in {plural(len(found.members), 'member')} given {short(found.target)}"
    return _bars(arcs, title, "share of the members that have it", "commonest", ax)


def _bars(named: list[tuple[str, float]], title: str, axis: str, first: str, ax: Axes | None) -> Figure:
    """A bar for each name, the longest first."""
    members = named[:MOST_PARENT_BARS]
    letters = max((display_width(name) for name, _ in members), default=0)
    broad = FIGURE_WIDTH + 0.07 * max(min(letters, ARC_LETTERS) - USUAL_LETTERS, 0)
    figure, ax = place(ax, broad, 1.3 + 0.27 * len(members))
    for at, (_, weight) in enumerate(members):
        ax.barh(at, weight, 0.72, **bar(0))
        ax.annotate(f"{weight:.3g}", (weight, at), (4, 0), textcoords="offset points", va="center", fontsize=8)
    label_levels(ax, [name for name, _ in members], letters=ARC_LETTERS)
    ax.set_xlim(0, 1.15 * max((weight for _, weight in members), default=0.0) or 1.0)
    ax.set_xlabel(axis)
    head(ax, title + (f": the {first} {MOST_PARENT_BARS}" if len(named) > MOST_PARENT_BARS else ""))
    return figure


def _graph(found: Structure, top: int, ax: Axes | None) -> Figure:
    shown, target = _strongest(found, top), short(found.target, 30)
    labels = dict(zip(shown, shorts(shown, 20), strict=True))
    arcs = [arc for arc in found.arcs if arc[0] in labels and arc[1] in labels]
    linked = [name for name in shown if any(name in arc[:2] for arc in arcs)]
    lone = [name for name in shown if name not in linked]
    at = {name: place for place, name in enumerate(linked)}
    nats = {(at[parent], at[child]): told for parent, child, told in arcs}
    drawing = draw([labels[name] for name in linked], nats)
    wide = max(drawing.wide, FIGURE_WIDTH - 0.4)
    sizes = [(box_width(labels[name]), BOX_HEIGHT) for name in lone]
    figure, ax, boxes, scale = page(ax, drawing, sizes, wide, 0.5, 1.0, "W", TARGET_HEIGHT)
    most = max(nats.values(), default=0.0)
    for arc in sorted(nats, key=lambda one: nats[one]):  # the strongest over the others
        _arc(ax, drawing.arcs[arc], nats[arc] / most if most else 0.0, scale)
    for name, box in zip([*linked, *lone], boxes, strict=True):
        _box(ax, box, labels[name], scale)
    if found.kind != "network":  # there the target is a box among the others
        _words(ax, Box(box_width(target) / 2, BOX_HEIGHT / 2 - TARGET_HEIGHT, box_width(target)), target, scale)
    if linked and lone:
        ax.text(0, drawing.tall + 0.42, "no arc to another column:", color=FAINT, fontsize=8 * scale, va="bottom")
    known = "the other parents are" if found.kind == "network" else f"{target} is"
    told = f"what both ends tell about each other once {known} known"
    sons = max(Counter(parent for parent, _ in nats).values(), default=0)
    if len(nats) > MOST_ARCS_WITH_NUMBERS or sons > MOST_SONS_WITH_NUMBERS:
        words = (
            f"dark and wide: much of {told}, {short_information(min(nats.values()))} to {short_information(most)} nats"
        )
    else:
        words = f"numbers: {told}, in nats" if nats else "no arcs"
        for arc, spot in label_spots(
            drawing.arcs, {arc: short_information(told) for arc, told in nats.items()}, drawing.boxes
        ).items():
            _number(ax, spot, short_information(nats[arc]), scale)
    head(ax, _title(found, target, len(shown)))
    ax.set_xlabel(textwrap.fill(words, int(wide / 0.065)), loc="left", color=FAINT, fontsize=8)
    return figure


def _strongest(found: Structure, top: int) -> list[str]:
    """The columns to show: all, or those of the strongest arcs."""
    strength = dict.fromkeys(found.columns, 0.0)
    for parent, child, nats in found.arcs:
        strength[parent], strength[child] = max(strength[parent], nats), max(strength[child], nats)
    kept = set(sorted(found.columns, key=lambda name: -strength[name])[:top])
    return [name for name in found.columns if name in kept]


def _title(found: Structure, target: str, shown: int) -> str:
    many = f"{len(found.columns)} column" + ("s" if len(found.columns) != 1 else "")
    most = max(map(len, found.parents), default=0)
    if found.kind == "network":
        what = f"A network of {len(found.columns)} nodes around {target}"
    elif not found.arcs:
        what = f"{many} given {target} alone"
    elif found.kind == "super-parent":
        what = f"{many} given {target} and {short(found.arcs[0][0])}"
    elif found.kind == "k-dependence":
        what = f"{many} given {target} and up to {most} other" + ("s" if most != 1 else "")
    else:
        trees = len({parent for parent, *_ in found.arcs} & set(found.roots))
        what = f"A tree of {many} given {target}" if trees == 1 else f"{trees} trees among {many} given {target}"
    return what if shown == len(found.columns) else f"{what}: the {shown} with the strongest arcs"


def short_information(nats: float) -> str:
    """Information in few letters.

    >>> short_information(0.2149), short_information(0.0042), short_information(0.000017), short_information(0.0)
    ('0.21', '0.004', '2e-05', '0')
    """
    return f"{nats:.2f}" if nats >= 0.01 else f"{nats:.1g}"


def _arc(ax: Axes, points: Floats, share: float, scale: float) -> None:
    line, ends = (0.8 + 2.4 * share) * scale, zip(WEAK_ARC_COLOUR, STRONG_ARC_COLOUR, strict=True)
    colour = tuple(weak + share * (strong - weak) for weak, strong in ends)
    arrow(ax, points, "-|>", 8 + 2 * line, color=colour, linewidth=line)


def _box(ax: Axes, box: Box, name: str, scale: float, edge: str = INK, face: str = "white") -> None:
    from matplotlib.patches import FancyBboxPatch

    corner = (box.x - box.wide / 2, box.y - BOX_HEIGHT / 2)
    style = "round,pad=0,rounding_size=0.08"
    ax.add_patch(
        FancyBboxPatch(corner, box.wide, BOX_HEIGHT, style, facecolor=face, edgecolor=edge, linewidth=0.9, zorder=3)
    )
    ax.text(box.x, box.y, name, ha="center", va="center_baseline", fontsize=9 * scale, color=INK, zorder=4)


def _words(ax: Axes, box: Box, target: str, scale: float) -> None:
    """The target, faint, on which all depend: an arc to each box would hide the others."""
    _box(ax, box, target, scale, FAINT, "#eeeeee")
    words = "every column depends on it too"
    ax.text(box.x + box.wide / 2 + 0.1, box.y, words, va="center", fontsize=8 * scale, color=FAINT)


def _number(ax: Axes, spot: Box, text: str, scale: float) -> None:
    paper = {"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.85}
    ax.text(spot.x, spot.y, text, ha="center", va="center", fontsize=7 * scale, color=INK, bbox=paper, zorder=2)
