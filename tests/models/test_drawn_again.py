"""Draws of parameters, one after the other: what they are drawn from is found once; they stay as they were."""

import numpy as np
import pandas as pd
import pytest

import likely
from likely.engines import open_source
from likely.estimators import generative
from likely.families.levels import Levels
from likely.kernels.rows import normalise
from likely.models.priors import draw_prior

MODELS = [likely.NaiveBayes(), likely.TAN(), likely.KDB(k=2), likely.AODE(), likely.SPODE(), likely.GaussianBayes()]


def table(rows: int = 60) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(0)
    y = np.array(["no", "yes"])[rng.integers(2, size=rows)]
    words = {f"word{at}": rng.choice(["a", "b", "c", None], size=rows) for at in range(3)}
    numbers = {f"number{at}": rng.normal(size=rows) + (y == "no") for at in range(2)}
    return pd.DataFrame(words | numbers), y


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_draws_are_those_of_a_model_drawn_anew(model: likely.NaiveBayes) -> None:
    X, y = table()
    X = X[["number0", "number1"]] if isinstance(model, likely.GaussianBayes) else X
    found = model.fit(X, y).model_
    (task,) = open_source(X).tasks(found.schema, False, 10_000)
    block, rng = task(), np.random.default_rng(7)
    drawn = found.draw_proba(block, np.random.default_rng(7), 3)
    for one in drawn:
        prior = draw_prior(found.priors, found.rows, found.schema.classes, found.setting.smoothing, rng)
        out = np.tile(prior, (block.rows, 1))
        found.draw(rng).add(block, out)
        np.testing.assert_array_equal(one, normalise(out, prior))


@pytest.mark.parametrize("model", [likely.TAN(), likely.KDB(k=2), likely.AODE()], ids=repr)
def test_what_is_drawn_from_is_found_once(model: likely.TAN, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = table()
    model.fit(X, y)
    calls, real = [], Levels.table
    monkeypatch.setattr(Levels, "table", lambda *given: (calls.append(1), real(*given))[1])
    counts = []
    for draws in (2, 20):
        monkeypatch.setattr(generative, "DRAWS", draws)
        calls.clear()
        model.interval(X)
        counts.append(len(calls))
    assert counts[0] >= counts[1]


@pytest.mark.parametrize("model", MODELS[:4], ids=repr)
def test_intervals_do_not_hang_on_the_rows_beside(model: likely.NaiveBayes, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = table()
    monkeypatch.setattr(generative, "DRAWS", 20)
    together = model.fit(X, y).interval(X, seed=3)
    monkeypatch.setattr(generative, "DRAWN", 7)
    monkeypatch.setattr(generative, "HELD", 0)
    np.testing.assert_allclose(model.interval(X, seed=3), together, rtol=1e-9)
