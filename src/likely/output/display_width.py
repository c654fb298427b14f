"""How wide text is in a terminal: a Chinese sign takes two places, an accent that joins a letter none."""

from __future__ import annotations

from unicodedata import category, east_asian_width

ZERO_WIDTH = ("Mn", "Me", "Cf")  # marks on the letter before, and signs that are not seen


def display_width(text: str) -> int:
    """How many letters wide a text is.

    >>> display_width("ab"), display_width("纹理"), display_width("e\\u0301")
    (2, 4, 1)
    """
    return sum(0 if category(sign) in ZERO_WIDTH else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)


def padded(text: str, wide: int, right: bool = False) -> str:
    """The text, filled with blanks to so many letters; with `right`, pushed to the right.

    >>> padded("纹理", 6) + "|", padded("7", 3, right=True)
    ('纹理  |', '  7')
    """
    blanks = " " * (wide - display_width(text))
    return blanks + text if right else text + blanks
