"""Random numbers drawn on whole arrays are of the distributions that they are drawn from."""

import numpy as np
import pytest
from scipy import stats

from likely.families.draws import Draws, standard_gammas, standard_normals


def rng() -> np.random.Generator:
    return Draws.of(7, 1).rng


def test_normals_are_normal() -> None:
    drawn = standard_normals(rng(), 100_001)
    assert drawn.shape == (100_001,)
    assert stats.kstest(drawn, "norm").pvalue > 1e-3
    pairs = np.corrcoef(drawn[:50_000], drawn[50_001:])[0, 1]  # the two of a pair have the radius in common
    assert abs(pairs) < 4 / np.sqrt(50_000)
    squares = np.corrcoef(drawn[:50_000] ** 2, drawn[50_001:] ** 2)[0, 1]
    assert abs(squares) < 4 / np.sqrt(50_000)


@pytest.mark.parametrize("shape", [1.0, 1.01, 1.5, 2.0, 7.0, 300.0, 1e6])
def test_gammas_are_of_their_shape(shape: float) -> None:
    drawn = standard_gammas(rng(), np.full((4, 5), shape), 5000)
    assert drawn.shape == (5000, 4, 5)
    assert (drawn > 0).all()
    assert stats.kstest(drawn.ravel(), "gamma", args=(shape,)).pvalue > 1e-3
    wanted = stats.gamma(shape)
    for power in (1, 2, 3):
        moment = wanted.moment(power)
        deviation = np.sqrt((wanted.moment(2 * power) - moment**2) / drawn.size)
        assert abs((drawn**power).mean() - moment) < 4 * deviation + 1e-9 * moment


def test_each_gamma_is_of_its_own_shape_also_below_one() -> None:
    for shape in (np.array([[1.0, 40.0], [3.0, 1.0]]), np.array([[0.3, 40.0], [3.0, 1.0]])):
        drawn = standard_gammas(rng(), shape, 20_000)
        for place, one in np.ndenumerate(shape):
            assert stats.kstest(drawn[(slice(None), *place)], "gamma", args=(one,)).pvalue > 1e-3


def test_gammas_follow_from_the_stream() -> None:
    shape = np.linspace(1.0, 30.0, 12).reshape(3, 4)
    first, again = (standard_gammas(rng(), shape, 50) for _ in range(2))
    np.testing.assert_array_equal(first, again)
