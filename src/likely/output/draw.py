"""Results draw themselves, whichever layer they are of: the pictures are imported when one is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def draw(picture: str, *results: Any, **options: Any) -> Any:
    """The picture of that name in `likely.plots`, of these results."""
    return getattr(import_module("likely.plots"), picture)(*results, **options)
