"""likely network sample: rows drawn from a network."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from likely.cli import options
from likely.cli.network import arguments
from likely.cli.network.arguments import open_network, read_evidence
from likely.cli.options import argument, option
from likely.cli.terminal.session import Session

ROWS_DRAWN_AT_A_TIME = 1 << 20  # rows that are drawn at a time, so that any number of them fits in memory
EXAMPLE = "likely network sample alarm.bif 10000 -o cases.csv --seed 1"


def run(
    session: Session,
    network: arguments.File,
    rows: Annotated[int, argument("ROWS", "How many rows.", min=1)],
    output: options.Output = None,
    given: Annotated[
        list[str] | None, option("--given -g NODE=LEVEL", "Rows under these findings only; may be repeated.")
    ] = None,
    form: arguments.Form = None,
) -> None:
    """Draw rows from a network, one column a node; the same --seed gives the same rows."""
    from likely.cli.terminal.output_rows import send
    from likely.data.files.writer import check_writable

    if output is not None:
        check_writable(output)
    found = open_network(session, network, form)
    known = read_evidence(found, given, place="--given")
    with session.notes(), session.watch("drawing", rows) as tick:
        drawn = _drawn(found, rows, session.seed, known, tick)
        written = send(session, drawn, output, "cases", {"network": network, "seed": session.seed, "given": known})
    if output is not None:
        session.say(f"{written:,} rows drawn from {network}, written to {output}")


def _drawn(
    network: Any, rows: int, seed: int, known: dict[str, Any], tick: Any
) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Batches of rows; the first part is what `Network.sample` draws with this seed."""
    import numpy as np
    import pyarrow as pa

    for number, start in enumerate(range(0, rows, ROWS_DRAWN_AT_A_TIME)):
        own = seed if not number else int(np.random.SeedSequence(seed, spawn_key=(number,)).generate_state(1)[0])
        frame = network.sample(min(ROWS_DRAWN_AT_A_TIME, rows - start), own, known or None, tick=tick)
        table = frame if isinstance(frame, pa.Table) else pa.Table.from_pandas(frame, preserve_index=False)
        for batch in table.to_batches():
            yield batch.select([]), dict(zip(batch.schema.names, batch.columns, strict=True))
