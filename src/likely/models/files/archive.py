"""Model files: a zip of one JSON page and plain arrays; written atomically; reading one runs nothing."""

from __future__ import annotations

import io
import json
import math
import os
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import Any, TypeVar, cast

import numpy as np

from likely.core.date_layouts import DATE_PARTS
from likely.core.numerics import Array
from likely.core.reading import Reading
from likely.core.schema import ALL_ROWS, DESCRIPTIONS, DISCRETE, KINDS, SKIP, UNLIKE, Column, Grid, Parzen, Schema, Text
from likely.errors import StoreError
from likely.models.files.field_types import checked_value, damaged
from likely.output.atomic_write import atomic_write, check_place, check_readable

T = TypeVar("T")
Reader = Callable[[str], Array]
FILE_FORMAT = "likely model"
FILE_VERSION = 6  # the last that this likely reads: the first in which there are pools
PAGE_NAME = "model.json"
MEMBER_NAME = re.compile(r"model\.json|\d+\.npy")
MOST_BYTES_OF_MODEL = 1 << 32  # bytes that a model may unpack to; a larger file is refused unread
BYTES_ALWAYS_READ = 1 << 26  # bytes that any file may unpack to
MOST_COMPRESSION = 900  # no model shrinks more than so much; a bomb of zeros does
MOST_PAGE_COMPRESSION = 200  # nor its page, of which every letter becomes a value
OLD_COUNTER = "counts the rows"  # in the hint of such a column, in files from before they said so by a key


def write_archive(path: str | os.PathLike[str], page: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    """Write a page and the arrays that it names; the old file stays until the new one is complete."""
    check_place(path)
    text = json.dumps({"format": FILE_FORMAT, **page}, ensure_ascii=False, allow_nan=False)
    with atomic_write(path) as name, zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        with archive.open(
            PAGE_NAME, "w"
        ) as entry:  # unlike writestr, it notes no time: the same model is the same bytes
            entry.write(text.encode())
        for key, array in arrays.items():
            with archive.open(key, "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, np.ascontiguousarray(array), allow_pickle=False)


def read_archive(path: str | os.PathLike[str], read: Callable[[Mapping[str, Any], Reader], T]) -> T:
    """What `read` makes of the page of a file and its arrays; a damaged or hostile file is refused."""
    place = os.fspath(path)
    check_readable(place, "F403", "name a file that model.save(path) wrote")
    try:
        with zipfile.ZipFile(place) as archive:
            _check_members(archive.infolist(), os.path.getsize(place))
            return read(_page(archive), lambda key: _read_array(archive, key))
    except StoreError as error:
        raise StoreError(error.code, error.message, place=error.place or place, hint=error.hint) from None
    except MemoryError:
        hint = "read it where there is more"
        raise StoreError("F407", "there is not enough memory for this model", place=place, hint=hint) from None
    except Exception as error:  # a damaged or hostile file may fail in any way, and must not do more than that
        raise StoreError(
            "F404",
            f"this is not a likely model, or it is damaged ({type(error).__name__})",
            place=place,
            hint="models are written by `likely fit` or model.save(path), and come before the rows they are to judge; "
            "networks are read by likely.Network.read(path) and `likely network`",
        ) from None


def _page(archive: zipfile.ZipFile) -> dict[str, Any]:
    page = json.loads(_unpacked(archive, PAGE_NAME), parse_float=_finite, parse_constant=_finite)
    if page["format"] != FILE_FORMAT:
        raise damaged("this is not a likely model")
    if not isinstance(page["face"], dict) or not isinstance(page["version"], int) or page["version"] < 1:
        raise damaged("its first page cannot be read")
    if page["version"] > FILE_VERSION:
        message = f"the model is of version {page['version']}, this likely reads up to {FILE_VERSION}"
        raise StoreError("F406", message, hint="upgrade: pip install -U likely")
    return cast(dict[str, Any], page)


def _check_members(entries: Sequence[zipfile.ZipInfo], size: int) -> None:
    """An error if a zip of so many bytes is not one that a model was written to, or would unpack to too much."""
    names = [entry.filename for entry in entries]
    strange = next((name for name in names if not MEMBER_NAME.fullmatch(name)), None)
    message = "" if strange is None else f"it holds {strange[:80]!r}, which no model holds"
    if len({*names}) < len(names):
        message = "it holds two members of one name"
    whole, packed = sum(entry.file_size for entry in entries), sum(entry.compress_size for entry in entries)
    page = next((entry for entry in entries if entry.filename == PAGE_NAME), None)
    wordy = page is not None and page.file_size > max(1 << 20, MOST_PAGE_COMPRESSION * page.compress_size)
    if (
        whole > MOST_BYTES_OF_MODEL
        or (whole > BYTES_ALWAYS_READ and whole > MOST_COMPRESSION * packed)
        or packed > size
        or wordy
    ):
        message = "the file unpacks to more than a model may hold"
    if message:
        raise StoreError("F405", message, hint="do not trust this file")


def _unpacked(archive: zipfile.ZipFile, key: str) -> bytes:
    """What a member holds, which is no more than was checked."""
    entry = archive.getinfo(key)
    with archive.open(entry) as file:
        return file.read(entry.file_size)


def _finite(text: str) -> float:
    """A number of a page, all of which are finite."""
    number = float(text)
    if not np.isfinite(number):
        raise damaged(f"its page holds {text[:20]}, which is no number")
    return number


def _read_array(archive: zipfile.ZipFile, key: str) -> Array:
    """The array of a member whose header says no more and no less than the member holds."""
    data = io.BytesIO(_unpacked(archive, key))
    if np.lib.format.read_magic(data) != (1, 0):
        raise damaged("an array is of a version that is not written")
    shape, _, dtype = np.lib.format.read_array_header_1_0(data)
    room = data.getbuffer().nbytes - data.tell()
    if dtype.kind not in "fiub" or min(shape, default=0) < 0 or math.prod(shape) * dtype.itemsize != room:
        raise damaged("an array is not what its header says")
    data.seek(0)
    return np.ascontiguousarray(np.lib.format.read_array(data, allow_pickle=False))


def schema_page(schema: Schema) -> dict[str, Any]:
    """A schema as JSON."""
    return {
        "columns": [_column_page(column) for column in schema.columns],
        "target": _column_page(schema.target),
        "named": schema.named,
    }


def _column_page(column: Column) -> dict[str, Any]:
    page = {key: value for key, value in asdict(column).items() if value not in (None, "", ()) and value is not False}
    if column.cuts is not None:
        page["cuts"] = column.cuts  # none at all is not the same as no cuts
    if isinstance(column.levels, range):  # a matrix of words without names needs no list of them
        page["levels"] = len(column.levels)
    if column.reading is not None:
        page["reading"] = {
            key: value for key, value in asdict(column.reading).items() if value != getattr(Reading(), key)
        }
    return page


def read_schema(page: Mapping[str, Any]) -> Schema:
    """A schema from JSON."""
    columns, target = tuple(map(_read_column, page["columns"])), _read_column(page["target"])
    if not all(map(_sound, columns)) or not ((_sound(target) and target.kind == "category") or _amount(target)):
        raise damaged("its columns are none that rows can have")
    return checked_value(Schema, {"columns": columns, "target": target, "named": page["named"]})


def _read_column(page: Mapping[str, Any]) -> Column:
    given = dict(page)
    levels = given.get("levels", ())
    given["levels"] = range(levels) if isinstance(levels, int) and given.get("wide") else tuple(levels)
    given["declared"] = tuple(given.get("declared", ()))
    given.setdefault("counts_rows", OLD_COUNTER in str(given.get("hint", "")))
    if "cuts" in given:
        given["cuts"] = tuple(given["cuts"])
    if "span" in given:
        given["span"] = tuple(given["span"])
    if "form" in given:
        given["form"] = checked_value(Parzen if "kernel" in given["form"] else Text, given["form"])
    if "reading" in given:
        said = dict(given["reading"])
        several = {key: tuple(said.get(key, ())) for key in ("words", "marks", "spared")}
        given["reading"] = checked_value(Reading, {**said, **several})
    if "grid" in given:
        given["grid"] = checked_value(Grid, given["grid"])
    return checked_value(Column, given)


def _amount(target: Column) -> bool:
    """Whether it is a target of numbers."""
    plain = target.grid is None and target.cuts is None and target.form is None
    return plain and target.kind == "real" and target.levels == ALL_ROWS


def _sound(column: Column) -> bool:
    """Whether it is a column that rows can have: what is built upon it trusts that."""
    levels, cuts, grid, kind = column.levels, column.cuts, column.grid, column.kind
    distinct = isinstance(levels, range) or len({*levels}) == len(levels)
    leveled = not levels or kind in (*DISCRETE, "text")
    smooth = kind == "parzen" or column.described == "parzen"
    gridded = grid is not None if smooth or kind == "cut" else grid is None
    return (
        kind in (*KINDS, *DISCRETE, SKIP)
        and distinct
        and leveled
        and {*column.declared} <= {*levels[: len(column.declared)]}
        and (not column.wide or kind == "text")
        and isinstance(column.form, Parzen if smooth else Text if kind == "text" else type(None))
        and (not column.described or (kind == "real" and column.described in (*DESCRIPTIONS, UNLIKE)))
        and (column.described != "bins" or cuts is not None)
        and gridded
        and (grid is None or 0 < grid.nodes <= 2 * Grid.NODES + 4)
        and (cuts is None or all(one < other for one, other in pairwise(cuts)))
        and (kind != "cut" or (cuts is not None and len(cuts) + 1 == len(levels)))
        and column.lone in (None, 0, 1)
        and (column.reading is None or column.reading.sound)
        and bool(column.origin) == bool(column.date_part)
        and column.date_part in ("", *DATE_PARTS)
        and (column.span is None or -np.inf < column.span[0] <= column.span[1] < np.inf)
    )
