"""A search on screen: the best score so far, its arcs, steps and seconds; Ctrl-C ends it and loses nothing."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from likely.cli.terminal.session import SECONDS_BEFORE_BAR, DelayedDisplay, Session
from likely.output.phrases import plural

QUERY = "Query interrupted"  # what DuckDB says to Ctrl-C
OFTEN = 1.0  # seconds between two lines where the error stream is no terminal


@contextmanager
def searched(session: Session, what: str, progress: bool) -> Iterator[Callable[[Any], None]]:
    """A tick to call with each `Progress` of a search; while it lasts, the first Ctrl-C is an exception.

    On a terminal the score is shown once the search has taken a second, with `progress` at once; elsewhere lines are
    written where `progress` asks for them.
    """
    live = sys.stderr.isatty() and not session.quiet and (progress or not session.as_json)
    screen: Any = (
        _Live(what, 0.0 if progress else SECONDS_BEFORE_BAR) if live else _Lines(what) if progress else _Nothing()
    )
    with interruptible():
        try:
            yield screen.tick
        finally:
            screen.close()


@contextmanager
def interruptible() -> Iterator[None]:
    """The first Ctrl-C ends the search, which then gives its best graph; the second ends likely at once."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is signal.SIG_IGN:
        yield
        return

    def first(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, first)
    try:
        yield
    except RuntimeError as error:
        if str(error) != QUERY:
            raise
        raise KeyboardInterrupt from None
    finally:
        signal.signal(signal.SIGINT, before)


def score_of(score: float) -> str:
    """A score with so many digits that the last steps of a climb can be told apart.

    >>> score_of(-106342.1234), score_of(float("-inf"))
    ('-106,342.12', '-inf')
    """
    return f"{score:,.2f}"


class _Nothing:
    """Nobody is looking."""

    def tick(self, now: Any) -> None:
        """Say nothing."""

    def close(self) -> None:
        """Nothing is open."""


class _Heard:
    """What was told last. Graphs may be searched for several times: each search counts steps and seconds anew."""

    def __init__(self, what: str) -> None:
        self.what, self.now, self.searches = what, None, 1  # type: str, Any, int
        self.started = time.perf_counter()

    def is_new(self, now: Any) -> bool:
        """Whether another search has begun."""
        return self.now is not None and now.steps <= self.now.steps

    def hear(self, now: Any) -> None:
        self.searches += self.is_new(now)
        self.now = now

    @property
    def name(self) -> str:
        return self.what + (f", search {self.searches}" if self.searches > 1 else "")

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.started

    @property
    def has_score(self) -> bool:
        return self.now is not None and self.now.score > -float("inf")


class _Lines(_Heard):
    """A line where the score has risen, at most one a second; the last one of a search is never left out."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.shown, self.after = -float("inf"), 0.0

    def tick(self, now: Any) -> None:
        if self.is_new(now):
            self.close()
            self.shown = -float("inf")  # of other rows or cuts, whose scores are others
        self.hear(now)
        if self.seconds >= self.after:
            self.close()

    def close(self) -> None:
        if self.has_score and self.now.score > self.shown:
            self.shown, self.after = self.now.score, self.seconds + OFTEN
            told = f"{score_of(self.now.score)} with {plural(self.now.arcs, 'arc')} after {self.seconds:.1f} s"
            print(f"{self.name}: {told} ({self.now.doing})", file=sys.stderr, flush=True)


class _Live(_Heard, DelayedDisplay):
    """A line of rich that is drawn anew a few times a second, by a thread of its own: a search is not slowed."""

    def __init__(self, what: str, patience: float) -> None:
        _Heard.__init__(self, what)
        DelayedDisplay.__init__(self, patience)

    def tick(self, now: Any) -> None:
        self.hear(now)

    def _started(self) -> Any:
        from rich.console import Console
        from rich.live import Live

        options: dict[str, Any] = {"console": Console(file=sys.stderr), "refresh_per_second": 8, "transient": True}
        live = Live(get_renderable=self._line, **options)
        live.start()
        return live

    def _line(self) -> Any:
        from rich.text import Text

        line = Text(f"{self.name} ", no_wrap=True, overflow="ellipsis")
        if self.has_score:
            line.append(score_of(self.now.score), style="bold green")
            line.append(f"  {plural(self.now.arcs, 'arc')}")
            line.append("" if self.now.done is None else f"  {self.now.done:.0%}")
        line.append(f"  {self.seconds:.1f} s")
        line.append(f"  {'' if self.now is None else self.now.doing}")
        return line.append("  Ctrl-C keeps this" if self.has_score else "", style="dim")
