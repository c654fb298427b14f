"""Fit and predict 1,000,000 × 50 doubles and a numeric target, beside scikit-learn's LinearRegression and Ridge."""

import numpy as np
from _measure import Row, best, extra_bytes, quick, show
from sklearn import linear_model

from likely import LinearRegression

COLUMNS = 50
DEMANDED = 2.0  # times as fast as LinearRegression


def table(rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Normal values and a noisy line through them."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((rows, COLUMNS))
    return X, X @ rng.standard_normal(COLUMNS) + rng.standard_normal(rows)


if __name__ == "__main__":
    X, y = table(20_000 if quick(__doc__) else 1_000_000)
    rows, gaps = [], []
    for name, peer, ours, demanded in (
        ("LinearRegression", linear_model.LinearRegression(), LinearRegression(), DEMANDED),
        ("Ridge", linear_model.Ridge(), LinearRegression(penalty="l2"), None),
    ):
        fits = best({"peer": lambda peer=peer: peer.fit(X, y), "ours": lambda ours=ours: ours.fit(X, y)})
        memory = extra_bytes(lambda ours=ours: ours.fit(X, y)) / X.nbytes
        rows.append(Row(f"fit, {name}", fits["ours"], fits["peer"], demanded, memory=memory))
        says = best({"peer": lambda peer=peer: peer.predict(X), "ours": lambda ours=ours: ours.predict(X)})
        rows.append(Row(f"predict, {name}", says["ours"], says["peer"]))
        gaps.append(f"{name}: coefficients differ by at most {np.abs(peer.coef_ - ours.coef_).max():.1e}")
    show(f"scikit-learn and LinearRegression, {len(X):,} × {COLUMNS}", rows)
    print("\n".join(gaps))
