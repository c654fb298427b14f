"""Fit and predict 1,000,000 × 50 doubles in 10 classes, beside scikit-learn's quadratic and linear discriminants."""

import numpy as np
from _levels import call
from _measure import Row, best, extra_bytes, quick, show
from gaussian import table
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

from likely import GaussianBayes

PEERS = {  # peer, how many times as fast each method has to be, and ours
    "quadratic": (QuadraticDiscriminantAnalysis(), {"fit": 6, "predict_proba": 2.5, "predict": 2.5}, "full"),
    "linear, svd": (LinearDiscriminantAnalysis(), {"fit": 10, "predict_proba": 1, "predict": 1}, "shared"),
    "linear, lsqr": (
        LinearDiscriminantAnalysis(solver="lsqr"),
        {"fit": 3, "predict_proba": 1, "predict": 1},
        "shared",
    ),
}


def main() -> None:
    X, y = table(20_000 if quick(__doc__) else 1_000_000)
    rows, apart = [], {}
    for name, (peer, demanded, covariance) in PEERS.items():
        ours = GaussianBayes(covariance)
        for method, ratio in demanded.items():
            calls = {"peer": call(peer, method, X, y), "likely": call(ours, method, X, y)}
            times = best(calls)
            memory = extra_bytes(calls["likely"]) / X.nbytes
            rows.append(Row(f"{name}, {method}", times["likely"], times["peer"], ratio, memory=memory))
        apart[name] = np.abs(ours.predict_proba(X[:1000]) - peer.predict_proba(X[:1000])).max()
    show(f"Discriminant analysis and GaussianBayes, {X.shape[0]:,} × {X.shape[1]}", rows)
    for name, distance in apart.items():
        print(f"{name}: probabilities at most {distance:.1e} apart")


if __name__ == "__main__":
    main()
