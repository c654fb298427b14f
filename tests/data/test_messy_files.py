"""Sixty files as people have them are read as a person reads them: kinds, missing cells, least and greatest values."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest

import likely
from likely.data.files.source import file_source
from likely.errors import LikelyError

from .held_out_files import HELD_OUT
from .messy_files import FILES, Messy

ALL = FILES | HELD_OUT

# What a person reads, and what likely makes of it; each goes once it is mended.
WRONG = {
    "accounting_format": "'$-' is nothing booked, '$(454.00)' is -454: the column is set aside as words",
    "stock_quotes": "1.25M is 1,250,000 and 830.10K is 830,100: the column is set aside as words",
    "lab_values": "a column of numbers with '<0,1' twice in 45 rows is set aside as words",
    "minus_999": "20190314 in a column MESS_DATUM is a day: it is read as a number",
    "likert_and_choices": "4/1/2025 to 4/9/2025 are nine days of April, not the fourths of nine months",
    "government_table": "1,234* and '12 r' are numbers with marks of footnotes, (D) is missing: columns are set aside",
    "mysql_dump": "\\N is what MySQL and Postgres write for a missing value: 'rating' is words",
    "access_log": "seven values a row, the time in brackets one of them: all is one column",
    "one_column": "a single column of '72,5 kg' is cut at the comma, and its name lost",
    "survey_of_three_headers": "-99 is an answer not given: 'Q1' has it as its least number, 'Q2' as a level",
    "chinese_orders": "'--' is no province",
    "indian_flats": "'Rs. 1,25,000/-' is an amount: the column is words",
}


def differences(file: Messy, folder: Path) -> list[str]:
    """What `likely inspect` says of a file otherwise than a person."""
    path = folder / file.path
    path.write_bytes(file.content if isinstance(file.content, bytes) else file.content.encode())
    form = "csv" if path.suffix == ".log" else None
    source = str(path) if file.header else file_source(str(path), None, form, header=False)
    try:
        found = likely.inspect(source, file.target)
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
        if any(report.holes != seen.missing for report in reports):
            wrong.append(f"{name}: {seen.missing} missing, not {[report.holes for report in reports]}")
        if seen.low is not None and (first.low, first.high) != pytest.approx((seen.low, seen.high), rel=1e-6):
            wrong.append(f"{name}: {seen.low:.8g} to {seen.high:.8g}, not {first.low} to {first.high}")
    return wrong


@pytest.mark.filterwarnings("ignore::likely.errors.SchemaWarning")  # it tells what it leaves out
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.xfail(strict=True, reason=WRONG[name])) if name in WRONG else name
        for name in ALL
    ],
)
def test_files_are_read_as_a_person_reads_them(name: str, tmp_path: Path) -> None:
    wrong = differences(ALL[name](), tmp_path)
    assert not wrong, "\n".join(wrong)
