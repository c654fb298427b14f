"""Model files that are damaged or made to harm: bytes, words of the page, headers and numbers of arrays, members."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

Members = dict[str, bytes]
Random = np.random.Generator
PAGE = "model.json"
ODD: tuple[Any, ...] = (
    *(None, True, False, "", "x", "nan", [], [[]], {}, {"x": 1}, [None], ["a", "a"], [[1, 2], [3]], "9" * 400),
    *(0, 1, -1, 2, 0.5, -0.5, 1e308, -1e308, 1e-320, float("nan"), float("inf"), -float("inf")),
    *(2**31, 2**53, 2**63, 10**30, -(2**63)),
)
SHAPES = (
    *("()", "(0,)", "(1,)", "(-1,)", "(2, 2)", "(3, 3, 3)", "(1000000000000,)", "(99999, 99999)"),
    *("(4294967296, 4294967296)", "(0, 99999999999)"),
)
TYPES = (
    *("'|O'", "'>f8'", "'<f4'", "'<i8'", "'<f8'", "'|b1'", "'<U9'", "'<c16'", "'|V8'", "'<M8[s]'", "'<u8'", "'<i4'"),
    "[('a', '<f8')]",
)


def unpacked(data: bytes) -> Members:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(members: Mapping[str, bytes], more: Mapping[str, bytes] | None = None) -> bytes:
    """A zip of members, then of `more`, which may have the names of some of them."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for some in (members, more or {}):
            for name, data in some.items():
                info = zipfile.ZipInfo(name)
                info.compress_type = zipfile.ZIP_DEFLATED
                if info.filename not in archive.NameToInfo:
                    archive.writestr(info, data)
                else:  # without the warning
                    del archive.NameToInfo[info.filename]
                    archive.writestr(info, data)
    return file.getvalue()


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where everything in a document lies."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield (*path, key)
        yield from places(part, (*path, key))


def _holder(page: Any, path: tuple[Any, ...]) -> Any:
    for key in path[:-1]:
        page = page[key]
    return page


def _pick(rng: Random, some: Any) -> Any:
    return some[int(rng.integers(len(some)))]


def _path(rng: Random, page: Any) -> tuple[Any, ...]:
    """A place, those of long lists no likelier than others."""
    path: tuple[Any, ...] = ()
    while isinstance(page, dict | list) and page and (not path or rng.random() < 0.8):
        key = _pick(rng, list(page) if isinstance(page, dict) else range(len(page)))
        path, page = (*path, key), page[key]
    return path


def spoil_bytes(data: bytes, rng: Random) -> bytes:
    out = bytearray(data)
    at, much = int(rng.integers(len(out))), int(rng.integers(1, 40))
    what = rng.integers(5)
    if what == 0:
        for place in rng.integers(len(out), size=int(rng.integers(1, 9))):
            out[place] ^= 1 << int(rng.integers(8))
    elif what == 1:
        del out[at:]
    elif what == 2:
        del out[at : at + much]
    elif what == 3:
        out[at:at] = rng.bytes(much)
    else:
        out[at : at + much] = out[:much]
    return bytes(out)


def spoil_page(members: Members, rng: Random) -> Members:
    page = json.loads(members[PAGE])
    for _ in range(int(rng.integers(1, 3))):
        _spoil_place(page, rng)
    return {**members, PAGE: json.dumps(page).encode()}


def _spoil_place(page: Any, rng: Random) -> None:
    path = _path(rng, page)
    if not path:
        return
    holder, key = _holder(page, path), path[-1]
    old, what = holder[key], rng.integers(7)
    if what == 0 and isinstance(holder, dict):
        del holder[key]
    elif what == 1 and isinstance(old, list) and old:
        old.append(_pick(rng, old)) if rng.random() < 0.5 else old.pop(int(rng.integers(len(old))))
    elif what == 2 and isinstance(old, int | float) and not isinstance(old, bool):
        holder[key] = _pick(rng, (old + 1, old - 1, -old, old * 1000, old / 3, float(old), str(old), 10**9, 10**6))
    elif what == 3:
        other = _path(rng, page)
        if other and other[: len(path)] != path and path[: len(other)] != other:
            there = _holder(page, other)
            holder[key], there[other[-1]] = there[other[-1]], old
    elif what == 4 and isinstance(holder, dict):
        holder[_pick(rng, ("is", "of", "array", "pairs", "estimator", "x", "levels", "cuts", "form"))] = holder.pop(key)
    elif what == 5:
        holder[key] = _pick(rng, ([old], {"array": "0.npy"}, {"pairs": [[1, old]]}, {key: old}, [old, old]))
    else:
        holder[key] = _pick(rng, ODD)


def spoil_text(members: Members, rng: Random) -> Members:
    text = members[PAGE].decode()
    what = rng.integers(4)
    if what == 0:
        numbers = list(re.finditer(r"-?\d+(\.\d+)?", text))
        found = _pick(rng, numbers)
        new = _pick(rng, ("NaN", "Infinity", "-Infinity", "1e999", "-0", "9" * 5000, "1" + "0" * 40, "0.1e-400"))
        text = text[: found.start()] + new + text[found.end() :]
    elif what == 1:
        at, deep = int(rng.integers(len(text))), int(rng.integers(1, 3000))
        text = text[:at] + "[" * deep + "]" * deep + text[at:]
    elif what == 2:
        at = int(rng.integers(len(text)))
        text = text[:at] + _pick(rng, list('"{}[],:0-eé\0\\')) + text[at + 1 :]
    else:
        words = list(re.finditer(r'"[a-z_]+"', text))
        one, other = _pick(rng, words), _pick(rng, words)
        text = text[: one.start()] + other.group() + text[one.end() :]
    return {**members, PAGE: text.encode("utf-8", "replace")}


def _array(rng: Random, members: Members) -> str:
    return str(_pick(rng, [name for name in members if name != PAGE]))


def spoil_header(members: Members, rng: Random) -> Members:
    name = _array(rng, members)
    data, what = members[name], rng.integers(4)
    size = int.from_bytes(data[8:10], "little")
    head = data[10 : 10 + size].decode("latin1")
    if what == 0:
        head = re.sub(r"\([\d, ]*\)", _pick(rng, SHAPES), head, count=1)
    elif what == 1:
        kind = _pick(rng, TYPES)
        head = re.sub(r"'descr': '[^']*'", f"'descr': {kind}", head)
    elif what == 2:
        head = head.replace("False", "True")
    else:
        at = int(rng.integers(len(head)))
        head = head[:at] + chr(int(rng.integers(32, 127))) + head[at + 1 :]
    head = head[:size].ljust(size) if rng.random() < 0.9 else head.strip()
    return {**members, name: data[:8] + len(head).to_bytes(2, "little") + head.encode("latin1") + data[10 + size :]}


def spoil_values(members: Members, rng: Random) -> Members:
    name = _array(rng, members)
    array = np.lib.format.read_array(io.BytesIO(members[name]), allow_pickle=False)
    if not array.size:
        return members
    array, what = array.copy(), rng.integers(6)
    with np.errstate(all="ignore"):
        if what == 0 and array.dtype.kind == "f":
            array.flat[int(rng.integers(array.size))] = _pick(
                rng, (np.nan, np.inf, -np.inf, -1.0, 1e300, -1e300, 1e-320, 0.5)
            )
        elif what == 0:
            last = np.iinfo(array.dtype).max if array.dtype.kind in "iu" else 1
            array.flat[int(rng.integers(array.size))] = _pick(
                rng, (0, 1, last, last - 1, last // 2, 10**6 % (last + 1))
            )
        elif what == 1:
            array[...] = _pick(rng, (0, 1, -1 if array.dtype.kind in "if" else 0))
        elif what == 2:
            array = -array if array.dtype.kind in "if" else ~array
        elif what == 3:
            array = array.astype(_pick(rng, ("f8", "i8", "f4", "i4", "u1", "?", "c16")))
        elif what == 4:
            rng.shuffle(array.reshape(-1))
        else:
            array = _pick(
                rng, (array[:-1], array[..., None], array.T, array.reshape(-1), np.concatenate([array, array]))
            )
    return {**members, name: _npy(array)}  # fmt: skip


def _npy(array: Any) -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array(file, np.asarray(array), allow_pickle=False)
    return file.getvalue()


def spoil_members(members: Members, rng: Random) -> bytes:
    name, other, what = _array(rng, members), _array(rng, members), rng.integers(7)
    if what == 0:
        members = {**members, name: members[other], other: members[name]}
    elif what == 1:
        members = {key: data for key, data in members.items() if key != name}
    elif what == 2:
        return packed(members, {name: members[other]})
    elif what == 3:
        members = {**members, "../x" if rng.random() < 0.5 else "999.npy": members[name]}
    elif what == 4:
        members = {**members, name: _npy(np.zeros(int(rng.integers(1, 30)) << 20, dtype=np.uint8))}
    elif what == 5:
        members = {**members, name: members[name] + rng.bytes(20)}
    else:
        members = {**members, name: members[PAGE], PAGE: members[name]}
    return packed(members)


def spoil_sizes(members: Members, rng: Random) -> bytes:
    """The directory of the zip says another size than the member has."""
    data = bytearray(packed(members))
    starts = [found.start() for found in re.finditer(b"PK\x01\x02", bytes(data))]
    at = _pick(rng, starts) + int(_pick(rng, (20, 24)))
    data[at : at + 4] = int(_pick(rng, (0, 1, 2**20, 2**28, 2**31, 2**32 - 2))).to_bytes(4, "little")
    return bytes(data)


def spoil_mixture(members: Members, rng: Random, others: Callable[[], bytes]) -> Members:
    """Some of one model, some of another."""
    other = unpacked(others())
    mine, theirs = json.loads(members[PAGE]), json.loads(other[PAGE])
    if rng.random() < 0.4:
        return {**other, PAGE: members[PAGE]}
    key = _pick(rng, sorted({*mine} & {*theirs}))
    return {**members, PAGE: json.dumps({**mine, key: theirs[key]}).encode()}


def mutated(data: bytes, rng: Random, others: Callable[[], bytes]) -> bytes:
    """The file, changed in one way; `others` gives files of other models."""
    way = rng.choice(8, p=(0.1, 0.35, 0.1, 0.1, 0.2, 0.06, 0.04, 0.05))
    if way == 0:
        return spoil_bytes(data, rng)
    members = unpacked(data)
    if way >= 5:
        if way == 5:
            return spoil_members(members, rng)
        if way == 6:
            return spoil_sizes(members, rng)
        return packed(spoil_mixture(members, rng, others))
    spoil = (spoil_page, spoil_text, spoil_header, spoil_values)[way - 1]
    return packed(spoil(members, rng))
