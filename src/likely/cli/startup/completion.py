"""What the Tab key may complete: the names of models, the columns of DATA, the nodes and levels of a network.

Each function takes the context of a command line so far and the word that is begun, and gives the words that it may
become. Nothing is ever said of a file that cannot be read: there is nothing to complete then.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from typing import Any

Completer = Callable[[Any, str], list[str]]
SHELL = "_LIKELY_COMPLETE"  # of the environment: what the shell of the Tab key wants
_NO_LETTER = re.compile(r"[^\w@%+=:,./-]")


def models(ctx: Any, incomplete: str) -> list[str]:
    """Names of models; several with commas between."""
    from likely.estimators.registry import PRESETS

    return _last(incomplete, PRESETS)


def columns(ctx: Any, incomplete: str) -> list[str]:
    """Columns of DATA."""
    return _begun(incomplete, _columns(ctx))


def several_columns(ctx: Any, incomplete: str) -> list[str]:
    """Columns of DATA, with commas between."""
    return _last(incomplete, _columns(ctx))


def kinds(ctx: Any, incomplete: str) -> list[str]:
    """COLUMN=KIND, or one kind for all columns."""
    from likely.core.schema import KINDS, SKIP

    every = (*KINDS, SKIP)
    column, sign, _ = incomplete.rpartition("=")
    if sign:
        return _begun(incomplete, (f"{column}={kind}" for kind in every))
    return _begun(incomplete, [*every, *(f"{name}=" for name in _columns(ctx))])


def settings(ctx: Any, incomplete: str) -> list[str]:
    """NAME= of the options of the model that is named."""
    from likely.estimators.registry import PRESETS, options_of

    named = str(ctx.params.get("model") or "naive").split(",")
    return _begun(incomplete, (f"{option}=" for name in named if name in PRESETS for option in options_of(name)))


def nodes(ctx: Any, incomplete: str) -> list[str]:
    """Nodes of NETWORK."""
    return _begun(incomplete, _network(ctx, lambda network: network.nodes))


def findings(ctx: Any, incomplete: str) -> list[str]:
    """NODE=LEVEL of NETWORK."""
    node, sign, _ = incomplete.partition("=")
    if not sign:
        return _begun(incomplete, (f"{name}=" for name in _network(ctx, lambda network: network.nodes)))
    return _begun(incomplete, (f"{node}={level}" for level in _network(ctx, lambda network: network.levels(node))))


def several_nodes(ctx: Any, incomplete: str) -> list[str]:
    """Nodes of NETWORK, with commas between."""
    return _last(incomplete, _network(ctx, lambda network: network.nodes))


def completer(names: Iterable[str], takes: str) -> Completer | None:
    """What completes an option of these names, or an argument, that takes this; None where nothing is known.

    >>> completer(["--weight"], "COLUMN").__name__, completer(["--rows"], "N")
    ('columns', None)
    """
    return models if "--model" in names else COMPLETED.get(takes.strip("[]"))


@contextmanager
def in_bash(environ: MutableMapping[str, str]) -> Iterator[None]:
    """Words for the Tab key are told as bash wants them.

    It puts them on the line as they are, so that what is no letter is escaped, and behind an = where there is one.
    """
    if environ.get(SHELL) != "complete_bash":
        yield
        return
    before, told = join_words(environ), StringIO()
    try:
        with redirect_stdout(told):
            yield
    finally:
        for word in filter(None, told.getvalue().splitlines()):
            print(_NO_LETTER.sub(r"\\\g<0>", word.removeprefix(before)))


def join_words(environ: MutableMapping[str, str]) -> str:
    """Bash takes the = in COLUMN=KIND for a word of its own: such words are put together again.

    What stands before the part that bash would have, as in age=.

    >>> environ = {"COMP_WORDS": "likely\\nfit\\na.csv\\n-k\\nage\\n=\\nre", "COMP_CWORD": "6"}
    >>> join_words(environ), environ["COMP_WORDS"].split(), environ["COMP_CWORD"]
    ('age=', ['likely', 'fit', 'a.csv', '-k', 'age=re'], '4')
    """
    words, at = environ.get("COMP_WORDS", "").split("\n"), int(environ.get("COMP_CWORD", "0"))
    if "=" not in words:
        return ""
    joined: list[str] = []
    places = []
    for place, word in enumerate(words):
        if joined and (word == "=" or words[place - 1] == "="):
            joined[-1] += word
        else:
            joined.append(word)
        places.append(len(joined) - 1)
    here = places[at] if at < len(places) else len(joined)
    environ["COMP_WORDS"], environ["COMP_CWORD"] = "\n".join(joined), str(here)
    if "=" not in words[max(at - 1, 0) : at + 1]:
        return ""
    begun = joined[here].replace("\\", "")
    return begun[: begun.rindex("=") + 1]


# What a word on a command line stands for, as help shows it, and what completes it.
COMPLETED: dict[str, Completer] = {
    "COLUMN": columns,
    "COLUMN,...": several_columns,
    "COLUMN=KIND": kinds,
    "NAME=VALUE": settings,
    **dict.fromkeys(("NODE", "OTHER", "TARGET"), nodes),
    "NODE,...": several_nodes,
    "NODE=LEVEL": findings,
}


def _columns(ctx: Any) -> Iterable[str]:
    data = _file(ctx, "data")
    try:
        from likely.data.files.source import file_source

        return file_source(data, None, ctx.params.get("form"), not ctx.params.get("no_header")).columns
    except Exception:
        return ()


def _file(ctx: Any, name: str) -> str:
    """The file of that name on a command line; an option that still waits for its word leaves it among the rest."""
    given = ctx.params.get(name)
    if isinstance(given, list | tuple):  # of several files the first
        given = given[0] if given else None
    return str(given or next(filter(os.path.isfile, ctx.args), ""))


def _network(ctx: Any, ask: Callable[[Any], Iterable[Any]]) -> list[Any]:
    try:
        from likely.networks import Network

        return list(ask(Network.read(_file(ctx, "network"))))
    except Exception:
        return []


def _begun(incomplete: str, words: Iterable[str]) -> list[str]:
    return [word for word in dict.fromkeys(words) if word.startswith(incomplete)]


def _last(incomplete: str, words: Iterable[str]) -> list[str]:
    """The words that the last of several may become, each after those before it."""
    before, sign, _ = incomplete.rpartition(",")
    said = before.split(",")
    return _begun(incomplete, (f"{before}{sign}{word}" for word in words if word not in said))
