"""Fit and predict 1,000,000 × 50 bytes of 8 levels in 10 classes, beside scikit-learn's CategoricalNB."""

import numpy as np
from _measure import compare, quick
from sklearn.naive_bayes import CategoricalNB

from likely import NaiveBayes

COLUMNS, LEVELS, CLASSES = 50, 8, 10


def table(rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Levels at random, one in ten of them set by the class."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, CLASSES, rows)
    X = rng.integers(0, LEVELS, (rows, COLUMNS), dtype=np.uint8)
    told = rng.random(X.shape, dtype=np.float32) < 0.1
    np.copyto(X, ((y[:, None] + np.arange(COLUMNS)) % LEVELS).astype(np.uint8), where=told)
    return X, y


if __name__ == "__main__":
    X, y = table(20_000 if quick(__doc__) else 1_000_000)
    ours = {"kinds='category'": NaiveBayes(kinds="category")}
    compare(X, y, CategoricalNB(), ours, {"fit": 100, "predict_proba": 15, "predict": 0}, X.nbytes)
