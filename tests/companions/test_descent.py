"""Gradient descent: the path, why it ended, and what it says."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from likely.companions.regression.gradient_descent import MOST_PATH_POINTS, Path, descend
from likely.companions.regression.options import read_descent
from likely.core.numerics import Floats
from likely.errors import OptionError

CURVES = np.array([1.0, 4.0])


def bowl(at: Floats) -> tuple[float, Floats]:
    return float(CURVES @ at**2 / 2), CURVES * at


def path(rate: float, steps: int = 1000, tol: float = 1e-9) -> Path:
    return descend(bowl, np.array([1.0, 1.0]), rate, steps, tol, ("a", "b"), 0.5)


def test_each_step_shrinks_each_parameter_as_theory_says() -> None:
    found = path(0.1)
    shares = 1 - 0.1 * CURVES
    assert np.allclose(found.parameters, shares ** found.steps[:, None])
    assert found.stopped == "converged"
    assert (np.diff(found.losses) < 0).all()


def test_the_largest_stable_rate_parts_convergence_from_divergence() -> None:
    assert path(0.499, 100_000).stopped == "converged"
    lost = path(0.501, 100_000)
    assert lost.stopped == "diverged"
    assert "it must be below 0.5" in lost.words
    with pytest.warns(ConvergenceWarning, match="lower learning_rate"):
        lost.warn()


def test_too_few_steps_are_told() -> None:
    short = path(0.001, 10)
    assert (short.stopped, short.taken) == ("steps", 10)
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        short.warn()


def test_a_long_path_is_thinned_and_keeps_its_ends() -> None:
    long = path(1e-4, 3 * MOST_PATH_POINTS, 0.0)
    assert len(long.steps) <= MOST_PATH_POINTS + 2
    assert long.steps[0] == 0
    assert long.steps[-1] == long.taken == 3 * MOST_PATH_POINTS
    assert np.allclose(long.parameters[:, 0], (1 - 1e-4) ** long.steps)


def test_a_start_at_the_bottom_has_converged() -> None:
    assert descend(bowl, np.zeros(2), 0.1, 10, 1e-6).taken == 0


def test_the_chart_is_the_loss() -> None:
    charted = path(0.1).charted(bowl)
    assert charted.corners is not None
    assert charted.chart is not None
    assert charted.chart[0, 0] == bowl(charted.corners[0])[0]
    assert np.isclose(charted.chart[-1, 0], bowl(np.array([charted.corners[0, 0], charted.corners[1, 1]]))[0])


def test_its_text_has_the_first_and_the_last_steps() -> None:
    text = repr(path(0.1))
    assert text.startswith("Path: converged after")
    assert "..." in text
    assert "at (1, 1)" in text


@pytest.mark.parametrize(
    ("given", "code"),
    [((0.0, 1, 0.1), "O602"), (("fast", 1, 0.1), "O602"), ((None, 0, 0.1), "O603"), ((None, 1, -1.0), "O604")],
)
def test_impossible_terms_are_refused(given: tuple[object, object, object], code: str) -> None:
    with pytest.raises(OptionError, match=code):
        read_descent(*given)
