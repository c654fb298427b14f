"""Evidence by rows: the answers to one question for every row of a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from likely.cli.terminal.failures import UsageError
from likely.cli.terminal.session import Session
from likely.errors import listed, nearest


def answer_rows(
    session: Session, network: Any, name: str, targets: list[str], data: str, output: str | None, only: bool
) -> None:
    """Ask for every row of a file, and send the rows with the probabilities of each target beside them."""
    from likely.cli.inputs import open_rows
    from likely.cli.terminal.output_rows import send
    from likely.data.files.writer import check_writable
    from likely.data.tables import open_rows as opened
    from likely.estimators.streams import watched

    if not targets:
        hint = "name the nodes to ask about: likely network query alarm.bif LVFAILURE --rows cases.csv"
        raise UsageError("U103", "TARGET is missing", place="likely network query", hint=hint)
    if output is not None:
        check_writable(output)
    source = open_rows(session, data, None)
    opened(source, network.nodes, place=data, strangers="ignore")  # refused where no column is a node
    for target in dict.fromkeys(one for one in targets if one in source.columns):
        session.note(f"{target!r} is a column of the rows too: where it is known, the answer is what the row says")
    others = [name for name in source.columns if name not in network.nodes]
    if others:
        near = next((found for name in others if (found := nearest(name, network.nodes))), "")
        session.note(f"not nodes, and so not used as evidence: {listed(others, 5)}.{near}")
    impossible: list[int] = []
    with session.notes(), session.watch("asking") as tick:
        answers = _beside(network, targets, watched(source, tick), only, impossible)
        rows = send(session, answers, output, "answers", {"network": name, "targets": targets})
    _note_impossible(session, impossible)
    if output is not None:
        session.say(f"{rows:,} rows of {source.place} answered, written to {output}")


def _note_impossible(session: Session, bad: list[int]) -> None:
    if bad:
        some = ", ".join(map(str, bad[:5])) + (f" and {len(bad) - 5:,} more" if len(bad) > 5 else "")
        which = f"row {some}" if len(bad) == 1 else f"rows {some}"
        session.note(f"impossible under the network, and so without an answer: {which}")


def _beside(
    network: Any, targets: list[str], source: Any, only: bool, impossible: list[int]
) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The rows, each batch with its probabilities; rows without an answer have none, and are named in `impossible`."""
    import numpy as np
    import pyarrow as pa

    nodes, start = [name for name in source.columns if name in network.nodes], 0
    for batch in source.read():
        answers = network.query_many(pa.Table.from_batches([batch.select(nodes)]), targets, impossible="nan")
        impossible += (start + np.flatnonzero(np.isneginf(answers.log_evidence))).tolist()
        shares = {
            name: pa.array(column, from_pandas=True)
            for name, column in zip(answers.columns, np.asarray(answers).T, strict=True)
        }
        yield (batch.select([]) if only else batch), shares
        start += batch.num_rows
