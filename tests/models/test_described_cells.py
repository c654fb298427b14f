"""Densities other than the normal below the cells of parents: oracles, laws, and when they are chosen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import likely
from likely import checks
from likely.core.block import Block
from likely.core.schema import Column, Schema
from likely.estimators.bayes import dependent
from likely.families.gaussian import Gaussian
from likely.families.poisson import PoissonNumbers
from likely.families.predictor import Evidence, Setting
from likely.families.transformed import Transformed
from likely.statistics import Bundle, Question, answer

NAMES = ("log", "zeros", "poisson")
EDGES = {"a": (0.0, 2.0, 6.0), "b": (1.0, 4.0)}
MODELS: dict[str, Callable[..., Any]] = {
    "spode": lambda **o: likely.SPODE(parent="c", cuts=EDGES, kinds={"c": "category"}, **o),
    "aode": lambda **o: likely.AODE(min_support=0, cuts=EDGES, kinds={"c": "category"}, **o),
    "ande": lambda **o: likely.AnDE(order=2, min_support=0, cuts=EDGES, kinds={"c": "category"}, **o),
}


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A density that all undecided columns get."""
    chosen: str = request.param
    monkeypatch.setattr(dependent, "density_that_tells_more", lambda *_: chosen)
    return chosen


def drawn(name: str, rows: int = 40, seed: int = 0, missing: float = 0.15) -> checks.Table:
    rng = np.random.default_rng(seed)
    lean = rng.integers(0, 2, rows)
    word = (lean + (rng.random(rows) < 0.4)) % 2
    columns: dict[str, list[Any]] = {}
    for which in ("a", "b"):
        values = {
            "log": np.exp(rng.normal(lean + word, 0.7)) * (rng.random(rows) > 0.2),
            "zeros": rng.normal(lean + word, 1.0) * (rng.random(rows) > 0.3),
            "poisson": rng.poisson(1.0 + lean + word).astype(float) + 0.25,
        }[name]
        gone = rng.random(rows) < missing
        columns[which] = [None if hole else float(x) for x, hole in zip(values, gone, strict=True)]
    columns["c"] = [str(one) for one in word]
    return checks.Table(columns, [("ash", "oak")[one] for one in lean], {"c": "category"})


@pytest.mark.parametrize("missing", ["ignore", "informative"])
@pytest.mark.parametrize("model", ["spode", "aode", pytest.param("ande", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "law",
    [
        checks.check_merge_is_batch,
        checks.check_partial_fit_is_fit,
        checks.check_forget_undoes,
        checks.check_leave_one_out_is_refit,
        checks.check_weight_two_is_row_twice,
    ],
    ids=lambda law: law.__name__,
)
def test_learning(law: Callable[..., None], name: str, model: str, missing: str) -> None:
    law(MODELS[model](missing=missing), drawn(name))


@pytest.mark.parametrize("model", ["spode", "aode", pytest.param("ande", marks=pytest.mark.slow)])
def test_fitted(name: str, model: str, tmp_path: Path) -> None:
    table = drawn(name)
    fitted = MODELS[model](missing="informative").fit(table.X, table.y)
    assert [column.described for column in fitted.model_.schema.columns] == [name, name, ""]
    checks.check_probabilities_sum_to_one(fitted, table.X)
    checks.check_explanation_sums_to_prediction(fitted, table.X)
    checks.check_save_load(fitted, table.X)
    low, high = np.moveaxis(fitted.interval(table.X), -1, 0)
    proba = fitted.predict_proba(table.X)
    assert ((low <= proba) & (proba <= high)).mean() > 0.9
    rows, classes = fitted.sample(100, seed=0)
    assert MODELS[model]().fit(rows, classes).score(rows, classes) > 0.5
    assert {note.column for note in fitted.notes_ if note.code == "described"} == {"a", "b"}


@pytest.mark.parametrize("model", [likely.TAN, likely.KDB])
def test_graphs_leave_out_and_forget_alike(model: Any, name: str) -> None:
    table = drawn(name, 60)
    first = model(cuts=EDGES, kinds={"c": "category"}).fit(table.X, table.y)
    said = first.leave_one_out(table.X, table.y)
    structure = likely.KDB(structure=first.structure_, cuts=EDGES, kinds={"c": "category"}, k=2)
    structure.set_params(**{option: first.get_params()[option] for option in ("backoff", "smoothing")})
    for row in range(0, 60, 9):
        kept = np.delete(np.arange(60), row)
        rest = structure.fit(table.X.take(kept), np.asarray(table.y)[kept])
        np.testing.assert_allclose(rest.predict_proba(table.X.slice(row, 1))[0], said[row], rtol=1e-9)


def test_a_count_is_a_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers described as counts say what the nearest counts do as columns of that kind, with missing parents too."""
    monkeypatch.setattr(dependent, "density_that_tells_more", lambda *_: "poisson")
    table = drawn("poisson", 80)
    numbers = table.X.to_pandas()
    counts = numbers.assign(**{name: np.rint(numbers[name]) for name in "ab"})
    kinds = {"a": "count", "b": "count", "c": "category"}
    halves = {"a": (0.5, 2.5, 6.5), "b": (1.5, 4.5)}
    for make in (likely.TAN, likely.KDB, likely.AODE):
        one = make(cuts=halves, kinds={"c": "category"}).fit(numbers, table.y)
        other = make(cuts=halves, kinds=kinds).fit(counts, table.y)
        np.testing.assert_allclose(one.predict_proba(numbers), other.predict_proba(counts), rtol=1e-9)
        said = (model.leave_one_out(X, table.y) for model, X in ((one, numbers), (other, counts)))
        np.testing.assert_allclose(*said, rtol=1e-9)


def below(family: Any, described: str, values: np.ndarray, by: np.ndarray, y: np.ndarray) -> tuple[Any, Block]:
    """The predictor of one column of numbers below a column of two levels, and the rows."""
    schema = Schema(
        (Column("x", "real", described=described), Column("c", "category", ("u", "v"))),
        Column("y", "category", ("no", "yes")),
    )
    block = Block(len(y), by[:, None].astype(np.int32), values[:, None], cells=y.astype(np.int32))
    asked = [*family.questions((0,)), *(Question(one.of, one.columns, (1,)) for one in family.questions((0,)))]
    bundle = Bundle({one: answer(one, schema, block) for one in asked})
    return family.predictor(Evidence(schema, (0,), bundle, np.bincount(y), Setting(), (1,))), block


@pytest.mark.parametrize("described", ["log", "zeros"])
def test_a_cell_has_a_share_apart_and_a_normal_of_the_rest(described: str) -> None:
    rng = np.random.default_rng(3)
    y, by = np.repeat([0, 1], 60), np.tile([0, 1], 60)
    values = np.where(rng.random(120) < 0.3, 0.0, np.exp(rng.normal(y + by, 0.5)))
    found, block = below(Transformed((described,)), described, values, by, y)
    inside = np.log(np.where(values > 0, values, 1.0)) if described == "log" else values
    normal, _ = below(Gaussian(), "", np.where(values > 0, inside, np.nan), by, y)
    seen = Block(120, block.codes, np.where(values > 0, inside, np.nan)[:, None], cells=block.cells)
    density = normal.terms(seen, by)[:, 0]
    usual = ((values == 0).sum() + 0.5) / 121.0
    terms = found.terms(block, by)[:, 0]
    for cell in (0, 1):
        mine = values[y == cell]
        share = ((mine == 0).sum() + usual) / (len(mine) + 1.0)
        for part in (0, 1):
            here = values[(y == cell) & (by == part)]
            odds = ((here == 0).sum() + share) / (len(here) + 1.0)
            at = by == part
            wanted = np.where(values[at] == 0, np.log(odds), np.log(1.0 - odds) + density[at, cell])
            wanted -= inside[at] * (values[at] > 0) * (described == "log")  # the stretch of the logarithm
            np.testing.assert_allclose(terms[at, cell], wanted, rtol=1e-12)
    added = np.zeros((120, 2))
    found.add(block, added, by)
    np.testing.assert_allclose(added, terms, rtol=1e-10)
    found.add(block, added, by, (0,))
    np.testing.assert_allclose(added, terms, rtol=1e-10)


@pytest.mark.parametrize("described", NAMES)
def test_the_mass_of_parts_is_that_of_draws(described: str) -> None:
    rng = np.random.default_rng(4)
    y, by = np.repeat([0, 1], 100), np.tile([0, 1], 100)
    values = np.where(rng.random(200) < 0.3, 0.0, np.rint(np.exp(rng.normal(1.0 + y + by, 0.5))))
    family = PoissonNumbers() if described == "poisson" else Transformed((described,))
    found, _ = below(family, described, values, by, y)
    edges = (-1.0, 0.0, 2.5, 6.5)
    mass = np.exp(found.mass(0, edges))
    np.testing.assert_allclose(mass.sum(axis=2), 1.0, rtol=1e-10)
    for cell in (0, 1):
        for part in (-1, 0, 1):
            some = found.sample(np.full(4000, cell), rng, np.full(4000, part))[:, 0]
            counted = np.bincount(np.searchsorted(edges, some), minlength=5)
            kept = mass[cell, part] > 1e-9
            assert counted[~kept].sum() == 0
            assert stats.chisquare(counted[kept], 4000 * mass[cell, part, kept]).pvalue > 1e-4


def table(rows: int = 600, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, rows)
    gain = np.where(rng.random(rows) < 0.1, 0.0, np.exp(rng.normal(2.0 * y, 1.0)))
    visits = rng.poisson(np.where(y == 1, 6.0, 3.5)).astype(float)
    return pd.DataFrame({"gain": gain, "visits": visits, "height": rng.normal(y, 1.0)}), y


def described(model: Any) -> dict[str, str]:
    return {column.name: column.described for column in model.model_.schema.columns}


@pytest.mark.parametrize("model", [likely.SPODE, likely.TAN, likely.KDB, likely.AODE, likely.AnDE])
def test_what_is_chosen(model: Any) -> None:
    X, y = table()
    fitted = model().fit(X, y)
    assert described(fitted) == {"gain": "log", "visits": "poisson", "height": ""}
    said = {note.column: str(note.text) for note in fitted.notes_ if note.code == "described"}
    assert "log-normal" in said["gain"]
    assert "Poisson" in said["visits"]
    assert "numbers='density'" in said["gain"]


@pytest.mark.parametrize(
    "options",
    [{"numbers": "density"}, {"numbers": "levels"}, {"estimate": "map"}, {"kinds": "real"}],
    ids=str,
)
def test_what_is_left_as_it_is(options: dict[str, Any]) -> None:
    X, y = table()
    assert set(described(likely.TAN(**options).fit(X, y)).values()) == {""}
    assert set(described(likely.TAN().fit(X[:40], y[:40])).values()) == {""}  # too few rows for cells


def test_parts_described_unlike_are_told_apart() -> None:
    X, y = table()
    edges = dict.fromkeys(X, (1.0, 3.0, 5.0))
    one = likely.AODE(cuts=edges).fit(X, y)
    other = likely.AODE(cuts=edges, numbers="density").fit(X, y)
    with pytest.raises(likely.LikelyError, match=r"S213.*describe"):
        one.merge(other)
    later = one.partial_fit(X[:5], y[:5])
    assert described(later)["gain"] == "log"
