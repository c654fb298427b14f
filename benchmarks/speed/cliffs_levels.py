"""A category of 100,000 levels: NaiveBayes beside scikit-learn's OrdinalEncoder and CategoricalNB."""

import numpy as np
import pandas as pd
from _measure import Row, best, quick, show
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

from likely import NaiveBayes

DEMANDED = 0.5  # times as fast as scikit-learn: no slower than half its speed
FEW = 10

if __name__ == "__main__":
    levels, rows = (1_000, 5_000) if quick(__doc__) else (100_000, 200_000)
    rng = np.random.default_rng(0)
    words, y = np.array([f"user{at}" for at in range(levels)], dtype=object), rng.integers(0, 2, rows)
    drawn = rng.permutation(np.append(np.arange(levels), rng.integers(0, levels, rows - levels)))
    plain = pd.DataFrame({"id": words[drawn], "other": rng.integers(0, 3, rows).astype(str)})
    table = []
    for name, frame in (("words", plain), ("pandas categories", plain.astype("category"))):
        peer = make_pipeline(OrdinalEncoder(), CategoricalNB()).fit(plain, y)
        ours = NaiveBayes(kinds={"id": "category"}).fit(frame, y)
        for what, theirs, mine in (
            ("fit", lambda: peer.fit(plain, y), lambda: ours.fit(frame, y)),  # noqa: B023
            ("predict", lambda: peer.predict(plain), lambda: ours.predict(frame)),  # noqa: B023
            (f"predict {FEW} rows", lambda: peer.predict(plain[:FEW]), lambda: ours.predict(frame[:FEW])),  # noqa: B023
        ):
            times = best({"peer": theirs, "likely": mine}, rounds=2)
            table.append(Row(f"{what}, {name}", times["likely"], times["peer"], DEMANDED))
    show(f"OrdinalEncoder + CategoricalNB and NaiveBayes, {rows:,} rows, {levels:,} levels", table)
