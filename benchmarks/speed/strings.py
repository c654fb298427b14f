"""Fit a pandas table of words, 1,000,000 × 20 with holes, beside OrdinalEncoder and CategoricalNB.

The peer counts a hole as one level more, likely leaves it out of account, so some predictions differ.
"""

import numpy as np
import pandas as pd
from _measure import compare, quick
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

from likely import NaiveBayes

COLUMNS, LEVELS, CLASSES = 20, 8, 10


def table(rows: int) -> tuple[pd.DataFrame, pd.Series]:
    """Words, one in five of them set by the class; one cell in twenty is missing."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, CLASSES, rows)
    names = {}
    for at in range(COLUMNS):
        codes = np.where(rng.random(rows) < 0.2, (y + at) % LEVELS, rng.integers(0, LEVELS, rows))
        codes[rng.random(rows) < 0.05] = LEVELS
        names[f"column {at}"] = np.array([*(f"level {level}" for level in range(LEVELS)), None], dtype=object)[codes]
    return pd.DataFrame(names), pd.Series(y, name="class").map("class {}".format)


if __name__ == "__main__":
    X, y = table(20_000 if quick(__doc__) else 1_000_000)
    ours = {"kinds='category'": NaiveBayes(kinds="category"), "kinds='auto'": NaiveBayes()}
    for dtype in ("str", "object"):  # as pandas 3 holds words, and as it used to
        peer = make_pipeline(OrdinalEncoder(encoded_missing_value=LEVELS, dtype=np.uint8), CategoricalNB())
        title = f"words held as {dtype}: OrdinalEncoder, CategoricalNB"
        compare(X.astype(dtype), y, peer, ours, {"fit": 3}, None, title=title)
