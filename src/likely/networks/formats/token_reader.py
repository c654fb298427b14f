"""What readers of network files share: tokens in turn, quotes, and the line and column of an error.

What a token or comment is in a format, its own module says: bif.py, hugin.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import islice

import numpy as np

from likely.core.numerics import Floats
from likely.errors import StoreError

_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED_LETTERS = {"n": "\n", "r": "\r", '"': '"', "\\": "\\"}


class FileText:
    """A text and the name of its file; `at` is an offset here, and what a reader finds easier to keep elsewhere."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name or "<text>"

    def offset(self, at: int) -> int:
        """Where in the text `at` is."""
        return at

    def error(self, code: str, message: str, at: int, hint: str = "") -> StoreError:
        """An error that names the file, the line and the column.

        >>> print(FileText("one\\ntwo", "a.bif").error("F414", "expected 'three', found 'two'", 4))
        [F414] expected 'three', found 'two'
          at: a.bif, line 2, column 1
        """
        offset = min(self.offset(at), len(self.text))
        line, start = self.text.count("\n", 0, offset) + 1, self.text.rfind("\n", 0, offset)
        return StoreError(code, message, place=f"{self.name}, line {line}, column {offset - start}", hint=hint)

    def numbers(self, texts: Sequence[str], at: Callable[[int], int]) -> Floats:
        """(texts,) as probabilities; `at` says where the i-th text is, should it be none."""
        joined = "".join(texts)
        try:  # float() would also take "1_000" and the digits of other scripts
            plain = joined.isascii() and "_" not in joined
            values = np.array(list(map(float, texts)) if plain else [], dtype=np.float64)
            wrong = (~(np.isfinite(values) & (values >= 0.0))).nonzero()[0] if plain else [_first_odd(texts)]
        except ValueError:
            wrong = [_first_odd(texts)]
        if len(wrong):
            text = texts[wrong[0]]
            message = f"expected a probability, found {shown(text)}"
            raise self.error("F420", message, at(int(wrong[0])), "a probability is a number from 0 to 1")
        return values + 0.0  # no negative zeros


class Tokens(FileText):
    """The tokens of a text, the last of them empty; `at` is the number of a token."""

    def __init__(self, text: str, name: str, pattern: re.Pattern[str], string: re.Pattern[str], marks: str) -> None:
        super().__init__(text, name)
        self.pattern = pattern
        self.string = string
        self.marks = frozenset(marks)  # what parts words and cannot be one
        self.texts: list[str] = pattern.findall(text)  # without offsets, which only an error needs

    def offset(self, at: int) -> int:
        found = next(islice(self.pattern.finditer(self.text), at, None), None)
        return found.start(1) if found and found[1] else len(self.text.rstrip())

    def expected(self, what: str, at: int, hint: str = "") -> StoreError:
        """The error that something else was expected at a token."""
        found = self.texts[at]
        if found.startswith('"') and not self.string.fullmatch(found):
            return self.error("F414", f"a quote that does not close: {shown(found)}", at, 'close it with "')
        if found.startswith("/*"):
            return self.error("F414", "a comment that does not close", at, "close it with */")
        return self.error("F414", f"expected {what}, found {shown(found)}", at, hint)

    def skip(self, at: int, *words: str) -> int:
        """The place after some words that must stand here."""
        for word in words:
            if self.texts[at] != word:
                raise self.expected(f"'{word}'", at)
            at += 1
        return at

    def skip_entry(self, at: int) -> int:
        """The place after the next semicolon, which must come before the block ends."""
        while self.texts[at] not in (";", "}", ""):
            if self.is_open(at):
                raise self.expected("';'", at)
            at += 1
        return self.skip(at, ";")

    def is_open(self, at: int) -> bool:
        """Whether a token is a string or a comment that does not close."""
        found = self.texts[at]
        return found.startswith("/*") or (found.startswith('"') and not self.string.fullmatch(found))

    def word(self, at: int, what: str) -> str:
        """The name or value that must stand here, without its quotes.

        >>> word = re.compile(r'\\s*("[^"]*"|[^\\s"]+)?')
        >>> Tokens('a "b c"', "", word, re.compile('"[^"]*"'), "{}").word(1, "a name")
        'b c'
        """
        text = self.texts[at]
        if not text or text in self.marks or self.is_open(at):
            raise self.expected(what, at)
        return unquoted(text)

    def words(self, at: int, end: str, what: str) -> tuple[list[str], int]:
        """The words before an end, and the place after it."""
        found = []
        while self.texts[at] != end:
            found.append(self.word(at, f"{what} or '{end}'"))
            at += 1
        return found, at + 1


def unquoted(text: str) -> str:
    r"""A word without the quotes it may have.

    >>> print(unquoted(r'"say \"yes\""'))
    say "yes"
    """
    if not text.startswith('"'):
        return text
    inner = text[1:-1]
    return _ESCAPE.sub(lambda found: _ESCAPED_LETTERS.get(found[1], found[0]), inner) if "\\" in inner else inner


def quoted(text: str) -> str:
    r"""A word in quotes, for `unquoted`.

    >>> print(quoted('say "yes"'))
    "say \"yes\""
    """
    for sign, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r")):
        text = text.replace(sign, escaped)
    return f'"{text}"'


def shown(text: str) -> str:
    """A token as errors show it: not too long.

    >>> shown(""), shown("x" * 60)
    ('the end', "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'")
    """
    return repr(text if len(text) <= 40 else text[:40] + "...") if text else "the end"


def _first_odd(texts: Sequence[str]) -> int:
    """The first text that is no number."""
    for at, text in enumerate(texts):
        try:
            float(text)
        except ValueError:
            return at
        if "_" in text or not text.isascii():
            return at
    raise AssertionError("every text is a number")
