"""Files with tables to compare models on, the target of each, and how the rows of each are split."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from glob import has_magic
from pathlib import Path
from typing import Any

from likely.cli.options import columns_of_kinds, read_kinds
from likely.cli.terminal.failures import UsageError
from likely.cli.terminal.session import Session

STDIN = "-"


@dataclass(frozen=True)
class ComparedTable:
    """A table in memory whose columns are what models learn from, and how its rows are dealt out."""

    name: str
    target: str
    rows: Any
    y: Any
    kinds: Any
    deals: dict[str, Any]  # as `lay_out` takes them

    @property
    def numeric(self) -> bool:
        """Whether regression models are for it."""
        import pyarrow as pa

        from likely.data.targets.numeric_target import is_numeric_target

        return is_numeric_target(pa.table({self.target: self.y}).to_batches(), self.target)


def read_targets(words: Sequence[str], target: str | None) -> list[tuple[str, str | None]]:
    """(file, target) of each word: FILE, or FILE:COLUMN where the target has another name than --target says.

    >>> read_targets(["a.csv", "b.csv:price"], "y")
    [('a.csv', 'y'), ('b.csv', 'price')]
    """
    found: list[tuple[str, str | None]] = []
    for word in words:
        path, colon, column = word.rpartition(":")
        named = bool(colon and path and column) and not os.path.exists(word) and not _is_place(path, column)
        found.append((path, column) if named else (word, target))
    return found


def _is_place(path: str, rest: str) -> bool:
    """Whether a colon belongs to the path: that of a drive, or of an address."""
    return len(path) == 1 or rest.startswith("//")


def names_of(places: Sequence[tuple[str, str | None]]) -> list[str]:
    """What tables are called: their files without folders and endings, or more where two would be alike.

    >>> names_of([("data/a.csv", "y"), ("b.csv.gz", "y")]), names_of([("one/a.csv", "y"), ("two/a.csv", "y")])
    (['a', 'b'], ['one/a.csv', 'two/a.csv'])
    >>> names_of([("a.csv", "y"), ("a.csv", "z")])
    ['a.csv:y', 'a.csv:z']
    """
    for path, target in places:
        if places.count((path, target)) > 1:
            what = f"{path} is named twice" + ("" if target is None else f" with target {target!r}")
            raise UsageError("U110", what, place="DATA", hint="name each table once")
    paths = [path for path, _ in places]
    stems = [Path(path).name.split(".")[0] or path for path in paths]
    names = [
        path if stems.count(stem) > 1 or has_magic(path) else stem for path, stem in zip(paths, stems, strict=True)
    ]
    return [f"{name}:{target}" if paths.count(path) > 1 else name
            for name, (path, target) in zip(names, places, strict=True)]  # fmt: skip


def open_compared(
    session: Session,
    data: str,
    name: str,
    target: str | None,
    form: str | None,
    kind: Sequence[str] | None,
    classes: bool | None,
    folds: int | None,
    by: dict[str, Any],
) -> ComparedTable:
    """The table of a file; folds that cannot be are refused before any model is tried.

    `classes` says whether classifiers are named: then a target of one class is refused first.
    """
    from likely.cli.held_out_rows import HoldoutPlan
    from likely.cli.inputs import open_rows, open_table, target_missing
    from likely.core.identifiers import note_aside
    from likely.data.targets.labels import one_class
    from likely.estimators.fit_and_load import columns_of
    from likely.estimators.inspection import inspect

    if target is None:
        error = target_missing(open_rows(session, data, form), "likely compare")
        error.hint = error.hint.replace(";", f", or {data}:COLUMN for this file;", 1)
        raise error
    kinds = read_kinds(kind)
    named = (by["groups"], by["time"], *columns_of_kinds(kind))
    table, y, target = open_table(data, form, target, session, named, kinds)
    plan = HoldoutPlan.read(columns_of(table), target, by["groups"], by["time"], by["holdout"], kinds, "compare")
    found = ComparedTable(name, target, table, y, kinds, {})
    if (classes or (classes is None and not found.numeric)) and len(levels := y.unique().to_pylist()) < 2:
        raise one_class(levels, f"{data}, target {target!r}")
    deals = _dealt(plan, table, y, folds, session.seed)
    plan.note(session, columns_of(table))
    rows = table.drop_columns(list(plan.columns))
    for column in [one.name for one in inspect(rows, kinds=kinds).columns if one.counter]:
        session.note(note_aside(column, "real", "category"))
        kinds = {**(kinds if isinstance(kinds, dict) else {}), column: "skip"}
    return ComparedTable(name, target, rows, y, kinds, deals)


def refuse_mixed(tables: Sequence[ComparedTable]) -> bool:
    """Whether the targets are numeric; tables of both sorts are refused."""
    numeric = [table.numeric for table in tables]
    if len(set(numeric)) > 1:
        one, other = tables[numeric.index(True)], tables[numeric.index(False)]
        what = f"{one.target!r} of {one.name} is numeric, {other.target!r} of {other.name} holds classes"
        hint = "compare tables with classes, and those with a numeric target, each by themselves"
        raise UsageError("U118", what, place="DATA", hint=hint)
    return numeric[0]


def _dealt(plan: Any, table: Any, y: Any, folds: int | None, seed: int) -> dict[str, Any]:
    """How the rows are split, as `lay_out` takes it."""
    import numpy as np

    from likely.cli.held_out_rows import MOST_FOLDS
    from likely.evaluation import split

    if not plan.said:
        split(y, folds or MOST_FOLDS, seed)
        return {"folds": folds or MOST_FOLDS}
    codes = np.asarray(y.dictionary_encode().indices) if not hasattr(y, "dictionary") else np.asarray(y.indices)
    splits = plan.splits(table, codes, seed, folds)
    if plan.groups is not None and plan.time is None and plan.share is None:
        return {"folds": len(splits.held), "groups": table.column(plan.groups).to_pylist()}
    return {"cv": splits}
