"""Results draw themselves, whichever layer they are of: the pictures are imported when one is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any, ClassVar


def draw(picture: str, *results: Any, **options: Any) -> Any:
    """The picture of that name in `likely.plots`, of these results."""
    return getattr(import_module("likely.plots"), picture)(*results, **options)


class Drawn:
    """A result with a picture: `_picture` is the function of `likely.plots` that draws it."""

    _picture: ClassVar[str]

    def plot(self, **options: Any) -> Any:
        """A matplotlib Figure of the result; the options are those of its function in `likely.plots`."""
        return draw(self._picture, self, **options)
