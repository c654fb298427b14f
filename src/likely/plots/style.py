"""The look that all pictures share: colours, dashes and hatches that grey print and colour-blind eyes tell apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from textwrap import fill
from typing import TYPE_CHECKING, Any, ParamSpec

import numpy as np

from likely.core.cache import turn
from likely.plots.typeface import families, number, shorts

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure as Figure
else:  # matplotlib is imported when something is drawn
    Axes = Figure = Any

# Okabe and Ito's colours without yellow, which is lost on white; 7 colours and 5 dashes meet again after 35 lines.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1, 1.2)), (0, (6, 1.5, 1, 1.5)), (0, (3, 1, 1, 1, 1, 1)))
MARKERS = "osD^vPXpdh<>"
HATCHES = ("", "////", "....", "xxxx", "----", "oo", "++", "\\\\\\\\")
INK, FAINT, GRID = "#222222", "#6b6b6b", "#dddddd"
BEFORE_AFTER = ("#8a8a8a", COLOURS[0])  # what was believed is grey and dashed or striped, what is believed is blue
NOTE_LETTER, MARGIN_OF_NOTES = 0.058, 0.8  # inches: of a letter of words below, and left and right of them
TINY_DENSITY = 1e-3  # densities below that are told for many units
WIDE_APART = 999.0  # times the least: numbers that span more are on a logarithmic axis
FIGURE_WIDTH = 5.2  # inches: the text of 9 points stays readable when the picture is shrunk to a column of 3.5

_SETTINGS: dict[str, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": FAINT,
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.labelsize": 9,
    "axes.linewidth": 0.8,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 10.5,
    "axes.titlecolor": INK,
    "figure.titlesize": 12,
    "font.size": 9,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "hatch.linewidth": 0.6,
    "legend.edgecolor": GRID,
    "legend.fontsize": 8.5,
    "legend.handlelength": 2.8,
    "lines.linewidth": 1.8,
    "lines.markersize": 5,
    "text.color": INK,
    "text.parse_math": False,  # a dollar sign in a column's name is a dollar sign
    "xtick.color": FAINT,
    "xtick.labelcolor": INK,
    "xtick.labelsize": 8.5,
    "ytick.color": FAINT,
    "ytick.labelcolor": INK,
    "ytick.labelsize": 8.5,
}
P = ParamSpec("P")


@contextmanager
def styled() -> Iterator[None]:
    """Matplotlib under our settings alone; those of the user are as they were afterwards."""
    from matplotlib import style

    # they are of the whole process: two threads that changed them together would leave them changed
    with turn("matplotlib"), style.context(["default", {**_SETTINGS, "font.family": families()}]):
        yield


def picture(draw: Callable[P, Figure]) -> Callable[P, Figure]:
    """A drawing function that draws under our settings."""

    @wraps(draw)
    def drawn(*given: P.args, **options: P.kwargs) -> Figure:
        with styled():
            figure = draw(*given, **options)
            if options.get("ax") is None and any(ax.get_aspect() != "auto" for ax in figure.axes):
                # a title or a legend finds its place beside axes of a fixed shape when these have found theirs
                figure.get_layout_engine().execute(figure)  # type: ignore[union-attr]
            return figure

    return drawn


def new_figure(width: float = FIGURE_WIDTH, height: float = 4.0) -> Figure:
    """An empty figure of so many inches that belongs to no window."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def tighten(figure: Figure) -> None:
    """Hardly any room between the panels."""
    engine: Any = figure.get_layout_engine()
    engine.set(w_pad=0.02, h_pad=0.02, wspace=0.02, hspace=0.01)


def place(ax: Axes | None, width: float = FIGURE_WIDTH, height: float = 4.0) -> tuple[Figure, Axes]:
    """The axes to draw into and their figure: those given, or new ones of so many inches."""
    from matplotlib.ticker import AutoLocator, ScalarFormatter

    from likely.plots.plain_numbers import PlainNumbers, SpacedLocator

    if ax is None:
        figure = new_figure(width, height)
        ax = figure.add_subplot()
    else:
        figure = ax.get_figure(root=True)  # type: ignore[assignment]
        # These texts were made under settings of the user, whose fonts may not have our signs.
        for text in (ax.title, ax.xaxis.label, ax.yaxis.label, *ax.get_xticklabels(), *ax.get_yticklabels()):
            text.set(fontfamily=families(), parse_math=False)
    # Ticks are made late, when the settings are the user's again: they are told their look now.
    ax.tick_params(labelsize=8.5, labelfontfamily=families(), labelcolor=INK, color=FAINT)
    for axis in (ax.xaxis, ax.yaxis, *([ax.zaxis] if hasattr(ax, "zaxis") else [])):
        if type(axis.get_major_formatter()) is ScalarFormatter:  # that of a user stays
            axis.set_major_formatter(PlainNumbers())
            if type(axis.get_major_locator()) is AutoLocator:
                axis.set_major_locator(SpacedLocator())
    return figure, ax


def line(at: int) -> dict[str, Any]:
    """Colour and dashes of the line number `at`."""
    return {"color": COLOURS[at % len(COLOURS)], "linestyle": DASHES[at % len(DASHES)]}


def bar(at: int) -> dict[str, Any]:
    """Colour and hatch of the bars number `at`."""
    return {
        "facecolor": COLOURS[at % len(COLOURS)],
        "hatch": HATCHES[at % len(HATCHES)],
        "edgecolor": "white",
        "linewidth": 0.5,
    }


def marker(at: int) -> str:
    """The marker number `at`."""
    return MARKERS[at % len(MARKERS)]


def unit_square(ax: Axes) -> None:
    """Both axes from 0 to 1, equally long, with room for marks at the ends."""
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
    ax.set_xticks([0, 0.2, 0.4, 0.6, 0.8, 1])
    ax.set_yticks([0, 0.2, 0.4, 0.6, 0.8, 1])


def head(ax: Axes, text: str) -> None:
    """The title, from the left, on more lines where one is too short; `ax.get_title()` finds it."""
    from likely.plots.headings import Heading

    ax.set_title(text, loc="center", x=0.0, ha="left", wrap=True)
    ax.title.__class__ = Heading  # matplotlib made it, and moves it


def below(ax: Axes, text: str, width: int = 76) -> None:
    """Words below the axes, in small letters and in lines of so many at most."""
    figure: Any = ax.get_figure(root=True)
    alone = len(figure.axes) == 1
    room = int((figure.get_figwidth() - MARGIN_OF_NOTES) / NOTE_LETTER) if alone else width
    lines = "\n".join(fill(line, min(width, room), break_on_hyphens=False) for line in text.split("\n"))
    look: dict[str, Any] = {"textcoords": "offset points", "va": "top", "fontsize": 7.5, "color": FAINT}
    ax.annotate(lines, (0, 0), (0, -34), xycoords="axes fraction", **look)


def bare(ax: Axes, **limits: Any) -> None:
    """No frame and no grid: what is drawn has its own."""
    ax.set(**limits)
    ax.grid(False)
    ax.spines[:].set_visible(False)


def shaded_table(
    ax: Axes, shares: Any, names: tuple[Sequence[str], Sequence[str]], most: float, tilted: bool, step: int = 1
) -> None:
    """A table of shares (rows, columns), the darker the larger, with the names of both; of every so many where said."""
    ax.imshow(shares, cmap="Blues", vmin=0, vmax=most, aspect="auto")
    turned: dict[str, Any] = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"} if tilted else {}
    ax.set_yticks(range(0, len(names[0]), step), names[0][::step])
    ax.set_xticks(range(0, len(names[1]), step), names[1][::step], **turned)
    ax.tick_params(length=0)
    bare(ax)


def plain_log(axis: Axis) -> None:
    """A logarithmic axis whose ticks are plain numbers: powers of ten are set as formulas, which are not read here."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    low, high = axis.get_view_interval()
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 300 * low else (1,), numticks=8))
    axis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
    axis.set_minor_formatter(NullFormatter())


def tiny_densities(ax: Axes) -> None:
    """Say densities of large numbers, which are tiny, for so many of their units."""
    from matplotlib.ticker import FuncFormatter

    top = ax.get_ylim()[1]
    if 0 < top < TINY_DENSITY:
        units = 10.0 ** np.ceil(-np.log10(top))
        ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value * units)))
        ax.set_ylabel(f"{ax.get_ylabel()}, per {number(units)}")


def wide_apart(values: Any) -> bool:
    """Whether numbers above zero are so far apart that only a logarithmic axis shows them."""
    known = np.asarray(values, dtype=np.float64)
    known = known[np.isfinite(known)]
    return len(known) > 1 and bool(known.min() > 0 and known.max() > WIDE_APART * known.min())


def whole_numbers(axis: Axis) -> None:
    """Ticks at whole numbers."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(9, steps=[1, 2, 5, 10], integer=True))


def label_levels(ax: Axes, levels: Sequence[object], room: float = 0.0, letters: int = 24) -> None:
    """The names of levels down the axis, the first on top, with so much room for a legend below."""
    ax.set_yticks(range(len(levels)), shorts(levels, letters))
    ax.set_ylim(max(len(levels), 1) - 0.45 + room, -0.55)
    ax.grid(False, axis="y")
    ax.tick_params(axis="y", length=0)
