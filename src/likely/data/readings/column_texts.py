"""What the cells of a column of text are, gathered block by block in flat memory."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from likely.core.reading import NUMBER, WHOLE
from likely.data.readings.letters import text_places
from likely.data.readings.marks import ALL_MARKS

FEW = 256  # cells of a block
_WHOLE = re.compile(r"-?[0-9]+")
_PLAIN = re.compile(r"(?!0[^.eE])-?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|(?i:inf|infinity|nan))")
MOST_TOLD = 20_000  # different texts of a column that are looked at, before it is told what they are


@dataclass
class ColumnTexts:
    """How many cells are plain numbers, which marks of missing values there are, and how often each other text."""

    plain: str = WHOLE  # what the numbers are
    numbers: int = 0
    marks: Counter[str] = field(default_factory=Counter)
    texts: Counter[str] = field(default_factory=Counter)
    full: bool = False  # whether there were more texts than are held

    @property
    def words(self) -> bool:
        return bool(self.texts)

    def add(self, other: ColumnTexts) -> None:
        """The cells of a further block too."""
        if other.plain == NUMBER:
            self.plain = NUMBER
        self.numbers += other.numbers
        self.marks.update(other.marks)
        if not self.full:
            self.texts.update(other.texts)
            self.full = len(self.texts) > MOST_TOLD


def look(cells: Any, before: ColumnTexts) -> ColumnTexts:
    """What a block of cells shows; after texts that are no numbers, every text is counted."""
    import pyarrow.compute as pc

    if before.full:
        return ColumnTexts()
    if len(cells) <= FEW:
        return _look_at_few(cells)
    told = _filled(cells)
    found = ColumnTexts(marks=Counter({"": len(cells) - len(told)} if len(told) < len(cells) else {}))
    if not len(told):
        return found
    if not before.texts:
        kind = plain_kind(told)
        if kind:
            found.plain, found.numbers = kind, len(told)
            return found
    for one in pc.value_counts(told).to_pylist():
        text, count = one["values"].strip(), one["counts"]
        (found.marks if text in ALL_MARKS else found.texts)[text] += count
    if not before.texts and found.texts:
        import pyarrow as pa

        kind = plain_kind(pa.array(list(found.texts), pa.string()))
        if kind:
            found.plain, found.numbers = kind, found.texts.total()
            found.texts.clear()
    return found


def _look_at_few(cells: Any) -> ColumnTexts:
    """What a few cells show: for so few, asking Arrow takes longer than looking at them."""
    counts = Counter((cell or "").strip() for cell in cells.to_pylist())
    found = ColumnTexts()
    for text, count in counts.items():
        (found.marks if text in ALL_MARKS else found.texts)[text] += count
    found.plain = kind_of_few(found.texts)
    if found.plain:
        found.numbers, found.texts = found.texts.total(), Counter()
    return found


def kind_of_few(texts: Iterable[str]) -> str:
    """As `plain_kind` says it, of a few texts.

    >>> [kind_of_few(texts) for texts in (["1", "-2"], ["1", ".5", "1e5"], ["007"], ["+1"], ["word"], [])]
    ['whole', 'number', '', '', '', '']
    """
    kind = ""
    for text in texts:
        if not _PLAIN.fullmatch(text):
            return ""
        whole = _WHOLE.fullmatch(text) and -(2**63) <= int(text) < 2**63
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
