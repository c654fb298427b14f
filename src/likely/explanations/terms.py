"""Why: the terms of the log posterior, before they are summed.

Explanation: terms (rows, 1 + features, classes), names (1 + features), classes, values (rows, features) or None,
given (rows, features) or None.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats, log_sum_exp
from likely.core.schema import Day, Level, plain
from likely.errors import OptionError, nearest
from likely.errors.options import choose, whole
from likely.output.draw import draw
from likely.output.frames import FrameResult
from likely.output.jsonable import to_jsonable
from likely.output.notebook import html_table

EVIDENCE_UNITS = {"nats": 1.0, "decibans": 10.0 / np.log(10.0)}  # ten decibans are ten to one
Reason = tuple[str, str, float]
EXPLAINED_ROWS_PRINTED = 3


class RowTerms(FrameResult):
    """Terms (rows, 1 + features, ...) that add up to a prediction, what they are called, and what was seen of each."""

    terms: Floats
    names: tuple[str, ...]
    values: Array | None

    def value_at(self, row: int, at: int) -> str:
        """What was seen of the term at that place, in words; nothing for what comes first.

        >>> import likely
        >>> rows, y = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"]], ["out", "out", "in", "in"]
        >>> model = likely.NaiveBayes().fit(rows, y)
        >>> why = model.explain(rows)
        >>> why.value_at(0, 1)
        'sun'
        """
        value = "" if at == 0 or self.values is None else self.values[row, at - 1]
        if value is None:
            return "missing"
        return f"{value:.12g}" if isinstance(value, float) and not isinstance(value, Day) else str(value)

    def _row(self, row: int) -> int:
        return check_row(row, len(self.terms))

    def _paragraph(self, row: int) -> str:
        raise NotImplementedError

    def reasons(self, row: int = 0) -> list[Reason]:
        """(name, value, what it says) of the terms, the strongest first."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return "\n\n".join(self._paragraph(row) for row in range(min(len(self.terms), EXPLAINED_ROWS_PRINTED)))

    def _html(self) -> str:
        return "".join(self._table_of(row) for row in range(min(len(self.terms), EXPLAINED_ROWS_PRINTED)))

    def _table_of(self, row: int) -> str:
        names, values, said = zip(*self.reasons(row), strict=True)
        caption = self._paragraph(row).partition("\n")[0].rstrip(":")
        return html_table({"reason": names, "value": values, "says": said}, caption)


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(RowTerms):
    """terms (rows, 1 + features, classes): the log prior, then what each column says; their sum is the prediction.

    `names` has 'prior' first; `values` (rows, features) is what was seen, where that is known, and `given` what each
    term is conditional on beside the class, in words or None, where columns depend on each other. `target` is the name
    of what is predicted.

    >>> import likely
    >>> rows, y = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"]], ["out", "out", "in", "in"]
    >>> model = likely.NaiveBayes().fit(rows, y)
    >>> why = model.explain(rows)
    >>> why.names
    ('prior', 'x0', 'x1')
    >>> why.terms.shape
    (4, 3, 2)
    """

    terms: Floats
    names: tuple[str, ...]
    classes: tuple[Level, ...]
    values: Array | None = None
    given: Array | None = None
    target: str = "y"

    @property
    def joint(self) -> Floats:
        """(rows, classes): log P(class, row), the sum of the terms."""
        return np.asarray(self.terms.sum(axis=1))

    @property
    def proba(self) -> Floats:
        """(rows, classes): the posterior probabilities that the terms add up to."""
        known = self._known
        return np.exp(known - log_sum_exp(known)[:, None])

    @property
    def _known(self) -> Floats:
        """(rows, classes): the joint; of a row that no class can have, what is still known: the priors."""
        return possible_or_priors(self.joint, self.terms[:, 0])

    def log_odds(self, for_: Any, against: Any = None, unit: str = "nats") -> Floats:
        """(rows, 1 + features): how much each term speaks for one class against another; log 10 is ten to one.

        Without `against`, each row weighs the class against the likeliest other class of that row. Ten decibans are ten
        to one. A term that is impossible under both classes says nothing between them.

        >>> terms = np.log([[[0.5, 0.5], [0.9, 0.09]]])
        >>> Explanation(terms, ("prior", "age"), ("no", "yes")).log_odds("no", unit="decibans").round(6).tolist()
        [[0.0, 10.0]]
        """
        factor, mine = read_unit(unit), class_place(for_, self.classes, "log_odds")
        pro = self.terms[:, :, mine]
        if against is not None:
            con = self.terms[:, :, class_place(against, self.classes, "log_odds")]
        else:
            others = self._known
            others[:, mine] = -np.inf
            con = self.terms[np.arange(len(others)), :, others.argmax(axis=1)] if len(self.classes) > 1 else pro
        return factor * difference(pro, con)

    def rival(self, row: int) -> tuple[Level, Level]:
        """The likeliest class of a row, and the runner-up (the same again where there is only one class).

        >>> import likely
        >>> rows, y = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"]], ["out", "out", "in", "in"]
        >>> model = likely.NaiveBayes().fit(rows, y)
        >>> why = model.explain(rows)
        >>> why.rival(0)
        ('out', 'in')
        """
        order = np.argsort(-self._known[self._row(row)], kind="stable")
        return self.classes[order[0]], self.classes[order[min(1, len(order) - 1)]]

    def reasons(self, row: int = 0, unit: str = "nats") -> list[Reason]:
        """(name, value, log odds) for the likeliest class against the runner-up, the strongest first.

        Where a term depends on other columns, the value says on what: "0.46 given navel=sunken".

        >>> import likely
        >>> rows, y = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"]], ["out", "out", "in", "in"]
        >>> model = likely.NaiveBayes().fit(rows, y)
        >>> why = model.explain(rows)
        >>> len(why.reasons(0))
        3
        """
        return [(self.names[at], self._told_at(row, at), odds) for at, odds in self.ranked(row, unit)]

    def ranked(self, row: int = 0, unit: str = "nats") -> list[tuple[int, float]]:
        """(place among the names, log odds) for the likeliest class against the runner-up, the strongest first.

        >>> import likely
        >>> rows, y = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"]], ["out", "out", "in", "in"]
        >>> model = likely.NaiveBayes().fit(rows, y)
        >>> why = model.explain(rows)
        >>> [why.names[at] for at, _ in why.ranked(0)][0]
        'x0'
        """
        odds = self.log_odds(*self.rival(row), unit)[row]
        return [(int(at), float(odds[at])) for at in np.argsort(-np.abs(odds), kind="stable")]

    def for_and_against(self, row: int = 0, top: int = 5, unit: str = "nats") -> tuple[list[Reason], list[Reason]]:
        """The reasons that speak for the likeliest class, and those that speak for the runner-up; the strongest first.

        >>> terms = np.log([[[0.5, 0.5], [0.9, 0.3], [0.2, 0.4]]])
        >>> pro, con = Explanation(terms, ("prior", "age", "port"), ("no", "yes")).for_and_against()
        >>> [name for name, _, _ in pro], [name for name, _, _ in con]
        (['age'], ['port'])
        """
        reasons, most = self.reasons(row, unit), check_number(top, "top=", 0)
        return [one for one in reasons if one[2] > 0][:most], [one for one in reasons if one[2] < 0][:most]

    def to_dict(self, row: int = 0, unit: str = "nats", for_: Any = None, against: Any = None) -> dict[str, Any]:
        """The answer of a row and every term of it, for each class and between two of them, as plain data.

        >>> import likely
        >>> rows, y = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"]], ["out", "out", "in", "in"]
        >>> model = likely.NaiveBayes().fit(rows, y)
        >>> why = model.explain(rows)
        >>> found = why.to_dict(0)
        >>> found["prediction"], [(term["name"], term["value"]) for term in found["terms"]]
        ('out', [('prior', ''), ('x0', 'sun'), ('x1', 'hot')])
        """
        pro, con = self.sides(row, for_, against)
        names, odds = list(map(str, self.classes)), self.log_odds(pro, con, unit)[row]
        terms = [
            {
                "name": name,
                "value": self.value_at(row, at),
                **({} if self.given is None else {"given": self.given_at(row, at) or None}),
                "log_odds": odds[at],
                "terms": dict(zip(names, self.terms[row, at].tolist(), strict=True)),
            }
            for at, name in enumerate(self.names)
        ]
        proba = dict(zip(names, self.proba[row].tolist(), strict=True))
        told = {"row": row, "prediction": self.rival(row)[0], "probabilities": proba, "for": pro, "against": con}
        return dict(to_jsonable({**told, "unit": unit, "log_odds": self.total(row, pro, con, unit), "terms": terms}))

    def _page(self) -> Any:
        """A row for each row and term: what was seen, and what it says for each class."""
        return [
            {"row": row, "name": name, "value": self.value_at(row, at)}
            | dict(zip(map(str, self.classes), self.terms[row, at].tolist(), strict=True))
            for row in range(len(self.terms))
            for at, name in enumerate(self.names)
        ]

    def total(self, row: int, for_: Any, against: Any, unit: str = "nats") -> float:
        """What the terms of a row say together between two classes; of an impossible row, what its prior says.

        >>> import likely
        >>> rows, y = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"]], ["out", "out", "in", "in"]
        >>> model = likely.NaiveBayes().fit(rows, y)
        >>> why = model.explain(rows)
        >>> round(why.total(0, "out", "in"), 4)
        1.7918
        """
        known = self._known[self._row(row)]
        places = [class_place(level, self.classes, "total") for level in (for_, against)]
        return read_unit(unit) * float(difference(known[places[:1]], known[places[1:]])[0])

    def sides(self, row: int, for_: Any = None, against: Any = None) -> tuple[Level, Level]:
        """The class to speak for and its rival: as said, else the likeliest of the row and its runner-up.

        >>> import likely
        >>> rows, y = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"]], ["out", "out", "in", "in"]
        >>> model = likely.NaiveBayes().fit(rows, y)
        >>> why = model.explain(rows)
        >>> why.sides(0)
        ('out', 'in')
        """
        best, second = self.rival(row)
        pro = best if for_ is None else for_
        return pro, against if against is not None else second if pro == best else best

    def plot(self, row: int = 0, **options: Any) -> Any:
        """A matplotlib figure: the reasons of a row as bars.

        >>> import likely
        >>> rows, y = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"]], ["out", "out", "in", "in"]
        >>> model = likely.NaiveBayes().fit(rows, y)
        >>> figure = model.explain(rows).plot(row=0)
        >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
        ['x0 = sun', 'x1 = hot', 'prior', 'sum']
        """
        return draw("explanation", self, row=self._row(row), **options)

    def given_at(self, row: int, at: int) -> str:
        """What the term at that place is conditional on beside the class, in words; nothing where nothing is.

        >>> import likely
        >>> rows, y = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"]], ["out", "out", "in", "in"]
        >>> model = likely.NaiveBayes().fit(rows, y)
        >>> why = model.explain(rows)
        >>> why.given_at(0, 1)
        ''
        """
        return "" if at == 0 or self.given is None else self.given[row, at - 1] or ""

    def _told_at(self, row: int, at: int) -> str:
        value, given = self.value_at(row, at), self.given_at(row, at)
        return f"{value} given {given}" if given else value

    def _paragraph(self, row: int) -> str:
        best, second = self.rival(row)
        share = self.proba[row, self.classes.index(best)]
        head = f"row {row}: {best!r} with probability {share:.3f}; log odds against {second!r}:"
        return "\n".join([head, *self._lines(self.reasons(row)[:12])])

    @staticmethod
    def _lines(reasons: Sequence[Reason]) -> list[str]:
        most = max((abs(odds) for _, _, odds in reasons if np.isfinite(odds)), default=0.0) or 1.0
        lines = []
        for name, value, odds in reasons:
            length = 12 if not np.isfinite(odds) else round(12 * abs(odds) / most)
            label = f"{name} = {value}" if value else name
            lines.append(f"  {odds:+8.3f}  {('+' if odds > 0 else '-') * length:<12}  {label}")
        return lines


def possible_or_priors(joint: Floats, log_prior: Floats) -> Floats:
    """(..., classes): the joint, and the priors instead where no class is possible."""
    return np.where(np.isneginf(joint).all(axis=-1, keepdims=True), log_prior, joint)


def difference(pro: Floats, con: Floats) -> Floats:
    """pro - con; nothing where both are impossible."""
    return np.subtract(pro, con, out=np.zeros_like(pro), where=np.isfinite(pro) | np.isfinite(con))


def class_place(level: Any, classes: Sequence[Level], place: str) -> int:
    """Where a class stands among the classes."""
    try:
        return classes.index(plain(level))
    except ValueError:
        hint = f"the classes are {', '.join(map(repr, classes))}.{nearest(level, classes)}"
        raise OptionError("O110", f"{level!r} is not a class", place=place, hint=hint) from None


def read_unit(unit: str) -> float:
    """How many of the unit a nat is."""
    choose(unit, EVIDENCE_UNITS, "unit", "O361")
    return float(EVIDENCE_UNITS[unit])


def check_number(value: Any, place: str, least: int = 1) -> int:
    """A whole number that is not too small."""
    whole(value, place, "O368", least=least, place=place)
    return int(value)


def check_row(row: Any, rows: int) -> int:
    """The row, if there is such a one; rows are counted from 0."""
    if not isinstance(row, int | np.integer) or not 0 <= row < rows:
        hint = f"there are {rows} rows, counted from 0"
        raise OptionError("O362", f"there is no row {row!r}", place="row=", hint=hint)
    return int(row)
