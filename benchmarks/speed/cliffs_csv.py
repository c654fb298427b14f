"""Tables read by columns, CSV and Parquet: told, surveyed and encoded as a fit does it, beside readers of values alone.

`described` is pandas.read_csv and what it takes to know the levels of words and the range of numbers. CPU seconds stand
behind the wall seconds, as machines are noisy; `inspect` is the whole of it.
"""

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow.csv
import pyarrow.parquet
from _measure import quick

import likely
from likely.data import open_source

SHAPES = {  # name -> rows, columns, what they hold
    "100,000 × 20 mixed": (100_000, 20, "mixed"),
    "100,000 × 20 numbers": (100_000, 20, "numbers"),
    "5,000 × 784 small integers": (5_000, 784, "pixels"),
    "1,000,000 × 20 mixed": (1_000_000, 20, "mixed"),
    "60 × 3,000 mixed": (60, 3_000, "mixed"),
    "10 × 100,000 mixed": (10, 100_000, "mixed"),
}
FEW = {"100 × 20 mixed": (100, 20, "mixed"), "20 × 200 numbers": (20, 200, "numbers"), "30 × 64": (30, 64, "pixels")}
ROUNDS = 3
PEERS = ("pandas", "described")  # of the table's last columns
LONG = 20_000_000  # cells from which on one round has to do


def table(rows: int, columns: int, what: str) -> pd.DataFrame:
    """Half of the columns numbers and half of them words, or all numbers, or mostly zeros; and a target."""
    rng = np.random.default_rng(0)
    if what == "pixels":
        values = rng.integers(256, size=(rows, columns))
        values[rng.random(values.shape) < 0.7] = 0
        frame = pd.DataFrame(values).add_prefix("pixel")
    else:
        reals = columns if what == "numbers" else columns // 2
        frame = pd.DataFrame(rng.normal(size=(rows, reals)).round(16 if what == "numbers" else 3)).add_prefix("number")
        words = rng.choice(["red", "green", "blue"], size=(rows, columns - reals))
        frame = pd.concat([frame, pd.DataFrame(words).add_prefix("word")], axis=1)
    return pd.concat([frame, pd.Series(rng.integers(2, size=rows), name="y")], axis=1)


def encoded(path: Path) -> int:
    """How many rows were read: the columns told, surveyed and encoded as a fit does it."""
    source = open_source(path, "y").kept()
    schema = source.survey("auto")
    return sum(task().rows for task in source.tasks(schema, True, 1 << 16))


def described(path: Path) -> None:
    """What pandas knows after a look at every column: levels of words, least and greatest of numbers."""
    frame = pd.read_csv(path)
    for name in frame.columns:
        if frame[name].dtype.kind in "if":
            values = frame[name].to_numpy()
            np.ptp(values)
        else:
            pd.factorize(frame[name])


CSV: dict[str, Callable[[Path], Any]] = {
    "pandas": pd.read_csv,
    "described": described,
    "pyarrow": pyarrow.csv.read_csv,
    "polars": partial(pl.read_csv, infer_schema_length=None),
    "likely": encoded,
    "inspect": lambda path: likely.inspect(path, "y"),
}
PARQUET: dict[str, Callable[[Path], Any]] = {
    "pandas": pd.read_parquet,
    "pyarrow": pyarrow.parquet.read_table,
    "polars": pl.read_parquet,
    "likely": encoded,
    "inspect": lambda path: likely.inspect(path, "y"),
}


def times(readers: dict[str, Callable[[Path], Any]], path: Path, rounds: int) -> list[str]:
    """The least wall and CPU seconds of each, taken in turn; and how many times those of pandas ours are."""
    least = dict.fromkeys(readers, (np.inf, np.inf))
    for _ in range(rounds):
        for name, read in readers.items():
            wall, cpu = perf_counter(), process_time()
            read(path)
            took = perf_counter() - wall, process_time() - cpu
            least[name] = (min(least[name][0], took[0]), min(least[name][1], took[1]))
    cells = [f"{wall:.3f} ({cpu:.3f})" for wall, cpu in least.values()]
    peers = [name for name in PEERS if name in least]
    return [*cells, *(f"{least['likely'][1] / least[name][1]:.1f}" for name in peers)]


def show(cells: list[str]) -> None:
    """One line of a table."""
    print(" | ".join([cells[0].ljust(36), *(cell.rjust(15) for cell in cells[1:])]), flush=True)


def main() -> None:
    shapes = FEW if quick(__doc__) else SHAPES
    with tempfile.TemporaryDirectory() as folder:
        for form, readers in (("csv", CSV), ("parquet", PARQUET)):
            print(f"\n{form}: wall (CPU) s, and the CPU seconds of likely by those of its peers")
            show(["", *readers, *(f"by {name}" for name in PEERS if name in readers)])
            for name, (rows, columns, what) in shapes.items():
                frame, path = table(rows, columns, what), Path(folder, f"table.{form}")
                frame.to_csv(path, index=False) if form == "csv" else frame.to_parquet(path, index=False)
                show([name, *times(readers, path, 1 if rows * columns >= LONG or columns > 10_000 else ROUNDS)])


if __name__ == "__main__":
    main()
