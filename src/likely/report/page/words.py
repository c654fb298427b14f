"""The words of a report in its language."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

COMMA = {"en": ", ", "zh": "、"}


@cache
def _words() -> dict[str, dict[str, str]]:
    return tomllib.loads(files(__package__).joinpath("words.toml").read_text(encoding="utf-8"))


class Words:
    """`words("key", name=value)` is a sentence in a language.

    >>> Words("zh")("data_lead", rows="3", columns="2")
    '3 行，2 列。'
    """

    def __init__(self, language: str) -> None:
        self.language = language

    def __call__(self, key: str, **said: Any) -> str:
        text = _words()[key][self.language]
        # in one pass: what is put in may hold braces of its own
        return re.sub(r"\{(\w+)\}", lambda found: self.told(said[found[1]]) if found[1] in said else found[0], text)

    def told(self, value: Any) -> str:
        """A value in a sentence."""
        if isinstance(value, list | tuple):
            return COMMA[self.language].join(map(str, value))
        return str(value)

    def some(self, keys: Iterable[str]) -> dict[str, str]:
        """The words of these keys, for the script."""
        return {key: _words()[key][self.language] for key in keys}
