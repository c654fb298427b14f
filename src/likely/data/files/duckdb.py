"""DuckDB as we use it: in memory, offline and silent; and plain values as SQL writes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from likely.data.files.paths import literal_pattern

OFFLINE = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}


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
