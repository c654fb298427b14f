"""Logistic regression beside scikit-learn's: two classes, several, a lasso; the same objective or a lower one."""

import warnings

import numpy as np
from _measure import Row, best, quick, show
from sklearn.linear_model import LogisticRegression as Peer

from likely import LogisticRegression

CASES = {  # rows, columns, classes, penalty, and how many times as fast as the peer it has to be
    "100,000 × 20": (100_000, 20, 2, "l2", 1 / 1.2),
    "1,000,000 × 10": (1_000_000, 10, 2, "l2", 1 / 1.2),
    "1,000,000 × 10, no penalty": (1_000_000, 10, 2, None, 1 / 1.2),
    "200,000 × 10, 4 classes": (200_000, 10, 4, "l2", 1 / 1.2),
    "20,000 × 60, 10 classes": (20_000, 60, 10, "l2", 1 / 1.2),
    "100,000 × 20, lasso": (100_000, 20, 2, "l1", 1 / 1.2),
}


def table(rows: int, columns: int, classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Normal columns, and classes by noisy linear scores."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, columns))
    scores = X @ (rng.normal(size=(columns, classes)) / np.sqrt(columns))
    return X, (scores + rng.gumbel(size=scores.shape)).argmax(axis=1)


def objective(model: object, X: np.ndarray, y: np.ndarray, penalty: str | None) -> float:
    """The penalised loss at the coefficients of a model."""
    scores = X @ model.coef_.T + model.intercept_
    scores = np.column_stack([np.zeros(len(X)), scores]) if scores.shape[1] == 1 else scores
    loss = float((np.logaddexp.reduce(scores, axis=1) - scores[np.arange(len(y)), y]).sum())
    size = {"l1": np.abs(model.coef_).sum(), "l2": 0.5 * (model.coef_**2).sum(), None: 0.0}[penalty]
    return loss + float(size)


def main() -> None:
    small = quick(__doc__)
    rows, notes = [], []
    for name, (count, columns, classes, penalty, demanded) in CASES.items():
        X, y = table(count // 50 if small else count, columns, classes)
        ours = LogisticRegression(penalty=penalty)
        theirs = Peer(C=np.inf) if penalty is None else Peer(max_iter=1000)
        if penalty == "l1":
            theirs = Peer(l1_ratio=1.0, solver="saga", max_iter=1000)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            calls = {"peer": lambda: theirs.fit(X, y), "likely": lambda: ours.fit(X, y)}  # noqa: B023
            times = best(calls, rounds=5, again=1)  # as often the one as the other: they are close
        rows.append(Row(name, times["likely"], times["peer"], demanded))
        above = objective(ours, X, y, penalty) - objective(theirs, X, y, penalty)
        notes.append(f"{name}: the objective is {above:+.1e} beside the peer's; {ours.n_iter_[0]} steps")
    show("LogisticRegression, fit", rows)
    print("\n".join(notes))


if __name__ == "__main__":
    main()
