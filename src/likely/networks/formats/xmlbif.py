"""The XML Interchange Format for Bayesian Networks, XMLBIF 0.3 (.xmlbif, .bifxml, .xml).

A table lists the own level fastest and the first parent slowest. A DOCTYPE may declare elements and attributes, as the
format's own does, but neither entities nor what lies outside the file.
"""

from __future__ import annotations

from likely.networks.formats.elements import Document, Element, tagged
from likely.networks.formats.parts import NetworkDraft, Parts, PlacedName

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>'  # without a DOCTYPE, over which some readers stumble


def read_xmlbif(text: str, name: str) -> Parts:
    """The parts of a network in XMLBIF."""
    document = Document(text, name)
    root = document.root("BIF")
    draft = NetworkDraft(document)
    document.allow(root, "NETWORK")
    networks = list(root.of("NETWORK"))
    if len(networks) != 1:
        at = networks[1].at if networks else root.at
        raise document.error("F414", f"expected one <NETWORK> in <BIF>, found {len(networks)}", at)
    document.allow(networks[0], "NAME", "PROPERTY", "VARIABLE", "DEFINITION")
    for variable in networks[0].of("VARIABLE"):
        _variable(document, draft, variable)
    for definition in networks[0].of("DEFINITION"):
        _definition(document, draft, definition)
    return draft.finish(next((title.text for title in networks[0].of("NAME")), ""))


def _variable(document: Document, draft: NetworkDraft, element: Element) -> None:
    kind = element.attributes.get("TYPE", "nature").lower()
    if kind in ("decision", "utility"):
        message = f"a {kind} node; only nodes of nature can be read"
        raise document.error("F423", message, element.at, "take it out, and save the network again")
    document.allow(element, "NAME", "OUTCOME", "VALUE", "PROPERTY")  # VALUE: what version 0.1 calls an OUTCOME
    outcomes = list(element.of("OUTCOME", "VALUE"))
    for outcome in outcomes:
        document.allow(outcome)
    title = document.only(element, "NAME")
    draft.declare(PlacedName(title.text, title.at), [one.text for one in outcomes], [one.at for one in outcomes])


def _definition(document: Document, draft: NetworkDraft, element: Element) -> None:
    document.allow(element, "FOR", "GIVEN", "TABLE", "PROPERTY")
    node, table = document.only(element, "FOR"), document.only(element, "TABLE")
    parents = list(element.of("GIVEN"))
    for parent in parents:
        document.allow(parent)
    slot = draft.define(PlacedName(node.text, node.at), [PlacedName(parent.text, parent.at) for parent in parents])
    document.fill(draft, slot, table)


def write_xmlbif(parts: Parts) -> str:
    """A network in XMLBIF."""
    lines = [_HEAD, '<BIF VERSION="0.3">', "<NETWORK>", tagged("NAME", parts.name)]
    for node, levels in zip(parts.nodes, parts.levels, strict=True):
        lines += ['<VARIABLE TYPE="nature">', f"  {tagged('NAME', node)}"]
        lines += [f"  {tagged('OUTCOME', level)}" for level in levels]
        lines.append("</VARIABLE>")
    for node, parents, table in zip(parts.nodes, parts.parents, parts.tables, strict=True):
        lines += ["<DEFINITION>", f"  {tagged('FOR', node)}"]
        lines += [f"  {tagged('GIVEN', parent)}" for parent in parents]
        rows = table.reshape(-1, table.shape[-1]).tolist()
        lines += ["  <TABLE>", *(f"    {' '.join(map(repr, row))}" for row in rows), "  </TABLE>", "</DEFINITION>"]
    return "\n".join([*lines, "</NETWORK>", "</BIF>"]) + "\n"
