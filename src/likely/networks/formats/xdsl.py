"""The discrete part of GeNIe's and SMILE's format (.xdsl): nodes with a cpt, and deterministic ones.

Tables list the own level fastest and the first parent slowest. Ids hold letters, digits and underscores only, and
parents come before their children: the names, levels and order that a network really has stand among the extensions, in
<likely>.
"""

from __future__ import annotations

import numpy as np

from likely.networks.formats.elements import Document, Element, attributed, tagged
from likely.networks.formats.identifiers import identifiers
from likely.networks.formats.parts import NetworkDraft, Parts, PlacedName, TableSlot
from likely.structures.graph import Graph

_OTHER_XDSL_NODES = {
    "noisymax": "a noisy-max node",
    "noisyadder": "a noisy-adder node",
    "demorgan": "a DeMorgan node",
    "equation": "an equation node",
    "decision": "a decision node",
    "utility": "a utility node",
    "mau": "a multi-attribute utility node",
}


class _Names:
    """What ids stand for: what <likely> says, and else themselves."""

    def __init__(self, root: Element) -> None:
        ours = next((one for holder in root.of("extensions") for one in holder.of("likely")), None)
        self.title = (root if ours is None else ours).attributes.get("id" if ours is None else "name", "")
        self.said = {node.attributes.get("id", ""): node for node in (ours.of("node") if ours else ())}
        self.places = {name: place for place, name in enumerate(self.said)}

    def place(self, node: Element) -> int:
        return self.places.get(node.attributes.get("id", ""), len(self.places))

    def of(self, name: str) -> str:
        return self.said[name].attributes.get("name", name) if name in self.said else name

    def levels(self, name: str, ids: list[str]) -> list[str]:
        said = [level.text for level in self.said[name].of("level")] if name in self.said else []
        return said if len(said) == len(ids) else ids  # states that GeNIe added have but their ids


def read_xdsl(text: str, name: str) -> Parts:
    """The parts of a network in XDSL."""
    document = Document(text, name)
    root = document.root("smile")
    draft = NetworkDraft(document)
    if not any(root.of("nodes")):
        raise document.error("F414", "expected <nodes> in <smile>, found none", root.at)
    names = _Names(root)
    nodes = sorted((node for holder in root.of("nodes") for node in holder.children), key=names.place)
    for node in nodes:
        _declare(document, draft, names, node)
    for node in nodes:
        _define(document, draft, names, node)
    _foreign(draft, root, nodes)
    return draft.finish(names.title)


def _foreign(draft: NetworkDraft, root: Element, nodes: list[Element]) -> None:
    """aGrUM lists the first parent fastest, which no one can see in the numbers."""
    apps = [genie.attributes.get("app", "") for holder in root.of("extensions") for genie in holder.of("genie")]
    several = any(len(parents.text.split()) > 1 for node in nodes for parents in node.of("parents"))
    if several and any(app.startswith("aGrUM") for app in apps):
        draft.notes.append(
            "written by aGrUM, whose .xdsl files list the first parent fastest, unlike GeNIe's: "
            "tables with several parents may be turned; use another format, such as .bif"
        )


def _declare(document: Document, draft: NetworkDraft, names: _Names, node: Element) -> None:
    if node.tag in _OTHER_XDSL_NODES:
        message = f"{_OTHER_XDSL_NODES[node.tag]}; only cpt and deterministic nodes can be read"
        hint = "change its type to Chance - General" if node.tag.startswith(("noisy", "dem")) else "take it out"
        raise document.error("F423", message, node.at, f"{hint} in GeNIe, and save the network again")
    if node.tag not in ("cpt", "deterministic"):
        raise document.error("F414", f"expected <cpt> or <deterministic>, found <{node.tag[:40]}>", node.at)
    if node.attributes.get("dynamic") or any(node.of("dynamic")):
        raise document.error("F423", "a node of a dynamic network, which cannot be read", node.at)
    own, states = document.attribute(node, "id"), list(node.of("state"))
    levels = names.levels(own, [document.attribute(state, "id") for state in states])
    draft.declare(PlacedName(names.of(own), node.at), levels, [state.at for state in states])


def _define(document: Document, draft: NetworkDraft, names: _Names, node: Element) -> None:
    parents = [
        PlacedName(names.of(parent), holder.at) for holder in node.of("parents") for parent in holder.text.split()
    ]
    slot = draft.define(PlacedName(names.of(node.attributes["id"]), node.at), parents)
    if node.tag == "cpt":
        document.fill(draft, slot, document.only(node, "probabilities"))
    else:
        _determine(document, draft, slot, node)


def _determine(document: Document, draft: NetworkDraft, slot: TableSlot, node: Element) -> None:
    """A table of zeros and ones from the state that each cell has."""
    element = document.only(node, "resultingstates")
    states = element.text.split()
    if len(states) != slot.cells:
        message = f"expected {slot.cells} resulting states of {slot.node!r}, found {len(states)}"
        raise document.error("F419", message, element.at)
    draft.reserve(slot)
    codes = {state.attributes["id"]: code for code, state in enumerate(node.of("state"))}
    for place, state in enumerate(states):
        if state not in codes:
            raise draft.unknown(slot.node, state, document.piece_at(element, place))
    table = np.zeros((slot.cells, slot.own))
    table[np.arange(slot.cells), [codes[state] for state in states]] = 1.0
    draft.fill(slot, table, lambda row: document.piece_at(element, row))


def write_xdsl(parts: Parts) -> str:
    """A network in XDSL."""
    graph, names = Graph(parts.nodes, parts.parents), identifiers(parts.nodes)
    title = identifiers([parts.name])[parts.name] if parts.name else "network"
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<smile version="1.0" id="{title}">', "  <nodes>"]
    for node in graph.order:
        lines += _node(parts, graph.at(node), names)
    lines += ["  </nodes>", "  <extensions>", f'    <genie version="1.0" app="likely" name={attributed(parts.name)}>']
    lines += [f'      <node id="{names[node]}">{tagged("name", node)}</node>' for node in parts.nodes]
    lines += ["    </genie>", f"    <likely name={attributed(parts.name)}>"]
    lines += [_said(node, names[node], levels) for node, levels in zip(parts.nodes, parts.levels, strict=True)]
    return "\n".join([*lines, "    </likely>", "  </extensions>", "</smile>"]) + "\n"


def _node(parts: Parts, at: int, names: dict[str, str]) -> list[str]:
    states = identifiers(parts.levels[at]).values()
    lines = [f'    <cpt id="{names[parts.nodes[at]]}">', *(f'      <state id="{state}" />' for state in states)]
    if parts.parents[at]:
        lines.append(f"      <parents>{' '.join(names[parent] for parent in parts.parents[at])}</parents>")
    values = " ".join(map(repr, parts.tables[at].ravel().tolist()))
    return [*lines, f"      <probabilities>{values}</probabilities>", "    </cpt>"]


def _said(node: str, name: str, levels: tuple[str, ...]) -> str:
    """What an id stands for, as far as it is not itself."""
    head = f'      <node id="{name}"' + (f" name={attributed(node)}" if name != node else "")
    odd = any(level != state for level, state in identifiers(levels).items())
    return f"{head}>{''.join(tagged('level', level) for level in levels)}</node>" if odd else f"{head} />"
