"""Draw the pictures of regression and risk, each beside this file: python docs/assets/companions.py [NAME ...]

`crossing` also prints the table of docs/generative-discriminative.md; it takes about three minutes.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from matplotlib.figure import Figure
from PIL import Image
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import likely
from likely.explanations import nomogram
from likely.plots.style import COLOURS, head, new_figure, picture, place, plain_log

HERE = Path(__file__).parent
INKS = 128  # colours: enough for these pictures, and a third of the bytes
DRAWS = 100  # of the rows to learn from, for each point of a curve
PEOPLE = """first male child 5 0, second male child 11 0, third male child 13 35, first female child 1 0,
    second female child 13 0, third female child 14 17, first male adult 57 118, second male adult 14 154,
    third male adult 75 387, crew male adult 192 670, first female adult 140 4, second female adult 80 13,
    third female adult 76 89, crew female adult 20 3"""  # the Titanic: how many were saved, and how many lost


def titanic() -> tuple[pa.Table, Any]:
    """A row for each of the 2,201 people, and what became of them."""
    table = np.array([line.split() for line in PEOPLE.split(",")], dtype=object)
    often = table[:, 3:].astype(int)
    X = pa.table(list(table[:, :3].repeat(often.sum(axis=1), axis=0).T), names=["cabin", "sex", "age"])
    return X, np.concatenate([np.repeat(["saved", "lost"], n) for n in often])


def wiggle() -> tuple[Any, Any]:
    """Forty noisy points of a wave, with the powers of their place from 1 to 9."""
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(-1, 1, 40))
    return x[:, None] ** np.arange(1, 10), np.sin(3 * x) + rng.normal(0, 0.3, 40)


def tumours() -> tuple[Any, Any]:
    """Five columns of the breast cancer rows, in standard deviations: three of them are the size of the tumour."""
    cancer = load_breast_cancer(as_frame=True)
    few = cancer.data[[f"mean {name}" for name in ("radius", "perimeter", "area", "texture", "concavity")]]
    return (few - few.mean()) / few.std(), np.array(["malignant", "benign"])[cancer.target]


FIVE = (pa.table({"x": [1.0, 2.0, 3.0, 4.0, 5.0]}), np.array([2.0, 3.0, 5.0, 4.0, 6.0]))
HOURS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 1.75, 2, 2.25, 2.5, 2.75, 3, 3.25, 3.5, 4, 4.25, 4.5, 4.75, 5, 5.5]
PASSED = [*["no"] * 6, *["yes", "no"] * 4, *["yes"] * 6]


@picture
def nomograms(models: dict[str, Any], height: float, **options: Any) -> Figure:
    """The nomograms of several models in one picture, below each other, each so high."""
    figure = new_figure(6.4, height * len(models))
    for ax, (name, model) in zip(figure.subplots(len(models)), models.items(), strict=True):
        place(ax)
        chart = nomogram(model, **options)
        chart.plot(ax=ax)
        head(ax, f"{name}: points for {chart.for_!r} against {chart.against!r}")
    return figure


def scaled(strength: float) -> Callable[[], Any]:
    """Logistic regression of columns brought to one scale, which a penalty wants."""
    return lambda: make_pipeline(StandardScaler(), likely.LogisticRegression(strength=strength))


def errors(
    X: Any, y: Any, sizes: Sequence[int], makers: Sequence[Callable[[], Any]], draws: int = DRAWS, seed: int = 0
) -> Any:
    """(makers, sizes, draws): the share of mistakes on two fifths of the rows, learning from some of the others."""
    rng, found = np.random.default_rng(seed), np.empty((len(makers), len(sizes), draws))
    for draw in range(draws):
        order = rng.permutation(len(y))
        judged, rest = np.split(order, [2 * len(y) // 5])
        for at, size in enumerate(sizes):
            seen = rest[:size]
            while len(np.unique(y[seen])) < len(np.unique(y)):  # of one class alone there is nothing to learn
                seen = rng.choice(rest, size, replace=False)
            for which, make in enumerate(makers):
                found[which, at, draw] = np.mean(make().fit(X[seen], y[seen]).predict(X[judged]) != y[judged])
    return found


NAMES = ("naive Bayes", "logistic, strength 1", "logistic, strength 0.01")


def tables() -> dict[str, tuple[Any, Any, list[int], list[Callable[[], Any]]]]:
    """Rows, classes, how many rows to learn from, and the three models of NAMES."""
    cancer, wine, digits = load_breast_cancer(), load_wine(), load_digits()
    pair = np.isin(digits.target, [3, 8])
    dark = (digits.data[pair] >= 8).astype(float)
    numbers = [likely.NaiveBayes, scaled(1.0), scaled(0.01)]
    bits = [lambda: likely.NaiveBayes(kinds="binary"), likely.LogisticRegression]
    bits.append(lambda: likely.LogisticRegression(strength=0.01))
    return {
        "breast cancer": (cancer.data, cancer.target, [8, 12, 16, 24, 32, 48, 64, 128, 256, 341], numbers),
        "digits 3 and 8": (dark, digits.target[pair], [8, 12, 16, 24, 32, 48, 64, 128, 214], bits),
        "wine": (wine.data, wine.target, [8, 12, 16, 24, 32, 48, 64, 106], numbers),
    }


@picture
def crossing() -> Figure:
    """Mistakes against rows learnt from; the table of the page is printed on the way."""
    figure = new_figure(10.2, 3.6)
    for ax, (name, (X, y, sizes, makers)) in zip(figure.subplots(1, 3), tables().items(), strict=True):
        found = errors(X, y, sizes, makers)
        place(ax)
        print(f"\n| {name}: rows | {' | '.join(NAMES)} |\n|---|---|---|---|")
        for at, size in enumerate(sizes):
            ahead = (found[1:, at] - found[0, at]).std(axis=1) / np.sqrt(DRAWS)
            cells = [f"{found[0, at].mean():.3f}"]
            cells += [
                f"{mean:.3f} ± {error:.3f}" for mean, error in zip(found[1:, at].mean(axis=1), ahead, strict=True)
            ]
            print(f"| {size} | {' | '.join(cells)} |")
        for which, label in enumerate(NAMES):
            mean, spread = found[which].mean(axis=1), found[which].std(axis=1) / np.sqrt(DRAWS)
            look = {"color": COLOURS[which], "marker": "os^"[which], "markersize": 4, "capsize": 2}
            ax.errorbar(sizes, mean, 2 * spread, label=label, **look)
        ax.set_xscale("log")
        plain_log(ax.xaxis)
        ax.set(xlabel="rows learnt from", ylabel="mistakes on other rows", ylim=(0, None))
        head(ax, name)
    figure.axes[0].legend(loc="best")
    return figure


def figures() -> dict[str, Callable[[], Figure]]:
    """The pictures by name, each drawn when it is asked for."""
    X, y = FIVE
    powers, wave = wiggle()
    plane = np.random.default_rng(0).normal(size=(400, 2))
    inside = np.where((plane**2).sum(axis=1) < 1.4, "in", "out")
    people, fate = titanic()
    hours = pa.table({"hours": HOURS})
    descent: dict[str, Any] = {"method": "descent", "tol": 1e-4, "max_iter": 5000}
    return {
        "linear-line": lambda: likely.LinearRegression().fit(X, y).plot(X, y),
        "linear-descent": lambda: likely.LinearRegression(learning_rate=0.15, **descent).fit(X, y).path_.plot(),
        "logistic-descent": lambda: likely.LogisticRegression(penalty=None, **descent).fit(hours, PASSED).path_.plot(),
        "logistic-nomogram": lambda: nomograms(
            {
                "Naive Bayes": likely.NaiveBayes().fit(people, fate),
                "Logistic regression": likely.LogisticRegression(penalty=None).fit(people, fate),
            },
            height=2.6,
            for_="saved",
            against="lost",
        ),
        "risk-structural": lambda: likely.evaluation.structural_risk(
            likely.LinearRegression(penalty="l2"), powers, wave, np.geomspace(1e-6, 1e2, 17)
        ).plot(),
        "risk-diagnosis": lambda: likely.evaluation.diagnose(likely.LogisticRegression(), plane, inside).plot(),
        "crossing": crossing,
        "crossing-nomogram": lambda: nomograms(
            {
                "Naive Bayes": likely.NaiveBayes().fit(*tumours()),
                "Logistic regression": likely.LogisticRegression().fit(*tumours()),
            },
            height=4.0,
            for_="malignant",
            against="benign",
        ),
    }


if __name__ == "__main__":
    drawn = figures()
    with tempfile.TemporaryDirectory() as folder:
        for name in sys.argv[1:] or drawn:
            likely.plots.save(drawn[name](), Path(folder) / f"{name}.png")
            with Image.open(Path(folder) / f"{name}.png") as image:
                image.convert("RGB").quantize(INKS).save(HERE / f"{name}.png", optimize=True)
