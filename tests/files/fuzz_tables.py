"""Mutations of tables, workbooks and archives, under limits: python -m tests.files.fuzz_tables 1000 (first)."""

from __future__ import annotations

import gzip
import io
import re
import sys
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet

import likely

from . import limited
from .mutations import Random, packed, spoil_bytes, unpacked
from .specimens import table

FORMS = ("xlsx", "zip", "xlsx", "csv", "parquet", "jsonl", "arff", "csv.gz")
PIECES = (b"-1", b"99999999999", b"nan", b"1e999", b"_xD800_", b'"', b"<c/>", b"A1:XFD1048576", b"\xff", b"\0", b"\n")


@cache
def content(form: str) -> bytes:
    """A good file of that form."""
    frame, label, _ = table(40)
    frame = frame.assign(fate=label, day=np.datetime_as_string(np.arange("2024-01-01", 40, dtype="datetime64[D]")))
    file = io.BytesIO()
    if form == "xlsx":
        import openpyxl

        book = openpyxl.Workbook()
        for row in [list(frame), *frame.astype(object).where(frame.notna(), None).to_numpy().tolist()]:
            book.active.append(row)
        book.active.merge_cells("A3:A4")
        book.save(file)
        return file.getvalue()
    if form == "zip":
        return packed({"a.csv": content("csv"), "read me.txt": b"by us\n"})
    if form == "csv.gz":
        return gzip.compress(content("csv"), mtime=0)
    arrow = pa.Table.from_pandas(frame, preserve_index=False)
    if form == "parquet":
        pyarrow.parquet.write_table(arrow, file)
    elif form == "jsonl":
        return frame.to_json(orient="records", lines=True).encode()
    elif form == "arff":
        kinds = {"port": "{Hull,Kiel,Nice}", "fate": "{lost,found,kept}", "day": "date yyyy-MM-dd"}
        names = "".join(f"@attribute {name} {kinds.get(name, 'real')}\n" for name in frame)
        return (
            b"@relation r\n"
            + names.encode()
            + b"@data\n"
            + frame.to_csv(index=False, header=False, na_rep="?").encode()
        )
    else:
        return frame.to_csv(index=False).encode()
    return file.getvalue()


def _spoil_part(data: bytes, rng: Random) -> bytes:
    """A workbook or an archive of which one part is spoilt and packed again, or whose directory says other sizes."""
    parts = unpacked(data)
    if rng.random() < 0.2:
        out = bytearray(packed(parts))
        starts = [found.start() for found in re.finditer(b"PK\x01\x02", bytes(out))]
        at = starts[int(rng.integers(len(starts)))] + int(rng.choice([20, 24]))
        out[at : at + 4] = int(rng.choice([0, 1, 2**20, 2**28, 2**31, 2**32 - 2])).to_bytes(4, "little")
        return bytes(out)
    names = [name for name in parts if "/theme/" not in name and "docProps" not in name]
    for _ in range(int(rng.integers(1, 4))):
        name = names[int(rng.integers(len(names)))]
        part = bytearray(parts[name])
        at, size = int(rng.integers(len(part))), int(rng.integers(1, 12))
        part[at : at + size] = PIECES[int(rng.integers(len(PIECES)))]
        if rng.random() < 0.2:
            low = int(rng.integers(len(part)))
            part[low:low] = part[low : low + int(rng.integers(1, 400))] * int(rng.choice([2, 30, 3000]))
        parts[name] = bytes(part) or b" "
    return packed(parts)


def case(number: int) -> tuple[str, bytes]:
    """The form and the mutated file of a number, the same ever after."""
    rng = np.random.default_rng(number)
    form = FORMS[number % len(FORMS)]
    data = content(form)
    if form in ("xlsx", "zip") and rng.random() < 0.7:
        return form, _spoil_part(data, rng)
    for _ in range(int(rng.integers(1, 4))):
        data = spoil_bytes(data, rng) or data
    return form, data


def _asked(place: Path) -> str:
    model = likely.fit(place, "fate", model=likely.NaiveBayes(priors=None))
    proba = model.predict_proba(table(3)[0].assign(day="2024-01-02")) if model.n_features_in_ == 5 else None
    repr(model)
    return "answered" if proba is None or np.allclose(proba.sum(axis=1), 1, rtol=0, atol=1e-9) else f"{proba}"


def tried(number: int, place: Path) -> str:
    """What came of it: 'refused', 'answered', or what is wrong."""
    form, data = case(number)
    place = place.with_suffix(f".{form}")
    place.write_bytes(data)
    return limited.measured(lambda: _asked(place))


def fuzz(numbers: Iterable[int]) -> dict[int, str]:
    """What came of the mutations of these numbers."""
    with tempfile.TemporaryDirectory() as folder:  # compiled before the clock runs
        for form in FORMS:
            place = Path(folder) / f"one.{form}"
            place.write_bytes(content(form))
            assert (found := limited.measured(lambda place=place: _asked(place))) == "answered", (form, found)
    return limited.outcomes(tried, numbers)


def told(found: dict[int, str]) -> str:
    """How many were refused, answered or wrong, and the first of each kind that is wrong."""
    return limited.told(found, lambda number: FORMS[number % len(FORMS)])


if __name__ == "__main__":
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    start = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    print(told(fuzz(range(start, start + many))))
