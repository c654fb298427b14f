"""The laws of beliefs on experiments of many seeds and lengths."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from likely import checks
from likely.checks.runner import BELIEF_LAWS

PHASES = set(Phase) - {Phase.explain}  # explaining a failure takes minutes


@pytest.mark.parametrize("law", BELIEF_LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("name", checks.beliefs())
def test_beliefs(name: str, law: Callable[..., None]) -> None:
    @settings(max_examples=20, deadline=None, derandomize=True, phases=PHASES)
    @given(st.integers(0, 10**6), st.integers(0, 9))
    def holds(seed: int, steps: int) -> None:
        law(checks.experiment(checks.beliefs()[name], seed, steps))

    holds()
