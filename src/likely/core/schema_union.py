"""Columns and schemas of two parts as one: the union of levels, the wider of two inferred kinds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from likely.core.reading_union import join_readings
from likely.core.schema import DISCRETE, NUMERIC, SKIP, UNLIKE, Column, Level, Schema, Text, in_order
from likely.core.tokens import vocabulary
from likely.core.yes_no_words import no_and_yes
from likely.errors import SchemaError, nearest
from likely.errors.advice import Advice, Kind


def join(left: Column, right: Column) -> Column:
    """The column that covers both: the union of levels, the wider of two inferred kinds.

    >>> join(Column("x", "category", ("a",)), Column("x", "category", ("b",))).levels
    ('a', 'b')
    >>> join(Column("x", "binary", (0, 1)), Column("x", "real")).kind
    'real'
    """
    if left.described or right.described:
        left, right = _described_alike(left, right)
    if left.cuts != right.cuts or (left.kind == "cut") != (right.kind == "cut"):
        raise _cut_unlike(left.name, "bin")
    kind = _join_kinds(left, right)
    if left.form != right.form and left.kind == right.kind:
        what = f"one part says {left.form}, the other {right.form}"
        raise SchemaError("S205", what, place=f"column {left.name!r}", hint="use the same options")
    declared = left.declared + tuple(level for level in right.declared if level not in set(left.declared))
    if kind == "binary" and not declared and {*left.levels, *right.levels} <= {0, 1}:
        declared = (0, 1)
    levels: Sequence[Level] = ()
    if kind == "text" and left.kind != right.kind:
        left, right, declared = as_text(left), as_text(right), ()
    if kind in (*DISCRETE, "text"):
        levels = _join_levels(left, right, declared)
    if kind == "binary" and len(levels) > 2:
        if left.fixed or right.fixed:
            what = f"a binary column has the levels {', '.join(map(repr, levels[:4]))}"
            hint = Advice("say ", Kind(left.name, "category"))
            raise SchemaError("S204", what, place=f"column {left.name!r}", hint=hint)
        kind = "category"
    if kind == "category" and not declared and (truth := no_and_yes(levels)) and len(levels) == 2:
        kind, levels = "binary", truth
    grids = [column.grid for column in (left, right) if column.grid is not None and not column.empty]
    grid = grids[0].union(grids[-1]) if grids else left.grid
    widest = left if left.kind == kind else right
    reading = join_readings(left, right) if left.kind == right.kind or widest is left else right.reading
    return replace(
        widest,
        kind=kind,
        levels=levels,
        declared=declared if levels else (),
        fixed=left.fixed or right.fixed,
        grid=grid if kind in ("parzen", "cut") or widest.described == "parzen" else None,
        empty=left.empty and right.empty,
        lone=_lone(left, right) if kind == "real" else None,
        hint=left.hint if left.hint and right.hint else "",
        counts_rows=left.counts_rows and bool(right.hint),
        whole=kind in (*NUMERIC, "cut") and _whole(left) and _whole(right),
        span=_joined_span(left, right),
        reading=reading,
    )


def _joined_span(left: Column, right: Column) -> tuple[float, float] | None:
    """The least and the largest of both; a part without values has none, and one that does not know spoils it."""
    known = [column.span for column in (left, right) if not column.empty]
    if not known or None in known:
        return None
    lows, highs = zip(*filter(None, known), strict=True)
    return min(lows), max(highs)


def _described_alike(left: Column, right: Column) -> tuple[Column, Column]:
    """Both parts with the description that they share, or that one has which the other, empty, cannot gainsay.

    All descriptions keep the moments of the numbers, so that parts that differ can still be normals together.
    """
    for one, other in ((left, right), (right, left)):
        if one.empty and not one.described and other.kind == "real":
            one = as_described(one, other)
            return (one, other) if other is right else (other, one)
    if left.kind == right.kind and left.described == right.described and left.cuts == right.cuts:
        return left, right
    if any(column.cuts is not None and column.described != "bins" for column in (left, right)):
        raise _cut_unlike(left.name, "bin" if left.cuts != right.cuts else "describe")  # others depend on its parts
    return as_normal(left), as_normal(right)


def _cut_unlike(name: str, verb: str) -> SchemaError:
    return SchemaError(
        "S213",
        f"the two parts {verb} the numbers of the column differently",
        place=f"column {name!r}",
        hint="give both models the same numbers= ('density' or 'levels') and the same cuts=, such as those of"
        " (likely.sketch(X1, y1) + likely.sketch(X2, y2)).cuts()",
    )


def as_described(column: Column, like: Column) -> Column:
    """A real column with the description of another; what it has seen stays."""
    return replace(column, described=like.described, cuts=like.cuts, form=like.form, grid=column.grid or like.grid)


def as_normal(column: Column) -> Column:
    """A column without its description, where it is a real one: with that of parts that differed."""
    if column.kind != "real":
        return column
    return replace(column, described=UNLIKE, cuts=None, form=None, grid=None)


def _whole(column: Column) -> bool:
    """Whether no number was seen that is not whole."""
    return column.whole or column.empty or column.kind in ("binary", "count")


def _join_levels(left: Column, right: Column, declared: tuple[Level, ...]) -> Sequence[Level]:
    if left.levels and left.levels == right.levels:
        return left.levels
    if left.wide:
        what = f"{len(left.levels)} and {len(right.levels)} word columns"
        raise SchemaError("S206", what, place="the matrix of words", hint="use one vocabulary")
    known = set(declared)
    others = (set(left.levels) | set(right.levels)) - known
    in_order(others | known, f"column {left.name!r}")
    return declared + in_order(others, f"column {left.name!r}")


def as_text(column: Column) -> Column:
    """A column of long texts, counted as levels so far, with its words."""
    if column.kind == "text":
        return column
    return replace(
        column, kind="text", levels=tuple(sorted(vocabulary(map(str, column.levels)))), declared=(), form=Text()
    )


def _lone(left: Column, right: Column) -> int | None:
    values = {column.lone for column in (left, right) if not column.empty}
    return values.pop() if len(values) == 1 else None


def _join_kinds(left: Column, right: Column) -> str:
    if {left.lone, right.lone} == {0, 1}:
        return "binary"
    if left.kind == right.kind:
        return left.kind
    pairs = ((left, right), (right, left))
    for one, other in pairs:
        if one.kind == SKIP and not other.fixed:
            return SKIP
        if one.open and (one.empty or (one.lone is not None and other.levels == (0, 1))):
            return other.kind
    for one, other in pairs:
        if one.kind == "category" and not one.fixed and other.kind == "text" and not numeric_levels(one.levels):
            return other.kind  # long texts that were counted as levels so far
        widens = other.kind == "category" or (other.kind in ("real", "count") and numeric_levels(one.levels))
        if one.kind == "binary" and not one.fixed and widens:
            return other.kind
    what = f"the column is {left.kind} in one part and {right.kind} in the other"
    hint = Advice("name its kind: ", Kind(left.name, right.kind))
    raise SchemaError("S203", what, place=f"column {left.name!r}", hint=hint)


def numeric_levels(levels: Sequence[Level]) -> bool:
    """Whether the levels are numbers, so that counts of them can become moments."""
    return all(not isinstance(level, str) for level in levels)


def unite(left: Schema, right: Schema) -> Schema:
    """The schema of both parts together; columns must be the same, in the same order."""
    mine, theirs = [c.name for c in left.columns], [c.name for c in right.columns]
    if mine != theirs:
        odd = next((name for name in theirs if name not in mine), None) or next(
            (n for n in mine if n not in theirs), None
        )
        hint = (
            f"{odd!r} is in one part only.{nearest(odd, (set(mine) ^ set(theirs)) - {odd})}"
            if odd
            else "put the columns in the same order"
        )
        raise SchemaError("S201", "the two parts have different columns", place="columns", hint=hint)
    columns = tuple(join(a, b) for a, b in zip(left.columns, right.columns, strict=True))
    return Schema(columns, join_target(left.target, right.target), left.named)


def join_target(left: Column, right: Column) -> Column:
    """The target of both parts: the union of the classes, sorted."""
    levels = in_order({*left.levels, *right.levels}, "the target")
    declared = in_order({*left.declared, *right.declared}, "the target")
    return replace(left, levels=levels, declared=declared, reading=join_readings(left, right))
