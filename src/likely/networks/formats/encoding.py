"""Bytes as text: UTF-8, or what an XML file says of itself; anything else is said or refused."""

from __future__ import annotations

import re

from likely.errors import StoreError
from likely.networks.formats.token_reader import FileText

_BOM = b"\xef\xbb\xbf"
_DECLARED = re.compile(rb"""<\?xml[^>]{0,80}?\bencoding\s*=\s*["']([A-Za-z0-9._-]{1,30})["']""")
_KNOWN = frozenset(
    ("us-ascii", "iso-8859-1", "iso-8859-15", "windows-1252", "gb2312", "gbk", "gb18030", "big5", "shift_jis", "euc-kr")
)
_BINARY = re.compile("[\x00-\x08\x0e-\x1f\ud800-\udfff]")
_LATIN_CONTROLS = re.compile(b"[\x80-\x9f]")  # control characters in Latin-1, which no text holds


def decoded(data: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    """The text of a file, and what there is to say about it."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FileText("", name).error("F413", "expected text in UTF-8, found UTF-16", 0, "save the file as UTF-8")
    data = data.removeprefix(_BOM)
    declared = _DECLARED.match(data)
    encoding = declared[1].decode("ascii").lower() if declared else ""
    encoding = encoding if encoding in _KNOWN else "utf-8"
    try:
        return cleaned(data.decode(encoding), name), ()
    except UnicodeDecodeError as error:
        if encoding == "utf-8" and not _LATIN_CONTROLS.search(data):
            note = "not UTF-8: read as Latin-1; look at names that are not plain ASCII"
            return cleaned(data.decode("latin-1"), name), (note,)
        raise _undecodable(data, encoding, error.start, name) from None


def _undecodable(data: bytes, encoding: str, start: int, name: str) -> StoreError:
    before = data[:start].decode(encoding, "replace")
    message = f"expected text in {encoding.upper()}, found the byte 0x{data[start]:02x}"
    return FileText(before, name).error("F413", message, len(before), "save the file as UTF-8")


def cleaned(text: str, name: str) -> str:
    """A text whose lines end in newlines only, if it is a text at all."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise FileText(text, name).error("F427", "expected a network, found nothing", 0)
    if found := _BINARY.search(text):
        message = f"expected text, found {found[0]!r}"
        raise FileText(text, name).error(
            "F413", message, found.start(), "this is no file of a network, or it is damaged"
        )
    return text
