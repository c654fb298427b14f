"""A node of a network on paper, in inches: its name, a bar a level, and how what is known of it is marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.plots.graphs.boxes import BOX_HEIGHT, Box
from likely.plots.picture_files import tooltip
from likely.plots.style import COLOURS, FAINT, INK, Axes
from likely.plots.typeface import short, shorts, text_width

if TYPE_CHECKING:
    from matplotlib.patches import Patch

NAME_SIZE, LEVEL_SIZE = 9.0, 7.5  # points
NAME_HEIGHT, LEVEL_HEIGHT, CARD_PADDING = 0.24, 0.148, 0.07  # the height of a name and of a level, and the room around
LONGEST_BAR, BAR_HEIGHT = 0.52, 0.1  # of a certain level, and from its upper to its lower edge
SHORTEST_BAR = 0.016  # of a level that is hardly possible: less is not seen
LEGEND_ENTRY = 0.7  # of an entry of the legend beside its words
BAR_TRACK = "#ececec"  # what a bar could fill
MOST_LEVEL_BARS = 6  # bars of a node, unless one more is all
LEVEL_LETTERS = 24  # of a level


@dataclass(frozen=True)
class CardStyle:
    """Colours of the edge, the name's band and the bars; the edge is wide or dashed, for grey print."""

    edge: str = FAINT
    band: str = "#e8eff5"
    bar: str = COLOURS[0]
    line: float = 0.9
    dashes: Any = "-"

    def border(self, scale: float = 1.0) -> dict[str, Any]:
        """Of a patch."""
        return {"edgecolor": self.edge, "linewidth": self.line * scale, "linestyle": self.dashes}


CARD_STYLES = {
    "": CardStyle(),
    "seen": CardStyle("#9c5c00", "#f5c26b", COLOURS[1], 1.6),
    "likelihood": CardStyle("#9c5c00", "#fdebcb", COLOURS[4], 1.6, (0, (4, 2))),
    "fixed": CardStyle("#9c5c00", "#fdebcb", COLOURS[4], 1.6, (0, (1, 1.2))),
    "target": CardStyle("#00684c", "#bfe5d8", COLOURS[2], 2.2),
}


@dataclass(frozen=True)
class LevelBar:
    """A level, its probability, and what the evidence says of it in a few letters."""

    label: str
    share: float
    told: str = ""


@dataclass(frozen=True)
class Card:
    """What is drawn of a node. `more` is about levels that are not shown; `full` is read where a mouse rests."""

    name: str
    levels: tuple[LevelBar, ...] = ()
    more: str = ""
    look: str = ""
    full: str = ""

    @property
    def told(self) -> float:
        """The room for what the evidence says."""
        return max(
            (text_width(level.told, LEVEL_SIZE) + CARD_PADDING for level in self.levels if level.told), default=0.0
        )

    @property
    def numbers(self) -> float:
        """The room for percentages, and for what the evidence says."""
        return (
            CARD_PADDING / 2
            + max((text_width(percent(level.share), LEVEL_SIZE) for level in self.levels), default=0.0)
            + self.told
        )

    @property
    def size(self) -> tuple[float, float]:
        """How wide and high its box must be."""
        name = 2 * CARD_PADDING + text_width(self.name, NAME_SIZE)
        if not self.levels:
            return name + 2 * CARD_PADDING, BOX_HEIGHT
        bars = (
            3 * CARD_PADDING
            + max(text_width(level.label, LEVEL_SIZE) for level in self.levels)
            + LONGEST_BAR
            + self.numbers
        )
        lines = len(self.levels) + bool(self.more)
        return max(
            name, bars, 2 * CARD_PADDING + text_width(self.more, LEVEL_SIZE)
        ), NAME_HEIGHT + CARD_PADDING + LEVEL_HEIGHT * lines


def paint(ax: Axes, card: Card, box: Box, scale: float) -> None:
    """Draw a card into its box, with letters and lines smaller by `scale`."""
    from matplotlib.patches import FancyBboxPatch, Rectangle

    look, corner = CARD_STYLES[card.look], (box.x - box.wide / 2, box.y - box.high / 2)
    paper = FancyBboxPatch(corner, box.wide, box.high, "round,pad=0,rounding_size=0.06", facecolor="white", zorder=3)
    paper.set(**look.border(scale))
    ax.add_patch(paper)
    band = Rectangle(corner, box.wide, NAME_HEIGHT if card.levels else box.high, facecolor=look.band, zorder=3.1)
    ax.add_patch(band)
    band.set_clip_path(paper)
    ax.text(box.x, corner[1] + band.get_height() / 2, card.name, ha="center", **_letters(NAME_SIZE * scale))
    for at, level in enumerate(card.levels):
        _level(ax, card, level, box, corner[1] + NAME_HEIGHT + CARD_PADDING / 2 + (at + 0.5) * LEVEL_HEIGHT, scale)
    if card.more:
        below = corner[1] + box.high - CARD_PADDING / 2 - LEVEL_HEIGHT / 2
        ax.text(corner[0] + CARD_PADDING, below, card.more, ha="left", **_letters(LEVEL_SIZE * scale, FAINT))
    # The edge once more, over the band; and over all something unseen that the mouse finds before letters and bars.
    rim = FancyBboxPatch(corner, box.wide, box.high, paper.get_boxstyle(), facecolor=(1, 1, 1, 0), zorder=5)
    rim.set(gid=tooltip(card.full), **look.border(scale))
    ax.add_patch(rim)


def _level(ax: Axes, card: Card, level: LevelBar, box: Box, y: float, scale: float) -> None:
    from matplotlib.patches import Rectangle

    left, right, letters = (
        box.x - box.wide / 2 + CARD_PADDING,
        box.x + box.wide / 2 - CARD_PADDING,
        _letters(LEVEL_SIZE * scale),
    )
    corner = (right - card.numbers - LONGEST_BAR, y - BAR_HEIGHT / 2)
    ax.text(left, y, level.label, ha="left", **letters)
    ax.add_patch(Rectangle(corner, LONGEST_BAR, BAR_HEIGHT, facecolor=BAR_TRACK, zorder=3.2))
    ax.add_patch(Rectangle(corner, _long(level.share), BAR_HEIGHT, facecolor=CARD_STYLES[card.look].bar, zorder=3.3))
    ax.text(right - card.told, y, percent(level.share), ha="right", **letters)
    if level.told:
        ax.text(right, y, level.told, ha="right", **_letters(LEVEL_SIZE * scale, CARD_STYLES[card.look].edge))


def _long(share: float) -> float:
    """Of a bar."""
    return 0.0 if percent(share) == "0 %" else max(LONGEST_BAR * share, SHORTEST_BAR)


def _letters(points: float, colour: str = INK) -> dict[str, Any]:
    return {"va": "center_baseline", "fontsize": points, "color": colour, "zorder": 4}


def sample(look: str, label: str) -> Patch:
    """An entry of the legend."""
    from matplotlib.patches import Patch

    return Patch(facecolor=CARD_STYLES[look].band, label=label, **CARD_STYLES[look].border())


def legend_columns(labels: Sequence[str], wide: float) -> int:
    """Entries of a legend in a line: one that is wider than the page would squeeze the picture."""
    room = wide / max((LEGEND_ENTRY + text_width(label, 9.0) for label in labels), default=wide)
    return min(len(labels), max(1, int(room)))


def percent(share: float) -> str:
    """A probability in few letters; what is possible is never 0 %, what is not certain never 100 %.

    >>> percent(0.1234), percent(1.0), percent(0.0), percent(1e-9), percent(1 - 1e-9)
    ('12.3 %', '100 %', '0 %', '<0.1 %', '>99.9 %')
    """
    if round(share, 12) in (0.0, 1.0):
        return f"{share:.0%}".replace("%", " %")
    return "<0.1 %" if share < 0.0005 else ">99.9 %" if share >= 0.9995 else f"{100 * share:.1f} %"


@dataclass(frozen=True)
class EvidenceMark:
    """How evidence of a node is marked, in words, and what it says of each level in a few letters."""

    look: str
    words: str
    told: Mapping[Any, str] = field(default_factory=dict)


def finding(levels: Sequence[Any], told: Any) -> EvidenceMark:
    """Of a node with these levels: one of them was seen, one of several, or likelihoods tell them apart.

    >>> finding(["no", "yes"], "yes")
    EvidenceMark(look='seen', words='= yes', told={})
    >>> finding(["no", "yes"], [0.25, 1]).told
    {'no': '×0.25', 'yes': '×1'}
    """
    if hasattr(told, "probabilities"):
        return EvidenceMark("fixed", "(fixed)")
    if not isinstance(told, Mapping | np.ndarray | list | tuple | set | frozenset) or _among(levels, told):
        return EvidenceMark("seen", f"= {short(told, LEVEL_LETTERS)}")
    if not isinstance(told, Mapping):
        values = list(told)
        several = len(values) != len(levels) or all(_among(levels, value) for value in values)
        told = dict.fromkeys(values, 1.0) if several else dict(zip(levels, values, strict=True))
    by_name = {str(level): float(value) for level, value in told.items()}
    return EvidenceMark(
        "likelihood", "(likelihood)", {level: f"×{by_name.get(str(level), 0.0):.3g}" for level in levels}
    )


def _among(levels: Sequence[Any], told: Any) -> bool:
    return str(told) in map(str, levels)


def card(node: str, name: str, belief: Mapping[Any, float] | None, found: EvidenceMark | None, asked: bool) -> Card:
    """The card of a node: with a bar for each of its most probable levels, or without beliefs its name alone."""
    look = found.look if found else "target" if asked else ""
    words = f"{node} {found.words}" if found else node
    if belief is None:
        return Card(f"{name} {found.words}" if found else name, look=look, full=words)
    shares = {level: min(max(float(share), 0.0), 1.0) for level, share in belief.items()}
    kept = sorted(shares, key=lambda level: -shares[level])[
        : MOST_LEVEL_BARS if len(shares) > MOST_LEVEL_BARS + 1 else len(shares)
    ]
    shown = [level for level in shares if level in kept]
    told = found.told if found else {}
    bars = tuple(
        LevelBar(label, shares[level], told.get(level, ""))
        for level, label in zip(shown, shorts(shown, LEVEL_LETTERS), strict=True)
    )
    rest = [share for level, share in shares.items() if level not in kept]
    more = f"… and {len(rest)} more: {percent(sum(rest))}" if rest else ""
    said = (f"{level}: {share:.6g}" + f" {told.get(level, '')}".rstrip() for level, share in shares.items())
    return Card(name, bars, more, look, "\n".join([words, *said]))
