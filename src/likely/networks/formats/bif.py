r"""The Interchange Format for Bayesian Networks (.bif), as JavaBayes, bnlearn and others write it.

Names may be quoted; a comma parts like a blank; a `table` lists the own level slowest and the last parent fastest;
`default` is the row of all cells that have none; properties and comments are passed over. Names that hold blanks or
marks are written in quotes, with \" and \\ inside them.
"""

from __future__ import annotations

import re

import numpy as np

from likely.networks.formats.parts import NetworkDraft, Parts, PlacedName, TableSlot
from likely.networks.formats.token_reader import Tokens, quoted

_BIF_STRING = r'"(?:[^"\\\n]|\\[^\n])*+"'
_BIF_WORD = r'(?:[^\s,(){}\[\];|"/]|/(?![/*]))++'
# What does not close runs to the end of its line or of the text, so that nothing is scanned twice.
_BIF_TOKEN = re.compile(
    rf'(?:[\s,]++|//[^\n]*+|/\*(?>.*?\*/))*+({_BIF_WORD}|[(){{}}\[\];|]|{_BIF_STRING}|"[^\n]*+|/\*.*+)?', re.DOTALL
)
_BIF_QUOTED = re.compile(_BIF_STRING)
_BARE = re.compile(_BIF_WORD)
_NO_NAME = "unknown"  # what a network without a name is called


def read_bif(text: str, name: str) -> Parts:
    """The parts of a network in BIF."""
    tokens = Tokens(text, name, _BIF_TOKEN, _BIF_QUOTED, "(){}[];|")
    draft = NetworkDraft(tokens)
    title, at = _network(tokens)
    tables = []
    while word := tokens.texts[at]:
        if word == "variable":
            at = _variable(tokens, draft, at + 1)
        elif word == "probability":  # read when all variables are known: they may come later
            tables.append(at + 1)
            at = _end(tokens, at) + 1
        else:
            raise tokens.expected("'variable', 'probability' or the end", at)
    for at in tables:
        _probability(tokens, draft, at)
    return draft.finish(title)


def _network(tokens: Tokens) -> tuple[str, int]:
    at = tokens.skip(0, "network")
    title = tokens.word(at, "the name of the network")
    at = tokens.skip(at + 1, "{")
    while tokens.texts[at] == "property":
        at = tokens.skip_entry(at)
    return "" if title == _NO_NAME else title, tokens.skip(at, "}")


def _end(tokens: Tokens, at: int) -> int:
    try:
        return tokens.texts.index("}", at)
    except ValueError:
        raise tokens.error("F414", "expected '}' at the end of this block, found the end", at) from None


def _variable(tokens: Tokens, draft: NetworkDraft, at: int) -> int:
    variable = PlacedName(tokens.word(at, "the name of a variable"), at)
    at = tokens.skip(at + 1, "{")
    levels: tuple[list[str], int] | None = None
    while (word := tokens.texts[at]) != "}":
        if word == "property":
            at = tokens.skip_entry(at)
        elif word == "type" and levels is None:
            found, start, at = _levels(tokens, at + 1)
            levels = found, start
        else:
            raise tokens.expected("'type', 'property' or '}'" if levels is None else "'property' or '}'", at)
    found, start = levels or ([], at)
    draft.declare(variable, found, range(start, start + len(found)))
    return at + 1


def _levels(tokens: Tokens, at: int) -> tuple[list[str], int, int]:
    """The levels of a type, where they start, and the place after it."""
    if tokens.texts[at] == "continuous":
        raise tokens.error("F423", "a continuous variable; only discrete ones can be read", at)
    at = tokens.skip(at, "discrete", "[")
    number = tokens.word(at, "the number of levels")
    start = tokens.skip(at + 1, "]", "{")
    levels, end = tokens.words(start, "}", "a level")
    if number != str(len(levels)):
        message = f"expected {number} levels, as declared, found {len(levels)}"
        raise tokens.error("F416", message, at, "the number in brackets says how many there are")
    return levels, start, tokens.skip(end, ";")


def _probability(tokens: Tokens, draft: NetworkDraft, at: int) -> None:
    at = tokens.skip(at, "(")
    node = PlacedName(tokens.word(at, "the name of a variable"), at)
    at += 1
    if tokens.texts[at] == "|":  # JavaBayes does without: the first name is the variable, the others are its parents
        at += 1
        tokens.word(at, "the name of a parent")
    names, end = tokens.words(at, ")", "the name of a parent")
    slot = draft.define(node, map(PlacedName, names, range(at, end)))
    _Rows(tokens, draft, slot).read(tokens.skip(end, "{"))


class _Rows:
    """The rows of a table, while they are read."""

    def __init__(self, tokens: Tokens, draft: NetworkDraft, slot: TableSlot) -> None:
        self.tokens, self.draft, self.slot = tokens, draft, slot
        self.starts: dict[int, int] = {}  # cell -> where its values start
        self.texts: list[str] = []  # the values of all rows so far
        self.default = -1  # where the values of the default row start
        strides = np.cumprod([1, *slot.sizes[:0:-1]])[::-1].tolist()  # the last parent is the fastest
        self.steps: list[dict[str, int]] = [
            {level: code * stride for code, level in enumerate(draft.levels[parent])}
            for parent, stride in zip(slot.parents, strides, strict=False)  # a root has one stride too many
        ]

    def read(self, at: int) -> None:
        tokens, fresh = self.tokens, True
        while (word := tokens.texts[at]) != "}":
            if word == "(":
                at = self._row(at)
            elif word == "table" and fresh:
                return self._table(at + 1)
            elif word == "default" and self.default < 0:
                self.default = at + 1
                at = self._values(self.default)
            elif word == "property":
                at = tokens.skip_entry(at)
            else:
                raise tokens.expected("a row in '(', 'default', 'property' or '}'", at)
            fresh = fresh and word == "property"
        return self._fill()

    def _row(self, at: int) -> int:
        """One row; the place after it."""
        texts, own, first = self.tokens.texts, self.slot.own, at + len(self.steps) + 2
        values = texts[first : first + own]
        # As it should be, or looked at more closely; two slices rather than two tokens, which may lie beyond the end.
        if texts[first - 1 : first] != [")"] or texts[first + own : first + own + 1] != [";"] or "}" in values:
            self._refuse(at)
        cell = 0
        for place, steps in enumerate(self.steps, at + 1):
            step = steps.get(texts[place])
            cell += self._step(place, place - at - 1) if step is None else step
        if self.starts.setdefault(cell, first) != first:
            raise self.draft.twice(self.slot, cell, at)
        self.texts += values
        return first + own + 1

    def _step(self, at: int, place: int) -> int:
        """What a level adds to the cell that is not written as in the declaration: quoted here and not there."""
        parent = self.slot.parents[place]
        level = self.tokens.word(at, f"a level of {parent!r}")
        step = self.steps[place].get(level)
        if step is None:
            raise self.draft.unknown(parent, level, at)
        return step

    def _refuse(self, at: int) -> None:
        """Say what is wrong with a row that is not as long as it should be."""
        levels, first = self.tokens.words(at + 1, ")", "a level")
        if len(levels) != len(self.steps):
            message = f"expected {len(self.steps)} levels, one for each parent of {self.slot.node!r}"
            raise self.tokens.error("F419", f"{message}, found {len(levels)}", at)
        self._values(first)

    def _values(self, at: int) -> int:
        """The place after the values of a row."""
        values, end = self.tokens.words(at, ";", "a probability")
        if len(values) != self.slot.own:
            message = f"expected {self.slot.own} values, one for each level of {self.slot.node!r}, found {len(values)}"
            raise self.tokens.error("F419", message, at)
        return end

    def _table(self, at: int) -> None:
        """A whole table; nothing but properties may follow."""
        texts, end = self.tokens.words(at, ";", "a probability")
        self.draft.count(self.slot, len(texts), at)
        values = self.tokens.numbers(texts, lambda i: at + i)
        while self.tokens.texts[end] == "property":
            end = self.tokens.skip_entry(end)
        if self.tokens.texts[end] != "}":
            raise self.tokens.expected("'property' or '}' after the table", end)
        table = np.ascontiguousarray(values.reshape(self.slot.own, -1).T)
        self.draft.fill(self.slot, table, lambda row: at + row)

    def _fill(self) -> None:
        slot, own = self.slot, self.slot.own
        if self.default >= 0:
            self.draft.reserve(slot)
            self.texts += self.tokens.texts[self.default : self.default + own]
        elif len(self.starts) < slot.cells:
            raise self.draft.missing(slot, self.starts)
        firsts = [*self.starts.values(), self.default]
        values = self.tokens.numbers(self.texts, lambda i: firsts[i // own] + i % own).reshape(-1, own)
        table = np.empty((slot.cells, own))
        table[:] = values[-1]
        table[list(self.starts)] = values[: len(self.starts)]
        self.draft.fill(slot, table, lambda row: self.starts.get(row, self.default))


def write_bif(parts: Parts) -> str:
    """A network in BIF."""
    lines = [f"network {_name(parts.name) if parts.name else _NO_NAME} {{", "}"]
    for node, levels in zip(parts.nodes, parts.levels, strict=True):
        said = ", ".join(map(_name, levels))
        lines += [f"variable {_name(node)} {{", f"  type discrete [ {len(levels)} ] {{ {said} }};", "}"]
    known = dict(zip(parts.nodes, parts.levels, strict=True))
    for node, parents, table in zip(parts.nodes, parts.parents, parts.tables, strict=True):
        given = f" | {', '.join(map(_name, parents))}" if parents else ""
        lines.append(f"probability ( {_name(node)}{given} ) {{")
        rows = table.reshape(-1, table.shape[-1]).tolist()
        for labels, row in zip(_cells([known[parent] for parent in parents]), rows, strict=True):
            lines.append(f"  {labels} {', '.join(map(repr, row))};")
        lines.append("}")
    return "\n".join(lines) + "\n"


def _cells(levels: list[tuple[str, ...]]) -> list[str]:
    """How the row of each cell starts."""
    cells = [""]
    for several in levels:
        names = list(map(_name, several))
        cells = [f"{cell}, {name}" if cell else name for cell in cells for name in names]
    return [f"({cell})" for cell in cells] if levels else ["table"]


def _name(name: str) -> str:
    """A name as it can be read back; as it is where that can be done.

    >>> _name("<5"), _name("very high")
    ('<5', '"very high"')
    """
    return name if _BARE.fullmatch(name) else quoted(name)
