"""What an object has learnt, swapped whole: who reads it meanwhile sees what was there before or after, never both."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar

from likely.core.cache import turn

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


def still(held: T) -> T:
    """The object as it is now, in a copy that shares all it holds: what another thread teaches it does not reach that.

    >>> import likely
    >>> model = likely.NaiveBayes().fit([[1.0], [2.0]], ["a", "b"])
    >>> now = still(model)
    >>> model.partial_fit([[3.0]], ["c"]).classes_.tolist(), now.classes_.tolist()
    (['a', 'b', 'c'], ['a', 'b'])
    """
    twin = object.__new__(type(held))
    twin.__dict__ = vars(held).copy()
    return twin


def swap(held: T, new: Mapping[str, Any], old: Callable[[str], bool] = lambda name: False) -> T:
    """The same object with new attributes, and without the old ones: in one step."""
    held.__dict__ = {name: value for name, value in vars(held).copy().items() if not old(name)} | dict(new)
    return held


def in_turn(change: F) -> F:
    """A method that changes its object from what it was: threads that call such methods go one after the other."""

    @wraps(change)
    def changed(self: Any, *given: Any, **options: Any) -> Any:
        with turn(id(self)):
            return change(self, *given, **options)

    return changed  # type: ignore[return-value]
