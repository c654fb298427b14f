"""Where words, notes, progress and JSON go: answers to the output, everything else to the error stream."""

from __future__ import annotations

import inspect
import json
import sys
import textwrap
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, get_type_hints

from likely.cli.options import Json, Quiet, Seed
from likely.cli.startup import warmup
from likely.cli.startup.loops import loops_of
from likely.cli.terminal.render import as_options, short

SECONDS_BEFORE_BAR = 1.0  # seconds before a progress bar appears
MOST_NOTES = 12  # notes that one piece of work may give
NOTE_LETTERS = 600  # of a note


class Session:
    """One run of a verb: `say` to people, `answer` to programs, `note` beside, `watch` while waiting."""

    def __init__(self, as_json: bool, quiet: bool, seed: int) -> None:
        self.as_json = as_json
        self.quiet = quiet
        self.seed = seed
        self.noted: set[str] = set()
        self.bar: _Bar | None = None  # of the work that is watched

    def say(self, *things: Any) -> None:
        """Show text or a table of rich on the output, unless programs are listening."""
        if not (self.as_json or self.quiet):
            console = _console(sys.stdout)
            for thing in things:
                console.print(thing, markup=False, highlight=False, soft_wrap=isinstance(thing, str))

    def tell(self, sentences: str) -> None:
        """Show sentences, in lines that fit."""
        self.say(textwrap.fill(sentences, min(self.width, 100)))

    @property
    def width(self) -> int:
        """How many letters a line of the output has."""
        return int(_console(sys.stdout).width)

    def note(self, text: str) -> None:
        """Something to know, on the error stream, once."""
        if not self.quiet and text not in self.noted:
            self.noted.add(text)
            print(f"note: {short(as_options(text), NOTE_LETTERS)}", file=sys.stderr)

    def answer(self, document: Any) -> None:
        """The whole answer as one JSON document, where that was asked for."""
        if self.as_json:
            print(in_json(document))

    @contextmanager
    def notes(self) -> Iterator[None]:
        """Warnings of the library become notes, the first few of them."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
        lines = [line for warning in caught for line in str(warning.message).splitlines()]
        lines = [line for line in dict.fromkeys(lines) if line not in self.noted]
        for line in lines[:MOST_NOTES]:
            self.note(line)
        if len(lines) > MOST_NOTES:
            self.note(f"and {len(lines) - MOST_NOTES:,} more such notes")

    @contextmanager
    def watch(self, what: str, total: int | None = None, unit: str = "rows") -> Iterator[Callable[[int], None]]:
        """A tick to call with the number of things done; a bar appears once the work has taken a second."""
        if self.quiet or self.as_json or not sys.stderr.isatty():
            yield lambda done: None
            return
        self.bar = bar = _Bar(what, total, unit)
        try:
            yield bar.tick
        finally:
            self.bar = None
            bar.close()

    def grow(self, text: str) -> None:
        """What is known so far of an answer in the making, above the bar of the work that is watched."""
        if self.bar is not None:
            self.bar.text = text


def verb(work: Callable[..., None]) -> Callable[..., None]:
    """A verb for typer: `work` takes a session first, made from the options that every verb has."""
    hints = get_type_hints(work, include_extras=True)
    own = [one.replace(annotation=hints[one.name]) for one in inspect.signature(work).parameters.values()][1:]
    shared = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, default, annotation in (("as_json", False, Json), ("quiet", False, Quiet), ("seed", 0, Seed))
    ]

    def run(*, as_json: bool, quiet: bool, seed: int, **given: Any) -> None:
        session = Session(as_json, quiet, seed)
        with warmup.ahead(loops_of(work.__module__.removeprefix("likely.cli."), given)), warnings.catch_warnings():
            warnings.showwarning = lambda message, *where: session.note(str(message))  # no place in a library's source
            work(session, **given)

    run.__name__, run.__doc__ = work.__name__, work.__doc__
    run.__signature__ = inspect.Signature([*own, *shared])  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in (*own, *shared)}
    return run


class _Bar:
    """A bar of rich that is not even imported before a second has gone by."""

    def __init__(self, what: str, total: int | None, unit: str) -> None:
        self.what, self.total, self.unit = what, total, unit
        self.done, self.text = 0, ""
        self.progress: Any = None
        self.lock = threading.Lock()
        self.timer = threading.Timer(SECONDS_BEFORE_BAR, self._open)
        self.timer.daemon = True
        self.timer.start()

    def tick(self, done: int = 1) -> None:
        self.done += done
        if self.progress is not None:
            self.progress.update(self.task, completed=self.done)

    def _open(self) -> None:
        with self.lock:
            if not self.timer.finished.is_set():
                self._show()

    def _show(self) -> None:
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
        from rich.text import Text

        bar = self

        class Below(Progress):
            """The bar, below what is known so far."""

            def get_renderables(self) -> Iterator[Any]:
                yield from [Text(bar.text)] if bar.text else []
                yield from super().get_renderables()

        ends = TimeElapsedColumn() if self.total is None else TimeRemainingColumn()
        count = "{task.completed:,}" + ("" if self.total is None else " of {task.total:,}") + f" {self.unit}"
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn(count if self.unit else ""), ends)
        progress = Below(*columns, console=_console(sys.stderr), transient=True)
        self.task = progress.add_task(self.what, total=self.total, completed=self.done)
        progress.start()
        self.progress = progress

    def close(self) -> None:
        self.timer.cancel()
        with self.lock:
            if self.progress is not None:
                self.progress.stop()


def _console(stream: Any) -> Any:
    from rich.console import Console

    return Console(file=stream)


def in_json(document: Any) -> str:
    """A document on one line; NaN is null and infinity a word."""
    from likely.output.jsonable import to_jsonable

    return json.dumps(to_jsonable(document), ensure_ascii=False, allow_nan=False, default=str)
