"""The table of one node: the probability of its levels for every combination of its parents' levels."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import islice, product
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.schema import Level, plain
from likely.data.levels.level_text import check_levels, place_of, spellings
from likely.errors import OptionError, listed, nearest
from likely.errors.advice import Advice, Option
from likely.networks.tables.normalisation import SCALED_WITHIN, UNSAID, to_one
from likely.output.display_width import display_width, padded
from likely.output.jsonable import to_jsonable

MOST_TABLE_ENTRIES = 1 << 27  # entries of a table
ROWS_PRINTED, LEVELS_ACROSS = 20, 12  # rows and levels of a table that is printed


@dataclass(frozen=True, eq=False, repr=False)
class ProbabilityTable:
    """values (levels of each parent ..., own levels): rows that sum to one. `notes` say which had to be scaled.

    >>> table = ProbabilityTable("wet", ("yes", "no"), ("rain",), (("yes", "no"),), [[0.9, 0.1], [0.2, 0.8]])
    >>> table
    P(wet | rain)
    rain | yes   no
    yes  | 0.9  0.1
    no   | 0.2  0.8
    >>> table["yes"]
    {'yes': 0.9, 'no': 0.1}
    """

    node: str
    levels: tuple[Level, ...]
    parents: tuple[str, ...]
    parent_levels: tuple[tuple[Level, ...], ...]
    values: Floats
    notes: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        levels = tuple(plain(level) for level in self.levels)
        above = tuple(tuple(plain(level) for level in mine) for mine in self.parent_levels)
        for name, mine in zip((self.node, *self.parents), (levels, *above), strict=False):
            check_levels(name, mine)
        values = _numbers(self.values, self.node)
        shape = (*map(len, above), len(levels))
        if len(self.parents) != len(above) or values.shape != shape:
            what = f"the table of {self.node!r} has the shape {values.shape}, and its levels ask for {shape}"
            raise OptionError(
                "O483", what, place=f"table of {self.node!r}", hint="give (levels of each parent ..., own)"
            )
        values, notes = check_rows(values, self.node, self.parents, above)
        values.flags.writeable = False
        for name, value in (("levels", levels), ("parents", tuple(self.parents)), ("parent_levels", above)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "notes", (*self.notes, *notes))

    def __getitem__(self, given: Any) -> dict[Level, float]:
        """Level -> probability under the levels of the parents, in their order; of a root, table[()]."""
        told = given if isinstance(given, tuple) else (given,)
        if len(told) != len(self.parents):
            hint = f"name one level of each of {listed(self.parents)}" if self.parents else "say table[()]"
            what = f"{len(told)} levels for {len(self.parents)} parents"
            raise OptionError("O484", what, place=f"table of {self.node!r}", hint=hint)
        places = tuple(map(_place, told, self.parents, self.parent_levels))
        return dict(zip(self.levels, self.values[places].tolist(), strict=True))

    @property
    def has_zeros(self) -> bool:
        """Whether some probability is zero: what the parents say can rule out a level."""
        return bool((self.values == 0).any())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ProbabilityTable):
            return NotImplemented
        same = (self.node, self.levels, self.parents, self.parent_levels) == (
            other.node,
            other.levels,
            other.parents,
            other.parent_levels,
        )
        return same and bool((self.values == other.values).all())

    __hash__ = None  # type: ignore[assignment]

    def rows(self) -> Iterator[tuple[tuple[Level, ...], list[float]]]:
        """(levels of the parents, probabilities) of every row, the last parent running fastest.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> next(iter(net.table("tub").rows()))
        (('yes',), [0.05, 0.95])
        """
        return zip(product(*self.parent_levels), self.values.reshape(-1, len(self.levels)).tolist(), strict=True)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers, as every JSON writer takes them.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> net.table("tub").to_dict()["parents"]
        {'asia': ['yes', 'no']}
        """
        above = dict(zip(self.parents, map(list, self.parent_levels), strict=True))
        told = {"node": self.node, "levels": list(self.levels), "parents": above, "values": self.values}
        return dict(to_jsonable(told))

    def frame(self) -> Any:
        """A pandas frame: a row for each combination of the parents' levels, a column for each own level.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> net.table("tub").frame().shape
        (2, 2)
        """
        import pandas as pd

        columns = pd.Index(self.levels, name=self.node)
        index = pd.MultiIndex.from_product(self.parent_levels, names=self.parents) if self.parents else None
        return pd.DataFrame(self.values.reshape(-1, len(self.levels)), index=index, columns=columns)

    def __repr__(self) -> str:
        head, lines, more = self._cells()
        wide = [max(display_width(line[at]) for line in (head, *lines)) for at in range(len(head))]
        own = len(self.parents)

        def line(texts: Sequence[str]) -> str:
            left = "  ".join(padded(text, wide[at]) for at, text in enumerate(texts[:own]))
            right = "  ".join(padded(text, wide[own + at], right=True) for at, text in enumerate(texts[own:]))
            return f"{left} | {right}" if own else right

        title = f"P({self.node} | {', '.join(self.parents)})" if own else f"P({self.node})"
        return "\n".join([title, *map(line, (head, *lines)), *more, *self.notes])

    def _repr_html_(self) -> str:
        head, lines, more = self._cells()
        title = escape(f"P({self.node} | {', '.join(self.parents)})" if self.parents else f"P({self.node})")
        own = len(self.parents)
        top = "".join(f"<th>{escape(text)}</th>" for text in head)
        body = "".join(
            "<tr>"
            + "".join(f"<th>{escape(text)}</th>" for text in line[:own])
            + "".join(f"<td>{escape(text)}</td>" for text in line[own:])
            + "</tr>"
            for line in lines
        )
        said = "".join(f"<p>{escape(text)}</p>" for text in (*more, *self.notes))
        return f"<table><caption>{title}</caption><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>{said}"

    def _cells(self) -> tuple[list[str], list[list[str]], list[str]]:
        """Texts: the head, the rows, and what is left out."""
        over, rest = len(self.levels) - LEVELS_ACROSS, self.values.size // len(self.levels) - ROWS_PRINTED
        dots = ["..."] if over > 0 else []
        head = [*self.parents, *map(str, self.levels[:LEVELS_ACROSS]), *dots]
        lines = [
            [*map(str, given), *map(_probability, probabilities[:LEVELS_ACROSS]), *dots]
            for given, probabilities in islice(self.rows(), ROWS_PRINTED)
        ]
        more = [f"... and {rest} more row{'s' * (rest > 1)}"] if rest > 0 else []
        return head, lines, more + ([f"... and {over} more level{'s' * (over > 1)}"] if over > 0 else [])


def refuse_large_table(node: str, shape: Sequence[int]) -> None:
    """An error instead of a memory that overflows."""
    entries = math.prod(map(float, shape))
    if entries > MOST_TABLE_ENTRIES:
        what = f"the table of {node!r} under {len(shape) - 1} parents would have {entries:.3g} entries"
        hint = Advice("give it fewer parents, or nodes fewer levels; a search takes ", Option("max_parents"))
        raise OptionError("O489", what, place=f"table of {node!r}", hint=hint)


def _probability(value: float) -> str:
    """As few digits as say it to four places; what is nearer to zero or one keeps its own.

    >>> [_probability(p) for p in (1.0, 0.25, 1 / 3, 1e-7, 0.99999)]
    ['1', '0.25', '0.3333', '1e-07', '0.99999']
    """
    rounded = f"{value:.4g}"
    return rounded if rounded != "1" or value == 1.0 else f"{value:.8g}"


def _numbers(values: Any, node: str) -> Floats:
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        what, hint = f"the table of {node!r} is no array of numbers", "give lists of the same length, all numbers"
        raise OptionError("O483", what, place=f"table of {node!r}", hint=hint) from None


def level_place(
    level: Any, node: str, levels: Sequence[Level], spelt: dict[str, int], place: str, code: str = "O484"
) -> int:
    """Where a level is among those of a node, which are `spelt` so; an error that lists them where it is none."""
    at = place_of(level, spelt)
    if at < 0:
        hint = f"its levels are {listed(levels)}.{nearest(level, levels)}"
        raise OptionError(code, f"{node!r} has no level {level!r}", place=place, hint=hint)
    return at


def _place(level: Any, parent: str, levels: Sequence[Level]) -> int:
    return level_place(level, parent, levels, spellings(levels), f"level of {parent!r}")


def check_rows(
    values: Floats, node: str, parents: Sequence[str] = (), parent_levels: Sequence[Sequence[Any]] = ()
) -> tuple[Floats, tuple[str, ...]]:
    """The table with rows that sum to one, and a note if some were rounded and had to be scaled.

    Sums within 1e-9 of one are scaled without a word, within 1e-3 that is said, beyond they are refused.

    >>> check_rows(np.array([0.333, 0.333, 0.333]), "x")[1]
    ("the row of 'x' summed to 0.999 and was scaled",)
    """
    rows = values.reshape(-1, values.shape[-1])

    def refusal(at: int, what: str) -> OptionError:
        given = zip(parents, np.unravel_index(at, values.shape[:-1]), parent_levels, strict=True)
        where = ", ".join(f"{name} = {mine[int(place)]}" for name, place, mine in given)
        hint = "probabilities are from 0 to 1, and those of a row sum to 1"
        return OptionError("O481", what, place=f"table of {node!r}" + (f", row {where}" if where else ""), hint=hint)

    bad = ~(rows >= 0) | np.isinf(rows)
    if bad.any():
        at, level = map(int, np.argwhere(bad)[0])
        raise refusal(at, f"{rows[at, level]:g} is no probability")
    sums = rows.sum(axis=1)
    scaled, off = to_one(rows)
    worst = int(off.argmax()) if len(off) else 0
    if len(off) and off[worst] > SCALED_WITHIN:
        raise refusal(worst, f"a row sums to {sums[worst]:.6g}")
    rounded = off > UNSAID
    if not rounded.any():
        return scaled.reshape(values.shape), ()
    what = "the row" if len(rows) == 1 else f"{int(rounded.sum())} of {len(rows)} rows"
    far = f"summed to {sums[worst]:.9g}" if len(rows) == 1 else f"did not sum to 1 (off by up to {off[worst]:.2g})"
    return scaled.reshape(values.shape), (f"{what} of {node!r} {far} and {'was' if len(rows) == 1 else 'were'} scaled",)


@dataclass(frozen=True)
class NoisyOr:
    """An effect that each cause brings about by itself: absent only if every cause that is there fails, and the leak.

    `parents` maps each cause to the probability that it alone brings about the effect, or, for a cause in several
    grades, each of its levels to that. `levels` are absence and presence, of the effect and of causes that are given
    by one number.

    >>> NoisyOr({"flu": 0.6, "cold": 0.4}, leak=0.01).table("fever")
    P(fever | flu, cold)
    flu  cold |     no     yes
    no   no   |   0.99    0.01
    no   yes  |  0.594   0.406
    yes  no   |  0.396   0.604
    yes  yes  | 0.2376  0.7624
    """

    parents: Mapping[str, float | Mapping[Any, float]]
    leak: float = 0.0
    levels: tuple[Any, Any] = ("no", "yes")

    def __post_init__(self) -> None:
        if len(self.levels) != 2:
            hint = "give its absence and its presence, as in ('no', 'yes')"
            raise OptionError("O486", f"a noisy-or has two levels, not {len(self.levels)}", place="levels=", hint=hint)
        for name, links in (("leak", self.leak), *self.parents.items()):
            for link in links.values() if isinstance(links, Mapping) else (links,):
                if not isinstance(link, int | float | np.number) or not 0 <= link <= 1:
                    hint = "give a probability from 0 to 1"
                    raise OptionError("O486", f"{name!r} is {link!r}", place=f"NoisyOr of {name!r}", hint=hint)

    def table(self, node: str, parent_levels: Mapping[str, Sequence[Any]] | None = None) -> ProbabilityTable:
        """The table of a node; levels of parents are those told here, or else the noisy-or's own.

        >>> from likely import NoisyOr
        >>> NoisyOr({"flu": 0.8, "cold": 0.4}).table("fever").values.round(3).tolist()
        [[[1.0, 0.0], [0.6, 0.4]], [[0.2, 0.8], [0.12, 0.88]]]
        """
        told = parent_levels or {}
        above = [tuple(told.get(name, self._levels(links))) for name, links in self.parents.items()]
        refuse_large_table(node, [*map(len, above), 2])
        fails: Array = np.full([len(mine) for mine in above], 1.0 - self.leak)
        for at, ((name, links), mine) in enumerate(zip(self.parents.items(), above, strict=True)):
            one = np.array([1.0 - link for link in self._links(name, links, mine)])
            fails = fails * one.reshape([-1 if axis == at else 1 for axis in range(len(above))])
        values = np.stack([fails, 1.0 - fails], axis=-1)
        return ProbabilityTable(node, self.levels, tuple(self.parents), tuple(above), values)

    def _levels(self, links: float | Mapping[Any, float]) -> tuple[Any, ...]:
        return tuple(links) if isinstance(links, Mapping) else self.levels

    def _links(self, name: str, links: float | Mapping[Any, float], levels: Sequence[Any]) -> list[float]:
        """The probability that each level of a cause brings about the effect."""
        if isinstance(links, Mapping):
            given = links
        elif set(map(str, levels)) == set(map(str, self.levels)):
            given = dict(zip(self.levels, (0.0, links), strict=True))
        else:
            hint = f"give a probability for each level: {{{name!r}: {{{levels[0]!r}: 0, ...}}}}"
            what = f"{name!r} has the levels {listed(levels, 4)}, and not {' and '.join(map(repr, self.levels))}"
            raise OptionError("O486", what, place=f"NoisyOr of {name!r}", hint=hint)
        out = [0.0] * len(levels)
        for level, link in given.items():
            out[_place(level, name, levels)] = float(link)
        return out
