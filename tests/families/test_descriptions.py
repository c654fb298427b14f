"""Descriptions of numbers: their laws, oracles of each, and what is chosen of which numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import likely
from likely import checks
from likely.core.block import Block
from likely.core.schema import DESCRIPTIONS, Column, Grid, Parzen
from likely.families.defaults import DESCRIBED
from likely.families.number_sample import NumberSample, saved
from likely.families.predictor import Evidence, Family, Setting
from likely.models.notes import Note
from likely.statistics import answer

WAYS: dict[str, Any] = {name: name for name in DESCRIPTIONS} | {"edges": (-1.0, 0.5, 2.0)}


def drawn(name: str, rows: int = 60, seed: int = 0, missing: float = 0.1) -> checks.Table:
    """Numbers that a description fits, in three classes, beside a column of levels."""
    rng = np.random.default_rng(seed)
    lean = rng.integers(0, 3, rows)
    columns = {}
    for which in ("a", "b"):
        values = {
            "log": np.exp(rng.normal(lean, 1.0)) * (rng.random(rows) > 0.2),
            "zeros": rng.normal(lean, 1.0) * (rng.random(rows) > 0.3),
            "poisson": rng.poisson(1.0 + lean).astype(float),
        }.get(name, rng.choice([-2.0, 2.0], rows) + rng.normal(lean, 0.5))
        gone = rng.random(rows) < missing
        columns[which] = [None if hole else float(x) for x, hole in zip(values, gone, strict=True)]
    columns["c"] = [str(one) for one in rng.integers(0, 2, rows)]
    kinds = {"a": "real", "b": "real", "c": "category"}
    return checks.Table(columns, [("ash", "oak", "樹")[one] for one in lean], kinds)


def model(name: str, **options: Any) -> likely.NaiveBayes:
    return likely.NaiveBayes(descriptions=dict.fromkeys("ab", WAYS[name]), kinds={"c": "category"}, **options)


@pytest.mark.parametrize("missing", ["ignore", "informative"])
@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize(
    "law",
    [
        checks.check_merge_is_batch,
        checks.check_partial_fit_is_fit,
        checks.check_forget_undoes,
        checks.check_leave_one_out_is_refit,
        checks.check_row_order_is_irrelevant,
        checks.check_weight_two_is_row_twice,
        checks.check_column_order_is_irrelevant,
    ],
    ids=lambda law: law.__name__,
)
def test_learning(law: Callable[..., None], name: str, missing: str) -> None:
    if name == "bins" and law not in (checks.check_leave_one_out_is_refit, checks.check_row_order_is_irrelevant):
        pytest.skip("bins are cut where the numbers of a part lie; 'edges' are the same for all")
    if name == "parzen" and law is checks.check_partial_fit_is_fit:
        law(model(name, missing=missing), drawn(name), cuts=(20,))
        return
    law(model(name, missing=missing), drawn(name))


@pytest.mark.parametrize("estimate", ["bayes", "map", "mle"])
@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize(
    "law",
    [
        checks.check_probabilities_sum_to_one,
        checks.check_explanation_sums_to_prediction,
        checks.check_other_priors_reweigh,
        checks.check_save_load,
    ],
    ids=lambda law: law.__name__,
)
def test_fitted(law: Callable[..., None], name: str, estimate: str) -> None:
    table = drawn(name)
    law(model(name, estimate=estimate).fit(table.X, table.y), table.X)


@pytest.mark.parametrize("name", WAYS)
def test_fractional_weights_and_soft_rows(name: str) -> None:
    table = drawn(name).weighed(np.resize([0.5, 1.5, 0.1, 2.0], 60))
    checks.check_leave_one_out_is_refit(model(name), table)
    if name != "bins":
        checks.check_merge_is_batch(model(name), table)


def test_rows_of_weight_zero_do_not_choose() -> None:
    rng = np.random.default_rng(5)
    y = np.repeat(["no", "yes"], 300)
    skew, noise = np.exp(rng.normal(2.0 * (y == "yes"), 1.0)), rng.normal(0.0, 1e3, 600)
    rows = {"x": np.append(skew, noise), "w": np.repeat([1.0, 0.0], 600), "y": np.append(y, y)}
    shuffled = pd.DataFrame(rows).sample(frac=1, random_state=1)
    assert likely.fit(shuffled, "y", weight="w").descriptions_ == {"x": "log"}
    rows["w"] = np.tile([0.0, 0.0, 0.0, 1.0], 300)  # those that are looked at of many rows may all be of weight zero
    often = pd.concat([pd.DataFrame(rows)] * 14)
    assert likely.fit(often, "y", weight="w").model_.rows.sum() == 300 * 14


@pytest.mark.parametrize("name", WAYS)
def test_asked_every_way(name: str, tmp_path: Path) -> None:
    """Intervals hold the prediction mostly, rows are drawn that can be learnt, and columns are profiled."""
    from likely.explanations import axis, profile

    table = drawn(name)
    fitted = model(name).fit(table.X, table.y)
    low, high = np.moveaxis(fitted.interval(table.X), -1, 0)
    proba = fitted.predict_proba(table.X)
    assert ((low <= proba) & (proba <= high)).mean() > 0.9
    rows, classes = fitted.sample(200, seed=0)
    again = model(name).fit(rows, classes)
    assert again.score(rows, classes) > 0.4
    assert all(0 <= column.bits < 2 for column in profile(fitted).columns)
    assert np.isfinite(axis(fitted, "a").terms).all()
    assert np.isfinite(fitted.predict_log_proba(extremes())).all()
    assert "described" in {note.code for note in fitted.notes_}
    assert fitted.descriptions_["a"] == (fitted.model_.schema.columns[0].cuts if name in ("bins", "edges") else name)


def extremes() -> Any:
    import pyarrow as pa

    numbers = [0.0, -1e150, 1e150, 1e-300, -0.0, 1.5, None]
    return pa.table({"a": numbers, "b": numbers[::-1], "c": ["0"] * 7})


def predictor(name: str, values: list[float], cells: list[int], setting: Setting = Setting()) -> Any:  # noqa: B008
    """The predictor of one described column in two classes."""
    column = Column("x", "real", described=name)
    if name == "bins":
        column = replace(column, cuts=(1.0, 2.0))
    schema = replace(drawn("log").encoded().schema, columns=(column,))
    schema = replace(schema, target=replace(schema.target, levels=("no", "yes"), declared=()))
    at, family = np.array(cells, dtype=np.int32), family_of(name)
    block = Block(len(values), np.zeros((len(values), 0), np.uint8), np.array(values)[:, None], (), at)
    answers = {question: answer(question, schema, block) for question in family.questions((0,))}
    return family.predictor(Evidence(schema, (0,), answers, np.bincount(at, minlength=2), setting))


def family_of(name: str) -> Family:
    return next(family for family in DESCRIBED if name in family.kinds)


def said(found: Any, values: list[float]) -> np.ndarray:
    block = Block(len(values), np.zeros((len(values), 0), np.uint8), np.array(values)[:, None])
    return np.asarray(found.terms(block)[:, 0])


VALUES, CELLS = [1.0, 2.0, 0.0, 4.0, 8.0, 3.0, 0.0, 5.0], [0, 0, 0, 0, 1, 1, 1, 1]


def test_log_is_the_normal_of_logarithms() -> None:
    """With its part at or below zero: (1 + 1 * p) / (4 + 1), p = (2 + 1/2) / (8 + 1); and the density of exp."""
    found, some = predictor("log", VALUES, CELLS), np.array([0.5, 1.0, 6.0])
    positive = np.array(VALUES) > 0
    normal = likely.NaiveBayes(kinds="real", priors="uniform").fit(
        np.log(np.array(VALUES)[positive])[:, None], np.array(CELLS)[positive]
    )
    share = (1 + 2.5 / 9) / 5
    expected = normal.log_likelihood(np.log(some)[:, None]) - np.log(some)[:, None] + np.log(1 - share)
    np.testing.assert_allclose(said(found, some.tolist()), expected, rtol=1e-12)
    np.testing.assert_allclose(said(found, [0.0, -3.0]), np.log(share), rtol=1e-12)


@pytest.mark.parametrize("name", ["log", "zeros"])
def test_the_whole_mass_is_one(name: str) -> None:
    found = predictor(name, VALUES, CELLS)
    line = np.exp(np.linspace(-60, 60, 200_001))
    both = line if name == "log" else np.concatenate([-line[::-1], line])
    mass = np.trapezoid(np.exp(said(found, both.tolist())), both, axis=0)
    np.testing.assert_allclose(mass + np.exp(said(found, [0.0]))[0], 1.0, atol=2e-3)


def test_bins_are_shares_with_a_pseudo_count() -> None:
    """A value on a cut belongs below it."""
    found = predictor("bins", VALUES, CELLS)
    expected = np.log([[3 / 7, 2 / 7], [2 / 7, 1 / 7], [2 / 7, 4 / 7]])
    np.testing.assert_allclose(said(found, [1.0, 2.0, 2.1]), expected)


def test_poisson_hears_the_nearest_count() -> None:
    """The negative binomial of Gamma(m + sum, 1 + n), m the mean of all."""
    found = predictor("poisson", VALUES, CELLS)
    mean = np.mean(VALUES)
    for cell, total in enumerate((7.0, 16.0)):
        rate = stats.nbinom(mean + total, 5 / 6)
        np.testing.assert_allclose(said(found, [0.0, 3.0, 2.6, -1.0])[:, cell], rate.logpmf([0, 3, 3, 0]))


def skewed(rows: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Log-normal, normal, 92 % zero with a tail, two humps, and counts."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, rows)
    gain = np.where(rng.random(rows) < 0.96 - 0.08 * y, 0.0, np.exp(rng.normal(7.5 + y, 1.0)).round())
    humps = rng.choice([-3.0, 3.0], rows) * (1 + y) + rng.normal(0, 0.4, rows)
    return np.column_stack([np.exp(rng.normal(y, 1.0)), rng.normal(y, 1.0), gain, humps]), y


def test_what_is_chosen() -> None:
    X, y = skewed(3000)
    found = likely.NaiveBayes().fit(X, y)
    assert found.descriptions_["x0"] == "log"
    assert found.descriptions_["x1"] == "normal"
    assert found.descriptions_["x2"] in ("log", "zeros")
    assert found.descriptions_["x3"] == "parzen" or isinstance(found.descriptions_["x3"], tuple)
    assert [note.column for note in found.notes_ if note.code == "described"] == ["x0", "x2", "x3"]
    truth = np.arange(len(y)), y
    X, y = skewed(3000, seed=1)
    plain = likely.NaiveBayes(descriptions="normal").fit(*skewed(3000))
    losses = [-model.predict_log_proba(X)[truth[0], y].mean() for model in (found, plain)]
    assert losses[0] < 0.75 * losses[1]
    assert (found.predict_proba(X)[truth[0], y] > 0).all()


@pytest.mark.parametrize(
    "options", [{"estimate": "mle"}, {"estimate": "map"}, {"smoothing": 0.0}, {"kinds": "real"}], ids=str
)
def test_what_stays_a_normal(options: dict[str, Any]) -> None:
    """Other estimates, stated kinds and few rows: the closed forms that people know."""
    X, y = skewed(3000)
    assert set(likely.NaiveBayes(**options).fit(X, y).descriptions_.values()) == {"normal"}
    assert set(likely.NaiveBayes().fit(X[:49], y[:49]).descriptions_.values()) == {"normal"}


def test_a_table_of_many_rows_is_sampled_alike_by_every_source(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.csv

    X, y = skewed(24_000)
    table = pa.table({**{f"x{at}": X[:, at] for at in range(4)}, "y": y})
    pyarrow.csv.write_csv(table, tmp_path / "rows.csv")
    one = likely.NaiveBayes().fit(X, y)
    other = likely.fit(tmp_path / "rows.csv", target="y", model=likely.NaiveBayes())
    assert other.descriptions_ == one.descriptions_
    some = other.predict_proba(table.drop_columns("y").slice(0, 50))
    np.testing.assert_allclose(some, one.predict_proba(X[:50]), rtol=1e-9)


def test_parts_described_unlike_are_normals_together() -> None:
    """Every description keeps the moments of the numbers: two hospitals can always merge, and are told."""
    X, y = skewed(2000)
    ways: list[Any] = ["normal", *DESCRIPTIONS, (0.5, 2.0)]
    plain = likely.NaiveBayes(kinds="real").fit(X, y)
    X = np.abs(np.rint(X))
    plain = likely.NaiveBayes(kinds="real").fit(X, y)
    for one in ways:
        for other in ways:
            if one != other and {str(one), str(other)} != {"bins", "(0.5, 2.0)"}:
                parts = (
                    likely.NaiveBayes(descriptions=dict.fromkeys(("x0", "x1"), way)).fit(X[at], y[at])
                    for way, at in ((one, slice(0, 900)), (other, slice(900, 2000)))
                )
                left, right = parts
                whole = left.merge(right)
                assert whole.descriptions_["x0"] == "normal"
                columns = whole.explain(X[:9]).terms[:, 1:3]
                np.testing.assert_allclose(columns, plain.explain(X[:9]).terms[:, 1:3], rtol=1e-9)
                assert any("did not describe it alike" in note.text for note in whole.notes_ if note.column == "x0")


def test_equal_descriptions_merge_exactly_and_can_be_handed_on() -> None:
    X, y = skewed(2400)
    first = likely.NaiveBayes().fit(X[:1200], y[:1200])
    second = likely.NaiveBayes(descriptions=first.descriptions_).fit(X[1200:], y[1200:])
    whole = likely.NaiveBayes(descriptions=first.descriptions_).fit(X, y)
    np.testing.assert_allclose(first.merge(second).predict_proba(X), whole.predict_proba(X), atol=1e-9)


def test_later_rows_keep_the_description_of_the_first(tmp_path: Path) -> None:
    X, y = skewed(2400)
    grown = likely.NaiveBayes().fit(X[:1200], y[:1200])
    said = grown.descriptions_
    for start in range(1200, 2400, 100):
        grown.partial_fit(X[start : start + 100], y[start : start + 100])
    assert grown.descriptions_ == said
    whole = likely.NaiveBayes(descriptions=said).fit(X, y)
    np.testing.assert_allclose(grown.predict_proba(X), whole.predict_proba(X), atol=1e-9)
    grown.forget(X[1200:], y[1200:])
    grown.save(tmp_path / "m.likely")
    assert likely.load(tmp_path / "m.likely").descriptions_ == said


def test_a_class_that_a_sample_has_not(tmp_path: Path) -> None:
    X, y = skewed(2000)
    model = likely.NaiveBayes().partial_fit(X, y, classes=[0, 1, 2])
    assert np.isfinite(model.predict_log_proba(extreme_rows())).all()
    assert np.isfinite(model.leave_one_out(X, y, log=True)).all()


def extreme_rows() -> np.ndarray:
    return np.array([[0.0] * 4, [-1e150] * 4, [1e150] * 4, [np.nan] * 4, [1e-300] * 4])


def test_a_constant_column_and_one_that_is_empty_are_left_alone() -> None:
    X, y = skewed(400)
    X = np.column_stack([X, np.full(400, 7.0), np.full(400, np.nan)])
    model = likely.NaiveBayes().fit(X, y)
    assert model.descriptions_["x4"] == model.descriptions_["x5"] == "normal"
    for name in DESCRIPTIONS:
        stated = likely.NaiveBayes(descriptions=name).fit(X, y)
        assert np.isfinite(stated.predict_log_proba(X)).all()


@pytest.mark.parametrize(
    ("said", "code"), [("lgo", "O576"), ({"z": "log"}, "O575"), ({"x0": (2.0, 1.0)}, "O383"), (3, "O576")], ids=str
)
def test_refusals(said: Any, code: str) -> None:
    X, y = skewed(300)
    with pytest.raises(likely.LikelyError) as failure:
        likely.NaiveBayes(descriptions=said).fit(X, y)
    assert failure.value.code == code


def test_a_note_is_a_note() -> None:
    X, y = skewed(3000)
    note = next(note for note in likely.NaiveBayes().fit(X, y).notes_ if note.code == "described")
    assert isinstance(note, Note)
    assert "for a normal say kinds={'x0': 'real'}" in note.text


def test_a_grid_reaches_all_rows() -> None:
    """The kernels of a part beyond the first rows lie on a grid that holds both."""
    X, y = skewed(800)
    model = likely.NaiveBayes(descriptions={"x3": "parzen"}).fit(X, y).partial_fit([[1.0, 1.0, 1.0, 500.0]], [1])
    column = model.model_.schema.columns[3]
    assert isinstance(column.form, Parzen)
    assert isinstance(column.grid, Grid)
    assert column.grid.high == 500.0


def test_folds_choose_for_themselves() -> None:
    """What is held out has no say in how its model describes numbers."""
    from likely.evaluation import cross_validate

    X, y = skewed(1000)
    found = cross_validate(likely.NaiveBayes(), X, y, folds=3)
    assert "descriptions of numbers are learnt from the rows" in str(vars(found))
    for model in (likely.NaiveBayes(kinds="real"), likely.NaiveBayes(descriptions="log")):
        assert cross_validate(model, X, y, folds=3).method == "subtraction"


def test_numbers_are_shown_in_their_own_units() -> None:
    """Logarithms are what a description adds up, and nothing that a person reads."""
    from likely.explanations import axis
    from likely.explanations.columns import middle_and_spread

    X, y = skewed(2000)
    gains = np.where(X[:, [2]] > 0, 4.0, 0.0) + 0.0  # above zero there is one value, whose logarithms have no spread
    X = np.column_stack([X, gains])
    fitted = likely.NaiveBayes(descriptions=dict.fromkeys(("x0", "x2", "x4"), "log")).fit(X, y)
    found = middle_and_spread(fitted.model_, range(5))
    for at in (0, 2, 4):
        np.testing.assert_allclose(found[at], (X[:, at].mean(), X[:, at].std()))
    assert axis(fitted, "x2").values.max() > 1000
    assert not [note for note in fitted.notes_ if note.code == "constant"]


def test_inspect_tells_the_description_beside_the_numbers(tmp_path: Path) -> None:
    import pyarrow as pa

    X, y = skewed(2000)
    seen = likely.inspect(pa.table({"size": X[:, 0], "y": y.astype(str)}), "y").columns[0]
    assert seen.values.endswith(", log-normal above zero")
    assert seen.mean == pytest.approx(X[:, 0].mean())
    assert seen.kind == "real"


@pytest.mark.parametrize("of", [likely.NaiveBayes, likely.SPODE, likely.TAN, likely.KDB, likely.AODE])
@pytest.mark.parametrize("estimate", ["bayes", "map"])
def test_a_value_of_one_row_is_impossible_without_smoothing_and_gives_no_warning(of: Any, estimate: str) -> None:
    """Judged without itself, its row is impossible in every class by parts; warnings are errors here."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 60)
    few = np.append(rng.integers(0, 5, 179) + y[:-1], 17)
    X = np.column_stack([few, rng.integers(0, 5, 180)]).astype(np.float64)
    fitted = of(smoothing=0.0, estimate=estimate).fit(X, y)
    assert np.isfinite(fitted.predict_proba(X)).all()


def test_impossible_rows_are_counted_before_losses_are_compared() -> None:
    sample = NumberSample(np.arange(6.0), np.array([0, 0, 0, 1, 1, 1]), np.ones(6), 2)
    none = sample.loss(np.full((6, 2), -np.inf), Setting(smoothing=0.0))
    assert np.isposinf(none).all()
    assert saved(none, none).tolist() == [0.0] * 6
    assert np.isposinf(saved(none, np.ones(6))).all()
