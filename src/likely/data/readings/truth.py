"""Truth values in words: yes and no in the languages that tables are written in."""

from __future__ import annotations

from collections.abc import Mapping

from likely.core.reading import TRUTH, Reading
from likely.core.yes_no_words import NO_AND_YES

_EVERY_WORD = frozenset(word for pair in NO_AND_YES for side in pair for word in side)


def tell_truth(texts: Mapping[str, int]) -> Reading | None:
    """The reading of a column in which both yes and no are, and nothing else; none if it is no such column.

    >>> print(tell_truth({"Yes": 3, "no": 2, "NO": 1}))
    Yes or no
    >>> tell_truth({"yes": 3, "maybe": 2})
    """
    found = {text.casefold() for text in texts}
    if found <= {"true", "false"}:
        return Reading(TRUTH, all_marks=True)
    for no, yes in NO_AND_YES if found <= _EVERY_WORD else ():
        if found <= {*no, *yes} and not found.isdisjoint(no) and not found.isdisjoint(yes):
            sides = ([text for text in texts if text.casefold() in side] for side in (no, yes))
            words = tuple(max(side, key=lambda text: (texts[text], text)) for side in sides)
            return Reading(TRUTH, all_marks=True, words=words)
    return None


def truth_words(reading: Reading) -> dict[str, str]:
    """The word for yes or for no that each spelling stands for, by its lower case."""
    told = {word.casefold() for word in reading.words}
    sides = next((pair for pair in NO_AND_YES if told <= {*pair[0], *pair[1]}), ((), ()))
    found = {one: word for side, word in zip(sides, reading.words, strict=False) for one in side}
    return found | {word.casefold(): word for word in reading.words}
