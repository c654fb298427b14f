"""A report of a table or of a fitted model: plain data, and the page that shows them."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from likely.core.docstrings import describe
from likely.core.schema import plain
from likely.data.targets.label_rows import labelled
from likely.data.targets.labels import one_class
from likely.data.targets.numeric_target import is_numeric_target
from likely.errors import DataError, OptionError, nearest
from likely.errors.options import choose
from likely.estimators.fit_and_load import columns_of, fit
from likely.estimators.inspection import Inspection, inspect
from likely.evaluation.folds.splits import read_splits
from likely.evaluation.recalibration.recalibration import bent
from likely.evaluation.rows.evaluation_rows import Judged, Labelled, read_judged
from likely.output.atomic_write import atomic_write, check_place
from likely.output.notebook import Shown
from likely.report.content.content import content
from likely.report.content.models_tried import contest, fitted_pools, folds_for, named_models, tried_by_default, winner
from likely.report.content.subject import Subject, digest_of, inspected, judged, told_by

LANGUAGES = ("en", "zh")
ENDINGS = (".html", ".htm")
Tick = Callable[[], object]


@dataclass(frozen=True, eq=False, repr=False)
class Report(Shown):
    """What a report says: `content` is plain data, `language` that of its words. `save` writes the page.

    >>> import likely
    >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
    >>> found = likely.NaiveBayes().fit(X, y).report(X, y)
    >>> found.content["performance"]["rows"], found
    (8, report of NaiveBayes for 'y': 8 rows, accuracy 0.875, log loss 0.787)
    """

    content: Mapping[str, Any]
    language: str = "en"
    model: Any = field(default=None, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """The content as plain data.

        >>> import likely
        >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
        >>> likely.NaiveBayes().fit(X, y).report(X, y).to_dict()["confusion"]["matrix"]
        [[4, 0], [1, 3]]
        """
        return dict(self.content)

    def to_html(self) -> str:
        """The page, which needs no other file and no network.

        >>> import likely
        >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
        >>> likely.NaiveBayes().fit(X, y).report(X, y).to_html()[:15]
        '<!doctype html>'
        """
        from likely.report.page.page import page

        return page(self.content)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file that ends in .html, replacing an old one only when complete.

        >>> import tempfile
        >>> import likely
        >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     likely.NaiveBayes().fit(X, y).report(X, y).save(Path(folder, "page.html"))
        ...     Path(folder, "page.html").stat().st_size < 1_000_000
        ...
        True
        """
        check_place(path, ENDINGS)
        page = self.to_html()
        with atomic_write(path) as name:
            Path(name).write_text(page, encoding="utf-8")

    def __repr__(self) -> str:
        told = self.content["performance"]
        scores = {one["name"]: one["value"] for one in told["scores"]}
        names = ("r2", "rmse") if self.content["numeric"] else ("accuracy", "log_loss")
        shown = ", ".join(f"{name.replace('_', ' ')} {_short(scores[name])}" for name in names)
        return f"report of {self.content['model']} for {self.content['target']!r}: {told['rows']:,} rows, {shown}"

    def _html(self) -> str:
        from likely.report.page.summary import summary

        return summary(self.content)


def _short(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)


@describe
def report(
    source: Any,
    target: str,
    model: Any = None,
    kinds: Any = "auto",
    language: str = "en",
    seed: int = 0,
    missing_marks: Sequence[str] = (),
) -> Report:
    """The report of a table: models are tried on the same folds, and the one that loses least is shown.

    `source` is a path, a data frame or a relation that holds the target in a column. `model` is a name as the command
    line knows it, an estimator, or several names of which the best is shown; by default some that suit the target.

    >>> import pandas
    >>> rows = pandas.DataFrame({"sky": ["sun", "rain"] * 10, "place": ["out", "in"] * 9 + ["in", "out"]})
    >>> report(rows, "place", model="naive").content["model"]
    'NaiveBayes'
    """
    import pyarrow as pa

    rows = columns_of(source, target, missing_marks=missing_marks, kinds=kinds).kept()
    if target not in rows.columns:
        hint = f"the columns are {', '.join(rows.columns)}.{nearest(target, rows.columns)}"
        raise OptionError("O706", f"there is no column {target!r}", place="target=", hint=hint)
    known, _ = labelled(rows, target)
    table = pa.Table.from_batches(list(known.read()))
    place = os.fspath(source) if isinstance(source, str | os.PathLike) else type(source).__name__
    y = table.column(target).combine_chunks()
    return report_table(table.drop_columns([target]), y, target, model, kinds, language, seed, place)


def report_table(
    X: Any,
    y: Any,
    target: str,
    model: Any = None,
    kinds: Any = "auto",
    language: str = "en",
    seed: int = 0,
    place: str = "",
    command: str = "",
    tick: Tick | None = None,
    speak: Callable[[str], str] = str,
) -> Report:
    """The report of an Arrow table and the labels of its rows; `speak` puts advice into the words of who asked."""
    import pyarrow as pa

    choose(language, LANGUAGES, "language", "O705")
    if not X.num_rows:
        raise DataError("D117", "there are no rows", place=place, hint="give at least one row")
    numeric = is_numeric_target(pa.table({target: y}).to_batches(), target)
    classes = y.unique().to_pylist()
    if not numeric and len(classes) < 2:
        raise one_class(classes, f"{place}, target {target!r}")
    seen = inspect(X.append_column(target, y), target, kinds)
    models = _models(model, _without_identifiers(kinds, seen), X, numeric, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what columns are like the page tells itself
        pools = fitted_pools(models, lambda model: _fitted(model, X, y, target))
        laid, comparison, runs, left = contest(models, X, y, folds_for(models, X.num_rows), seed, tick, pools)
        best = winner(comparison)
        fitted = pools[best].model if best in pools else _fitted(models[best], X, y, target)
        rows: Judged = laid.rows
        said, method, folds, exact, notes = told_by(runs[best])
        if isinstance(rows, Labelled):  # classes in the order of the model
            said = said[:, [rows.classes.index(plain(level)) for level in fitted.classes_]]
            rows = rows.under(fitted.classes_)
        names, digest = X.column_names, digest_of(place, X, y, X.column_names)
        only = comparison if len(comparison.rows) > 1 else None
        subject = Subject(
            fitted, rows, target, said, method, folds, exact, notes, place or ", ".join(names[:3]), digest, seen,
            only, left, seed, speak,
        )  # fmt: skip
        return Report(content(subject, language, command, tick), language, fitted)


@describe
def report_model(model: Any, X: Any, y: Any, language: str = "en", seed: int = 0) -> Report:
    """The report of a fitted model on rows X whose classes or numbers y are known.

    As many rows as the model has learnt are taken for those that it learnt: models of the other folds judge them.
    Other rows are judged by the model as it is.

    >>> import likely
    >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
    >>> report_model(likely.NaiveBayes().fit(X, y), X, y).content["performance"]["method"]
    'cross_validation'
    """
    return report_fitted(model, X, y, language, seed)


def report_fitted(
    model: Any,
    X: Any,
    y: Any,
    language: str = "en",
    seed: int = 0,
    place: str = "",
    command: str = "",
    speak: Callable[[str], str] = str,
) -> Report:
    """The same; `place` is the file of the rows, and `command` what asked for it."""
    choose(language, LANGUAGES, "language", "O705")
    inner = model.model if hasattr(model, "maps") else model
    if not hasattr(inner, "model_"):
        raise OptionError("O366", "the model has learnt nothing", place="model", hint="call fit(X, y) first")
    learnt, names, target = inner.model_.rows.sum(), list(inner.model_.schema.origins), inner.model_.schema.target.name
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows: Judged = read_judged(inner, X, y)
        if isinstance(rows, Labelled):
            rows = rows.under(model.classes_)
        same = len(rows) == learnt and len(rows) > 1
        splits = read_splits(rows.codes, folds_for({"": inner}, len(rows)), seed) if same else None
        said, method, folds, exact, notes = judged(model if splits is None else inner, rows, splits)
        if inner is not model and splits is not None and isinstance(rows, Labelled):
            said = bent(model.method, said, rows, splits.fold)  # by maps of the other folds
        subject = Subject(
            inner, rows, target, said, method, folds, exact, notes, place or type(X).__name__,
            digest_of(place, X, y, names), inspected(X, y, target, names), None, {}, seed, speak,
            getattr(model, "method", "") if inner is not model else "",
        )  # fmt: skip
        return Report(content(subject, language, command, None), language, model)


def _models(model: Any, kinds: Any, X: Any, numeric: bool, seed: int) -> dict[str, Any]:
    """{name: model} to try: as said, else those that suit the target."""
    if model is not None and not isinstance(model, str | Sequence):
        if not hasattr(model, "_learn_first"):
            hint = "compare others with likely.evaluation.compare; report on a model of likely, or on one by name"
            raise OptionError("O707", f"reports know nothing of {type(model).__name__}", place="model=", hint=hint)
        return {type(model).__name__: model}
    names = [model] if isinstance(model, str) else [*(model or tried_by_default(numeric))]
    return named_models(names, kinds, columns_of(X), seed)


def _without_identifiers(kinds: Any, seen: Inspection) -> Any:
    """The kinds, columns that count the rows set aside."""
    counting = {one.name: "skip" for one in seen.columns if one.counter}
    return {**counting, **(kinds if isinstance(kinds, Mapping) else {})} if counting else kinds


def _fitted(model: Any, X: Any, y: Any, target: str) -> Any:
    """The model of all rows, whose target has its name."""
    return fit(X.append_column(target, y), target, model)
