"""likely compare: the models that there are, on the same folds, of one table or of several."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from likely.cli import options
from likely.cli.compared_tables import ComparedTable, names_of, open_compared, read_targets, refuse_mixed
from likely.cli.options import READS, argument, option
from likely.cli.terminal.failures import StoppedError, UsageError, hinted
from likely.cli.terminal.pictures import check_pictures, keep_picture
from likely.cli.terminal.session import Session
from likely.errors import OptionError
from likely.errors.options import TOO_LARGE

EXAMPLE = "likely compare loans.csv --target default -o compared.png"
EVERY_SCORE = "{score}"  # in the name of a picture: one for each
MOST_CELLS_OF_SLOW_MODELS = {
    "bagging": 100_000,
    "adaboost": 2_000_000,
    "tree": 2_000_000,
    "c4.5": 2_000_000,
    "logistic": 5_000_000,
}  # cells


def run(
    session: Session,
    data: Annotated[
        list[str],
        argument("DATA", f"Rows: {READS}. Of several files models are ranked; FILE:COLUMN says the target of one."),
    ],
    target: options.Target = None,
    model: Annotated[
        list[str] | None,
        option(
            "--model --models -m NAME",
            "A model to compare, or several with commas; may be repeated; also classifiers and regressors of "
            "scikit-learn, as RandomForestClassifier or sklearn.svm.SVC. [default: all of ours]",
        ),
    ] = None,
    score: Annotated[
        str | None,
        option(
            "--score SCORE",
            "The score that decides: log_loss, accuracy, brier or auc; of a numeric target squared, rmse, absolute or "
            "r2. [default: log_loss or squared]",
        ),
    ] = None,
    folds: Annotated[
        int | None,
        option(
            "--folds N",
            "In how many folds to split the rows; each is judged by a model of the others. [default: 10; by time 5]",
            min=2,
        ),
    ] = None,
    repeats: Annotated[int, option("--repeats N", "How often to split them again.", min=1)] = 1,
    groups: options.Groups = None,
    time: options.Time = None,
    holdout: options.HoldoutShare = None,
    kind: options.Kind = None,
    output: Annotated[
        Path | None,
        option("--output -o FILE", "A picture: PNG, SVG or PDF; one for each score with {score} in its name."),
    ] = None,
    form: options.Format = None,
) -> None:
    """Compare models by cross-validation on the same folds, and say whether the difference can be trusted.

    Where the target is numeric, regression models are compared. Of several files models are ranked over all.
    """
    from likely.evaluation.comparisons.measures import read_score

    places = read_targets(data, target)
    asked = [name for words in model or () for name in map(str.strip, words.split(",")) if name]
    _check_picture(output, len(places) > 1)
    if len(places) > 1 and len(set(asked)) == 1:
        raise OptionError("O340", "there is one model only", place="--model", hint="name two models or more")
    classes = None if not asked else not _numeric_models(asked)
    by = {"groups": groups, "time": time, "holdout": holdout}
    names = names_of([path for path, _ in places])
    tables = [
        open_compared(session, path, name, column, form, kind, classes, folds, by)
        for (path, column), name in zip(places, names, strict=True)
    ]
    if len(tables) > 1 and not asked:
        refuse_mixed(tables)
    numeric = not classes if classes is not None else tables[0].numeric
    measure = None if score is None else read_score(score, numeric)
    told = []
    for table in tables:
        chosen = asked or _usual(session, table, numeric)
        told.append(_compared(session, table, chosen, not asked, measure, repeats, len(tables)))
        if told[-1] is None or told[-1].unjudged:
            break
    if len(tables) == 1:
        _show_one(session, tables[0], told[0], data[0], output)
    else:
        _show_several(session, names, told, output)


def _check_picture(output: Path | None, several: bool) -> None:
    """A picture that cannot be written is refused before the work."""
    if output is None:
        return
    if EVERY_SCORE in output.name and several:
        hint = "leave {score} out: of several tables one picture of the ranks is drawn"
        raise UsageError("U110", "ranks are of one score", place="--output", hint=hint)
    check_pictures(output.with_name(output.name.replace(EVERY_SCORE, "score")))


def _numeric_models(names: list[str]) -> bool:
    """Whether the first of these models predicts numbers; a name that there is not is refused, whichever it is."""
    from likely.estimators.registry import find
    from likely.estimators.scikit_learn.names import find_scikit, is_scikit_name

    first, *_ = [find_scikit(name)[1] if is_scikit_name(name) else find(name).numeric for name in names]
    return first


def _usual(session: Session, table: ComparedTable, numeric: bool) -> list[str]:
    """The models to compare where none is named: of classes, or of a numeric target regression models."""
    from likely.estimators.registry import compared

    if numeric:
        what = "is numeric: regression models are compared; name classifiers to have these"
        session.note(f"{table.target!r} {what}")
    return compared(numeric=numeric)


def _compared(
    session: Session, table: ComparedTable, names: list[str], usual: bool, score: str | None, repeats: int, count: int
) -> Any:
    """The comparison of models on one table; None where it was stopped before any was judged and others may tell."""
    from likely.cli.startup import warmup
    from likely.estimators.comparison import made
    from likely.estimators.registry import PRESETS
    from likely.evaluation.comparisons.compare import lay_out
    from likely.evaluation.skill import flattery

    models = made(dict(zip(names, names, strict=True)), table.rows, table.y, table.kinds, session.seed)
    ours = [name for name in names if name in PRESETS]
    first = len(warmup.pending(ours)) > 1
    if usual:
        models = _quick(session, models, table.rows)
    with warmup.ahead([name for name in models if name in PRESETS]), session.notes(), hinted(table.target):
        contest = lay_out(models, table.rows, table.y, repeats=repeats, seed=session.seed, score=score, **table.deals)
        if first:  # after what cannot be compared is refused
            what = "their loops are compiled, once, on all cores; times are longer for it"
            session.note(f"models are used for the first time: {what}")
        try:
            found = _judged(session, contest, models, usual, "" if count == 1 else f" on {table.name}")
        except KeyboardInterrupt:
            if count == 1:
                raise
            return None
    if not _numeric_models(names[:1]) and (score or "log_loss") != "brier":
        counts = table.y.value_counts()
        why = flattery(counts.field(0).to_pylist(), counts.field(1).to_numpy(), "log loss and AUC tell more")
        if why:
            session.note(why)
    return found


def _quick(session: Session, models: dict[str, Any], rows: Any) -> dict[str, Any]:
    """The models that are learnt in good time from so many cells; the others are noted, as nobody asked for them."""
    cells = rows.num_rows * max(rows.num_columns, 1)
    slow = [name for name in models if cells > MOST_CELLS_OF_SLOW_MODELS.get(name, cells)]
    for name in slow:
        session.note(f"{name} is left out: {rows.num_rows:,} rows would take it long; say --model {name} to have it")
    return {name: one for name, one in models.items() if name not in slow}


def _judged(session: Session, contest: Any, models: dict[str, Any], usual: bool, where: str) -> Any:
    """All models compared, shown as they are known; one whose counts are too many is noted, if nobody asked for it."""
    from likely.cli.network.search_screen import interruptible
    from likely.evaluation.comparisons.comparison import table_of

    fits = sum(len(splits.held) for splits in contest.deals)
    with session.watch(f"comparing{where}", len(models) * fits, "fits") as tick, interruptible():

        def shown(rows: list[Any], failed: list[Any]) -> None:
            if rows:
                session.grow(table_of(rows, list(models), failed))

        found = contest.judge_all(models, lambda: tick(1), shown)
    left = [one for one in found.failed if usual and one.code == TOO_LARGE]
    for one in left:
        session.note(f"{one.name} is left out: {one.reason}")
    return replace(found, failed=tuple(one for one in found.failed if one not in left))


def _show_one(session: Session, table: ComparedTable, told: Any, data: str, output: Path | None) -> None:
    """The comparison on one table, and its picture or pictures."""
    from likely.estimators.registry import PRESETS

    drawn = _pictures(session, told, output)
    session.answer(told.to_dict(), picture=drawn[0] if len(drawn) == 1 else None, **_several(drawn))
    session.say(data, "", str(told).removesuffix(told.words).rstrip(), "")
    session.tell(told.words)
    about = {row.name: PRESETS[row.name].compared for row in told.rows if row.name in PRESETS}
    session.say("", *(f"  {name}: {words}" for name, words in about.items() if words))
    session.say(*(f"picture: {place}" for place in drawn))
    if told.unjudged:
        raise StoppedError("the models above were judged, all others were not")


def _several(drawn: list[Path]) -> dict[str, Any]:
    return {"pictures": ", ".join(map(str, drawn))} if len(drawn) > 1 else {}


def _pictures(session: Session, told: Any, output: Path | None) -> list[Path]:
    """The pictures that could be drawn: one of the score that decides, or one of each."""
    if output is None or EVERY_SCORE not in output.name:
        kept = keep_picture(session, told.plot, output)
        return [] if kept is None else [kept]
    found = []
    for measure in told.rows[0].measures:
        place = output.with_name(output.name.replace(EVERY_SCORE, measure))
        kept = keep_picture(session, partial(told.plot, measure=measure), place)
        found += [] if kept is None else [kept]
    return found


def _show_several(session: Session, names: list[str], told: list[Any], output: Path | None) -> None:
    """Ranks over all tables; where it was stopped, over those that were done."""
    from likely.evaluation.comparisons.rankings import rank

    done = {name: one for name, one in zip(names, told, strict=False) if one is not None and not one.unjudged}
    if len(done) < len(names) and len(done) < 2:
        for name, one in zip(names, told, strict=False):
            if one is not None:
                session.answer(one.to_dict())
                session.say(name, "", str(one).removesuffix(one.words).rstrip(), "")
                session.tell(one.words)
        raise StoppedError("what was judged is above" if any(told) else "no model was judged")
    found = rank(done)
    picture = keep_picture(session, found.plot, output)
    session.answer(found.to_dict(), picture=picture)
    session.say(f"{len(done)} tables", "", found.table(), "")
    session.tell(found.words)
    session.say_places(picture=picture)
    if len(done) < len(names):
        raise StoppedError(f"ranks are over {len(done)} of {len(names)} tables")
