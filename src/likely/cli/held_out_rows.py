"""Which rows a model is judged by: others in folds, those of other groups, later ones, a share or a file held out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from likely.cli.inputs import check_column, table_of
from likely.cli.terminal.failures import UsageError
from likely.cli.terminal.session import Session
from likely.output.phrases import plural

MOST_FOLDS = 10


@dataclass(frozen=True)
class HoldoutPlan:
    """How the command line says that a model is to be judged: by groups, by time, on a share or a file held out."""

    groups: str | None = None
    time: str | None = None
    holdout: str | None = None
    form: str | None = None  # of the file held out
    match_labels: bool = False  # whether labels of that file are taken for the classes that they nearly are
    columns: tuple[str, ...] = ()  # of groups and time, set aside unless their kind is said

    @property
    def said(self) -> bool:
        return any(one is not None for one in (self.groups, self.time, self.holdout))

    @property
    def of_file(self) -> bool:
        """Whether --holdout names a file."""
        return self.holdout is not None and self.share is None

    @property
    def share(self) -> float | None:
        """The share of rows to hold out, if --holdout says one."""
        if self.holdout is None:
            return None
        word = self.holdout.strip()
        try:
            share = float(word.removesuffix("%")) / (100 if word.endswith("%") else 1)
        except ValueError:
            return None
        if not 0 < share < 1:
            hint = "say a share between 0 and 1, as in --holdout 0.2, or a file: --holdout later.csv"
            raise UsageError("U146", f"{self.holdout} is no share of rows", place="--holdout", hint=hint)
        return share

    @classmethod
    def read(
        cls, source: Any, target: str, groups: str | None, time: str | None, holdout: str | None, kinds: Any, verb: str
    ) -> HoldoutPlan:
        """The plan, checked against the columns that there are; columns whose kind is said are columns like others."""
        from likely.data.files.column_numbers import column_said

        groups, time = (name and column_said(name, source.columns) for name in (groups, time))
        for option, name in (("--groups", groups), ("--time", time)):
            if name is None:
                continue
            check_column(name, source)
            if name == target:
                hint = "say another column"
                raise UsageError("U110", f"{option} and --target name one column", place=f"likely {verb}", hint=hint)
        said = kinds if isinstance(kinds, dict) else {}
        aside = [name for name in (groups, time) if name is not None and name not in said]
        plan = cls(groups, time, holdout, columns=tuple(dict.fromkeys(aside)))
        if plan.of_file and verb != "fit":
            hint = "say a share, as in --holdout 0.2; or likely fit --holdout FILE, or likely evaluate MODEL FILE"
            raise UsageError("U146", f"{holdout!r} is no share of rows", place="--holdout", hint=hint)
        if plan.of_file and (groups is not None or time is not None):
            hint = "a file says which rows are held out: leave --groups and --time out, or say a share: --holdout 0.2"
            raise UsageError("U110", "--holdout FILE goes by no column", place=f"likely {verb}", hint=hint)
        return plan

    def note(self, session: Session, source: Any) -> None:
        """Say which columns the model does not learn from."""
        import pyarrow.types as types

        from likely.errors.advice import Advice, Kind

        for name in self.columns:
            kind = next(iter(source.read())).schema.field(name).type
            number = types.is_integer(kind) or types.is_floating(kind)
            why = "which rows belong together" if name == self.groups else "which rows are later"
            told = f"{name!r} says {why} and is not learnt from"
            wish = "category" if name == self.groups else "real" if number else None
            session.note(told if wish is None else Advice(f"{told}; to use it too, say ", Kind(name, wish)))

    def without_columns(self, source: Any) -> Any:
        """The source without the columns that say how to judge."""
        if not self.columns:
            return source
        return replace(source, columns=tuple(name for name in source.columns if name not in self.columns))

    def splits(self, table: Any, codes: Any, seed: int, folds: int | None = None) -> Any:
        """The splits of the rows of a table, given the codes of their classes."""
        from likely.evaluation.folds.splits import TIME_FOLDS, group_codes, held_share, read_splits, time_ranks

        groups, times = (None if name is None else table.column(name).to_pylist() for name in (self.groups, self.time))
        if self.share is not None:
            named = None if groups is None else group_codes(groups, len(codes), "--groups")
            ranks = None if times is None else time_ranks(times, len(codes), "--time")
            return held_share(codes, self.share, seed, named, ranks)
        if times is not None:
            blocks = max(1, min(TIME_FOLDS, len(set(times) - {None}) - 1))
            return read_splits(codes, folds or blocks, seed, groups=groups, times=times)
        if groups is not None:
            different = len(set(groups) - {None}) + groups.count(None)
            return read_splits(codes, folds or max(2, min(MOST_FOLDS, different)), seed, groups=groups)
        return read_splits(codes, folds or min(MOST_FOLDS, len(codes)), seed)

    def words(self, splits: Any, method: str) -> tuple[str, str]:
        """How the rows were judged: in a word and in a sentence."""
        judged, folds = plural(len(splits.at), "row"), len(splits.held)
        others = "" if self.groups is None else f", none of the same {self.groups!r}"
        if self.share is not None:
            taught = plural(len(splits.taught(0)), "row")
            which = f"the last {judged} by {self.time!r}" if self.time is not None else f"{judged} held out"
            before = f"{taught} before them" if self.time is not None else f"the other {taught}"
            return "holdout", f"{which}, judged by a model of {before}{others}; the model itself has learnt all rows"
        if self.time is not None:
            how = f"each by a model of the rows before it{others} ({plural(folds, 'block')} by {self.time!r})"
            return "time_splits", f"{judged} of {splits.rows:,} judged, {how}"
        exact = ", exact" if method == "subtraction" else ""
        if self.groups is not None:
            how = (
                f"every row judged by a model that never saw its {self.groups!r} ({folds}-fold cross-validation{exact})"
            )
            return "cross_validation", how
        how = f"every row judged by a model of the others ({folds}-fold cross-validation of the same rows{exact})"
        return "cross_validation", how


def split_rows(
    session: Session, model: Any, source: Any, target: str, weight: str | None, plan: HoldoutPlan
) -> tuple[Any, Any]:
    """The rows in memory, in the form that the model is judged by, and how the plan splits them."""
    from likely.evaluation.rows.evaluation_rows import read_judged

    table, y, weights = table_of(source, target, weight)
    rows = read_judged(model, table.drop_columns(list(plan.columns)), y, weights)
    return rows, plan.splits(table, rows.codes, session.seed)


def rows_learnt_too(held: Any, learnt: Any) -> int:
    """How many rows of a source are among those learnt, word for word; 0 where chance may have made them so.

    By chance as many are as rows learnt have an equal one beside them.
    """
    names = tuple(learnt.columns)
    if not set(names) <= set(held.columns):
        return 0
    known, asked = Counter(_cells(learnt, names)), list(_cells(held, names))
    twin = sum(count for count in known.values() if count > 1) / max(known.total(), 1)
    found = sum(row in known for row in asked)
    expected = len(asked) * twin
    return found if found > expected + 3.0 * math.sqrt(expected * (1.0 - twin)) + 1.0 else 0


def _cells(source: Any, names: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    """The rows of a source."""
    for batch in source.read():
        yield from zip(*(batch.column(name).to_pylist() for name in names), strict=True)
