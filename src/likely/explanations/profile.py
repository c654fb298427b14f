"""What a model believes of its columns, and how much each of them tells about the class.

Profile: classes, priors (classes,), columns (ColumnProfile, ...), the most telling first.
ColumnProfile: name, kind, bits, mean (classes,) or None, spread (classes,) or None, levels (levels,), shares (levels,
classes) or None, words (for each class its words, the most telling first).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats, log_sum_exp
from likely.core.schema import DISCRETE, Level
from likely.explanations.axis import axes
from likely.explanations.columns import by_class
from likely.explanations.information import information, log_shares
from likely.explanations.numeric_columns import described
from likely.explanations.terms import check_number
from likely.families.categorical import CategoricalPredictor
from likely.families.text import TextPredictor
from likely.models import NaiveModel
from likely.output.display_width import display_width, padded
from likely.output.draw import Drawn
from likely.output.frames import FrameResult
from likely.output.jsonable import to_jsonable

COLUMNS_PRINTED = 20
CLASSES_SHOWN = 6  # classes printed
WORDS_OF_CLASS = 10  # words kept of each class


@dataclass(frozen=True, eq=False)
class ColumnProfile:
    """One column: `bits` it tells about the class, and what it looks like in each class.

    Numbers have a `mean` (of counts the rate) and a `spread`, the standard deviation; levels have `shares`
    (levels, classes); texts have `words`, and their bits are those of one word.

    >>> import likely
    >>> rows, y = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"]], ["out", "out", "in", "in"]
    >>> model = likely.NaiveBayes().fit(rows, y)
    >>> from likely.explanations import profile
    >>> column = profile(model).columns[0]
    >>> column.name, column.levels.tolist(), column.shares.round(2).tolist()
    ('x0', ['rain', 'sun'], [[0.75, 0.25], [0.25, 0.75]])
    """

    name: str
    kind: str
    bits: float
    mean: Floats | None = None
    spread: Floats | None = None
    levels: Array | None = None
    shares: Floats | None = None
    words: tuple[tuple[str, ...], ...] = ()

    def cells(self) -> Iterator[str]:
        """What each class looks like, in a few words.

        >>> import likely
        >>> rows, y = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"]], ["out", "out", "in", "in"]
        >>> model = likely.NaiveBayes().fit(rows, y)
        >>> from likely.explanations import profile
        >>> list(profile(model).columns[0].cells())
        ['rain 0.75, sun 0.25', 'sun 0.75, rain 0.25']
        """
        if self.mean is not None and self.spread is not None:
            yield from (f"{mean:.4g} ± {spread:.3g}" for mean, spread in zip(self.mean, self.spread, strict=True))
        elif self.levels is not None and self.shares is not None:
            for shares in self.shares.T:
                likeliest = np.argsort(-shares, kind="stable")[:2]
                yield ", ".join(f"{self.levels[at]} {shares[at]:.2f}" for at in likeliest)
        else:
            yield from (" ".join(words[:3]) for words in self.words)


@dataclass(frozen=True, eq=False)
class Profile(FrameResult, Drawn):
    """What the model believes: a row a column, the most telling first. `priors` (classes,) are those of the model.

    >>> import likely
    >>> rows, y = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"]], ["out", "out", "in", "in"]
    >>> model = likely.NaiveBayes().fit(rows, y)
    >>> from likely.explanations import profile
    >>> [column.name for column in profile(model).columns]
    ['x0', 'x1']
    """

    classes: tuple[Level, ...]
    priors: Floats
    columns: tuple[ColumnProfile, ...]
    _picture = "profile"

    def to_dict(self, top: int | None = None) -> dict[str, Any]:
        """The profile of all columns, or of the `top` most telling, as plain data.

        >>> import likely
        >>> rows, y = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"]], ["out", "out", "in", "in"]
        >>> model = likely.NaiveBayes().fit(rows, y)
        >>> from likely.explanations import profile
        >>> found = profile(model).to_dict(top=1)
        >>> found["classes"], [column["name"] for column in found["columns"]]
        (['in', 'out'], ['x0'])
        """
        shown = self.columns if top is None else self.columns[: check_number(top, "top=", 0)]
        return dict(to_jsonable({"classes": self.classes, "priors": self.priors, "columns": shown}))

    def _page(self) -> Any:
        """A row for each column: the bits it tells, and what it looks like in each class."""
        return [
            {"name": column.name, "kind": column.kind, "bits": column.bits}
            | dict(zip(map(str, self.classes), column.cells(), strict=True))
            for column in self.columns
        ]

    def __repr__(self) -> str:
        head = ["column", "kind", "bits", *map(str, self.classes[:CLASSES_SHOWN])]
        rows = [
            [column.name, column.kind, f"{column.bits:.3f}", *[*column.cells()][:CLASSES_SHOWN]]
            for column in self.columns[:COLUMNS_PRINTED]
        ]
        table = [head, *rows]
        widths = [max(display_width(row[at]) for row in table if at < len(row)) for at in range(len(head))]
        lines = ["  ".join(padded(cell, wide) for cell, wide in zip(row, widths, strict=False)) for row in table]
        for shown, every, what in (
            (CLASSES_SHOWN, self.classes, "classes"),
            (COLUMNS_PRINTED, self.columns, "columns"),
        ):
            if len(every) > shown:
                lines.append(f"and {len(every) - shown} more {what}")
        return "\n".join(line.rstrip() for line in lines)


def profile(model: Any) -> Profile:
    """What a model believes of each column in each class, and the bits that the column tells about the class.

    The bits are the mutual information of the column and the class under the model: how many yes-or-no questions about
    the class one value answers, on average, if the model is right. Where columns depend on each other, each is shown by
    class alone.

    >>> import likely
    >>> X = [["sun", 21.0], ["sun", 25.0], ["rain", 12.0], ["rain", 11.0]]
    >>> print(profile(likely.NaiveBayes().fit(X, ["out", "out", "in", "in"])))
    column  kind      bits   in                   out
    x1      real      0.602  12.14 ± 4.89         22.36 ± 5.89
    x0      category  0.189  rain 0.75, sun 0.25  sun 0.75, rain 0.25
    """
    held = by_class(model)
    bits = information(held)
    columns = [replace(one, bits=float(tells)) for one, tells in zip(_columns(held), bits, strict=True)]
    order = np.argsort(-bits, kind="stable")
    return Profile(tuple(held.schema.classes), np.exp(held.log_prior), tuple(columns[at] for at in order))


def _columns(model: NaiveModel) -> Iterator[ColumnProfile]:
    numbers = described(model)
    levels = dict(zip(model.schema.of(*DISCRETE), axes(model, model.schema.of(*DISCRETE)), strict=True))
    texts = {columns[0]: one for columns, one in model.parts if isinstance(one, TextPredictor)}
    aside = {
        at
        for columns, one in model.parts
        if isinstance(one, CategoricalPredictor)
        for at in np.array(columns)[one.aside]
    }
    for at, column in enumerate(model.schema.columns):
        if at in numbers:
            yield ColumnProfile(column.name, column.kind, 0.0, numbers[at].mean, numbers[at].spread)
        elif at in levels and at not in aside:
            yield ColumnProfile(
                column.name, column.kind, 0.0, levels=levels[at].values, shares=_shares(levels[at].terms)
            )
        else:
            words = _top_words(model, texts[at]) if at in texts else ()
            yield ColumnProfile(column.name, column.kind, 0.0, words=words)


def _shares(terms: Floats) -> Floats:
    """(levels, classes): the shares of the levels among the values that are there; even where none says anything."""
    return np.exp(terms - log_sum_exp(terms, axis=0)) if len(terms) else np.zeros_like(terms)


def _top_words(model: NaiveModel, predictor: TextPredictor) -> tuple[tuple[str, ...], ...]:
    """For each class, the words that tell most for it: often in the class, and more often than elsewhere."""
    shares = log_shares(predictor)
    mixed = log_sum_exp(shares + model.log_prior)[:, None]
    more = np.subtract(shares, mixed, out=np.zeros_like(shares), where=np.isfinite(shares) & np.isfinite(mixed))
    telling = np.exp(shares) * more
    order = np.argsort(-telling, axis=0, kind="stable")[:WORDS_OF_CLASS]
    return tuple(
        tuple(str(predictor.words[at]) for at in order[:, cell] if telling[at, cell] > 0)
        for cell in range(shares.shape[1])
    )
