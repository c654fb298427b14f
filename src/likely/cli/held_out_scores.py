"""How good a model is, judged on rows that it has not seen: left out, in folds, of other groups, later, or held out."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

from likely.cli.held_out_rows import HoldoutPlan, rows_learnt_too, split_rows
from likely.cli.terminal.session import Session
from likely.output.phrases import plural

MOST_ROWS_JUDGED = 100_000  # rows up to which a model is judged at once
SCORE_NAMES = {
    "log_loss": "log loss",
    "average_precision": "average precision",
    "r2": "R²",
    "rmse": "root mean square error",
    "mae": "absolute error",
}


@dataclass(frozen=True)
class HeldOutScores:
    """`way` is leave_one_out, cross_validation, out_of_bag, time_splits or holdout; `words` say what that means.

    `moved` is the option that gave the model other class priors than the shares of the rows, if any.
    """

    way: str
    told: Any  # a Skill
    words: str
    judged: int
    moved: str = ""

    @property
    def scores(self) -> dict[str, Any]:
        """The scores, the baseline's and the skill over it, for programs."""
        found = {**self.told.scores, "baseline": dict(self.told.baseline), "skill": self.told.skill}
        return {
            **found,
            "rows": self.judged,
            **({} if self.told.positive is None else {"positive": self.told.positive}),
        }

    def lines(self) -> list[tuple[str, str]]:
        """What is told of the scores and the baseline, each beside its heading; what flatters does not come first."""
        told, baseline = self.told, self.told.baseline
        last = (f": {self.words}", ": always the mean" if "r2" in told.scores else ": always the shares of the classes")
        if "r2" in told.scores:
            # R² is no number where all rows judged have one value
            names = shown = [name for name in ("r2", "rmse", "mae") if told.scores[name] == told.scores[name]]
        elif told.flattery:
            names, shown = (
                ["average_precision", "recall", "log_loss", "accuracy"],
                ["average_precision", "log_loss", "accuracy"],
            )
        else:
            names = shown = ["accuracy", "log_loss"]
        return [
            ("held out", ", ".join(self._score(name, told.scores[name]) for name in names) + last[0]),
            ("baseline", ", ".join(self._score(name, baseline[name], False) for name in shown) + last[1]),
            *([("skill", self._skill())] if told.skill == told.skill else []),
        ]

    def _skill(self) -> str:
        """The skill and what it means; class priors that were said are no fault of the columns."""
        told = self.told
        lost = "squared error" if "r2" in told.scores else "log loss"
        moved = f"{self.moved} speaks of rows with other shares of the classes than these have" if self.moved else ""
        if told.skill >= 0:
            return f"{told.skill:.3g}: the share of the baseline's {lost} that the columns save" + (
                f"; {moved}" if moved else ""
            )
        sure = "r2" not in told.scores and told.scores["accuracy"] > told.baseline["accuracy"]
        why = "; more often right, but too sure: see --recalibrate" if sure else ", which knows no column"
        return f"{told.skill:.3g}: a larger {lost} than the baseline's{f': {moved}' if moved else why}"

    def _score(self, name: str, value: float, whose: bool = True) -> str:
        of = (
            f" of {self.told.positive}"
            if whose and name == "average_precision" and self.told.positive is not None
            else ""
        )
        return f"{SCORE_NAMES.get(name, name)}{of} {value:{'.4g' if 'r2' in self.told.scores else '.3f'}}"


def judge(
    session: Session,
    fitted: Any,
    source: Any,
    target: str,
    weight: str | None,
    moved: str,
    plan: HoldoutPlan,
) -> HeldOutScores | None:
    """What models that never saw a row say of it, where that does not take long; `moved`: what moved its priors."""
    found = _judged(session, fitted, source, target, weight, plan)
    if found is None or not moved:
        return found
    if plan.of_file or hasattr(fitted, "leave_one_out") or moved != "--priors":
        return replace(found, moved=moved)
    return replace(found, words=f"{found.words}, before its class priors were moved")  # those fitted again have others


def _judged(
    session: Session, fitted: Any, source: Any, target: str, weight: str | None, plan: HoldoutPlan
) -> HeldOutScores | None:
    if plan.of_file:
        return _on_file(session, fitted, source, target, weight, plan)
    many = fitted.model_.rows.sum()
    if not many > 1 or (many > MOST_ROWS_JUDGED and not plan.said):
        return None
    if hasattr(fitted, "leave_one_out") and not plan.said:
        return _left_out(session, fitted, replace(plan.without_columns(source), weight=weight))
    if hasattr(fitted, "oob_error_") and not plan.said:
        return _out_of_bag(fitted, replace(plan.without_columns(source), weight=weight))
    return _by_splits(session, fitted, source, target, weight, plan)


def _left_out(session: Session, fitted: Any, source: Any) -> HeldOutScores:
    from likely.estimators.streams import left_out, watched

    with session.watch("leaving one out") as tick:
        said = left_out(fitted, watched(source, tick))
    return _of_classes(
        fitted, "leave_one_out", "every row judged by the model that never saw it (leave-one-out, exact)", *said
    )


def _out_of_bag(fitted: Any, source: Any) -> HeldOutScores | None:
    from likely.estimators.streams import out_of_bag

    cells, log_proba, weights = out_of_bag(fitted, source)
    if not len(cells):
        return None
    words = "every row judged by the members that never saw it (out of bag)"
    return _of_classes(fitted, "out_of_bag", words, cells, log_proba, weights)


def _of_classes(fitted: Any, way: str, words: str, cells: Any, log_proba: Any, weights: Any) -> HeldOutScores:
    """The scores of log probabilities, since probabilities may be too small for a double; why, if one is infinite."""
    import numpy as np

    from likely.core.numerics import log
    from likely.evaluation.predictions import Predictions
    from likely.evaluation.skill import skill_of_classes

    forecasts = Predictions.read(fitted.classes_[cells], np.exp(log_proba), fitted.classes_, weights, log_proba)
    rows = getattr(fitted, "by_class_", fitted.model_).rows  # before any class weights
    told = skill_of_classes(forecasts, log(rows / rows.sum()))
    return HeldOutScores(way, told, "; ".join([words, *forecasts.notes]), len(cells))


def _on_file(
    session: Session, fitted: Any, learnt: Any, target: str, weight: str | None, plan: HoldoutPlan
) -> HeldOutScores:
    """The model itself, on the rows of a file that it has not learnt."""
    from likely.cli.inputs import check_column, is_of_amounts, open_rows, rows_to_judge, table_of
    from likely.data.weights import weighted_mean
    from likely.estimators.streams import judged, watched
    from likely.evaluation.rows.evaluation_rows import Measured
    from likely.evaluation.skill import skill_of_amounts

    assert plan.holdout is not None, "a file is named"
    source = open_rows(session, plan.holdout, plan.form, target, fitted)
    for name in (target, *([] if weight is None else [weight])):
        check_column(name, source)
    known = rows_to_judge(session, fitted, replace(source, weight=weight), plan.match_labels)
    with known as labelled, session.watch("judging") as tick:
        rows = watched(labelled, tick)
        if not is_of_amounts(fitted):
            seen = judged(fitted, rows)
            words = _words_of_file(fitted, source, learnt, len(seen.cells))
            return _of_classes(fitted, "holdout", words, seen.cells, seen.log_proba, seen.weights)
        held = Measured.read(*table_of(rows, target, weight))
        before = Measured.read(*table_of(learnt, target, weight))
    words = _words_of_file(fitted, source, learnt, len(held))
    mean = weighted_mean(before.y, before.weights)
    return HeldOutScores("holdout", skill_of_amounts(held, held.ask(fitted), mean), words, len(held))


def _words_of_file(fitted: Any, source: Any, learnt: Any, judged: int) -> str:
    """That the rows of a file are not those learnt, unless they are found among them."""
    words = f"{plural(judged, 'row')} of {source.place}"
    known = rows_learnt_too(source, learnt) if fitted.model_.rows.sum() <= MOST_ROWS_JUDGED else 0
    if not known:
        return f"{words}, which the model has not learnt"
    many = "all" if known == judged else f"{known:,}"
    return f"{words}, of which {many} are in {learnt.place} too: the model has learnt them, and this flatters"


def _by_splits(
    session: Session, fitted: Any, source: Any, target: str, weight: str | None, plan: HoldoutPlan
) -> HeldOutScores:
    import numpy as np

    from likely.core.numerics import log
    from likely.data.weights import weighted_mean
    from likely.evaluation.folds import cross_validation
    from likely.evaluation.folds.baseline import class_shares, means
    from likely.evaluation.predictions import Predictions
    from likely.evaluation.rows.evaluation_rows import Labelled
    from likely.evaluation.skill import skill_of_amounts, skill_of_classes

    rows, splits = split_rows(session, fitted, source, target, weight, plan)
    folds = len(splits.held)
    with session.watch("judging", folds, "folds") as tick, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the model of all rows has warned of what these would
        found: Any = cross_validation.validated(fitted, rows, splits, lambda: tick(1))
    way, words = plan.words(splits, found.method)
    held = rows if found.at is None else rows.take(found.at)
    if isinstance(held, Labelled):
        forecasts = Predictions(held.codes, found.proba, held.classes, held.weights, found.log_proba)
        mass = np.bincount(rows.codes, rows.weights, minlength=len(rows.classes))
        shares = class_shares(rows, splits) if plan.said else log(mass / mass.sum())
        told = skill_of_classes(forecasts, shares)
        words = "; ".join([words, *forecasts.notes, *found.notes])
    else:
        guess = means(rows, splits) if plan.said else weighted_mean(rows.y, rows.weights)
        told = skill_of_amounts(held, found.predicted, guess)
    return HeldOutScores(way, told, words, len(held))
