"""Fit and predict 100,000 documents of 100 words out of 100,000 in 20 classes, beside scikit-learn's MultinomialNB."""

import numpy as np
from _measure import compare, quick
from scipy.sparse import csr_array
from sklearn.naive_bayes import MultinomialNB

from likely import NaiveBayes

WORDS, LENGTH, CLASSES = 100_000, 100, 20


def table(rows: int) -> tuple[csr_array, np.ndarray]:
    """Counts of different words: one from each of LENGTH equal shelves, a third of them where the class points."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, CLASSES, rows)
    shelf = WORDS // LENGTH
    book = rng.integers(0, shelf, (rows, LENGTH), dtype=np.int32)
    told = rng.random(book.shape, dtype=np.float32) < 0.3
    np.copyto(book, (book % (shelf // CLASSES) + y[:, None] * (shelf // CLASSES)).astype(np.int32), where=told)
    words = (book + np.arange(LENGTH, dtype=np.int32) * shelf).ravel()
    counts = rng.geometric(0.6, len(words)).astype(np.float64)
    return csr_array((counts, words, np.arange(rows + 1, dtype=np.int32) * LENGTH), shape=(rows, WORDS)), y


if __name__ == "__main__":
    X, y = table(3_000 if quick(__doc__) else 100_000)
    ours = {"kinds='text'": NaiveBayes(kinds="text"), "kinds='auto'": NaiveBayes()}
    size = X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
    compare(X, y, MultinomialNB(), ours, {"fit": 2, "predict": 1, "predict_proba": 1}, size, rounds=5)
