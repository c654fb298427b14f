"""likely belief: one parameter, before and after data: a coin, a die, a normal, a rate, or named hypotheses."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from likely.cli import options
from likely.cli.options import argument, option
from likely.cli.terminal.failures import UsageError, Verb, Verbs
from likely.cli.terminal.pictures import check_pictures, keep_picture
from likely.cli.terminal.session import Session, verb
from likely.output.draw import draw
from likely.output.phrases import plural

EXAMPLE = "likely belief coin --heads 7 --tails 3 --prior 2,2 -o coin.png"
app = typer.Typer(
    cls=Verbs,
    help="What data make of a belief: prior, likelihood, posterior, MLE and MAP, of a coin, a die, a normal or a rate.",
    epilog=f"Example: {EXAMPLE}",
    no_args_is_help=True,
)
Level = Annotated[float, option("--level P", "How sure the interval is.")]


@app.command(cls=Verb, epilog=f"Example: {EXAMPLE}")
@verb
def coin(
    session: Session,
    heads: Annotated[float, option("--heads N", "Heads, or successes, seen.")] = 0,
    tails: Annotated[float, option("--tails N", "Tails, or failures, seen.")] = 0,
    prior: Annotated[str, option("--prior A,B", "Heads and tails that the prior is worth: Beta(A, B).")] = "1,1",
    level: Level = 0.95,
    output: options.Picture = None,
) -> None:
    """The chance of heads, after so many tosses."""
    from likely.beliefs import Beta

    a, b = _numbers(prior, "--prior", 2)
    _check_counts("--heads", heads)
    _check_counts("--tails", tails)
    before = Beta(a, b)
    after, total = before.update(heads, tails), heads + tails
    facts = {
        "mle": heads / total if total else None,
        **_believed(after, level),
        "predictive": {"heads": after.mean, "tails": 1 - after.mean},
        "log_evidence": before.log_evidence(heads, tails),
    }
    next_one = f"the next toss is heads with probability {after.mean:.4g}"
    seen = f"{heads:g} heads, {tails:g} tails"
    _show(session, ("the chance of heads", seen, next_one), before, after, facts, level, output)


@app.command(cls=Verb, epilog="Example: likely belief dice --counts 3,1,0,2,4,0 -o dice.png")
@verb
def dice(
    session: Session,
    counts: Annotated[str, option("--counts N,N,...", "How often each face was seen.")],
    prior: Annotated[str, option("--prior A[,A,...]", "What the prior is worth: of each face, or of all.")] = "1",
    faces: Annotated[str | None, option("--faces NAME,...", "Names of the faces; by default 1, 2, ...")] = None,
    level: Level = 0.95,
    output: options.Picture = None,
) -> None:
    """The probabilities of the faces of a die, or of any categories."""
    from likely.beliefs import Dirichlet

    seen = _numbers(counts, "--counts")
    names = [name.strip() for name in faces.split(",")] if faces else [str(1 + at) for at in range(len(seen))]
    worth = _numbers(prior, "--prior")
    worth = worth * len(seen) if len(worth) == 1 else worth
    if not len(names) == len(worth) == len(seen):
        hint = "say as many faces and as many numbers of the prior as counts, or one number of the prior for all"
        what = f"{len(seen)} counts, {len(names)} faces, a prior of {len(worth)} numbers"
        raise UsageError("U141", what, place="likely belief dice", hint=hint)
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError("U141", f"two faces are called {twice!r}", place="--faces", hint="name each face once")
    for count in seen:
        _check_counts("--counts", count)
    before = Dirichlet(worth)
    after, total = before.update(seen), sum(seen)
    low, high = after.interval(level)
    facts = {
        "mle": {name: count / total for name, count in zip(names, seen, strict=True)} if total else None,
        "map": dict(zip(names, after.mode.tolist(), strict=True)),
        "mean": dict(zip(names, after.mean.tolist(), strict=True)),
        "interval": dict(zip(names, zip(low.tolist(), high.tolist(), strict=True), strict=True)),
        "predictive": dict(zip(names, after.mean.tolist(), strict=True)),
        "log_evidence": before.log_evidence(seen),
    }
    best = names[int(after.mean.argmax())]
    words = f"the next is {best} with probability {after.mean.max():.4g}"
    about = ("the probabilities of the faces", ", ".join(f"{name}: {n:g}" for name, n in zip(names, seen, strict=True)))
    _show(session, (*about, words), before, after, facts, level, output, levels=names)


@app.command(cls=Verb, epilog="Example: likely belief normal --values 4.1,3.9,5.0 -o normal.png")
@verb
def normal(
    session: Session,
    data: Annotated[str | None, argument("[DATA]", "A file with the values in a column.")] = None,
    column: Annotated[str | None, option("--column COLUMN", "The column of DATA.")] = None,
    values: Annotated[str | None, option("--values X,X,...", "The values themselves.")] = None,
    prior: Annotated[
        str, option("--prior M,N,SHAPE,RATE", "Mean M worth N values; variance as inverse-gamma(SHAPE, RATE).")
    ] = "0,0.01,0.5,0.5",
    level: Level = 0.95,
    output: options.Picture = None,
) -> None:
    """The mean and the spread of a normal, after some values; missing ones are left out."""
    import numpy as np

    from likely.beliefs import NormalInverseGamma
    from likely.plots.posteriors.parameters import quantities

    if values is not None and (data is not None or column is not None):
        hint = "say --values, or a file and its --column"
        raise UsageError("U110", "the values are said twice", place="likely belief normal", hint=hint)
    if values is None and (data is None or column is None):
        hint = "say --values 4.1,3.9, or a file and its column: likely belief normal rows.csv --column x"
        raise UsageError("U141", "which values?", place="likely belief normal", hint=hint)
    if values is None:
        seen = _column(session, str(data), str(column))
    else:
        seen = np.array(_numbers(values, "--values"))
        seen = seen[~np.isnan(seen)]
    before = NormalInverseGamma(*_numbers(prior, "--prior", 4))
    after, both = before.update(seen), quantities(NormalInverseGamma)
    facts = {
        "mle": {"mean": float(seen.mean()), "standard deviation": float(seen.std())} if len(seen) else None,
        "map": {one.about: one.mode(after) for one in both},
        "mean": {one.about: one.mean(after) for one in both},
        "interval": {one.about: one.interval(after, level) for one in both},
        "predictive": dict(zip(("degrees", "location", "scale"), after.student, strict=True)),
        "log_evidence": before.log_evidence(seen),
    }
    low, high = after.predictive().interval(level)
    words = f"the next value is within {low:.4g} to {high:.4g} with probability {level:g}"
    about = ("the mean and the standard deviation", plural(len(seen), "value"))
    _show(session, (*about, words), before, after, facts, level, output, about=column or "")


@app.command(cls=Verb, epilog="Example: likely belief rate --total 12 --exposure 3 -o rate.png")
@verb
def rate(
    session: Session,
    total: Annotated[float, option("--total N", "Events that were counted.")] = 0,
    exposure: Annotated[float, option("--exposure T", "In so many units: hours, rows, ...")] = 0,
    prior: Annotated[str, option("--prior N,T", "Events and units that the prior is worth: Gamma(N, T).")] = "1,0.01",
    level: Level = 0.95,
    output: options.Picture = None,
) -> None:
    """How many events a unit brings, after so many in some units."""
    from likely.beliefs import Gamma

    _check_counts("--total", total)
    _check_counts("--exposure", exposure)
    if total and not exposure:
        hint = "say the units that they were counted in: --exposure 3"
        raise UsageError("U141", f"{total:g} events in no units", place="--exposure", hint=hint)
    shape, worth = _numbers(prior, "--prior", 2)
    before = Gamma(shape, worth)
    after = before.update(total, exposure)
    facts = {
        "mle": total / exposure if exposure else None,
        **_believed(after, level),
        "predictive": {str(count): float(after.predictive().pmf(count)) for count in range(4)},
        "log_evidence": before.log_predictive(total, exposure) if exposure else 0.0,
    }
    words = f"the next unit brings none with probability {float(after.predictive().pmf(0)):.4g}"
    seen = f"{total:g} events in {exposure:g} units"
    _show(session, ("the expected count of a unit", seen, words), before, after, facts, level, output)


@app.command(cls=Verb, epilog="Example: likely belief rule --prior ill=0.004,well=0.996 --likelihood ill=0.8,well=0.1")
@verb
def rule(
    session: Session,
    prior: Annotated[str, option("--prior NAME=P,...", "Each hypothesis before the evidence.")],
    likelihood: Annotated[str, option("--likelihood NAME=P,...", "The evidence under each; only ratios count.")],
    output: options.Picture = None,
) -> None:
    """Bayes' rule: named hypotheses before and after some evidence."""
    from likely.beliefs import bayes_rule
    from likely.cli.terminal.render import table

    check_pictures(output)
    before = {name: _number(word, "--prior") for name, word in options.pairs(prior.split(","), "--prior").items()}
    words = options.pairs(likelihood.split(","), "--likelihood")
    said = {name: _number(word, "--likelihood") for name, word in words.items()}
    with session.notes():
        after = bayes_rule(before, said)
    output = keep_picture(session, lambda: draw("hypotheses", before, said), output)
    session.answer({"prior": before, "likelihood": said, "posterior": after}, picture=output)
    shown = table("Bayes' rule", "hypothesis", "prior", "likelihood", "posterior")
    for name in after:
        shown.add_row(name, f"{before[name]:.6g}", f"{said[name]:.6g}", f"{after[name]:.6g}")
    session.say(shown)
    session.say_places(picture=output)


def _show(
    session: Session,
    told: tuple[str, str, str],
    before: Any,
    after: Any,
    facts: dict[str, Any],
    level: float,
    output: Path | None,
    **more: Any,
) -> None:
    """The belief in words, as JSON and as a picture; `told`: what it is about, what was seen, what comes next."""
    about, seen, coming = told
    check_pictures(output)
    words = {"observed": seen, "about": about.removeprefix("the "), **more}
    output = keep_picture(session, lambda: after.plot(**words), output)
    session.answer({"prior": _page(before), "posterior": _page(after), **facts, "level": level}, picture=output)
    names = more.get("levels")
    told_apart = _levels(names, facts, level) if names else _facts(before, after, facts, level)
    session.say(f"{about}, after {seen}", told_apart, coming)
    session.say_places(picture=output)


def _facts(before: Any, after: Any, facts: dict[str, Any], level: float) -> Any:
    from likely.cli.terminal.render import table

    shown = table("", "", "")
    shown.add_row("before", _name(before))
    shown.add_row("after", _name(after))
    names = {"mle": "MLE, by the data alone", "map": "MAP, the likeliest now", "mean": "mean"}
    for key, name in names.items():
        shown.add_row(name, "none: there are no data" if facts[key] is None else _words(facts[key]))
    shown.add_row(f"{100 * level:g} % interval", _words(facts["interval"]))
    shown.add_row("log evidence", f"{facts['log_evidence']:.6g}")
    return shown


def _levels(names: list[str], facts: dict[str, Any], level: float) -> Any:
    from likely.cli.terminal.render import table

    shown = table("", "", "MLE", "MAP", "mean", f"{100 * level:g} % interval")
    for name in names:
        best = "none" if facts["mle"] is None else _words(facts["mle"][name])
        shown.add_row(name, best, *(_words(facts[key][name]) for key in ("map", "mean", "interval")))
    return shown


def _name(belief: Any) -> str:
    """The belief in few digits."""
    page = _page(belief)
    return f"{page.pop('belief')}({', '.join(f'{name}={value:.6g}' for name, value in page.items())})"


def _believed(belief: Any, level: float) -> dict[str, Any]:
    """What a belief says of its one number."""
    return {"map": belief.mode, "mean": belief.mean, "interval": belief.interval(level)}


def _page(belief: Any) -> dict[str, Any]:
    from dataclasses import fields

    from likely.output.jsonable import to_jsonable

    return {
        "belief": type(belief).__name__,
        **{one.name: to_jsonable(getattr(belief, one.name)) for one in fields(belief)},
    }


def _words(value: Any) -> str:
    """A number, an interval, or several of them by name."""
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_words(one)}" for name, one in value.items())
    if isinstance(value, tuple):
        return f"{value[0]:.5g} to {value[1]:.5g}"
    return f"{value:.5g}"


def _numbers(text: str, option: str, size: int | None = None) -> list[float]:
    found = [_number(word, option) for word in text.split(",")]
    if size is not None and len(found) != size:
        hint = f"say {size} numbers, as in {option} {','.join('1' * size)}"
        raise UsageError("U141", f"{len(found)} numbers in {text!r}", place=option, hint=hint)
    return found


def _number(word: str, option: str) -> float:
    try:
        return float(word)
    except ValueError:
        hint = "say numbers, with commas between several"
        raise UsageError("U107", f"{word.strip()!r} is no number", place=option, hint=hint) from None


def _check_counts(option: str, value: float) -> None:
    if not 0 <= value < float("inf"):
        raise UsageError("U141", f"{value:g} is no count", place=option, hint="say a number from 0 on")


def _column(session: Session, data: str, name: str) -> Any:
    """(values,): a column of a file, without its missing values."""
    import numpy as np

    from likely.cli.inputs import check_column, open_rows

    source = open_rows(session, data, None)
    check_column(name, source)
    parts = [batch.column(source.columns.index(name)) for batch in source.read()]
    try:
        found = np.concatenate([np.asarray(part.cast("float64").to_numpy(zero_copy_only=False)) for part in parts])
    except Exception as error:
        hint = "name a column of numbers"
        raise UsageError("U141", f"{name!r} holds no numbers", place=source.place, hint=hint) from error
    kept = found[~np.isnan(found)]
    if len(kept) < len(found):
        gone = len(found) - len(kept)
        session.note(f"{plural(gone, 'missing value')} of {name!r} {'is' if gone == 1 else 'are'} left out")
    return kept
