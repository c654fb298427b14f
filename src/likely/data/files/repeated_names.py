"""Rows that repeat the names of the columns, as where several files were put together to one."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from likely.data.files.csv import CsvFile
from likely.data.files.excel.sheet_file import SheetFile
from likely.data.readings.scanned_fields import ScannedBlock
from likely.errors import SchemaWarning, outside


def without_names(file: CsvFile | SheetFile, batches: Iterator[Any], again: Counter[str]) -> Iterator[Any]:
    """The rows but those that repeat the names, as where files were put together; how many those are is counted."""
    import pyarrow as pa
    import pyarrow.compute as pc

    top = file.dialect.top
    key = next((at for at, name in enumerate(top) if name), 0)
    several = file.dialect.headed and sum(map(bool, top)) > 1
    for batch in batches:
        if isinstance(batch, ScannedBlock):
            if not several or not batch.columns[key].may_hold(top[key]):
                yield batch
                continue
            batch = batch.texts()
        if several and pa.types.is_string(batch.column(key).type):
            found = pc.fill_null(pc.equal(batch.column(key), top[key]), False)
            like = np.flatnonzero(found.to_numpy(zero_copy_only=False))
            same = [int(row) for row in like if all(map(partial(_holds, row=int(row)), batch.columns, top))]
            if same:
                again[file.path] += len(same)
                kept = np.ones(batch.num_rows, dtype=bool)
                kept[same] = False
                batch = batch.filter(pa.array(kept))
        yield batch


def _holds(column: Any, text: str, row: int) -> bool:
    return str(column[row].as_py() or "").strip() == text


def tell_again(again: Mapping[str, int]) -> None:
    """Warn of the rows that were left out, by file."""
    for path, count in again.items():
        rows = "1 row repeats" if count == 1 else f"{count:,} rows repeat"
        warnings.warn(f"{path}: {rows} the names of the columns: left out", SchemaWarning, stacklevel=outside())
