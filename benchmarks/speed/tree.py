"""DecisionTree beside scikit-learn's: exact thresholds on reals, shallow and deep; stumps that share one sorting."""

import numpy as np
from _measure import Row, best, quick, show
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from likely import DecisionTree, RegressionTree
from likely.companions.trees.grower import Growth, Presorted, grow
from likely.core.block import Block
from likely.core.schema import Column, Schema

COLUMNS, STUMPS = 20, 50


def table(rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Reals of which some tell the class, and most of the rows can be told."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, COLUMNS))
    y = X[:, 0] + X[:, 1] ** 2 + X[:, 2] * X[:, 3] + rng.normal(size=rows) > 0.5
    return X, y.astype(int)


def stumps(X: np.ndarray, y: np.ndarray, weights: np.ndarray) -> None:
    columns = tuple(Column(f"x{at}", "real") for at in range(COLUMNS))
    schema = Schema(columns, Column("y", "category", levels=(0, 1)))
    block = Block(len(X), np.empty((len(X), 0), dtype=np.uint8), X, cells=y.astype(np.int32))
    presorted = Presorted.of(schema, block)
    for mine in weights:
        grow(presorted, block, Growth(max_depth=1), mine)


def peers(X: np.ndarray, y: np.ndarray, weights: np.ndarray) -> None:
    for mine in weights:
        DecisionTreeClassifier(max_depth=1).fit(X, y, sample_weight=mine)


def main() -> None:
    small = quick(__doc__)
    many, some = (20_000, 5_000) if small else (1_000_000, 100_000)
    X, y = table(many)
    x, z = table(some)
    weights = np.random.default_rng(1).random((STUMPS, some))
    amount = x[:, 0] + np.random.default_rng(2).normal(size=some)
    cases = [
        ("Gini, depth 6", 4.0, X, y, DecisionTreeClassifier(max_depth=6), DecisionTree(max_depth=6)),
        ("Gini, as deep as it goes", 1.0, x, z, DecisionTreeClassifier(), DecisionTree()),
        (
            "entropy, as deep as it goes",
            1.0,
            x,
            z,
            DecisionTreeClassifier(criterion="entropy"),
            DecisionTree(criterion="entropy"),
        ),
        ("squares, depth 8", 1.0, x, amount, DecisionTreeRegressor(max_depth=8), RegressionTree(max_depth=8)),
    ]
    rows = []
    for name, demanded, data, target, peer, ours in cases:
        times = best(
            {"peer": lambda: peer.fit(data, target), "likely": lambda: ours.fit(data, target)},  # noqa: B023
            rounds=1 if len(data) > some else 2,
        )
        rows.append(Row(f"{name}, {len(data):,} rows", times["likely"], times["peer"], demanded))
        same = np.mean(np.isclose(peer.predict(data).astype(float), ours.predict(data).astype(float)))
        print(f"{name}: {same:.3%} of the predictions are the peer's, {ours.get_n_leaves()} leaves")
    times = best({"peer": lambda: peers(x, z, weights), "likely": lambda: stumps(x, z, weights)}, rounds=1)
    rows.append(Row(f"{STUMPS} stumps, sorting and all, {some:,} rows", times["likely"], times["peer"], 25.0))
    show(f"Trees of scikit-learn and ours, {COLUMNS} columns", rows)


if __name__ == "__main__":
    main()
