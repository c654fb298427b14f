"""Mutations of model files, in processes of limited memory and time: python -m tests.files.fuzz 10000 (first)."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

import likely

from . import limited
from .mutations import mutated
from .specimens import MADE, asked, written

NAMES = tuple(MADE)


def case(number: int) -> tuple[str, bytes]:
    """The model and the mutated file of a number, the same ever after."""
    rng = np.random.default_rng(number)
    name = NAMES[number % len(NAMES)]
    return name, mutated(written(name), rng, lambda: written(NAMES[int(rng.integers(len(NAMES)))]))


def tried(number: int, place: Path) -> str:
    """What came of it: 'refused', 'answered', or what is wrong."""
    name, data = case(number)
    place.write_bytes(data)
    return limited.measured(lambda: _asked(place, asked(name)))


def _asked(place: Path, rows: Any) -> str:
    model = likely.load(place)
    repr(model)
    if not hasattr(model, "predict_proba"):
        return "answered" if np.isfinite(model.predict(rows)).all() else "not a number"
    proba = model.predict_proba(rows)
    if np.isnan(proba).any() or (proba < 0).any() or not np.allclose(proba.sum(axis=1), 1, rtol=0, atol=1e-9):
        return f"probabilities that are none: {proba}"
    model.predict(rows)
    model.explain(rows)
    return "answered"


def fuzz(numbers: Iterable[int]) -> dict[int, str]:
    """What came of the mutations of these numbers."""
    for name in NAMES:  # compiled and made before the clock runs
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "one.likely"
            place.write_bytes(written(name))
            assert limited.measured(lambda place=place, name=name: _asked(place, asked(name))) == "answered", name
    return limited.outcomes(tried, numbers)


def told(found: dict[int, str]) -> str:
    """How many were refused, answered or wrong, and the first of each kind that is wrong."""
    return limited.told(found, lambda number: NAMES[number % len(NAMES)])


if __name__ == "__main__":
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    start = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    print(told(fuzz(range(start, start + many))))
