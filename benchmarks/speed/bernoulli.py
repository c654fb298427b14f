"""Fit and predict 60,000 × 784 bytes of 0 and 1 in 10 classes, beside scikit-learn's BernoulliNB."""

import numpy as np
from _measure import compare, quick
from sklearn.naive_bayes import BernoulliNB

from likely import NaiveBayes

PIXELS, CLASSES = 784, 10


def table(rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Pixels, one in five of them on, where the class says."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, CLASSES, rows)
    ink = rng.beta(0.5, 2.0, (CLASSES, PIXELS)).astype(np.float32)
    return (rng.random((rows, PIXELS), dtype=np.float32) < ink[y]).astype(np.uint8), y


if __name__ == "__main__":
    X, y = table(3_000 if quick(__doc__) else 60_000)
    ours = {"kinds='binary'": NaiveBayes(kinds="binary"), "kinds='auto'": NaiveBayes()}
    compare(X, y, BernoulliNB(), ours, {"fit": 100, "predict": 2, "predict_proba": 2}, X.nbytes, rounds=5)
