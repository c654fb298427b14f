"""Seeds of what is drawn at random, of every estimator that takes one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import likely
from likely.errors import ModelError, OptionError
from likely.estimators.face.options import declared_options
from likely.estimators.registry import ESTIMATORS, estimator

SEEDED = [name for name in ESTIMATORS if any(one.name == "random_state" for one in declared_options(estimator(name)))]
SMALL = {
    "AdaBoost": {"n_estimators": 2},
    "Bagging": {"n_estimators": 2},
    "BayesForest": {"n_estimators": 2},
    "BayesClassifier": {"candidates": ["naive", "lda"]},
}
WRONG = ("x", "1", 1.5, 2.0, [1], (1, 2), np.array([1]), -1, 2**32, True, float("nan"), {}, np.random.default_rng(0))
X = np.random.default_rng(0).normal(size=(40, 2))


def made(name: str, seed: Any) -> Any:
    return estimator(name)(**SMALL.get(name, {}), random_state=seed)


def fitted(name: str, seed: Any) -> Any:
    return made(name, seed).fit(X, X[:, 0] if ESTIMATORS[name].numeric else X[:, 0] > X[:, 1])


def said(name: str, model: Any) -> Any:
    return model.predict(X) if ESTIMATORS[name].numeric else model.predict_proba(X)


def test_some_estimators_take_a_seed() -> None:
    assert {"DecisionTree", "RegressionTree", *SMALL} <= set(SEEDED)


@pytest.mark.parametrize("seed", WRONG, ids=lambda seed: f"{type(seed).__name__} {seed!r}".split("(")[0])
@pytest.mark.parametrize("name", SEEDED)
def test_what_is_no_seed_is_refused_with_a_code_a_place_and_a_hint(name: str, seed: Any) -> None:
    with pytest.raises(OptionError, match="O651") as caught:
        fitted(name, seed)
    assert caught.value.place == "random_state="
    assert "a whole number from 0 to 4294967295" in caught.value.hint


@pytest.mark.parametrize("name", ["AdaBoost", "Bagging"])
def test_the_seed_of_a_tree_of_an_ensemble_is_checked_too(name: str) -> None:
    tree = likely.DecisionTree(random_state="x")
    with pytest.raises(OptionError, match="O651"):
        estimator(name)(tree).fit(X, X[:, 0] > 0)


@pytest.mark.parametrize("name", SEEDED)
def test_whole_numbers_none_and_random_states_are_seeds(name: str) -> None:
    for seed in (0, 2**32 - 1, np.int64(3), np.uint8(3), None):
        fitted(name, seed)
    first, second = (fitted(name, np.random.RandomState(3)) for _ in range(2))
    np.testing.assert_array_equal(said(name, first), said(name, second))


@pytest.mark.parametrize("name", SEEDED)
def test_a_random_state_is_refused_by_files_which_say_what_to_do(name: str, tmp_path: Path) -> None:
    place = tmp_path / "some.likely"
    model = fitted(name, np.random.RandomState(3))
    before = said(name, model)
    fitted(name, 0).save(place)
    older = place.read_bytes()
    with pytest.raises(ModelError, match="M372") as caught:
        model.save(place)
    assert caught.value.place == "save(path)"
    assert "set_params(random_state=0)" in caught.value.hint
    assert place.read_bytes() == older
    model.set_params(random_state=0).save(place)
    np.testing.assert_array_equal(said(name, likely.load(place)), before)
