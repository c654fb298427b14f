"""Up to k parents: the best of those before, and the parents for a smaller k among them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likely
from likely.errors import LikelyError
from likely.structures import Structure, k_dependence


@given(st.integers(0, 999), st.integers(0, 9), st.integers(0, 4), st.sampled_from([2, 1000]))
def test_sahami_by_hand(seed: int, columns: int, k: int, steps: int) -> None:
    rng = np.random.default_rng(seed)
    information = np.floor(rng.random((columns, columns)) * steps) / steps
    information = np.triu(information, 1) + np.triu(information, 1).T
    told = np.floor(rng.random(columns) * steps) / steps
    order, parents = k_dependence(information, told, k)
    before: list[int] = []
    for at in order:
        rest = [one for one in range(columns) if one not in before]
        assert at == min(rest, key=lambda one: (-told[one], one))
        wanted = sorted(
            (one for one in before if information[at, one] > 0), key=lambda one: (-information[at, one], one)
        )
        assert parents[at] == tuple(wanted[:k])
        before.append(at)
    smaller = k_dependence(information, told, max(k - 1, 0))
    assert smaller == (order, tuple(mine[: max(k - 1, 0)] for mine in parents))
    names = [f"c{at}" for at in range(columns)]
    drawn = Structure.of(names, parents, information, "y", "k-dependence")
    assert all(drawn.order.index(parent) < drawn.order.index(child) for parent, child, _ in drawn.arcs)


@pytest.mark.parametrize("k", [-1, 1.5, "2", None])
def test_k_is_a_whole_number(k: object) -> None:
    with pytest.raises(LikelyError, match="O392"):
        likely.KDB(k=k).fit([["a"], ["b"]], [0, 1])  # type: ignore[arg-type]
