"""What a model says of a row had it not seen it is what a refit without it says: structure, cuts and levels held."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import likely
from likely.data import open_source
from likely.estimators.streams import left_out

STEADY = settings(
    deadline=None,
    derandomize=True,
    phases=set(Phase) - {Phase.explain},
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
OPTIONS = st.fixed_dictionaries(
    {
        "smoothing": st.sampled_from([1.0, 0.5, 0.0]),
        "estimate": st.sampled_from(["bayes", "map", "mle"]),
        "backoff": st.sampled_from(["class", "column", "even"]),
        "missing": st.sampled_from(["ignore", "informative"]),
        "priors": st.sampled_from([None, "uniform"]),
    }
)
TABLES = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 10**6),
        "rows": st.sampled_from([9, 14]),
        "holes": st.sampled_from([0.0, 0.25]),
        "weights": st.sampled_from(["none", "whole", "some"]),
    }
)
MODELS = {
    "spode": lambda **o: likely.SPODE(parent=1, min_support=0, **o),
    "silent": lambda **o: likely.AODE(min_support=10**6, **o),  # naive Bayes speaks of every row
    "aode0": lambda **o: likely.AODE(min_support=0, **o),
    "aode3": lambda **o: likely.AODE(min_support=3, **o),
    "ande0": lambda **o: likely.AnDE(order=0, **o),
    "ande2": lambda **o: likely.AnDE(order=2, **o),
    "tan": lambda **o: likely.TAN(**o),
    "kdb1": lambda **o: likely.KDB(k=1, **o),
    "kdb2": lambda **o: likely.KDB(k=2, **o),
    "kdb3": lambda **o: likely.KDB(k=3, **o),
}


def refitted(name: str, model: Any, data: Any, at: list[int], **options: Any) -> Any:
    """The model of some of the rows; a graph is the one that all rows gave."""
    if name in ("tan", "kdb1", "kdb2", "kdb3"):
        return data.fit(likely.KDB(structure=model.structure_, **options), at)
    return data.fit(MODELS[name](**options), at)


CASES = [
    (name, kinds) if (name, kinds) != ("ande2", "lrnp") else pytest.param(name, kinds, marks=pytest.mark.slow)
    for name in MODELS
    for kinds in ("lll", "rrl", "lnn", "lpl", "lrnp")
    if name != "aode3" or kinds == "lll"  # where support is thin, naive Bayes speaks: as in "silent"
]


@pytest.mark.parametrize("examples", [2, pytest.param(8, marks=pytest.mark.slow)], ids=["few", "many"])
@pytest.mark.parametrize(("name", "kinds"), CASES)
def test_refits(kit: Any, name: str, kinds: str, examples: int) -> None:

    @settings(STEADY, max_examples=examples)
    @given(TABLES, OPTIONS)
    def holds(form: Any, options: Any) -> None:
        data = kit.mixed(kinds=kinds, **form)
        model = data.fit(MODELS[name](**options))
        said = model.leave_one_out(data.X, data.y, sample_weight=data.weights, log=True)
        for row in range(form["rows"]):
            refit = refitted(name, model, data, [at for at in range(form["rows"]) if at != row], **options)
            expected = refit.predict_log_proba([data.X[row]])[0]
            np.testing.assert_allclose(said[row], expected, rtol=1e-9, atol=1e-9, err_msg=f"row {row}: {data.X[row]}")

    holds()


@pytest.mark.parametrize("kinds", ["lll", "rnl"])
def test_tan_forgets_one_row_and_keeps_its_tree(kit: Any, kinds: str) -> None:
    data = kit.mixed(1, kinds, rows=16, holes=0.15)
    said = data.fit(likely.TAN()).leave_one_out(data.X, data.y)
    for row in range(16):
        model = data.fit(likely.TAN())
        tree = model.structure_.parents
        model.forget([data.X[row]], [data.y[row]])
        assert model.structure_.parents == tree
        np.testing.assert_allclose(said[row], model.predict_proba([data.X[row]])[0], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("weights", ["none", "some"])
def test_levels_in_plain_loops(kit: Any, weights: str) -> None:
    """The same against loops over the rows, with nothing of a refit in between."""
    for seed in range(3):
        table = kit.table(seed, rows=15, classes=3, columns=3, holes=0.2, weights=weights, declared=True)
        members = [(0,), (1,), (2,)]
        for backoff in ("class", "column", "even"):
            aode = table.fit(likely.AODE(backoff=backoff)).leave_one_out(table.X, table.y, table.weights, log=True)
            spode = table.fit(likely.SPODE(parent=1, backoff=backoff))
            starred = spode.leave_one_out(table.X, table.y, table.weights, log=True)
            kdb = table.fit(likely.KDB(k=2, backoff=backoff))
            parents, deep = kit.parents(kdb), kdb.leave_one_out(table.X, table.y, table.weights, log=True)
            for at, row in enumerate(table.X):
                brute = kit.brute(table, backoff=backoff, without=at)
                averaged = brute.log_proba([brute.average(row, c, members) for c in table.classes])
                np.testing.assert_allclose(aode[at], averaged, rtol=1e-9, atol=1e-9)
                alone = kit.brute(table, backoff=backoff, without=at, joint=False)
                star = alone.log_proba([alone.average(row, c, [(1,)]) for c in table.classes])
                np.testing.assert_allclose(starred[at], star, rtol=1e-9, atol=1e-9)
                graph = brute.log_proba([brute.graph(row, c, parents) for c in table.classes])
                np.testing.assert_allclose(deep[at], graph, rtol=1e-9, atol=1e-9)


def test_subsumption(kit: Any) -> None:
    """A row left out is no witness that one of its values implies another."""
    data = kit.mixed(2, "lll", rows=20)
    for row in data.X:
        row[1] = "a" if row[0] == "a" else row[1]
    for least in (2, 5):
        said = data.fit(likely.AODE(subsumption=least)).leave_one_out(data.X, data.y)
        for at in range(20):
            refit = data.fit(likely.AODE(subsumption=least), [other for other in range(20) if other != at])
            np.testing.assert_allclose(said[at], refit.predict_proba([data.X[at]])[0], rtol=1e-9, atol=1e-9)


def test_many_blocks_are_one(kit: Any) -> None:
    """More rows than are held at a time."""
    data = kit.mixed(3, "lrl", rows=300, holes=0.1)
    model = data.fit(likely.AODE())
    X, y = data.X * 8, data.y * 8
    np.testing.assert_allclose(
        model.leave_one_out(X, y), np.tile(model.leave_one_out(data.X, data.y), (8, 1)), rtol=1e-12
    )


NO_WEIGHT = {
    "naive": lambda **o: likely.NaiveBayes(**o),
    "bins": lambda **o: likely.NaiveBayes(descriptions="bins", **o),
    "spode": lambda **o: likely.SPODE(**o),
    "tan": lambda **o: likely.TAN(**o),
    "kdb": lambda **o: likely.KDB(select=True, **o),
    "aode": lambda **o: likely.AODE(weights="loss", select=True, **o),
    "ande": lambda **o: likely.AnDE(**o),
    "network": lambda **o: likely.NetworkClassifier(**o),
    "gaussian": lambda **o: likely.GaussianBayes(**o),
    "parzen": lambda **o: likely.ParzenBayes(**o),
}


@pytest.mark.parametrize("name", NO_WEIGHT)
def test_rows_of_no_weight_may_have_values_that_no_other_row_has(name: str, tmp_path: Path) -> None:
    """They were not learnt: the model says of them what it says of any row, from a frame or a file."""
    rng = np.random.default_rng(0)
    y = np.where(rng.random(60) < 0.4, "a", "b")
    X = pd.DataFrame({"k": rng.choice(list("uvw"), 60), "x": rng.normal(y == "a"), "p": rng.normal(size=60)})
    weights = rng.integers(1, 3, 60).astype(float)
    idle = [3, 7, 11]
    weights[idle] = 0.0
    X.loc[3, "k"], X.loc[7, "p"], X.loc[11, "x"] = "odd", 77.0, -99.0
    model = NO_WEIGHT[name](kinds={"p": "parzen"} if name != "gaussian" else {})
    X.assign(w=weights, y=y).to_csv(tmp_path / "rows.csv", index=False)
    rows = replace(open_source(tmp_path / "rows.csv"), weight="w")
    by_file, fitted = likely.fit(tmp_path / "rows.csv", "y", model, weight="w"), model.fit(X, y, sample_weight=weights)
    said = fitted.leave_one_out(X, y, sample_weight=weights)
    np.testing.assert_allclose(said[idle], fitted.predict_proba(X.loc[idle]), rtol=1e-12, atol=1e-12)
    _, log_proba, _ = left_out(by_file, rows)
    np.testing.assert_allclose(np.exp(log_proba[idle]), by_file.predict_proba(X.loc[idle]), rtol=1e-9, atol=1e-9)
    assert not by_file.forget(rows).model_.rows.any()
