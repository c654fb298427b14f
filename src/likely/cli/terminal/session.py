"""Where words, notes, progress and JSON go: answers to the output, everything else to the error stream."""

from __future__ import annotations

import inspect
import json
import sys
import textwrap
import threading
import warnings
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any, get_type_hints

from typer.models import OptionInfo

from likely.cli.options import Json, MissingMark, NoHeader, Quiet, Seed, Sheet, Strict
from likely.cli.startup import warmup
from likely.cli.startup.loops import loops_of
from likely.cli.terminal.advice import as_words, speak
from likely.cli.terminal.render import short
from likely.errors import LikelyError

SECONDS_BEFORE_BAR = 1.0  # seconds before a progress bar appears
MOST_NOTES = 12  # notes that one piece of work may give
NOTE_LETTERS = 600  # of a note


class Session:
    """One run of a verb: `say` to people, `answer` to programs, `note` beside, `watch` while waiting."""

    def __init__(self, as_json: bool, quiet: bool, seed: int, flags: Collection[str] = ()) -> None:
        self.as_json = as_json
        self.quiet = quiet
        self.seed = seed
        self.flags = flags  # of the verb
        self.header = True  # whether the first line of DATA may hold the names of its columns
        self.sheet: str | None = None  # the one of an Excel file that is named
        self.strict = False  # whether rows without a label, and cells that are not what their column holds, are refused
        self.missing_marks: tuple[str, ...] = ()  # what stands for missing values, beside what always does
        self.spooled: str | None = None  # the file that holds standard input
        self.noted: set[str] = set()
        self.bar: _Bar | None = None  # of the work that is watched
        self.undrawn: Exception | None = None  # why a picture could not be drawn

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
            print(f"note: {short(self.words(text), NOTE_LETTERS)}", file=sys.stderr)

    def words(self, text: str) -> str:
        """Advice in the words of the verb."""
        return as_words(text, self.flags)

    def speak(self, error: LikelyError) -> None:
        """Put an error in the words of the verb."""
        speak(error, self.flags)
        if self.spooled is not None:
            error.place = error.place.replace(self.spooled, "standard input")

    def answer(self, document: dict[str, Any], **places: object) -> None:
        """The whole answer as one JSON document, where that was asked for, with the places of files that go with it."""
        if self.as_json:
            print(in_json({**document, **{name: place and str(place) for name, place in places.items()}}))

    def say_places(self, **places: object) -> None:
        """Where pictures and other files are, a line each; nothing of those that were not asked for."""
        self.say(*(f"{name}: {place}" for name, place in places.items() if place is not None))

    @contextmanager
    def notes(self) -> Iterator[None]:
        """Warnings of the library become notes, the first few of them."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
        lines = [line for warning in caught for line in self.words(_text(warning.message)).splitlines()]
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
    of_file = (("no_header", False, NoHeader), ("sheet", None, Sheet), ("strict", False, Strict))
    typed = any(one.name == "kind" for one in own)  # where a model is made, which keeps how its rows were read
    of_kinds = (("missing_mark", None, MissingMark),) if typed else ()
    reading = (*of_file, *of_kinds) if any(one.name == "form" for one in own) else ()
    shared = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, default, annotation in (
            *reading,
            ("as_json", False, Json),
            ("quiet", False, Quiet),
            ("seed", 0, Seed),
        )
    ]

    flags = {word for one in own for word in _flags(one.annotation)}

    def run(
        *,
        as_json: bool,
        quiet: bool,
        seed: int,
        no_header: bool = False,
        sheet: str | None = None,
        strict: bool = False,
        missing_mark: list[str] | None = None,
        **given: Any,
    ) -> None:
        session = Session(as_json, quiet, seed, flags)
        session.header, session.sheet, session.strict = not no_header, sheet, strict
        session.missing_marks = tuple(missing_mark or ())
        loops = loops_of(work.__module__.removeprefix("likely.cli."), given)
        try:
            with warmup.ahead(loops), warnings.catch_warnings():
                warnings.showwarning = lambda told, *where: session.note(_text(told))  # no place in a library's source
                work(session, **given)
            if session.undrawn is not None:  # the answer has been given all the same
                raise session.undrawn
        except LikelyError as error:
            session.speak(error)
            raise

    run.__name__, run.__doc__ = work.__name__, work.__doc__
    run.__signature__ = inspect.Signature([*own, *shared])  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in (*own, *shared)}
    return run


def _flags(annotation: Any) -> list[str]:
    """What an option is called on the command line; typer holds the first name as a default."""
    options = [one for one in getattr(annotation, "__metadata__", ()) if isinstance(one, OptionInfo)]
    return [str(flag) for option in options for flag in (option.default, *(option.param_decls or ()))]


def _text(warning: Warning | str) -> str:
    """What a warning says, with the parts of its advice."""
    said = warning.args[0] if isinstance(warning, Warning) and warning.args else warning
    return said if isinstance(said, str) else str(warning)


class DelayedDisplay:
    """Something of rich that appears once work has taken some seconds; rich is not even imported before that."""

    def __init__(self, patience: float) -> None:
        self.shown: Any = None
        self.lock = threading.Lock()
        self.timer = threading.Timer(patience, self._open)
        self.timer.daemon = True
        self.timer.start()

    def _open(self) -> None:
        with self.lock:
            if not self.timer.finished.is_set():
                self.shown = self._started()

    def _started(self) -> Any:
        """What is shown, and has begun to be."""
        raise NotImplementedError

    def close(self) -> None:
        self.timer.cancel()
        with self.lock:
            if self.shown is not None:
                self.shown.stop()


class _Bar(DelayedDisplay):
    """A bar of rich."""

    def __init__(self, what: str, total: int | None, unit: str) -> None:
        self.what, self.total, self.unit = what, total, unit
        self.done, self.text = 0, ""
        super().__init__(SECONDS_BEFORE_BAR)

    def tick(self, done: int = 1) -> None:
        self.done += done
        if self.shown is not None:
            self.shown.update(self.task, completed=self.done)

    def _started(self) -> Any:
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
        return progress


def _console(stream: Any) -> Any:
    from rich.console import Console

    return Console(file=stream)


def in_json(document: Any) -> str:
    """A document on one line; NaN is null and infinity a word."""
    from likely.output.jsonable import to_jsonable

    return json.dumps(to_jsonable(document), ensure_ascii=False, allow_nan=False, default=str)
