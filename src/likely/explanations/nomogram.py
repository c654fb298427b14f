"""A nomogram: points for each value of each column, which add up to a probability.

Nomogram: for_, against, classes, columns (NomogramAxis, ...) the widest first, others (columns not shown), unit (nats a
point), base (log odds at no points), prior (log odds of the priors), lowest (features,), limits (low, high) of the
total, probabilities (ticks,), totals (ticks,) the points that they need, target (the name of what is predicted).
NomogramAxis: name, kind, values (values,), points (values,), missing (the points of no value).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit

from likely.companions.fitted import ClassModel
from likely.core.numerics import Array, Floats
from likely.core.schema import Level
from likely.errors import OptionError
from likely.errors.options import share
from likely.explanations.axis import Axis, axes
from likely.explanations.columns import base_terms, by_class, independent_model
from likely.explanations.terms import Explanation, check_number, class_place, difference
from likely.models import NaiveModel
from likely.output.display_width import padded
from likely.output.draw import Drawn
from likely.output.jsonable import Written

POINTS_OF_WIDEST = 100.0  # points of the widest column
COLUMN_NAME_WIDTH = 20  # letters for the name of a column
LEVELS_SHOWN = 24  # levels or words of a column that are shown, the strongest
PROBABILITY_TICKS = (0.001, 0.01, 0.05, *(tenth / 10 for tenth in range(1, 10)), 0.95, 0.99, 0.999)


@dataclass(frozen=True, eq=False)
class NomogramAxis:
    """points (values,): what each value is worth; ±inf where it decides alone. `missing` is worth that of no value.

    Of a text, the values are words and the points those of each time that a word occurs; they may be negative.

    >>> import likely
    >>> rows, y = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"]], ["out", "out", "in", "in"]
    >>> model = likely.NaiveBayes().fit(rows, y)
    >>> from likely.explanations import nomogram
    >>> axis = nomogram(model).columns[0]
    >>> dict(zip(axis.values.tolist(), axis.points.round(1).tolist()))
    {'rain': 0.0, 'sun': 100.0}
    """

    name: str
    kind: str
    values: Array
    points: Floats
    missing: float


@dataclass(frozen=True, eq=False)
class Nomogram(Written, Drawn):
    """Points that add up: log odds = base + unit × total, for one class against another, in nats.

    The lowest value of a column is worth 0 points (of a text: no word), the widest column spans 100.

    >>> import likely
    >>> rows, y = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"]], ["out", "out", "in", "in"]
    >>> model = likely.NaiveBayes().fit(rows, y)
    >>> from likely.explanations import nomogram
    >>> chart = nomogram(model)
    >>> chart.for_, [column.name for column in chart.columns]
    ('out', ['x0', 'x1'])
    """

    for_: Level
    against: Level
    classes: tuple[Level, ...]
    columns: tuple[NomogramAxis, ...]
    others: int
    unit: float
    base: float
    prior: float
    lowest: Floats
    limits: tuple[float, float]
    probabilities: Floats
    totals: Floats
    target: str = "y"
    _picture = "nomogram"
    _written = ("for_", "against", "others", "unit", "base", "prior", "limits", "probabilities", "totals", "columns")

    def _page(self) -> Any:
        """A row for each value of each column, with its points."""
        return [
            {"name": axis.name, "kind": axis.kind, "value": value, "points": points}
            for axis in self.columns
            for value, points in zip(axis.values, axis.points.tolist(), strict=True)
        ]

    def score(self, terms: Explanation | ArrayLike) -> Floats:
        """(rows,): the total points of rows, from their explanation or its terms (rows, 1 + features, classes).

        >>> import likely
        >>> rows, y = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"]], ["out", "out", "in", "in"]
        >>> model = likely.NaiveBayes().fit(rows, y)
        >>> why = model.explain(rows)
        >>> from likely.explanations import nomogram
        >>> chart = nomogram(model)
        >>> chart.score(why).shape
        (4,)
        """
        given, classes = (terms.terms, terms.classes) if isinstance(terms, Explanation) else (terms, self.classes)
        said, wanted = _numbers(given, "terms"), (1 + len(self.lowest), len(self.classes))
        if said.shape[-2:] != wanted or tuple(classes) != self.classes:
            told = f"terms of shape {said.shape} and the classes {', '.join(map(repr, classes))} do not fit"
            hint = f"give the explanation of rows by the same model: (rows, {wanted[0]}, {wanted[1]})"
            raise OptionError("O380", told, place="terms", hint=hint)
        pro, con = (said[..., self.classes.index(level)] for level in (self.for_, self.against))
        odds = difference(pro, con)[..., 1:]
        with np.errstate(invalid="ignore"):
            total = ((odds - self.lowest) / self.unit).sum(axis=-1)
        return np.where(np.isnan(total), (self.prior - self.base) / self.unit, total)  # neither can have such a row

    def probability(self, points: ArrayLike) -> Floats:
        """The probability of the one class that a total gives, if it is one of the two.

        >>> import likely
        >>> rows, y = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"]], ["out", "out", "in", "in"]
        >>> model = likely.NaiveBayes().fit(rows, y)
        >>> from likely.explanations import nomogram
        >>> chart = nomogram(model)
        >>> round(float(chart.probability(chart.total(0.25))), 4)
        0.25
        """
        return np.asarray(expit(self.base + self.unit * _numbers(points, "points")))

    def __repr__(self) -> str:
        lines = [f"points for {self.for_!r} against {self.against!r} ({self.unit:.4g} nats a point):"]
        for column in self.columns:
            order = np.argsort(column.points, kind="stable")
            ends = [
                f"{_told(column.values[at])}: {column.points[at]:.0f}"
                for at in dict.fromkeys([*order[:1], *order[-1:]])
            ]
            lines.append(f"  {padded(column.name, COLUMN_NAME_WIDTH)} {' ... '.join(ends)}")
        if self.others:
            lines.append(f"  and {self.others} more columns")
        ticks = [f"{self.total(chance):.0f} -> {chance:.0%}" for chance in (0.1, 0.5, 0.9)]
        return "\n".join([*lines, f"  {padded('total', COLUMN_NAME_WIDTH)} {', '.join(ticks)}"])

    def total(self, probability: float) -> float:
        """The points that a probability needs.

        >>> import likely
        >>> rows, y = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"]], ["out", "out", "in", "in"]
        >>> model = likely.NaiveBayes().fit(rows, y)
        >>> from likely.explanations import nomogram
        >>> chart = nomogram(model)
        >>> round(float(chart.probability(chart.total(0.9))), 4)
        0.9
        """
        hint = "say a number from 0 to 1, as in 0.5"
        wanted = share(probability, "probability", "O386", zero=True, one=True, hint=hint)
        return float((logit(wanted) - self.base) / self.unit)


def nomogram(model: Any, for_: Any = None, against: Any = None, top: int = 20) -> Nomogram:
    """Points for each value of the `top` widest columns: the very log odds of the prediction, moved and scaled.

    `for_` is the last class unless said, `against` the likeliest of the others before anything is seen. Points add up
    only in models whose columns do not depend on each other.

    >>> import likely
    >>> model = likely.NaiveBayes().fit([["sun", "a"], ["sun", "b"], ["rain", "a"]], ["out", "out", "in"])
    >>> chart = nomogram(model)
    >>> widest = chart.columns[0]
    >>> widest.name, widest.values.tolist(), widest.points.tolist()
    ('x0', ['rain', 'sun'], [0.0, 100.0])
    >>> row = [["sun", "b"]]
    >>> bool(abs(chart.probability(chart.score(model.explain(row))) - model.predict_proba(row)[:, 1]) < 1e-12)
    True
    """
    held, shown = independent_model(model), check_number(top, "top=")
    mine, other = pair(held, for_, against)
    found = axes(held, range(len(held.schema.columns)), seen_by=by_class(model))
    odds = [difference(one.terms[:, mine], one.terms[:, other]) for one in found]
    gaps = [float(difference(one.missing[mine : mine + 1], one.missing[other : other + 1])[0]) for one in found]
    spans = [_span(one, said) for one, said in zip(found, odds, strict=True)]
    widths = np.array([high - low for low, high in spans])
    unit = float(widths.max(initial=0.0)) / POINTS_OF_WIDEST or 1.0
    before = base_terms(held)
    prior = float(difference(before[mine : mine + 1], before[other : other + 1])[0])
    lowest = np.array([0.0 if one.kind == "text" else low for one, (low, _) in zip(found, spans, strict=True)])
    base = prior + float(lowest.sum())
    away = [sum(span[end] - low for span, low in zip(spans, lowest, strict=True)) / unit for end in (0, 1)]
    telling = [at for at in np.argsort(-widths, kind="stable") if odds[at].any() or gaps[at]]  # the others are silent
    columns = tuple(_shown(found[at], odds[at] - lowest[at], gaps[at] - lowest[at], unit) for at in telling[:shown])
    features = [column.features for column in held.schema.columns]
    ticks = np.array(PROBABILITY_TICKS)
    return Nomogram(
        held.schema.classes[mine],
        held.schema.classes[other],
        tuple(held.schema.classes),
        columns,
        len(telling) - len(columns),
        unit,
        base,
        prior,
        np.repeat(lowest, features),
        (float(away[0]), float(away[1])),
        ticks,
        (logit(ticks) - base) / unit,
        held.schema.target.name,
    )


def pair(model: NaiveModel | ClassModel, for_: Any, against: Any) -> tuple[int, int]:
    """The places of the two classes that are weighed against each other."""
    classes = tuple(model.schema.classes)
    if len(classes) < 2:
        hint = "fit the model on rows of two classes or more"
        raise OptionError("O365", f"{classes[0]!r} is the only class", place="model", hint=hint)
    mine = len(classes) - 1 if for_ is None else class_place(for_, classes, "for_=")
    if against is None:
        others = [place for place in range(len(classes)) if place != mine]
        return mine, max(others, key=lambda place: float(model.log_prior[place]))
    other = class_place(against, classes, "against=")
    if other == mine:
        hint = f"the classes are {', '.join(map(repr, classes))}"
        raise OptionError("O364", f"{classes[mine]!r} is weighed against itself", place="against=", hint=hint)
    return mine, other


def _span(one: Axis, odds: Floats) -> tuple[float, float]:
    """The lowest and the highest finite log odds of a column; a text may also have no word."""
    finite = odds[np.isfinite(odds)]
    if one.kind == "text":
        finite = np.append(finite, 0.0)
    return (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)


def _shown(one: Axis, odds: Floats, gap: float, unit: float) -> NomogramAxis:
    """The axis in points; of many levels or words, the strongest."""
    values, points = one.values, odds / unit
    if values.dtype == object and len(values) > LEVELS_SHOWN:
        strength = np.abs(points - (0.0 if one.kind == "text" else gap / unit))
        keep = np.sort(np.argsort(-strength, kind="stable")[:LEVELS_SHOWN])
        values, points = values[keep], points[keep]
    return NomogramAxis(one.name, one.kind, values, points, gap / unit)


def _numbers(values: Any, place: str) -> Floats:
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        found = np.array(np.nan)
    if np.isnan(found).any():
        raise OptionError("O369", "these are not numbers", place=place, hint="give numbers, and none of them missing")
    return found


def _told(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
