"""CSV and TSV files: the types of their columns, from all values in flat memory, and the query that reads them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from likely.data.files.csv_dialect import SQL_TEXT, Dialect

LONE_COLUMNS = 32  # columns that a query asks about one by one; of more, several are asked together
TYPED_ROWS = 2048  # rows that show what a column can be at all; DuckDB tells a dialect from ten times as many

# A number as DuckDB's own telling of types has it: no plus, no underscore, no leading zero ("007" is a word). That
# telling itself would hold the whole file in memory, and a reader that is told BIGINT takes 1.5 for 2. Most numbers
# pass the fast test that comes first: they start with 1 to 9, with a minus or a point, or with 0 and a point.
_PLAIN = (
    "not contains({0}, '_') and case"
    " when {0} between '1' and ':' or {0} between '-' and '/' or {0} between '0.' and '0/' then true"
    " else not regexp_matches({0}, '^\\s*(\\+|0[0-9])') end"
)
_DIGITS = "\\s*(-?[0-9]+|0[xX][0-9a-fA-F]+|0[bB][01]+)\\s*"
_DATES = ("%Y-%m-%d", "%Y/%m/%d", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%d.%m.%Y")
# What a column can be, best first, and the test that every value must pass.
TYPE_TESTS = {
    "BIGINT": "case when {0} = try_cast({0} as bigint)::varchar then true "
    f"else try_cast({{0}} as bigint) is not null and regexp_full_match({{0}}, '{_DIGITS}') and {_PLAIN} end",
    "DOUBLE": f"try_cast({{0}} as double) is not null and not ends_with({{0}}, ' ') and {_PLAIN}",
    "BOOLEAN": "lower({0}) in ('true', 'false')",
    **{f"DATE {form}": f"try_strptime({{0}}, '{form}') is not null" for form in _DATES},
    "TIMESTAMP": "try_cast({0} as timestamp) is not null",
}
ALL_TYPES = (*TYPE_TESTS, SQL_TEXT)
_DAYS = tuple(kind for kind in TYPE_TESTS if kind.startswith(("DATE", "TIMESTAMP")))
# What is left for a column after the type that its first values have.
_LEFT = {"BIGINT": ("BIGINT", "DOUBLE"), "DOUBLE": ("DOUBLE",), "DATE": _DAYS, "TIMESTAMP": _DAYS, SQL_TEXT: ()}


def possible_types(connection: Any, table: Dialect) -> Iterable[tuple[str, ...]]:
    """For each column of a file what all its values can be, best first; anything where there are none."""
    rows, width = table.rows([SQL_TEXT] * len(table.types)), len(table.types)
    told = _passed(connection, f"(from {rows} limit {TYPED_ROWS})", [("BOOLEAN", "DOUBLE")] * width)
    left = [
        tuple(TYPE_TESTS)
        if not seen
        else _among_words(*flags)
        if kind == SQL_TEXT
        else _LEFT.get(kind, tuple(TYPE_TESTS))
        for kind, (seen, *flags) in zip(table.types, told, strict=True)
    ]
    for kinds, (count, *fits) in zip(left, _passed(connection, rows, left), strict=True):
        yield (*(kind for kind, fit in zip(kinds, fits, strict=True) if fit), SQL_TEXT) if count else ALL_TYPES


def _passed(connection: Any, rows: str, kinds: Sequence[tuple[str, ...]]) -> list[tuple[Any, ...]]:
    """How many values each column has, and whether all of them pass the tests of the kinds that are asked of it.

    Of a wide table, the values of columns that are asked the same stand below each other, in a few stacks: a query
    takes the square of the number of columns that it asks something of. All are read, so that faults come to light.
    """
    height = -(-len(kinds) // LONE_COLUMNS)
    alike = [[at for at, mine in enumerate(kinds) if mine == some] for some in dict.fromkeys(kinds)]
    stacks = [columns[at : at + height] for columns in alike for at in range(0, len(columns), height)]
    values, asked = [f"{_below(range(height), '{}')} as place"], ["place"]
    for stack, columns in enumerate(stacks):
        values.append(f"{_below(columns, 'c{}')} as v{stack}")
        passes = (
            f"bool_and(coalesce({TYPE_TESTS[kind]}, false)) filter ({{0}} is not null)" for kind in kinds[columns[0]]
        )
        asked += [look.format(f"v{stack}") for look in ("count({0})", *passes)]
    query = f"select {', '.join(asked)} from (select {', '.join(values)} from {rows}) group by place"
    told = {place: iter(answers) for place, *answers in connection.sql(query).fetchall()}
    found: list[tuple[Any, ...]] = [(0, *(None for _ in some)) for some in kinds]
    for columns in stacks:
        for place in told:  # a stack that is not full has nothing at its last places
            answers = tuple(next(told[place]) for _ in found[columns[0]])
            if place < len(columns):
                found[columns[place]] = answers
    return found


def _below(numbers: Sequence[int], form: str) -> str:
    """The values of columns below each other, one row after the other."""
    told = ", ".join(map(form.format, numbers))
    return told if len(numbers) == 1 else f"unnest([{told}])"


def _among_words(flags: bool, numbers: bool) -> tuple[str, ...]:
    """What words may still be: true and false, or numbers that DuckDB takes for words because of an infinite one."""
    return ("BOOLEAN",) if flags else ("DOUBLE",) if numbers else ()


def query(tables: Sequence[Dialect], possible: Sequence[Sequence[tuple[str, ...]]]) -> tuple[list[str], str]:
    """The names of all columns, and the query that reads all files one after the other; columns go by name."""
    can_be: dict[str, list[tuple[str, ...]]] = {}
    for table, kinds in zip(tables, possible, strict=True):
        for name, some in zip(table.names, kinds, strict=True):
            can_be.setdefault(name, []).append(some)
    best = {name: _best(kinds) for name, kinds in can_be.items()}
    parts = []
    for table in tables:
        at = {name: f"c{place}" for place, name in enumerate(table.names)}
        told = ", ".join(f"{_value(at.get(name), kind)} as c{place}" for place, (name, kind) in enumerate(best.items()))
        types = [best[name] if best[name] in ("BIGINT", "DOUBLE") else SQL_TEXT for name in table.names]
        parts.append(f"select {told} from {table.rows(types)}")
    return list(best), " union all ".join(parts)


def _best(kinds: Sequence[tuple[str, ...]]) -> str:
    """The best of what a column can be in every file; words where it is nothing but holes."""
    if all(some == ALL_TYPES for some in kinds):
        return SQL_TEXT
    return next(kind for kind in ALL_TYPES if all(kind in some for some in kinds))


def _value(column: str | None, kind: str) -> str:
    """A column of words or numbers as what it is."""
    if column is None:
        return f"cast(null as {kind.partition(' ')[0]})"
    if kind == "BOOLEAN":
        return f"lower({column}) = 'true'"
    if kind.startswith("DATE"):
        return f"cast(strptime({column}, '{kind.partition(' ')[2]}') as date)"
    return f"cast({column} as timestamp)" if kind == "TIMESTAMP" else column
