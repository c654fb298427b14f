"""Draw the pictures of the page of comparisons, each beside this file: python docs/assets/comparing.py"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import (
    load_breast_cancer,
    load_iris,
    load_wine,
    make_blobs,
    make_circles,
    make_classification,
    make_hastie_10_2,
    make_moons,
)

import likely

HERE = Path(__file__).parent
MODELS = ["naive", "aode", "lda", "qda", "logistic", "tree", "forest", "RandomForestClassifier", "prior"]


def tables() -> dict[str, tuple[Any, Any]]:
    """Ten small tables: of flowers, wines and tumours, and drawn ones of various shapes."""
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(300, 4))
    found = {
        "iris": load_iris(return_X_y=True),
        "wine": load_wine(return_X_y=True),
        "cancer": load_breast_cancer(return_X_y=True),
        "moons": make_moons(300, noise=0.3, random_state=0),
        "circles": make_circles(300, noise=0.2, factor=0.5, random_state=0),
        "blobs": make_blobs(300, centers=4, cluster_std=2.5, random_state=0)[:2],
        "chessboard": (noise, (noise[:, 0] > 0) ^ (noise[:, 1] > 0)),
        "sphere": make_hastie_10_2(400, random_state=0),
        "few": make_classification(120, 10, n_informative=4, random_state=1),
        "many": make_classification(400, 30, n_informative=6, n_classes=3, random_state=2),
    }
    return {name: (X, y) for name, (X, y) in found.items()}


def main() -> None:
    found = likely.compare(tables(), models=MODELS, folds=5, score="brier")
    print(found)
    likely.plots.save(found.plot(), HERE / "comparing-ranks.png")
    cancer = dict(zip(found.tables, found.comparisons, strict=True))["cancer"]
    likely.plots.save(cancer.plot(), HERE / "comparing-cancer.png")


if __name__ == "__main__":
    main()
