"""DuckDB as we use it: in memory, offline and silent; plain values as SQL writes them; its errors in plain words."""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

from likely.data.files.paths import literal_pattern, missing
from likely.errors import DataError

OFFLINE = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
UNREADABLE_HINT = "is it in the format that its name says? Text files must be UTF-8"
_LINE_OF_ERROR = re.compile(r"CSV Error on Line: (\d+)")
_FIELDS = re.compile(r"Expected Number of Columns: (\d+) Found: (\d+)")
_JSON = re.compile(r"(?:Malformed JSON|JSON transform error) in file .*?in (?:line|record/value) (\d+): (.*)")
_KIND = re.compile(r"^(?:[A-Z][A-Za-z ]+ Error|Error): ")  # "Invalid Input Error: ", "IO Error: "


def connect(**options: Any) -> Any:
    """A DuckDB of our own that fetches nothing and writes nothing into the user's output."""
    import duckdb

    connection = duckdb.connect(config={**OFFLINE, **options})
    connection.execute("set enable_progress_bar = false")
    return connection


def literal(value: Any) -> str:
    """A plain value as SQL writes it.

    >>> literal({"it's": [1, True]})
    "{'it''s': [1, true]}"
    """
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{literal(key)}: {literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(literal, value)) + "]"
    if isinstance(value, bool | int):
        return str(value).lower()
    return "'" + str(value).replace("'", "''") + "'"


def quoted(name: str) -> str:
    """The name of a column as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


def call(function: str, files: str | list[str], options: Mapping[str, Any]) -> str:
    """The call of a table function on files, each meant by its very name."""
    names = literal_pattern(files) if isinstance(files, str) else [literal_pattern(name) for name in files]
    told = "".join(f", {name}={literal(value)}" for name, value in options.items())
    return f"{function}({literal(names)}{told})"


def unreadable(place: str, error: Exception, files: Sequence[str] = ()) -> DataError:
    """The error for rows that DuckDB cannot read: what is wrong and on which line, or else its first words."""
    told = str(error)
    path = next((name for name in files if name in told), place)
    gone = next((name for name in files if not os.path.exists(name)), None)
    if gone is not None:
        return missing(gone)
    line = _LINE_OF_ERROR.search(told)
    at = f"{path}, line {line[1]}" if line else path
    fields = _FIELDS.search(told)
    if fields:
        hint = "each line must have as many fields as the first; put quotes around a field that holds the delimiter"
        message = f"{fields[2]} field{'s'[: fields[2] != '1']} where {fields[1]} were expected"
        return DataError("D214", message, place=at, hint=hint)
    if "unterminated quote" in told or "quote should be followed" in told:
        hint = 'close it before the delimiter or the end of the line; a quote within quotes is written ""'
        return DataError("D215", "a quote that does not close", place=at, hint=hint)
    if "aximum line size" in told or "maximum_object_size" in told:
        hint = "is it in the format that its name says? A quote that does not close can cause this too"
        return DataError("D216", "a row is too long to be read", place=at, hint=hint)
    if "unicode" in told.lower():
        return _not_utf8(at, path)
    wrong = _JSON.search(told)
    if wrong:
        return _malformed(path, int(wrong[1]), wrong[2])
    if "at least one non-root column" in told:
        return DataError("D209", "the file has no columns", place=path, hint="give a file with rows")
    if path.lower().endswith((".parquet", ".pq")):
        hint = "fetch or write it again"
        return DataError("D213", f"the Parquet file is damaged: {_first(told)}", place=path, hint=hint)
    return DataError("D204", f"cannot read it: {_first(told)}", place=at, hint=UNREADABLE_HINT)


def _not_utf8(at: str, path: str) -> DataError:
    name = os.path.basename(path)
    hint = f"turn it into UTF-8: iconv -f latin1 -t utf-8 {name} > new.csv; for Chinese text try -f gb18030"
    return DataError("D221", "the text is not in UTF-8", place=at, hint=hint)


def _first(told: str) -> str:
    """The first words, without what only a programmer of SQL would want."""
    first = _KIND.sub("", told.split("LINE 1:")[0].strip().partition("\n")[0])
    return first[:200] or "no reason was given"


def _malformed(path: str, number: int, why: str) -> DataError:
    """The error for JSON that cannot be read; DuckDB counts lines from one in some cases and from two in others."""
    why = why.partition(" Try ")[0].strip(" .")[:120]
    at = f"{path}, line {number}"
    try:
        with _text(path) as file:
            for line, text in enumerate(file, 1):
                if line == 1 and text.lstrip(b"\xef\xbb\xbf \t").startswith(b"["):
                    break  # an array: its lines are no objects
                if line >= number - 1 and text.strip() and _is_broken(text):
                    at = f"{path}, line {line}"
                    break
                if line > number:
                    break
    except (OSError, EOFError):
        pass  # the line that DuckDB told has to do
    if "UTF-8" in why:
        return _not_utf8(at, path)
    hint = 'each line must be one object, as in {"age": 31, "city": "Oslo"}'
    return DataError("D217", f"JSON that cannot be read: {why}", place=at, hint=hint)


def _text(path: str) -> Any:
    return gzip.open(path, "rb") if path.endswith(".gz") else open(path, "rb")


def _is_broken(text: bytes) -> bool:
    try:
        json.loads(text.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError):
        return True
    return False
