"""Fit and predict 1,000,000 × 50 doubles in 10 classes, beside scikit-learn's GaussianNB."""

import numpy as np
from _measure import compare, quick
from sklearn.naive_bayes import GaussianNB

from likely import NaiveBayes

COLUMNS, CLASSES = 50, 10


def table(rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Normal values whose mean depends on the class."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, CLASSES, rows)
    X = rng.standard_normal((rows, COLUMNS))
    X += rng.normal(scale=0.3, size=(CLASSES, COLUMNS))[y]
    return X, y


if __name__ == "__main__":
    X, y = table(20_000 if quick(__doc__) else 1_000_000)
    ours = {
        "kinds='real'": NaiveBayes(kinds="real"),
        "kinds='auto'": NaiveBayes(),
        "kinds='real', estimate='mle'": NaiveBayes(kinds="real", estimate="mle"),
    }
    compare(X, y, GaussianNB(), ours, {"fit": 15, "predict": 15, "predict_proba": 15}, X.nbytes)
