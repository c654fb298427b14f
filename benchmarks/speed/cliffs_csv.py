"""CSV files read by columns: wide ones beside pandas, which reads no more than values."""

import tempfile
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from _measure import Row, best, quick, show

from likely.data import open_source

SHAPES = ((100_000, 20), (5_000, 784), (60, 3_000), (200, 10_000))


def written(path: Path, rows: int, columns: int) -> Path:
    """Half of the columns numbers, half of them words, and a target."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(rows, columns // 2)).round(3)).add_prefix("number")
    words = pd.DataFrame(rng.choice(["red", "green", "blue"], size=(rows, columns - columns // 2))).add_prefix("word")
    pd.concat([frame, words, pd.Series(rng.integers(2, size=rows), name="y")], axis=1).to_csv(path, index=False)
    return path


def encoded(path: Path) -> int:
    """How many rows were read: the columns told, surveyed and encoded as a fit does it."""
    source = open_source(path, "y")
    schema = source.survey("auto")
    return sum(task().rows for task in source.tasks(schema, True, 1 << 16))


def main() -> None:
    shapes = ((100, 20), (20, 200)) if quick(__doc__) else SHAPES
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for height, width in shapes:
            path = written(Path(folder) / "table.csv", height, width)
            times = best({"peer": partial(pd.read_csv, path), "likely": partial(encoded, path)}, 2)
            rows.append(Row(f"{height:,} × {width:,}", times["likely"], times["peer"]))
    show("CSV, beside pandas.read_csv", rows)


if __name__ == "__main__":
    main()
