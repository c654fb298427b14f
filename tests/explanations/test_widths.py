"""Widths in a terminal: Chinese signs, accents and signs that are not seen."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from likely.output.display_width import padded, width


def test_widths():
    assert width("纹理 = 清晰") == 11
    assert width("ｆｕｌｌ") == 8
    assert width("naïve") == width(unicodedata.normalize("NFD", "naïve")) == 5
    assert width("a\u200bb") == 2
    assert width("") == 0


@given(st.text(), st.integers(0, 12))
def test_padding_adds_blanks_only(text, wide):
    left, right = padded(text, wide), padded(text, wide, right=True)
    assert width(left) == width(right) == max(wide, width(text))
    assert left.startswith(text)
    assert right.endswith(text)
    assert left.strip(" ") == right.strip(" ") == text.strip(" ")
