"""Classes as they are handed in, and the place of one among them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from likely.core.numerics import Array
from likely.core.schema import Level, plain
from likely.errors import OptionError, nearest


def read_classes(classes: Any) -> tuple[Level, ...]:
    """The classes as plain levels, in the order of the columns, which a set does not have."""
    hint = "name each class once, in the order of the columns: model.classes_"
    listed = isinstance(classes, Iterable) and getattr(classes, "ndim", 1) == 1
    listed = listed and not isinstance(classes, str | bytes | set | frozenset)
    given = list(classes) if listed else []
    if not listed or any(isinstance(level, list | np.ndarray) for level in given):
        raise OptionError("O327", f"the classes cannot be {classes!r}", place="classes=", hint=hint)
    levels = tuple(plain(level) for level in given)
    if not levels or len(set(levels)) < len(levels):
        what = "a class is there twice" if levels else "there are no classes"
        raise OptionError("O327", what, place="classes=", hint=hint)
    return levels


def answering(classes: Any, levels: Sequence[Level]) -> Array:
    """(classes,): the classes in the type they were given in, to answer in; `levels` are the same, read.

    >>> answering(np.array(["no", "yes"], dtype=object), ("no", "yes"))
    array(['no', 'yes'], dtype=object)
    """
    given = np.asarray(classes)
    return given if given.shape == (len(levels),) else np.array(levels)  # the keys of a mapping are no array


def place_of(level: Any, classes: Sequence[Level], place: str) -> int:
    """Where a class is among the classes.

    >>> place_of("yes", ["no", "yes"], "positive=")
    1
    """
    found = plain(level)
    if found not in classes:
        raise not_a_class(level, classes, place)
    return classes.index(found)


def read_positive(positive: Any, classes: Sequence[Level]) -> int:
    """The place of the positive class; the second where there are two and none is named."""
    if positive is not None:
        return place_of(positive, classes, "positive=")
    if len(classes) == 2:
        return 1
    hint = f"the classes are {_listed(classes)}"
    raise OptionError("O329", "which class is the positive one?", place="positive=", hint=hint)


def not_a_class(value: Any, classes: Sequence[Level], place: str) -> OptionError:
    """The refusal of what is none of the classes."""
    hint = f"the classes are {_listed(classes)}.{near(value, classes)}"
    return OptionError("O321", f"{value!r} is not a class", place=place, hint=hint)


def near(value: Any, levels: Iterable[Any]) -> str:
    """Which of the levels may have been meant; text that reads like a number is not that number."""
    given = plain(value)
    for level in map(plain, levels):
        if str(level) == str(given) and level != given:
            word, number = (given, level) if isinstance(given, str) else (level, given)
            kind = "a truth value" if isinstance(number, bool) else "a number"
            first, second = ("", "the class ") if word is given else ("the class ", "")
            return f" {first}{word!r} is text, {second}{number!r} is {kind}: give both alike."
    return nearest(value, levels)


def _listed(classes: Sequence[Level]) -> str:
    return ", ".join(map(repr, classes[:8])) + (", ..." if len(classes) > 8 else "")
