"""Pictures that a command line asks for."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def check_picture(path: Path) -> None:
    """Refuse a place where no picture can be written, before any work is done for it."""
    from likely.plots import saving

    saving.check_picture(path)


def save_picture(figure: Any, path: Path) -> None:
    """Write a figure as PNG, SVG or PDF by its ending; an old file stays until the new one is complete."""
    from likely.plots import save

    save(figure, path)


def make_folder(path: Path) -> None:
    """The folder for pictures, made if need be."""
    from likely.errors import StoreError

    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        hint = "choose another folder"
        raise StoreError("F401", f"cannot make this folder: {error.strerror}", place=str(path), hint=hint) from None
