"""What a failure looks like and which exit code it has."""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from typer.core import TyperCommand, TyperGroup

from likely.errors import LikelyError, nearest

USAGE, DATA, MODEL, OUTPUT, INTERNAL = 2, 3, 4, 5, 70
EXIT_OF_CODE = {"U": USAGE, "O": USAGE, "D": DATA, "S": DATA, "M": MODEL, "F": MODEL, "X": INTERNAL}
OUTPUTS = ("F401", "F402")  # what cannot be written is no fault of a model

# What to do about a target that is not what a model predicts, as a command line says it.
HINTS = {
    "D120": "numbers are predicted by --model linear, ridge, lasso or regression-tree; or bin them into classes first",
    **dict.fromkeys(("M310", "S213"), "fit the second as the first was, and merge these: likely fit DATA --like FIRST"),
    "D446": "words and classes are told apart by --model naive, logistic, tree and others: see likely fit --help",
}


class UsageError(LikelyError):
    """The command line cannot be understood (codes U...)."""


# What other tools call our verbs.
VERBS_ELSEWHERE = {
    **dict.fromkeys(("train", "learn", "build", "run"), "fit"),
    **dict.fromkeys(("test", "score", "validate", "judge", "eval", "assess"), "evaluate"),
    **dict.fromkeys(("cv", "crossvalidate", "cross-validate"), "evaluate"),
    **dict.fromkeys(("classify", "apply", "infer", "label", "scores"), "predict"),
    **dict.fromkeys(("show", "describe", "look", "summary", "summarise", "summarize", "head", "profile"), "inspect"),
    **dict.fromkeys(("plot", "draw"), "surface"),
    **dict.fromkeys(("why", "interpret"), "explain"),
    **dict.fromkeys(("bench", "benchmark", "leaderboard"), "compare"),
    **dict.fromkeys(("simulate", "generate"), "sample"),
    **dict.fromkeys(("unlearn",), "forget"),
    **dict.fromkeys(("combine", "add"), "merge"),
    **{word: f"--{word}" for word in ("help", "version")},
}


class _Helped:
    """What has flags of typer's own, such as --help, which show no type either."""

    def get_params(self, ctx: Any) -> Any:
        found = super().get_params(ctx)  # type: ignore[misc]
        for one in found:
            if getattr(one, "is_flag", False) and one.metavar is None:
                one.metavar = " "
        return found


class Verb(_Helped, TyperCommand):
    """A verb."""


class Verbs(_Helped, TyperGroup):
    """A group of verbs, which says what they are where another one is asked for."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        wrong = args[0]
        if not wrong.startswith("-") and self.get_command(ctx, wrong) is None:
            verbs, meant = list(self.commands), VERBS_ELSEWHERE.get(wrong.lower())
            known = {*verbs, *(name for one in self.get_params(ctx) for name in one.opts)}
            close = f" Did you mean {meant!r}?" if meant in known else nearest(wrong, verbs)
            hint = f"the verbs are {', '.join(verbs)}.{close}"
            raise UsageError("U101", f"there is no verb {wrong!r}", place=ctx.command_path, hint=hint)
        return super().resolve_command(ctx, args)


class StoppedError(Exception):
    """Ctrl-C has ended a search, and the best that it had found is kept; the text says where."""


@contextmanager
def hinted(target: str | None = None) -> Iterator[None]:
    """Errors about the target say what to do about it on a command line, and its name where labels have lost it."""
    try:
        yield
    except LikelyError as error:
        error.hint = HINTS.get(error.code, error.hint)
        if error.code in HINTS and target is not None:
            error.place = f"target {target!r}"
        raise


def exit_code(error: LikelyError) -> int:
    """Usage 2, data 3, model 4, output 5, internal 70."""
    return OUTPUT if error.code.startswith(OUTPUTS) else EXIT_OF_CODE[error.code[0]]


def show(error: LikelyError, as_json: bool) -> int:
    """Print an error on the error stream, on one screen, and give its exit code."""
    code = exit_code(error)
    if as_json:
        told = {"code": error.code, "message": error.message, "place": error.place, "hint": error.hint}
        print(json.dumps({"error": told, "exit": code}, ensure_ascii=False), file=sys.stderr)
    else:
        print(_short(str(error)), file=sys.stderr)
    return code


def _short(text: str, lines: int = 20, width: int = 600) -> str:
    """One screen of printable text: names in files may hold anything, escape codes of a terminal too."""
    kept = [line if len(line) <= width else line[:width] + " ..." for line in text.split("\n")[:lines]]
    return "\n".join("".join(sign if sign.isprintable() else "\ufffd" for sign in line) for line in kept)


def of_usage(error: Any) -> UsageError:
    """The same error for what typer says of a command line."""
    context = getattr(error, "ctx", None)
    verb = context.command_path if context else "likely"
    hint = f"see {verb} --help."
    example = getattr(context.command, "epilog", None) if context else None
    shown = f"say it as in {example.removeprefix('Example: ')}; {hint}" if example else hint
    if hasattr(error, "possibilities"):
        options = [name for param in context.command.params for name in param.opts] if context else []
        of_model = context is not None and any(one.metavar == "MODEL" for one in context.command.params)
        if error.option_name in ("--target", "-t") and of_model:
            hint = f"the model knows its target; {hint}"
        else:
            hint += nearest(error.option_name, options)
        return UsageError("U102", f"there is no option {error.option_name}", place=verb, hint=hint)
    if getattr(error, "param", None) is not None:
        name = _parameter(error.param)
        if not error.message:
            return UsageError("U103", f"{name} is missing", place=verb, hint=shown)
        return UsageError("U104", f"{name}: {error.message}", place=verb, hint=hint)
    return UsageError("U105", str(error.format_message()).rstrip("."), place=verb, hint=shown)


def _parameter(param: Any) -> str:
    name = max(param.opts, key=len)
    return str(name) if name.startswith("-") else str(param.metavar or name.upper())


def of_bug(error: BaseException) -> LikelyError:
    """An error that likely did not mean to raise; the traceback is shown to those who ask for it."""
    if os.environ.get("LIKELY_TRACEBACK"):
        traceback.print_exc()
    return LikelyError(
        "X901",
        f"something went wrong inside likely: {type(error).__name__}: {error}",
        place="likely",
        hint="this is a fault of ours; set LIKELY_TRACEBACK=1 to see where, and please report it",
    )


def of_memory() -> LikelyError:
    """The rows or the model need more memory than there is."""
    hint = "files are streamed, so look for a column with very many levels, or say --kind COLUMN=skip"
    return LikelyError("D127", "not enough memory", place="the rows", hint=hint)
