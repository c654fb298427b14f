"""likely forget: rows that a model learnt are taken back."""

from __future__ import annotations

from likely.cli import options
from likely.cli.terminal.session import Session

EXAMPLE = "likely forget both.likely gone.csv -o rest.likely"


def run(
    session: Session,
    model: options.Model,
    data: options.Data,
    output: options.ModelOutput,
    weight: options.Weight = None,
    match_labels: options.MatchLabels = False,
    form: options.Format = None,
) -> None:
    """Take the rows of DATA back, exactly: the result never saw them. Rows that cannot have been learnt are refused."""
    from dataclasses import replace

    from likely.cli.inputs import open_plain, open_rows, refuse_whole, rows_to_judge
    from likely.cli.terminal.render import count
    from likely.estimators.streams import watched
    from likely.output.atomic_write import check_place

    check_place(output)
    found = open_plain(model, "its maps remember all rows")
    refuse_whole(found, "forget", model)
    before = float(found.model_.rows.sum())
    source = open_rows(session, data, form, model=found)
    with rows_to_judge(session, found, source, match_labels) as known, session.watch("forgetting") as tick:
        found.forget(replace(watched(known, tick), weight=weight))
    found.save(output)
    after = float(found.model_.rows.sum())
    session.answer({"output": str(output), "before": before, "forgotten": before - after, "after": after})
    session.say(f"{count(before)} rows - {count(before - after)} forgotten = {count(after)} rows, saved to {output}")
