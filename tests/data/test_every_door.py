"""One table, the same kinds and levels by every door: arrays, frames, files, relations; classifiers and networks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone

import likely
from likely.data.levels.interval_levels import cuts_of

RNG = np.random.default_rng(0)
ROWS = 400
TABLE = pd.DataFrame(
    {
        "pclass": RNG.integers(1, 4, ROWS),
        "month": RNG.integers(1, 15, ROWS),
        "dose": RNG.choice([0.5, 1.0, 2.0], ROWS),
        "grade": RNG.choice(np.arange(21) / 4, ROWS),
        "age": RNG.integers(0, 80, ROWS),
        "fare": RNG.gamma(2.0, 10.0, ROWS).round(2),
        "deck": RNG.choice(["a", "b", "c"], ROWS),
        "alone": RNG.integers(0, 2, ROWS),
        "sea": RNG.random(ROWS) < 0.5,
    }
)
TABLE["lived"] = np.where(TABLE.fare + 8 * TABLE.pclass + RNG.normal(0, 8, ROWS) > 36, "yes", "no")
KINDS = {
    **dict.fromkeys(("pclass", "month", "dose", "grade", "age", "fare"), "real"),
    "deck": "category",
    "alone": "binary",
    "sea": "binary",
}
LEVELS = {  # of the nodes of a network; numbers that are too many are binned
    "pclass": ["1", "2", "3"],
    "month": [str(month) for month in range(1, 15)],
    "dose": ["0.5", "1", "2"],
    "deck": ["a", "b", "c"],
    "alone": ["0", "1"],
    "sea": ["0", "1"],
    "lived": ["no", "yes"],
}
BINNED = ("grade", "age", "fare")


def csv(folder: Path) -> Any:
    TABLE.to_csv(folder / "table.csv", index=False)
    return folder / "table.csv"


def parquet(folder: Path) -> Any:
    TABLE.to_parquet(folder / "table.parquet")
    return folder / "table.parquet"


def json_lines(folder: Path) -> Any:
    TABLE.to_json(folder / "table.jsonl", orient="records", lines=True)
    return folder / "table.jsonl"


DOORS = {
    "pandas": lambda folder: TABLE,
    "polars": lambda folder: pl.from_pandas(TABLE),
    "arrow": lambda folder: pa.Table.from_pandas(TABLE),
    "relation": lambda folder: duckdb.from_df(TABLE),
    "csv": csv,
    "parquet": parquet,
    "json lines": json_lines,
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", ["naive", "tan", "aode", "network", "tree", "logistic"])
def test_kinds_are_the_same_by_every_door(tmp_path: Path, door: str, name: str) -> None:
    model = likely.fit(DOORS[door](tmp_path), "lived", name)
    kinds = {column.name: "real" if column.kind == "cut" else column.kind for column in model.model_.schema.columns}
    assert kinds == KINDS


def texts(network: likely.Network) -> dict[str, list[str]]:
    """The levels of the nodes as they are written; truth values as numbers."""
    told = {node: [str(level) for level in network.levels(node)] for node in network.nodes}
    return {node: [{"False": "0", "True": "1"}.get(text, text) for text in own] for node, own in told.items()}


def check(network: likely.Network) -> None:
    found = texts(network)
    assert {node: own for node, own in found.items() if node not in BINNED} == LEVELS
    assert all(cuts_of(found[node]) is not None for node in BINNED)


@pytest.mark.parametrize("door", DOORS)
def test_levels_are_the_same_by_every_door(tmp_path: Path, door: str) -> None:
    rows = DOORS[door](tmp_path)
    check(likely.learn_network(rows, max_parents=1))


@pytest.mark.parametrize("door", DOORS)
def test_a_graph_that_is_given_has_the_same_levels(tmp_path: Path, door: str) -> None:
    learnt = likely.learn_network(TABLE, max_parents=1)
    said = {node: learnt.levels(node) for node in BINNED}
    graph = {node: [] for node in (*KINDS, "lived")}
    check(likely.Network(graph, levels=said).fit(DOORS[door](tmp_path)))
    with pytest.raises(likely.LikelyError, match="D426"):  # too many to be levels, and nobody says where to bin them
        likely.Network(graph).fit(DOORS[door](tmp_path))


def test_arrays_have_the_kinds_of_frames() -> None:
    numbers = TABLE[["pclass", "month", "dose", "age", "fare", "alone"]]
    by_frame = likely.NaiveBayes().fit(numbers, TABLE.lived).model_.schema.columns
    by_array = likely.NaiveBayes().fit(numbers.to_numpy(), TABLE.lived).model_.schema.columns
    assert [column.kind for column in by_frame] == [column.kind for column in by_array]


@pytest.mark.parametrize("model", [likely.NaiveBayes(kinds=dict.fromkeys(("age", "fare"), "parzen")), likely.TAN()])
def test_a_row_of_no_weight_is_no_row_by_any_door(tmp_path: Path, model: Any) -> None:
    """It widens no grid of kernel densities, and has no say in what describes a column."""
    rows = TABLE[["age", "fare", "deck", "lived"]].assign(weight=RNG.integers(0, 3, ROWS))
    rows.loc[0, ["age", "fare", "weight"]] = [5000, 1e6, 0]
    rows.to_csv(tmp_path / "weighed.csv", index=False)
    there = rows[rows.weight > 0]
    X = there[["age", "fare", "deck"]]
    alone = clone(model).fit(X, there.lived, there.weight).predict_proba(X)
    for source in (tmp_path / "weighed.csv", rows, duckdb.from_df(rows)):
        told = likely.fit(source, "lived", clone(model), weight="weight")
        np.testing.assert_allclose(told.predict_proba(X), alone, rtol=1e-9)
    rows.assign(weight=0).to_csv(tmp_path / "none.csv", index=False)
    for source in (tmp_path / "none.csv", rows.assign(weight=0)):
        with pytest.raises(likely.LikelyError, match="D123"):
            likely.fit(source, "lived", clone(model), weight="weight")
