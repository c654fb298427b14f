"""Why: the terms of one prediction as bars, for and against."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import numpy as np

from likely.plots.named_results import expect
from likely.plots.style import COLOURS, FAINT, FIGURE_WIDTH, INK, Axes, Figure, head, picture, place
from likely.plots.typeface import number, short, shorts

LABEL_LETTERS, CONDITIONAL_LABEL_LETTERS = 32, 64  # letters of a label, and of one that says what its term is given
COLUMN_NAME_LETTERS = 20  # letters of a column before its value
LABEL_LETTER_INCHES = 0.06  # inches

VALUE_LETTERS, PART_LETTERS = 14, 22  # of a value, and of the two ends of a part of a column
POWER_OF_TEN = re.compile(r"(?<![\w.])\d+(\.\d+)?e[+-]\d+")  # numbers that are written with a power of ten
SMALLEST_BAR = 1e-9  # in log odds


@picture
def explanation(explained: Any, row: int = 0, *, unit: str = "nats", top: int = 14, ax: Axes | None = None) -> Figure:
    """The reasons of one row of an Explanation: log odds of the likeliest class against the runner-up.

    The `top` strongest are shown by themselves and the rest together, so that the bars add up to the sum at the end.

    >>> import likely
    >>> model = likely.NaiveBayes().fit([["sun"], ["sun"], ["rain"]], ["out", "out", "in"])
    >>> explanation(model.explain([["sun"]])).axes[0].get_title()
    'Why out: probability 0.771'
    """
    expect(explained, "rival", "explanation(explained)", "an Explanation: model.explain(X)")
    best, second = explained.rival(row)
    # a column that says nothing, but for rounding, needs no bar
    reasons = [one for one in explained.ranked(row, unit) if not one[0] or not abs(one[1]) < SMALLEST_BAR]
    top += len(reasons) == top + 1  # one more by itself takes no more room than "1 more"
    names = shorts((explained.names[at] for at, _ in reasons[:top]), COLUMN_NAME_LETTERS)
    told = [(explained.value_at(row, at), explained.given_at(row, at)) for at, _ in reasons[:top]]
    named = [(name, *words) for name, words in zip(names, told, strict=True)]
    labels = [label(*words) for words in named]
    odds = [odds for _, odds in reasons[:top]]
    rest = [odds for _, odds in reasons[top:]]
    if rest:
        labels.append(f"{len(rest)} more")
        odds.append(_sum(rest))
    total = _sum(explained.log_odds(best, second, unit)[row])
    share = float(explained.proba[row][explained.classes.index(best)])
    room = CONDITIONAL_LABEL_LETTERS if any(given for *_, given in named) else LABEL_LETTERS
    figure, ax = place(ax, FIGURE_WIDTH + LABEL_LETTER_INCHES * (room - LABEL_LETTERS), 1.4 + 0.27 * (len(odds) + 1))
    finite = [value for value in (*odds, total) if np.isfinite(value)]
    low, high = min(finite, default=0.0), max(finite, default=0.0)
    reach = max(high, 0.0) - min(low, 0.0) or 1.0
    ends = (min(low, 0.0) - 0.26 * reach, max(high, 0.0) + 0.26 * reach)
    _bars(ax, [*odds, total], ends)
    spots = np.arange(len(odds) + 1)
    ax.set_yticks(spots, [*shorts(labels, room), "sum"])
    ax.axhline(len(odds) - 0.5, color=FAINT, linewidth=0.8)
    ax.axvline(0, color=INK, linewidth=0.8)
    ax.set(xlim=ends, ylim=(len(odds) + 0.6, -0.6))
    ax.grid(False, axis="y")
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel(f"log odds ({unit}):  ◀ for {short(second, 16)}  |  for {short(best, 16)} ▶", loc="right")
    of = "" if explained.target == "y" else f"{short(explained.target, 30)} is "
    head(ax, f"Why {of}{short(best, 30)}: probability {share:.3f}")
    return figure


def _bars(ax: Axes, odds: list[float], ends: tuple[float, float]) -> None:
    """A bar and its number each; the last is the sum. An infinite one goes to the edge."""
    for at, value in enumerate(odds):
        shown = float(np.clip(np.nan_to_num(value, nan=0.0, posinf=np.inf, neginf=-np.inf), *ends))
        last, pro = at == len(odds) - 1, value > 0
        colour = "#555555" if last else COLOURS[0] if pro else COLOURS[1]
        ax.barh(at, shown, 0.72, facecolor=colour, hatch="" if pro else "////", edgecolor="white", linewidth=0.5)
        inside = bool(np.isinf(value))
        aside = 4 if pro != inside else -4
        ax.annotate(
            "undecided"
            if np.isnan(value)
            else f"{value:+.{'2f' if not 0 < abs(value) < 0.005 else '1g'}}".replace("inf", "∞").replace("-", "−"),
            (shown, at),
            xytext=(aside, 0),
            textcoords="offset points",
            ha="left" if aside > 0 else "right",
            va="center",
            fontsize=8,
            color="white" if inside else INK,
        )


def _sum(odds: Any) -> float:
    """The sum; not a number where both classes are impossible, for reasons of their own."""
    with np.errstate(invalid="ignore"):
        return float(np.sum(odds))


def label(name: str, value: str, given: str = "") -> str:
    """What a bar says of a term: its column, what was seen there, and what it is conditional on."""
    if not value:
        return name
    with suppress(ValueError):
        value = number(float(value)) if len(value) > 7 else value.replace("-", "−") if float(value) < 0 else value
    sign = "" if value[:1] in ("≤", ">") else "= "  # a part of a column says how it lies itself
    said = f"{name} {sign}{short(_plain(value), PART_LETTERS if ' – ' in value else VALUE_LETTERS)}"
    return f"{said} given {_plain(given)}" if given else said


def _plain(words: str) -> str:
    """Numbers in full, and signs as they are written elsewhere in pictures."""
    return POWER_OF_TEN.sub(lambda found: number(float(found[0])), words).replace("<=", "≤")
