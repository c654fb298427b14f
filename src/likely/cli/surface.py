"""likely surface: where decisions change, in one, two or three numbers; models and priors side by side."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from likely.cli import options
from likely.cli.options import option
from likely.cli.terminal.failures import UsageError, hinted
from likely.cli.terminal.pictures import check_pictures, keep_picture, usual_place
from likely.cli.terminal.session import Session
from likely.errors import listed, nearest

EXAMPLE = "likely surface students.csv --target sex --features height_cm,weight_kg --model qda,parzen -o surfaces.svg"
MOST_NUMBERS_DRAWN = 3  # numbers that a picture can show


def run(
    session: Session,
    data: options.Data,
    target: options.Target = None,
    features: Annotated[
        list[str] | None,
        option(
            "--features -f COLUMN,...",
            "One to three columns of numbers; repeated, each set has its pictures. [default: all numbers, if few]",
        ),
    ] = None,
    model: Annotated[str, option("--model -m NAME,...", f"Which models: {options.CLASSIFIERS}.")] = "qda",
    priors: Annotated[
        list[str] | None,
        option(
            "--priors P,...",
            "Priors of the second of two classes, as in 0.5,0.8; or CLASS=P,... (may be repeated), or uniform.",
        ),
    ] = None,
    said: options.Set = None,
    test: Annotated[str | None, option("--test DATA", "Other rows, to count the errors on.")] = None,
    output: Annotated[
        Path | None,
        option(
            "--output -o FILE",
            "The picture: PNG, SVG or PDF; HTML to turn three columns around. [default: DATA-surface.png]",
        ),
    ] = None,
    picture: options.Drawn = True,
    roc: Annotated[Path | None, option("--roc FILE", "A picture of the ROC curves: PNG, SVG or PDF.")] = None,
    form: options.Format = None,
) -> None:
    """Draw where the decision changes, and compare models and priors by their errors."""
    from likely.cli.inputs import open_rows, open_table, target_missing
    from likely.output.atomic_write import check_place

    if target is None:
        raise target_missing(open_rows(session, data, form), "likely surface")
    turned = output is not None and output.suffix.lower() in (".html", ".htm")
    if output is not None and turned:
        check_place(output)
    check_pictures(None if turned else output, roc)
    if output is not None and roc is not None and output.absolute() == roc.absolute():
        hint = "name another file for --roc"
        raise UsageError("U110", "two pictures do not fit into one file", place="--roc", hint=hint)
    rows, y, target = open_table(data, form, target, session)
    fresh = None if test is None else open_table(test, None, target, session)[:2]
    sets = _sets(features, rows, data, target)
    names = list(dict.fromkeys(name.strip() for name in model.split(",") if name.strip()))
    if turned:
        _check_page(len(sets) == len(names) == 1 and len(sets[0]) == MOST_NUMBERS_DRAWN)
    with session.watch("learning and drawing", unit=""):
        with session.notes(), hinted(target):
            fitted = _fitted(names, sets, rows, y, options.read_settings(said), session.seed)
        classes = fitted[0][2].classes_.tolist()
        weighed = _priors(priors, classes)
        if turned:
            _check_page(len(weighed) == 1)
        told = [_judged(*one, prior, rows, y, fresh, session.seed) for one in fitted for prior in weighed]
    place = output or (usual_place(session, None, f"{_stem(data, target)}-surface.png") if picture else None)
    place = keep_picture(session, lambda: _picture(fitted, weighed, rows, y, turned), place)
    roc = keep_picture(session, lambda: _roc_picture(fitted, weighed, *(fresh or (rows, y))), roc)
    session.answer({"data": data, "target": target, "classes": classes, "surfaces": told}, picture=place, roc=roc)
    session.say(data, "", *_tables(told, classes))
    session.say_places(picture=place, roc=roc)


def _stem(data: str, target: str) -> str:
    """What a picture of a file is called after; of a pattern or standard input, after the target."""
    name = Path(data.partition("#")[0]).name.partition(".")[0]
    return name if name.replace("-", "") and not set(name) & set("*?[") else "-".join(target.split())


def _check_page(fits: bool) -> None:
    if not fits:
        hint = "say one --model, three --features and no more than one prior; name a .svg or .png for a picture of all"
        raise UsageError("U116", "a page shows one model of three columns", place="--output", hint=hint)


def _sets(words: list[str] | None, rows: Any, place: str, target: str) -> list[tuple[str, ...]]:
    """The sets of columns to draw."""
    names = rows.column_names
    if not words:
        numbers = [name for name in names if _is_number(rows.schema.field(name).type)]
        if not 1 <= len(numbers) <= MOST_NUMBERS_DRAWN:
            hint = f"say --features with one to three of them: {listed(numbers)}"
            hint = hint if numbers else "a surface is drawn in columns of numbers: is this the right file?"
            raise UsageError("U112", f"there are {len(numbers)} columns of numbers", place=place, hint=hint)
        return [tuple(numbers)]
    given = [tuple(name.strip() for name in word.split(",") if name.strip()) for word in words]
    sets = list(dict.fromkeys(given))
    for one in sets:
        odd = next((name for name in one if name not in names), None)
        if odd is not None:
            hint = f"the columns are {listed(names)}.{nearest(odd, names)}"
            what = f"{odd!r} is the target" if odd == target else f"there is no column {odd!r}"
            raise UsageError("U113", what, place="--features", hint=hint)
        if not 1 <= len(set(one)) == len(one) <= MOST_NUMBERS_DRAWN:
            hint = "say one to three different columns: --features height_cm,weight_kg"
            what = f"{','.join(one)!r} cannot be drawn" if one else "no column is named"
            raise UsageError("U112", what, place="--features", hint=hint)
    return sets


def _is_number(kind: Any) -> bool:
    import pyarrow.types as types

    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind))


def _fitted(
    names: list[str], sets: list[tuple[str, ...]], rows: Any, y: Any, settings: dict[str, Any], seed: int
) -> list[tuple[str, tuple[str, ...], Any]]:
    """(name, columns, fitted model) of every model and set of columns."""
    from likely.estimators.registry import PRESETS, kind_of, make, options_of

    if not names:
        raise UsageError("U114", "--model names no model", place="--model", hint=f"the models are {', '.join(PRESETS)}")
    amounts = next((name for name in names if not hasattr(kind_of(name), "predict_proba")), None)
    if amounts is not None:
        hint = f"a surface lies between classes; choose among {options.CLASSIFIERS}"
        raise UsageError("U134", f"{amounts} is for regression: no classes to draw between", place="--model", hint=hint)
    odd = next((option for option in settings if not any(option in options_of(name) for name in names)), None)
    if odd is not None:  # said for one of several models, an option is that one's
        make(names[0], {odd: settings[odd]})
    found = []
    for columns in sets:
        for name in names:
            own = {option: value for option, value in settings.items() if option in options_of(name)}
            own = {**({"random_state": seed} if "random_state" in options_of(name) else {}), **own}
            found.append((name, columns, make(name, own).fit(rows.select(list(columns)), y)))
    return found


def _priors(words: list[str] | None, classes: list[Any]) -> list[Any]:
    """What to draw: None (the model's own), the share of the second class, or one for each class."""
    found: list[Any] = []
    for word in words or ():
        if "=" in word or word == "uniform":
            found.append(
                dict.fromkeys(classes, 1 / len(classes)) if word == "uniform" else options.read_priors(word, classes)
            )
            continue
        for part in word.split(","):
            try:
                found.append(float(part))
            except ValueError:
                hint = "say numbers between 0 and 1, as in --priors 0.5,0.8, or CLASS=P,..."
                raise UsageError("U107", f"{part!r} is no number", place="--priors", hint=hint) from None
            if len(classes) != 2 or not 0 < found[-1] < 1:
                hint = f"say --priors {','.join(f'{level}={1 / len(classes):.2g}' for level in classes)}"
                what = f"{part} is no prior of the second of {len(classes)} classes"
                raise UsageError("U115", what, place="--priors", hint=hint)
    return found or [None]


def _judged(
    name: str, columns: tuple[str, ...], model: Any, prior: Any, rows: Any, y: Any, fresh: Any, seed: int
) -> dict[str, Any]:
    """What one model, under one prior, draws and gets wrong."""
    import numpy as np

    from likely.surfaces import surface
    from likely.surfaces.features import with_priors as weigh

    under = weigh(model, prior)
    seen = rows.select(list(columns))
    truth = np.asarray(y.to_pylist())
    drawn = surface(under, list(columns), X=seen)
    error, give = _bayes_error(under, columns, seed)
    alone, how = _left_out(under, seen, y, seed)
    told: dict[str, Any] = {
        "model": name,
        "features": list(columns),
        "priors": dict(zip(under.classes_.tolist(), np.exp(under.model_.log_prior).tolist(), strict=True)),
        "boundary": drawn.kind,
        "exact": drawn.exact,
        "bayes_error": error,
        "bayes_error_give": give,
        "rows": len(truth),
        "errors": int((under.predict(seen) != truth).sum()),
        "errors_left_out": int((alone != truth).sum()),
        "left_out": how,
    }
    if len(columns) == 1:
        told["thresholds"] = drawn.vertices[:, 0].tolist()
    if fresh is not None:
        other, labels = fresh
        wrong = under.predict(other.select(list(columns))) != np.asarray(labels.to_pylist())
        told.update(test_rows=len(wrong), test_errors=int(wrong.sum()))
    return told


def _bayes_error(model: Any, columns: tuple[str, ...], seed: int) -> tuple[float | None, float | None]:
    """The model's own error and how sure that is, if it says how columns come about in each class."""
    from likely.surfaces import bayes_error

    return bayes_error(model, list(columns), seed=seed) if hasattr(model, "sample") else (None, None)


def _left_out(model: Any, rows: Any, y: Any, seed: int) -> tuple[Any, str]:
    """(rows,): the classes by models that never saw a row, and how these were had."""
    import warnings

    from likely.cli.held_out_rows import MOST_FOLDS
    from likely.evaluation import cross_validate

    if hasattr(model, "leave_one_out"):
        return model.classes_[model.leave_one_out(rows, y).argmax(axis=1)], "leave-one-out"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the model of all rows has warned of what these would
        found: Any = cross_validate(model, rows, y, min(MOST_FOLDS, len(y)), seed)
    return model.classes_[found.log_proba.argmax(axis=1)], f"{found.folds}-fold cross-validation"


def _picture(fitted: list[Any], weighed: list[Any], rows: Any, y: Any, turned: bool) -> Any:
    """The figure of all models, sets of columns and priors; or a page to turn around."""
    from likely.plots import decision_surface, interactive_surface

    if turned:
        _, columns, model = fitted[0]
        return interactive_surface(model, rows.select(list(columns)), y, priors=weighed[0])
    sets = {columns for _, columns, _ in fitted}
    models = {name if len(sets) == 1 else f"{name}: {', '.join(columns)}": model for name, columns, model in fitted}
    return decision_surface(models, rows, y, priors=weighed)


def _roc_picture(fitted: list[Any], weighed: list[Any], rows: Any, y: Any) -> Any:
    """The curves of all models; of more classes than two, one for each class, and no priors on them."""
    from likely.evaluation import roc_of
    from likely.plots import roc

    many = len({columns for _, columns, _ in fitted}) > 1
    curves: dict[str, Any] = {}
    marks: list[float] = []
    for name, columns, model in fitted:
        found, about = roc_of(model, rows.select(list(columns)), y), f": {', '.join(columns)}" if many else ""
        if isinstance(found, Mapping):
            curves.update({f"{name} {level}{about}": curve for level, curve in found.items()})
            continue
        curves[name + about] = found
        marks = [prior[found.positive] if isinstance(prior, dict) else prior for prior in weighed if prior is not None]
    return roc(curves, priors=marks or None)


def _tables(told: list[dict[str, Any]], classes: list[Any]) -> list[Any]:
    """A table of models and priors for each set of columns: words may break over lines, numbers may not."""
    from likely.cli.terminal import render

    prior = f"P({render.short(str(classes[1]), 16)})" if len(classes) == 2 else "priors"
    made = []
    for columns in dict.fromkeys(tuple(one["features"]) for one in told):
        mine = [one for one in told if tuple(one["features"]) == columns]
        where = "changes at" if len(columns) == 1 else "boundary"
        heads = ["model", prior, where, "own expected\nerror", f"errors\non {mine[0]['rows']:,}", "each\nleft out"]
        heads += [f"on {mine[0]['test_rows']:,}\nothers"] if "test_rows" in mine[0] else []
        table = render.table(", ".join(columns), *heads)
        for at, column in enumerate(table.columns):
            column.no_wrap = at not in (1, 2)
            column.justify = "right" if at > 3 else "left"
        for one in mine:
            table.add_row(*_cells(one, classes))
        made.append(table)
    folds = next((one["left_out"] for one in told if one["left_out"] != "leave-one-out"), None)
    return [
        *made,
        *([f"* by {folds}; the own expected error is of models that say how the numbers come about"] if folds else []),
    ]


def _cells(one: dict[str, Any], classes: list[Any]) -> list[str]:
    shares = [f"{one['priors'][level]:.3g}" for level in classes]
    share = shares[1] if len(classes) == 2 else f"{shares[0]} each" if len(set(shares)) == 1 else " ".join(shares)
    where = ", ".join(f"{at:.4g}" for at in one.get("thresholds", ())) or one["boundary"]
    error, give = one["bayes_error"], one["bayes_error_give"]
    least = "–" if error is None else f"{100 * error:.1f} %" + (f" ± {100 * give:.1f}" if give > 5e-4 else "")
    counts = [str(one[key]) for key in ("errors", "errors_left_out", "test_errors") if key in one]
    counts[1] += "*" if one["left_out"] != "leave-one-out" else ""
    return [one["model"], share, where, least, *counts]
