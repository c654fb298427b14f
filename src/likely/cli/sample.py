"""likely sample: rows drawn from a fitted model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from likely.cli import options
from likely.cli.options import option
from likely.cli.terminal.failures import UsageError
from likely.cli.terminal.session import Session
from likely.output.phrases import plural

ROWS_SAMPLED_AT_A_TIME = 1 << 16  # rows that are drawn at a time, so that any number of them fits in memory
EXAMPLE = "likely sample loans.likely -n 1000 -o drawn.csv --seed 1"


def run(
    session: Session,
    model: options.Model,
    rows: Annotated[int, option("--rows -n N", "How many rows.", min=1)] = 100,
    output: options.Output = None,
    priors: options.Priors = None,
) -> None:
    """Draw rows and their classes from what a model believes; the same --seed gives the same rows."""
    from likely.cli.inputs import open_model
    from likely.cli.terminal.output_rows import send
    from likely.data.files.writer import check_writable

    if output is not None:
        check_writable(output)
    found = open_model(model, priors)
    if not hasattr(found, "sample"):
        what = "recalibrated" if hasattr(found, "maps") else f"a {type(found).__name__}"
        hint = "Bayes classifiers say how rows come about: fit one, without --recalibrate"
        said = f"this model is {what}, and says nothing of how rows come about"
        raise UsageError("U142", said, place=model, hint=hint)
    with session.watch("drawing", rows) as tick:
        written = send(session, _drawn(found, rows, session.seed, tick), output, "drawn", {"model": model})
    if output not in (None, "-"):
        session.say(f"{plural(written, 'row')} drawn from {model}, written to {output}")


def _drawn(model: Any, rows: int, seed: int, tick: Any) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Record batches of rows with their classes; the first part is what `model.sample` draws with this seed."""
    import numpy as np
    import pyarrow as pa

    names, target = [column.name for column in model.model_.schema.columns], model.model_.schema.target.name
    for number, start in enumerate(range(0, rows, ROWS_SAMPLED_AT_A_TIME)):
        own = seed if not number else np.random.SeedSequence(seed, spawn_key=(number,))
        size = min(ROWS_SAMPLED_AT_A_TIME, rows - start)
        drawn, classes = model.sample(size, own)
        if hasattr(drawn, "column_names"):
            columns = dict(zip(names, drawn.columns, strict=True))
        elif hasattr(drawn, "columns"):
            columns = {name: pa.Array.from_pandas(drawn.iloc[:, at]) for at, name in enumerate(names)}
        else:
            dense = drawn.toarray() if hasattr(drawn, "toarray") else drawn
            columns = {name: pa.array(dense[:, at].tolist()) for at, name in enumerate(names)}
        tick(size)
        whole = pa.table({**columns, target: pa.array(classes.tolist())})
        for batch in whole.combine_chunks().to_batches():
            yield batch.select([]), dict(zip(batch.schema.names, batch.columns, strict=True))
