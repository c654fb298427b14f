"""What an answer hangs on: a tornado of the entries of tables that move it most."""

from __future__ import annotations

from typing import Any

from likely.plots.named_results import expect
from likely.plots.style import COLOURS, FAINT, INK, Axes, Figure, head, picture, place
from likely.plots.typeface import short, text_width

PARAMETER_LETTERS, CONDITION_LETTERS = 40, 56  # letters of the two lines of a label
SIDES = (("halved", COLOURS[1], "////"), ("doubled", COLOURS[0], ""))


@picture
def sensitivity(found: Any, *, top: int = 12, ax: Axes | None = None) -> Figure:
    """A Sensitivity as a tornado: the answer when the odds of an entry are halved and doubled, the widest first.

    The `top` entries that move the answer most are shown; of two that make up a row, whose bars are alike, one.

    >>> import likely
    >>> wet = (["rain"], {"yes": {"yes": 0.9, "no": 0.1}, "no": {"yes": 0.1, "no": 0.9}})
    >>> net = likely.Network({"rain": {"yes": 0.2, "no": 0.8}, "wet": wet})
    >>> sensitivity(net.sensitivity("rain", {"wet": "yes"})).axes[0].get_title()
    'What moves P(rain = yes), which is 0.6923'
    """
    expect(found, "parameters", "sensitivity(found)", "a Sensitivity: network.sensitivity(target, evidence)")
    entries = sorted(getattr(found, "distinct", found.parameters), key=lambda one: -abs(one.high - one.low))[:top]
    labels = [_label(one) for one in entries]
    broad = max((text_width(line, 8.5) for label in labels for line in label.split("\n")), default=1.0)
    figure, ax = place(ax, 4.2 + broad, 1.8 + 0.4 * len(entries))
    for at, one in enumerate(entries):
        _bar(ax, at, one, found.posterior)
    ax.axvline(found.posterior, color=INK, linewidth=1)
    ax.set_yticks(range(len(entries)), labels)
    ax.set_ylim(max(len(entries), 1) + (0.5 if entries else -0.4), -0.6)  # and a legend
    ax.grid(False, axis="y")
    ax.tick_params(axis="y", length=0)
    _window(ax, [found.posterior, *(end for one in entries for end in (one.low, one.high))])
    answer = f"P({short(found.target)} = {short(found.level, 16)})"
    if entries:
        ax.set_xlabel(f"{answer} when the odds of an entry are", loc="left")
        _legend(ax)
    else:
        ax.text(found.posterior, 0, "no entry of a table moves it", ha="center", color=FAINT, backgroundcolor="white")
        ax.set_xlabel(answer, loc="left")
    head(ax, f"What moves {answer}, which is {found.posterior:.4g}")
    return figure


def _label(one: Any) -> str:
    """An entry of a table on two lines: what it is of, and given what."""
    said = f"{short(one.node, 22)} = {short(one.level, 16)}: {one.value:.3g}"
    given = ", ".join(f"{short(name, 22)} = {short(level, 16)}" for name, level in one.given.items())
    return short(said, PARAMETER_LETTERS) + (f"\n{short('given ' + given, CONDITION_LETTERS)}" if given else "")


def _bar(ax: Axes, at: int, one: Any, middle: float) -> None:
    """From the answer to both sides, with a number at each end."""
    rising = one.high >= one.low
    for end, right, (_, colour, hatch) in zip((one.low, one.high), (not rising, rising), SIDES, strict=True):
        ax.barh(at, end - middle, 0.6, left=middle, facecolor=colour, hatch=hatch, edgecolor="white", linewidth=0.5)
        aside, align = (4, "left") if right else (-4, "right")
        spot: dict[str, Any] = {"textcoords": "offset points", "ha": align, "va": "center", "fontsize": 8}
        ax.annotate(_number(end), (end, at), (aside, 0), **spot)


def _number(answer: float) -> str:
    return f"{answer:.3f}" if 0.001 <= answer <= 0.999 else f"{answer:.2g}" if answer < 0.5 else f"1 − {1 - answer:.1g}"


def _window(ax: Axes, ends: list[float]) -> None:
    low, high = min(ends), max(ends)
    room = 0.22 * (high - low) or 0.1
    ax.set_xlim(low - room, high + room)


def _legend(ax: Axes) -> None:
    from matplotlib.patches import Patch

    handles = [Patch(facecolor=colour, hatch=hatch, edgecolor="white", label=label) for label, colour, hatch in SIDES]
    ax.legend(handles=handles, loc="lower right", ncols=2)
