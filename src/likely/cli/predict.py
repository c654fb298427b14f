"""likely predict: the class of every row and its probabilities, or its number and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from likely.cli import options
from likely.cli.options import option
from likely.cli.terminal.failures import UsageError
from likely.cli.terminal.session import Session

EXAMPLE = "likely predict loans.likely new.csv -o scored.csv --proba"
PREDICTION, LOW, HIGH = "prediction", "low", "high"


def run(
    session: Session,
    model: options.Model,
    data: options.Data,
    output: options.Output = None,
    proba: Annotated[bool, option("--proba", "Also the probability of each class.")] = False,
    interval: Annotated[
        float | None,
        option(
            "--interval P",
            "Of a numeric target: also low and high, which hold its value with this probability, as in 0.95.",
        ),
    ] = None,
    only: options.Only = False,
    priors: options.Priors = None,
    form: options.Format = None,
) -> None:
    """Predict the class or the number of every row of DATA; its columns are kept, the predictions come after them."""
    from likely.cli.inputs import is_of_amounts, open_model, open_rows, refuse_for_amounts

    found = open_model(model, priors)
    refuse_for_amounts(found, model, proba=proba)
    if interval is not None:
        _check_interval(found, model, interval)
    source = open_rows(session, data, form, model=found)
    if is_of_amounts(found):
        _predict_amounts(session, found, source, output, interval, (model, only))
    else:
        _predict_classes(session, found, source, output, proba, (model, only))


def _check_interval(found: Any, model: str, level: float) -> None:
    from likely.cli.inputs import is_of_amounts

    if not 0 < level < 1:
        hint = "say the probability that the interval is to hold, as in --interval 0.95"
        raise UsageError("U135", f"{level:g} is not between 0 and 1", place="--interval", hint=hint)
    if not (is_of_amounts(found) and hasattr(found, "interval")):
        hint = "--model linear and --model ridge do; of classes, --proba says how sure a prediction is"
        raise UsageError("U136", f"{type(found).__name__} gives no prediction intervals", place=model, hint=hint)


def _predict_amounts(
    session: Session, found: Any, source: Any, output: str | None, level: float | None, asked: tuple[str, bool]
) -> None:
    import numpy as np
    import pyarrow as pa

    from likely.cli.terminal.output_rows import send
    from likely.estimators.streams import estimated, watched

    model, only = asked
    least, most = [np.inf], [-np.inf]

    def batches(tick: Any) -> Iterator[tuple[Any, dict[str, Any]]]:
        for batch, amounts, limits in estimated(found, watched(source, tick), level):
            least[0], most[0] = min(least[0], amounts.min(initial=np.inf)), max(most[0], amounts.max(initial=-np.inf))
            beside = {} if limits is None else {LOW: pa.array(limits[:, 0]), HIGH: pa.array(limits[:, 1])}
            yield (batch.select([]) if only else batch), {PREDICTION: pa.array(amounts), **beside}

    head = {"model": model, "target": found.model_.schema.target.name, "interval": level}
    with session.watch("predicting") as tick:
        rows = send(session, batches(tick), output, "predictions", head)
    if output not in (None, "-"):  # the output holds the rows alone
        told = f"{least[0]:.6g} to {most[0]:.6g}" if rows else "none"
        session.say(f"{rows:,} rows of {source.place} predicted: {told}", f"written to {output}")


def _predict_classes(
    session: Session, found: Any, source: Any, output: str | None, proba: bool, asked: tuple[str, bool]
) -> None:
    import numpy as np
    import pyarrow as pa

    from likely.cli.terminal.output_rows import send
    from likely.estimators.streams import scored, watched
    from likely.output.class_order import reading_order

    model, only = asked
    classes = pa.array(found.classes_.tolist())
    names = [f"p_{level}" for level in found.classes_.tolist()]
    order = reading_order(found.classes_.tolist())
    tally = np.zeros(len(names), dtype=np.int64)

    def batches(tick: Any) -> Iterator[tuple[Any, dict[str, Any]]]:
        for batch, table in scored(found, watched(source, tick)):
            best = table.argmax(axis=1)
            np.add(tally, np.bincount(best, minlength=len(names)), out=tally)
            shares = {names[at]: pa.array(table[:, at]) for at in order} if proba or session.as_json else {}
            yield (batch.select([]) if only else batch), {PREDICTION: classes.take(pa.array(best)), **shares}

    with session.watch("predicting") as tick:
        rows = send(session, batches(tick), output, "predictions", {"model": model, "classes": found.classes_.tolist()})
    shown = ", ".join(f"{found.classes_[at]} {tally[at]:,}" for at in order)
    if output not in (None, "-"):  # the output holds the rows alone
        session.say(f"{rows:,} rows of {source.place} predicted: {shown}", f"written to {output}")
