"""Nodes whose levels are intervals take numbers wherever a level is taken, also after a file was written and read."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

from likely import Network
from likely.errors import LikelyError

PETAL = ("<= 2.45", "2.45 .. 4.75", "> 4.75")
CUTS = np.array([2.45, 4.75])
NET = Network(
    {
        "species": {"setosa": 0.4, "other": 0.6},
        "petal": (
            ["species"],
            {
                "setosa": dict(zip(PETAL, (0.9, 0.1, 0.0), strict=True)),
                "other": dict(zip(PETAL, (0.1, 0.5, 0.4), strict=True)),
            },
        ),
    }
)
NUMBERS = np.array([1.0, 2.45, 2.4500000001, 4.75, 9.0, np.nan])
TEXTS = [PETAL[0], PETAL[0], PETAL[1], PETAL[1], PETAL[2], None]


@pytest.mark.parametrize(("number", "text"), list(zip(NUMBERS[:-1], TEXTS, strict=False)))
def test_a_number_is_evidence(number, text):
    told = NET.query("species", {"petal": text})
    for value in (number, float(number), str(number)):
        assert dict(NET.query("species", {"petal": value})) == dict(told)


def test_what_is_no_number_is_refused():
    for bad in ("wide", "2.45 ... 4.75", True):
        with pytest.raises(LikelyError, match="O461"):
            NET.query("species", {"petal": bad})
    assert dict(NET.query("species", {"petal": np.nan})) == dict(NET.query("species"))


def test_numbers_in_a_list_are_likelihoods():
    told = NET.query("species", {"petal": [0.2, 0.5, 0.3]})
    assert dict(told) == pytest.approx(
        dict(NET.query("species", {"petal": dict(zip(PETAL, (0.2, 0.5, 0.3), strict=True))}))
    )
    with pytest.raises(LikelyError, match="2 likelihoods for 3 levels"):
        NET.query("species", {"petal": [1.0, 5.0]})
    either = NET.query("species", {"petal": list(PETAL[:2])})
    assert either["setosa"] == pytest.approx(0.4 / (0.4 + 0.6 * 0.6))


def test_answers_and_tables_are_asked_by_number():
    assert NET.query("petal", {"species": "other"})[3.1] == pytest.approx(0.5)
    assert NET.query("petal")[1] == NET.query("petal")["<= 2.45"]


ROWS = {
    "pandas": lambda values: pd.DataFrame({"petal": values}),
    "polars": lambda values: pl.DataFrame({"petal": values}, strict=False),
    "columns": lambda values: {"petal": values},
    "records": lambda values: [{"petal": value} for value in values],
    "duckdb": lambda values: duckdb.from_arrow(pl.DataFrame({"petal": values}, strict=False).to_arrow()),
}


@pytest.mark.parametrize("origin", ROWS)
def test_rows_of_numbers(origin):
    told = NET.log_likelihood({"petal": TEXTS})
    assert NET.log_likelihood(ROWS[origin](NUMBERS)).tolist() == told.tolist()


def test_rows_of_numbers_written_as_words_and_in_a_file(tmp_path):
    told = NET.log_likelihood({"petal": TEXTS})
    assert (
        NET.log_likelihood({"petal": [None if value != value else str(value) for value in NUMBERS]}).tolist()
        == told.tolist()
    )
    pd.DataFrame({"petal": NUMBERS, "species": "other"}).to_csv(tmp_path / "rows.csv", index=False)
    assert len(NET.log_likelihood(tmp_path / "rows.csv")) == len(NUMBERS)


def test_many_rows_are_asked_of_and_learnt():
    rng = np.random.default_rng(0)
    petal = rng.uniform(0, 8, 500)
    frame = pd.DataFrame({"species": np.where(petal < 3, "setosa", "other"), "petal": petal})
    texts = frame.assign(petal=np.array(PETAL)[np.searchsorted(CUTS, petal)])
    assert np.array_equal(*(NET.query_many(rows[["petal"]], "species")["species"] for rows in (frame, texts)))
    for learn in (Network.fit, Network.partial_fit):
        one, other = (learn(NET.__copy__(), rows) for rows in (frame, texts))
        assert one == other
        assert one.levels("petal") == PETAL
    assert NET.score(frame) == NET.score(texts)
    more = Network.fit(NET.__copy__(), frame).partial_fit(frame)
    assert more == Network.fit(NET.__copy__(), pd.concat([frame, frame]))
    assert more.forget(frame) == Network.fit(NET.__copy__(), frame)


def test_a_graph_without_levels_is_told_how_to_cut():
    with pytest.raises(LikelyError) as error:
        Network({"petal": []}).fit({"petal": np.linspace(0, 9, 100)})
    assert error.value.code == "D426"
    assert "levels={'petal': ['<= 4', '> 4']}" in error.value.hint


@pytest.mark.parametrize("format", ["bif", "xmlbif", "net", "xdsl", "json"])
def test_files_keep_the_cuts(format, tmp_path):
    path = tmp_path / "petal"
    NET.write(path, format)
    back = Network.read(path, format)
    assert back.levels("petal") == PETAL
    assert dict(back.query("species", {"petal": 3.1})) == pytest.approx(dict(NET.query("species", {"petal": 3.1})))
