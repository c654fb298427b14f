"""What happened in each round of an ensemble's learning, as a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from likely.core.numerics import Floats
from likely.output.draw import draw
from likely.output.frames import FrameResult
from likely.output.jsonable import to_jsonable

ROUNDS_SHOWN = (12, 4)  # of a long table, so many rounds from its beginning and its end
TITLES = {
    "error": "error",
    "weight": "weight",
    "training": "training error",
    "bound": "bound",
    "out_of_bag": "out-of-bag error",
}


@dataclass(frozen=True, eq=False, repr=False)
class Rounds(FrameResult):
    """(rounds,) of each, where there are such: what a round found, and how the ensemble up to it does.

    `error` is the round's weighted error and `weight` what its learner's vote counts; `training` is the share of the
    rows learnt that the rounds so far get wrong together, `bound` what that cannot exceed, and `out_of_bag` their share
    of errors on rows that they did not see. `words` say why there are no more rounds.

    >>> import numpy as np
    >>> Rounds("AdaBoost", "all 1 round", training=np.array([0.25]), bound=np.array([0.866]))
     round  training error   bound
         1          0.2500  0.8660
    all 1 round
    """

    name: str
    words: str
    error: Floats | None = None
    weight: Floats | None = None
    training: Floats | None = None
    bound: Floats | None = None
    out_of_bag: Floats | None = None
    interrupted: bool = False  # whether Ctrl-C ended it

    @property
    def columns(self) -> dict[str, Floats]:
        """Those that there are, by name."""
        found = {name: getattr(self, name) for name in TITLES}
        return {name: values for name, values in found.items() if values is not None}

    def __len__(self) -> int:
        return max((len(values) for values in self.columns.values()), default=0)

    def to_dict(self) -> dict[str, Any]:
        """The columns as lists, and the words."""
        return to_jsonable({"model": self.name, **self.columns, "words": self.words})  # type: ignore[no-any-return]

    def plot(self, **options: Any) -> Any:
        """A matplotlib Figure of the errors as the rounds grow."""
        return draw("rounds", self, **options)

    def __repr__(self) -> str:
        heads = [("round", 6), *((TITLES[name], max(len(TITLES[name]), 7)) for name in self.columns)]
        lines = [" ".join(f"{title:>{width}}" for title, width in heads)]
        for at in self._shown():
            if at is None:
                lines.append(f"{'...':>6}")
                continue
            cells = zip(self.columns.values(), heads[1:], strict=True)
            lines.append(" ".join([f"{at + 1:>6}", *(f"{values[at]:>{width}.4f}" for values, (_, width) in cells)]))
        return "\n".join([*lines, self.words])

    def _shown(self) -> list[int | None]:
        first, last = ROUNDS_SHOWN
        if len(self) <= first + last + 1:
            return list(range(len(self)))
        return [*range(first), None, *range(len(self) - last, len(self))]
