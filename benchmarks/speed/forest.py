"""BayesForest on 100,000 × 30 bytes of 5 levels in 5 classes, beside scikit-learn's random forest of 300 trees."""

import numpy as np
from _levels import COLUMNS, ROWS, call, table
from _measure import Row, best, quick, show
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import log_loss

from likely import BayesForest

DEMANDED = {"fit": 5, "predict_proba": 3}  # times the random forest, which has as many threads as there are cores


def main() -> None:
    X, y = table(4_000 if quick(__doc__) else ROWS)
    ours, peer = BayesForest(kinds="category"), RandomForestClassifier(300, n_jobs=-1, random_state=0)
    rows = []
    for method, ratio in DEMANDED.items():
        calls = {"peer": call(peer, method, X, y), "likely": call(ours, method, X, y)}
        times = best(calls, rounds=1)
        rows.append(Row(method, times["likely"], times["peer"], ratio))
    show(f"a random forest of 300 trees and BayesForest of 32 members, {X.shape[0]:,} × {COLUMNS}", rows)
    half = len(X) // 2
    for name, model in {"random forest": peer, "BayesForest": ours}.items():
        proba = model.fit(X[:half], y[:half]).predict_proba(X[half:])
        lost = log_loss(y[half:], np.maximum(proba, 1e-15))
        print(f"{name}: error {np.mean(proba.argmax(axis=1) != y[half:]):.4f}, log loss {lost:.4f} on the other half")


if __name__ == "__main__":
    main()
