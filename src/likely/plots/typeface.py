"""Letters: which fonts are used, so that Chinese text is never drawn as boxes, and how long a label may be."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import floor, log10
from pathlib import Path

from likely.output.display_width import display_width

LATIN = "DejaVu Sans"  # comes with matplotlib
PACKAGED = "Likely Han"  # comes with likely: common Chinese signs and kana, see fonts/NOTICE.txt
# What systems call a font with the signs of simplified Chinese, the best looking first.
INSTALLED = (
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "PingFang SC",
    "Hiragino Sans GB",
    "Heiti SC",
    "STHeiti",
    "Microsoft YaHei",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Droid Sans Fallback",
    "SimHei",
    "Arial Unicode MS",
)
_SMALLEST_IN_FULL, _LARGEST_IN_FULL = 1e-6, 1e13
FIRST_WITH_COMMAS = 10_000
_ROUNDS = 3  # of labels that look the same, whose parts may look the same again
_BEGINNING = 5  # letters that are left of what labels share


@cache
def families() -> list[str]:
    """The fonts in which a sign is looked up, one after the other: Latin, then an installed or the packaged Chinese."""
    from matplotlib.font_manager import fontManager

    present = {font.name for font in fontManager.ttflist}
    chosen = next((name for name in INSTALLED if name in present), PACKAGED)
    if chosen == PACKAGED:
        fontManager.addfont(Path(__file__).parent / "fonts" / "LikelyHan.ttf")
    return [LATIN, chosen]


def number(value: float, digits: int = 4) -> str:
    """A number as people write it: thousands with commas, and no powers of ten but of very large and very small ones.

    >>> number(336842.3), number(-1.23456), number(0.000012345), number(2e20), number(float("inf"))
    ('336,842', '−1.235', '0.00001234', '2e+20', '∞')
    """
    whole = 10**digits <= abs(value) < _LARGEST_IN_FULL
    commas = "," if FIRST_WITH_COMMAS <= abs(value) < _LARGEST_IN_FULL else ""  # years have none
    small = _SMALLEST_IN_FULL <= abs(value) < 1e-4
    decimals = digits - 1 - floor(log10(abs(value))) if small else 0
    text = f"{value:,.0f}" if whole else f"{value:.{decimals}f}".rstrip("0") if small else f"{value:{commas}.{digits}g}"
    return text.replace("inf", "∞").replace("-", "−")


def short(label: object, most: int = 24) -> str:
    """The label on one line, cut to at most so many Latin letters; signs that cannot be printed become �.

    >>> short("a label that goes on and on", 12)
    'a label tha…'
    >>> short("纹理\\n清晰", 8)
    '纹理 清…'
    """
    words = " ".join(str(label).split())
    text = "".join(sign if sign.isprintable() else "\ufffd" for sign in words)
    if display_width(text) <= most:
        return text
    while display_width(text) > most - 1:
        text = text[:-1]
    return text.rstrip() + "…"


def shorts(labels: Iterable[object], most: int = 24) -> list[str]:
    """Labels cut as by `short`, kept apart: of those that would look the same, what tells them apart is kept.

    >>> shorts(["the same beginning 1", "the same beginning 2", "other"], 10)
    ['the sam… 1', 'the sam… 2', 'other']
    >>> shorts(["sensor in hall 1, pressure", "sensor in hall 1, heat"], 18)
    ['sensor i… pressure', 'sensor in ha… heat']
    """
    full = [" ".join(str(label).split()) for label in labels]
    out = [short(label, most) for label in full]
    for _ in range(_ROUNDS):
        for places in _alike(full, out):
            shared = _shared([full[at] for at in places])
            for at in places:
                out[at] = _ended(full[at], shared, most)
    for places in _alike(full, out):  # they differ in what has no room
        for number, at in enumerate(places, start=1):
            out[at] = short(full[at], most - len(str(number)) - 1) + f" {number}"
    return out


def _alike(full: list[str], cut: list[str]) -> list[list[int]]:
    """The places of labels that differ, but look the same."""
    places: dict[str, list[int]] = {}
    for at, text in enumerate(cut):
        places.setdefault(text, []).append(at)
    return [mine for mine in places.values() if len({full[at] for at in mine}) > 1]


def _shared(labels: list[str]) -> int:
    """How many letters all of them begin with, up to the start of a word."""
    first, last = min(labels), max(labels)
    end = next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    start = end
    while start and labels[0][start - 1].isalnum():
        start -= 1
    return start or end


def _ended(label: str, shared: int, most: int) -> str:
    """Some of what labels share, and what comes after it."""
    end = short(label[shared:], most - _BEGINNING)
    return f"{short(label[:shared], most - display_width(end) - 1)} {end}".rstrip()


@cache
def text_width(text: str, points: float) -> float:
    """How wide a text of that size is."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=families(), size=points)
    # On a screen letters begin at whole dots, which makes words a little wider.
    return float(1.03 * text_to_path.get_text_width_height_descent(text, font, False)[0] / 72)
