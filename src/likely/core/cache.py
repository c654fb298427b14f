"""What immutable values keep of their own reckoning, safe under threads and after fork."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from functools import cached_property as cached_property  # checkers know what this one is
T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


class _Turn:
    """A lock, and how many hold it or wait for it."""

    def __init__(self) -> None:
        self.lock, self.users = RLock(), 0


class _Turns:
    """The turns that are taken now."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self.guard = RLock()
        self.taken: dict[Hashable, _Turn] = {}


_turns = _Turns()
_here = threading.local()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_turns.begin)  # threads that hold a turn do not live on in a child


@contextmanager
def turn(*key: Hashable) -> Iterator[None]:
    """Threads that name the same key go through one after the other; those that name others do not wait.

    What is done within may take turns of its own, but must not wait for threads that could wait for this one.
    """
    with _turns.guard:
        mine = _turns.taken.setdefault(key, _Turn())
        mine.users += 1
    try:
        with mine.lock:
            yield
    finally:
        with _turns.guard:
            mine.users -= 1
            if not mine.users and _turns.taken.get(key) is mine:
                del _turns.taken[key]


def is_reckoning() -> bool:
    """Whether this thread is in the midst of reckoning what is kept, so that others may be waiting for it."""
    return getattr(_here, "depth", 0) > 0


@contextmanager
def _reckoning(*key: Hashable) -> Iterator[None]:
    """A turn in which something is reckoned."""
    with turn(*key):
        _here.depth = getattr(_here, "depth", 0) + 1
        try:
            yield
        finally:
            _here.depth -= 1


if not TYPE_CHECKING:

    class cached_property(Generic[T]):  # noqa: N801  as in functools
        """As in functools, but reckoned once however many threads ask, value by value, and never stuck after fork.

        That of Python 3.11 has one lock for all values of a class, which a child of fork may find locked forever; later
        ones have none, so that threads may hold different results. Copies and pickles do not carry what was reckoned:
        they are the same whether a value was used or not, and safe to make while another thread uses it.

        >>> from dataclasses import dataclass
        >>> @dataclass(frozen=True)
        ... class Circle:
        ...     radius: float
        ...
        ...     @cached_property
        ...     def area(self):
        ...         return 3.14 * self.radius**2
        >>> Circle(2.0).area
        12.56
        """

        def __init__(self, reckon: Callable[[Any], T]) -> None:
            self.reckon, self.name = reckon, reckon.__name__
            self.__doc__, self.__module__ = reckon.__doc__, reckon.__module__

        def __set_name__(self, owner: type, name: str) -> None:
            self.name = name
            if owner.__getstate__ is object.__getstate__:
                owner.__getstate__ = _lasting

        def __get__(self, value: Any, owner: type | None = None) -> Any:
            if value is None:
                return self
            kept = vars(value)
            with _reckoning(id(value), self.name):
                if self.name not in kept:
                    kept[self.name] = self.reckon(value)
                return kept[self.name]


def _lasting(value: Any) -> dict[str, Any]:
    """What a value was made of, without what it has reckoned since."""
    kept, kind = vars(value).copy(), type(value)
    return {name: one for name, one in kept.items() if not isinstance(getattr(kind, name, None), cached_property)}


class Cache(Generic[K, T]):
    """Values by key, each made once however many threads ask for it; `room` bounds the bytes that are kept.

    What finds no room is made anew each time, so that answers never depend on what was asked before.

    >>> squares = Cache()
    >>> squares.get(3, lambda: 3**2)
    9
    """

    def __init__(self, room: float = float("inf")) -> None:
        self.room, self.used = room, 0
        self._kept: dict[K, T] = {}

    def get(self, key: K, make: Callable[[], T], size: int = 0) -> T:
        """The value of a key, made if it is not there yet and then kept if there is room for its bytes."""
        if key in self._kept:
            return self._kept[key]
        if self.used + size > self.room:
            return make()
        with _reckoning(id(self), key):
            if key in self._kept:
                return self._kept[key]
            value = make()
            with _turns.guard:  # of one cache, several keys may be made at a time
                if self.used + size <= self.room:
                    self.used += size
                    self._kept[key] = value
            return value

    def find(self, key: K) -> T | None:
        """The value of a key that is kept; else None."""
        return self._kept.get(key)

    def __reduce__(self) -> tuple[Any, ...]:
        return Cache, (self.room,)  # copies begin empty
