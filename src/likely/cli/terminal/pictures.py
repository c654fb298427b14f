"""Pictures that a verb is asked for: refused before the work where they cannot be, drawn after it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from likely.cli.terminal.session import Session


def check_pictures(*places: Path | None) -> None:
    """Pictures that cannot be written are refused before the work."""
    for place in places:
        if place is not None:  # what draws takes a while to load
            from likely.plots.picture_files import check_picture

            check_picture(place)


def keep_picture(session: Session, draw: Callable[[], Any], place: Path | None) -> None:
    """Write what `draw` draws, where a picture is asked for."""
    if place is not None:
        from likely.plots.picture_files import save

        with session.notes(), session.watch("drawing", unit=""):
            save(draw(), place)
