"""Files as people have them are read as a person reads them: kinds, missing cells, least and greatest values."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest

import likely
from likely.data.files.source import file_source
from likely.errors import LikelyError

from .further_files import FURTHER
from .held_out_files import HELD_OUT
from .messy_files import FILES, Messy
from .second_held_out_files import SECOND

ALL = FILES | HELD_OUT | FURTHER | SECOND


def differences(file: Messy, folder: Path) -> list[str]:
    """What `likely inspect` says of a file otherwise than a person."""
    path = folder / file.path
    path.write_bytes(file.content if isinstance(file.content, bytes) else file.content.encode())
    form = "csv" if path.suffix == ".log" else None
    source = str(path) if file.header else file_source(str(path), None, form, header=False)
    try:
        found = likely.inspect(source, file.target, missing_marks=file.marks)
    except LikelyError as error:
        told = f"{error.code}: {error}"
        return [] if error.code == file.error and error.hint else [f"{file.error or 'no error'}, not {told}"]
    if file.error:
        return [f"error {file.error}, not a table"]
    wrong = [] if found.rows == file.rows else [f"{file.rows} rows, not {found.rows}"]
    balance = {str(level): rows for level, rows in found.balance.items()}
    if file.classes is not None and balance != file.classes:
        wrong.append(f"classes {file.classes}, not {balance}")
    columns = [(origin, list(parts)) for origin, parts in groupby(found.columns, lambda column: column.origin)]
    if len(columns) != len(file.columns):
        return [*wrong, f"columns {list(file.columns)}, not {[origin for origin, _ in columns]}"]
    for (name, seen), (origin, reports) in zip(file.columns.items(), columns, strict=True):
        if not (name.strip("~ ") in origin or name[1:].isdigit() if name[0] == "~" else name == origin):
            wrong.append(f"a name {name!r}, not {origin!r}")
        if tuple(report.name for report in reports) != tuple(f"{origin}.{part}" for part in seen.parts) and seen.parts:
            wrong.append(f"{name}: {seen.parts}, not {[report.name for report in reports]} of kind {reports[0].kind}")
            continue
        if seen.parts == () and len(reports) > 1:
            wrong.append(f"{name}: {seen.kinds}, not {[report.name for report in reports]}")
            continue
        first = reports[0]
        kind = "skip" if first.counter else first.kind
        if kind not in seen.kinds:
            wrong.append(f"{name}: {' or '.join(seen.kinds)}, not {kind} ({first.values})")
        if any(report.missing != seen.missing for report in reports):
            wrong.append(f"{name}: {seen.missing} missing, not {[report.missing for report in reports]}")
        if seen.low is not None and (first.low, first.high) != pytest.approx((seen.low, seen.high), rel=1e-6):
            wrong.append(f"{name}: {seen.low:.8g} to {seen.high:.8g}, not {first.low} to {first.high}")
    return wrong


@pytest.mark.filterwarnings("ignore::likely.errors.SchemaWarning")  # it tells what it leaves out
@pytest.mark.parametrize("name", ALL)
def test_files_are_read_as_a_person_reads_them(name: str, tmp_path: Path) -> None:
    wrong = differences(ALL[name](), tmp_path)
    assert not wrong, "\n".join(wrong)


@pytest.mark.filterwarnings("ignore::likely.errors.SchemaWarning")
def test_a_number_that_stands_for_no_value_is_told_with_the_way_out(tmp_path: Path) -> None:
    """The survey's -99: what likely cannot know, it asks for; then the file is read as a person reads it."""
    file = ALL["survey_of_three_headers"]()
    wrong = differences(replace(file, marks=()), tmp_path)
    assert [line.partition(":")[0] for line in wrong] == ["Q1", "Q1", "Q2"]
    told = likely.inspect(str(tmp_path / file.path), file.target)
    assert [(c.name, len(c.suspicions)) for c in told.columns if "missing_marks=['-99']" in " ".join(c.suspicions)] == [
        ("Q1", 1)
    ]
