"""KDB(select=True) on tables of ../shared/data/uci with missing values; limits: a tenth of the time it took before."""

import sys
from functools import partial
from pathlib import Path

from _measure import Row, best, quick, show

from likely import KDB

sys.path.append(str(Path(__file__).resolve().parents[1] / "accuracy"))
from _tables import table

BEFORE = {"hepatitis": 5.97, "soybean": 17.7, "anneal.orig": 84.0}  # seconds


def main() -> None:
    small = quick(__doc__)
    rows = []
    for name, before in BEFORE.items():
        X, y = table(name)
        X, y = (X[:60], y[:60]) if small else (X, y)
        time = best({"likely": partial(KDB(select=True).fit, X, y)}, 2)["likely"]
        rows.append(Row(f"{name}: fit of {len(X)} × {X.shape[1]}", time, limit=before / 10))
    show("KDB(select=True) with missing values", rows)


if __name__ == "__main__":
    main()
