"""likely explain: why this row, what would change the answer, what the model believes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from likely.cli import options
from likely.cli.failures import UsageError
from likely.cli.session import Session

EXAMPLE = "likely explain loans.likely new.csv --row 17 -o why.png"
TOP = 12  # reasons shown


def run(
    session: Session,
    model: options.Model,
    data: Annotated[
        str | None,
        typer.Argument(metavar="[DATA]", help="The file of the row; without it, the model itself is explained."),
    ] = None,
    row: Annotated[int, typer.Option("--row", metavar="N", min=0, help="Which row of DATA, numbered from 0.")] = 0,
    for_: Annotated[
        str | None, typer.Option("--for", metavar="CLASS", help="The class to speak for; by default the likeliest.")
    ] = None,
    against: Annotated[
        str | None, typer.Option("--against", metavar="CLASS", help="Its rival; by default the runner-up.")
    ] = None,
    unit: Annotated[str, typer.Option("--unit", metavar="UNIT", help="nats (log odds) or decibans.")] = "nats",
    nomogram: Annotated[
        bool, typer.Option("--nomogram", help="Without DATA: the model as a nomogram, where columns are independent.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="The picture: PNG, SVG or PDF. [default: MODEL-row-N.png]"),
    ] = None,
    picture: options.Drawn = True,
    form: options.Format = None,
) -> None:
    """Show the terms of a row's prediction, which add up; without DATA, what the model believes of each column."""
    from likely.cli.reading import open_model, open_rows
    from likely.plots.saving import check_picture

    found = open_model(model)
    if hasattr(found, "maps"):
        session.note("the terms are those of the model before recalibration, which bends what they add up to")
        found = found.model
    classes = found.classes_.tolist()
    pro, con = (None if word is None else options.one_of(word, classes) for word in (for_, against))
    if data is not None and nomogram:
        hint = "the nomogram is of the model: leave DATA out"
        raise UsageError("U110", "--nomogram and DATA exclude each other", place="likely explain", hint=hint)
    nomogram = nomogram or (data is None and output is not None and not hasattr(found, "structure_"))
    if pro is not None and pro == con:
        hint = "say two classes, or leave one of them out"
        raise UsageError("U110", f"--for and --against both name {pro!r}", place="likely explain", hint=hint)
    name = Path(model).name.removesuffix(".likely")
    place = None
    if picture and (data is not None or nomogram or output is not None):
        place = output or Path(f"{name}-nomogram.png" if data is None else f"{name}-row-{row}.png")
        check_picture(place)
    if data is None:
        _explain_model(session, found, pro, con, nomogram, place)
        return
    source = open_rows(session, data, form)
    _explain_row(session, found, source, row, (pro, con, unit), place)


def _explain_row(
    session: Session, model: Any, source: Any, row: int, asked: tuple[Any, Any, str], output: Path | None
) -> None:
    """Why this row: bars, what would change the answer, and the picture."""
    from likely.cli.reading import one_row, ranges
    from likely.cli.render import named
    from likely.explanations import changes, words
    from likely.plots.saving import save

    unit = asked[2]
    rows, within = one_row(source, row), ranges(source)
    texts = any(column.kind == "text" for column in model.model_.schema.columns)
    told = words(model, rows) if texts else model.explain(rows)
    pro, con = told.sides(0, *asked[:2])
    odds, other = told.log_odds(pro, con, unit)[0], changes(model, rows, within=within)
    document = {**told.to_dict(0, unit, pro, con), "row": row, "changes": other.to_dict()}
    if output is not None:
        save(told.plot(), output)
    session.answer({**document, "picture": None if output is None else str(output)})
    target = model.model_.schema.target.name
    session.say(
        _bars(session, told, row, (named(target, pro), named(target, con)), (pro, con, unit), odds),
        "",
        str(other).replace("row 0 ", f"row {row} ", 1),
    )
    if output is not None:
        session.say(f"picture: {output}")


def _bars(session: Session, told: Any, row: int, named: tuple[str, str], asked: tuple[Any, Any, str], odds: Any) -> Any:
    """Bars to both sides of a line, as long as the terminal has room for; what is set aside is left out."""
    import numpy as np

    from likely.cli.render import short, table
    from likely.widths import width

    (pro, con), (level, rival, unit) = named, asked
    share = told.proba[0, told.classes.index(level)]
    name = "log odds" if unit == "nats" else unit
    title = f"row {row}: {pro} with probability {share:.4f}, against {con}"
    finite = np.abs(odds[np.isfinite(odds)])
    most = finite.max(initial=0.0) or 1.0
    order = [at for at in np.argsort(-np.abs(odds), kind="stable") if odds[at] or at == 0]
    words = {at: (short(told.names[at]), short(told.value_at(0, at)), _given(told, at)) for at in order[:TOP]}
    sides = 2 if told.given is None else 3
    shown = table(title, *("column", "value", "")[:sides], name, f"{con} | {pro}")
    taken = sum(max((width(cells[side]) for cells in words.values()), default=0) for side in range(sides))
    half = max(4, min(14, (session.width - taken - 16 - 3 * sides) // 2))
    for at, cells in words.items():
        length = half if not np.isfinite(odds[at]) else round(half * abs(odds[at]) / most)
        left, right = ("█" * length, "") if odds[at] < 0 else ("", "█" * length)
        shown.add_row(*cells[:sides], f"{odds[at]:+.3f}", f"{left:>{half}}|{right}")
    rest, empty = order[TOP:], [""] * (sides - 1)
    if len(rest):
        shown.add_row(f"{len(rest)} more", *empty, f"{odds[rest].sum():+.3f}", "")
    shown.add_row("sum", *empty, f"{told.total(0, level, rival, unit):+.3f}", "")
    return shown


def _given(told: Any, at: int) -> str:
    """What a term is conditional on beside the class."""
    from likely.cli.render import short

    given = told.given_at(0, at)
    return f"given {short(given, 40)}" if given else ""


def _explain_model(session: Session, model: Any, pro: Any, con: Any, nomogram: bool, output: Path | None) -> None:
    """What the model believes of each column; and its nomogram, or what depends on what."""
    from likely.explanations import nomogram as draw
    from likely.explanations import profile
    from likely.plots.saving import save

    scales = draw(model, pro, con) if nomogram else None  # refused before anything is shown
    believed = profile(model)
    document = believed.to_dict()
    session.say(str(believed))
    if hasattr(model, "structure_"):
        document = {**document, "structure": model.structure_.to_dict()}
        session.say("", str(model.structure_))
        if output is not None:
            save(model.structure_.plot(), output)
            session.say(f"picture: {output}")
    if scales is not None:
        document = {**document, "nomogram": scales.to_dict()}
        session.say("", str(scales))
        if output is not None:
            save(scales.plot(), output)
            session.say(f"picture: {output}")
    session.answer(document)
