"""How good a model is, judged on rows that it has not seen: left out, in folds, of other groups, later, or held out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from likely.cli.held_out_rows import HoldoutPlan, rows_learnt_too, split_rows
from likely.cli.terminal.session import Session
from likely.output.phrases import plural

if TYPE_CHECKING:
    from likely.evaluation.held_out import HeldOut
    from likely.evaluation.skill import Skill

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
    told: Skill
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
    from likely.evaluation.held_out import way_to_judge

    if plan.of_file:
        return _on_file(session, fitted, source, target, weight, plan)
    way = way_to_judge(fitted, plan.said)
    if way is None:
        return None
    if way == "splits":
        return _by_splits(session, fitted, source, target, weight, plan)
    if way == "folds":
        return _of_pool(fitted)
    return _as_learnt(session, fitted, replace(plan.without_columns(source), weight=weight), way)


def _as_learnt(session: Session, fitted: Any, source: Any, way: str) -> HeldOutScores | None:
    """By what the model itself knows of rows that it had not learnt."""
    from likely.estimators.streams import left_out, out_of_bag, watched
    from likely.evaluation.held_out import of_classes

    if way == "out_of_bag":
        said = out_of_bag(fitted, source)
        words = "every row judged by the members that never saw it (out of bag)"
        return _scores(way, of_classes(fitted, *said), words) if len(said[0]) else None
    with session.watch("leaving one out") as tick:
        said = left_out(fitted, watched(source, tick))
    words = "every row judged by the model that never saw it (leave-one-out, exact)"
    return _scores(way, of_classes(fitted, *said), words)


def _of_pool(fitted: Any) -> HeldOutScores:
    """By what a pool said of rows while it came about."""
    from likely.evaluation.held_out import of_folds

    held = fitted.model_.held_out
    judged = "every row" if held.every else plural(len(held.cells), "row")
    one = "it" if held.every else "them"
    words = f"{judged} judged by models and weights that never saw {one} ({held.folds}-fold cross-validation)"
    return _scores("cross_validation", of_folds(fitted), words)


def _scores(way: str, found: HeldOut, words: str) -> HeldOutScores:
    return HeldOutScores(way, found.skill, "; ".join([words, *found.notes]), found.rows)


def _on_file(
    session: Session, fitted: Any, learnt: Any, target: str, weight: str | None, plan: HoldoutPlan
) -> HeldOutScores:
    """The model itself, on the rows of a file that it has not learnt."""
    from likely.cli.inputs import check_column, is_of_amounts, open_rows, rows_to_judge, table_of
    from likely.estimators.streams import judged, watched
    from likely.evaluation.held_out import of_classes, of_numbers
    from likely.evaluation.rows.evaluation_rows import Measured

    assert plan.holdout is not None, "a file is named"
    source = open_rows(session, plan.holdout, plan.form, target, fitted)
    for name in (target, *([] if weight is None else [weight])):
        check_column(name, source)
    known = rows_to_judge(session, fitted, replace(source, weight=weight), plan.match_labels)
    with known as labelled, session.watch("judging") as tick:
        rows = watched(labelled, tick)
        if is_of_amounts(fitted):
            held = Measured.read(*table_of(rows, target, weight))
            found = of_numbers(fitted, held, Measured.read(*table_of(learnt, target, weight)))
        else:
            seen = judged(fitted, rows)
            found = of_classes(fitted, seen.cells, seen.log_proba, seen.weights)
    return _scores("holdout", found, _words_of_file(fitted, source, learnt, found.rows))


def _words_of_file(fitted: Any, source: Any, learnt: Any, judged: int) -> str:
    """That the rows of a file are not those learnt, unless they are found among them."""
    from likely.evaluation.held_out import MOST_ROWS_JUDGED

    words = f"{plural(judged, 'row')} of {source.place}"
    known = rows_learnt_too(source, learnt) if fitted.model_.rows.sum() <= MOST_ROWS_JUDGED else 0
    if not known:
        return f"{words}, which the model has not learnt"
    many = "all" if known == judged else f"{known:,}"
    return f"{words}, of which {many} are in {learnt.place} too: the model has learnt them, and this flatters"


def _by_splits(
    session: Session, fitted: Any, source: Any, target: str, weight: str | None, plan: HoldoutPlan
) -> HeldOutScores:
    from likely.evaluation.held_out import by_splits

    rows, splits = split_rows(session, fitted, source, target, weight, plan)
    with session.watch("judging", len(splits.held), "folds") as tick:
        found = by_splits(fitted, rows, splits, plan.said, lambda: tick(1))
    way, words = plan.words(splits, found.method)
    return _scores(way, found, words)
