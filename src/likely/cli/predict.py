"""likely predict: the class of every row, and its probabilities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from likely.cli import options
from likely.cli.session import Session

EXAMPLE = "likely predict loans.likely new.csv -o scored.csv --proba"
PREDICTION = "prediction"


def run(
    session: Session,
    model: options.Model,
    data: options.Data,
    output: options.Output = None,
    proba: Annotated[bool, typer.Option("--proba", help="Also the probability of each class.")] = False,
    only: options.Only = False,
    priors: options.Priors = None,
    form: options.Format = None,
) -> None:
    """Predict the class of every row of DATA; the columns of DATA are kept, the predictions come after them."""
    import numpy as np
    import pyarrow as pa

    from likely.cli.reading import open_model, open_rows
    from likely.cli.writing import send
    from likely.estimators.streaming import scored, watched

    found = open_model(model, priors)
    classes = pa.array(found.classes_.tolist())
    names = [f"p_{level}" for level in found.classes_.tolist()]
    tally = np.zeros(len(names), dtype=np.int64)
    source = open_rows(session, data, form)

    def batches(tick: Any) -> Iterator[tuple[Any, dict[str, Any]]]:
        for batch, table in scored(found, watched(source, tick)):
            best = table.argmax(axis=1)
            np.add(tally, np.bincount(best, minlength=len(names)), out=tally)
            shares = {name: pa.array(table[:, at]) for at, name in enumerate(names)} if proba or session.as_json else {}
            yield (batch.select([]) if only else batch), {PREDICTION: classes.take(pa.array(best)), **shares}

    with session.watch("predicting") as tick:
        rows = send(session, batches(tick), output, "predictions", {"model": model, "classes": found.classes_.tolist()})
    shown = ", ".join(f"{level} {count:,}" for level, count in zip(found.classes_.tolist(), tally, strict=True))
    if output is not None:
        session.say(f"{rows:,} rows of {source.place} predicted: {shown}", f"written to {output}")
