"""Threads ask one fresh model about rows of several blocks: each needs workers, and values kept by all."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import is_regressor

import likely
from likely.data.blocks import SCORED_ROWS
from likely.estimators.registry import ESTIMATORS, estimator
from likely.evaluation.recalibration.recalibration import recalibrate

FEW = {kind: {"n_estimators": 3} for kind in (likely.Bagging, likely.AdaBoost, likely.BayesForest)}
TAUGHT, SEVERAL_BLOCKS, MANY_ROWS = 300, 2 * SCORED_ROWS + 1, 20_000
TURNS = 3


def rows(seed, many):
    """Words and numbers, and the class that they tell of."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=many)
    sky = np.array(["sun", "rain", "snow"], dtype=object)[rng.integers(2, size=many) + y]
    return pd.DataFrame({"sky": sky, "warm": rng.normal(y, 1.0), "wet": rng.integers(3, size=many) * 0.5}), y


def make(kind):
    known = kind().get_params()
    return kind(**FEW.get(kind, {}), **({"random_state": 0} if "random_state" in known else {}))


def answers(model, asked, taught):
    """What a model says of many rows, and of those that it was taught."""
    X, y = taught
    told = [model.predict(asked)]
    if hasattr(model, "predict_proba"):
        told += [model.predict_proba(asked)]
    if hasattr(model, "leave_one_out"):
        told += [model.leave_one_out(X, y)]
    if hasattr(model, "explain"):
        told += [model.explain(asked[:50]).terms]
    return [one.tolist() if one.dtype == object else one.tobytes() for one in told]


def agree(model, asked, taught, together):
    fresh = pickle.dumps(model)
    wanted = answers(pickle.loads(fresh), asked, taught)
    few = asked[:20]
    for _ in range(TURNS):
        model = pickle.loads(fresh)  # it has nothing reckoned yet

        def ask(at, model=model):
            if at % 2:  # a thread of its own reckons, and needs workers, while all workers wait for what it reckons
                model.predict(few)
            return answers(model, asked, taught)

        assert all(told == wanted for told in together(ask, 6))


@pytest.mark.parametrize("kind", [likely.NaiveBayes, likely.AODE, likely.BayesForest])
@pytest.mark.parametrize("method", [None, "platt"])
def test_answers_about_several_blocks_agree(kind, method, together):
    taught = rows(0, TAUGHT)
    model = make(kind).fit(*taught)
    model = model if method is None else recalibrate(model, *taught, method)
    agree(model, rows(1, SEVERAL_BLOCKS)[0], taught, together)


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(map(estimator, ESTIMATORS)))
def test_answers_about_very_many_rows_agree(kind, together):
    (X, y), (asked, _) = rows(0, MANY_ROWS), rows(1, MANY_ROWS)
    if is_regressor(kind()):
        return agree(make(kind).fit(X, X["warm"]), asked, (X, X["warm"]), together)
    model = make(kind).fit(X, y)
    agree(model, asked, (X, y), together)
    return agree(recalibrate(model, X, y, "isotonic"), asked, (X, y), together)
