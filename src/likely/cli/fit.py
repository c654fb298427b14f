"""likely fit: learn a model from a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from likely.cli import options
from likely.cli.failures import UsageError
from likely.cli.session import Session
from likely.errors import listed

EXAMPLE = "likely fit loans.csv --target default -o loans.likely"
CHECKED = 100_000  # rows up to which the model is judged by leave-one-out at once


def run(
    session: Session,
    data: options.Data,
    target: options.Target = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to keep the model, as in loans.likely.")
    ] = None,
    model: Annotated[
        str, typer.Option("--model", "-m", metavar="NAME", help=f"Which model: {options.MODELS}.")
    ] = "naive",
    said: options.Set = None,
    kind: options.Kind = None,
    estimate: options.Estimate = None,
    smoothing: options.Smoothing = 1.0,
    priors: options.Priors = None,
    missing: options.Missing = "ignore",
    weight: options.Weight = None,
    recalibrate: Annotated[
        str | None,
        typer.Option(
            "--recalibrate",
            metavar="HOW",
            help="platt, isotonic, beta or temperature: bend the probabilities to what leave-one-out shows to happen.",
        ),
    ] = None,
    form: options.Format = None,
) -> None:
    """Learn a model from DATA, judge it honestly by leave-one-out, and keep it in a file."""
    from likely.cli.reading import open_rows
    from likely.placing import check_place

    if output is not None:
        check_place(output)
    source = open_rows(session, data, form, target)
    if target is None:
        hint = f"say --target COLUMN; the columns are {listed(source.columns)}"
        raise UsageError("U103", "--target is missing", place="likely fit", hint=hint)
    if weight == target:
        raise UsageError("U110", "--weight and --target name one column", place="likely fit", hint="say two columns")
    settings: dict[str, Any] = {
        "kinds": options.read_kinds(kind),
        **({} if estimate is None else {"estimate": estimate}),
        "smoothing": smoothing,
        "missing": missing,
        **options.read_settings(said),
    }
    fitted = _learnt(session, source, target, model, settings, weight)
    if priors is not None:
        fitted = fitted.with_priors(options.read_priors(priors, fitted.classes_.tolist()))
    honest = _honest(fitted, source, weight, session)
    better = None if recalibrate is None else _recalibrated(fitted, source, target, weight, recalibrate)
    if output is not None:
        (better or fitted).save(output)
    bent = {} if better is None else {"recalibration": better.to_dict()}
    session.answer({**_document(fitted, target, output, honest), **bent})
    session.say(*_lines(fitted, source.place, target, honest))
    if better is not None:
        session.tell(f"{better.method}: {better.words.removesuffix('; plot() shows where.')}")
    session.say(*_kept(output))


def _learnt(
    session: Session, source: Any, target: str, model: str, settings: dict[str, Any], weight: str | None
) -> Any:
    """The fitted model; a column that counts the rows is set aside, and what looks odd is said."""
    from likely.estimators import fit
    from likely.estimators.catalogue import make
    from likely.estimators.streaming import watched

    with session.notes(), session.watch("learning") as tick:
        fitted = fit(watched(source, tick), target, make(model, settings), weight=weight)
        counting = [note.column for note in fitted.notes_ if note.code == "counter"]
        if counting:  # next year's rows have numbers that this model would take for a world it never saw
            kinds = settings["kinds"] if isinstance(settings["kinds"], dict) else {}
            settings = {**settings, "kinds": {**kinds, **dict.fromkeys(counting, "skip")}}
            fitted = fit(watched(source, tick), target, make(model, settings), weight=weight)
    for name in counting:
        session.note(f"{name!r} counts the rows and is set aside; to use it, say --kind {name}=real")
    classes, rows = len(fitted.classes_), fitted.model_.rows.sum()
    if classes < 2:
        session.note(f"{target!r} has one class only: there is nothing to tell apart")
    if classes > max(20, rows / 2):
        session.note(f"{target!r} has {classes} classes in {rows} rows: is it an identifier?")
    if all(column.kind == "skip" for column in fitted.model_.schema.columns):
        session.note("there is no column to learn from: only the shares of the classes are known")
    return fitted


def _recalibrated(fitted: Any, source: Any, target: str, weight: str | None, method: str) -> Any:
    """The model with maps learnt from its leave-one-out probabilities; these rows are held in memory."""
    import pyarrow as pa

    from likely.evaluation import recalibrate

    table = pa.Table.from_batches(list(source.read()))
    beside = [target, *([] if weight is None else [weight])]
    weights = None if weight is None else table.column(weight).to_numpy()
    return recalibrate(fitted, table.drop_columns(beside), table.column(target).combine_chunks(), method, weights)


def _honest(fitted: Any, source: Any, weight: str | None, session: Session) -> dict[str, float] | None:
    """Accuracy and log loss of leave-one-out, where that does not take long."""
    from dataclasses import replace

    from likely.estimators.streaming import left_out, watched
    from likely.evaluation import accuracy, log_loss

    if fitted.model_.rows.sum() > CHECKED:
        return None
    with session.watch("leaving one out") as tick:
        cells, proba, weights = left_out(fitted, watched(replace(source, weight=weight), tick))
    y, classes = fitted.classes_[cells], fitted.classes_
    return {
        "accuracy": accuracy(y, proba, classes, weights=weights),
        "log_loss": log_loss(y, proba, classes, weights=weights),
    }


def _document(fitted: Any, target: str, output: Path | None, honest: dict[str, float] | None) -> dict[str, Any]:
    model = fitted.model_
    rows = zip(fitted.classes_.tolist(), model.rows.tolist(), strict=True)
    return {
        "model": type(fitted).__name__,
        "output": None if output is None else str(output),
        "target": target,
        "rows": model.rows.sum().item(),
        "classes": [{"class": level, "rows": count} for level, count in rows],
        "columns": [{"name": column.name, "kind": column.kind} for column in model.schema.columns],
        **_structure(fitted),
        "leave_one_out": honest,
        "notes": [note.text for note in fitted.notes_],
    }


def _structure(fitted: Any) -> dict[str, Any]:
    """Which columns depend on which, where any may."""
    if not hasattr(fitted, "structure_"):
        return {}
    return {"structure": fitted.structure_.to_dict(), "cuts": fitted.cuts_}


def _kept(output: Path | None) -> list[str]:
    if output is None:
        return ["  not kept: say -o FILE to keep the model"]
    kept = f"  kept     {output} ({output.stat().st_size:,} bytes)"
    return [kept, f"next: likely evaluate {output} LATER.csv, or likely predict {output} NEW.csv --proba"]


def _lines(fitted: Any, place: str, target: str, honest: dict[str, float] | None) -> list[str]:
    from likely.cli.render import as_options, count, in_a_line, named

    model, rows = fitted.model_, fitted.model_.rows
    aside = {note.column for note in fitted.notes_ if note.code == "skipped"}
    kinds = ["skip" if column.name in aside else column.kind for column in model.schema.columns]
    columns = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds)).replace("skip", "set aside")
    pairs = list(zip(fitted.classes_.tolist(), rows, strict=True))
    shares = ", ".join(
        f"{named(target, level)} {count(weight)} ({weight / rows.sum():.0%})" for level, weight in pairs[:12]
    )
    shares += f" and {len(pairs) - 12} more" if len(pairs) > 12 else ""
    lines = [
        f"{type(fitted).__name__} of {target!r} from {place}",
        f"  rows     {count(rows.sum())}: {shares}",
        f"  columns  {len(kinds)}: {columns}",
    ]
    if hasattr(fitted, "structure_"):
        lines.append(f"  parents  {in_a_line(fitted.structure_)}")
    if honest is None:
        lines.append(
            f"  honest   not judged by leave-one-out: more than {CHECKED:,} rows; use likely evaluate on others"
        )
    else:
        scores = f"accuracy {honest['accuracy']:.3f}, log loss {honest['log_loss']:.3f}"
        lines.append(f"  honest   {scores}: every row judged by the model that never saw it (leave-one-out, exact)")
        if getattr(fitted, "_learns_structure", False):
            lines.append("           but all rows taught its structure and cuts; `likely compare` learns them afresh")
    return lines + [f"  note     {as_options(note.text)}" for note in fitted.notes_ if note.code != "skipped"]
