"""likely merge: two or more models become the model of all their rows."""

from __future__ import annotations

from functools import reduce
from pathlib import Path
from typing import Annotated

from likely.cli import options
from likely.cli.options import argument
from likely.cli.terminal.failures import UsageError, hinted
from likely.cli.terminal.session import Session
from likely.errors import ModelError

EXAMPLE = "likely merge north.likely south.likely -o both.likely"


def run(
    session: Session,
    models: Annotated[list[str], argument("MODEL...", "Two or more model files.")],
    output: options.ModelOutput,
) -> None:
    """Add models: the result is the model that all their rows together would have given, exactly."""
    from likely.cli.inputs import open_plain, refuse_whole
    from likely.cli.terminal.render import count
    from likely.output.atomic_write import check_place

    if len(models) < 2:
        raise UsageError("U109", "one model alone cannot be merged", place="likely merge", hint="name two or more")
    check_place(output)
    parts = [open_plain(path, "maps of probabilities do not add") for path in models]
    for path, part in zip(models, parts, strict=True):
        refuse_whole(part, "merge", path)
    first = type(parts[0]).__name__
    for path, part in zip(models, parts, strict=True):
        if type(part) is not type(parts[0]):
            what, hint = f"a {type(part).__name__} cannot be merged with a {first}", f"give models of {first} alone"
            raise ModelError("M305", what, place=path, hint=hint)
    with hinted():
        whole = reduce(lambda one, other: one.merge(other), parts)
    whole.save(output)
    rows = [float(part.model_.rows.sum()) for part in parts]
    session.answer({"output": str(output), "models": models, "rows": rows, "total": float(whole.model_.rows.sum())})
    told = " + ".join(f"{Path(path).name} ({count(part)} rows)" for path, part in zip(models, rows, strict=True))
    session.say(f"{told} = {output} ({count(whole.model_.rows.sum())} rows)")
