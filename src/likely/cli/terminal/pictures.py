"""Pictures of a verb: refused before the work where they cannot be written, and never at the price of the answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from likely.cli.terminal.session import Session
from likely.errors import LikelyError


def check_pictures(*places: Path | None) -> None:
    """Pictures that cannot be written are refused before the work."""
    for place in places:
        if place is not None:  # what draws takes a while to load
            from likely.plots.picture_files import check_picture

            check_picture(place)


def usual_place(session: Session, asked: Path | None, usual: str) -> Path | None:
    """Where a verb draws unless told not to: a place that nobody asked for and that cannot be written is noted."""
    try:
        check_pictures(asked or Path(usual))
    except LikelyError as error:
        if asked is not None:
            raise
        session.note(f"no picture is drawn: {error.message}; name another place with --output")
        return None
    return asked or Path(usual)


def keep_picture(session: Session, draw: Callable[[], Any], place: Path | None) -> Path | None:
    """Write what `draw` draws, where a picture is asked for, and say where it is.

    What cannot be drawn is told once the answer has been.
    """
    if place is None:
        return None
    from likely.plots.picture_files import save

    try:
        with session.notes(), session.watch("drawing", unit=""):
            made = draw()
            save(made, place) if hasattr(made, "savefig") else made.save(place)  # a page writes itself
    except Exception as error:
        session.undrawn = error
        return None
    return place
