"""A value that is missing is summed out: over its levels, over the counts, or over the line, whoever depends on it."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import likely

Floats = NDArray[np.float64]
MODELS = {
    "spode": lambda **o: likely.SPODE(parent=1, min_support=0, **o),
    "aode": lambda **o: likely.AODE(min_support=0, **o),
    "ande2": lambda **o: likely.AnDE(order=2, min_support=0, **o),
    "tan": lambda **o: likely.TAN(**o),
    "kdb1": lambda **o: likely.KDB(k=1, **o),
    "kdb2": lambda **o: likely.KDB(k=2, **o),
    "kdb3": lambda **o: likely.KDB(k=3, **o),
}
NODES, SHARES = np.polynomial.legendre.leggauss(12)


def line(edges: list[float], low: float, high: float) -> tuple[Floats, Floats]:
    """Points of the real line and their weights: Gauss-Legendre in pieces that end at the edges, tails and all."""
    ends = np.unique([*np.linspace(low, high, 40), *edges])
    half = np.diff(ends)[:, None] / 2
    points, weights = (ends[:-1, None] + half * (1 + NODES)).ravel(), (half * SHARES).ravel()
    steps = np.linspace(0.0, 60.0, 121)  # the tails, on the scale of the logarithm
    far = (steps[:-1, None] + 0.25 * (1 + NODES)).ravel()
    out, share = np.expm1(far / 3), np.tile(0.25 * SHARES, 120) * np.exp(far / 3) / 3
    return np.concatenate([points, high + out, low - out]), np.concatenate([weights, share, share])


def support(data: Any, at: int) -> tuple[list[Any], Floats]:
    """The values that a column can take, and what each weighs in a sum over them."""
    kind = data.kinds[f"x{at}"]
    if isinstance(kind, list):
        return kind, np.ones(len(kind))
    if kind == "count":
        return list(range(400)), np.ones(400)
    points, weights = line(data.cuts[f"x{at}"], -6.0, 8.0)
    return points.tolist(), weights


def summed(model: Any, data: Any, row: list[Any]) -> Floats:
    """log P(row | class) as the sum, or the integral, over all completions of the row."""
    holes = [at for at, value in enumerate(row) if value is None]
    supports = [support(data, at) for at in holes]
    rows, weights = [], []
    for guess in product(*(zip(*one, strict=True) for one in supports)):
        full = list(row)
        for at, (value, _) in zip(holes, guess, strict=True):
            full[at] = value
        rows.append(full)
        weights.append(np.prod([weight for _, weight in guess]))
    said = model.log_likelihood(rows)
    top = np.maximum(said.max(axis=0), -1e300)  # a class that cannot have the row
    with np.errstate(divide="ignore"):
        return np.asarray(top + np.log((np.exp(said - top) * np.array(weights)[:, None]).sum(axis=0)))


@pytest.mark.parametrize("backoff", ["even", "class", "column"])
@pytest.mark.parametrize("name", MODELS)
def test_levels(kit: Any, name: str, backoff: str) -> None:
    for seed, smoothing in ((0, 1.0), (1, 0.5), (2, 0.0)):
        data = kit.mixed(seed, "llll", rows=30, holes=0.2)
        model = data.fit(MODELS[name](backoff=backoff, smoothing=smoothing))
        for gone in (holes for size in range(5) for holes in combinations(range(4), size)):
            row = [None if at in gone else "abca"[at] for at in range(4)]
            found = model.log_likelihood([row])[0]
            np.testing.assert_allclose(found, summed(model, data, row), rtol=1e-12, atol=1e-12, err_msg=f"{row}")


@pytest.mark.parametrize("estimate", ["bayes", "map", "mle"])
@pytest.mark.parametrize("name", MODELS)
def test_one_number(kit: Any, name: str, estimate: str) -> None:
    """Of each numeric column in turn: they are parents here, and children."""
    data = kit.mixed(3, "lrnr", rows=60, holes=0.1)
    model = data.fit(MODELS[name](estimate=estimate))
    row = ["b", 0.3, 1, 0.9]
    for gone in (1, 2, 3):
        holed = [None if at == gone else value for at, value in enumerate(row)]
        found = model.log_likelihood([holed])[0]
        np.testing.assert_allclose(found, summed(model, data, holed), rtol=1e-6, atol=1e-6, err_msg=f"{holed}")


@pytest.mark.parametrize("name", MODELS)
def test_parzen(kit: Any, name: str) -> None:
    data = kit.mixed(4, "lpl", rows=60)
    model = data.fit(MODELS[name]())
    for row in (["a", None, "b"], ["c", None, "a"]):
        # windows are tabled, and the table is read in straight lines: as exact as its nodes are near
        np.testing.assert_allclose(model.log_likelihood([row])[0], summed(model, data, row), atol=1e-4)


@pytest.mark.parametrize("name", MODELS)
def test_a_number_and_levels(kit: Any, name: str) -> None:
    data = kit.mixed(5, "lrln", rows=60, holes=0.1)
    model = data.fit(MODELS[name]())
    for row in ([None, None, "a", 2], ["b", None, None, 0], [None, 0.4, None, 1], [None, None, None, 3]):
        np.testing.assert_allclose(model.log_likelihood([row])[0], summed(model, data, row), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", MODELS)
def test_nothing_is_known(kit: Any, name: str) -> None:
    data = kit.mixed(6, "lrnp", rows=40, holes=0.1)
    model = data.fit(MODELS[name]())
    np.testing.assert_allclose(model.log_likelihood([[None] * 4])[0], 0.0, atol=1e-9)
    prior = np.bincount(data.y) + 1.0
    np.testing.assert_allclose(model.predict_proba([[None] * 4])[0], prior / prior.sum(), rtol=1e-12)


@pytest.mark.parametrize("name", MODELS)
def test_a_missing_value_that_is_evidence(kit: Any, name: str) -> None:
    """Under "informative" the hole itself adds P(missing | class), and the value is still summed out."""
    data = kit.mixed(7, "lrl", rows=50, holes=0.3)
    plain, told = data.fit(MODELS[name]()), data.fit(MODELS[name](missing="informative"))
    y, X = np.array(data.y), data.X
    gone = np.array([[(np.array([row[at] is None for row in X])[y == c]).sum() for c in (0, 1)] for at in range(3)])
    rows = np.bincount(y)
    for row in product(("a", None), (0.7, None), ("b", None)):
        is_gone = np.array([value is None for value in row])[:, None]
        share = np.where(is_gone, gone + 1.0, rows - gone + 1.0) / (rows + 2.0)
        expected = plain.log_likelihood([list(row)])[0] + np.log(share).sum(axis=0)
        np.testing.assert_allclose(told.log_likelihood([list(row)])[0], expected, rtol=1e-10, err_msg=f"{row}")


@pytest.mark.parametrize("name", MODELS)
def test_terms_add_up_whatever_is_missing(kit: Any, name: str) -> None:
    data = kit.mixed(8, "lrlnp", rows=60, holes=0.2)
    for missing in ("ignore", "informative"):
        model = data.fit(MODELS[name](missing=missing))
        full = ["b", 0.3, "a", 2, 0.2]
        rows = [
            [None if hole else value for value, hole in zip(full, holes, strict=True)]
            for holes in product((0, 1), repeat=5)
        ]
        terms = model.explain(rows).terms
        prior = model.predict_log_proba([[None] * 5])[0] if missing == "ignore" else terms[0, 0]
        np.testing.assert_allclose(terms[:, 0], np.broadcast_to(prior, terms[:, 0].shape), atol=1e-10)
        np.testing.assert_allclose(terms[:, 1:].sum(axis=1), model.log_likelihood(rows), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("name", ["tan", "kdb2"])
def test_a_missing_value_adds_nothing_of_its_own(kit: Any, name: str) -> None:
    """Columns speak in the order of the graph: a column's term is what it adds to those before it, summed out."""
    data = kit.mixed(9, "llrr", rows=80)
    model = data.fit(MODELS[name]())
    columns, order = model.structure_.columns, [model.model_.schema.columns[at].name for at in model.model_.order]
    for row in (["b", None, 0.3, 1.1], [None, "a", 0.3, 1.1], ["b", "a", None, 1.1], [None, None, 0.3, 1.1]):
        terms, before = model.explain([row]).terms[0], np.zeros(2)
        for step, name_ in enumerate(order):
            so_far = [value if columns[at] in order[: step + 1] else None for at, value in enumerate(row)]
            now = model.log_likelihood([so_far])[0]
            np.testing.assert_allclose(
                terms[1 + columns.index(name_)], now - before, atol=1e-9, err_msg=f"{name_} of {row}"
            )
            before = now
