"""Text of frames, of columns by name and of files is read in one way: what networks learn of it is the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import likely

RNG = np.random.default_rng(0)
ROWS = 300
SUNNY = RNG.random(ROWS) < 0.5
TEXTS = {
    "sky": np.where(SUNNY, RNG.choice(["Clear", " Clear"], ROWS), RNG.choice(["Rain", "Rain ", "?", "N/A"], ROWS)),
    "out": np.where(SUNNY, RNG.choice(["yes", "Yes"], ROWS, p=[0.9, 0.1]), "no"),
    "price": [f"{value:.2f} €".replace(".", ",") for value in np.where(SUNNY, 20, 10) + RNG.random(ROWS)],
}


def csv(folder: Path) -> Path:
    pd.DataFrame(TEXTS).to_csv(folder / "t.tsv", index=False, sep="\t")
    return folder / "t.tsv"


DOORS: dict[str, Any] = {
    "file": csv,
    "relation": lambda folder: duckdb.from_df(pd.DataFrame(TEXTS)),
    "pandas": lambda folder: pd.DataFrame(TEXTS),
    "objects": lambda folder: pd.DataFrame(TEXTS, dtype=object),
    "polars": lambda folder: pl.DataFrame({name: list(map(str, values)) for name, values in TEXTS.items()}),
    "columns": lambda folder: {name: list(map(str, values)) for name, values in TEXTS.items()},
    "records": lambda folder: pd.DataFrame(TEXTS).to_dict("records"),
}


@pytest.mark.parametrize("door", DOORS)
def test_levels_are_read_the_same_by_every_door(tmp_path: Path, door: str) -> None:
    net = likely.learn_network(DOORS[door](tmp_path))
    assert {node: net.levels(node) for node in ("sky", "out")} == {"sky": ("Clear", "Rain"), "out": ("no", "yes")}
    assert len(net.levels("price")) > 1
    twin = likely.learn_network(csv(tmp_path))
    assert (net.edges, net.search_.score) == (twin.edges, pytest.approx(twin.search_.score))
    given = likely.Network({"sky": [], "out": ["sky"]}).fit(
        {name: list(map(str, TEXTS[name])) for name in ("sky", "out")}
    )
    assert given.levels("sky") == ("Clear", "Rain")


@pytest.mark.parametrize("words", [["TRUE", "FALSE"], ["0", "1"], ["None", "5-12", "2024-01-01"], ["NA", "?", "no"]])
def test_levels_that_are_known_are_kept_as_they_are_spelt(tmp_path: Path, words: list[str]) -> None:
    """Though they look like missing values, truths, numbers or dates."""
    net = likely.Network({"a": [], "b": ["a"]}, levels={"a": words, "b": ["u", "v"]})
    drawn = pd.DataFrame({"a": RNG.choice(words, 60), "b": RNG.choice(["u", "v"], 60)})
    drawn.to_csv(tmp_path / "drawn.csv", index=False)
    fitted = [net.fit(rows) for rows in (drawn, drawn.astype("category"), tmp_path / "drawn.csv")]
    for one in fitted:
        assert one.levels("a") == tuple(words)
        assert [one.query("a")[word] for word in words] == [fitted[0].query("a")[word] for word in words]
        for rows in (drawn, tmp_path / "drawn.csv"):
            answers = one.query_many(rows, targets="a")
            assert (np.asarray(answers["a"]).argmax(axis=1) == [words.index(word) for word in drawn.a]).all()
    sampled = fitted[0].sample(200, seed=0)
    assert set(likely.learn_network(sampled).levels("a")) == {*words}
