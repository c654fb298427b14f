"""Accuracy of trees over tables of ../shared/data/uci: ten folds of equal class shares, the same for all.

    python benchmarks/accuracy/trees.py

Gini trees of likely and of scikit-learn get the same matrix, in which a category is a column of 0 and 1 for each level.
The other trees get the table itself: categories branch by all their levels, and holes go down every branch in part.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from _tables import table
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from likely.estimators.companions.decision_tree import DecisionTree

WHOLE = ("balance.scale", "car", "glass", "iris", "kr.vs.kp", "lymph", "tic-tac-toe", "vehicle", "vowel", "wine")
HOLED = ("breast.cancer", "credit.a", "hepatitis", "labor", "soybean", "vote")
MODELS: dict[str, Callable[[], Any]] = {
    "scikit-learn Gini": lambda: DecisionTreeClassifier(random_state=0),
    "Gini": lambda: DecisionTree(kinds="real"),
    "Gini, levels": lambda: DecisionTree(),
    "gain ratio": lambda: DecisionTree(criterion="gain-ratio"),
    "C4.5": lambda: DecisionTree(criterion="c4.5", prune="pessimistic", min_samples_leaf=2),
    "cost complexity": lambda: DecisionTree(prune="cost-complexity", random_state=0),
}
SAME_MATRIX = ("scikit-learn Gini", "Gini")


def accuracies(model: Callable[[], Any], X: Any, y: np.ndarray) -> np.ndarray:
    """(folds,): the share of right classes in each fold."""
    pick = X.iloc if isinstance(X, pd.DataFrame) else X
    folds = StratifiedKFold(10, shuffle=True, random_state=0).split(X, y)
    return np.array(
        [np.mean(model().fit(pick[kept], y[kept]).predict(pick[asked]) == y[asked]) for kept, asked in folds]
    )


def main() -> None:
    warnings.simplefilter("ignore")  # of classes with fewer rows than folds
    print(f"{'table':14}", *(f"{name:>18}" for name in MODELS), f"{'Gini apart':>16}")
    for name in (*WHOLE, *HOLED):
        X, y = table(name)
        matrix = pd.get_dummies(X).to_numpy(dtype=float)
        told = {
            which: accuracies(model, matrix if which in SAME_MATRIX else X, y)
            for which, model in MODELS.items()
            if name in WHOLE or which not in SAME_MATRIX
        }
        cells = [f"{told[which].mean():18.3f}" if which in told else f"{'':18}" for which in MODELS]
        apart = ""
        if name in WHOLE:
            difference = told["Gini"] - told["scikit-learn Gini"]
            apart = f"{difference.mean():+.3f} ± {difference.std(ddof=1) / np.sqrt(len(difference)):.3f}"
        print(f"{name:14}", *cells, f"{apart:>16}", flush=True)


if __name__ == "__main__":
    main()
