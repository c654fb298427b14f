"""Which classes are taken for which."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.schema import Level
from likely.data.targets.class_lists import read_classes
from likely.data.targets.label_codes import read_codes
from likely.data.targets.probabilities import refuse_shape
from likely.data.weights import read_weights
from likely.output.class_order import reading_order
from likely.output.display_width import display_width, padded
from likely.output.draw import Drawn
from likely.output.jsonable import Written


@dataclass(frozen=True, eq=False, repr=False)
class Confusion(Written, Drawn):
    """matrix[true, predicted]: rows (or weights) of each true class by predicted class; abstentions come last.

    That column is there only where there are abstentions. What is undefined (0 of 0) is NaN.

    >>> from likely.evaluation import confusion
    >>> found = confusion(["a", "a", "b"], ["a", "b", "b"], ["a", "b"])
    >>> found.matrix.tolist(), found.recall.tolist()
    ([[1, 1], [0, 1]], [0.5, 1.0])
    """

    matrix: Array
    classes: tuple[Level, ...]
    _picture = "confusion"
    _written = ("matrix", "classes", "accuracy", "abstained", "kappa", "precision", "recall", "f1")

    @property
    def square(self) -> Array:
        """(classes, classes): the matrix without abstentions."""
        return np.asarray(self.matrix[:, : len(self.classes)])

    @property
    def abstained(self) -> float:
        """The share of rows without a decision."""
        return 1 - float(self.square.sum() / self.matrix.sum())

    @property
    def accuracy(self) -> float:
        """The share of all rows that were predicted correctly; an abstention is not."""
        return float(np.trace(self.square) / self.matrix.sum())

    @property
    def precision(self) -> Floats:
        """(classes,): of the rows predicted as each class, the share that are."""
        return _ratio(np.diag(self.square), self.square.sum(axis=0))

    @property
    def recall(self) -> Floats:
        """(classes,): of the rows of each class, the share predicted as it."""
        return _ratio(np.diag(self.square), self.matrix.sum(axis=1))

    @property
    def f1(self) -> Floats:
        """(classes,): the harmonic mean of precision and recall."""
        return _ratio(2 * np.diag(self.square), self.square.sum(axis=0) + self.matrix.sum(axis=1))

    @property
    def kappa(self) -> float:
        """Cohen's kappa of the rows that were predicted: agreement beyond that of chance, 1 at best."""
        shares = _ratio(self.square, self.square.sum())
        chance = float(shares.sum(axis=0) @ shares.sum(axis=1))
        return float(_ratio(np.trace(shares) - chance, np.float64(1 - chance)))

    def as_read(self) -> Confusion:
        """The same with the classes in the order in which people read them: low, medium, high.

        >>> confusion(["low", "high"], ["low", "low"], ["high", "low"]).as_read().classes
        ('low', 'high')
        """
        order = reading_order(self.classes)
        across = [*order, *range(len(order), self.matrix.shape[1])]
        return replace(self, matrix=self.matrix[order][:, across], classes=tuple(self.classes[at] for at in order))

    def _page(self) -> Any:
        """A row for each true class: its rows by what was predicted (abstentions last), and its scores."""
        heads = [f"predicted {level}" for level in self.classes] + ["undecided"]
        scores = zip(self.precision.tolist(), self.recall.tolist(), self.f1.tolist(), strict=True)
        return [
            {"class": level, **dict(zip(heads, row, strict=False)), "precision": p, "recall": r, "f1": f}
            for level, row, (p, r, f) in zip(self.classes, self.matrix.tolist(), scores, strict=True)
        ]

    def __repr__(self) -> str:
        self = self.as_read()
        heads = [*map(str, self.classes), *["(none)"] * (self.matrix.shape[1] - len(self.classes))]
        table = [["true, predicted", *heads, "recall"]]
        for level, row, recall in zip(self.classes, self.matrix.tolist(), self.recall, strict=True):
            table.append(
                [str(level), *(f"{count:.6g}" if count % 1 else f"{count:.0f}" for count in row), f"{recall:.3f}"]
            )
        table.append(
            [
                "precision",
                *(f"{share:.3f}" for share in self.precision),
                *[""] * (len(table[0]) - len(self.classes) - 1),
            ]
        )
        wide = [max(map(display_width, cells)) for cells in zip(*table, strict=True)]
        lines = ([padded(*cell, right=True) for cell in zip(cells, wide, strict=True)] for cells in table)
        return "\n".join("  ".join(line).rstrip() for line in lines)


def confusion(y: Any, decided: Any, classes: Any, weights: Any = None) -> Confusion:
    """How often each true class was predicted as each class, or (None) abstained on.

    >>> confusion(["a", "b", "b"], ["a", "a", None], ["a", "b"])
    true, predicted      a    b  (none)  recall
                  a      1    0       0   1.000
                  b      1    0       1   0.000
          precision  0.500  nan
    """
    levels = read_classes(classes)
    true = read_codes(y, levels)
    answers = read_codes(decided, levels, "decided", abstention=len(levels))
    refuse_shape(answers.shape, true.shape, "decided")
    return confusion_of(true, answers, levels, read_weights(weights, len(true)))


def confusion_of(true: Array, decided: Array, classes: tuple[Level, ...], weights: Floats | None = None) -> Confusion:
    """From codes: a predicted code beyond the classes is an abstention."""
    size = len(classes)
    cells = np.bincount(true * (size + 1) + decided, weights, minlength=size * (size + 1)).reshape(size, size + 1)
    return Confusion(cells if cells[:, size].any() else cells[:, :size], classes)


def _ratio(part: Any, whole: Any) -> Floats:
    """part / whole, NaN where the whole is nothing."""
    part, whole = np.broadcast_arrays(np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64))
    return np.asarray(np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0))
