"""Networks in JSON of our own: plain, versioned, exact (.json).

    {"format": "likely-network", "version": 1, "name": "asia", "nodes": [
      {"name": "tub", "levels": ["yes", "no"], "parents": ["asia"], "table": [[0.05, 0.95], [0.01, 0.99]]}, ...]}

A table is a list of rows, one for each cell of the parents' levels, the last parent fastest; a node without parents has
one row. Each row has one probability for each own level. Numbers are written so that they are read back bit by bit.
"""

from __future__ import annotations

import json
import re
from itertools import chain
from typing import Any

import numpy as np

from likely.core.schema import plain
from likely.networks.formats.parts import NetworkDraft, Parts, PlacedName, TableSlot
from likely.networks.formats.token_reader import FileText, shown

FORMAT, VERSION = "likely-network", 1
_JSON_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]')
_TEXTS = "a list of texts"


class _Page(FileText):
    """A text of JSON; `at` is the number of a node, or -1 for the whole."""

    def offset(self, at: int) -> int:
        depth, last, inside = 0, "", -1
        for found in _JSON_TOKEN.finditer(self.text) if at >= 0 else ():
            token = found[0]
            if token in "[{":
                if depth == 2 and inside == 2:
                    if not at:
                        return found.start()
                    at -= 1
                depth += 1
                inside = depth if depth == 2 and last == '"nodes"' else inside
            elif token in "]}":
                depth -= 1
            last = token
        return 0


def read_native(text: str, name: str) -> Parts:
    """The parts of a network in our JSON."""
    page = _Page(text, name)
    found = _found(page)
    draft = NetworkDraft(page)
    nodes = found.get("nodes")
    if not isinstance(nodes, list):
        raise page.error("F414", f'expected "nodes": [...], found {_kind(nodes)}', -1)
    for at, node in enumerate(nodes):
        _declare(draft, node, at)
    for at, node in enumerate(nodes):
        slot = draft.define(PlacedName(node["name"], at), [PlacedName(parent, at) for parent in node["parents"]])
        _fill(draft, slot, node["table"], at)
    return draft.finish(str(found.get("name", "")))


def _found(page: _Page) -> dict[str, Any]:
    """What the text says, if it is a network that can be read."""
    try:
        found = json.loads(page.text, parse_int=float)  # float: no number is too long for it
    except json.JSONDecodeError as error:
        message = f"expected JSON, found {shown(page.text[error.pos : error.pos + 20])}: {error.msg}"
        raise FileText(page.text, page.name).error("F414", message, error.pos) from None
    except RecursionError:
        raise page.error("F414", "lists nested deeper than in any network", -1) from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise page.error("F426", f'expected {{"format": "{FORMAT}", ...}}, found another kind of JSON', -1)
    version = found.get("version")
    if version != VERSION or isinstance(version, bool):
        said = f"{version:g}" if isinstance(version, float) else _kind(version)
        hint = "upgrade: pip install -U likely" if isinstance(version, float) and version > VERSION else ""
        raise page.error("F426", f"expected version {VERSION} of the format, found {said}", -1, hint)
    return found


def _declare(draft: NetworkDraft, node: Any, at: int) -> None:
    if not isinstance(node, dict):
        raise draft.source.error("F414", f"expected a node, {{...}}, as number {at + 1}, found {_kind(node)}", -1)
    checks = (
        ("name", "a text", isinstance(node.get("name"), str)),
        ("levels", "a list of texts, numbers or truths", _are_levels(node.get("levels"))),
        ("parents", _TEXTS, _are_texts(node.get("parents"))),
        ("table", "a list of rows", isinstance(node.get("table"), list)),
    )
    for key, what, holds in checks:
        if not holds:
            raise draft.source.error("F414", f'expected {what} as "{key}" of a node, found {_kind(node.get(key))}', at)
    draft.declare(PlacedName(node["name"], at), [plain(level) for level in node["levels"]], [at] * len(node["levels"]))


def _are_levels(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str | int | float) for one in value)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _fill(draft: NetworkDraft, slot: TableSlot, rows: list[Any], at: int) -> None:
    for row in rows:
        if not isinstance(row, list) or not all(type(value) is float for value in row):
            message = f"expected a row of {slot.own} numbers in the table of {slot.node!r}, found {_kind(row)}"
            raise draft.source.error("F420", message, at)
        if len(row) != slot.own:
            message = f"expected {slot.own} values, one for each level of {slot.node!r}, found {len(row)}"
            raise draft.source.error("F419", message, at)
    draft.count(slot, len(rows) * slot.own, at)
    values = np.array(list(chain.from_iterable(rows)), dtype=np.float64)
    wrong = ~(np.isfinite(values) & (values >= 0.0))
    if wrong.any():
        message = f"expected a probability in the table of {slot.node!r}, found {float(values[wrong][0])!r}"
        raise draft.source.error("F420", message, at, "a probability is a number from 0 to 1")
    draft.fill(slot, values.reshape(-1, slot.own) + 0.0, lambda _row: at)


def _kind(value: Any) -> str:
    """What a value of JSON is, in a word or two."""
    names = {dict: "an object", list: "a list", str: "a text", float: "a number", bool: "true or false"}
    return names.get(type(value), "nothing")


def write_native(parts: Parts) -> str:
    """A network in our JSON, one node a line."""
    lines = []
    for node, levels, parents, table in zip(parts.nodes, parts.levels, parts.parents, parts.tables, strict=True):
        rows = table.reshape(-1, table.shape[-1]).tolist()
        page = {"name": node, "levels": levels, "parents": parents, "table": rows}
        lines.append("  " + json.dumps(page, ensure_ascii=False, allow_nan=False))
    head = json.dumps({"format": FORMAT, "version": VERSION, "name": parts.name}, ensure_ascii=False)
    return f'{head[:-1]}, "nodes": [\n' + ",\n".join(lines) + "\n]}\n"
