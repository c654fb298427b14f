"""AdaBoost of 50 stumps and Bagging of 20 trees on 100,000 × 20 doubles, beside scikit-learn's."""

import numpy as np
from _measure import Row, best, quick, show
from sklearn.datasets import make_classification
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier

from likely import AdaBoost, Bagging

COLUMNS = 20
ROUNDS = 50
MEMBERS = 20
DEMANDED = 25.0  # times as fast as AdaBoostClassifier


if __name__ == "__main__":
    small = quick(__doc__)
    X, y = make_classification(2_000 if small else 100_000, COLUMNS, n_informative=10, random_state=0)
    rows, said = [], []
    for name, peer, ours, demanded in (
        ("AdaBoost, 50 stumps", AdaBoostClassifier(n_estimators=ROUNDS), AdaBoost(n_estimators=ROUNDS), DEMANDED),
        (
            "Bagging, 20 trees",
            BaggingClassifier(n_estimators=MEMBERS, n_jobs=-1, random_state=0),
            Bagging(n_estimators=MEMBERS, random_state=0),
            None,
        ),
    ):
        rounds = 1 if demanded is None else 3
        fits = best({"peer": lambda peer=peer: peer.fit(X, y), "ours": lambda ours=ours: ours.fit(X, y)}, rounds=rounds)
        rows.append(Row(f"fit, {name}", fits["ours"], fits["peer"], demanded))
        says = best({"peer": lambda peer=peer: peer.predict(X), "ours": lambda ours=ours: ours.predict(X)}, rounds=3)
        rows.append(Row(f"predict, {name}", says["ours"], says["peer"]))
        said.append(f"{name}: the same class for {np.mean(peer.predict(X) == ours.predict(X)):.2%} of the rows")
    show(f"scikit-learn and likely, {len(X):,} × {COLUMNS}", rows)
    print("\n".join(said))
