"""Digits and signs of other scripts as those of ASCII, in which numbers and dates are read."""

from __future__ import annotations

import re
from typing import Any

# The zeros of Arabic, Persian, Indian and other scripts, and that of full width.
_ZEROS = "٠۰०০੦૦௦౦೦൦๐໐၀០０"
_FOREIGN_SIGNS = {
    **dict(zip("．，％－＋（）／：　", ".,%-+()/: ", strict=True)),  # of full width
    "٫": ".",
    "٬": ",",
    "،": ",",
    "٪": "%",  # Arabic
    **dict.fromkeys("△‐‑﹣", "-"),  # what stands before negative numbers in Japan, and hyphens
    **dict.fromkeys("\u061c\u200e\u200f\u2066\u2067\u2068\u2069\u200b\ufeff", ""),  # which nobody sees
}
_IN_ASCII = {
    **{ord(zero) + digit: str(digit) for zero in _ZEROS for digit in range(10)},
    **{ord(sign): plain for sign, plain in _FOREIGN_SIGNS.items()},
}
_OTHERS = "[" + "".join(f"{zero}-{chr(ord(zero) + 9)}" for zero in _ZEROS) + re.escape("".join(_FOREIGN_SIGNS)) + "]"
_OTHER = re.compile(_OTHERS)


def plain_letters(text: str) -> str:
    """A text in the digits and signs of ASCII, where they have others.

    >>> plain_letters("１，２３４"), plain_letters("٢٠٢٦-٠٣-٠١"), plain_letters("△12 €")
    ('1,234', '2026-03-01', '-12 €')
    """
    return text if text.isascii() or not _OTHER.search(text) else text.translate(_IN_ASCII).strip()


def in_plain_letters(texts: Any) -> Any:
    """(texts,) the same of an Arrow array."""
    import pyarrow as pa
    import pyarrow.compute as pc

    others = pc.fill_null(pc.match_substring_regex(texts, _OTHERS), False)
    if not pc.any(others).as_py():
        return texts
    plain = [plain_letters(text) for text in texts.filter(others).to_pylist()]
    return pc.replace_with_mask(texts, others, pa.array(plain, texts.type))
