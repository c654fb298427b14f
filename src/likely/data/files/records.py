"""The rows of a file as they stand in it: dealt out to other files without a letter changed."""

from __future__ import annotations

import gzip
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from typing import IO, Any

from likely.core.numerics import Array
from likely.data.files.content import form_of_file, open_packed
from likely.data.files.csv_dialect import tell_dialect
from likely.data.files.formats import FORMAT_BYTES
from likely.data.files.paths import within_zip
from likely.data.files.text_encoding import look_at_text
from likely.errors import DataError
from likely.output.atomic_write import atomic_write, check_place


def deal_out(
    path: str,
    part: Array,
    places: Sequence[str],
    form: str | None = None,
    header: bool = True,
    named: Collection[str] = (),
) -> list[int]:
    """How many rows of a file went to each of some new files of its form: row i to places[part[i]].

    The header of a CSV, TSV or ARFF file stands in all of them; `named` are columns that it has. Nothing changes before
    all are written.
    """
    kind, packed = form_of_file(path, form)
    if within_zip(path) is not None or kind == "xlsx":
        hint = "save the table as CSV or Parquet, and split that"
        raise DataError("D223", "rows of Excel files and ZIP archives are not split", place=path, hint=hint)
    for place in places:
        check_place(place)
    with ExitStack() as stack:
        parts = [stack.enter_context(atomic_write(place)) for place in places]
        if kind == "parquet":
            return _deal_parquet(path, part, parts)
        plain = [stack.enter_context(open(name, "wb")) for name in parts]
        files = [_packing(file, place) for file, place in zip(plain, places, strict=True)] if packed else plain
        counts = [0] * len(places)
        with open_packed(path) if packed else open(path, "rb") as source:
            head, rows = _records(source, kind, path, packed, header, named)
            for file in files:
                file.write(head)
            found = -1
            for found, row in enumerate(rows):
                if found >= len(part):
                    break
                files[part[found]].write(row if row.endswith((b"\n", b"\r")) else row + b"\n")
                counts[part[found]] += 1
        if found + 1 != len(part) and not (found == len(part) and _has_footer(path, kind, packed, header, named)):
            raise _odd(path, len(part))
        for file in (*files, *plain):
            file.close()
        return counts


def _has_footer(path: str, kind: str, packed: bool, header: bool, named: Collection[str]) -> bool:
    """Whether lines that are no rows stand below the last one."""
    if kind not in ("csv", "tsv"):
        return False
    return tell_dialect(look_at_text(path, kind, packed), kind == "tsv", header, named).footer > 0


def _odd(path: str, rows: int) -> DataError:
    hint = "save it as Parquet, or without lines that are no rows, and split that"
    return DataError("D223", f"its {rows:,} rows do not stand on lines of their own", place=path, hint=hint)


def _packing(file: IO[bytes], place: str) -> IO[bytes]:
    """A file whose bytes are packed; without the time of day in its head, the same rows are the same bytes."""
    name = os.path.basename(place)
    return gzip.GzipFile(name, "wb", fileobj=file, mtime=0)  # type: ignore[return-value]


def _records(
    source: Any, kind: str, path: str, packed: bool, header: bool, named: Collection[str]
) -> tuple[bytes, Iterable[bytes]]:
    """What stands above the rows, and the rows, each with its line end."""
    lines = iter(source)
    if kind == "arff":
        return b"".join(_until_data(lines)), (line for line in _filled(lines) if not line.lstrip().startswith(b"%"))
    if kind == "jsonl":
        with open_packed(path) if packed else open(path, "rb") as file:
            head = file.read(FORMAT_BYTES)
        array = head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"[")
        return b"", iter(()) if array else _filled(lines)  # within an array, no line is a row
    dialect = tell_dialect(look_at_text(path, kind, packed), kind == "tsv", header, named)
    return b"".join(islice(lines, dialect.lines)), _filled(_quoted(lines, dialect.quote.encode()))


def _filled(records: Iterable[bytes]) -> Iterator[bytes]:
    """Without those that are empty."""
    return (record for record in records if record.strip(b" \r\n"))


def _until_data(lines: Iterator[bytes]) -> Iterator[bytes]:
    for line in lines:
        yield line
        if line.strip().lower() == b"@data":
            return


def _quoted(lines: Iterator[bytes], quote: bytes) -> Iterator[bytes]:
    """Lines, those within quotes together: a value may hold a line end."""
    whole = b""
    for line in lines:
        whole += line
        if not quote or whole.count(quote) % 2 == 0:
            yield whole
            whole = b""
    if whole:
        yield whole


def _deal_parquet(path: str, part: Array, parts: Sequence[str]) -> list[int]:
    import numpy as np
    import pyarrow.parquet as pq

    from likely.data.files.temporary import unpacked

    packed = os.path.basename(path).lower().endswith(".gz")
    source = pq.ParquetFile(unpacked(path) if packed else path)
    counts, start = [0] * len(parts), 0
    with ExitStack() as stack:
        writers = [stack.enter_context(pq.ParquetWriter(name, source.schema_arrow)) for name in parts]
        for batch in source.iter_batches():
            mine = part[start : start + batch.num_rows]
            start += batch.num_rows
            for at, writer in enumerate(writers):
                rows: Any = np.flatnonzero(mine == at)
                counts[at] += len(rows)
                writer.write_batch(batch.take(rows))
    if start != len(part):
        raise _odd(path, len(part))
    return counts
