"""SPODE, which tries every column as the super-parent, on binary columns as many as pixels of 28 × 28 digits.

No peer does it. The limits are a tenth of the time that leaving rows out one by one took.
"""

from functools import partial

import numpy as np
from _measure import Row, best, quick, show

from likely import SPODE

BEFORE = {5_000: 240.0, 60_000: 2_880.0}  # seconds, from 48 s of 1,000 rows: the time was linear in rows


def table(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Pixels that depend on one of ten classes; the second on the first as well."""
    rng = np.random.default_rng(0)
    y = rng.integers(10, size=rows)
    X = (rng.random((rows, columns)) < (rng.random((10, columns)) * 0.8 + 0.1)[y]).astype(np.uint8)
    X[:, 1] = X[:, 0] ^ (rng.random(rows) < 0.1)
    return X, y


def main() -> None:
    small = quick(__doc__)
    rows = []
    for size, before in BEFORE.items():
        X, y = table(300, 20) if small else table(size, 784)
        time = best({"likely": partial(SPODE(kinds="binary").fit, X, y)}, 1)["likely"]
        rows.append(Row(f"fit of {X.shape[0]:,} × {X.shape[1]}", time, limit=before / 10))
    show("SPODE, parent='auto'", rows)


if __name__ == "__main__":
    main()
