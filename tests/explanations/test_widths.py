"""Widths in a terminal: Chinese signs, accents and signs that are not seen."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from likely.output.display_width import display_width, padded


def test_widths():
    assert display_width("纹理 = 清晰") == 11
    assert display_width("ｆｕｌｌ") == 8
    assert display_width("naïve") == display_width(unicodedata.normalize("NFD", "naïve")) == 5
    assert display_width("a\u200bb") == 2
    assert display_width("") == 0


@given(st.text(), st.integers(0, 12))
def test_padding_adds_blanks_only(text, wide):
    left, right = padded(text, wide), padded(text, wide, right=True)
    assert display_width(left) == display_width(right) == max(wide, display_width(text))
    assert left.startswith(text)
    assert right.endswith(text)
    assert left.strip(" ") == right.strip(" ") == text.strip(" ")
