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


def alike(value: Any, levels: Iterable[Any]) -> tuple[Level, str] | None:
    """The one class that a label is but for blanks, case or a trailing dot, and which of these it is.

    >>> alike("Yes.", ["no", "yes"]), alike("yes.", ["no", "yes"]), alike("yep", ["no", "yes"])
    (('yes', 'letter case and a trailing dot'), ('yes', 'a trailing dot'), None)
    """
    if not isinstance(value, str):
        return None
    words = [level for level in levels if isinstance(level, str)]
    found = [level for level in words if _bare(level) == _bare(value)]
    if len(found) != 1 or found[0] == value:
        return None
    level, why = found[0], []
    if value.strip() != value or level.strip() != level:
        why.append("blanks")
    if value.strip().rstrip(".") != level.strip().rstrip("."):
        why.append("letter case")
    if value.strip().endswith(".") != level.strip().endswith("."):
        why.append("a trailing dot")
    return level, " and ".join(why)


def _bare(label: str) -> str:
    return label.strip().rstrip(".").rstrip().casefold()


def near(value: Any, levels: Iterable[Any]) -> str:
    """Which of the levels may have been meant; text that reads like a number is not that number."""
    given = plain(value)
    for level in map(plain, levels):
        if str(level) == str(given) and level != given:
            word, number = (given, level) if isinstance(given, str) else (level, given)
            kind = "a truth value" if isinstance(number, bool) else "a number"
            first, second = ("", "the class ") if word is given else ("the class ", "")
            return f" {first}{word!r} is text, {second}{number!r} is {kind}: give both alike."
    meant = alike(given, map(plain, levels))
    if meant is not None:
        return f" {given!r} is the class {meant[0]!r} but for {meant[1]}: write labels as the classes are."
    return nearest(value, levels)


def _listed(classes: Sequence[Level]) -> str:
    return ", ".join(map(repr, classes[:8])) + (", ..." if len(classes) > 8 else "")
