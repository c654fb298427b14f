"""XML read into plain elements: nothing is fetched, no entity is expanded, and every element knows where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from likely.errors import nearest
from likely.networks.formats.parts import NetworkDraft, TableSlot
from likely.networks.formats.token_reader import FileText, shown

_DEPTH = 40  # no network nests deeper
_PIECE = re.compile(rb"<!--.*?-->|<[^>]*>|[^\s<]+", re.DOTALL)  # of the inside of an element, as bytes
_BREAKS = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}


@dataclass(eq=False)
class Element:
    """A tag with its attributes, its own text and its children; `at` is the byte at which it starts."""

    tag: str
    attributes: dict[str, str]
    at: int
    children: list[Element] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text of the element: without the blanks around it, unless it says that they are meant."""
        text = "".join(self.pieces)
        return text if self.attributes.get("xml:space") == "preserve" else text.strip()

    def of(self, *tags: str) -> Iterator[Element]:
        """The children with one of some tags."""
        return (child for child in self.children if child.tag in tags)


class Document(FileText):
    """A text of XML; `at` is a byte of it."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__(text, name)
        self.bytes = text.encode("utf-8")
        self._parser = expat.ParserCreate("utf-8")  # whatever the text says of itself, it is decoded already
        self._open: list[Element] = []

    def offset(self, at: int) -> int:
        return len(self.bytes[:at].decode("utf-8", "ignore"))

    def root(self, tag: str) -> Element:
        """The outermost element, which must have this tag."""
        top = Element("", {}, 0)
        self._open.append(top)
        parser = self._parser
        parser.StartElementHandler = self._start
        parser.EndElementHandler = lambda _tag: self._open.pop()
        parser.CharacterDataHandler = lambda text: self._open[-1].pieces.append(text)
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = lambda name, *_rest: self._refuse(f"defines an entity, {shown(name)}")
        parser.NotationDeclHandler = lambda name, *_rest: self._refuse(f"refers to a notation, {shown(name)}")
        try:
            parser.Parse(self.bytes, True)
        except expat.ExpatError as error:
            raise self._malformed(error) from None
        found = top.children[0]
        if found.tag != tag:
            raise self.error("F414", f"expected <{tag}>, found <{shown(found.tag)[1:-1]}>", found.at)
        return found

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        at = self._parser.CurrentByteIndex
        if len(self._open) > _DEPTH:
            raise self.error("F414", f"elements nested more than {_DEPTH} deep", at)
        element = Element(tag, attributes, at)
        self._open[-1].children.append(element)
        self._open.append(element)

    def _doctype(self, _name: str, system: str | None, public: str | None, _internal: bool) -> None:
        if system is not None or public is not None:
            self._refuse(f"refers to {shown(system or public or '')}, outside of it")

    def _refuse(self, what: str) -> None:
        hint = "take it out of the DOCTYPE, which may declare elements and attributes only"
        raise self.error("F415", f"the document {what}", self._parser.CurrentByteIndex, hint)

    def _malformed(self, error: expat.ExpatError) -> Exception:
        at = self._parser.ErrorByteIndex
        near = self.bytes[at : at + 40].decode("utf-8", "ignore")
        message = f"expected XML, found {shown(near[:20])}: {expat.ErrorString(error.code)}"
        if error.code == expat.errors.codes[expat.errors.XML_ERROR_TAG_MISMATCH]:
            message = f"expected </{self._open[-1].tag}>, found </{near.partition('>')[0]}>"  # `at` is after its </
        elif len(self._open) > 1 and at >= len(self.bytes.rstrip()):
            message = f"expected </{self._open[-1].tag}>, found the end"
        return self.error("F414", message, at)

    def allow(self, element: Element, *tags: str) -> None:
        """Refuse other children than these, and texts between them."""
        for child in element.children:
            if child.tag not in tags:
                what = f"one of {', '.join(f'<{tag}>' for tag in tags)}" if tags else "text only"
                message = f"expected {what} in <{element.tag}>"
                found = f"found <{child.tag[:40]}>.{nearest(child.tag[:40], tags)}"
                raise self.error("F414", f"{message}, {found}", child.at)
        if tags and (text := "".join(element.pieces).strip()):
            raise self.error("F414", f"expected no text in <{element.tag}>, found {shown(text)}", element.at)

    def only(self, element: Element, tag: str) -> Element:
        """The one child with a tag."""
        found = list(element.of(tag))
        if len(found) != 1:
            at = found[1].at if found else element.at
            raise self.error("F414", f"expected one <{tag}> in <{element.tag}>, found {len(found)}", at)
        self.allow(found[0])
        return found[0]

    def attribute(self, element: Element, name: str) -> str:
        """The value of an attribute that an element must have."""
        if name not in element.attributes:
            raise self.error("F414", f"expected an attribute {name!r} of <{element.tag}>, found none", element.at)
        return element.attributes[name]

    def piece_at(self, element: Element, number: int) -> int:
        """Where the `number`-th word of the text of an element stands; worked out only for an error."""
        start = self.bytes.find(b">", element.at) + 1
        for found in _PIECE.finditer(self.bytes, start):
            if found[0].startswith(b"</"):
                break
            if not found[0].startswith(b"<"):
                if not number:
                    return found.start()
                number -= 1
        return element.at

    def fill(self, draft: NetworkDraft, slot: TableSlot, element: Element) -> None:
        """Fill a table with the numbers of an element: own level fastest, first parent slowest."""
        texts = element.text.split()
        draft.count(slot, len(texts), element.at)
        values = self.numbers(texts, lambda i: self.piece_at(element, i))
        draft.fill(slot, values.reshape(-1, slot.own), lambda row: self.piece_at(element, row * slot.own))


def tagged(tag: str, text: str) -> str:
    """An element that holds a text, blanks at its ends included.

    >>> tagged("NAME", "a < b"), tagged("NAME", " a")
    ('<NAME>a &lt; b</NAME>', '<NAME xml:space="preserve"> a</NAME>')
    """
    space = ' xml:space="preserve"' if text != text.strip() else ""
    return f"<{tag}{space}>{escape(text, _BREAKS)}</{tag}>"


def attributed(value: str) -> str:
    """The value of an attribute, in quotes."""
    return quoteattr(value, _BREAKS)
