"""likely compare: the models that there are, on the same folds."""

from __future__ import annotations

from typing import Annotated, Any

from likely.cli import options
from likely.cli.options import option
from likely.cli.terminal.failures import hinted
from likely.cli.terminal.pictures import check_pictures, keep_picture
from likely.cli.terminal.session import Session

EXAMPLE = "likely compare loans.csv --target default -o compared.png"
TOO_MANY = "O393"  # counts would not fit into memory
MOST_CELLS_OF_SLOW_MODELS = {
    "bagging": 100_000,
    "adaboost": 2_000_000,
    "tree": 2_000_000,
    "c4.5": 2_000_000,
    "logistic": 5_000_000,
}  # cells


def run(
    session: Session,
    data: options.Data,
    target: options.Target = None,
    model: Annotated[
        list[str] | None,
        option(
            "--model -m NAME", "A model to compare, or several with commas; may be repeated. [default: all of them]"
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
    output: options.Picture = None,
    form: options.Format = None,
) -> None:
    """Compare models by cross-validation on the same folds, and say whether the difference can be trusted.

    Where the target is numeric, regression models are compared.
    """
    from likely.cli.held_out_rows import HoldoutPlan
    from likely.cli.inputs import open_rows, open_table, target_missing
    from likely.cli.startup import warmup
    from likely.core.identifiers import note_aside
    from likely.data.targets.labels import one_class
    from likely.estimators.fit_and_load import columns_of
    from likely.estimators.inspection import inspect
    from likely.estimators.registry import PRESETS, contenders, find
    from likely.evaluation.comparisons.compare import lay_out
    from likely.evaluation.skill import flattery

    if target is None:
        raise target_missing(open_rows(session, data, form), "likely compare")
    check_pictures(output)
    kinds = options.read_kinds(kind)
    named = (groups, time, *options.columns_of_kinds(kind))
    table, y, target = open_table(data, form, target, session, named, kinds)
    plan = HoldoutPlan.read(columns_of(table), target, groups, time, holdout, kinds, "compare")
    asked = [name for words in model or () for name in map(str.strip, words.split(","))]
    names = asked or list(_named(session, target, y))
    if not find(names[0]).numeric and len(classes := y.unique().to_pylist()) < 2:
        raise one_class(classes, f"{data}, target {target!r}")
    dealt = _dealt(plan, table, y, folds, session.seed)  # folds that cannot be are refused before any model is tried
    plan.note(session, columns_of(table))
    rows = table.drop_columns(list(plan.columns))
    columns = inspect(rows, kinds=kinds).columns
    counting = [one.name for one in columns if one.counter]
    for name in counting:
        session.note(note_aside(name, "real", "category"))
        kinds = {**(kinds if isinstance(kinds, dict) else {}), name: "skip"}
    models = contenders(names, kinds, columns_of(rows), session.seed)
    first = len(warmup.pending(names)) > 1
    if not model:
        models = _quick(session, models, rows)
    with warmup.ahead(models), session.notes(), hinted(target):
        contest = lay_out(models, rows, y, repeats=repeats, seed=session.seed, **dealt)
        if first:  # after what cannot be compared is refused
            session.note("models are used for the first time: their loops are compiled, once, on all cores")
        fits = sum(len(splits.held) for splits in contest.deals)
        told = contest.settle(_judged(session, contest, models, fits, bool(model)))
    if not find(names[0]).numeric:
        counts = y.value_counts()
        why = flattery(counts.field(0).to_pylist(), counts.field(1).to_numpy(), "log loss and AUC tell more")
        if why:
            session.note(why)
    output = keep_picture(session, told.plot, output)
    session.answer(told.to_dict(), picture=output)
    session.say(data, "", str(told).removesuffix(told.words).rstrip(), "")
    session.tell(told.words)
    about = {row.name: PRESETS[row.name].compared for row in told.rows if row.name in PRESETS}
    session.say("", *(f"  {name}: {words}" for name, words in about.items() if words))
    session.say_places(picture=output)


def _dealt(plan: Any, table: Any, y: Any, folds: int | None, seed: int) -> dict[str, Any]:
    """How the rows are split, as `lay_out` takes it."""
    import numpy as np

    from likely.cli.held_out_rows import MOST_FOLDS
    from likely.evaluation import split

    if not plan.said:
        split(y, folds or MOST_FOLDS, seed)
        return {"folds": folds or MOST_FOLDS}
    codes = np.asarray(y.dictionary_encode().indices) if not hasattr(y, "dictionary") else np.asarray(y.indices)
    splits = plan.splits(table, codes, seed, folds)
    if plan.groups is not None and plan.time is None and plan.share is None:
        return {"folds": len(splits.held), "groups": table.column(plan.groups).to_pylist()}
    return {"cv": splits}


def _named(session: Session, target: str, y: Any) -> Any:
    """The models to compare where none is named: of classes, or of a numeric target regression models."""
    import pyarrow as pa

    from likely.data.targets.numeric_target import is_numeric_target
    from likely.estimators.registry import compared

    numeric = is_numeric_target(pa.table({target: y}).to_batches(), target)
    if numeric:
        session.note(f"{target!r} is numeric: regression models are compared; name classifiers to have these")
    return compared(numeric=numeric)


def _quick(session: Session, models: dict[str, Any], rows: Any) -> dict[str, Any]:
    """The models that are learnt in good time from so many cells; the others are noted, as nobody asked for them."""
    cells = rows.num_rows * max(rows.num_columns, 1)
    slow = [name for name in models if cells > MOST_CELLS_OF_SLOW_MODELS.get(name, cells)]
    for name in slow:
        session.note(f"{name} is left out: {rows.num_rows:,} rows would take it long; say --model {name} to have it")
    return {name: one for name, one in models.items() if name not in slow}


def _judged(session: Session, contest: Any, models: dict[str, Any], fits: int, named: bool) -> list[Any]:
    """What each model scores, shown as it is known; one whose counts are too many is noted, if nobody asked for it."""
    from likely.errors import OptionError
    from likely.evaluation.comparisons.comparison import table_of

    found: list[Any] = []
    left: dict[str, str] = {}
    with session.watch("comparing", len(models) * fits, "fits") as tick:
        for name, one in models.items():
            try:
                found.append(contest.judge(name, one, lambda: tick(1)))
            except OptionError as error:
                if named or error.code != TOO_MANY:
                    raise
                left[name] = error.message
            else:
                session.grow(table_of([row for row, _ in found], list(models)))
    for name, why in left.items():
        session.note(f"{name} is left out: {why}")
    return found
