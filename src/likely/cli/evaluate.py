"""likely evaluate: how good a model is on rows whose classes or numbers are known."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from likely.cli import options
from likely.cli.options import option
from likely.cli.terminal.pictures import keep_picture, usual_place
from likely.cli.terminal.session import Session

EXAMPLE = "likely evaluate loans.likely loans-2026.parquet -o judged.svg"


def run(
    session: Session,
    model: options.Model,
    data: options.Data,
    positive: options.Positive = None,
    priors: options.Priors = None,
    loss: options.Loss = None,
    reject: options.Reject = None,
    weight: options.Weight = None,
    match_labels: options.MatchLabels = False,
    output: Annotated[
        Path | None, option("--output -o FILE", "The picture: PNG, SVG or PDF. [default: MODEL-evaluation.png]")
    ] = None,
    picture: options.Drawn = True,
    form: options.Format = None,
) -> None:
    """Judge MODEL on DATA, with the target: accuracy, log loss, ROC, calibration; of regression errors and R²."""
    from likely.cli.inputs import is_of_amounts, open_model, open_rows, refuse_for_amounts, rows_to_judge

    usual = f"{Path(model).name.removesuffix('.likely')}-evaluation.png"
    place = usual_place(session, output, usual) if picture else None
    found = open_model(model, priors)
    refuse_for_amounts(found, model, positive=positive is not None, loss=loss is not None, reject=reject is not None)
    source = open_rows(session, data, form, model=found)
    if is_of_amounts(found):
        told, costs = _of_amounts(session, found, source, weight), None
    else:
        with rows_to_judge(session, found, source, match_labels) as known:
            told, costs = _of_classes(session, found, known, weight, (positive, loss, reject))
    place = keep_picture(session, told.plot, place)
    session.answer({**told.to_dict(), "picture": place and str(place), **_cost(costs)})
    session.say(f"{model} on {data}", "", repr(told), *([] if costs is None else ["", repr(costs)]))
    session.say_places(picture=place)


def _of_classes(
    session: Session, found: Any, source: Any, weight: str | None, asked: tuple[str | None, str | None, float | None]
) -> tuple[Any, Any]:
    """The evaluation of a classifier, and what its decisions cost, where that is asked for."""
    from dataclasses import replace

    from likely.decisions import judge
    from likely.estimators.streams import judged, watched
    from likely.evaluation import evaluate
    from likely.evaluation.curves.roc import evidence_of
    from likely.evaluation.report import about

    positive, loss, reject = asked
    classes = found.classes_.tolist()
    with session.watch("judging") as tick:
        seen = judged(found, watched(replace(source, weight=weight), tick))
    note_flattery(session, found, len(seen.cells))
    y = found.classes_[seen.cells]
    judged_class = None if positive is None else options.one_of(positive, classes)
    scores = evidence_of(seen.log_likelihood) if len(classes) == 2 else None
    told = evaluate(y, seen.proba, found.classes_, scores, judged_class, seen.weights, seen.log_proba)
    told = replace(told, about=about(found))
    if loss is None and reject is None:
        return told, None
    return told, judge(seen.proba, found.classes_, options.read_loss(loss, classes), reject, y, seen.weights)


def _of_amounts(session: Session, found: Any, source: Any, weight: str | None) -> Any:
    """The evaluation of a regressor; these rows are held in memory."""
    from likely.cli.inputs import check_column, rows_to_judge, table_of
    from likely.estimators.streams import watched
    from likely.evaluation.regression_scores import evaluate_regression

    target = found.model_.schema.target.name
    for name in (target, *([] if weight is None else [weight])):
        check_column(name, source)
    with rows_to_judge(session, found, source) as known, session.watch("judging") as tick:
        rows, y, weights = table_of(watched(known, tick), target, weight)
        note_flattery(session, found, len(y))
        return evaluate_regression(found, rows, y, weights)


def note_flattery(session: Session, found: Any, rows: int) -> None:
    """Say so where the rows may be those that were learnt."""
    from likely.cli.inputs import inner

    if rows == inner(found).model_.rows.sum():
        session.note(
            "as many rows as the model learnt from: if they are the same, this flatters; `likely fit` tells better"
        )


def _cost(costs: Any) -> dict[str, Any]:
    names = () if costs is None else ("abstained", "expected_risk", "risk")
    return {"decisions": {name: getattr(costs, name) for name in names}} if names else {}
