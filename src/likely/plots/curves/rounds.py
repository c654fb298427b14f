"""Boosting and bagging as the rounds grow: errors on rows learnt, on rows held out, and what bounds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.errors import OptionError
from likely.plots.named_results import expect, model_names
from likely.plots.style import COLOURS, DASHES, FAINT, Axes, Figure, below, head, picture, place
from likely.plots.typeface import shorts

# Name of the column, what the legend says, dashes: the same kind of error has the same dashes in every model.
ERROR_LINES = (
    ("held_out", "rows held out", DASHES[0]),
    ("out_of_bag", "rows out of the bag", DASHES[1]),
    ("training", "rows learnt from", DASHES[2]),
)
NOTE_WIDTH = 90  # letters in a line below the picture


@picture
def rounds(models: Any, X: Any = None, y: Any = None, *, ax: Axes | None = None) -> Figure:
    """Errors of AdaBoost and Bagging after each round; with rows X and their classes y, on those rows too.

    `models` is a fitted model, a `rounds_` table, or several of either by name or in a list. Where one model is drawn
    alone, the error of each round's own learner stands beside, and the bound of boosting where it is below 1.

    >>> import numpy as np
    >>> from likely.companions.ensembles.rounds import Rounds
    >>> figure = rounds(Rounds("AdaBoost", "2 rounds", training=np.array([0.2, 0.1]), bound=np.array([0.8, 0.6])))
    >>> figure.axes[0].get_ylabel()
    'error (share of rows)'
    """
    found = _named(models)
    figure, ax = place(ax, height=4.4)
    for at, (name, model) in enumerate(found):
        drawn = _errors(model, X, y)
        for key, said, dashes in ERROR_LINES:
            if key in drawn:
                label = said if len(found) == 1 else f"{name}: {said}"
                _line(ax, drawn[key], label, color=COLOURS[at % len(COLOURS)], linestyle=dashes)
        if len(found) == 1:
            _beside(ax, drawn)
    _frame(ax)
    head(ax, f"{_title(found)} as the rounds grow")
    ax.legend(loc="upper right")
    words = [_table(model).words if len(found) == 1 else f"{name}: {_table(model).words}" for name, model in found]
    below(ax, "\n".join(words), NOTE_WIDTH)  # why there are no more rounds
    return figure


def _beside(ax: Axes, drawn: Mapping[str, Floats]) -> None:
    """What is known of boosting beyond the errors of the rounds so far."""
    if "error" in drawn:
        _line(ax, drawn["error"], "each round's learner, as weighted", color=FAINT, linestyle="-", linewidth=0.8)
    bound = np.where(drawn.get("bound", np.ones(1)) < 1, drawn.get("bound", np.ones(1)), np.nan)
    if np.isfinite(bound).any():
        _line(ax, bound, "bound on rows learnt from", color=COLOURS[2], linestyle=DASHES[3], linewidth=1.2)


def _line(ax: Axes, values: Floats, label: str, **look: Any) -> None:
    """A line over the rounds; where there is one only, a point."""
    marker = "o" if len(values) == 1 else None
    ax.plot(np.arange(1, len(values) + 1), values, label=label, marker=marker, **look)


def _frame(ax: Axes) -> None:
    from matplotlib.ticker import MaxNLocator

    highest = [np.nanmax(np.asarray(line.get_ydata(), dtype=float), initial=0.0) for line in ax.get_lines()]
    ax.set_ylim(0, max(1.45 * max(highest, default=0.0), 0.05))  # room for the legend
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    ax.set_yticks([tick for tick in ax.get_yticks() if tick <= 1])
    ax.set(xlabel="rounds", ylabel="error (share of rows)")


def _named(given: Any) -> list[tuple[str, Any]]:
    """(name, model or table) of what is to be drawn."""
    several = isinstance(given, Mapping | Sequence) and not isinstance(given, str)
    things = list(given.values()) if isinstance(given, Mapping) else list(given) if several else [given]
    for thing in things:
        if not hasattr(thing, "training"):
            expect(thing, "rounds_", "rounds(models)", "a fitted AdaBoost or Bagging, its rounds_, or several of them")
    if not things:
        raise OptionError("O648", "there is no model to draw", place="rounds(models)", hint="give at least one")
    names = list(map(str, given)) if isinstance(given, Mapping) else _names(things)
    return list(zip(shorts(names, 36), things, strict=True))


def _names(things: Sequence[Any]) -> list[str]:
    """What each is, where that tells them apart, else by what they were made with, or by number."""
    names = [_table(thing).name for thing in things]
    if len(set(names)) == len(names):
        return names
    if any(hasattr(thing, "training") for thing in things):
        return [f"{name} {at}" for at, name in enumerate(names, start=1)]
    return model_names(things)


def _table(model: Any) -> Any:
    return model if hasattr(model, "training") else model.rounds_


def _errors(model: Any, X: Any, y: Any) -> dict[str, Floats]:
    """(rounds,) of each error that is known, by name."""
    known = dict(_table(model).columns)
    if X is None and y is None:
        return known
    if X is None or y is None or not hasattr(model, "staged_score"):
        what, hint = "rows held out need classes, and a model", "give X and y, and models rather than their rounds_"
        raise OptionError("O649", what, place="rounds(models, X, y)", hint=hint)
    return {"held_out": 1.0 - np.array(list(model.staged_score(X, y))), **known}


def _title(found: list[tuple[str, Any]]) -> str:
    kinds = dict.fromkeys(_table(model).name for _, model in found)
    return " and ".join(kinds)
