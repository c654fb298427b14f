"""Letters: which fonts are used, so that Chinese text is never drawn as boxes, and how long a label may be."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
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


@cache
def families() -> list[str]:
    """The fonts in which a sign is looked up, one after the other: Latin, then an installed or the packaged Chinese."""
    from matplotlib.font_manager import fontManager

    present = {font.name for font in fontManager.ttflist}
    chosen = next((name for name in INSTALLED if name in present), PACKAGED)
    if chosen == PACKAGED:
        fontManager.addfont(Path(__file__).parent / "fonts" / "LikelyHan.ttf")
    return [LATIN, chosen]


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
    """Labels cut as by `short`, kept apart: those that would look the same are numbered.

    >>> shorts(["the same beginning 1", "the same beginning 2", "other"], 10)
    ['the sam… 1', 'the sam… 2', 'other']
    """
    full = list(map(str, labels))
    cut = [short(label, most) for label in full]
    out = []
    for at, text in enumerate(cut):
        alike = [place for place, other in enumerate(cut) if other == text]
        if len(alike) > 1 and len({full[place] for place in alike}) > 1:
            number = str(alike.index(at) + 1)
            text = short(full[at], most - len(number) - 1) + " " + number
        out.append(text)
    return out
