"""R-hat and effective sample size, on chains whose autocorrelation is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely.networks.sampling.diagnostics import effective_size, pooled, rhat, with_unseen


def switching(rng: np.random.Generator, chains: int, draws: int, up: float, down: float) -> np.ndarray:
    """(chains, draws, 1): zeros and ones that turn with these probabilities; their autocorrelation is (1-up-down)^t."""
    state = rng.random(chains) < up / (up + down)
    out = np.empty((chains, draws, 1), dtype=np.int64)
    for at in range(draws):
        out[:, at, 0] = state
        state = np.where(state, rng.random(chains) >= down, rng.random(chains) < up)
    return out


def batched(draws: np.ndarray, batch: int) -> np.ndarray:
    chains, many, cells = draws.shape
    return draws.reshape(chains, many // batch, batch, cells).sum(axis=2)


@pytest.mark.parametrize(("up", "down"), [(0.5, 0.5), (0.1, 0.2), (0.02, 0.05)])
@pytest.mark.parametrize("batch", [1, 10])
def test_effective_size_of_a_chain_that_switches(up: float, down: float, batch: int) -> None:
    rng = np.random.default_rng(0)
    found = [effective_size(batched(switching(rng, 4, 4000, up, down), batch), batch)[0] for _ in range(10)]
    expected = 16_000 * (up + down) / (2.0 - up - down)
    assert np.mean(found) == pytest.approx(expected, rel=0.2)


@pytest.mark.parametrize(("up", "down"), [(0.5, 0.5), (0.05, 0.1)])
def test_errors_are_those_of_many_runs(up: float, down: float) -> None:
    rng = np.random.default_rng(1)
    runs = [switching(rng, 4, 1000, up, down) for _ in range(60)]
    shares = np.array([run.mean() for run in runs])
    sizes = np.array([effective_size(batched(run, 5), 5)[0] for run in runs])
    errors = with_unseen(np.sqrt(shares * (1 - shares) / sizes), sizes)
    assert np.sqrt(np.mean(errors**2)) == pytest.approx(shares.std(), rel=0.25)


def test_rhat_of_chains_by_the_definition() -> None:
    rng = np.random.default_rng(2)
    draws = switching(rng, 3, 400, 0.1, 0.2)
    halves = draws[..., 0].reshape(6, 200).astype(float)
    within = halves.var(axis=1, ddof=1).mean()
    between = 200 * halves.mean(axis=1).var(ddof=1)
    expected = np.sqrt((199 / 200 * within + between / 200) / within)
    assert rhat(draws) == pytest.approx([expected], abs=1e-12)
    assert rhat(batched(draws, 10), 10) == pytest.approx([expected], abs=1e-12)


def test_chains_that_drift_or_stay_apart_are_told() -> None:
    rng = np.random.default_rng(3)
    apart = np.concatenate([rng.random((2, 500, 1)) < 0.3, rng.random((2, 500, 1)) < 0.6]).astype(int)
    assert rhat(apart)[0] > 1.05
    assert effective_size(apart)[0] < 100
    drifting = (rng.random((4, 500, 1)) < np.linspace(0.1, 0.9, 500)[None, :, None]).astype(int)
    assert rhat(drifting)[0] > 1.05


def test_what_never_moves() -> None:
    stuck = np.repeat(np.array([1, 0, 0, 1])[:, None, None], 100, axis=1)
    assert rhat(stuck)[0] == np.inf
    assert effective_size(stuck)[0] <= 8
    same = np.ones((4, 100, 1), dtype=np.int64)
    assert np.isnan(rhat(same)).all()
    assert np.isnan(effective_size(same)).all()


@pytest.mark.parametrize("draws", [1, 2, 3, 5])
def test_short_chains_do_not_break(draws: int) -> None:
    counts = np.arange(2 * draws).reshape(2, draws, 1) % 2
    assert effective_size(counts)[0] <= 2 * draws
    assert rhat(counts).shape == (1,)


def test_pooled_is_between_its_cells() -> None:
    shares, sizes = np.array([0.3, 0.7, 0.5, 0.5, 1.0]), np.array([100.0, 100.0, 50.0, 80.0, np.nan])
    found = pooled(shares, sizes, np.array([0, 2, 4]))
    assert found[0] == pytest.approx(100.0)
    assert 50 < found[1] < 80
    assert np.isnan(found[2])


@settings(derandomize=True, deadline=None, max_examples=50)
@given(st.integers(1, 4), st.integers(1, 40), st.integers(1, 5), st.integers(0, 1000))
def test_never_more_than_the_draws(chains: int, batches: int, batch: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, batch + 1, (chains, batches, 2))
    found = effective_size(counts, batch)
    assert np.all(np.isnan(found) | ((found > 0) & (found <= chains * batches * batch)))
    apart = rhat(counts, batch)
    assert np.all(np.isnan(apart) | (apart > 0.5))
