"""What the cells of a column of text are, gathered block by block in flat memory."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np

from likely.core.numerics import Array
from likely.core.reading import NUMBER, WHOLE
from likely.data.readings.arrow_strings import text_places
from likely.data.readings.missing_marks import MARK_SET
from likely.data.readings.unicode_digits import plain_letters

FEW = 256  # cells of a block
CELLS_OF_FEW_NUMBERS = 4096  # cells of a block that mostly show all numbers, where these are few
ENOUGH = 64  # cells of a block that show how different its numbers are
_WHOLE_NUMBER = re.compile(r"-?[0-9]+")
_GROUPED = r"^-?(?:[1-9][0-9]{0,2}(?:\.[0-9]{3})+|[0-9]+)$"
_DAY_NUMBER = (
    r"^(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
    r"(?:(?:[01][0-9]|2[0-3])(?:[0-5][0-9](?:[0-5][0-9])?)?)?$"
)
_FRACTION = re.compile(r"-?[0-9]+\.[0-9]+")
_PLAIN = re.compile(r"(?!0[^.eE])-?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|(?i:inf|infinity|nan))")
# Codes of goods, as 1E5; programs write 1E+05 or 1.0E5.
GOODS = re.compile(r"[0-9]+E[0-9]+")
MOST_SPELLINGS = 50  # different texts of numbers of which it is kept how they are spelt
MOST_TOLD = 20_000  # different texts of a column that are looked at, before it is told what they are


@dataclass
class ColumnTexts:
    """How many cells are plain numbers, which marks of missing values there are, and how often each other text."""

    plain: str = WHOLE  # what the numbers are
    numbers: int = 0
    some: set[str] = field(default_factory=set)  # different numbers among the first of each block
    grouped: bool = True  # whether every number with a point could be one whose thousands are parted by points
    compact: bool = True  # whether every number could be a day, as in 20240229, with or without a clock behind
    clocked: bool = False  # whether the clock of such a number says other than midnight
    spelt: frozenset[str] | None = frozenset()  # the numbers, where they are few and not all whole; None of many
    marks: Counter[str] = field(default_factory=Counter)
    texts: Counter[str] = field(default_factory=Counter)
    full: bool = False  # whether there were more texts than are held; what comes after is not looked at

    def add(self, other: ColumnTexts) -> None:
        """The cells of a further block too."""
        if self.full:
            return
        if other.plain == NUMBER:
            self.plain = NUMBER
        self.numbers += other.numbers
        self.some |= other.some
        spelt = None if self.spelt is None or other.spelt is None else self.spelt | other.spelt
        self.spelt = spelt if spelt is not None and len(spelt) <= MOST_SPELLINGS else None
        self.grouped &= other.grouped
        self.compact &= other.compact
        self.clocked |= other.clocked
        self.marks.update(other.marks)
        self.texts.update(other.texts)
        self.full = len(self.texts) > MOST_TOLD

    def number(self, kind: str, texts: Any) -> None:
        """All cells, an Arrow array of texts, are plain numbers of a kind."""
        self.plain, self.numbers = kind, len(texts)
        self.grouped = kind == WHOLE or _all_match(texts, _GROUPED)
        self.compact = kind == WHOLE and _all_match(texts, _DAY_NUMBER)
        different = texts.unique() if self.compact else texts
        self.clocked = self.compact and any(text[8:].strip("0") for text in different.to_pylist())
        self.some = {*different[:ENOUGH].to_pylist()}
        if kind == NUMBER:  # of the first cells most differ where all are many
            spelt = texts.unique() if len(self.some) <= min(MOST_SPELLINGS, ENOUGH // 2) else texts
            self.spelt = frozenset(spelt.to_pylist()) if len(spelt) <= MOST_SPELLINGS else None

    @property
    def spelt_twice(self) -> tuple[str, str] | None:
        """A number of few that is spelt with more zeros behind its fraction and with fewer, as 1.1 and 1.10."""
        seen: dict[str, str] = {}
        for text in sorted(self.spelt or ()):
            if _FRACTION.fullmatch(text) and (other := seen.setdefault(text.rstrip("0"), text)) != text:
                return other, text
        return None


def look(cells: Any, full: bool = False, marks: Collection[str] = ()) -> ColumnTexts:
    """What a block of cells shows, `marks` being missing values too; nothing if the column is `full` of texts."""
    import pyarrow as pa
    import pyarrow.compute as pc

    found = ColumnTexts()
    if full:
        return found
    if len(cells) <= FEW:
        return _look_at_few(cells, MARK_SET.union(marks))
    if pa.types.is_dictionary(cells.type):
        return _look_at_numbered(cells, marks)
    told = _filled(cells)
    if marks:
        told = told.filter(pc.invert(pc.is_in(pc.utf8_trim_whitespace(told), pa.array(marks, pa.string()))))
    if len(told) < len(cells):
        found.marks[""] = len(cells) - len(told)
    if not len(told):
        return found
    if kind := plain_kind(told):
        found.number(kind, told)
        return found
    _count(found, ((one["values"], one["counts"]) for one in pc.value_counts(told).to_pylist()))
    kind = plain_kind(pa.array(list(found.texts), pa.string())) if found.texts else ""
    return _all_numbers(found, kind, found.texts) if kind else found


def _look_at_numbered(cells: Any, marks: Collection[str]) -> ColumnTexts:
    """What numbers into a dictionary show: each different text is looked at once."""
    import pyarrow as pa

    found, texts = ColumnTexts(), cells.dictionary.to_pylist()
    codes = cells.indices.drop_null().to_numpy()
    counts = _counted(codes, texts, marks).tolist()
    each = Counter({text: count for text, count in zip(texts, counts, strict=True) if count})
    empty = [text for text in each if not text or text.strip() in marks]
    if gone := cells.null_count + sum(map(each.pop, empty)):
        found.marks[""] = gone
    if not each:
        return found
    if kind := kind_of_few(each) if len(each) <= FEW else plain_kind(pa.array(list(each), pa.string())):
        number = _all_numbers(found, kind, each)
        if not number.compact:  # as of cells that are no numbers into a dictionary: those among the first cells
            number.some = {*islice((text for at in codes if (text := texts[at]) in each), ENOUGH)}
        return number
    _count(found, each.items())
    kind = plain_kind(pa.array(list(found.texts), pa.string())) if found.texts else ""
    return _all_numbers(found, kind, found.texts) if kind else found


def _counted(codes: Array, texts: list[Any], marks: Collection[str]) -> Array:
    """(texts,): how many cells have each; of few numbers that are all there, only the sum, as nobody asks for more."""
    first = np.bincount(codes[:CELLS_OF_FEW_NUMBERS], minlength=len(texts))
    rest = len(codes) - CELLS_OF_FEW_NUMBERS
    if rest > 0 and len(texts) <= FEW and not marks and all(texts) and first.all() and kind_of_few(texts):
        first[0] += rest
        return first
    return np.bincount(codes, minlength=len(texts)) if rest > 0 else first


def _count(found: ColumnTexts, counts: Iterable[tuple[str, int]], marks: Collection[str] = MARK_SET) -> None:
    """Count texts, blanks around them left out, as marks and others."""
    for text, count in counts:
        stripped = text.strip()
        if not stripped.isascii():
            stripped = plain_letters(stripped)
        (found.marks if stripped in marks else found.texts)[stripped] += count


def _look_at_few(cells: Any, marks: Collection[str]) -> ColumnTexts:
    """What a few cells show: for so few, asking Arrow takes longer than looking at them."""
    found = ColumnTexts()
    _count(found, Counter(cell or "" for cell in cells.to_pylist()).items(), marks)
    kind = kind_of_few(found.texts)
    return _all_numbers(found, kind, found.texts) if kind else found


def _all_numbers(found: ColumnTexts, kind: str, texts: Counter[str]) -> ColumnTexts:
    """Texts all of which are plain numbers, as such."""
    import pyarrow as pa

    number = ColumnTexts(marks=found.marks)
    number.number(kind, pa.array(list(texts), pa.string()))
    number.numbers = texts.total()
    return number


def _all_match(texts: Any, pattern: str) -> bool:
    """Whether a pattern is that of all texts: mostly it is not, which the first of them show."""
    import pyarrow.compute as pc

    if not re.match(pattern, texts[0].as_py()):
        return False
    return all(pc.all(pc.match_substring_regex(some, pattern)).as_py() for some in (texts.slice(0, FEW), texts))


def kind_of_few(texts: Iterable[str]) -> str:
    """As `plain_kind` says it, of a few texts.

    >>> [kind_of_few(texts) for texts in (["1", "-2"], ["1", ".5", "1e5"], ["007"], ["+1"], ["word"], [])]
    ['whole', 'number', '', '', '', '']
    """
    kind = ""
    for text in texts:
        if not _PLAIN.fullmatch(text) or ("E" in text and GOODS.fullmatch(text)):
            return ""
        whole = _WHOLE_NUMBER.fullmatch(text) and -(2**63) <= int(text) < 2**63
        kind = WHOLE if whole and kind in ("", WHOLE) else NUMBER
    return kind


def plain_kind(texts: Any) -> str:
    """Whether texts, none of them missing or empty, all are whole numbers, or numbers; else nothing.

    >>> import pyarrow as pa
    >>> [plain_kind(pa.array(texts)) for texts in (["1", "-2"], ["1", ".5", "1e5"], ["007"], ["+1"], ["word"])]
    ['whole', 'number', '', '', '']
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if not _starts_a_number(texts[0].as_py()) or _has_codes(texts):
        return ""
    places = text_places(texts)
    letters = bytes(texts.buffers()[2][places[0] : places[-1]])
    if b"E" in letters and pc.any(pc.match_substring_regex(texts, f"^{GOODS.pattern}$")).as_py():
        return ""
    for kind, type_ in ((WHOLE, pa.int64()), (NUMBER, pa.float64())):
        if kind == WHOLE and b"." in letters:
            continue  # Arrow would say so of every value, which takes long
        try:
            pc.cast(texts, type_)
        except pa.ArrowInvalid:
            continue
        return kind
    return ""


def _starts_a_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _filled(cells: Any) -> Any:
    """The cells that are not empty."""
    told = cells.drop_null()
    return told if np.diff(text_places(told)).all() else told.filter(told.to_numpy(zero_copy_only=False) != "")


def _has_codes(texts: Any) -> bool:
    """Whether a text starts with a zero before another digit, or with a plus: those of codes, as in 007."""
    places, data = text_places(texts), np.frombuffer(texts.buffers()[2], np.uint8)
    starts, sizes = places[:-1], np.diff(places)
    first = data[starts]
    if (first == ord("+")).any():
        return True
    zeros = starts[(first == ord("0")) & (sizes > 1)] + 1
    return bool((~np.isin(data[zeros], list(b".eE"))).any())
