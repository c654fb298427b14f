"""Many rows of evidence at once: the same as one query a row, whatever holds the rows and wherever their holes are."""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likely

from . import oracles
from .oracles import Joint, Plain

EXACT = {"rtol": 0.0, "atol": 1e-12}
SEEDS = st.integers(0, 2**32 - 1)
Rows = list[dict[str, Any]]
files = pytest.mark.skipif(not oracles.FILES, reason="the shared networks are not here")


def network(plain: Plain) -> likely.Network:
    return likely.Network(plain.spec(), levels=plain.levels)


def columns(plain: Plain, rows: Rows) -> dict[str, list[Any]]:
    return {node: [row.get(node) for row in rows] for node in plain.nodes}


HOLDERS: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "dict": dict,
    "dict of arrays": lambda told: {node: np.array(values, dtype=object) for node, values in told.items()},
    "pandas": lambda told: pd.DataFrame(told, dtype=object),
    "pandas str": lambda told: pd.DataFrame(told, dtype="str"),
    "pandas category": lambda told: pd.DataFrame(told).astype("category"),
    "polars": lambda told: pl.DataFrame(told, schema=dict.fromkeys(told, pl.String)),
    "polars category": lambda told: pl.DataFrame(told, schema=dict.fromkeys(told, pl.Categorical)),
    "arrow": lambda told: pl.DataFrame(told, schema=dict.fromkeys(told, pl.String)).to_arrow(),
}


def agree(net: likely.Network, plain: Plain, rows: Rows, answers: Any, targets: Any = None) -> None:
    """Each row as it is answered alone."""
    nodes = plain.nodes if targets is None else targets
    assert list(answers) == list(nodes)
    assert answers.log_evidence.shape == (len(rows),)
    for node in nodes:
        assert answers[node].shape == (len(rows), len(plain.levels[node]))
    for at, row in enumerate(rows):
        alone = net.marginals(row)
        for node in nodes:
            np.testing.assert_allclose(answers[node][at], alone[node].probabilities, **EXACT)
        assert answers.log_evidence[at] == pytest.approx(net.log_probability(row), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("holder", HOLDERS)
def test_every_holder_of_rows(holder: str) -> None:
    plain, rng = oracles.random_plain(5, 7), np.random.default_rng(5)
    net, rows = network(plain), [plain.findings(rng, 7) for _ in range(40)]
    agree(net, plain, rows, net.query_many(HOLDERS[holder](columns(plain, rows))))


@given(seed=SEEDS, nodes=st.integers(1, 7), count=st.integers(1, 30), arcs=st.sampled_from([0.0, 0.3, 0.9]))
@settings(derandomize=True, deadline=None, max_examples=40)
def test_any_pattern_of_holes_agrees_with_enumeration(seed: int, nodes: int, count: int, arcs: float) -> None:
    plain, rng = oracles.random_plain(seed, nodes, arcs), np.random.default_rng(seed)
    rows = [plain.findings(rng, nodes) for _ in range(count)]
    joint = Joint(plain)
    targets = [plain.nodes[at] for at in rng.permutation(nodes)[: rng.integers(1, nodes + 1)]]
    answers = network(plain).query_many(columns(plain, rows), targets=targets)
    assert list(answers) == targets
    for at, row in enumerate(rows):
        expected = joint.marginals(row)
        for node in targets:
            np.testing.assert_allclose(answers[node][at], expected[node], **EXACT)
        assert answers.log_evidence[at] == pytest.approx(math.log(joint.probability(row)), rel=1e-12, abs=1e-12)


@files
@pytest.mark.parametrize("name", ["asia", "child", "alarm", "insurance", "hailfinder"])
def test_files(name: str) -> None:
    plain, net, rng = (
        oracles.read(name),
        likely.Network.read(oracles.bif(name)),
        np.random.default_rng(9),
    )
    rows = [plain.findings(rng, 12) for _ in range(60)]
    frame = pd.DataFrame(columns(plain, rows), dtype=object)
    agree(net, plain, rows, net.query_many(frame))
    target = plain.nodes[3]
    agree(net, plain, rows, net.query_many(frame[list(reversed(frame.columns))], targets=[target]), [target])
    agree(net, plain, rows, net.query_many(frame, targets=target), [target])


def numbers() -> Plain:
    """Levels that are numbers and truths, as data frames hold them."""
    levels = {"age": [0, 1, 2], "sick": [False, True], "dose": [0.5, 1.5]}
    parents = {"age": [], "sick": ["age"], "dose": ["sick", "age"]}
    rng = np.random.default_rng(0)
    sizes = {node: len(mine) for node, mine in levels.items()}
    tables = {node: rng.dirichlet(np.ones(sizes[node]), [sizes[p] for p in parents[node]]) for node in levels}
    return Plain(levels, parents, tables)


TYPED: dict[str, Any] = {
    "pandas, numbers": lambda told: pd.DataFrame(told).convert_dtypes(),
    "pandas, holes are NaN": lambda told: pd.DataFrame(
        {name: pd.array(told[name], dtype="object") for name in told}
    ).astype({"age": float, "dose": float}),
    "pandas, small": lambda told: pd.DataFrame(told).astype({"age": "Int8", "sick": "boolean", "dose": "Float32"}),
    "polars": lambda told: pl.DataFrame(told),
    "text": lambda told: {name: [None if one is None else str(one) for one in told[name]] for name in told},
}


@pytest.mark.parametrize("holder", TYPED)
def test_columns_of_numbers_and_truths(holder: str) -> None:
    plain, rng = numbers(), np.random.default_rng(1)
    net, rows = network(plain), [plain.findings(rng, 3) for _ in range(30)]
    agree(net, plain, rows, net.query_many(TYPED[holder](columns(plain, rows))))


@files
def test_complete_rows_are_certain() -> None:
    plain, rng = oracles.read("alarm"), np.random.default_rng(2)
    net, rows = likely.Network.read(oracles.bif("alarm")), [plain.sample(rng) for _ in range(30)]
    answers = net.query_many(columns(plain, rows))
    for node in plain.nodes:
        seen = [list(plain.levels[node]).index(row[node]) for row in rows]
        assert (answers[node] == np.eye(len(plain.levels[node]))[seen]).all()
    np.testing.assert_allclose(answers.log_evidence, net.log_likelihood(columns(plain, rows)), rtol=1e-12)


def test_rows_that_say_nothing_are_the_prior() -> None:
    plain = oracles.random_plain(3, 6)
    net, expected = network(plain), Joint(plain).marginals()
    nothing = {node: [None] * 3 for node in plain.nodes}
    answers = net.query_many(nothing)
    for node in plain.nodes:
        np.testing.assert_allclose(answers[node], np.tile(expected[node].astype(float), (3, 1)), **EXACT)
    np.testing.assert_allclose(answers.log_evidence, 0.0, atol=1e-12)


def test_no_rows_and_one_row() -> None:
    plain, rng = oracles.random_plain(4, 5), np.random.default_rng(4)
    net, row = network(plain), plain.findings(rng, 5)
    for empty in (pd.DataFrame(columns=list(plain.nodes)), {node: [] for node in plain.nodes}):
        answers = net.query_many(empty)
        assert all(answers[node].shape == (0, len(plain.levels[node])) for node in plain.nodes)
        assert answers.log_evidence.shape == (0,)
        assert len(answers.frame()) == 0
    agree(net, plain, [row], net.query_many(columns(plain, [row])))


def test_columns_that_are_not_there_are_not_known() -> None:
    plain, rng = oracles.random_plain(6, 6), np.random.default_rng(6)
    net, known = network(plain), plain.nodes[:2]
    rows = [{node: row[node] for node in known} for row in (plain.sample(rng) for _ in range(10))]
    agree(net, plain, rows, net.query_many(pd.DataFrame(rows)))


@files
def test_impossible_rows_are_marked_and_spoil_no_other() -> None:
    net = likely.Network.read(oracles.bif("asia"))
    rows: Rows = [{"xray": "yes"}, {"tub": "yes", "either": "no"}, {"smoke": "no"}, {"lung": "yes", "either": "no"}]
    told = {node: [row.get(node) for row in rows] for node in net.nodes}
    with pytest.raises(likely.LikelyError, match="rows 1, 3") as refusal:
        net.query_many(told)
    assert refusal.value.code == "M321"
    answers = net.query_many(told, impossible="nan")
    assert answers.log_evidence[[1, 3]].tolist() == [-math.inf, -math.inf]
    for node in net.nodes:
        assert np.isnan(answers[node][[1, 3]]).all()
        for at in (0, 2):
            np.testing.assert_allclose(answers[node][at], net.query(node, rows[at]).probabilities, **EXACT)


@files
def test_a_level_or_a_target_that_is_not_there_is_named() -> None:
    net = likely.Network.read(oracles.bif("asia"))
    with pytest.raises(likely.LikelyError, match="maybe"):
        net.query_many({"xray": ["yes", "maybe"]})
    with pytest.raises(likely.LikelyError, match="lung"):
        net.query_many({"xray": ["yes"]}, targets=["lungs"])


@files
def test_the_frame_has_a_column_for_each_level() -> None:
    net = likely.Network.read(oracles.bif("asia"))
    answers = net.query_many(pd.DataFrame({"xray": ["yes", None]}), targets=["lung", "tub"])
    frame = answers.frame()
    assert len(frame) == 2
    np.testing.assert_allclose(np.asarray(frame, dtype=float)[:, :2], answers["lung"], **EXACT)


@files
def test_many_rows_need_little_memory() -> None:
    plain, net = oracles.read("alarm"), likely.Network.read(oracles.bif("alarm"))
    drawn, rng = net.sample(20_000, seed=0), np.random.default_rng(0)
    told = {node: np.asarray(drawn[node], dtype=object) for node in net.nodes}
    for values in told.values():
        values[rng.random(20_000) < 0.7] = None
    tracemalloc.start()
    answers = net.query_many(told)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    size = sum(answers[node].nbytes for node in net.nodes)
    assert peak < 5 * size + 100e6  # the answers, twice, the codes, and the room of each thread
    assert np.isfinite(answers.log_evidence).all()
    for at in (0, 11_111, 19_999):
        row = {node: values[at] for node, values in told.items() if values[at] is not None}
        expected = net.marginals(row)
        for node in plain.nodes:
            np.testing.assert_allclose(answers[node][at], expected[node].probabilities, **EXACT)


def test_a_few_rows_say_what_they_say_among_many() -> None:
    net = likely.networks.asia()
    rows = pd.DataFrame(net.sample(60, seed=4)).astype(object)
    for place, name in enumerate(rows):
        rows.loc[place::3, name] = None
    rows.loc[5, ["tub", "lung", "either"]] = ["yes", "no", "no"]  # impossible
    together = net.query_many(rows, ["lung", "tub"], impossible="nan")
    for first in range(0, 60, 10):
        few = net.query_many(rows[first : first + 10], ["lung", "tub"], impossible="nan")
        for name in ("lung", "tub"):
            np.testing.assert_allclose(few[name], together[name][first : first + 10], rtol=1e-12)
        np.testing.assert_allclose(few.log_evidence, together.log_evidence[first : first + 10], rtol=1e-12)
