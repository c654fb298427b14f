"""Rows of which parents are missing: sums over every completion, also when leaving out, explaining and selecting."""

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likely
from likely.core.block import Block
from likely.core.numerics import log_sum_exp
from likely.data import Labels, open_source
from likely.errors import ModelError
from likely.models.cells import marginalisation
from likely.models.cells.marginalisation import LogFactor, sum_out


def table(seed: int, rows: int = 60, share: float = 0.3) -> tuple[pd.DataFrame, np.ndarray]:
    """Levels and numbers that depend on each other, with values missing at random."""
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=rows)
    frame, last = {}, y
    for at in range(4):
        last = (last + rng.integers(2, size=rows)) % 3
        words = np.array(["low", "mid", "high"], dtype=object)[last]
        words[rng.random(rows) < share] = None
        frame[f"word{at}"] = words
    for at in range(2):
        numbers = rng.normal(size=rows) + last
        numbers[rng.random(rows) < share] = np.nan
        frame[f"number{at}"] = numbers
    return pd.DataFrame(frame), y


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.data())
def test_sums_are_those_over_every_assignment(data: st.DataObject) -> None:
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    sizes, steps, rows, classes = rng.integers(1, 4, size=5), int(rng.integers(1, 4)), 3, 2
    factors = []
    for _ in range(data.draw(st.integers(1, 7))):
        some = np.flatnonzero(rng.random(rows) < 0.8)
        variables = tuple(rng.permutation(5)[: rng.integers(0, 4)].tolist())
        values = rng.normal(scale=30, size=(len(some), *sizes[list(variables)], classes))
        values[rng.random(values.shape) < 0.1] = -np.inf
        factors.append(LogFactor(some, variables, values, rng.integers(steps, size=len(some))))
    found = sum_out(factors, sizes, (rows, steps, classes))
    for row, step in product(range(rows), range(steps)):
        mine = [
            (factor.variables, factor.values[factor.rows == row][0])
            for factor in factors
            if ((factor.rows == row) & (factor.born <= step)).any()
        ]
        tied = sorted({variable for variables, _ in mine for variable in variables})
        terms = [
            sum((values[tuple(guess[tied.index(v)] for v in variables)] for variables, values in mine), np.zeros(2))
            for guess in product(*(range(sizes[variable]) for variable in tied))
        ]
        np.testing.assert_allclose(found[row, step], log_sum_exp(np.array(terms), axis=0), rtol=1e-12, atol=1e-12)


def test_too_much_to_sum_out_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marginalisation, "MOST_NUMBERS_OF_STEP", 17)
    one = LogFactor(np.array([0]), (0, 1), np.zeros((1, 3, 3, 2)), np.array([0]))
    with pytest.raises(ModelError, match="2 values that depend on each other are missing together"):
        sum_out([one], np.array([3, 3]), (1, 1, 2))


@pytest.mark.parametrize("missing", ["ignore", "informative"])
@pytest.mark.parametrize("numbers", ["levels", "density"])
def test_losses_of_the_first_columns_are_those_of_models_of_these_columns(missing: str, numbers: str) -> None:
    X, y = table(1)
    weights = np.random.default_rng(2).choice([0.5, 1.0], size=len(y))
    model = likely.KDB(k=2, missing=missing, numbers=numbers).fit(X, y, sample_weight=weights).model_
    block = _block(X, y, weights, model)
    ordered, expected = model.order, []
    for columns in range(len(ordered) + 1):
        alone = replace(model, used=ordered[:columns]).without(block)
        expected.append(-(weights * alone[np.arange(len(y)), block.cells]).sum())
    np.testing.assert_allclose(model.losses(block, (), ordered), expected, rtol=1e-12)


@pytest.mark.parametrize("model", [likely.TAN(), likely.KDB(k=3), likely.KDB(k=2, missing="informative")], ids=repr)
def test_terms_of_rows_with_missing_parents_add_up(model: likely.KDB) -> None:
    X, y = table(3)
    told = model.fit(X, y).explain(X)
    joint = np.asarray(told.terms).sum(axis=1)
    posterior = joint - log_sum_exp(joint)[:, None]
    np.testing.assert_allclose(posterior, model.predict_log_proba(X), rtol=1e-10, atol=1e-12)


def test_rows_are_summed_whatever_rows_are_beside_them(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = table(4, rows=80)
    model = likely.KDB(k=2).fit(X, y)
    together = model.predict_log_proba(X)
    monkeypatch.setattr("likely.models.cells.missing_parents.MOST_FACTOR_NUMBERS", 40)  # a few rows at a time
    np.testing.assert_array_equal(model.predict_log_proba(X), together)
    alone = np.concatenate([model.predict_log_proba(X[at : at + 1]) for at in range(len(X))])
    np.testing.assert_allclose(alone, together, rtol=1e-12, atol=1e-12)


def test_many_patterns_take_no_more_calls_than_one(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = table(5, rows=400)
    model, calls = likely.KDB(k=2).fit(X, y), []
    real = marginalisation.plan
    monkeypatch.setattr(marginalisation, "plan", lambda *given: (calls.append(1), real(*given)))
    model.predict_log_proba(X)
    assert len(calls) <= 2
    assert len(X.isna().drop_duplicates()) > 30


def _block(X: pd.DataFrame, y: np.ndarray, weights: np.ndarray, model: object) -> Block:
    source = open_source(X, labels=Labels.read(y), weights=weights)
    (task,) = source.tasks(model.schema, True, 10_000)
    return task()
