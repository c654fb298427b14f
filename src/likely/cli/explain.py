"""likely explain: why this row, what would change the answer, what the model believes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from likely.cli import options
from likely.cli.options import argument, option
from likely.cli.terminal.failures import UsageError
from likely.cli.terminal.pictures import keep_picture, usual_place
from likely.cli.terminal.session import Session
from likely.errors import OptionError

SMALLEST_TERM = 5e-4  # in log odds; below it a column says nothing that three digits show
EXAMPLE = "likely explain loans.likely new.csv --row 17 -o why.png"


def run(
    session: Session,
    model: options.Model,
    data: Annotated[
        str | None, argument("[DATA]", "The file of the row; without it, the model itself is explained.")
    ] = None,
    row: Annotated[int, option("--row N", "Which row of DATA, numbered from 0.", min=0)] = 0,
    for_: Annotated[str | None, option("--for CLASS", "The class to speak for; by default the likeliest.")] = None,
    against: Annotated[str | None, option("--against CLASS", "Its rival; by default the runner-up.")] = None,
    unit: Annotated[str | None, option("--unit UNIT", "nats (log odds) or decibans. [default: nats]")] = None,
    nomogram: Annotated[
        bool, option("--nomogram", "Without DATA: the model as a nomogram, where columns are independent.")
    ] = False,
    output: Annotated[
        Path | None, option("--output -o FILE", "The picture: PNG, SVG or PDF. [default: MODEL-row-N.png]")
    ] = None,
    picture: options.Drawn = True,
    form: options.Format = None,
) -> None:
    """Show the terms of a row's prediction, which add up; without DATA, what the model has learnt."""
    from likely.cli.inputs import is_of_amounts, open_model, open_rows, refuse_for_amounts

    found = open_model(model)
    said = {"for": for_ is not None, "against": against is not None, "unit": unit is not None, "nomogram": nomogram}
    refuse_for_amounts(found, model, **said)
    bent = found if hasattr(found, "maps") else None
    if bent is not None:
        session.note("the terms are those of the model before recalibration, which bends what they add up to")
        found = bent.unbent
    classes = [] if is_of_amounts(found) else found.classes_.tolist()
    pro, con = (
        None if word is None else options.class_of(word, classes, place)
        for word, place in ((for_, "--for"), (against, "--against"))
    )
    if data is not None and nomogram:
        hint = "the nomogram is of the model: leave DATA out"
        raise UsageError("U110", "--nomogram and DATA exclude each other", place="likely explain", hint=hint)
    if pro is not None and pro == con:
        hint = "say two classes, or leave one of them out"
        raise UsageError("U110", f"--for and --against both name {pro!r}", place="likely explain", hint=hint)
    name = Path(model).name.removesuffix(".likely")
    place = None
    if picture and (data is not None or nomogram or output is not None):
        place = usual_place(session, output, f"{name}-nomogram.png" if data is None else f"{name}-row-{row}.png")
    if data is None:
        _explain_model(session, found, (pro, con), nomogram, place)
        return
    source = open_rows(session, data, form, model=found)
    if is_of_amounts(found):
        _explain_amount(session, found, source, row, place)
    else:
        _explain_row(session, found, bent, source, row, (pro, con, unit or "nats"), place)


def _explain_row(
    session: Session, model: Any, bent: Any, source: Any, row: int, asked: tuple[Any, Any, str], output: Path | None
) -> None:
    """Why this row: bars, what would change the answer, and the picture; `bent` is the recalibrated model, if it is.

    Its probabilities are told. What would change its answer is not looked for: the changes are those of the terms.
    """
    from likely.cli.inputs import one_row, ranges
    from likely.cli.terminal.render import named
    from likely.core.schema import plain
    from likely.explanations import changes, words

    unit = asked[2]
    rows, within = one_row(source, row, model), ranges(source, model)
    texts = any(column.kind == "text" for column in model.model_.schema.columns)
    told = words(model, rows) if texts else model.explain(rows)
    pro, con = told.sides(0, *asked[:2])
    odds = told.log_odds(pro, con, unit)[0]
    other = None if bent is not None else changes(model, rows, within=within)
    document = {**told.to_dict(0, unit, pro, con), "row": row, "changes": None if other is None else other.to_dict()}
    shares = (told.proba if bent is None else bent.predict_proba(rows))[0]
    if bent is not None:
        document["probabilities_before_recalibration"] = document["probabilities"]
        document["probabilities"] = dict(zip(map(str, told.classes), shares.tolist(), strict=True))
        document["prediction"] = plain(bent.predict(rows)[0])
    output = keep_picture(session, told.plot, output)
    session.answer(document, picture=output)
    target = model.model_.schema.target.name
    session.say(
        _bars(session, told, row, (named(target, pro), named(target, con)), (pro, con, unit), odds, shares),
        "",
        *_path(told),
        *([] if other is None else [str(other).replace("row 0 ", f"row {row} ", 1)]),
    )
    session.say_places(picture=output)


def _bars(
    session: Session, told: Any, row: int, named: tuple[str, str], asked: tuple[Any, Any, str], odds: Any, shares: Any
) -> Any:
    """What each column says for one class and against another; what is set aside is left out."""
    import numpy as np

    from likely.cli.terminal.bars import bars
    from likely.cli.terminal.render import short

    (pro, con), (level, rival, unit) = named, asked
    share = shares[told.classes.index(level)]
    title = f"row {row}: {pro} with probability {share:.4f}, against {con}"
    sides = 2 if told.given is None else 3
    heads = [*("column", "value", "")[:sides], "log odds" if unit == "nats" else unit, f"{con} | {pro}"]
    terms = [
        ((short(told.names[at]), short(told.value_at(0, at)), _given(told, at))[:sides], float(odds[at]))
        for at in np.argsort(-np.abs(odds), kind="stable").tolist()
        if at == 0 or abs(odds[at]) >= SMALLEST_TERM
    ]
    return bars(session, title, heads, terms, told.total(0, level, rival, unit))


def _given(told: Any, at: int) -> str:
    """What a term is conditional on beside the class."""
    from likely.cli.terminal.render import short

    given = told.given_at(0, at)
    return f"given {short(given, 40)}" if given else ""


def _path(told: Any) -> list[str]:
    """The way of the row through a tree, where there is one."""
    return ["the path through the tree:", str(told.path(0)), ""] if hasattr(told, "path") else []


def _explain_amount(session: Session, model: Any, source: Any, row: int, output: Path | None) -> None:
    """Why this number: what each column adds to the average, and the picture."""
    from likely.cli.inputs import one_row
    from likely.cli.terminal.bars import bars
    from likely.cli.terminal.render import short

    told = model.explain(one_row(source, row, model))
    output = keep_picture(session, told.plot, output)
    session.answer({**told.to_dict(0), "row": row}, picture=output)
    terms = [((short(told.names[at]), short(told.value_at(0, at))), amount) for at, amount in told.ranked(0) if amount]
    total, start = float(told.prediction[0]), float(told.terms[0, 0])
    heads = ["column", "value", "adds", "less | more"]
    title = f"row {row}: {told.target} {total:.6g}"
    shown = bars(session, title, heads, terms, total, "+.5g", ((told.names[0], ""), start))
    session.say(shown, "", *_path(told))
    session.say_places(picture=output)


def _explain_model(session: Session, model: Any, sides: tuple[Any, Any], nomogram: bool, output: Path | None) -> None:
    """What the model has learnt: of each column, or its structure, tree, rounds or coefficients; and its nomogram."""
    from likely.cli.inputs import is_of_amounts
    from likely.cli.model_beliefs import learnt_of
    from likely.explanations import nomogram as draw
    from likely.explanations import profile

    learnt = learnt_of(model)
    own = None if learnt is None else learnt.draw
    nomogram = nomogram or (output is not None and own is None)
    scales = None
    if nomogram:
        try:
            scales = draw(model, *sides)
        except OptionError as error:  # the rest is told all the same
            session.undrawn, output = error, None
    believed = None if is_of_amounts(model) else profile(model)
    document = {} if believed is None else believed.to_dict()
    if believed is not None and (learnt is None or learnt.name == "structure"):
        session.say(str(believed), "")
    if learnt is not None:
        document = {**document, learnt.name: learnt.page}
        session.say(learnt.words)
    if scales is not None:
        document = {**document, "nomogram": scales.to_dict()}
        session.say("", str(scales))
    if output is not None:
        drawn = scales.plot if scales is not None else own
        assert drawn is not None, "without a picture of its own, a model has a nomogram"
        output = keep_picture(session, drawn, output)
    session.say_places(picture=output)
    session.answer(document)
