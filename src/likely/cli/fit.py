"""likely fit: learn a model from a file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from likely.cli import options
from likely.cli.options import option
from likely.cli.terminal.failures import StoppedError, UsageError, hinted
from likely.cli.terminal.session import MOST_NOTES, NOTE_LETTERS, Session
from likely.errors import nearest

EXAMPLE = "likely fit loans.csv --target default -o loans.likely"

WEIGHED = (
    "class weights move the class priors: probabilities and losses are those of a world with such shares of the"
    " classes; to keep the probabilities and weigh mistakes, say likely decide --loss"
)


def run(
    session: Session,
    data: options.Data,
    target: options.Target = None,
    output: Annotated[Path | None, option("--output -o FILE", "Where to save the model, as in loans.likely.")] = None,
    model: Annotated[
        str | None,
        option(
            "--model -m NAME",
            f"Which model: {options.CLASSIFIERS}; of a numeric target {options.REGRESSORS}."
            " [default: auto, which tries what suits the table and pools it; linear of a numeric target]",
        ),
    ] = None,
    like: Annotated[
        Path | None,
        option(
            "--like MODEL",
            "Learn a model that can be merged with MODEL: of its class, options, kinds, cut points and structure.",
        ),
    ] = None,
    said: options.Set = None,
    kind: options.Kind = None,
    estimate: options.Estimate = None,
    smoothing: options.Smoothing = None,
    priors: options.Priors = None,
    class_weight: options.ClassWeight = None,
    missing: options.Missing = None,
    weight: options.Weight = None,
    groups: options.Groups = None,
    time: options.Time = None,
    holdout: options.Holdout = None,
    match_labels: options.MatchLabels = False,
    recalibrate: Annotated[
        str | None,
        option(
            "--recalibrate HOW",
            "platt, isotonic, beta or temperature: bend the probabilities to what rows not seen show to happen.",
        ),
    ] = None,
    form: options.Format = None,
) -> None:
    """Learn a model from DATA, judge it on rows that it has not seen, and save it to a file."""
    from dataclasses import replace

    from likely.cli.held_out_rows import HoldoutPlan
    from likely.cli.held_out_scores import judge
    from likely.cli.inputs import open_rows, target_missing, with_labels
    from likely.data.files.column_numbers import column_said
    from likely.estimators.registry import kind_of
    from likely.output.atomic_write import check_place

    if output is not None:
        check_place(output)
    typed = {"kinds": options.read_kinds(kind) if kind else None, "estimate": estimate, "smoothing": smoothing}
    typed |= {"missing": missing, "priors": priors, "class_weight": class_weight}
    given = options.read_settings(said)
    first = None if like is None else _to_be_like(like, {"model": model, **typed, **given})
    named = (weight, groups, time, *options.columns_of_kinds(kind))
    source = open_rows(session, data, form, target, first, named=named, kinds=options.read_kinds(kind)).kept()
    if target is None and first is not None:
        target = first.model_.schema.target.name
    if target is None:
        raise target_missing(source, "likely fit")
    target = column_said(target, source.columns)
    if first is not None and target != first.model_.schema.target.name:
        what = f"{like} predicts {first.model_.schema.target.name!r}, and --target says {target!r}"
        raise UsageError("U110", what, place="likely fit", hint="leave --target out, or --like")
    weight = weight and column_said(weight, source.columns)
    if weight == target:
        raise UsageError("U110", "--weight and --target name one column", place="likely fit", hint="say two columns")
    plan = HoldoutPlan.read(source, target, groups, time, holdout, options.read_kinds(kind), "fit")
    plan = replace(plan, form=form, match_labels=match_labels)
    if match_labels and not plan.of_file:
        hint = "say --holdout FILE too, or leave --match-labels out: it is about labels of another file"
        raise UsageError("U110", "--match-labels without --holdout FILE", place="likely fit", hint=hint)
    if first is None:
        told = None
        if model is None:
            model, told = _usual_model(source, target, {**typed, **given})
        _refuse_for(model, hasattr(kind_of(model), "predict_proba"), priors, recalibrate, class_weight)
        settings = _settings(model, typed, given, session.seed)
        if told is not None:
            session.note(told)
    else:
        _refuse_for(type(first).__name__, hasattr(first, "predict_proba"), priors, recalibrate, class_weight)
    with with_labels(session, source, target) as source:
        rows = plan.without_columns(source)
        if model is None:
            fitted = _fitted(session, rows, target, None, weight, first)
        else:
            fitted = _learnt(session, rows, target, model, settings, weight)
    plan.note(session, source)
    if class_weight is not None:
        session.note(WEIGHED)
    if priors is not None:
        fitted = fitted.with_priors(options.read_priors(priors, fitted.classes_.tolist()))
    stopped = _is_stopped(fitted)
    quick = not stopped or hasattr(fitted, "oob_error_")  # whoever has pressed Ctrl-C does not wait for folds
    moved = "--priors" if priors is not None else "--class-weight" if class_weight is not None else ""
    held_out = judge(session, fitted, source, target, weight, moved, plan) if quick else None
    if held_out is not None and held_out.told.baseline.get("rmse") == 0:
        session.note(f"{target!r} is one number in every row judged: there is nothing to predict")
    better = None if recalibrate is None else _recalibrated(session, fitted, source, target, weight, recalibrate, plan)
    bent = better is not None and better.after < better.before  # maps that raise the loss are not kept
    kept: Any = better if bent else fitted
    if output is not None:
        kept.save(output)
    page = {} if better is None else {"recalibration": {**better.to_dict(), "kept": bent}}
    session.answer({**_document(session, fitted, target, output, held_out), **page})
    session.say(*_lines(session, fitted, source.place, target, held_out))
    if better is not None:
        session.tell(f"{better.method}: {better.finding}{'' if bent else ': the model is saved as it is, without it'}.")
    session.say(*_kept(output))
    if stopped:
        raise StoppedError(f"what was learnt so far is {'above' if output is None else f'in {output}'}")


def _to_be_like(path: Path, said: dict[str, Any]) -> Any:
    """The model of a file that another is to be merged with; it says all that options could."""
    from likely.cli.inputs import open_plain, refuse_whole

    odd = next((name for name, value in said.items() if value is not None and name != "priors"), None)
    if odd is not None:
        option = {"kinds": "kind"}.get(odd, odd).replace("_", "-")
        hint = f"say one of them: {path} says which model, and with which options"
        raise UsageError("U110", f"--like and --{option} both say it", place="likely fit", hint=hint)
    found = open_plain(str(path), "maps of probabilities do not add")
    refuse_whole(found, "merge", str(path))
    return found


def _usual_model(source: Any, target: str, said: dict[str, Any]) -> tuple[str, str | None]:
    """The model where none is named, and why if it is not the usual one: a pool, or linear regression of numbers.

    Naive Bayes where options are said that it has, and the pool has not.
    """
    from likely.data.targets.numeric_target import is_numeric_target
    from likely.estimators.registry import options_of

    if target in source.columns and is_numeric_target(source.read(), target):
        return "linear", f"{target!r} is numeric: this is regression, by --model linear"
    wished, known = {name for name, value in said.items() if value is not None}, options_of("naive")
    odd = sorted(wished - {*options_of("auto")})
    if not odd or not all(name in known or nearest(name, known) for name in wished):  # a slip of the pen is told, too
        return "auto", None
    if not {*odd} <= {*known}:
        return "naive", None  # which refuses them, and names what is nearest
    return "naive", f"{' and '.join(odd)} said, which naive Bayes has and auto has not: this is --model naive"


def _settings(model: str, typed: dict[str, Any], said: dict[str, Any], seed: int) -> dict[str, Any]:
    """The options of the model: those of --set, those that have an option of their own, and the seed."""
    from likely.estimators.registry import options_of

    known = options_of(model)
    given = {name: value for name, value in typed.items() if value is not None}
    twice = next((name for name in given if name in said), None)
    if twice is not None:
        words = f"--{'kind' if twice == 'kinds' else twice.replace('_', '-')} and --set {twice}="
        raise UsageError("U110", f"{words} both say the same thing", place="likely fit", hint="say one of them")
    priors = given.pop("priors", None)  # any model takes them once it is fitted
    wished = {**given, **{name: word for name, word in said.items() if name == "class_weight"}}
    odd = next((name for name in wished if name not in known), None)
    if odd is not None:
        word = odd.replace("_", "-")
        hint = f"--set takes {', '.join(known)}.{nearest(odd, known)}"
        if odd == "class_weight":
            hint = (
                "say --priors CLASS=P,... to move the class probabilities, --weight COLUMN to weigh the rows, or what"
            )
            hint += " mistakes cost: likely decide --loss"
        raise UsageError("U131", f"{model} has no --{word}", place=f"--{word}", hint=hint)
    if priors is not None and given.get("class_weight") is not None:
        hint = "say one of them: class weights multiply the shares of the classes, and priors replace these"
        raise UsageError("U110", "--priors and --class-weight both say them", place="likely fit", hint=hint)
    return {**({"random_state": seed} if "random_state" in known else {}), **given, **said}


def _refuse_for(
    model: str, classes: bool, priors: str | None, recalibrate: str | None, class_weight: str | None
) -> None:
    """What is about classes is refused of a model that predicts a number before anything is learnt."""
    said = {"--priors": priors, "--recalibrate": recalibrate, "--class-weight": class_weight}
    odd = next((option for option, word in said.items() if word is not None), None)
    if odd is not None and not classes:
        what = f"{model} is a regression model, and {odd} is about classes"
        raise UsageError("U133", what, place=odd, hint=f"leave {odd} out")
    if recalibrate is not None:
        from likely.errors.options import choose
        from likely.evaluation.recalibration.maps import MAPS

        choose(recalibrate, MAPS, "method", "O347", place="--recalibrate")


def _learnt(
    session: Session, source: Any, target: str, model: str, settings: dict[str, Any], weight: str | None
) -> Any:
    """The fitted model; a column that counts the rows is set aside, and what looks odd is said."""
    from dataclasses import replace

    from likely.core.identifiers import note_aside
    from likely.estimators.registry import find, make
    from likely.estimators.suspicions import suspicious_columns

    rows = replace(source, target=target, weight=weight, numeric=find(model).numeric)
    with session.notes(), hinted():
        asked = make(model, settings, rows)
        schema = rows.survey(asked.kinds)
        counting = [column.name for column in schema.columns if column.counts_rows]
    if isinstance(settings.get("class_weight"), str):
        asked.set_params(class_weight=options.read_class_weight(settings["class_weight"], schema.classes))
    if counting:  # next year's rows have numbers that this model would take for a world it never saw
        named = asked.kinds if isinstance(asked.kinds, dict) else {}
        asked.set_params(kinds={**named, **dict.fromkeys(counting, "skip")})
    fitted = _fitted(session, source, target, asked, weight)
    for name in counting:
        session.note(note_aside(name, "real", "category"))
    if hasattr(fitted, "classes_"):
        _note_classes(session, fitted, target)
    aside = {column.name for column in fitted.model_.schema.columns if column.kind == "skip"}
    for name, why in suspicious_columns(replace(source, weight=weight), target, tuple(counting)):
        if name not in aside:
            session.note(why)
    if all(column.kind == "skip" for column in fitted.model_.schema.columns):
        known = "the shares of the classes are" if hasattr(fitted, "classes_") else "the mean is"
        session.note(f"there is no column to learn from: only {known} known")
    return fitted


def _fitted(session: Session, source: Any, target: str, asked: Any, weight: str | None, like: Any = None) -> Any:
    """A fitted model: the one asked for, or one like another that is fitted."""
    from likely.estimators.fit_and_load import fit
    from likely.estimators.streams import watched

    rounds, said = getattr(asked, "n_estimators", None), {"weight": weight, "strict": session.strict, "like": like}
    if hasattr(asked, "candidates"):  # a pool, of which nobody knows how many trials it will take
        with session.notes(), hinted(), _rounds(session, None):
            return fit(source, target, asked, **said)
    if isinstance(rounds, int):
        with session.notes(), hinted(), _rounds(session, rounds):
            return fit(source, target, asked, **said)
    with session.notes(), hinted(), session.watch("learning") as tick:
        return fit(watched(source, tick), target, asked, **said)


@contextmanager
def _rounds(session: Session, rounds: int | None) -> Iterator[None]:
    """Rounds are watched, and Ctrl-C keeps those so far."""
    from likely.cli.network.search_screen import interruptible
    from likely.companions.progress import progress_watched_by

    with session.watch("learning", rounds, "rounds") as tick, interruptible(), progress_watched_by(tick):
        yield


def _note_classes(session: Session, fitted: Any, target: str) -> None:
    classes, rows = len(fitted.classes_), fitted.model_.rows.sum()
    if classes > max(20, rows / 2):
        session.note(f"{target!r} has {classes} classes in {rows:g} rows: is it an identifier?")
    elif classes > 20 and fitted.classes_.dtype.kind in "iuf":
        session.note(f"{target!r} has {classes} classes, all numbers: for regression, say --model linear")


def _is_stopped(fitted: Any) -> bool:
    """Whether Ctrl-C ended its learning, so that it has fewer rounds than were asked for."""
    if hasattr(fitted, "leaderboard_"):
        return bool(fitted.model_.interrupted)
    return hasattr(fitted, "rounds_") and fitted.rounds_.interrupted


def _recalibrated(
    session: Session, fitted: Any, source: Any, target: str, weight: str | None, method: str, plan: Any
) -> Any:
    """The model with maps learnt from its probabilities of rows not seen; these rows are held in memory."""
    from likely.cli.held_out_rows import split_rows
    from likely.evaluation import recalibrate

    rows, splits = split_rows(session, fitted, source, target, weight, plan)
    by_splits = plan.groups is not None or plan.time is not None or plan.share is not None
    with session.watch("bending the probabilities", unit=""):
        return recalibrate(fitted, rows.X, rows.y, method, rows.weights, cv=splits if by_splits else None)


def _document(session: Session, fitted: Any, target: str, output: Path | None, held_out: Any) -> dict[str, Any]:
    from likely.cli.model_summary import document_of

    model = fitted.model_
    classes = fitted.classes_.tolist() if hasattr(fitted, "classes_") else []
    way = "leave_one_out" if hasattr(fitted, "leave_one_out") else "honest"
    return {
        "model": type(fitted).__name__,
        "output": None if output is None else str(output),
        "target": target,
        "rows": rows_of(fitted).sum().item(),
        **({"classes": _balance(classes, rows_of(fitted))} if classes else {}),
        "columns": [{"name": column.name, "kind": column.kind} for column in model.schema.columns],
        **document_of(fitted),
        **({way: None} if held_out is None else {held_out.way: held_out.scores}),
        "notes": [session.words(note.text) for note in fitted.notes_],
    }


def rows_of(fitted: Any) -> Any:
    """(classes,): the weight of the rows learnt, before any class weights."""
    return getattr(fitted, "by_class_", fitted.model_).rows


def _balance(classes: list[Any], rows: Any) -> list[dict[str, Any]]:
    return [{"class": level, "rows": count} for level, count in zip(classes, rows.tolist(), strict=True)]


def _kept(output: Path | None) -> list[str]:
    if output is None:
        return ["  not saved: say -o FILE to save the model"]
    kept = f"  saved to {output} ({output.stat().st_size:,} bytes)"
    return [kept, f"next: likely evaluate {output} LATER.csv, or likely predict {output} NEW.csv"]


def _lines(session: Session, fitted: Any, place: str, target: str, held_out: Any) -> list[str]:
    from likely.cli.model_summary import line_of
    from likely.cli.terminal.render import count, short
    from likely.evaluation.held_out import MOST_ROWS_JUDGED

    model = fitted.model_
    aside = {note.column for note in fitted.notes_ if note.code == "skipped"}
    kinds = ["skip" if column.name in aside else column.kind for column in model.schema.columns]
    columns = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds)).replace("skip", "set aside")
    lines = [
        f"{type(fitted).__name__} of {target!r} from {place}",
        f"  rows     {count(rows_of(fitted).sum())}{_shares(fitted, target)}",
        f"  columns  {len(kinds)}: {columns}",
    ]
    learnt = line_of(fitted)
    lines += [] if learnt is None else [f"  {learnt[0]:<8} {learnt[1]}"]
    if held_out is not None:
        but = f"but all rows taught its {getattr(fitted, '_beside_counts', '')}; `likely compare` learns them afresh"
        taught = getattr(fitted, "_learns_structure", False) and held_out.way == "leave_one_out"
        for heading, told in held_out.lines():
            lines.append(f"  {heading:<8} {told}")
            lines += [f"{'':11}{but}"] if taught and heading == "held out" else []
    elif model.rows.sum() > MOST_ROWS_JUDGED:
        lines.append(f"  held out not judged: more than {MOST_ROWS_JUDGED:,} rows; use likely evaluate on others")
    odd = [session.words(note.text) for note in fitted.notes_ if note.code != "skipped"]
    noted = [f"  note     {short(text, NOTE_LETTERS)}" for text in odd]
    if held_out is not None and held_out.told.flattery:
        noted.insert(0, f"  note     {held_out.told.flattery}")
    more = f"  note     and {len(noted) - MOST_NOTES:,} more notes: --json has them all"
    return [*lines, *noted[:MOST_NOTES], *([more] if len(noted) > MOST_NOTES else [])]


def _shares(fitted: Any, target: str) -> str:
    """How many rows there are of each class."""
    from likely.cli.terminal.render import count, named
    from likely.output.class_order import reading_order

    if not hasattr(fitted, "classes_"):
        return ""
    rows = rows_of(fitted)
    classes = fitted.classes_.tolist()
    pairs = [(classes[at], rows[at]) for at in reading_order(classes)]
    shares = ", ".join(
        f"{named(target, level)} {count(weight)} ({weight / rows.sum():.0%})" for level, weight in pairs[:12]
    )
    return f": {shares}" + (f" and {len(pairs) - 12} more" if len(pairs) > 12 else "")
