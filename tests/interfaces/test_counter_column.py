"""A column that counts the rows is known by a field of its own, in files too, and never by the words of its hint."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import likely
from likely.core.schema import Column
from likely.core.schema_union import join
from likely.models.notes import notes


@pytest.fixture
def fitted() -> Any:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"number": np.arange(100, 140), "size": rng.normal(size=40)})
    return likely.NaiveBayes().fit(frame, np.tile(["a", "b"], 20))


def rewritten(path: Path, change: Any) -> None:
    """The same file with its page changed."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    page = json.loads(members["model.json"])
    change(page["schema"]["columns"])
    members["model.json"] = json.dumps(page).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def told(model: Any) -> list[tuple[str, str]]:
    return [(note.code, note.column) for note in notes(model.model_)]


def test_it_is_told_whatever_the_hint_says(fitted: Any) -> None:
    columns = fitted.model_.schema.columns
    assert [column.counts_rows for column in columns] == [True, False]
    assert told(fitted) == [("counter", "number")]
    schema = replace(fitted.model_.schema, columns=(replace(columns[0], hint="other words"), columns[1]))
    assert notes(replace(fitted.model_, schema=schema))[0].code == "counter"


def test_it_is_saved_and_read(fitted: Any, tmp_path: Path) -> None:
    path = tmp_path / "m.likely"
    fitted.save(path)
    assert likely.load(path).model_.schema == fitted.model_.schema
    rewritten(path, lambda columns: columns[0].update(hint="other words"))
    assert told(likely.load(path)) == [("counter", "number")]


def test_files_from_before_the_field_are_read_by_their_hint(fitted: Any, tmp_path: Path) -> None:
    path = tmp_path / "m.likely"
    fitted.save(path)
    rewritten(path, lambda columns: columns[0].pop("counts_rows"))
    assert told(likely.load(path)) == [("counter", "number")]
    assert likely.load(path).model_.schema == fitted.model_.schema


def test_parts_together_count_the_rows_if_none_speaks_against_it() -> None:
    counter, plain = Column("x", "real", hint="h", counts_rows=True), Column("x", "real")
    assert join(counter, counter).counts_rows
    assert not join(counter, plain).counts_rows
    assert not join(plain, counter).counts_rows
