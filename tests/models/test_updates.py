"""Rows that come and go: merged, forgotten, learnt in parts, in another order or in other units, drawn anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import likely
from likely.estimators.face import generative

MODELS = {
    "spode": lambda **o: likely.SPODE(parent="x0", **o),
    "aode": lambda **o: likely.AODE(**o),
    "ande2": lambda **o: likely.AnDE(order=2, **o),
    "tan": lambda **o: likely.TAN(**o),
    "kdb2": lambda **o: likely.KDB(k=2, **o),
}
LETTERS = "lrnpl"
PAIRED = "lrl"  # columns for pairs of cells, which take their time
SLOW_PAIRS = [name if name != "ande2" else pytest.param(name, marks=pytest.mark.slow) for name in MODELS]
AVERAGES = ("spode", "aode", "ande1", "ande2")


def fit(model: Any, data: Any, at: Any, kinds: Any = None) -> Any:
    """Fitted on some of the rows, levels and classes found in them."""
    free = {name: "category" if isinstance(kind, list) else kind for name, kind in data.kinds.items()}
    model.set_params(kinds=free if kinds is None else kinds, cuts=data.cuts, numbers=data.numbers)
    return model.fit(*rows(data, at))


def rows(data: Any, at: Any) -> tuple[Any, ...]:
    at = list(at)
    weights = None if data.weights is None else [data.weights[row] for row in at]
    return [data.X[row] for row in at], [data.y[row] for row in at], weights


def same(one: Any, other: Any, X: Any, tolerance: float = 1e-9) -> None:
    assert one.classes_.tolist() == other.classes_.tolist()
    for column, twin in zip(one.model_.schema.columns, other.model_.schema.columns, strict=True):
        assert (column.name, column.levels, column.cuts) == (twin.name, twin.levels, twin.cuts)
    np.testing.assert_allclose(one.log_likelihood(X), other.log_likelihood(X), rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X), rtol=tolerance, atol=tolerance)


def with_news(kit: Any, seed: int, weights: str = "none", letters: str = LETTERS) -> Any:
    """Rows of which the first and the last have levels and classes of their own; the ends of parzen are in both."""
    data = kit.mixed(seed, letters, rows=48, holes=0.15, weights=weights)
    for row in range(24):
        if data.X[row][0] == "c":
            data.X[row][0] = "d"
        if row % 6 == 0:
            data.y[row] = 2
    for row in range(30, 48, 7):
        data.X[row][-1], data.y[row] = "e", 3
    for at, letter in enumerate(letters):
        if letter == "p":
            for row, value in ((24, -2.0), (25, 3.0)):
                data.X[row][at] = value
    return data


def graphed(name: str, data: Any, kinds: Any = None, **options: Any) -> Any:
    """An unfitted model; a KDB has the structure that all rows give."""
    if name != "kdb2":
        return MODELS[name](**options)
    whole = fit(likely.KDB(k=2, **options), data, range(48), kinds)
    return likely.KDB(structure=whole.structure_, **options)


@pytest.mark.parametrize("weights", ["none", "some"])
@pytest.mark.parametrize("name", MODELS)
def test_merge_is_fit(kit: Any, name: str, weights: str) -> None:
    for seed, options in ((1, {}), (2, {"backoff": "even", "missing": "informative"}), (3, {"estimate": "mle"})):
        data = with_news(kit, seed, weights, LETTERS if name != "ande2" else PAIRED)
        one, other = (fit(graphed(name, data, **options), data, part) for part in (range(24), range(24, 48)))
        whole = fit(graphed(name, data, **options), data, range(48))
        before = one.predict_proba(data.X)
        for merged in (one.merge(other), other.merge(one)):
            same(merged, whole, data.X)
            if name == "tan":
                assert merged.structure_.parents == whole.structure_.parents
        np.testing.assert_array_equal(one.predict_proba(data.X), before)


@pytest.mark.parametrize("name", MODELS)
def test_partial_fit_then_forget(kit: Any, name: str) -> None:
    """Learnt in parts is learnt at once (under one graph), and what was learnt last can be taken back."""
    data = with_news(kit, 4, letters=LETTERS if name != "ande2" else PAIRED)
    for options in ({}, {"backoff": "column", "smoothing": 0.5}):
        grown = fit(graphed(name, data, **options), data, range(24))
        first = fit(graphed(name, data, **options), data, range(24))
        tree = grown.structure_.parents
        grown.partial_fit(*rows(data, range(24, 40))[:2]).partial_fit(*rows(data, range(40, 48))[:2])
        assert grown.structure_.parents == tree
        if name != "tan":
            same(grown, fit(graphed(name, data, **options), data, range(48)), data.X)
        grown.forget(*rows(data, range(24, 48))[:2])
        letters = [at for at, kind in enumerate(data.kinds.values()) if kind != "parzen"]
        bare = [[value if at in letters else None for at, value in enumerate(row)] for row in data.X]
        same(grown, first, bare)  # the grid of a parzen column does not shrink
        assert grown.structure_.parents == tree


@pytest.mark.parametrize("make", [lambda: likely.AODE(), lambda: likely.TAN(relearn=True)], ids=["aode", "tan"])
def test_forget_is_fit_of_the_rest(kit: Any, make: Any) -> None:
    data = with_news(kit, 5, letters="lrnl")
    whole = fit(make(), data, range(48))
    whole.forget(*rows(data, range(24))[:2])
    rest = fit(make(), data, range(24, 48))
    same(whole, rest, data.X)
    assert whole.structure_.parents == rest.structure_.parents
    np.testing.assert_allclose(
        [arc[2] for arc in whole.structure_.arcs], [arc[2] for arc in rest.structure_.arcs], rtol=1e-9, atol=1e-12
    )


def test_tan_relearns_as_rows_come(kit: Any) -> None:
    data = with_news(kit, 6, letters="lrnl")
    grown = fit(likely.TAN(relearn=True), data, range(24))
    grown.partial_fit(*rows(data, range(24, 48))[:2])
    whole = fit(likely.TAN(), data, range(48))
    assert grown.structure_.parents == whole.structure_.parents
    same(grown, whole, data.X)


def test_everything_can_be_forgotten(kit: Any) -> None:
    data = kit.mixed(7, "lrl", rows=12, holes=0.2)
    for name in MODELS:
        model = fit(MODELS[name](), data, range(12))
        model.forget(*rows(data, range(11))[:2])
        only = fit(graphless(name, model), data, [11])
        np.testing.assert_allclose(model.log_likelihood(data.X), only.log_likelihood(data.X), rtol=1e-9, atol=1e-9)
        model.forget(*rows(data, [11])[:2])
        assert model.classes_.tolist() == []


def graphless(name: str, model: Any) -> Any:
    return likely.KDB(structure=model.structure_) if name in ("tan", "kdb2") else MODELS[name]()


@pytest.mark.parametrize("name", SLOW_PAIRS)
def test_rows_and_columns_in_another_order(kit: Any, name: str) -> None:
    data = kit.mixed(8, LETTERS, rows=40, holes=0.15, weights="some")
    model = fit(MODELS[name](), data, range(40))
    shuffled = fit(MODELS[name](), data, np.random.default_rng(0).permutation(40))
    same(shuffled, model, data.X)
    order = [3, 1, 4, 0, 2]
    names = {f"x{at}": f"x{place}" for place, at in enumerate(order)}
    moved = [[row[at] for at in order] for row in data.X]
    twin = MODELS[name](
        kinds={names[key]: "category" if isinstance(kind, list) else kind for key, kind in data.kinds.items()},
        cuts={names[key]: edges for key, edges in data.cuts.items()},
        numbers=data.numbers,
    )
    if name == "spode":
        twin.set_params(parent=names["x0"])
    twin.fit(moved, data.y, data.weights)
    np.testing.assert_allclose(twin.log_likelihood(moved), model.log_likelihood(data.X), rtol=1e-9, atol=1e-9)
    terms = model.explain(data.X).terms
    if name != "kdb2":
        other = twin.explain(moved).terms
        np.testing.assert_allclose(other.sum(axis=1), terms.sum(axis=1), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", MODELS)
def test_weight_two_is_the_row_twice(kit: Any, name: str) -> None:
    data = kit.mixed(9, LETTERS, rows=30, holes=0.15)
    twice = [row for row in range(30) for _ in range(1 + row % 2)]
    one = fit(MODELS[name](), data, twice)
    data.weights = [1.0 + row % 2 for row in range(30)]
    same(fit(MODELS[name](), data, range(30)), one, data.X)


@pytest.mark.parametrize("cuts", ["mdl", "frequency", "width"])
@pytest.mark.parametrize("name", MODELS)
def test_units_change_nothing(kit: Any, name: str, cuts: str) -> None:
    data = kit.mixed(10, "rlrl", rows=120, holes=0.1)
    y = [int(row[0] is not None and row[0] > 0.4) for row in data.X]
    kinds = {name_: "category" if isinstance(kind, list) else kind for name_, kind in data.kinds.items()}
    one = MODELS[name](kinds=kinds, cuts=cuts).fit(data.X, y)
    for shift, scale in ((0.0, 4.0), (1000.0, 0.25), (-3.0, 2.54)):
        moved = [[v if v is None or at % 2 else scale * v + shift for at, v in enumerate(row)] for row in data.X]
        other = MODELS[name](kinds=kinds, cuts=cuts).fit(moved, y)
        assert other.structure_.parents == one.structure_.parents
        np.testing.assert_allclose(other.predict_proba(moved), one.predict_proba(data.X), rtol=1e-7, atol=1e-9)
        for column, edges in one.cuts_.items():
            np.testing.assert_allclose(other.cuts_[column], np.array(edges) * scale + shift, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("options", [{}, {"estimate": "mle"}, {"missing": "informative"}], ids=["bayes", "mle", "told"])
@pytest.mark.parametrize("name", SLOW_PAIRS)
def test_terms_add_up(kit: Any, name: str, options: Any) -> None:
    """Levels never seen among them, and rows that no member has support for."""
    data = kit.mixed(11, LETTERS, rows=30, holes=0.15)
    model = fit(MODELS[name](**options), data, range(30))
    X = [*data.X, ["z", 0.1, 1, 0.2, "a"], ["z", 0.1, 40, -1.9, "z"], [None, 99.0, 0, None, "z"], ["z"] + [None] * 4]
    terms, said = model.explain(X).terms, model.log_likelihood(X)
    assert not np.isnan(terms).any()
    np.testing.assert_allclose(terms[:, 1:].sum(axis=1), said, rtol=1e-10, atol=1e-10)
    proba = model.predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0, rtol=1e-12)
    odds = model.with_priors({0: 0.9, 1: 0.1}).predict_proba(X)
    some = np.isfinite(said).any(axis=1)
    joint = np.exp(said[some] - said[some].max(axis=1, keepdims=True)) * [0.9, 0.1]
    np.testing.assert_allclose(odds[some], joint / joint.sum(axis=1, keepdims=True), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", [name for name in MODELS if name != "ande2"])  # as aode, at four times the time
def test_intervals_narrow(kit: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generative, "PARAMETER_DRAWS", 100)
    few, many = (kit.mixed(12, "lrl", rows=rows_, holes=0.1) for rows_ in (40, 400))
    X = [["a", 0.2, "b"], ["b", None, "c"], [None, 0.3, "a"]]
    wide, narrow = (fit(MODELS[name](), data, range(len(data.y))) for data in (few, many))
    width = []
    for model in (wide, narrow):
        bounds, point = model.interval(X), model.predict_proba(X)
        assert ((bounds[..., 0] <= point + 1e-9) & (point - 1e-9 <= bounds[..., 1])).mean() > 0.8
        width.append(np.diff(bounds, axis=-1).mean())
    assert width[1] < 0.75 * width[0]


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("letters", ["l", "r"])
def test_interval_of_one_column_is_that_of_naive_bayes(kit: Any, name: str, letters: str) -> None:
    """Nothing depends on anything: what is not known of the column is as wide."""
    data = kit.mixed(13, letters, rows=40)
    kinds = {"x0": "category" if letters == "l" else "real"}
    naive = likely.NaiveBayes(kinds=kinds, priors="uniform").fit(data.X, data.y)
    model = (
        MODELS[name](priors="uniform", backoff="even")
        .set_params(kinds=kinds, cuts=data.cuts, numbers=data.numbers)
        .fit(data.X, data.y)
    )
    X = data.X[:4]
    np.testing.assert_allclose(model.interval(X), naive.interval(X), atol=0.05)


@pytest.mark.parametrize("name", MODELS)
def test_sampled_rows_teach_the_same(kit: Any, name: str) -> None:
    for letters, missing in (("lll", "ignore"), ("lrn", "ignore"), ("lrl", "informative")):
        data = kit.mixed(14, letters, rows=150, holes=0.2 if missing == "informative" else 0.0)
        model = fit(MODELS[name](missing=missing, estimate="mle"), data, range(150))
        X, y = model.sample(20_000, seed=3)
        cells = np.asarray(X, dtype=object)
        again = graphless(name, model) if name in ("tan", "kdb2") else MODELS[name]()
        kinds = {key: "category" if isinstance(kind, list) else kind for key, kind in data.kinds.items()}
        again.set_params(missing=missing, estimate="mle", kinds=kinds, cuts=data.cuts, numbers=data.numbers)
        again.fit(cells, y)
        gap = np.abs(again.predict_proba(data.X) - model.predict_proba(data.X))
        assert gap.mean() < 0.03, (letters, missing, gap.mean())


@pytest.mark.parametrize("name", MODELS)
def test_a_missing_number_tells_its_children_nothing(kit: Any, name: str) -> None:
    """Holes are drawn apart from values: below a parent that is not there, children are as they are in the class."""
    rng = np.random.default_rng(16)
    values = rng.normal(size=3000)
    X = [[None if rng.random() < 0.4 else float(v), "high" if v > 0 else "low"] for v in values]
    model = MODELS[name](
        missing="informative", kinds={"x0": "real", "x1": "category"}, cuts={"x0": [0.0]}, numbers="density"
    )
    drawn, _ = model.fit(X, rng.integers(0, 2, 3000)).sample(4000, seed=1)
    cells = np.asarray(drawn, dtype=object)
    gone = np.array([value is None or value != value for value in cells[:, 0]])
    assert 0.3 < gone.mean() < 0.5
    assert 0.4 < (cells[gone, 1] == "high").mean() < 0.6


def test_columns_that_are_not_selected_say_nothing() -> None:
    rng = np.random.default_rng(20)
    y = rng.integers(0, 2, 200)
    X = [["ab"[c if rng.random() < 0.95 else 1 - c], None if rng.random() < 0.25 else "k"] for c in y]
    model = likely.KDB(k=1, select=True, missing="informative", kinds="category").fit(X, y)
    plain = likely.KDB(k=1, missing="informative", kinds="category")
    both, first = (plain.fit(rows, y).leave_one_out(rows, y, log=True) for rows in (X, [x[:1] for x in X]))
    assert both[np.arange(200), y].sum() < first[np.arange(200), y].sum()  # the first column alone is the better
    assert model.model_.used == (0,)
    np.testing.assert_allclose(model.predict_proba([["a", None]]), model.predict_proba([["a", "k"]]), rtol=1e-12)


@pytest.mark.parametrize(
    "cuts", [{"x0": [1.0], "x1": [2.0]}, {"x0": [1.0], "x1": []}, "mdl"], ids=["both", "one", "mdl"]
)
@pytest.mark.parametrize("name", ["spode", "aode", "ande1", "ande2", "tan", "kdb2"])
def test_only_numbers(name: str, cuts: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generative, "PARAMETER_DRAWS", 20)  # enough for intervals that are asked for their shape alone
    rng = np.random.default_rng(18)
    X, y = rng.normal(1.5, 1.0, (30, 2)), rng.integers(0, 2, 30)
    make = {**MODELS, "ande1": lambda **o: likely.AnDE(order=1, **o), "spode": lambda **o: likely.SPODE(**o)}[name]
    model = make(kinds="real", cuts=cuts, numbers="density").fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0, rtol=1e-12)
    terms = model.explain(X).terms[:, 1:].sum(axis=1)
    np.testing.assert_allclose(terms, model.log_likelihood(X), rtol=1e-10, atol=1e-10)
    assert model.leave_one_out(X, y).shape == (30, 2)
    assert model.interval(X[:2]).shape == (2, 2, 2)
    assert np.shape(model.sample(5, seed=0)[0]) == (5, 2)


@pytest.mark.parametrize("support", [0, 1])
@pytest.mark.parametrize("name", ["aode", "ande2", "tan", "kdb2"])
def test_a_column_that_is_always_missing(name: str, support: float) -> None:
    X = [["a", "p", None], ["b", "q", None], ["a", "q", None], ["b", "q", None]] * 4
    y = [0, 1, 0, 1] * 4
    model, without = MODELS[name](kinds="category"), MODELS[name](kinds="category")
    if "min_support" in model.get_params():
        model.set_params(min_support=support)
        without.set_params(min_support=support)
    model.fit(X, y)
    assert np.isfinite(model.leave_one_out(X, y, log=True)).all()
    if name != "ande2":  # of order 2, sets that have the empty column do not speak, and so none do where there are two
        without.fit([row[:2] for row in X], y)
        np.testing.assert_allclose(model.predict_proba(X), without.predict_proba([row[:2] for row in X]), rtol=1e-12)


@pytest.mark.parametrize("name", MODELS)
def test_saved_and_loaded(kit: Any, name: str, tmp_path: Any) -> None:
    data = with_news(kit, 15, letters=LETTERS if name != "ande2" else PAIRED)
    model = fit(MODELS[name](), data, range(48))
    model.save(tmp_path / "model.likely")
    again = likely.load(tmp_path / "model.likely")
    assert type(again) is type(model)
    assert again.structure_ == model.structure_
    np.testing.assert_array_equal(again.predict_proba(data.X), model.predict_proba(data.X))
    np.testing.assert_array_equal(again.leave_one_out(data.X, data.y), model.leave_one_out(data.X, data.y))
    same(again.partial_fit(*rows(data, range(5))[:2]), model.partial_fit(*rows(data, range(5))[:2]), data.X, 1e-12)


def test_a_selected_structure_can_be_shared_and_merged() -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 400)
    X = np.column_stack([y ^ (rng.random(400) < 0.1), rng.integers(0, 3, 400), rng.integers(0, 4, 400)])
    first = likely.KDB(select=True, kinds="category").fit(X[:200], y[:200])
    assert first.structure_.unused
    assert "not used" in repr(first.structure_)
    shared = likely.KDB(structure=first.structure_, kinds="category")
    rest, whole = (likely.KDB(**shared.get_params()).fit(X[at:], y[at:]) for at in (200, 0))
    np.testing.assert_allclose(first.merge(rest).predict_proba(X), whole.predict_proba(X), rtol=1e-12)
