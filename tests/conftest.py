"""What every test shares: laws without a deadline, and a count of work where another project would take the time."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from types import FrameType

import pytest
from hypothesis import HealthCheck, settings

# Two workers on two cores need no threads within a product of matrices; set before NumPy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A busy machine fails no law: nothing is timed, and the same examples are tried in every run.
settings.register_profile("steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

Work = Callable[[], object]


def pytest_collection() -> None:
    """Modules and tests stay to the end: collections of garbage need not go through them again and again."""
    gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.fixture
def calls() -> Callable[[Work], int]:
    """How many functions some work calls in this thread, Python's and C's: the same on any machine, idle or busy."""

    def count(work: Work) -> int:
        called = 0

        def see(frame: FrameType, event: str, given: object) -> None:
            nonlocal called
            called += event in ("call", "c_call")

        before = sys.getprofile()
        sys.setprofile(see)
        try:
            work()
        finally:
            sys.setprofile(before)
        return called

    return count
