"""What models score on the same folds, and whether the differences are more than chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from likely.core.numerics import Floats
from likely.errors import OptionError, nearest
from likely.evaluation.comparisons.measures import (
    CLASS_MEASURES,
    HIGHER_IS_BETTER,
    MEASURE_OF_LOSS,
    SENTENCE_NAMES,
    standing,
)
from likely.evaluation.comparisons.significance import CorrectedT, CorrelatedT, SignedRank
from likely.evaluation.rows.evaluation_rows import REGRESSION_MEASURES
from likely.output.display_width import display_width, padded
from likely.output.draw import Drawn
from likely.output.frames import columns_of
from likely.output.jsonable import Written, to_jsonable
from likely.output.notebook import html_table
from likely.output.phrases import duration, peak_size, plural

DECISIVE = 0.05  # a p-value below it is called more than chance


class Scored(Written):
    """The measures of a model on folds; one of them is a share, in which a rope is told."""

    name: str
    method: str
    fit_seconds: float
    predict_seconds: float
    peak_memory: float
    measures: ClassVar[Mapping[str, str]]
    share: ClassVar[str]
    _written = ("name", "method", "means", "fit_seconds", "predict_seconds", "peak_memory")

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
    models without each fold were had, which took so many `seconds`, with their answers: `fit_seconds` to learn once and
    `predict_seconds` to answer for the rows of one fold, the median each. `peak_memory` is how many bytes of memory
    this process held at the most beyond what it held before, NaN where the system does not tell.
    """

    name: str
    accuracy: Floats
    log_loss: Floats
    brier: Floats
    auc: Floats
    method: str
    seconds: float = float("nan")
    fit_seconds: float = float("nan")
    predict_seconds: float = float("nan")
    peak_memory: float = float("nan")
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
    fit_seconds: float = float("nan")
    predict_seconds: float = float("nan")
    peak_memory: float = float("nan")
    measures: ClassVar[Mapping[str, str]] = REGRESSION_MEASURES
    share: ClassVar[str] = "r2"


@dataclass(frozen=True)
class FailedModel(Written):
    """A model that could not be judged on these rows, and why."""

    name: str
    code: str
    reason: str


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
    `bayes`. `chosen` is the t test of the score that decides. A test is None where its measure is not finite on some
    fold.
    """

    first: str
    second: str
    accuracy: CorrectedT | None
    log_loss: CorrectedT | None
    bayes: CorrelatedT | None
    signed_rank: SignedRank | None
    chosen: CorrectedT | None = None
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
    chosen: CorrectedT | None = None
    tests: ClassVar[tuple[str, ...]] = ("squared", "absolute", "bayes", "signed_rank")


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Written, Drawn):
    """What each model scores, the name of the one with the best mean score, and every two of them compared.

    The loss is "log" of classifiers, "squared" or "absolute" of regressors, and decides unless another `score` does.
    Where every log loss is infinite the best is the most accurate; `notes` name classes that some folds left unlearnt.
    `baseline` is the score of saying the same of every row: the shares of the classes, or the mean; `baselines` are
    those by each score. `failed` are models
    that could not be judged; `unjudged` are those that were to come when the comparison was stopped.

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
    score: str = ""
    baselines: Mapping[str, float] = field(default_factory=dict)
    failed: tuple[FailedModel, ...] = ()
    unjudged: tuple[str, ...] = ()
    _picture = "comparison"
    _written = (
        "best",
        "measure",
        "loss",
        "baseline",
        "baselines",
        "folds",
        "repeats",
        "rows",
        "failed",
        "unjudged",
        "pairs",
        "notes",
        "words",
    )

    def _page(self) -> Any:
        """A row for each model, the best first: its mean scores, how it was judged, and what that cost."""
        costs = ("method", "seconds", "fit_seconds", "predict_seconds", "peak_memory")
        return [{"name": row.name, **row.means, **{name: getattr(row, name) for name in costs}} for row in self.ranked]

    @property
    def measure(self) -> str:
        """The score that decides which is best."""
        return self.score or MEASURE_OF_LOSS[self.loss]

    @property
    def ranked(self) -> list[Any]:
        """The rows by the score that decides; the best is the first."""
        order = sorted(self.rows, key=lambda row: standing(row, self.measure))
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
        tests = [(_other(pair, self.best), pair.chosen) for pair in met]
        beaten = [name for name, test in tests if test and test.p_value < DECISIVE]
        open_ = [name for name, test in tests if test and test.p_value >= DECISIVE]
        unknown = [name for name, test in tests if test is None]
        sentences = [self._lead()]
        if beaten:
            sentences.append(f"The difference from {listed_names(beaten)} is more than the folds' spread.")
        if open_:
            sentences.append(f"The difference from {listed_names(open_)} may be chance.")
        if unknown:
            sentences.append(f"No test against {listed_names(unknown)}: {self._untested(unknown)}.")
        if self.failed:
            sentences.append(f"{listed_names([one.name for one in self.failed])} could not be judged.")
        if self.unjudged:
            sentences.append(f"Stopped early: {listed_names(self.unjudged)} not judged.")
        return " ".join([*sentences, *self.notes])

    def _untested(self, names: Sequence[str]) -> str:
        """Why there is no test against these."""
        if self.folds * self.repeats == 1:
            return "one fold tells no spread"
        if any(np.isinf(getattr(self[name], self.measure)).any() for name in (*names, self.best)):
            return f"some {SENTENCE_NAMES[self.measure]}es are infinite, where a true class was given probability 0"
        return f"too few folds have an {SENTENCE_NAMES[self.measure]}"

    def _lead(self) -> str:
        best, over = self[self.best], f"over {plural(self.repeats * self.folds, 'fold')}"
        name, most, alone = SENTENCE_NAMES[self.measure], best.mean(self.measure), len(self.rows) == 1
        if np.isnan(most):
            return f"No fold has an {name}."
        if np.isinf(most):
            who = f"The {name}" if alone else f"Every {name}"
            first = "" if alone else "the most accurate, "
            return (
                f"{who} is infinite {over}; {self.best!r} is {first}right on {best.mean('accuracy'):.1%} of the rows."
            )
        told = f"{most:.4f}" if self.loss == "log" else f"{most:.4g}"
        if alone:
            article = "an" if name[0] in "aR" else "a"
            return f"{self.best!r} has {article} {name} of {told}, {over}."
        rank = "highest" if self.measure in HIGHER_IS_BETTER else "least"
        return f"{self.best!r} has the {rank} {name}, {told}, {over}."

    def _html(self) -> str:
        why = [f"{one.name}: {one.reason}" for one in self.failed]
        return html_table(columns_of(self._page()), f"Comparison over {self.folds} folds", [self.words, *why])

    def __repr__(self) -> str:
        return f"{table_of(self.ranked, failed=self.failed)}\n{self.words}"


def table_of(rows: Sequence[Any], names: Sequence[str] = (), failed: Sequence[FailedModel] = ()) -> str:
    """The means and the costs of each model, a line each; `names` of models yet to come have room, too."""
    wide = max(map(display_width, ("model", *names, *(one.name for one in (*rows, *failed)))))
    form, least = (".4f", 6) if isinstance(rows[0], ClassifierScores) else (".4g", 9)
    columns = [
        (head, max(least, len(head)), [f"{row.mean(measure):{form}}" for row in rows])
        for measure, head in rows[0].measures.items()
    ]
    if any(np.isfinite(row.fit_seconds) for row in rows):
        columns.append(("fit", 7, [duration(row.fit_seconds) for row in rows]))
        columns.append(("predict", 7, [duration(row.predict_seconds) for row in rows]))
    if any(np.isfinite(row.peak_memory) for row in rows):
        columns.append(("memory", 8, [peak_size(row.peak_memory) for row in rows]))
    lines = [padded("model", wide) + "".join(f"  {head:>{room}}" for head, room, _ in columns)]
    for at, row in enumerate(rows):
        lines.append(padded(row.name, wide) + "".join(f"  {cells[at]:>{room}}" for _, room, cells in columns))
    lines += [f"{padded(one.name, wide)}  not judged: {one.reason}" for one in failed]
    return "\n".join(lines)


def _other(pair: ClassifierPair, name: str) -> str:
    return pair.second if pair.first == name else pair.first


def listed_names(names: Sequence[str]) -> str:
    """Names in a sentence.

    >>> listed_names(["a", "b", "c"])
    "'a', 'b' and 'c'"
    """
    return ", ".join(map(repr, names[:-1])) + (" and " if len(names) > 1 else "") + repr(names[-1])
