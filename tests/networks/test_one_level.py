"""Columns of one level tell nothing, and stand in the way of nothing."""

import numpy as np
import pytest

import likely


def table(seed):
    """A chain of columns of many levels, each of which leans on two before it."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(5, size=800), rng.integers(4, size=800)]
    for size in (6, 3, 5, 4, 7, 3):
        own = rng.integers(size, size=800)
        columns.append(np.where(rng.random(800) < 0.6, (columns[-1] + 2 * columns[-2]) % size, own))
    return {f"x{at}": [f"v{value}" for value in column] for at, column in enumerate(columns)}


@pytest.mark.parametrize("seed", range(6))
def test_a_climb_does_not_meet_them(seed):
    rows = table(seed)
    wanted = likely.learn_network(rows, restarts=0)
    found = likely.learn_network({**rows, "same": ["only"] * 800}, restarts=0)
    assert set(found.edges) == set(wanted.edges)
    assert "same" in found.nodes
