"""What is handed in to be drawn as a decision surface, checked: models, columns and priors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.data.targets.class_lists import read_classes
from likely.errors import OptionError, listed
from likely.plots.column_scale import ColumnScale
from likely.plots.named_results import model_names
from likely.plots.points import JITTER, scattered
from likely.plots.typeface import shorts
from likely.surfaces import surface
from likely.surfaces.features import MOST_DIMENSIONS, read_box, read_features
from likely.surfaces.rows import values_of


def read_models(models: Any, place: str) -> list[tuple[str, Any]]:
    """(name, model) of one fitted model, a sequence of them, or a mapping from names to them."""
    if isinstance(models, Mapping):
        pairs = list(zip(shorts(models, 36), models.values(), strict=True))
    else:
        given = list(models) if isinstance(models, list | tuple) else [models]
        pairs = list(zip(shorts(model_names(given), 36), given, strict=True))
    hint = "give a fitted classifier of likely, several in a list, or {name: model}: call fit(X, y) first"
    for _, model in pairs:
        if not hasattr(model, "log_likelihood") or not len(getattr(model, "classes_", ())):
            what = f"this {type(model).__name__} has no densities to draw"
            raise OptionError("O438", what, place=place, hint=hint)
    if not pairs:
        raise OptionError("O437", "there is no model", place=place, hint=hint)
    classes = [read_classes(model.classes_) for _, model in pairs]
    if len(set(classes)) > 1:
        odd = next(name for (name, _), mine in zip(pairs, classes, strict=True) if mine != classes[0])
        what = f"{odd} has other classes than {pairs[0][0]}"
        raise OptionError("O435", what, place=place, hint="draw models of the same classes, or each by itself")
    return pairs


def read_columns(model: Any, features: Any, place: str) -> tuple[str, ...]:
    """The names of the columns to draw: those said, or all that are real where they are few enough."""
    columns = model.model_.schema.columns
    if features is not None:
        return tuple(columns[at].name for at in read_features(model, features))
    real = tuple(column.name for column in columns if column.kind == "real")
    if 1 <= len(real) <= MOST_DIMENSIONS:
        return real
    what = f"which of {len(real)} columns of numbers?" if real else "the model has no real column"
    hint = f"name one to three of {listed(real, 8)}" if real else "fit it with kinds={column: 'real'}"
    raise OptionError("O432", what, place=place, hint=hint)


def read_sets(priors: Any, place: str) -> list[Any]:
    """One or several sets of priors; None are those of the model."""
    sets = list(priors) if isinstance(priors, list | tuple | np.ndarray) else [priors]
    if not sets:
        raise OptionError("O433", "there is no prior", place=place, hint="leave priors= out to take the model's own")
    return sets


def scales_of(pairs: Sequence[tuple[Any, tuple[str, ...]]], X: Any) -> dict[str, ColumnScale]:
    """The scale of each column: that of the rows, or of what the model has seen."""
    found: dict[str, ColumnScale] = {}
    for model, features in pairs:
        at = read_features(model, features)
        columns = [model.model_.schema.columns[one] for one in at]
        values = [column.span or () for column in columns] if X is None else values_of(X, model, at).T
        for column, mine in zip(columns, values, strict=True):
            found.setdefault(column.name, ColumnScale.of(mine))
    return found


def boxes(
    pairs: Sequence[tuple[Any, tuple[str, ...]]], X: Any, scales: Mapping[str, ColumnScale]
) -> dict[tuple[str, ...], Floats]:
    """The box (columns, 2) of each set of columns: all models of the same columns are seen in the same one."""
    found: dict[tuple[str, ...], Floats] = {}
    for model, features in pairs:
        mine = _box(model, features, X, [scales[name] for name in features])
        other = found.get(features, mine)
        found[features] = np.column_stack([np.minimum(mine, other)[:, 0], np.maximum(mine, other)[:, 1]])
    return found


def _box(model: Any, features: tuple[str, ...], X: Any, scales: Sequence[ColumnScale]) -> Floats:
    """(columns, 2): about the rows; without any, about the means of a normal model."""
    if X is None:
        return _box_without_rows(model, features, scales)
    values = values_of(X, model, read_features(model, features))
    box = read_box(None, values, None, features)
    for at, (column, scale) in enumerate(zip(values.T, scales, strict=True)):
        moved = scattered(column)
        if not scale.even:
            box[at] = scale.box(np.nanmin(column), np.nanmax(column))
        elif moved is not column:  # points that are moved aside stay within
            box[at] = min(box[at, 0], np.nanmin(moved) - JITTER / 2), max(box[at, 1], np.nanmax(moved) + JITTER / 2)
    return box


def _box_without_rows(model: Any, features: tuple[str, ...], scales: Sequence[ColumnScale]) -> Floats:
    """(columns, 2): about the means of a normal model, but as far as a column was seen that goes by powers of ten."""
    even = tuple(name for name, scale in zip(features, scales, strict=True) if scale.even)
    about = dict(zip(even, surface(model, even).box, strict=True)) if even else {}
    columns = {column.name: column for column in model.model_.schema.columns}
    return np.array(
        [
            about[name] if scale.even else scale.box(*(columns[name].span or (scale.least, scale.least)))
            for name, scale in zip(features, scales, strict=True)
        ]
    )
