"""Bayes' rule, against the worked values of the sources and exact fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely.beliefs import bayes_rule
from likely.errors import OptionError

DRAWS = {"A": 0.0, "B": 0.25**2, "C": 0.5**2, "D": 0.75**2, "E": 1.0}


def test_mammogram() -> None:
    posterior = bayes_rule({"ill": 0.004, "healthy": 0.996}, {"ill": 0.8, "healthy": 0.1})
    assert posterior["ill"] == pytest.approx(0.031128, abs=5e-7)
    assert sum(posterior.values()) == pytest.approx(1.0, abs=1e-15)


def test_boxes_with_a_flat_prior_follow_the_likelihood() -> None:
    posterior = bayes_rule(dict.fromkeys(DRAWS, 0.2), DRAWS)
    assert max(posterior, key=posterior.__getitem__) == "E"
    assert list(posterior) == ["A", "B", "C", "D", "E"]
    assert posterior["A"] == 0.0


def test_boxes_with_a_prior() -> None:
    posterior = bayes_rule({"A": 0.1, "B": 0.2, "C": 0.4, "D": 0.2, "E": 0.1}, DRAWS)
    assert max(posterior, key=posterior.__getitem__) == "D"
    assert posterior["D"] == pytest.approx(0.346154, abs=5e-7)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=1, max_size=8))
def test_equals_exact_fractions(pairs: list[tuple[int, int]]) -> None:
    total = sum(p * q for p, q in pairs)
    prior, likelihood = {i: p for i, (p, _) in enumerate(pairs)}, {i: q for i, (_, q) in enumerate(pairs)}
    if total == 0:
        with pytest.raises(OptionError, match="O213"):
            bayes_rule(prior, likelihood)
        return
    posterior = bayes_rule(prior, likelihood)
    for i, (p, q) in enumerate(pairs):
        assert posterior[i] == pytest.approx(float(Fraction(p * q, total)), abs=1e-14)


def test_evidence_too_small_for_plain_numbers() -> None:
    posterior = bayes_rule({"a": 1e-200, "b": 1.0}, {"a": 1e-100, "b": 3e-300})
    assert posterior["b"] == pytest.approx(0.75, abs=1e-12)


@pytest.mark.parametrize("prior", [(0.6, 0.5), (0.5, 0.4), (1.0, 0.1), (2.5, 1.5), (1e-200, 3e-200), (0.5, 0.498)])
def test_refuses_a_prior_that_does_not_sum_to_one(prior: tuple[float, float]) -> None:
    with pytest.raises(OptionError, match=r"O217\] the prior sums to (.|\n)*hypothesis missing") as error:
        bayes_rule(dict(zip("ab", prior, strict=True)), {"a": 0.5, "b": 0.5})
    assert error.value.place == "prior="


@pytest.mark.parametrize("prior", [(0.333, 0.333, 0.333), (0.1 + 0.2, 0.3, 0.4), (1, 1, 2), (3.0, 0.0, 250.0)])
def test_takes_few_decimals_and_odds(prior: tuple[float, float, float]) -> None:
    posterior = bayes_rule(dict(zip("abc", prior, strict=True)), dict.fromkeys("abc", 0.5))
    assert list(posterior.values()) == pytest.approx([value / sum(prior) for value in prior], abs=1e-14)


def test_in_turn_equals_at_once() -> None:
    prior, first, second = {"a": 0.2, "b": 0.8}, {"a": 0.7, "b": 0.1}, {"a": 0.4, "b": 0.9}
    in_turn = bayes_rule(bayes_rule(prior, first), second)
    at_once = bayes_rule(prior, {name: first[name] * second[name] for name in prior})
    assert in_turn == pytest.approx(at_once, abs=1e-15)


def test_names_the_missing_hypothesis_and_the_nearest() -> None:
    with pytest.raises(OptionError, match=r"O211(.|\n)*'heathy'(.|\n)*Did you mean 'healthy'"):
        bayes_rule({"ill": 0.5, "healthy": 0.5}, {"ill": 0.5, "heathy": 0.5})
    with pytest.raises(OptionError, match=r"the likelihood has no hypothesis 'b'"):
        bayes_rule({"a": 0.5, "b": 0.5}, {"a": 0.5})


@pytest.mark.parametrize("value", [-0.1, float("nan"), float("inf"), "many", None, 10**400])
def test_refuses_what_is_no_probability(value: object) -> None:
    with pytest.raises(OptionError, match="O212"):
        bayes_rule({"a": value, "b": 0.5}, {"a": 0.5, "b": 0.5})  # type: ignore[dict-item]
    with pytest.raises(OptionError, match="O212"):
        bayes_rule({"a": 0.5, "b": 0.5}, {"a": 0.5, "b": value})  # type: ignore[dict-item]


@pytest.mark.parametrize("mapping", [{}, 3, [0.5, 0.5]])
def test_refuses_what_is_no_mapping(mapping: object) -> None:
    with pytest.raises(OptionError, match="O210"):
        bayes_rule(mapping, {"a": 1.0})  # type: ignore[arg-type]


def test_numpy_numbers_come_back_as_floats() -> None:
    posterior = bayes_rule({"a": np.float64(1), "b": np.int64(1)}, {"a": np.float32(0.5), "b": 0.5})
    assert posterior == {"a": 0.5, "b": 0.5}
    assert all(type(value) is float for value in posterior.values())
