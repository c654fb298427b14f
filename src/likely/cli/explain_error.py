"""likely explain-error: what an error code means, how it comes about, and the way out."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from likely.cli.options import argument
from likely.cli.terminal.failures import UsageError, exit_code
from likely.cli.terminal.session import Session
from likely.errors import LikelyError, nearest

EXAMPLE = "likely explain-error D202"


def run(
    session: Session,
    code: Annotated[str, argument("CODE", "The code in brackets before a message, as in D202.")],
) -> None:
    """Say what an error code means, how it comes about and what to do."""
    from likely.errors.registry import registry

    known = registry()
    entry = known.get(code.strip(" []").upper())
    if entry is None:
        hint = f"a code is a letter and three digits, as in D202.{nearest(code, known)}"
        raise UsageError("U117", f"there is no error code {code!r}", place="CODE", hint=hint)
    exits = exit_code(LikelyError(entry.code, entry.meaning))
    session.answer({**asdict(entry), "exit": exits})
    session.say(f"{entry.code}: {entry.meaning}", f"  {entry.cause}", f"  What to do: {entry.way_out}")
