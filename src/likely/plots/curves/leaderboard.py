"""The models that were tried for a pool: how much each loses on rows held out, and how much it weighs."""

from __future__ import annotations

from typing import Any

from likely.plots.named_results import expect
from likely.plots.style import COLOURS, FAINT, Axes, Figure, head, label_levels, picture, place

HEIGHT_OF_A_MODEL = 0.36


@picture
def leaderboard(found: Any, *, ax: Axes | None = None) -> Figure:
    """A Leaderboard: a bar for the log loss of each model on rows held out, the best first, the pool in blue.

    >>> import likely
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = likely.BayesClassifier(candidates=["naive", "lda"]).fit(X, y)
    >>> leaderboard(model.leaderboard_).axes[0].get_xlabel()
    'log loss on rows held out (lower is better)'
    """
    expect(found, "trials", "leaderboard(found)", "a Leaderboard: model.leaderboard_")
    trials = found.trials
    figure, ax = place(ax, height=1.5 + HEIGHT_OF_A_MODEL * len(trials))
    judged = all(one.judged for one in trials)
    for at, one in enumerate(trials):
        length = one.log_loss if judged else one.weight
        ax.barh(at, length, height=0.62, color=COLOURS[0] if one.name == "pool" else FAINT)
        told = f" {one.log_loss:.3f}" if judged else ""
        weighs = "" if one.name == "pool" else f"  weight {one.weight:.2f}"
        ax.annotate(f"{told}{weighs}", (length, at), xytext=(3, 0), textcoords="offset points", va="center", fontsize=8)
    longest = max((one.log_loss if judged else one.weight for one in trials), default=1.0)
    ax.set_xlim(0, 1.35 * max(longest, 1e-9))
    label_levels(ax, [one.name for one in trials])
    ax.set_xlabel("log loss on rows held out (lower is better)" if judged else "weight in the pool")
    best = trials[0].name
    head(ax, "The pool, and the models it is made of" if best == "pool" else f"{best} alone, and the pool of all")
    return figure
