"""What holds for every belief: parts add up, order does not matter, evidence is the chain of one-step predictives."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely.beliefs import Beta, Dirichlet, Gamma, NormalInverseGamma, NormalInverseWishart
from likely.beliefs.belief import Belief
from likely.errors import OptionError

laws = settings(deadline=None, max_examples=60)
few = settings(deadline=None, max_examples=10)

above = st.floats(0.05, 50)
value = st.floats(-20, 20)
seeds = st.integers(0, 2**32 - 1)


def normal_wishart(rng: np.random.Generator, *leading: int) -> NormalInverseWishart:
    half = rng.normal(size=(*leading, 3, 3))
    scale = half @ np.swapaxes(half, -1, -2) + 0.1 * np.eye(3)
    size = leading or None
    return NormalInverseWishart(rng.normal(size=(*leading, 3)), rng.gamma(2, size=size) + 0.1, 2 + rng.gamma(2), scale)


def close(one: Belief, other: Belief, tolerance: float = 1e-9) -> bool:
    pairs = zip(one._values(), other._values(), strict=True)
    return all(np.allclose(a, b, rtol=tolerance, atol=tolerance) for a, b in pairs)


@laws
@given(above, above, st.lists(st.booleans(), max_size=12))
def test_beta_chain(a: float, b: float, draws: list[bool]) -> None:
    belief, total = Beta(a, b), 0.0
    for won in draws:
        total += np.log(belief.predictive().pmf(int(won)))
        belief = belief.update(int(won), int(not won))
    wins = sum(draws)
    assert Beta(a, b).log_evidence(wins, len(draws) - wins) == pytest.approx(total, abs=1e-10)
    assert close(belief, Beta(a, b).update(wins, len(draws) - wins))


@laws
@given(st.lists(above, min_size=1, max_size=5), st.data())
def test_dirichlet_chain(concentration: list[float], data: st.DataObject) -> None:
    levels = len(concentration)
    draws = data.draw(st.lists(st.integers(0, levels - 1), max_size=12))
    belief, total = Dirichlet(concentration), 0.0
    for level in draws:
        total += np.log(belief.mean[level])
        belief = belief.update(np.eye(levels)[level])
    counts = np.bincount(draws, minlength=levels) if draws else np.zeros(levels)
    assert Dirichlet(concentration).log_evidence(counts) == pytest.approx(total, abs=1e-10)
    assert close(belief, Dirichlet(concentration).update(counts))


@laws
@given(value, above, above, above, st.lists(value, max_size=10))
def test_normal_chain(mean: float, strength: float, shape: float, rate: float, values: list[float]) -> None:
    prior = NormalInverseGamma(mean, strength, shape, rate)
    belief, total = prior, 0.0
    for x in values:
        total += belief.log_predictive(x)
        belief = belief.update([x])
    assert prior.log_evidence(values) == pytest.approx(total, rel=1e-9, abs=1e-9)
    assert close(belief, prior.update(values))


@laws
@given(seeds, st.integers(0, 8))
def test_wishart_chain(seed: int, rows: int) -> None:
    rng = np.random.default_rng(seed)
    prior, values = normal_wishart(rng), rng.normal(size=(rows, 3)) * 3
    belief, total = prior, 0.0
    for row in values:
        total += belief.log_predictive(row)
        belief = belief.update(row[None])
    assert prior.log_evidence(values) == pytest.approx(total, rel=1e-8, abs=1e-8)
    assert close(belief, prior.update(values))


@laws
@given(above, above, st.lists(st.tuples(st.integers(0, 30), above), max_size=10))
def test_gamma_chain(shape: float, rate: float, draws: list[tuple[int, float]]) -> None:
    belief, total = Gamma(shape, rate), 0.0
    for count, exposure in draws:
        total += belief.log_predictive(count, exposure)
        belief = belief.update(count, exposure)
    counts, exposures = np.array(draws).reshape(-1, 2).T
    assert Gamma(shape, rate).log_evidence(counts, exposures) == pytest.approx(total, rel=1e-9, abs=1e-9)
    assert close(belief, Gamma(shape, rate).update(counts.sum(), exposures.sum()))


@laws
@given(seeds, st.integers(0, 12), st.integers(0, 12))
def test_parts_order_and_forgetting(seed: int, first: int, second: int) -> None:
    rng = np.random.default_rng(seed)
    narrow, wide = NormalInverseGamma(rng.normal(), 0.5, 1.5, 2), normal_wishart(rng)
    rows = rng.normal(size=(first + second, 3)) * 5 + 2
    shuffled = rng.permutation(rows)
    for prior, every, other in ((narrow, rows[:, 0], shuffled[:, 0]), (wide, rows, shuffled)):
        whole: Any = prior.update(every)
        assert close(prior.update(every[:first]).update(every[first:]), whole)
        assert close(prior.update(other), whole)
        assert prior.log_evidence(other) == pytest.approx(prior.log_evidence(every), rel=1e-9, abs=1e-9)
    if second:
        late = rows[first:, 0]
        without = narrow.update(rows[:, 0]).learn(-second, late.mean(), -second * late.var())
        assert close(without, narrow.update(rows[:first, 0]), 1e-7)


@laws
@given(seeds, st.integers(1, 6))
def test_weight_two_is_a_row_twice(seed: int, rows: int) -> None:
    rng = np.random.default_rng(seed)
    weights, values = rng.integers(0, 4, size=rows), rng.normal(size=(rows, 3))
    repeated = np.repeat(values, weights, axis=0)
    narrow, wide = NormalInverseGamma(0, 1, 1, 1), normal_wishart(rng)
    assert close(narrow.update(values[:, 0], weights), narrow.update(repeated[:, 0]))
    assert close(wide.update(values, weights), wide.update(repeated))
    for belief, plain, twice in ((narrow, values[:, 0], repeated[:, 0]), (wide, values, repeated)):
        assert belief.log_evidence(plain, weights) == pytest.approx(belief.log_evidence(twice), abs=1e-9)


@laws
@given(value, st.floats(0.01, 100), st.lists(value, min_size=1, max_size=8))
def test_shift_and_scale_change_the_units_alone(shift: float, scale: float, values: list[float]) -> None:
    prior, data = NormalInverseGamma(1.0, 2.0, 1.5, 3.0), np.array(values)
    moved = NormalInverseGamma(1.0 * scale + shift, 2.0, 1.5, 3.0 * scale**2)
    expected = prior.log_evidence(data) - len(data) * np.log(scale)
    assert moved.log_evidence(data * scale + shift) == pytest.approx(expected, rel=1e-7, abs=1e-7)


# For each belief: one with two leading axes, and questions that end in the arguments of one cell.
def vectorised(rng: np.random.Generator) -> list[tuple[Any, dict[str, tuple[Any, ...]]]]:
    def some(*shape: int) -> np.ndarray:
        return rng.gamma(2.0, size=shape) + 0.1

    counts, share = rng.integers(0, 9, size=(2, 3, 4)), rng.dirichlet(np.ones(4), size=(2, 3))
    rows = rng.normal(size=(2, 3, 5, 3))
    spread = np.swapaxes(rows, -1, -2) @ rows + np.eye(3)
    pair = (counts[..., 0], counts[..., 1])
    beta = {"update": pair, "log_evidence": pair, "log_density": (share[..., 0],), "interval": ()}
    levels = {"update": (counts,), "log_evidence": (counts,), "log_density": (share,), "interval": ()}
    gamma = {"update": pair, "log_predictive": pair, "log_evidence": (counts,), "interval": ()}
    normal: dict[str, tuple[Any, ...]] = dict.fromkeys(("update", "log_evidence"), (rows[..., 0],))
    normal |= {"log_predictive": (rows[..., 0, 0],), "log_density": (rows[..., 0, 0], spread[..., 0, 0])}
    wishart: dict[str, tuple[Any, ...]] = dict.fromkeys(("update", "log_evidence"), (rows,))
    wishart |= {"log_predictive": (rows[..., 0, :],), "log_density": (rows[..., 0, :], spread)}
    return [
        (Beta(some(2, 3), some(3)), beta),
        (Dirichlet(some(2, 3, 4)), levels),
        (Gamma(some(2, 1), some(2, 3)), gamma | {"log_density": (some(2, 3),)}),
        (NormalInverseGamma(some(2, 3), some(3), 1.5, some(2, 1)), normal | {"interval": (), "variance_interval": ()}),
        (normal_wishart(rng, 2, 3), wishart | {"interval": ()}),
    ]


NAMES = ("mean", "mode", "variance", "variance_mode", "expected_variance", "variance_of_mean", "student")


@given(seeds)
@few
def test_vectorised_equals_a_loop(seed: int) -> None:
    for belief, questions in vectorised(np.random.default_rng(seed)):
        assert belief.leading == (2, 3)
        for cell in np.ndindex(2, 3):
            one = belief[cell]
            for verb, arguments in questions.items():
                alone = getattr(one, verb)(*(argument[cell] for argument in arguments))
                _agree(getattr(belief, verb)(*arguments), alone, cell)
            for name in (*NAMES, "covariance_mode", "expected_covariance", "marginals"):
                if hasattr(belief, name):
                    _agree(getattr(belief, name), getattr(one, name), cell)


def _agree(many: Any, alone: Any, cell: tuple[int, ...]) -> None:
    if isinstance(many, tuple):
        for all_of_it, part in zip(many, alone, strict=True):
            _agree(all_of_it, part, cell)
    elif isinstance(many, Belief):
        assert close(many[cell], alone, 1e-10)
    else:
        assert np.allclose(many[cell], alone, rtol=1e-9, atol=1e-9, equal_nan=True)


@given(seeds)
@few
def test_beliefs_are_values(seed: int) -> None:
    for belief, questions in vectorised(np.random.default_rng(seed)):
        twin = pickle.loads(pickle.dumps(belief))
        assert belief == twin == copy.deepcopy(belief)
        assert hash(belief) == hash(twin)
        assert belief != belief.update(*questions["update"])
        assert belief != belief[0]
        assert belief != "a belief"
        with pytest.raises(AttributeError):
            belief.mean = 0
        first = belief._values()[0]
        with pytest.raises(ValueError, match="read-only"):
            first[...] = 1.0
        assert [part.leading for part in belief] == [(3,), (3,)]
        assert belief[:, 1].leading == (2,)
        assert belief[np.array([True, False])].leading == (1, 3)
        with pytest.raises(OptionError, match="O209"):
            belief[0, 0][0]


def test_a_belief_keeps_no_hold_of_what_it_was_given() -> None:
    given_array = np.ones(3)
    belief = Dirichlet(given_array)
    given_array[:] = 9
    assert belief.concentration.tolist() == [1, 1, 1]


def test_scores_are_ready_without_scipy_stats() -> None:
    """Importing scipy.stats takes most of a second; only `predictive` may ask for it."""
    import subprocess
    import sys

    code = "import likely.beliefs, sys; sys.exit('scipy.stats' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
