"""Model files: a zip of one JSON page and plain arrays; written atomically; reading one runs nothing."""

from __future__ import annotations

import io
import json
import os
import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, TypeVar

import numpy as np

from likely.errors import StoreError
from likely.numerics import Array
from likely.placing import check_place, check_readable, replacing
from likely.schema import Column, Grid, Parzen, Schema, Text

T = TypeVar("T")
Reader = Callable[[str], Array]
FORMAT = "likely model"
VERSION = 3  # the last that this likely reads
PAGE = "model.json"
MEMBER = re.compile(r"model\.json|\d+\.npy")
LIMIT = 1 << 32  # bytes that a model may unpack to; a larger file is refused unread
SMALL = 1 << 26  # bytes that any file may unpack to
RATIO = 900  # no model shrinks more than so much; a bomb of zeros does


def write_archive(path: str | os.PathLike[str], page: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    """Write a page and the arrays that it names; the old file stays until the new one is complete."""
    check_place(path)
    with replacing(path) as name, zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr(PAGE, json.dumps({"format": FORMAT, **page}, ensure_ascii=False, allow_nan=False))
        for key, array in arrays.items():
            with archive.open(key, "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, np.ascontiguousarray(array), allow_pickle=False)


def read_archive(path: str | os.PathLike[str], read: Callable[[Mapping[str, Any], Reader], T]) -> T:
    """What `read` makes of the page of a file and its arrays; a damaged or hostile file is refused."""
    place = os.fspath(path)
    check_readable(place, "F403", "name a file that model.save(path) wrote")
    try:
        with zipfile.ZipFile(place) as archive:
            return read(_page(archive, place), lambda key: _read_array(archive, key))
    except StoreError as error:
        raise StoreError(error.code, error.message, place=error.place or place, hint=error.hint) from None
    except Exception as error:  # a damaged or hostile file may fail in any way, and must not do more than that
        raise StoreError(
            "F404",
            f"this is not a likely model, or it is damaged ({type(error).__name__})",
            place=place,
            hint="models are written by `likely fit` or model.save(path), and come before the rows they are to judge; "
            "networks are read by likely.Network.read(path) and `likely network`",
        ) from None


def _page(archive: zipfile.ZipFile, place: str) -> dict[str, Any]:
    entries = archive.infolist()
    strange = next((entry.filename for entry in entries if not MEMBER.fullmatch(entry.filename)), None)
    if strange is not None:
        message = f"it holds {strange[:80]!r}, which no model holds"
        raise StoreError("F405", message, place=place, hint="do not trust this file")
    whole, packed = sum(entry.file_size for entry in entries), sum(entry.compress_size for entry in entries)
    if whole > LIMIT or (whole > SMALL and whole > RATIO * packed):
        raise StoreError(
            "F405", "the file unpacks to more than a model may hold", place=place, hint="do not trust this file"
        )
    page: dict[str, Any] = json.loads(archive.read(PAGE))
    if page["format"] != FORMAT:
        raise StoreError("F404", "this is not a likely model", place=place, hint="save the model again")
    if not isinstance(page["face"], dict) or not isinstance(page["version"], int) or page["version"] < 1:
        raise StoreError("F404", "its first page cannot be read", place=place, hint="save the model again")
    if page["version"] > VERSION:
        raise StoreError(
            "F406",
            f"the model is of version {page['version']}, this likely reads up to {VERSION}",
            place=place,
            hint="upgrade: pip install -U likely",
        )
    return page


def _read_array(archive: zipfile.ZipFile, key: str) -> Array:
    with archive.open(key) as entry:
        return np.asarray(np.lib.format.read_array(io.BytesIO(entry.read()), allow_pickle=False))


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
    return page


def read_schema(page: Mapping[str, Any]) -> Schema:
    """A schema from JSON."""
    return Schema(tuple(map(_read_column, page["columns"])), _read_column(page["target"]), page["named"])


def _read_column(page: Mapping[str, Any]) -> Column:
    given = dict(page)
    levels = given.get("levels", ())
    given["levels"] = range(levels) if isinstance(levels, int) else tuple(levels)
    given["declared"] = tuple(given.get("declared", ()))
    if "cuts" in given:
        given["cuts"] = tuple(given["cuts"])
    if "form" in given:
        given["form"] = Parzen(**given["form"]) if "kernel" in given["form"] else Text(**given["form"])
    if "grid" in given:
        given["grid"] = Grid(**given["grid"])
    return Column(**given)
