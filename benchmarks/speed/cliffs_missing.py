"""Rows with many patterns of missing values: 20 columns of 5 levels and 10 numbers, values missing at random.

No peer sums missing parents out. The limits are a tenth of the time that one pattern after the other took.
"""

from functools import partial

import numpy as np
import pandas as pd
from _measure import Row, best, quick, show

from likely import KDB, SPODE, TAN

BEFORE = {  # rows a second
    # 300 rows at a time, each of a pattern of its own
    0.1: {"TAN": 624, "KDB(k=1)": 487, "KDB(k=2)": 195, "KDB(k=3)": 60},
    0.3: {"TAN": 361, "KDB(k=1)": 279, "KDB(k=2)": 59, "KDB(k=3)": 9},
}
MODELS = {
    "TAN": TAN(),
    "KDB(k=1)": KDB(k=1),
    "KDB(k=2)": KDB(k=2),
    "KDB(k=3)": KDB(k=3),
    "SPODE": SPODE(parent="level3"),
}


def table(rows: int, share: float, seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Columns that depend on the class and on the one before, values missing at random."""
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=rows)
    columns, last = {}, y
    for at in range(20):
        last = (last * (rng.random(rows) < 0.5) + rng.integers(5, size=rows) + y * (rng.random(rows) < 0.3)) % 5
        words = np.array(list("abcde"), dtype=object)[last]
        words[rng.random(rows) < share] = None
        columns[f"level{at}"] = words
    for at in range(10):
        numbers = rng.normal(size=rows) + 0.3 * y + 0.5 * last
        numbers[rng.random(rows) < share] = np.nan
        columns[f"number{at}"] = numbers
    return pd.DataFrame(columns), y


def main() -> None:
    size = 200 if quick(__doc__) else 10_000
    rows = []
    for share, before in BEFORE.items():
        X, y = table(4000, share, 0)
        asked, _ = table(size, share, 1)
        for name, model in MODELS.items():
            model.fit(X, y)
            time = best({"likely": partial(model.predict_proba, asked)}, 3)["likely"]
            limit = size / before[name] / 10 if name in before else None
            rows.append(Row(f"{name}, {share:.0%} missing: predict_proba of {size:,} rows", time, limit=limit))
    show("Many patterns of missing values", rows)


if __name__ == "__main__":
    main()
