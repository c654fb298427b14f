"""Fit a Parquet file of 5,000,000 × 25 in blocks: time, peak memory, and the same model as from memory."""

import resource
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

from _measure import quick

T = TypeVar("T")
WORDS, CODES, REALS, LEVELS, CLASSES = 10, 10, 5, 8, 5
GROUP = 100_000  # rows of a row group
LIMIT = 1024  # MiB
TOLERANCE = 1e-9  # of means and spreads; counts are to be the same


def write(path: Path, rows: int) -> None:
    """Words, integer codes and doubles that depend on the class, a row group at a time."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    names = np.array([f"level {at}" for at in range(LEVELS)])
    writer = None
    for start in range(0, rows, GROUP):
        n = min(GROUP, rows - start)
        y = rng.integers(0, CLASSES, n)
        told = [
            np.where(rng.random(n) < 0.2, (y + at) % LEVELS, rng.integers(0, LEVELS, n)) for at in range(WORDS + CODES)
        ]
        columns = {f"word {at}": names[codes] for at, codes in enumerate(told[:WORDS])}
        columns |= {f"code {at}": codes for at, codes in enumerate(told[WORDS:])}
        columns |= {f"real {at}": rng.normal(1e3 + y, 1 + at) for at in range(REALS)}
        batch = pa.table({**columns, "class": np.char.add("class ", y.astype(str))})
        writer = writer or pq.ParquetWriter(path, batch.schema)
        writer.write_table(batch)
    writer.close()


def fit_file(path: Path) -> Any:
    """The model of the file, streamed."""
    return _fit(path)


def fit_memory(path: Path) -> Any:
    """The model of the file read whole into a frame."""
    import pandas as pd

    return _fit(pd.read_parquet(path))


def _fit(source: object) -> Any:
    import likely

    kinds = {f"code {at}": "category" for at in range(CODES)}
    return likely.fit(source, target="class", model=likely.NaiveBayes(kinds=kinds)).model_


def _measured(work: Callable[..., T], arguments: tuple[object, ...]) -> tuple[T, float, float]:
    start = perf_counter()
    result = work(*arguments)
    return result, perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def alone(work: Callable[..., T], *arguments: object) -> tuple[T, float, float]:
    """The result, seconds and peak MiB of some work in a process of its own: nothing else is in its memory."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_measured, work, arguments).result()


def differences(mine: Any, theirs: Any) -> tuple[int, float]:
    """How many counts differ between two models, and the largest relative difference of a mean or a spread."""
    if mine.schema != theirs.schema:
        raise SystemExit(f"MISSED: the schemas differ:\n{mine.schema}\n{theirs.schema}")
    counts, moments = 0, 0.0
    for question, one in mine.bundle.items():
        other = theirs.bundle[question]
        for name in ("rows", "table") if question.of == "counts" else ("count",):
            counts += int((getattr(one, name) != getattr(other, name)).sum())
        for name in ("mean", "spread") if question.of == "moments" else ():
            expected = getattr(other, name)
            moments = max(moments, float((abs(getattr(one, name) - expected) / abs(expected)).max()))
    return counts, moments


def main() -> None:
    rows = 200_000 if quick(__doc__) else 5_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        alone(write, path, rows)
        print(f"\n{rows:,} × {WORDS + CODES + REALS} in Parquet, {path.stat().st_size / 2**20:.0f} MiB")
        streamed, time, peak = alone(fit_file, path)
        met = "ok" if peak < LIMIT else "MISSED"
        print(f"from the file: {time:.2f} s with imports, peak {peak:.0f} MiB (demanded < {LIMIT}: {met})")
        whole, time, peak = alone(fit_memory, path)
        print(f"from memory:   {time:.2f} s with imports and reading, peak {peak:.0f} MiB")
    counts, moments = differences(streamed, whole)
    met = "ok" if counts == 0 and moments <= TOLERANCE else "MISSED"
    print(f"{counts} counts differ, means and spreads by {moments:.1e} (demanded 0 and {TOLERANCE}: {met})")


if __name__ == "__main__":
    main()
