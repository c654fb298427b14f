"""What a surface is asked of: the numbers, the classes, the priors and the box, as a user says them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.schema import NUMERIC, Level, Schema, plain
from likely.errors import LikelyError, OptionError, listed, nearest

MOST_DIMENSIONS = 3  # dimensions that a person can look at
NUMBER_KINDS = (*NUMERIC, "cut")  # kinds whose values are numbers


def read_features(model: Any, features: Any, most: int | None = MOST_DIMENSIONS) -> tuple[int, ...]:
    """The positions of some columns of numbers among the model's, by name or number."""
    schema: Schema = model.model_.schema
    alone = isinstance(features, str | int | np.integer) or not isinstance(features, Iterable)
    given = [] if features is None else [features] if alone else list(features)
    found = tuple(_place(schema, one) for one in given)
    if not found or len(set(found)) < len(found) or (most is not None and len(found) > most):
        what = "no column is named" if not found else f"{len(found)} columns are named"
        what = "a column is named twice" if len(set(found)) < len(found) else what
        some = "one or more" if most is None else f"one to {most}" if most > 1 else "one"
        numbers = [column.name for column in schema.columns if column.kind in NUMBER_KINDS]
        hint = f"name {some} different of the numbers {listed(numbers)}"
        raise OptionError("O423", what, place="features=", hint=hint)
    return found


def _place(schema: Schema, name: Any) -> int:
    names = [column.name for column in schema.columns]
    whole = isinstance(name, int | np.integer) and not isinstance(name, bool)
    if not (isinstance(name, str) and name in names) and not (whole and 0 <= name < len(names)):
        hint = f"the columns are {listed(names)}.{nearest(name, names)}"
        raise OptionError("O421", f"the model has no column {name!r}", place="features=", hint=hint)
    at = int(name) if whole else names.index(name)
    kind = schema.columns[at].kind
    if kind not in NUMBER_KINDS:
        numbers = [column.name for column in schema.columns if column.kind in NUMBER_KINDS]
        what = f"column {names[at]!r} is of kind {kind!r}, no number"
        hint = f"the numbers are {listed(numbers)}" if numbers else "name a column of numbers"
        raise OptionError("O422", what, place="features=", hint=hint)
    return at


def read_classes(model: Any, classes: Any = None) -> tuple[tuple[Level, ...], Array]:
    """Some of the classes, all by default, and their positions among the model's."""
    every = tuple(plain(level) for level in getattr(model, "classes_", ()))
    given = every if classes is None else (classes,) if isinstance(classes, str) else tuple(map(plain, classes))
    unknown = [level for level in given if level not in every]
    if unknown:
        hint = f"the classes are {listed(every)}.{nearest(unknown[0], every)}"
        raise OptionError("O425", f"{unknown[0]!r} is not a class", place="classes=", hint=hint)
    if len(set(given)) < 2:
        what = f"a surface lies between two classes, and there {'is' if len(set(given)) == 1 else 'are'} {len(given)}"
        hint = (
            "fit the model on rows of two classes or more"
            if classes is None
            else f"name two or more of {listed(every)}"
        )
        raise OptionError("O428", what, place="classes=" if classes is not None else "model", hint=hint)
    places = [at for at, level in enumerate(every) if level in given]
    return tuple(every[at] for at in places), np.array(places)


def with_priors(model: Any, priors: Any) -> Any:
    """The model under other priors: a mapping, or of two classes the probability of the second."""
    if priors is None:
        return model
    classes = [plain(level) for level in model.classes_]
    number = isinstance(priors, int | float | np.number) and not isinstance(priors, bool)
    if number and len(classes) == 2 and 0 <= priors <= 1:
        priors = {classes[0]: 1.0 - float(priors), classes[1]: float(priors)}
    if not isinstance(priors, Mapping):
        hint = "say {class: probability, ...}"
        if len(classes) == 2:
            hint += f", or the probability of {classes[1]!r}, from 0 to 1"
        raise OptionError("O426", f"priors cannot be {priors!r}", place="priors=", hint=hint)
    try:
        return model.with_priors(priors)
    except LikelyError as error:
        raise OptionError("O426", error.message, place="priors=", hint=error.hint) from error


def read_box(box: Any, values: Floats | None, reach: Floats | None, names: tuple[str, ...]) -> Floats:
    """(d, 2): the box that is said; else the range of values (rows, d), a tenth wider on both sides; else `reach`."""
    if box is not None:
        try:
            found = np.array(box, dtype=np.float64)
        except (TypeError, ValueError):
            found = np.full(0, np.nan)
        if found.shape == (2,) and len(names) == 1:
            found = found[None]
        if found.shape != (len(names), 2):
            _refuse(f"the box is {box!r}", f"say [(low, high), ...], one pair for each of {listed(names)}")
    elif values is not None:
        found = np.array([_range(column, name) for column, name in zip(values.T, names, strict=True)])
    elif reach is not None:
        found = reach
    else:
        _refuse("the range of the columns is not known", "give rows, X=, or the box, [(low, high), ...]")
    for (low, high), name in zip(found, names, strict=True):
        if not (np.isfinite([low, high, high - low]).all() and low < high and low < (low + high) / 2 < high):
            _refuse(f"column {name!r} goes from {low:g} to {high:g}", "give box=[(low, high), ...], low below high")
    return found


def _range(column: Floats, name: str) -> tuple[float, float]:
    known = column[np.isfinite(column)]
    if not len(known) or known.min() == known.max():
        what = f"column {name!r} has no two different values in X"
        _refuse(what, "leave it out: it tells nothing of the classes; or give surface(box=[(low, high), ...])")
    low, high = float(known.min()), float(known.max())
    return low - 0.1 * (high - low), high + 0.1 * (high - low)


def _refuse(what: str, hint: str) -> NoReturn:
    raise OptionError("O424", what, place="box=", hint=hint)
