"""Pictures of beliefs: what is drawn is what scipy says, and MLE and MAP stand where they belong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

import likely
from likely import plots


def curves(ax: Any) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The curves by the first word of their labels."""
    return {
        line.get_label().split(":")[0].split(",")[0]: line.get_data() for line in ax.lines if len(line.get_xdata()) > 2
    }


def marks(ax: Any) -> dict[str, float]:
    """The values that are marked, by the first word of their labels."""
    found = {}
    for line in ax.lines:
        if len(line.get_xdata()) == 1 and line.get_marker() not in ("", "None"):
            found[line.get_label().split(",")[0].split(":")[0]] = float(line.get_xdata()[0])
    return found


def test_a_coin() -> None:
    figure = likely.Beta(2, 2).update(7, 3).plot(observed="7 heads in 10 tosses")
    (ax,) = figure.axes
    assert ax.get_title() == "Belief after 7 heads in 10 tosses"
    drawn = curves(ax)
    x, before = drawn["before"]
    np.testing.assert_allclose(before, stats.beta(2, 2).pdf(x), atol=1e-12)
    after = drawn["after"][1]
    np.testing.assert_allclose(after, stats.beta(9, 5).pdf(x), atol=1e-12)
    likelihood = stats.binom(10, x).pmf(7)
    np.testing.assert_allclose(drawn["likelihood"][1], likelihood / likelihood.max() * after.max(), atol=1e-9)
    assert marks(ax) == {"MLE": 0.7, "MAP": pytest.approx(8 / 12)}
    assert "0.386 to 0.861" in " ".join(text.get_text() for text in ax.get_legend().get_texts())


def test_a_rate() -> None:
    (ax,) = likely.Gamma(2, 1).update(12, 3).plot().axes
    x, after = curves(ax)["after"]
    np.testing.assert_allclose(after, stats.gamma(14, scale=1 / 4).pdf(x), atol=1e-12)
    said = stats.poisson(3 * x).pmf(12)
    np.testing.assert_allclose(curves(ax)["likelihood"][1], said / said.max() * after.max(), rtol=1e-9, atol=1e-12)
    assert marks(ax) == {"MLE": 4.0, "MAP": 13 / 4}


def test_a_normal_by_its_mean_and_its_deviation() -> None:
    values = np.array([4.1, 3.9, 5.0, 4.4])
    belief = likely.NormalInverseGamma(3, 0.5, 2, 1).update(values)
    mean, deviation = belief.plot().axes
    x, after = curves(mean)["after"]
    degrees, scale = 2 * belief.shape, np.sqrt(belief.rate / belief.shape / belief.strength)
    np.testing.assert_allclose(after, stats.t(degrees, belief.mean, scale).pdf(x), atol=1e-12)
    said = np.array([stats.norm(at, np.sqrt(np.mean((values - at) ** 2))).pdf(values).prod() for at in x])
    np.testing.assert_allclose(
        curves(mean)["profile likelihood"][1], said / said.max() * after.max(), rtol=1e-7, atol=1e-9
    )
    assert marks(mean) == {"MLE": pytest.approx(values.mean()), "MAP": pytest.approx(belief.mean)}
    s, after = curves(deviation)["after"]
    known = s > 0
    np.testing.assert_allclose(
        after[known], 2 * s[known] * stats.invgamma(belief.shape, scale=belief.rate).pdf(s[known] ** 2), atol=1e-10
    )
    best = optimize.minimize_scalar(
        lambda t: -2 * t * stats.invgamma(belief.shape, scale=belief.rate).pdf(t**2), bounds=(0.01, 5), method="bounded"
    )
    assert marks(deviation) == {
        "MLE": pytest.approx(values.std()),
        "MAP": pytest.approx(best.x, rel=1e-4),
    }


def test_one_value_alone_has_a_best_mean_but_no_curve() -> None:
    mean, deviation = likely.NormalInverseGamma(0, 1, 1, 1).update([2.0]).plot().axes
    assert marks(mean)["MLE"] == 2.0
    assert marks(deviation)["MLE"] == 0.0
    assert set(curves(mean)) == {"before", "after"}


def test_levels_have_shares_and_the_likeliest() -> None:
    (ax,) = likely.Dirichlet([1, 2, 1]).update([3, 0, 1]).plot(levels=list("abc")).axes
    drawn = {line.get_label().split(":")[0]: line.get_xdata() for line in ax.lines}
    np.testing.assert_allclose(drawn["MLE"], [0.75, 0, 0.25])
    np.testing.assert_allclose(drawn["MAP"], np.array([3, 1, 1]) / 5)


def test_several_columns() -> None:
    rows = np.random.default_rng(0).normal(2, 1, (10, 2))
    belief = likely.NormalInverseWishart([0, 0], 1, 3, np.eye(2)).update(rows)
    (ax,) = belief.plot(levels=["height", "weight"]).axes
    best = next(line for line in ax.lines if str(line.get_label()).startswith("MLE"))
    np.testing.assert_allclose(best.get_xdata(), rows.mean(axis=0))
    with pytest.raises(likely.LikelyError, match="O584"):
        belief.plot(predictive=1)


@pytest.mark.parametrize(
    "belief",
    [
        likely.Beta(1, 1),
        likely.Beta(0.5, 0.5),
        likely.Beta(0.5, 0.5).update(0, 3),
        likely.Beta(1, 1).update(0, 0),
        likely.Beta(3, 3).update(-1, -1),
        likely.Beta(1, 1).update(500_300, 499_700),
        likely.Gamma(0.5, 0.1).update(0, 2),
        likely.NormalInverseGamma(0, 0.01, 0.3, 0.3),
        likely.Dirichlet([0.5, 0.5]).update([0, 0]),
    ],
    ids=repr,
)
def test_every_belief_has_a_picture(belief: Any, tmp_path: Any) -> None:
    figure = belief.plot()
    plots.save(figure, tmp_path / "a.png")
    for ax in figure.axes:
        assert np.isfinite(ax.get_ylim()).all()


def test_the_prior_is_remembered_and_is_no_part_of_the_value() -> None:
    start = likely.Beta([2, 3], 2)
    after = start.update([7, 1], 3).update(0, 1)
    assert after.prior == start
    assert start.prior is None
    assert after[1].prior == start[1]
    assert after == likely.Beta([9, 4], 6)
    assert hash(after) == hash(likely.Beta([9, 4], 6))
    assert repr(after[0]) == "Beta(a=9.0, b=6.0)"
    assert likely.Beta(1, 1).update([1, 2], 0)[0].prior == likely.Beta(1, 1)


def test_hypotheses_before_and_after() -> None:
    figure = plots.hypotheses({"ill": 0.004, "健康": 0.996}, {"ill": 0.8, "健康": 0.1})
    widths = [bar.get_width() for bar in figure.axes[0].patches]
    np.testing.assert_allclose(widths, [0.004, 0.996, 0.0032 / 0.1028, 0.0996 / 0.1028])
