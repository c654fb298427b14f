"""A file that fits into memory is read once, however often its rows are asked; one that does not, each time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import likely
from likely.cli.main import run
from likely.data.files.delimited import DelimitedTable
from likely.estimators.registry import make, models

RNG = np.random.default_rng(0)
TABLE = pd.DataFrame(
    {
        "word": RNG.choice(["x", "y", "z"], 120),
        "number": RNG.normal(size=120),
        "other": RNG.normal(size=120),
        "class": RNG.choice(["in", "out"], 120),
    }
)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A list that has one item for each time that a file was read."""
    found: list[Any] = []
    first: Callable[..., Any] = DelimitedTable.read
    monkeypatch.setattr(DelimitedTable, "read", lambda table, *said: found.append(table) or first(table, *said))
    return found


@pytest.fixture
def file(tmp_path: Path) -> Path:
    TABLE.to_csv(tmp_path / "table.csv", index=False)
    return tmp_path / "table.csv"


@pytest.mark.parametrize("name", [*models(numeric=False), *models(numeric=True)])
def test_a_fit_reads_a_file_once(reads: list[Any], file: Path, name: str) -> None:
    few = {"n_estimators": 2} if name in ("adaboost", "bagging") else {}
    numeric = name in models(numeric=True)
    likely.fit(file, "number" if numeric else "class", make(name, few))
    assert len(reads) == 1


@pytest.mark.parametrize("words", [("fit", "-t", "class"), ("fit", "-t", "class", "-m", "kdb"), ("network", "learn")])
def test_a_verb_reads_a_file_once(reads: list[Any], tmp_path: Path, words: tuple[str, ...]) -> None:
    """Also where a column counts the rows and is set aside, and where every row is left out to judge the model."""
    TABLE.assign(id=range(120)).to_csv(tmp_path / "counted.csv", index=False)
    at = 2 if words[0] == "network" else 1
    assert not run([*words[:at], str(tmp_path / "counted.csv"), *words[at:], "--quiet"])
    assert len(reads) == 1


@pytest.mark.parametrize("name", ["naive", "tan", "network"])
def test_a_file_that_does_not_fit_is_read_each_time_and_gives_the_same_model(
    reads: list[Any], file: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = likely.fit(file, "class", name).predict_log_proba(TABLE.drop(columns="class"))
    assert len(reads) == 1
    monkeypatch.setattr("likely.data.arrow.MOST_KEPT", 1000)
    again = likely.fit(file, "class", name).predict_log_proba(TABLE.drop(columns="class"))
    assert len(reads) > 2
    np.testing.assert_array_equal(once, again)
