"""Long learning that can be watched: whoever waits is told of each round."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Tick = Callable[[int], object]

_TICK: ContextVar[Tick | None] = ContextVar("tick", default=None)


@contextmanager
def progress_watched_by(tick: Tick) -> Iterator[None]:
    """Within it, learning calls `tick` with the number of rounds done since the last call.

    >>> done = []
    >>> with progress_watched_by(done.append):
    ...     report_rounds()
    >>> done
    [1]
    """
    before = _TICK.set(tick)
    try:
        yield
    finally:
        _TICK.reset(before)


def report_rounds(rounds: int = 1) -> None:
    """Tell whoever watches that so many rounds are done."""
    tick = _TICK.get()
    if tick is not None:
        tick(rounds)
