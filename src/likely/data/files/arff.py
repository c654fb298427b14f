"""Read Weka's ARFF files into Arrow tables, keeping the declared levels and their order (errors D301 to D315)."""

from __future__ import annotations

import gzip
import math
import os
import re
import zlib
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from likely.errors import DataError, nearest

if TYPE_CHECKING:
    import pyarrow as pa

_QUOTED_VALUE = r"""'([^'\\]*(?:\\.[^'\\]*)*)'(?![^\s,{}])|"([^"\\]*(?:\\.[^"\\]*)*)"(?![^\s,{}])"""
_BARE_VALUE = r"""([^\s,{}'"][^\s,{}]*)"""
# As in Weka, commas and blanks both part values. The last group catches what is no value: an empty place between
# commas, a bare brace, a quote that does not close.
_TOKEN = re.compile(rf"{_QUOTED_VALUE}|{_BARE_VALUE}|(^,|,\s*(?=,|$)|[^\s,])", re.ASCII)
# A line without any of these can go through str.split, which is several times faster than _TOKEN.
_SPECIAL = re.compile(r"""['"{}\s]|,,|^,|,$|^$""", re.ASCII)
# A percent sign starts a comment at the start of a line or after a blank, but neither inside quotes nor in "50%".
_COMMENT = re.compile(rf"((?<![^\s,{{])(?:{_QUOTED_VALUE}))|(?<!\S)%.*", re.ASCII)
_NUMERIC = r"(?:(?P<integer>integer)|(?P<numeric>numeric|real))(?:\s*\[.*\])?"
_TYPE = rf"\{{(?P<nominal>.*)\}}|{_NUMERIC}|(?P<string>string|date(?:\s.*)?)"
_ATTRIBUTE = re.compile(
    rf"@attribute\s+({_QUOTED_VALUE}|{_BARE_VALUE})(?:\s+|(?=\{{))(?:{_TYPE})", re.ASCII | re.IGNORECASE
)
# float() alone would also take "nan", "inf", "1_000" and the digits of other scripts.
_NOMINAL_NUMBER = re.compile(r"([+-]?\d+)|[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_BLANK = " \t\f\v"  # what the patterns call \s; strip() alone would also take no-break spaces off a value
_TOKEN_FAULTS = {
    ",": ("D309", "an empty value", "write ? if it is missing, '' if it is empty"),
    "{": ("D310", "an unexpected {", "quote a value that holds a brace; weights {w} are not read"),
    "}": ("D310", "an unexpected }", "quote a value that holds a brace; weights {w} are not read"),
    "'": ("D308", "a quote ' that does not close", r"close it before a comma or blank; inside it write \'"),
    '"': ("D308", 'a quote " that does not close', r"close it before a comma or blank; inside it write \""),
}


class _Attribute(NamedTuple):
    name: str
    kind: str  # nominal, numeric, integer or string
    levels: list[str]
    default: str | None  # what a sparse row means where it says nothing


def read_arff(path: str | os.PathLike[str] | IO[Any]) -> pa.Table:
    r"""Read an ARFF file (plain or gzipped), or an open text or binary stream, into a `pyarrow.Table`.

    A nominal attribute becomes dictionary<int32, string> with exactly the declared levels in declared order, numeric
    and real become float64, integer int64, string and date string. Only an unquoted ? is missing. What a sparse row
    leaves out is the first level or 0, as in Weka, and missing for string and date.

    >>> import io
    >>> lines = ["@relation pets", "@attribute kind {cat, dog, '?'}", "@attribute 'kg now' real", "@data"]
    >>> table = read_arff(io.StringIO("\n".join([*lines, "dog, 7.5", "'?', ?  % quoted is a value, bare is missing"])))
    >>> table["kind"].to_pylist(), table["kg now"].to_pylist(), table["kind"].chunk(0).dictionary.to_pylist()
    (['dog', '?'], [7.5, None], ['cat', 'dog', '?'])
    """
    import pyarrow as pa  # late, so that importing likely does not import pyarrow

    text, source = _read(path)
    # Not splitlines: it would also part a line at form feeds, U+0085 and U+2028, which may stand inside values.
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    attributes, start = _header(lines, source)
    codes = {number: code for number, line in enumerate(lines[start:], start + 1) if (code := _code(line))}
    rows = [_row(code, attributes, f"{source}, line {number}") for number, code in codes.items()]
    arrays = [_column(a, [row[j] for row in rows], list(codes), source) for j, a in enumerate(attributes)]
    return pa.Table.from_arrays(arrays, names=[attribute.name for attribute in attributes])


def _read(path: str | os.PathLike[str] | IO[Any]) -> tuple[str, str]:
    """The whole text, and the name that errors give it."""
    if isinstance(path, (str, os.PathLike)):
        with open(path, "rb") as file:
            return _read(file)
    source = os.path.basename(str(getattr(path, "name", "<stream>")))
    raw = path.read()
    if not isinstance(raw, str):
        try:  # by gzip's signature rather than by suffix, so that binary streams work too
            raw = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
            raw = raw.decode("utf-8")
        except UnicodeDecodeError:
            raw = raw.decode("latin-1")
        except (OSError, EOFError, zlib.error) as error:
            raise DataError("D212", f"a damaged gzip file: {error}", place=source) from error
    text: str = raw.removeprefix("\ufeff")
    if "\0" in text:
        raise DataError("D302", "this is not a text file", place=source, hint="ARFF is text; save it as UTF-8")
    if not text.strip():
        raise DataError("D301", "the file is empty", place=source)
    return text, source


def _header(lines: list[str], source: str) -> tuple[list[_Attribute], int]:
    """The declared attributes, and the index of the line after @data."""
    attributes: dict[str, _Attribute] = {}
    for number, line in enumerate(lines, 1):
        code = _code(line)
        word = code.split(None, 1)[0].lower() if code else ""
        place = f"{source}, line {number}"
        if word == "@data":
            if not attributes:
                raise DataError("D304", "no @attribute line before @data", place=place)
            return list(attributes.values()), number
        if word == "@attribute":
            attribute = _attribute(code, place)
            if attributes.setdefault(attribute.name, attribute) is not attribute:
                raise DataError("D305", f"a second attribute {attribute.name!r}", place=place, hint="rename one")
        elif word not in ("", "@relation"):
            raise DataError("D306", f"no line of ARFF: {code[:40]!r}", place=place, hint="is this an ARFF file?")
    raise DataError("D303", "no @data line", place=source, hint="the rows come after a line that says @data")


def _attribute(code: str, place: str) -> _Attribute:
    found = _ATTRIBUTE.fullmatch(code)
    if found is None:
        _tokens(code.partition("{")[0], place)  # a quote that does not close has its own error
        hint = "write @attribute name type; types: numeric, real, integer, string, date, {level, ...} on one line"
        raise DataError("D306", f"an attribute that cannot be read: {code[:60]!r}", place=place, hint=hint)
    name, kind = "?" if found[1] == "?" else str(_tokens(found[1], place)[0]), str(found.lastgroup)
    place = f"{place}, attribute {name!r}"
    # A bare ? among the levels is a level, as in Weka; in the rows only a quoted '?' can mean it.
    levels = ["?" if level is None else level for level in _tokens((found["nominal"] or "").strip(_BLANK), place)]
    if len(set(levels)) < len(levels):
        raise DataError("D307", f"level {max(levels, key=levels.count)!r} is declared twice", place=place)
    return _Attribute(name, kind, levels, next(iter(levels), None if kind in ("nominal", "string") else "0"))


def _code(line: str) -> str:
    """The line without blanks around it and without its comment."""
    code = line.strip(_BLANK)
    return _COMMENT.sub(r"\1", code).rstrip(_BLANK) if "%" in code else code


def _tokens(text: str, place: str) -> list[str | None]:
    """The values of a line; None is missing, so that a quoted '?' stays a value."""
    if not _SPECIAL.search(text):
        return [None if value == "?" else value for value in text.split(",")]
    values: list[str | None] = []
    for single, double, word, wrong in _TOKEN.findall(text):
        if wrong:
            fault, message, hint = _TOKEN_FAULTS[wrong[0]]
            raise DataError(fault, message, place=place, hint=hint)
        quoted = single or double
        if "\\" in quoted:
            quoted = re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t", "r": "\r"}.get(found[1], found[1]), quoted)
        values.append(None if word == "?" else word or quoted)
    return values


def _row(code: str, attributes: list[_Attribute], place: str) -> list[str | None]:
    """The values of a data line, one for each attribute."""
    if code[0] != "{":
        values = _tokens(code, place)
        if len(values) != len(attributes):
            fault, much = ("D311", "few") if len(values) < len(attributes) else ("D312", "many")
            message = f"too {much} values: {len(values)} for {len(attributes)} attributes"
            raise DataError(fault, message, place=place, hint="write ? for missing; quote values with commas or blanks")
        return values
    pairs = _tokens(code[1:-1].strip(_BLANK), place) if code[-1] == "}" else [None]
    row = {str(at): attribute.default for at, attribute in enumerate(attributes)}
    given = [str(at) for at in pairs[::2]]
    if len(pairs) % 2 or len(set(given)) < len(given) or not row.keys() >= set(given):
        hint = f"as in {{0 2.5, 3 yes}}, each index once and from 0 to {len(row) - 1}"
        raise DataError("D315", f"not a sparse row: {code[:40]!r}", place=place, hint=hint)
    return list((row | dict(zip(given, pairs[1::2], strict=True))).values())


def _column(attribute: _Attribute, values: list[str | None], numbers: list[int], source: str) -> Any:
    import pyarrow as pa

    if attribute.kind == "string":
        return pa.array(values, pa.string())
    known: dict[str | None, float] = {level: code for code, level in enumerate(attribute.levels)}
    for value, number in zip(values, numbers, strict=True):
        if value is not None and value not in known:  # each distinct value once, since columns repeat a lot
            known[value] = _number(value, attribute, f"{source}, line {number}, attribute {attribute.name!r}")
    found = [known.get(value) for value in values]
    if attribute.kind == "nominal":
        return pa.DictionaryArray.from_arrays(pa.array(found, pa.int32()), pa.array(attribute.levels, pa.string()))
    return pa.array(found, pa.int64() if attribute.kind == "integer" else pa.float64())


def _number(text: str, attribute: _Attribute, place: str) -> float:
    """The number that a text says; for a nominal attribute, what comes here is not one of its levels."""
    if attribute.kind == "nominal":
        message = f"{text[:60]!r} is not a declared level.{nearest(text, attribute.levels)}"
        raise DataError("D313", message, place=place, hint=f"declared are {', '.join(attribute.levels)}"[:100])
    found = _NOMINAL_NUMBER.fullmatch(text)
    if found and math.isfinite(value := float(text)):
        if attribute.kind == "numeric":
            return value
        whole = int(found[1] or value)  # not through float where it can be avoided: that would round beyond 2**53
        if (found[1] or whole == value) and -(2**63) <= whole < 2**63:
            return whole
    what = "a finite number" if attribute.kind == "numeric" else "a whole number, as declared"
    raise DataError("D314", f"{text[:60]!r} is not {what}", place=place, hint="write ? for a missing value")
