"""What models score on the same folds, and whether the differences are more than chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from likely.core.numerics import Floats
from likely.errors import OptionError, nearest
from likely.evaluation.comparisons.significance import CorrectedT, CorrelatedT, SignedRank
from likely.evaluation.rows.evaluation_rows import REGRESSION_MEASURES
from likely.output.display_width import display_width, padded
from likely.output.draw import Drawn
from likely.output.frames import columns_of
from likely.output.jsonable import Written, to_jsonable
from likely.output.notebook import html_table
from likely.output.phrases import plural

# The measures of a comparison of classifiers, and what tables call them
CLASS_MEASURES = {"accuracy": "accuracy", "log_loss": "log loss", "brier": "Brier", "auc": "AUC"}
MEASURE_OF_LOSS = {
    "log": "log_loss",
    "squared": "squared",
    "absolute": "absolute",
}  # the measure that says which is best
DECISIVE = 0.05  # a p-value below it is called more than chance


class Scored(Written):
    """The measures of a model on folds; one of them is a share, in which a rope is told."""

    name: str
    method: str
    measures: ClassVar[Mapping[str, str]]
    share: ClassVar[str]
    _written = ("name", "method", "means")

    def mean(self, measure: str) -> float:
        """The mean of a measure over the folds that have it."""
        values = getattr(self, measure)
        known = values[~np.isnan(values)]
        return float(known.mean()) if len(known) else float("nan")

    @property
    def means(self) -> dict[str, float]:
        return {measure: self.mean(measure) for measure in self.measures}

    def to_dict(self) -> dict[str, Any]:
        """The means, and the measures of every fold, as plain data."""
        folds = {measure: getattr(self, measure) for measure in self.measures}
        return super().to_dict() | {"folds": to_jsonable(folds)}


@dataclass(frozen=True, eq=False, repr=False)
class ClassifierScores(Scored):
    """One classifier's scores on every fold of every repeat, (repeats · folds,) each; NaN where a fold has none.

    `auc` is that of the second of two classes, of more the mean over classes against the rest; `method` is how the
    models without each fold were had, which took so many `seconds`, with their answers.
    """

    name: str
    accuracy: Floats
    log_loss: Floats
    brier: Floats
    auc: Floats
    method: str
    seconds: float = float("nan")
    measures: ClassVar[Mapping[str, str]] = CLASS_MEASURES
    share: ClassVar[str] = "accuracy"


@dataclass(frozen=True, eq=False, repr=False)
class RegressorScores(Scored):
    """One regressor's mean squared error, its root, mean absolute error and R² on every fold of every repeat."""

    name: str
    squared: Floats
    rmse: Floats
    absolute: Floats
    r2: Floats
    method: str
    seconds: float = float("nan")
    measures: ClassVar[Mapping[str, str]] = REGRESSION_MEASURES
    share: ClassVar[str] = "r2"


class PairTests(Written):
    """The tests of two models."""

    first: str
    second: str
    tests: ClassVar[tuple[str, ...]]


@dataclass(frozen=True)
class ClassifierPair(PairTests):
    """The first model minus the second: corrected t tests, and who is more accurate by more than the rope.

    `bayes` is the correlated t test of the accuracies, made for folds. `signed_rank` is of the mean of each fold over
    the repeats: it takes these as independent though they share rows, so it is too sure; where the two differ, believe
    `bayes`. A test is None where its measure is not finite on some fold.
    """

    first: str
    second: str
    accuracy: CorrectedT | None
    log_loss: CorrectedT | None
    bayes: CorrelatedT | None
    signed_rank: SignedRank | None
    tests: ClassVar[tuple[str, ...]] = ("accuracy", "log_loss", "bayes", "signed_rank")


@dataclass(frozen=True)
class RegressorPair(PairTests):
    """The first regressor minus the second: corrected t tests of both losses, and whose R² is more by over the rope."""

    first: str
    second: str
    squared: CorrectedT | None
    absolute: CorrectedT | None
    bayes: CorrelatedT | None
    signed_rank: SignedRank | None
    tests: ClassVar[tuple[str, ...]] = ("squared", "absolute", "bayes", "signed_rank")


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Written, Drawn):
    """What each model scores, the name of the one with the least mean loss, and every two of them compared.

    The loss is "log" of classifiers, "squared" or "absolute" of regressors. Where every log loss is infinite the best
    is the most accurate; `notes` name classes that some folds left unlearnt. `baseline` is the loss of saying the same
    of every row: the shares of the classes, or the mean.

    >>> import likely
    >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
    >>> model = likely.NaiveBayes().fit(X, y)
    >>> found = likely.evaluation.compare({"naive": model, "alone": likely.NaiveBayes(kinds="skip")}, X, y, folds=2)
    >>> found.best
    'naive'
    """

    rows: tuple[Any, ...]
    best: str
    pairs: tuple[Any, ...]
    folds: int
    repeats: int
    notes: tuple[str, ...] = ()
    loss: str = "log"
    baseline: float = float("nan")
    _picture = "comparison"
    _written = ("best", "loss", "baseline", "folds", "repeats", "rows", "pairs", "notes", "words")

    def _page(self) -> Any:
        """A row for each model, the best first: its mean scores, how it was judged, and how long that took."""
        return [{"name": row.name, **row.means, "method": row.method, "seconds": row.seconds} for row in self.ranked]

    @property
    def ranked(self) -> list[Any]:
        """The rows by the loss that decides, the least first; the best is the first."""
        measure = MEASURE_OF_LOSS[self.loss]
        order = sorted(self.rows, key=lambda row: (bool(np.isnan(row.mean(measure))), row.mean(measure)))
        return sorted(order, key=lambda row: row.name != self.best)

    def __getitem__(self, name: str) -> Any:
        for row in self.rows:
            if row.name == name:
                return row
        names = [row.name for row in self.rows]
        hint = f"the models are {', '.join(map(repr, names))}.{nearest(name, names)}"
        raise OptionError("O358", f"no model {name!r} was compared", place="comparison[name]", hint=hint)

    @property
    def words(self) -> str:
        """A sentence or two: which model is best, and which are as good as far as these rows can tell."""
        met = [pair for pair in self.pairs if self.best in (pair.first, pair.second)]
        tests = [(_other(pair, self.best), getattr(pair, MEASURE_OF_LOSS[self.loss])) for pair in met]
        beaten = [name for name, test in tests if test and test.p_value < DECISIVE]
        open_ = [name for name, test in tests if test and test.p_value >= DECISIVE]
        unknown = [name for name, test in tests if test is None]
        sentences = [self._lead()]
        if beaten:
            sentences.append(f"The difference from {_listed(beaten)} is more than the folds' spread.")
        if open_:
            sentences.append(f"The difference from {_listed(open_)} may be chance.")
        if unknown:
            few = (
                "one fold tells no spread"
                if self.folds * self.repeats == 1
                else f"some {self.loss} losses are infinite"
            )
            sentences.append(f"No test against {_listed(unknown)}: {few}.")
        return " ".join([*sentences, *self.notes])

    def _lead(self) -> str:
        best, folds = self[self.best], self.repeats * self.folds
        least = best.mean(MEASURE_OF_LOSS[self.loss])
        if not np.isfinite(least):
            accuracy = best.mean("accuracy")
            who = "The log loss" if len(self.rows) == 1 else "Every log loss"
            most = "" if len(self.rows) == 1 else "the most accurate, "
            over = f"over {plural(folds, 'fold')}"
            return f"{who} is infinite {over}; {self.best!r} is {most}right on {accuracy:.1%} of the rows."
        told = f"{least:.4f}" if self.loss == "log" else f"{least:.4g}"
        if len(self.rows) == 1:
            article = "an" if self.loss == "absolute" else "a"
            return f"{self.best!r} has {article} {self.loss} loss of {told}, over {plural(folds, 'fold')}."
        return f"{self.best!r} has the least {self.loss} loss, {told}, over {plural(folds, 'fold')}."

    def _html(self) -> str:
        return html_table(columns_of(self._page()), f"Comparison over {self.folds} folds", [self.words])

    def __repr__(self) -> str:
        return f"{table_of(self.ranked)}\n{self.words}"


def table_of(rows: Sequence[Any], names: Sequence[str] = ()) -> str:
    """The means of each model, a line each; `names` of models yet to come have room, too."""
    wide = max(map(display_width, ("model", *names, *(row.name for row in rows))))
    form, room = ("8.4f", 8) if isinstance(rows[0], ClassifierScores) else ("9.4g", 9)
    lines = [padded("model", wide) + "".join(f"  {name:>{room}}" for name in rows[0].measures.values())]
    lines += [padded(row.name, wide) + "".join(f"  {value:{form}}" for value in row.means.values()) for row in rows]
    return "\n".join(lines)


def _other(pair: ClassifierPair, name: str) -> str:
    return pair.second if pair.first == name else pair.first


def _listed(names: list[str]) -> str:
    return ", ".join(map(repr, names[:-1])) + (" and " if len(names) > 1 else "") + repr(names[-1])
