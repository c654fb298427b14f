"""Losses in files: CSV or TSV, as a matrix or one cost a line, and JSON; labels are matched by their text."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from likely.core.schema import Level, plain
from likely.data.targets.class_lists import not_a_class
from likely.errors import OptionError

LONGEST_FIELD = 1 << 17
LOSS_FILE_ENDINGS = (".csv", ".tsv", ".json")
MOST_BYTES_OF_LOSS_FILE = 1 << 24  # bytes: enough for a thousand classes
LONG_TABLE_COLUMNS = ("true", "decided", "cost")


class PlacedValue(NamedTuple):
    """A value of the file, and where it is."""

    value: Any
    place: str


Line = tuple[PlacedValue, PlacedValue, PlacedValue]  # the true class, the decided class, the cost


def read_costs(path: str, classes: Sequence[Level]) -> list[tuple[int, int, float]]:
    """(true, decided, cost) for what the file says, with the places of the classes.

    A table has the true class in its first column and the decided classes in its header, an empty field says nothing;
    or its header is true,decided,cost in any order. JSON is {true: {decided: cost}}.
    """
    text = _text(path)
    costs: dict[tuple[int, int], float] = {}
    for true, decided, cost in _json(text, path) if path.lower().endswith(".json") else _table(text, path):
        at = _match(true, classes), _match(decided, classes)
        if at in costs:
            raise _odd(f"{true.value!r} decided as {decided.value!r} is there twice", cost.place, "say each cost once")
        costs[at] = _number(cost)
    if not costs:
        raise _odd(
            "the file says no costs", path, f"write the header {','.join(LONG_TABLE_COLUMNS)} and one cost a line"
        )
    return [(true, decided, cost) for (true, decided), cost in costs.items()]


def _text(path: str) -> str:
    try:
        with open(path, "rb") as file:
            found = file.read(MOST_BYTES_OF_LOSS_FILE + 1)
    except (OSError, ValueError) as error:
        raise _unreadable(f"cannot read the file: {error}", path, "check the path") from None
    if len(found) > MOST_BYTES_OF_LOSS_FILE:
        raise _unreadable(
            f"the file is larger than {MOST_BYTES_OF_LOSS_FILE >> 20} MB", path, "a loss is a small table"
        )
    try:
        return found.decode("utf-8-sig")
    except UnicodeError:
        raise _unreadable("the file is not UTF-8 text", path, "save it as UTF-8 text") from None


def _table(text: str, path: str) -> Iterator[Line]:
    """Each field that says a cost."""
    rows = _rows(text, path)
    top, names = next(rows, (path, []))
    header = [name.strip() for name in names]
    if len(header) < 2:
        hint = f"separate the columns by {'tabs' if path.lower().endswith('.tsv') else 'commas'}"
        raise _odd("the header has fewer than two columns", top, hint)
    if len(set(header[1:])) < len(header) - 1:  # the corner may say "true" where that is a class too
        raise _odd("the header has a name twice", top, "give each decided class one column")
    lower = [name.lower() for name in header]
    long = sorted(lower) == sorted(LONG_TABLE_COLUMNS)
    for place, row in rows:
        if len(row) != len(header):
            told = f"{len(row)} fields under a header of {len(header)}"
            raise _odd(told, place, "give every line as many fields as the header")
        if long:
            true, decided, cost = (PlacedValue(row[lower.index(name)], place) for name in LONG_TABLE_COLUMNS)
            yield true, decided, cost
        else:
            said = [(name, cost) for name, cost in zip(header[1:], row[1:], strict=True) if cost.strip()]
            yield from (
                (PlacedValue(row[0], place), PlacedValue(name, top), PlacedValue(cost, place)) for name, cost in said
            )


def _rows(text: str, path: str) -> Iterator[tuple[str, list[str]]]:
    """The place and the fields of each line that is not empty."""
    between = "\t" if path.lower().endswith(".tsv") else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=between, strict=True)
    try:
        for row in reader:
            if max(map(len, row), default=0) > LONGEST_FIELD:  # the limit of csv is that of the whole program
                raise csv.Error(f"a field of more than {LONGEST_FIELD:,} letters")
            if any(field.strip() for field in row):
                yield f"{path}, line {reader.line_num}", row
    except csv.Error as error:
        raise _odd(f"not a table: {error}", f"{path}, line {reader.line_num}", "check the quotes") from None


def _json(text: str, path: str) -> Iterator[Line]:
    """Each cost of {true: {decided: cost}}."""
    hint = "write {true: {decided: cost}}"

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):  # JSON itself would keep the last and drop the others
            names = [name for name, _ in pairs]
            twice = next(name for at, name in enumerate(names) if name in names[:at])
            raise _odd(f"{twice!r} is there twice", path, "say each cost once")
        return found

    try:
        found = json.loads(text, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        raise _odd(f"not JSON: {error.msg}", f"{path}, line {error.lineno}", hint) from None
    except OptionError:
        raise
    except (RecursionError, ValueError):  # nested too deeply, or a number of thousands of digits
        raise _odd("not JSON of costs", path, hint) from None
    if not (isinstance(found, Mapping) and all(isinstance(costs, Mapping) for costs in found.values())):
        raise _odd("not a mapping of mappings", path, hint)
    for true, costs in found.items():
        for decided, cost in costs.items():
            place = f"{path}, {true!r}: {decided!r}"
            yield PlacedValue(true, place), PlacedValue(decided, place), PlacedValue(cost, place)


def _match(label: PlacedValue, classes: Sequence[Level]) -> int:
    found = class_place_of_text(label.value, classes)
    if found is None:
        raise not_a_class(label.value, classes, label.place)
    return found


def class_place_of_text(label: str, classes: Sequence[Level]) -> int | None:
    """The place of the class that is written so; numbers and booleans in any of their usual spellings."""
    spelling, texts = label.strip(), list(map(str, classes))
    for text in (label, spelling):
        if text in texts:
            return texts.index(text)
    value: Any = {"true": True, "false": False}.get(spelling.lower())
    try:
        return classes.index(plain(float(spelling)) if value is None else value)
    except ValueError:
        return None


def _number(cost: PlacedValue) -> float:
    try:
        number = math.nan if isinstance(cost.value, bool) else float(cost.value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        hint = "say a finite number, as in 0.5"
        raise OptionError("O112", f"a cost cannot be {cost.value!r}", place=cost.place, hint=hint)
    return number


def _odd(told: str, place: str, hint: str) -> OptionError:
    return OptionError("O303", told, place=place, hint=hint)


def _unreadable(told: str, path: str, hint: str) -> OptionError:
    return OptionError("O302", told, place=path, hint=hint)
