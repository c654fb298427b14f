"""Cross-validation: every row judged by a model that has not seen it.

Such a model is the whole minus a fold where it can forget, else a refit.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.core.schema import Grid, Level
from likely.data.targets.label_codes import read_codes
from likely.data.targets.labels import one_class
from likely.errors import ModelError, NotLearntError
from likely.evaluation.folds.costs import Costs
from likely.evaluation.folds.splits import Splits, read_splits
from likely.evaluation.regression_scores import RegressionEvaluation, evaluation_of
from likely.evaluation.rows.evaluation_rows import Judged, Labelled, Measured, read_judged
from likely.evaluation.rows.refit import quietly
from likely.models import Model
from likely.output.jsonable import Written, to_jsonable
from likely.statistics import Question

if TYPE_CHECKING:
    from likely.evaluation.report import Evaluation

GRID_SLACK_NODES = 4  # nodes: how far the range of a column may be from that of its grid's nodes that hold mass


class FoldPredictions(Written):
    """What models that had not seen a row said of it, and what rows dealt out to folds know of how these were had.

    `refitted` are the folds whose model was fitted afresh, and `why` says why; all others are the whole minus a part.
    """

    fold: Array
    refitted: tuple[int, ...]
    why: str
    _form: ClassVar[str]  # of a score

    @property
    def folds(self) -> int:
        return int(self.fold.max()) + 1

    @property
    def method(self) -> str:
        """'subtraction', 'refit', or 'subtraction and refit' where some folds had to be fitted afresh."""
        if not self.refitted:
            return "subtraction"
        return "refit" if len(self.refitted) == self.folds else "subtraction and refit"

    @property
    def notes(self) -> tuple[str, ...]:
        """What the folds are to blame for, whatever the model."""
        return ()

    @property
    def _judged(self) -> tuple[Judged, Floats]:
        """The rows, and what was said of them."""
        raise NotImplementedError

    def _page(self) -> Any:
        """A row for each row that was judged: its fold, the truth, and what was said of it."""
        page = {"fold": self.fold.tolist(), **self._said()}
        return [dict(zip(page, row, strict=True)) for row in zip(*page.values(), strict=True)]

    def _said(self) -> dict[str, list[Any]]:
        """The truth and what was said, by the names of columns."""
        raise NotImplementedError

    def scores(self) -> dict[str, Floats]:
        """(folds,) each: the scores on each fold, NaN where undefined.

        Of classes accuracy, log loss and Brier score; of a number mean squared error, its root, mean absolute error
        and R².

        >>> import likely
        >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
        >>> model = likely.NaiveBayes().fit(X, y)
        >>> likely.evaluation.cross_validate(model, X, y, folds=2).scores()["accuracy"].shape
        (2,)
        """
        return self.by_fold(*self._judged)

    def by_fold(self, rows: Judged, said: Floats) -> dict[str, Floats]:
        """(folds,) each: the scores of the rows of each fold, of which the models said that.

        >>> import likely
        >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
        >>> model = likely.NaiveBayes().fit(X, y)
        >>> found = likely.evaluation.cross_validate(model, X, y, folds=2)
        >>> from likely.evaluation.rows.evaluation_rows import Labelled
        >>> found.by_fold(Labelled.read(X, y), found.log_proba)["accuracy"].tolist()
        [1.0, 0.75]
        """
        parts = [np.flatnonzero(self.fold == part) for part in range(self.folds)]
        found = [rows.take(part).scores(said[part]) for part in parts]
        return {name: np.array([score[name] for score in found]) for name in found[0]}

    def evaluate(self) -> Any:
        """The evaluation of all out-of-fold predictions together."""
        raise NotImplementedError

    def plot(self, **options: Any) -> Any:
        """A figure of the evaluation of all out-of-fold predictions.

        >>> import likely
        >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
        >>> model = likely.NaiveBayes().fit(X, y)
        >>> found = likely.evaluation.cross_validate(model, X, y, folds=2)
        >>> figure = found.plot()
        >>> [axes.get_title() for axes in figure.axes][:2]
        ['ROC: b vs. rest', 'Precision and recall of b']
        """
        return self.evaluate().plot(**options)

    def to_dict(self) -> dict[str, Any]:
        """What was said of each row, and the scores of each fold, as plain data.

        >>> import likely
        >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
        >>> model = likely.NaiveBayes().fit(X, y)
        >>> found = likely.evaluation.cross_validate(model, X, y, folds=2)
        >>> found.to_dict()["method"], found.to_dict()["fold"]
        ('subtraction', [0, 1, 0, 1, 0, 0, 1, 1])
        """
        return {"rows": len(self.fold), **super().to_dict(), "scores": to_jsonable(self.scores())}

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__}: {len(self.fold)} rows in {self.folds} folds, by {self.method}"]
        lines += [f"  {self.why}"] if self.why else []
        for name, values in self.scores().items():
            known = values[~np.isnan(values)]
            mean, low, high = (f"{end(known):{self._form}}" if len(known) else "" for end in (np.mean, np.min, np.max))
            lines.append(f"  {name:<8}  {mean}  ({low} to {high})" if mean else f"  {name:<8}  undefined")
        return "\n".join([*lines, *(f"  note: {note}" for note in self.notes)])


@dataclass(frozen=True, eq=False, repr=False)
class CrossValidation(FoldPredictions):
    """What models that had not seen a row said of it: log_proba (rows, classes); fold and y (rows,).

    `refitted` are the folds whose model was fitted afresh, and `why` says why; all others are the whole minus a part.
    Where the splits leave rows out, `at` are the places of those that were judged, and all else is of these alone.
    `about` names the model and the target, where they are known.

    >>> import likely
    >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
    >>> model = likely.NaiveBayes().fit(X, y)
    >>> found = likely.evaluation.cross_validate(model, X, y, folds=2)
    >>> found.classes, len(found.fold)
    (('a', 'b'), 8)
    """

    log_proba: Floats
    fold: Array
    classes: tuple[Level, ...]
    y: Array
    weights: Floats | None = None
    refitted: tuple[int, ...] = ()
    why: str = ""
    unlearnt: tuple[Level, ...] = ()  # the classes that some fold judged and had no row of to learn from
    at: Array | None = None
    about: str = ""
    _form = ".4f"
    _written = ("folds", "classes", "method", "why", "notes", "fold", "proba")

    @cached_property
    def proba(self) -> Floats:
        """(rows, classes): the out-of-fold probabilities."""
        return np.exp(self.log_proba)

    @property
    def notes(self) -> tuple[str, ...]:
        """Why a log loss is infinite whatever the model: classes that some folds left unlearnt."""
        return (never_learnt(self.unlearnt),) if self.unlearnt else ()

    @property
    def _judged(self) -> tuple[Judged, Floats]:
        codes = read_codes(self.y, self.classes)
        return Labelled(self.fold, self.y, self.weights, codes, self.classes), self.log_proba

    def _said(self) -> dict[str, list[Any]]:
        shares = zip(self.classes, self.proba.T.tolist(), strict=True)
        return {"y": np.asarray(self.y).tolist(), **{f"P({level})": values for level, values in shares}}

    def evaluate(self, positive: Any = None) -> Evaluation:
        """The evaluation of all out-of-fold predictions together.

        >>> import likely
        >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
        >>> model = likely.NaiveBayes().fit(X, y)
        >>> likely.evaluation.cross_validate(model, X, y, folds=2).evaluate().rows
        8
        """
        from likely.evaluation.report import evaluate

        found = evaluate(self.y, self.proba, self.classes, None, positive, self.weights, self.log_proba)
        return replace(found, notes=(*found.notes, *self.notes), about=self.about)


@dataclass(frozen=True, eq=False, repr=False)
class RegressionCrossValidation(FoldPredictions):
    """What models that had not seen a row said of it: predicted (rows,); fold and y (rows,).

    `refitted` are the folds whose model was fitted afresh, and `why` says why; all others are the whole minus a part.

    >>> import likely
    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]], [1.1, 1.9, 3.2, 3.8, 5.1, 6.0]
    >>> found = likely.evaluation.cross_validate(likely.LinearRegression(), X, y, folds=3)
    >>> found
    RegressionCrossValidation: 6 rows in 3 folds, by subtraction
      squared   0.04447  (0.01765 to 0.0842)
      rmse      0.2002  (0.1329 to 0.2902)
      absolute  0.1836  (0.1071 to 0.29)
      r2        0.9482  (0.9236 to 0.9958)
    """

    predicted: Floats
    fold: Array
    y: Floats
    weights: Floats | None = None
    refitted: tuple[int, ...] = ()
    why: str = ""
    at: Array | None = None
    _form = ".4g"
    _written = ("folds", "method", "why", "fold", "predicted")

    @property
    def _judged(self) -> tuple[Measured, Floats]:
        return Measured(self.fold, self.y, self.weights), self.predicted

    def _said(self) -> dict[str, list[Any]]:
        return {"y": self.y.tolist(), "predicted": self.predicted.tolist()}

    def evaluate(self) -> RegressionEvaluation:
        """The evaluation of all out-of-fold predictions together.

        >>> import likely
        >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]], [1.1, 1.9, 3.2, 3.8, 5.1, 6.0]
        >>> found = likely.evaluation.cross_validate(likely.LinearRegression(), X, y, folds=3)
        >>> round(found.evaluate().r2, 3)
        0.985
        """
        return evaluation_of(*self._judged)


def never_learnt(levels: Sequence[Level]) -> str:
    """Why models could not know some classes, and what to do."""
    names, one = ", ".join(map(repr, levels)), len(levels) == 1
    who, it = (f"Class {names} was", "it") if one else (f"Classes {names} were", "them")
    why = f"whose models had no row of {it} to learn from"
    return f"{who} never learnt in some folds, {why}: get more rows of {it}, or leave {it} out."


def cross_validate(
    model: Any,
    X: Any,
    y: Any,
    folds: Any = 10,
    seed: int = 0,
    weights: Any = None,
    tick: Callable[[], object] | None = None,
    cv: Any = None,
    groups: Any = None,
    times: Any = None,
) -> CrossValidation | RegressionCrossValidation:
    """What the model says of each row had it learnt all other folds; the model itself is left as it is.

    A CrossValidation of a classifier, a RegressionCrossValidation of a regressor. `folds` is their number, or (rows,)
    the fold of each row. With `groups` (rows,), such as customers, no model has learnt a row of a group that it judges;
    with `times` (rows,) none has learnt a row as late as one that it judges, so that the first block of rows is not
    judged, and each of `folds` later ones by all before it. `cv` is a splitter of scikit-learn (GroupKFold,
    TimeSeriesSplit, whatever has its `split`), pairs of places (learnt, judged), or a number of folds.

    A model that can forget is fitted once, and each fold is taken out of a copy: the same as a refit to rounding, under
    the kinds of columns that all rows show. Fitted afresh are a fold without which a Parzen column would have another
    grid, a model that cannot forget, and one that learns a structure or cut points from the rows: what the held-out
    rows taught it would stay. `tick` is called after each fold.

    >>> import likely
    >>> found = cross_validate(likely.NaiveBayes(), [[1.0], [2.0], [5.0], [6.0]], ["a", "a", "b", "b"], folds=2)
    >>> found.method, found.scores()["accuracy"].tolist()
    ('subtraction', [1.0, 1.0])
    """
    rows = read_judged(model, X, y, weights)
    if isinstance(rows, Labelled) and len(rows.classes) < 2:
        raise one_class(rows.classes, "y")
    found = validated(model, rows, read_splits(rows.codes, folds, seed, cv, groups, times, X, y), tick)
    return replace(found, about=_about(model, y)) if isinstance(found, CrossValidation) else found


def _about(model: Any, y: Any) -> str:
    """The model, and the target as the column is called that holds it."""
    from likely.evaluation.report import about

    name = getattr(y, "name", None)
    return f"{type(model).__name__} of {name}" if isinstance(name, str) and name not in ("", "y") else about(model)


def validated(
    model: Any,
    rows: Judged,
    folds: Splits | Array,
    tick: Callable[[], object] | None = None,
    costs: Costs | None = None,
) -> CrossValidation | RegressionCrossValidation:
    """Cross-validation of a classifier or of a regressor over splits that are given, or over folds (rows,)."""
    splits = folds if isinstance(folds, Splits) else Splits.of(folds)
    said, refitted, why = held_out(model, rows, splits, tick, costs)
    every = len(splits.at) == len(rows) and bool((splits.at == np.arange(len(rows))).all())
    judged, at = (rows, None) if every else (rows.take(splits.at), splits.at)
    if isinstance(judged, Labelled):
        absent = _unlearnt(judged, rows, splits)
        return CrossValidation(said, splits.fold, judged.classes, judged.y, judged.weights, refitted, why, absent, at)
    return RegressionCrossValidation(said, splits.fold, judged.y, judged.weights, refitted, why, at)


def _unlearnt(judged: Labelled, rows: Any, splits: Splits) -> tuple[Level, ...]:
    """The classes that some fold judged, and had no row of to learn from."""
    shape = (len(splits.held), len(rows.classes))
    held, learnt = np.zeros(shape), np.zeros(shape)
    each = np.ones(len(rows)) if rows.weights is None else (rows.weights > 0).astype(np.float64)
    np.add.at(held, (splits.fold, judged.codes), each[splits.at])
    if splits.learnt is None:
        learnt[:] = np.bincount(rows.codes, each, minlength=shape[1]) - held
    else:
        for part, taught in enumerate(splits.learnt):
            learnt[part] = np.bincount(rows.codes[taught], each[taught], minlength=shape[1])
    absent = ((held > 0) & (learnt == 0)).any(axis=0)
    return tuple(level for level, so in zip(rows.classes, absent, strict=True) if so)


def held_out(
    model: Any,
    rows: Judged,
    splits: Splits,
    tick: Callable[[], object] | None,
    costs: Costs | None = None,
) -> tuple[Floats, tuple[int, ...], str]:
    """(judged, ...): what models without its fold say of each row; the folds that were fitted afresh, and why."""
    answers: list[Floats] = []
    refitted, whys = [], []
    learners = _without_each(model, rows, splits, costs or Costs())
    for part, places in enumerate(splits.held):
        with nullcontext() if costs is None else costs.fold():
            learnt, why = next(learners)
            held = rows.take(places)
            answers.append(held.ask(learnt) if costs is None else costs.answer(partial(held.ask, learnt)))
            del learnt
        if why:
            refitted.append(part)
            whys.append(why)
        if tick is not None:
            tick()
    said = np.concatenate(answers)[np.argsort(np.concatenate(splits.held), kind="stable")]
    return said, tuple(refitted), "; ".join(dict.fromkeys(whys))


def _without_each(model: Any, rows: Judged, splits: Splits, costs: Costs) -> Iterator[tuple[Any, str]]:
    """The model that judges each fold, and why it had to be fitted afresh, if so."""
    why = "" if hasattr(model, "forget") else f"{type(model).__name__} cannot forget"
    if splits.learnt is not None:
        why = why or "the rows that teach are not all others"
    whole = None if why else costs.fit(partial(rows.teach, model))
    if whole is not None and getattr(whole, "_learns_structure", False):
        why = f"{whole._beside_counts} are learnt from the rows"
        whole = None
    for part, held in enumerate(splits.held):
        here = why
        if whole is not None:
            learnt, here = _forgotten(whole, rows.take(held))
        if here:
            learnt = costs.fit(partial(rows.take(splits.taught(part)).teach, model))
        yield learnt, here


def _forgotten(whole: Any, held: Judged) -> tuple[Any, str]:
    """A copy of a fitted model without some rows; else why it must be fitted afresh."""
    learnt = copy.copy(whole)
    if held.weights is None or held.weights.any():
        try:
            with quietly():
                learnt.forget(held.X, held.y, **({} if held.weights is None else {"sample_weight": held.weights}))
        except (NotImplementedError, ModelError, NotLearntError) as error:
            return None, f"{type(whole).__name__} could not forget: {getattr(error, 'message', error)}"
    if hasattr(learnt, "classes_") and not len(learnt.classes_):
        return None, "nothing is left without the fold"
    model = getattr(learnt, "model_", None)
    if isinstance(model, Model) and not _same_grids(model):
        return None, "a Parzen column has another grid without the fold"
    return learnt, ""


def _same_grids(model: Model) -> bool:
    """Whether the rows that are left would have been given the same grids, so that forgetting changed nothing else.

    Their grid begins at the same node where that still holds mass, and has the same spacing where their range is wide
    enough. Otherwise windows would stand on other nodes, and densities differ by some thousandths.
    """
    for at, column in enumerate(model.schema.columns):
        if column.family == "parzen" and column.grid is not None and column.grid.high > column.grid.low:
            table = next(iter(model.bundle[Question("grid", (at,))].arrays().values()))
            held = np.flatnonzero(table.any(axis=0))
            if len(held) and (held[0] > 0 or held[-1] < Grid.NODES + GRID_SLACK_NODES):
                return False
    return True
