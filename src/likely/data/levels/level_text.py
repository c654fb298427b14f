"""Levels by their text: 1, 1.0 and "1" are one level, so are True and "true", and a number is in its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.schema import Level, plain
from likely.data.arrow_columns import arrow_type, numbers
from likely.data.levels.interval_levels import cuts_of, parts_of
from likely.errors import DataError, OptionError, listed, nearest

TRUTH_TEXTS = {"true": ("True", "true", "TRUE", "1"), "false": ("False", "false", "FALSE", "0")}

Levels = Mapping[str, Sequence[Any]] | Sequence[Sequence[Any]] | None


class LevelTexts(dict[str, int]):
    """Places of levels by text; and the cuts between them, where they are intervals."""

    cuts: Floats | None = None


def spellings(levels: Sequence[Any]) -> LevelTexts:
    """The place of each level by its text, and by other spellings of it where these mean no other level.

    >>> spellings(["true", "false"])["True"], spellings([1, 2])["2"], spellings(["1.0", "2.0"])["2"]
    (0, 1, 1)
    """
    own = {str(plain(level)): at for at, level in enumerate(levels)}
    others: dict[str, set[int]] = {}
    for text, at in own.items():
        for other in _aliases(text):
            others.setdefault(other, set()).add(at)
    spelt = LevelTexts(own | {text: min(at) for text, at in others.items() if text not in own and len(at) == 1})
    spelt.cuts = cuts_of(levels)
    return spelt


def place_of(value: Any, spelt: Mapping[str, int]) -> int:
    """The place of a value among spelt levels, -1 where it is none of them; of a number, the interval it is in.

    >>> place_of(1.0, spellings(["0", "1"])), place_of("x", spellings(["0", "1"]))
    (1, -1)
    >>> place_of(3.1, spellings(["<= 2.45", "2.45 .. 4.75", "> 4.75"]))
    1
    """
    text = str(plain(value))
    found = spelt.get(text, spelt.get(_number(text), -1))
    cuts = spelt.cuts if isinstance(spelt, LevelTexts) else None
    return found if found >= 0 or cuts is None else _interval(text, cuts)


def _interval(text: str, cuts: Floats) -> int:
    """The interval that a number is in; -1 where the text is no number."""
    try:
        value = float(text)
    except ValueError:
        return -1
    return -1 if value != value else int(np.searchsorted(cuts, value))


def spelt_places(column: Any, levels: Sequence[Any]) -> tuple[Array, list[Any], Array]:
    """The places of an Arrow column's different values among the levels, these values, and (rows,) which each row has.

    A value that is missing has the place -1, one that is no level -2; the last place is that of missing values. Of
    numbers among intervals the different values are the intervals.
    """
    import pyarrow as pa

    spelt = spellings(levels)
    if spelt.cuts is not None and arrow_type(column.type, "") == "number":
        places = np.array([*range(len(levels)), -1], dtype=np.int32)
        return places, list(levels), parts_of(numbers(column, ""), spelt.cuts)
    encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    values = encoded.dictionary.to_pylist()
    found = [_place(value, spelt) for value in values]
    indices = encoded.indices
    if indices.null_count:
        indices = indices.cast(pa.int32()).fill_null(len(values))
    return np.array([*found, -1], dtype=np.int32), values, indices.to_numpy(zero_copy_only=False)


def text_codes(column: Any, name: str, levels: Sequence[Any], start: int = 0) -> Array:
    """(rows,): the place of each value of an Arrow column among the levels, after the last where it is missing.

    A value that is none of them is refused by name; `start` is the number of the first row.
    """
    arrow_type(column.type, name)  # lists and records are refused
    places, held, at = spelt_places(column, levels)
    if -2 in places and (places[at] == -2).any():
        row = int((places[at] == -2).argmax())
        hint = f"the levels are {listed(levels, 8)}.{nearest(held[at[row]], levels)}"
        what = f"{name!r} has no level {plain(held[at[row]])!r}"
        raise DataError("D422", what, place=f"column {name!r}, row {start + row}", hint=hint)
    codes: Array = np.where(places < 0, len(levels), places)[at]
    return codes


def _place(value: Any, spelt: Mapping[str, int]) -> int:
    if value is None or value != value:
        return -1
    found = place_of(value, spelt)
    return found if found >= 0 else -2


def _aliases(text: str) -> tuple[str, ...]:
    truth = {"1": "true", "0": "false"}.get(text, text.lower())
    return (*TRUTH_TEXTS.get(truth, ()), _number(text))


def _number(text: str) -> str:
    """A number in its shortest spelling; any other text as it is."""
    try:
        value = float(text)
    except ValueError:
        return text
    return str(plain(value)) if np.isfinite(value) and "_" not in text else text


def declared_levels(nodes: Sequence[str], levels: Levels) -> dict[str, tuple[Level, ...]]:
    """Node -> levels, of the nodes whose levels were declared; checked."""
    if levels is None:
        return {}
    pairs = levels.items() if isinstance(levels, Mapping) else zip(nodes, levels, strict=True)
    told = {name: mine for name, mine in pairs if mine is not None}
    for name, mine in told.items():
        if isinstance(mine, str) or not hasattr(mine, "__len__"):
            hint = f"give a list, as in levels={{{name!r}: ['no', 'yes']}}"
            raise OptionError("O482", f"the levels of {name!r} are no list: {mine!r}", place="levels=", hint=hint)
    said = {name: tuple(plain(level) for level in mine) for name, mine in told.items() if len(mine)}
    for name, mine in said.items():
        if name not in nodes:
            hint = f"the nodes are {listed(nodes, 12)}.{nearest(name, nodes)}"
            raise OptionError("O480", f"levels of {name!r}, which is no node", place="levels=", hint=hint)
        check_levels(name, mine)
    return said


def check_levels(node: str, levels: Sequence[Any]) -> None:
    """An error unless there are levels, all of different texts: files know nothing else."""
    texts = [str(plain(level)) for level in levels]
    if len(set(texts)) < len(texts) or not texts:
        twice = next((text for text in texts if texts.count(text) > 1), None)
        what = f"{node!r} has the level {twice!r} twice" if texts else f"{node!r} has no levels"
        raise OptionError("O482", what, place=f"levels of {node!r}", hint="give each level once; 1 and '1' are one")
