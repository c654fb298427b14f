"""Draw the pictures of the pages of trees and boosting, each beside this file: python docs/assets/trees.py [NAME ...]

`boosting-noise` learns eighty models and takes some minutes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from matplotlib.figure import Figure
from sklearn.datasets import load_breast_cancer

import likely
from likely.plots.style import COLOURS, DASHES, INK, head, new_figure, picture, place, plain_log

MELONS = """green curled dull clear hollow hard .697 .460 yes | black curled deep clear hollow hard .774 .376 yes
    | black curled dull clear hollow hard .634 .264 yes | green curled deep clear hollow hard .608 .318 yes
    | pale curled dull clear hollow hard .556 .215 yes | green bent dull clear dented soft .403 .237 yes
    | black bent dull hazy dented soft .481 .149 yes | black bent dull clear dented hard .437 .211 yes
    | black bent deep hazy dented hard .666 .091 no | green stiff crisp clear flat soft .243 .267 no
    | pale stiff crisp blurred flat hard .245 .057 no | pale curled dull blurred flat soft .343 .099 no
    | green bent dull hazy hollow hard .639 .161 no | pale bent deep hazy hollow hard .657 .198 no
    | black bent dull clear dented soft .360 .370 no | pale curled dull blurred flat hard .593 .042 no
    | green curled deep hazy dented hard .719 .103 no"""
NAMES = ["color", "root", "sound", "texture", "navel", "touch", "density", "sugar", "good"]
STEPS = [5.56, 5.70, 5.91, 6.40, 6.80, 7.05, 8.90, 8.70, 9.00, 9.05]
SIGNS = np.array([1, 1, 1, -1, -1, -1, 1, 1, 1, -1])
HALVES, ROUNDS, FLIPPED = 20, 200, 0.2


def melons() -> pa.Table:
    """Seventeen melons, and whether they are good."""
    columns = zip(*(row.split() for row in MELONS.split("|")), strict=True)
    made = [list(map(float, column)) if column[0][0] == "." else list(column) for column in columns]
    return pa.table(made, names=NAMES)


@picture
def steps() -> Figure:
    """Ten amounts, and the trees of one, two and three levels through them."""
    figure, ax = place(None, height=3.2)
    x, fine = np.arange(1.0, 11.0)[:, None], np.linspace(0.5, 10.5, 1001)[:, None]
    ax.plot(x[:, 0], STEPS, "o", color=INK, markersize=4.5, label="rows")
    for at, depth in enumerate((1, 2, 3)):
        said = likely.RegressionTree(max_depth=depth).fit(x, STEPS).predict(fine)
        ax.plot(fine[:, 0], said, color=COLOURS[at], linestyle=DASHES[at], label=f"max_depth={depth}")
    ax.set(xlabel="x", ylabel="y")
    ax.legend(loc="upper left")
    head(ax, "Regression trees are steps")
    return figure


@picture
def ten() -> Figure:
    """Ten points in three rounds: as large as they weigh, on the sides of each round's stump; then all votes."""
    x, figure = np.arange(10.0)[:, None], new_figure(7.2, 4.2)
    model = likely.AdaBoost(n_estimators=3).fit(x, SIGNS)
    weights = np.full(10, 0.1)
    panels = figure.subplots(4, 1, sharex=True)
    for at, (ax, stump, alpha) in enumerate(zip(panels, model.estimators_, model.estimator_weights_, strict=False)):
        said = stump.predict(x)
        words = f"round {at + 1}: error {model.estimator_errors_[at]:.4f}, weight {alpha:.4f}"
        _points(ax, said, said == SIGNS, 1500 * weights, words)
        ax.axvline(float(stump.tree_.threshold[0]), color=INK, linewidth=1)
        weights = weights * np.exp(-alpha * SIGNS * said)
        weights /= weights.sum()
    panels[-1].bar(x[:, 0], model.decision_function(x), color=[COLOURS[int(sign < 0)] for sign in SIGNS], width=0.6)
    panels[-1].axhline(0, color=INK, linewidth=0.8)
    panels[-1].set(xlabel="x", xticks=range(10), ylabel="F")
    head(panels[-1], "the weighted votes of all three: above 0 is +, and no point is wrong")
    return figure


def _points(ax: Any, said: Any, right: Any, sizes: Any, words: str) -> None:
    """The points of a round; what it gets wrong has a ring, what it says is the shade behind."""
    place(ax)
    for at, sign in enumerate(SIGNS):
        ax.axvspan(at - 0.5, at + 0.5, color=COLOURS[int(said[at] < 0)], alpha=0.13, linewidth=0)
        ring = "none" if right[at] else INK
        marker, colour = ("P", COLOURS[0]) if sign > 0 else ("s", COLOURS[1])
        ax.scatter(at, 0, s=sizes[at], marker=marker, color=colour, edgecolors=ring, linewidths=1.2)
    ax.set(ylim=(-1, 1), yticks=[])
    ax.grid(False)
    head(ax, words)


def courses(noise: float) -> dict[str, Any]:
    """(halves, rounds) of each: mistakes on one half of the rows after each round on the other, some labels turned."""
    X, y = load_breast_cancer(return_X_y=True)
    makers: dict[str, Callable[[], Any]] = {
        "AdaBoost, stumps": lambda: likely.AdaBoost(n_estimators=ROUNDS),
        "Bagging, whole trees": lambda: likely.Bagging(n_estimators=ROUNDS, random_state=0),
    }
    found: dict[str, list[Any]] = {name: [] for name in makers}
    for seed in range(HALVES):
        rng = np.random.default_rng(seed)
        learnt, asked = np.array_split(rng.permutation(len(y)), 2)
        labels = np.where(rng.random(len(learnt)) < noise, 1 - y[learnt], y[learnt])
        for name, make in makers.items():
            errors = 1 - np.array(list(make().fit(X[learnt], labels).staged_score(X[asked], y[asked])))
            found[name].append(np.pad(errors, (0, ROUNDS - len(errors)), mode="edge"))
    return {name: np.array(errors) for name, errors in found.items()}


@picture
def noise() -> Figure:
    """Boosting and bagging as the rounds grow, with the labels as they are and with some of them turned round."""
    figure = new_figure(8.2, 3.4)
    for ax, flipped in zip(figure.subplots(1, 2, sharey=True), (0.0, FLIPPED), strict=True):
        place(ax)
        for at, (name, errors) in enumerate(courses(flipped).items()):
            mean, spread = errors.mean(axis=0), errors.std(axis=0, ddof=1) / np.sqrt(HALVES)
            rounds = np.arange(1, ROUNDS + 1)
            ax.plot(rounds, mean, color=COLOURS[at], linestyle=DASHES[at], label=name)
            ax.fill_between(rounds, mean - 2 * spread, mean + 2 * spread, color=COLOURS[at], alpha=0.18, linewidth=0)
            shown = ", ".join(f"{rounds[k]}: {mean[k]:.3f} ± {spread[k]:.3f}" for k in (0, 9, 19, 49, 99, ROUNDS - 1))
            print(f"{flipped:.0%} turned, {name}: {shown}", flush=True)
        ax.set_xscale("log")
        plain_log(ax.xaxis)
        ax.set(xlabel="rounds", ylim=(0, 0.3))
        head(ax, f"{flipped:.0%} of the labels turned round" if flipped else "labels as they are")
    figure.axes[0].set_ylabel("mistakes on other rows")
    figure.axes[0].legend(loc="upper right")
    return figure


def figures() -> dict[str, Callable[[], Figure]]:
    """The pictures by name, each drawn when it is asked for."""
    return {
        "trees-melons": lambda: likely.fit(melons(), "good", likely.DecisionTree(criterion="entropy")).plot(),
        "trees-steps": steps,
        "boosting-ten": ten,
        "boosting-noise": noise,
    }


if __name__ == "__main__":
    drawn = figures()
    for name in sys.argv[1:] or drawn:
        likely.plots.save(drawn[name](), Path(__file__).with_name(f"{name}.png"))
