"""What the cells of a column of text are, gathered block by block in flat memory."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np

from likely.core.numerics import Array
from likely.core.reading import NUMBER, WHOLE
from likely.data.readings.arrow_strings import text_places
from likely.data.readings.missing_marks import ALL_MARKS, MARK_SET
from likely.data.readings.numbered_words import number_words
from likely.data.readings.plain_numbers import kind_of_few, numbers_among, plain_kind, plain_numbers
from likely.data.readings.scanned_fields import ScannedColumn
from likely.data.readings.unicode_digits import plain_letters

FEW = 256  # cells of a block
CELLS_OF_FEW_NUMBERS = 4096  # cells of a block that mostly show all numbers, where these are few
MANY = 8  # columns of a block with few cells each, from which all of them are looked at together
ENOUGH = 64  # cells of a stretch that show how different its numbers are
STRETCH = 1 << 10  # cells of a stretch
_GROUPED = r"^-?(?:[1-9][0-9]{0,2}(?:\.[0-9]{3})+|[0-9]+)$"
_DAY_NUMBER = (
    r"^(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
    r"(?:(?:[01][0-9]|2[0-3])(?:[0-5][0-9](?:[0-5][0-9])?)?)?$"
)
_IS_GROUPED, _IS_DAY_NUMBER = (re.compile(pattern).match for pattern in (_GROUPED, _DAY_NUMBER))
_THAI = re.compile("[ก-๛]")
_FRACTION = re.compile(r"-?[0-9]+\.[0-9]+")
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
    thai: bool = False  # whether a text has letters or digits of Thailand
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
        self.thai |= other.thai
        self.marks.update(other.marks)
        self.texts.update(other.texts)
        self.full = len(self.texts) > MOST_TOLD

    @property
    def checked(self) -> ColumnTexts:
        """The cells of the first block, told whether their texts are too many."""
        self.full = len(self.texts) > MOST_TOLD
        return self

    def number(self, kind: str, texts: Any) -> None:
        """All cells, an Arrow array of texts, are plain numbers of a kind."""
        self.plain, self.numbers = kind, len(texts)
        self.grouped = kind == WHOLE or _all_match(texts, _GROUPED)
        self.compact = kind == WHOLE and _all_match(texts, _DAY_NUMBER)
        different = texts.unique() if self.compact else texts
        self.clocked = self.compact and any(text[8:].strip("0") for text in different.to_pylist())
        for start in range(0, len(different), STRETCH):
            self.some.update(different.slice(start, ENOUGH).to_pylist())
            if len(self.some) >= ENOUGH // 2:
                break
        if kind == NUMBER:  # of the first cells most differ where all are many
            spelt = texts.unique() if len(self.some) <= min(MOST_SPELLINGS, ENOUGH // 2) else texts
            self.spelt = frozenset(spelt.to_pylist()) if len(spelt) <= MOST_SPELLINGS else None

    def few(self, kind: str, texts: Sequence[str]) -> None:
        """The same of a few different texts: for so few, asking Arrow takes longer than looking at them."""
        self.plain, self.numbers = kind, len(texts)
        self.grouped = kind == WHOLE or all(map(_IS_GROUPED, texts))
        self.compact = kind == WHOLE and all(map(_IS_DAY_NUMBER, texts))
        self.clocked = self.compact and any(text[8:].strip("0") for text in texts)
        self.some = {*texts[:ENOUGH]}
        if kind == NUMBER:
            self.spelt = frozenset(texts) if len(texts) <= MOST_SPELLINGS else None

    def scanned(self, column: ScannedColumn) -> bool:
        """All cells that are not missing are plain numbers: whether, being many and no days, they show nothing else."""
        count = len(column) - column.null_count
        some = column.some(0, ENOUGH)
        if column.kind == WHOLE:
            if column.has_minus_zero or _IS_DAY_NUMBER(some[0]):
                return False
        elif count <= MOST_SPELLINGS:
            return False
        self.plain, self.numbers = column.kind, count
        self.grouped, self.compact = column.grouped, False
        self.some.update(some)
        for start in range(STRETCH, count, STRETCH):
            if len(self.some) >= ENOUGH // 2:
                break
            self.some.update(column.some(start, ENOUGH))
        if column.kind == NUMBER:
            self.spelt = None
            return len(self.some) > min(MOST_SPELLINGS, ENOUGH // 2)
        return True

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
    return ColumnTexts() if full else _look(cells, marks)[0]


def look_at(
    columns: Sequence[Any], full: Sequence[bool], marks: Collection[str] = ()
) -> tuple[list[ColumnTexts], list[Any]]:
    """What the columns of a block show, and their cells: as numbers where all that are not missing are plain ones."""
    import pyarrow as pa

    if marks:
        columns = [cells.texts() if isinstance(cells, ScannedColumn) else cells for cells in columns]
    short = not marks and len(columns) >= MANY and 0 < len(columns[0]) <= FEW
    if not short or not all(pa.types.is_string(column.type) for column in columns):
        told = [
            _look_at_scanned(cells, is_full)
            if isinstance(cells, ScannedColumn)
            else (ColumnTexts(), cells)
            if is_full
            else _look(cells, marks)
            for cells, is_full in zip(columns, full, strict=True)
        ]
        return [found for found, _ in told], [cells for _, cells in told]
    kinds = numbers_among(columns)
    others = [cells for cells, (kind, _), is_full in zip(columns, kinds, full, strict=True) if not (kind or is_full)]
    together = number_words(others) if len(others) >= MANY else None
    worded = iter(together or ((_counted_words(cells), cells) for cells in others))
    found, kept = [], []
    for cells, is_full, (kind, numbers) in zip(columns, full, kinds, strict=True):
        if is_full:
            found.append(ColumnTexts())
            kept.append(cells)
        elif kind:
            texts = dict.fromkeys(cells.to_pylist())
            texts.pop(None, None)
            found.append(ColumnTexts(marks=Counter({"": cells.null_count} if cells.null_count else ())))
            found[-1].few(kind, [*texts])
            found[-1].numbers = len(cells) - cells.null_count
            kept.append(cells if found[-1].compact else numbers)
        else:
            words, coded = next(worded)
            found.append(_look_at_words(words, MARK_SET))
            kept.append(coded)
    return found, kept


def _look_at_scanned(column: ScannedColumn, full: bool) -> tuple[ColumnTexts, Any]:
    """What a column shows whose fields were scanned, and its cells: as of its texts, in less time where it is plain."""
    words, found = column.words, ColumnTexts()
    if column.null_count:
        found.marks[""] = column.null_count
    if not full and column.kind and found.scanned(column):
        return found, column.numbers()
    if not full and words is not None and len(words.dictionary) and not plain_kind(words.dictionary):
        return _look_at_different(found, words)
    return (ColumnTexts(), column.texts()) if full else _look(column.texts(), ())


def _look(cells: Any, marks: Collection[str]) -> tuple[ColumnTexts, Any]:
    """What a block of cells shows, and the cells as numbers where they are."""
    import pyarrow as pa
    import pyarrow.compute as pc

    found = ColumnTexts()
    if len(cells) <= FEW:
        return _look_at_words(_counted_words(cells), MARK_SET.union(marks)), cells
    if pa.types.is_dictionary(cells.type):
        return _look_at_numbered(cells, marks), cells
    told = _filled(cells)
    if marks:
        told = told.filter(pc.invert(pc.is_in(pc.utf8_trim_whitespace(told), pa.array(marks, pa.string()))))
    if len(told) < len(cells):
        found.marks[""] = len(cells) - len(told)
    if not len(told):
        return found, cells
    whole = len(told) == len(cells) - cells.null_count  # else some of the cells are no numbers though they are missing
    kind, numbers = plain_numbers(told, cells if whole else told)
    if kind:
        found.number(kind, told)
        return found, cells if found.compact or numbers is None or not whole else numbers
    coded = (cells if whole else told).dictionary_encode()
    number, values = _look_at_different(found, coded)
    return number, cells if values is None or not whole else values


def _look_at_different(found: ColumnTexts, coded: Any) -> tuple[ColumnTexts, Any]:
    """What texts show that are no plain numbers as they stand: each different one is looked at once.

    And the cells as numbers, or as small numbers into a dictionary of few; None where they are best left as they are.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    codes = (coded.indices.drop_null() if coded.null_count else coded.indices).to_numpy()
    counts = np.bincount(codes, minlength=len(coded.dictionary))
    if len(coded.dictionary) <= FEW:
        _count(found, zip(coded.dictionary.to_pylist(), counts.tolist(), strict=True))
        kind = kind_of_few(found.texts)
        small = pa.DictionaryArray.from_arrays(coded.indices.cast(pa.uint8()), coded.dictionary)
        return _all_numbers(found.marks, kind, found.texts) if kind else found, small
    texts = pc.utf8_trim_whitespace(coded.dictionary)
    gone = pc.is_in(texts, pa.array(ALL_MARKS))
    rest = texts.filter(pc.invert(gone))
    kind, numbers = (
        plain_numbers(rest, pc.if_else(gone, pa.scalar(None, texts.type), texts)) if len(rest) else ("", None)
    )
    if not kind:
        _count(found, zip(coded.dictionary.to_pylist(), counts.tolist(), strict=True))
        return found, None
    is_gone = gone.to_numpy(zero_copy_only=False)
    _count(found, zip(texts.filter(gone).to_pylist(), counts[is_gone].tolist(), strict=True))
    number = ColumnTexts(marks=found.marks)
    number.number(kind, rest.unique())
    number.numbers = int(counts[~is_gone].sum())
    return number, None if number.compact or numbers is None else numbers.take(coded.indices)


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
        number = _all_numbers(found.marks, kind, each)
        if not number.compact:  # as of cells that are no numbers into a dictionary: those among the first cells
            number.some = {*islice((text for at in codes if (text := texts[at]) in each), ENOUGH)}
        return number
    _count(found, each.items())
    kind = plain_kind(pa.array(list(found.texts), pa.string())) if found.texts else ""
    return _all_numbers(found.marks, kind, found.texts) if kind else found


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
            found.thai = found.thai or _THAI.search(stripped) is not None
            stripped = plain_letters(stripped)
        (found.marks if stripped in marks else found.texts)[stripped] += count


def _counted_words(cells: Any) -> Iterable[tuple[str, int]]:
    """The texts of a few cells and how often they come: for so few, asking Arrow takes longer than looking at them."""
    return Counter(cell or "" for cell in cells.to_pylist()).items()


def _look_at_words(words: Iterable[tuple[str, int]], marks: Collection[str]) -> ColumnTexts:
    """What few texts show, and how often they come."""
    found = ColumnTexts()
    _count(found, words, marks)
    kind = kind_of_few(found.texts)
    return _all_numbers(found.marks, kind, found.texts) if kind else found


def _all_numbers(marks: Counter[str], kind: str, texts: Counter[str]) -> ColumnTexts:
    """Texts all of which are plain numbers, as such."""
    import pyarrow as pa

    number = ColumnTexts(marks=marks)
    if len(texts) <= FEW:
        number.few(kind, [*texts])
    else:
        number.number(kind, pa.array(list(texts), pa.string()))
    number.numbers = texts.total()
    return number


def _all_match(texts: Any, pattern: str) -> bool:
    """Whether a pattern is that of all texts: mostly it is not, which the first of them show."""
    import pyarrow.compute as pc

    if not re.match(pattern, texts[0].as_py()):
        return False
    return all(pc.all(pc.match_substring_regex(some, pattern)).as_py() for some in (texts.slice(0, FEW), texts))


def _filled(cells: Any) -> Any:
    """The cells that are not empty."""
    told = cells.drop_null()
    places = text_places(told)
    return told if (places[1:] != places[:-1]).all() else told.filter(told.to_numpy(zero_copy_only=False) != "")
