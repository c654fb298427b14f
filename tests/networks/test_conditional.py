"""The conditional log likelihood of a target: against networks that were fitted without the row."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likely
from likely.errors import LikelyError
from likely.networks.structure.conditional_likelihood import conditional_log_likelihood, conditionals
from likely.networks.structure.row_codes import Coded
from likely.structures.graph import Graph

GRAPH = Graph.of({"a": [], "y": ["a"], "b": ["y"], "c": ["y", "b", "d"], "d": [], "e": ["d"]})
SIZES = (2, 3, 2, 2, 3, 2)
LEVELS = {name: list(range(size)) for name, size in zip(GRAPH.nodes, SIZES, strict=True)}


def drawn(seed, rows=12):
    return np.random.default_rng(seed).integers(0, SIZES, (rows, len(SIZES))).astype(np.uint8)


def framed(codes):
    values = np.where(codes >= SIZES, np.nan, codes.astype(float))
    return pd.DataFrame(values, columns=list(GRAPH.nodes))


def coded(codes, weights=None):
    return Coded(GRAPH.nodes, tuple(map(tuple, LEVELS.values())), codes, weights)


def refitted(frame, target, weights=None):
    """(rows,): log P(own level | rest of the row) by a network that was fitted without the row, once."""
    out = []
    for at in range(len(frame)):
        often = np.ones(len(frame)) if weights is None else weights.copy()
        often[at] -= 1.0
        net = likely.Network(dict(zip(GRAPH.nodes, GRAPH.parents, strict=True)), levels=LEVELS)
        net.fit(frame, often, missing="ignore")
        row = frame.loc[at].dropna().astype(int).to_dict()
        own = row.pop(target)
        out.append(np.log(net.query(target, row)[own]))
    return np.array(out)


@settings(derandomize=True, deadline=None, max_examples=4)
@given(st.integers(0, 10**6), st.sampled_from(["y", "d", "c", "a"]), st.booleans())
def test_each_row_is_judged_by_the_others(seed, target, weighted):
    codes = drawn(seed)
    weights = np.random.default_rng(seed).integers(1, 4, len(codes)).astype(float) if weighted else None
    told = refitted(framed(codes), target, weights)
    place = GRAPH.at(target)
    logs = conditionals(coded(codes, weights), GRAPH.parent_places, place)
    np.testing.assert_allclose(logs[np.arange(len(codes)), codes[:, place]], told, atol=1e-10)
    np.testing.assert_allclose(np.exp(logs).sum(axis=1), 1.0)
    net = likely.Network(dict(zip(GRAPH.nodes, GRAPH.parents, strict=True)), levels=LEVELS)
    found = net.score(framed(codes), "cll", target=target, weights=weights)
    assert found == pytest.approx((told * (1.0 if weights is None else weights)).sum(), rel=1e-9)


def test_rows_with_holes_in_the_blanket_are_stood_for():
    codes = drawn(1, 40)
    codes[:10, 3] = SIZES[3]  # c, a child of y
    codes[30:, 5] = SIZES[5]  # e, of which y does not know
    logs = conditionals(coded(codes), GRAPH.parent_places, 1)
    assert np.isnan(logs).all(axis=1).tolist() == [True] * 10 + [False] * 30
    own = logs[np.arange(10, 40), codes[10:, 1]]
    assert conditional_log_likelihood(coded(codes), GRAPH.parent_places, 1) == pytest.approx(own.sum() * 40 / 30)
    codes[:, 1] = SIZES[1]
    assert conditional_log_likelihood(coded(codes), GRAPH.parent_places, 1) == 0.0


def test_a_target_that_stands_alone_is_told_by_its_shares():
    codes = np.array([[0], [0], [0], [1]], dtype=np.uint8)
    told = conditional_log_likelihood(Coded(("y",), ((0, 1),), codes), [()], 0)
    assert told == pytest.approx(3 * np.log(3 / 5) + np.log(1 / 5))


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"kind": "cll"}, "O567"),
        ({"kind": "bic", "target": "y"}, "O567"),
        ({"kind": "cll", "target": "y", "strength": 0}, "O500"),
    ],
)
def test_what_is_refused(options, code):
    net = likely.Network(dict(zip(GRAPH.nodes, GRAPH.parents, strict=True)), levels=LEVELS)
    with pytest.raises(LikelyError, match=code):
        net.score(framed(drawn(0)), **options)
    with pytest.raises(LikelyError, match="'why'"):
        net.score(framed(drawn(0)), "cll", target="why")


def test_a_weight_of_two_is_the_row_twice():
    codes = drawn(5)
    often = np.random.default_rng(0).integers(1, 4, len(codes))
    net = likely.Network(dict(zip(GRAPH.nodes, GRAPH.parents, strict=True)), levels=LEVELS)
    weighed = net.score(framed(codes), "cll", target="y", weights=often)
    assert weighed == pytest.approx(net.score(framed(np.repeat(codes, often, axis=0)), "cll", target="y"), rel=1e-12)
