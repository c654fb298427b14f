"""Several models on the same folds: what each scores, which is best, and whether that is more than chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from time import perf_counter
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats, log
from likely.data.targets.labels import one_class
from likely.errors import LikelyError, OptionError
from likely.errors.advice import Advice, InPython
from likely.errors.options import whole
from likely.evaluation.comparisons.comparison import (
    ClassifierPair,
    ClassifierScores,
    Comparison,
    FailedModel,
    RegressorPair,
    RegressorScores,
)
from likely.evaluation.comparisons.interruptions import Interruptions
from likely.evaluation.comparisons.measures import MEASURE_OF_LOSS, read_score, standing
from likely.evaluation.comparisons.significance import corrected_t, correlated_t, read_rope, signed_rank
from likely.evaluation.curves.roc import roc, rocs
from likely.evaluation.folds.costs import Costs
from likely.evaluation.folds.cross_validation import CrossValidation, validated
from likely.evaluation.folds.fold_assignment import read_seed
from likely.evaluation.folds.splits import Splits, read_splits
from likely.evaluation.log_odds import log_odds
from likely.evaluation.rows.evaluation_rows import Judged, Labelled, Measured, read_loss_of, refuse_model
from likely.evaluation.rows.refit import predicts_numbers

REASON_LETTERS = 160  # of what a model says when it fails


def compare(
    models: Mapping[str, Any],
    X: Any,
    y: Any,
    folds: Any = 10,
    repeats: int = 1,
    seed: int = 0,
    weights: Any = None,
    tick: Callable[[], object] | None = None,
    rope: float = 0.01,
    loss: str | None = None,
    cv: Any = None,
    groups: Any = None,
    times: Any = None,
    score: str | None = None,
) -> Comparison:
    """Cross-validation of models by name, all on the same folds; each repeat deals the rows out anew.

    `folds`, `cv`, `groups` and `times` say how the rows are split, as of `cross_validate`; `rope` is
    the difference of accuracies that makes no difference. Of classifiers the best has the least log loss. Of regressors
    it has the least "squared" loss, or with `loss` the least "absolute" one, and `rope` is of their R². Another `score`
    may decide: "accuracy", "brier" or "auc" of classifiers, "rmse", "absolute" or "r2" of regressors.
    `tick` is called after each fold of each model: models · repeats · folds times. A model that fails is told among
    `failed`, unless all fail; Ctrl-C keeps those that were judged.

    >>> import likely
    >>> X, y = [[1.0], [2.0], [1.5], [5.0], [6.0], [5.5]], list("aaabbb")
    >>> compare({"real": likely.NaiveBayes(), "parzen": likely.NaiveBayes(kinds="parzen")}, X, y, folds=3).best
    'real'
    """
    contest = lay_out(models, X, y, folds, repeats, seed, weights, rope, loss, cv, groups, times, score)
    return contest.judge_all({str(name): model for name, model in models.items()}, tick)


@dataclass(frozen=True, eq=False)
class SharedFolds:
    """Rows dealt out to folds, the same for every model: each is judged by itself, and all are compared at the end."""

    rows: Judged
    deals: tuple[Splits, ...]  # the folds of each repeat
    rope: float
    loss: str
    score: str = ""  # which decides instead of the loss, if any

    def judge_all(
        self,
        models: Mapping[str, Any],
        tick: Callable[[], object] | None = None,
        shown: Callable[[list[Any], list[FailedModel]], object] | None = None,
    ) -> Comparison:
        """All models compared, of which some may fail; what is known after each is `shown`."""
        found: dict[str, Any] = {}
        failed: dict[str, FailedModel] = {}
        error: Exception | None = None
        with Interruptions() as interruptions:
            for name, model in models.items():
                try:
                    found[name] = self.judge(name, model, interruptions.checked(tick))
                    interruptions.check()
                except KeyboardInterrupt:
                    found.pop(name, None)  # it has caught the interruption, and not learnt all rows
                    break
                except Exception as why:  # whatever an estimator of another package may raise
                    if interruptions.pressed:  # compiled code makes another error of it
                        break
                    error = why
                    failed[name] = FailedModel(name, getattr(why, "code", ""), _reason(why))
                if shown is not None:
                    shown([row for row, _ in found.values()], [*failed.values()])
        unjudged = tuple(name for name in models if name not in found and name not in failed)
        if not found:
            raise KeyboardInterrupt if unjudged or error is None else error
        return self.settle([*found.values()], tuple(failed.values()), unjudged)

    def judge(
        self, name: str, model: Any, tick: Callable[[], object] | None = None
    ) -> tuple[ClassifierScores | RegressorScores, tuple[str, ...]]:
        """What a model scores, and what the folds are to blame for, whatever the model."""
        row, notes, _ = self.examine(name, model, tick)
        return row, notes

    def examine(
        self, name: str, model: Any, tick: Callable[[], object] | None = None
    ) -> tuple[ClassifierScores | RegressorScores, tuple[str, ...], list[Any]]:
        """The same, and the cross-validations behind it, one a repeat: what was said of each row."""
        costs = Costs()
        began = perf_counter()
        runs = [validated(model, self.rows, fold, tick, costs) for fold in self.deals]
        row = replace(_row(name, self.rows, runs), seconds=perf_counter() - began)
        if len(costs.fits) == 1 and not runs[0].refitted:
            costs.fit_again(partial(self.rows.teach, model))
        told: dict[str, Any] = costs.told()
        row = replace(row, **told)
        return row, tuple(dict.fromkeys(note for run in runs for note in run.notes)), runs

    def row(self, name: str, run: Any, seconds: float) -> ClassifierScores | RegressorScores:
        """The scores of a model of which it is known what it says of rows held out in these folds."""
        return replace(_row(name, self.rows, [run]), seconds=seconds)

    def settle(
        self,
        judged: Sequence[tuple[ClassifierScores | RegressorScores, tuple[str, ...]]],
        failed: tuple[FailedModel, ...] = (),
        unjudged: tuple[str, ...] = (),
    ) -> Comparison:
        """All that were judged, compared."""
        found, repeats = tuple(row for row, _ in judged), len(self.deals)
        measure = self.score or MEASURE_OF_LOSS[self.loss]
        best = min(found, key=lambda row: standing(row, measure))
        pairs = tuple(_pair(*two, repeats, self.rope, measure) for two in combinations(found, 2))
        count, baselines = len(self.deals[0].held), self._baselines()
        return Comparison(
            found,
            best.name,
            pairs,
            count,
            repeats,
            judged[0][1],
            self.loss,
            baselines[measure],
            self.score,
            baselines,
            failed,
            unjudged,
        )

    def _baselines(self) -> dict[str, float]:
        """What saying the same of every row scores: the shares of the classes, or the mean (the median)."""
        if isinstance(self.rows, Labelled):
            codes, weights = self.rows.codes, self.rows.weights
            shares = np.bincount(codes, weights, minlength=len(self.rows.classes))
            return self.rows.scores(np.tile(log(shares / shares.sum()), (len(codes), 1))) | {"auc": 0.5}
        squared, absolute = (float(self.rows.guess(loss)) for loss in ("squared", "absolute"))
        return {"squared": squared, "rmse": float(np.sqrt(squared)), "absolute": absolute, "r2": 0.0}


def _reason(error: Exception) -> str:
    """Why a model failed, on one line."""
    if isinstance(error, LikelyError):
        return error.message
    first = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
    told = f"{type(error).__name__}: {first}" if first else type(error).__name__
    return told if len(told) <= REASON_LETTERS else f"{told[: REASON_LETTERS - 1]}…"


def lay_out(
    models: Mapping[str, Any],
    X: Any,
    y: Any,
    folds: Any = 10,
    repeats: int = 1,
    seed: int = 0,
    weights: Any = None,
    rope: float = 0.01,
    loss: str | None = None,
    cv: Any = None,
    groups: Any = None,
    times: Any = None,
    score: str | None = None,
) -> SharedFolds:
    """The contest of these models, none of which is judged yet; options as of `compare`."""
    if not isinstance(models, Mapping) or not models:
        hint = 'name the models: compare({"naive": NaiveBayes(), ...}, X, y)'
        raise OptionError("O354", "there are no models by name", place="models", hint=hint)
    whole(repeats, "repeats", "O355", least=1, hint="say how often: a whole number from 1 on")
    given = np.ndim(folds) or times is not None or not (cv is None or isinstance(cv, int))
    if repeats > 1 and given:
        hint = "leave repeats= out, or say how many folds to deal"
        raise OptionError("O370", "folds that are given do not change over repeats", place="repeats=", hint=hint)
    if len(set(map(str, models))) < len(models):
        hint = "names that read alike are the same: choose others"
        raise OptionError("O360", "two models have the same name", place="models", hint=hint)
    rows = _read(models, X, y, weights)
    wide, (chosen, decisive) = read_rope(rope), _read_loss(rows, loss, score)
    deals = tuple(
        read_splits(rows.codes, folds, read_seed(seed) + repeat, cv, groups, times, X, y) for repeat in range(repeats)
    )
    return SharedFolds(rows, deals, wide, chosen, decisive)


def _read(models: Mapping[str, Any], X: Any, y: Any, weights: Any) -> Judged:
    """The rows, for models that are all classifiers or all regressors."""
    amounts = {name: predicts_numbers(model) for name, model in models.items()}
    if all(amounts.values()):
        return Measured.read(X, y, weights)
    for name, model in models.items():
        if not amounts[name]:
            refuse_model(model, f"models[{name!r}]")
    if any(amounts.values()):
        name = next(name for name in models if amounts[name])
        what = f"{name!r} is a regression model, others are classifiers"
        hint = "compare classifiers with classifiers, and regressors with regressors"
        raise OptionError("O652", what, place=Advice(InPython(f"models[{name!r}]", "--model")), hint=hint)
    rows = Labelled.read(X, y, weights)
    if len(rows.classes) < 2:
        raise one_class(rows.classes, "y")
    return rows


def _read_loss(rows: Judged, loss: Any, score: Any = None) -> tuple[str, str]:
    """The loss by which the best is chosen, and the score that decides instead, if any."""
    found = read_loss_of(rows, loss)
    if found not in MEASURE_OF_LOSS:
        hint = "leave loss= out: classifiers are compared by log loss, or by another score="
        raise OptionError("O356", f"classifiers are not compared by {found!r} loss", place="loss=", hint=hint)
    if score is None:
        return found, ""
    measure = read_score(score, isinstance(rows, Measured))
    if loss is not None and measure != MEASURE_OF_LOSS[found]:
        raise OptionError("O356", "loss= and score= both say what decides", place="loss=", hint="leave loss= out")
    by_loss = {told: loss for loss, told in MEASURE_OF_LOSS.items()}
    return (by_loss[measure], "") if measure in by_loss else (found, measure)


def _row(name: str, rows: Judged, runs: list[Any]) -> ClassifierScores | RegressorScores:
    kind: Any = ClassifierScores if isinstance(rows, Labelled) else RegressorScores
    parts = [run.scores() | ({"auc": _areas(run, rows)} if isinstance(rows, Labelled) else {}) for run in runs]
    values = {measure: np.concatenate([part[measure] for part in parts]) for measure in kind.measures}
    found: ClassifierScores | RegressorScores = kind(
        name, **values, method=" or ".join(dict.fromkeys(run.method for run in runs))
    )
    return found


def _areas(run: CrossValidation, rows: Labelled) -> Floats:
    """(folds,): the area under the ROC curve of each fold; NaN where all its rows are of one class."""
    judged = rows if run.at is None else rows.take(run.at)
    odds, there = log_odds(run.log_proba), True if judged.weights is None else judged.weights > 0
    parts = [np.flatnonzero((run.fold == part) & there) for part in range(run.folds)]
    return np.array([_area(judged.take(part), odds[part]) for part in parts])


def _area(held: Labelled, odds: Floats) -> float:
    if len(np.unique(held.codes)) < 2:
        return float("nan")
    if len(held.classes) == 2:
        return roc(held.y, odds[:, 1], held.classes[1], held.weights).auc
    return rocs(held.y, odds, held.classes, held.weights).macro


def _pair(
    first: ClassifierScores | RegressorScores,
    second: ClassifierScores | RegressorScores,
    repeats: int,
    rope: float,
    decisive: str,
) -> ClassifierPair | RegressorPair:
    kind: Any = ClassifierPair if isinstance(first, ClassifierScores) else RegressorPair
    tests: dict[str, Any] = dict.fromkeys(kind.tests)
    for measure in {*kind.tests, first.share, decisive} & set(first.measures):
        one, other = getattr(first, measure), getattr(second, measure)
        known, share = ~(np.isnan(one) | np.isnan(other)), repeats / len(one)
        if np.isfinite(one[known]).all() and np.isfinite(other[known]).all() and known.sum() > 1:
            differences = one - other
            test = corrected_t(differences[known], share)
            if measure in tests:
                tests[measure] = test
            if measure == decisive:
                tests["chosen"] = test
            if measure == first.share:
                tests["bayes"] = correlated_t(differences[known], share, rope)
                tests["signed_rank"] = signed_rank(_over_repeats(differences, known, repeats), rope)
    found: ClassifierPair | RegressorPair = kind(first.name, second.name, **tests)
    return found


def _over_repeats(differences: Floats, known: Array, repeats: int) -> Floats:
    """The mean of each fold over the repeats that know it."""
    counts = known.reshape(repeats, -1).sum(axis=0)
    sums = np.where(known, differences, 0.0).reshape(repeats, -1).sum(axis=0)
    return np.asarray(sums[counts > 0] / counts[counts > 0])
