"""Trees on wide tables, 5,000 × 784: DecisionTree and Bagging beside scikit-learn's."""

import numpy as np
from _measure import Row, best, quick, show
from sklearn.ensemble import BaggingClassifier
from sklearn.tree import DecisionTreeClassifier

from likely import Bagging, DecisionTree

DEMANDED = 0.5  # times as fast as scikit-learn: no slower than half its speed
MEMBERS = 50


def strokes(rows: int, side: int) -> tuple[np.ndarray, np.ndarray]:
    """Images of a few thick strokes for each of ten classes, moved about: most pixels are 0, the others 1 or 2."""
    rng = np.random.default_rng(0)
    ends, y = rng.uniform(0.2, 0.8, (10, 4, 2)), rng.integers(0, 10, rows)
    across, up = np.meshgrid(*[np.linspace(0, 1, side)] * 2)
    images = np.zeros((rows, side, side))
    for row, (own, moved) in enumerate(zip(ends[y], rng.normal(0, 0.04, (rows, 4, 2)), strict=True)):
        for (x1, y1), (x2, y2) in zip(own + moved, np.roll(own + moved, 1, axis=0), strict=True):
            along = np.clip(
                ((across - x1) * (x2 - x1) + (up - y1) * (y2 - y1)) / ((x2 - x1) ** 2 + (y2 - y1) ** 2), 0, 1
            )
            away = np.hypot(across - x1 - along * (x2 - x1), up - y1 - along * (y2 - y1))
            images[row] = np.maximum(images[row], (away < 0.07) + (away < 0.045))
    return images.reshape(rows, -1), y


if __name__ == "__main__":
    small = quick(__doc__)
    rows, side, members = (300, 12, 3) if small else (5_000, 28, MEMBERS)
    X, y = strokes(rows, side)
    rng = np.random.default_rng(1)
    reals, grey = rng.normal(size=X.shape), rng.integers(0, 256, X.shape) * (rng.random(X.shape) < 0.2)
    table = []
    for name, data in (
        ("strokes 0, 1, 2", X),
        ("strokes, yes or no", X > 0),
        ("grey 0 to 255", grey),
        ("reals", reals),
    ):
        peer, ours = DecisionTreeClassifier(random_state=0), DecisionTree()
        calls = {"peer": lambda: peer.fit(data, y), "likely": lambda: ours.fit(data, y)}  # noqa: B023
        times = best(calls, rounds=1 if data is reals else 3, again=1)
        table.append(Row(f"one tree, {name}", times["likely"], times["peer"], DEMANDED))
    peer = BaggingClassifier(n_estimators=members, n_jobs=-1, random_state=0)
    ours = Bagging(n_estimators=members, random_state=0)
    times = best({"peer": lambda: peer.fit(X, y), "likely": lambda: ours.fit(X, y)}, rounds=1, again=1)
    table.append(Row(f"{members} trees in bags, strokes 0, 1, 2", times["likely"], times["peer"], DEMANDED))
    show(f"Trees of scikit-learn and ours, {X.shape[0]:,} × {X.shape[1]}", table)
