"""What is in a column, seen a block at a time; and the kind that a person would give it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from likely.core.date_layouts import DATE_PARTS
from likely.core.identifiers import ENOUGH_VALUES, named_as_identifier, note_counter, note_named
from likely.core.schema import (
    KINDS,
    SKIP,
    WORDS_OF_A_TEXT,
    Column,
    Grid,
    Level,
    Parzen,
    Text,
    in_order,
    plain,
)
from likely.core.tokens import vocabulary
from likely.core.unusable_rows import LARGEST_NUMBER, too_large
from likely.core.yes_no_words import no_and_yes
from likely.data.levels.date_parts import PART_LEVELS, part_name, year_of
from likely.errors import DataError, OptionError, SchemaError, TypeMixError, listed, nearest
from likely.errors.advice import Advice, InPython, Kind
from likely.errors.options import choose

MOST_WHOLE_LEVELS = 20  # at most so many different whole numbers may be levels, and at most
MOST_FRACTION_LEVELS = 8  # so many where some are not whole, such as doses
MOST_CATEGORY_LEVELS = 100_000  # more different words than that are no category, and not counted

Wish = str | Parzen | Text | tuple[Level, ...] | None


def read_kinds(kinds: object, names: Sequence[str]) -> tuple[Wish, ...]:
    """What the user wishes each column to be; None where it is to be inferred.

    >>> read_kinds({"b": "category"}, ["a", "b"])
    (None, 'category')
    """
    if isinstance(kinds, str | Parzen | Text):
        wish = None if kinds == "auto" else _wish(kinds, "kinds=")
        return (wish,) * len(names)
    if not isinstance(kinds, Mapping):
        hint = "say 'auto', one kind, or {column: kind}"
        raise OptionError("O108", f"kinds cannot be a {type(kinds).__name__}", place="kinds=", hint=hint)
    wishes: list[Wish] = [None] * len(names)
    places = {name: at for at, name in enumerate(names)}
    for key, said in kinds.items():
        at = places.get(str(key), int(key) if isinstance(key, int | np.integer) and 0 <= key < len(names) else None)
        if at is None:
            hint = f"the columns are {listed(names)}.{nearest(key, names)}"
            raise SchemaError("S202", f"kinds names a column {key!r} that is not there", place="kinds=", hint=hint)
        wishes[at] = None if isinstance(said, str) and said == "auto" else _wish(said, Advice(Kind(key)))
    return tuple(wishes)


def _wish(said: object, place: str) -> Wish:
    if isinstance(said, Parzen | Text):
        return said
    if isinstance(said, str):
        return choose(said, ("auto", *KINDS, SKIP), "kind", "O109", place=place)
    if isinstance(said, Sequence | np.ndarray) and len(said):
        levels = tuple(dict.fromkeys(plain(level) for level in said))
        in_order(levels, place)
        return levels
    raise OptionError(
        "O109", f"a kind cannot be {said!r}", place=place, hint="say the name of a kind, or a list of levels"
    )


@dataclass(frozen=True)
class Summary:
    """What was seen of a column so far; two parts add up to the whole."""

    type: str = "empty"  # empty, number, bool, word, date
    low: float = np.inf
    high: float = -np.inf
    whole: bool = True  # of dates: none has a time of the day
    observed: int = 0
    levels: frozenset[Level] = frozenset()
    words: int = 0
    vocabulary: frozenset[str] = frozenset()
    declared: tuple[Level, ...] = ()
    rising: bool = False  # every value is the one before it and one more
    last: float = np.nan
    bounded: bool = True  # whether `low` and `high` are those of all rows

    def __add__(self, other: Summary) -> Summary:
        kind = self.type if other.type in ("empty", self.type) else other.type if self.type == "empty" else ""
        if not kind and {self.type, other.type} == {"bool", "number"}:
            kind = "number"
        return Summary(
            kind or "mixed",
            min(self.low, other.low),
            max(self.high, other.high),
            self.whole and other.whole,
            self.observed + other.observed,
            self.levels | other.levels,
            self.words + other.words,
            self.vocabulary | other.vocabulary,
            self.declared or other.declared,
            other.rising and (self.type == "empty" or (self.rising and other.low == self.last + 1)),
            other.last,
            self.bounded and other.bounded,
        )


def infer_parts(name: str, seen: Summary, wish: Wish, parts: Mapping[str, Wish]) -> tuple[Column, ...]:
    """The columns that a column of rows gives: one, or the parts of its dates, of which wishes may be told too.

    >>> [column.name for column in infer_parts("signed", Summary("date", 0.0, 9.0), None, {})]
    ['signed.days', 'signed.year', 'signed.month', 'signed.weekday']
    """
    if seen.type != "date" or (wish is not None and not (isinstance(wish, Parzen) or wish in ("real", "parzen"))):
        return (infer(name, seen, wish),)
    days = replace(seen, type="number", levels=frozenset())
    years = replace(days, low=year_of(seen.low), high=year_of(seen.high), whole=True)
    if wish is not None:
        return (replace(infer(name, days, wish), origin=name, date_part="days"),)
    columns = []
    *others, hour = (part_name(name, part) for part in DATE_PARTS)
    timed = hour in parts or (not seen.whole and not parts.keys() >= {*others})  # where all are said, no more are meant
    for part in DATE_PARTS if timed else DATE_PARTS[:-1]:
        full, levels = part_name(name, part), PART_LEVELS.get(part, ())
        said = parts.get(full)
        words = Summary("word", declared=levels, observed=seen.observed)
        column = infer(full, words, said) if levels else infer(full, years if part == "year" else days, said or "real")
        columns.append(replace(column, fixed=said is not None, origin=name, date_part=part))
    return tuple(columns)


def infer(name: str, seen: Summary, wish: Wish) -> Column:
    """The column that a summary and a wish give.

    >>> infer("age", Summary("number", 1, 80, True, 100), None).kind
    'real'
    >>> infer("smoker", Summary("number", 0, 1, True, 100), None).kind
    'binary'
    """
    if seen.type == "mixed":
        hint = "make the column all text or all numbers: likely wants each argument to be a string or a number"
        raise TypeMixError("D103", "words and numbers in one column", place=f"column {name!r}", hint=hint)
    column = _inferred(name, seen) if wish is None else _wished(name, seen, wish)
    if column.kind in ("real", "count", "parzen") and max(-seen.low, seen.high) > LARGEST_NUMBER:
        raise too_large(name, max(seen.low, seen.high, key=abs))
    if column.kind in ("real", "count", "parzen") and column.span is None and (span := _span(seen)) is not None:
        return replace(column, span=span)
    return column


def _span(seen: Summary) -> tuple[float, float] | None:
    """The least and the largest number, where they are known and not too far apart."""
    known = seen.bounded and np.isfinite(seen.high - seen.low)
    return (float(seen.low), float(seen.high)) if known else None


def are_levels(values: Collection[Level]) -> bool:
    """Whether so many different numbers are levels of a node; more of them are binned.

    >>> are_levels(range(1, 15)), are_levels([0.5, 1, 2]), are_levels([n / 10 for n in range(9)])
    (True, True, False)
    """
    return len(values) <= (
        MOST_WHOLE_LEVELS if all(float(value).is_integer() for value in values) else MOST_FRACTION_LEVELS
    )


def _inferred(name: str, seen: Summary) -> Column:
    if seen.declared:
        return Column(name, "category", seen.declared, seen.declared)
    if seen.type == "empty":
        return Column(name, "real", empty=True)
    if seen.type == "bool" or (seen.type == "number" and seen.whole and seen.low >= 0 and seen.high <= 1):
        return Column(name, "binary", (0, 1), (0, 1))
    whole = _all_whole(seen)
    if seen.type == "number":
        if seen.rising and seen.observed >= ENOUGH_VALUES:
            return Column(name, "real", hint=note_counter(name), counts_rows=True, whole=whole)
        wide = seen.whole and seen.high - seen.low > MOST_WHOLE_LEVELS and seen.observed >= ENOUGH_VALUES
        if wide and named_as_identifier(name):
            return Column(name, "real", hint=note_named(name), counts_rows=True, whole=whole)
        few = seen.whole and 0 < seen.high - seen.low <= MOST_WHOLE_LEVELS
        codes = f"{name!r} holds few whole numbers, read as amounts; if they are codes, say "
        hint = Advice(codes, Kind(name, "category")) if few else ""
        return Column(name, "real", hint=hint, whole=whole, span=_span(seen))
    if seen.type == "date":
        return Column(name, SKIP)
    if len(seen.levels) == 2 and (truth := no_and_yes(seen.levels)):
        return Column(name, "binary", truth)
    if len(seen.levels) > MOST_CATEGORY_LEVELS:
        if seen.words >= WORDS_OF_A_TEXT * seen.observed:
            return _text(name, seen, Text())
        many = f"{name!r} has over {MOST_CATEGORY_LEVELS} values and is set aside"
        return Column(name, SKIP, hint=Advice(f"{many}; to use it, say ", Kind(name, "category")))
    return Column(name, "category", in_order(seen.levels, f"column {name!r}"))


def _wished(name: str, seen: Summary, wish: Wish) -> Column:
    if isinstance(wish, tuple):
        return Column(name, "category", wish, wish, fixed=True)
    if isinstance(wish, Text) or wish == "text":
        return _text(name, seen, wish if isinstance(wish, Text) else Text())
    if wish == SKIP:
        return Column(name, SKIP, fixed=True)
    if wish in ("binary", "category"):
        return _discrete(name, seen, wish)
    if seen.type not in ("number", "bool", "empty"):
        what = f"{seen.type}s in a column that is to be {wish if isinstance(wish, str) else 'parzen'}"
        hint = Advice("say ", Kind(name, "category"), ", or turn the values into numbers")
        raise DataError("D102", what, place=f"column {name!r}", hint=hint)
    if wish == "count":
        if not (seen.whole and seen.low >= 0):
            hint = Advice("say ", Kind(name, "real"))
            raise DataError("D106", "counts must be whole and not negative", place=f"column {name!r}", hint=hint)
        return Column(name, "count", fixed=True)
    whole = _all_whole(seen)
    if wish == "real":
        return Column(name, "real", fixed=True, empty=seen.type == "empty", whole=whole)
    form = wish if isinstance(wish, Parzen) else Parzen()
    grid = Grid(0.0, 0.0) if seen.type == "empty" else Grid(seen.low, seen.high)
    return Column(name, "parzen", fixed=True, form=form, grid=grid, empty=seen.type == "empty", whole=whole)


def _all_whole(seen: Summary) -> bool:
    """Whether all numbers are whole; from 2**53 on doubles have no others, which says nothing."""
    return seen.type != "empty" and seen.whole and max(-seen.low, seen.high) < 2**53


def _discrete(name: str, seen: Summary, kind: str) -> Column:
    if seen.declared:
        return Column(name, kind, seen.declared, seen.declared, fixed=True)
    numbers = seen.type in ("number", "bool", "empty")
    if kind == "binary" and numbers and seen.whole and (seen.type == "empty" or (seen.low >= 0 and seen.high <= 1)):
        return Column(name, kind, (0, 1), (0, 1), fixed=True)
    if numbers and np.isinf(seen.high - seen.low) and seen.type != "empty":
        raise too_large(name, np.inf)
    column = Column(name, kind, in_order(seen.levels, f"column {name!r}"), fixed=True)
    if kind == "binary" and len(column.levels) > 2:
        some = ", ".join(map(repr, column.levels[:4]))
        what = f"a binary column holds {len(column.levels)} different values: {some}, ..."
        hint = Advice("say ", Kind(name, "category"), ", or make it binary, as in X > 0")
        raise DataError("D107", what, place=f"column {name!r}", hint=hint)
    return column


def _text(name: str, seen: Summary, form: Text) -> Column:
    if seen.type not in ("word", "empty"):
        raise DataError(
            "D108",
            f"{seen.type}s in a text column",
            place=f"column {name!r}",
            hint=Advice(
                "text needs strings", InPython("; a whole matrix of word counts goes in as an array, with kinds='text'")
            ),
        )
    words = seen.vocabulary or vocabulary([str(text) for text in seen.levels])
    return Column(name, "text", tuple(sorted(words)), fixed=True, form=form, empty=seen.type == "empty")
