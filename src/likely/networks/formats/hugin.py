"""The discrete part of Hugin's net language (.net): nodes with states, and potentials.

Data list the own level fastest and the first parent slowest, however they are nested. Attributes other than these are
passed over; nodes that are not discrete are refused. Names that are no identifiers are written as one, with the name
itself in the attribute `likely_name`.
"""

from __future__ import annotations

import re

import numpy as np

from likely.core.numerics import Floats
from likely.networks.formats.identifiers import identifiers
from likely.networks.formats.parts import NetworkDraft, Parts, PlacedName
from likely.networks.formats.token_reader import Tokens, quoted

_HUGIN_STRING = r'"(?:[^"\\]|\\.)*+"'
# A quote that does not close runs to the end of the text, so that nothing is scanned twice.
_HUGIN_TOKEN = re.compile(rf'(?:\s++|%[^\n]*+)*+([^\s(){{}};=|"%]++|[(){{}};=|]|{_HUGIN_STRING}|".*+)?', re.DOTALL)
_HUGIN_QUOTED = re.compile(_HUGIN_STRING, re.DOTALL)
_OTHER_HUGIN_NODES = {
    "continuous": "a continuous node",
    "utility": "a utility node",
    "decision": "a decision node",
    "function": "a function node",
    "class": "a network of classes",
    "instance": "an instance of a class",
}
_RESERVED = ("net", "node", "potential", "discrete", *_OTHER_HUGIN_NODES)


def read_hugin(text: str, name: str) -> Parts:
    """The parts of a network in the net language."""
    tokens = Tokens(text, name, _HUGIN_TOKEN, _HUGIN_QUOTED, "(){};=|")
    draft = NetworkDraft(tokens)
    title, at = "", 0
    names: dict[str, str] = {}  # identifier -> name
    potentials = []
    while word := tokens.texts[at]:
        if word == "net":
            found, at = _attributes(tokens, tokens.skip(at + 1, "{"))
            title = _text(tokens, found, "name")
        elif word in ("node", "discrete"):
            at = _node(tokens, draft, names, at + 1 if word == "node" else tokens.skip(at + 1, "node"))
        elif word == "potential":  # read when all nodes are known: they may come later
            potentials.append(at + 1)
            at = _attributes(tokens, tokens.skip(_header_end(tokens, at + 1), "{"))[1]
        elif word in _OTHER_HUGIN_NODES:
            message = f"{_OTHER_HUGIN_NODES[word]}; only discrete nodes can be read"
            raise tokens.error("F423", message, at, "make it discrete, or take it out, and save the network again")
        else:
            raise tokens.expected("'net', 'node', 'potential' or the end", at)
    for at in potentials:
        _potential(tokens, draft, names, at)
    return draft.finish(title)


def _attributes(tokens: Tokens, at: int) -> tuple[dict[str, int], int]:
    """Where the value of each attribute of a block starts, and the place after the block."""
    found: dict[str, int] = {}
    while tokens.texts[at] != "}":
        name = tokens.word(at, "an attribute or '}'")
        at = tokens.skip(at + 1, "=")
        found[name] = at
        at = tokens.skip_entry(at)
    return found, at + 1


def _text(tokens: Tokens, attributes: dict[str, int], name: str) -> str:
    """The value of an attribute if it is one word or string, and else nothing."""
    at = attributes.get(name)
    return tokens.word(at, "a text") if at is not None and tokens.texts[at + 1] == ";" else ""


def _node(tokens: Tokens, draft: NetworkDraft, names: dict[str, str], at: int) -> int:
    node = tokens.word(at, "the name of a node")
    attributes, end = _attributes(tokens, tokens.skip(at + 1, "{"))
    if node in names:
        raise tokens.error("F416", f"{node!r} is declared twice", at, "rename one, or take it out")
    names[node] = _text(tokens, attributes, "likely_name") or node
    if "states" not in attributes:
        raise tokens.error("F416", f"{node!r} has no levels", at, 'expected states = ("yes" "no");')
    start = tokens.skip(attributes["states"], "(")
    levels, after = tokens.words(start, ")", "a state")
    tokens.skip(after, ";")
    draft.declare(PlacedName(names[node], at), levels, range(start, after))
    return end


def _header_end(tokens: Tokens, at: int) -> int:
    """The place after the header of a potential."""
    at = tokens.skip(at, "(")
    while tokens.texts[at] != ")":
        if tokens.texts[at] != "|":
            tokens.word(at, "the name of a node or ')'")
        at += 1
    return at + 1


def _potential(tokens: Tokens, draft: NetworkDraft, names: dict[str, str], at: int) -> None:
    at = tokens.skip(at, "(")
    node = tokens.word(at, "the name of a node")
    given: list[str] = []
    end = at + 2
    if tokens.texts[at + 1] != ")":
        tokens.skip(at + 1, "|")
        given, end = tokens.words(at + 2, ")", "the name of a parent")
    parents = [PlacedName(names.get(parent, parent), place) for place, parent in enumerate(given, at + 2)]
    slot = draft.define(PlacedName(names.get(node, node), at), parents)
    attributes, _ = _attributes(tokens, tokens.skip(end, "{"))
    if "data" not in attributes:
        raise tokens.error("F418", f"{slot.node!r} has no table", at, "expected data = (...); in its potential")
    places = _data(tokens, attributes["data"])
    draft.count(slot, len(places), attributes["data"])
    values = tokens.numbers([tokens.texts[place] for place in places], places.__getitem__)
    draft.fill(slot, values.reshape(-1, slot.own), lambda row: places[row * slot.own])


def _data(tokens: Tokens, at: int) -> list[int]:
    """Where the numbers of data are; how they are nested does not matter, but it must end."""
    places: list[int] = []
    depth = 0
    while tokens.texts[at] != ";":
        text = tokens.texts[at]
        if text == "(":
            depth += 1
        elif text == ")" and depth:
            depth -= 1
        elif not depth:
            raise tokens.expected("'(' or ';'" if places else "'('", at)
        else:
            tokens.word(at, "a probability, '(' or ')'")
            places.append(at)
        at += 1
    if depth:
        raise tokens.expected("')'", at)
    return places


def write_hugin(parts: Parts) -> str:
    """A network in the net language."""
    names = identifiers(parts.nodes, _RESERVED)
    lines = ["net", "{", *([f"  name = {quoted(parts.name)};"] if parts.name else []), "}"]
    for node, levels in zip(parts.nodes, parts.levels, strict=True):
        lines += [f"node {names[node]}", "{", f"  states = ({' '.join(map(quoted, levels))});"]
        if names[node] != node:
            lines += [f"  label = {quoted(node)};", f"  likely_name = {quoted(node)};"]
        lines.append("}")
    for node, parents, table in zip(parts.nodes, parts.parents, parts.tables, strict=True):
        given = f" | {' '.join(names[parent] for parent in parents)}" if parents else ""
        lines += [f"potential ({names[node]}{given})", "{", f"  data = {_nested(table)};", "}"]
    return "\n".join(lines) + "\n"


def _nested(table: Floats) -> str:
    """A table with one pair of parentheses for each level of each parent.

    >>> _nested(np.array([[0.1, 0.9], [0.5, 0.5]]))
    '((0.1 0.9)\\n          (0.5 0.5))'
    """
    rows = [" ".join(map(repr, row)) for row in table.reshape(-1, table.shape[-1]).tolist()]
    blocks = np.cumprod(table.shape[-2::-1]).tolist()  # rows that each pair holds, from the innermost
    return "\n          ".join(
        "(" * (1 + sum(at % size == 0 for size in blocks))
        + row
        + ")" * (1 + sum((at + 1) % size == 0 for size in blocks))
        for at, row in enumerate(rows)
    )
