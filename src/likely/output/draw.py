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
        """A matplotlib Figure of the result; the options are those of its function in `likely.plots`.

        >>> from likely.evaluation import calibration
        >>> found = calibration(list("aabb"), [[0.9, 0.1], [0.6, 0.4], [0.7, 0.3], [0.2, 0.8]], ["a", "b"], bins=2)
        >>> figure = found.plot()
        >>> figure.axes[0].get_xlabel()
        'predicted probability (mean of the bin)'
        """
        return draw(self._picture, self, **options)
