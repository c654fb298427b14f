"""Counts become tables as pyAgrum makes them; sparse rows lean on tables with fewer parents."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from likely.errors import OptionError
from likely.networks.tables.estimation import TableEstimate, estimate_tables, information, pseudo_counts, read_setting

# P(c = 0 | a, b) as pyAgrum 3 learns it from the 300 rows of `golden`: no prior, smoothing of 1, BDeu of 10.
PYAGRUM = {
    ("mle", "uniform", 1.0): [
        [0.7692307692307693, 0.8163265306122449, 0.8163265306122449],
        [0.7755102040816326, 0.8461538461538461, 0.0],
    ],
    ("bayes", "uniform", 1.0): [
        [0.7592592592592593, 0.803921568627451, 0.803921568627451],
        [0.7647058823529411, 0.8333333333333334, 0.0196078431372549],
    ],
    ("bayes", "bdeu", 10.0): [
        [0.7608695652173914, 0.805921052631579, 0.805921052631579],
        [0.7664473684210528, 0.8354037267080746, 0.016447368421052634],
    ],
}


def golden():
    at = np.arange(300)
    a = (at * at // 3) % 2
    b = (at // 7 + a) % 3
    return a, b, ((at % 5 == 0) | (a * b > 1)).astype(int)


def counted():
    counts = np.zeros((2, 3, 2), dtype=np.int64)
    np.add.at(counts, golden(), 1)
    return counts


def table(counts, **options):
    (found,), notes = estimate_tables([np.asarray(counts)], ["x"], TableEstimate(**options))
    return found, notes


@pytest.mark.parametrize("options", PYAGRUM)
def test_as_pyagrum_estimates_it(options):
    estimate, prior, strength = options
    found, notes = table(counted(), estimate=estimate, prior=prior, strength=strength)
    np.testing.assert_allclose(found[..., 0], PYAGRUM[options], rtol=1e-12)
    assert notes == ()


def test_rows_never_seen_are_uniform_and_named():
    found, notes = table([[3, 1], [0, 0]], estimate="mle")
    assert found.tolist() == [[0.75, 0.25], [0.5, 0.5]]
    assert notes == ("1 of 2 rows of 'x' were never seen: uniform",)
    assert table([0, 0], estimate="bayes", strength=0.0)[1] == ("'x' was never seen: uniform",)
    assert table([[3, 1], [0, 0]])[1] == ()


def test_priors_of_single_nodes():
    setting = read_setting("bayes", {"x": [[1, 0], [0, 5]], "y": 2}, 0.5, "em", ["x", "y", "z"])
    zeros = np.zeros((2, 2))
    assert pseudo_counts(zeros, "x", setting).tolist() == [[1, 0], [0, 5]]
    assert pseudo_counts(zeros, "y", setting).tolist() == [[2, 2], [2, 2]]
    assert pseudo_counts(zeros, "z", setting).tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert setting == read_setting("bayes", {"y": 2, "x": np.array([[1, 0], [0, 5]])}, 0.5, "em", ["x", "y", "z"])
    with pytest.raises(OptionError, match="O487"):
        pseudo_counts(np.zeros((3, 2)), "x", setting)


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"estimate": "map"}, "O515"),
        ({"prior": "bdue"}, "O515"),
        ({"missing": "drop"}, "O515"),
        ({"strength": -1}, "O485"),
        ({"strength": "much"}, "O485"),
        ({"strength": True}, "O485"),
        ({"prior": {"u": 1}}, "O493"),
        ({"prior": {"x": -1}}, "O487"),
        ({"prior": {"x": "a"}}, "O487"),
    ],
)
def test_options_are_checked(changed, code):
    options = {"estimate": "bayes", "prior": "uniform", "strength": 1.0, "missing": "em"} | changed
    with pytest.raises(OptionError) as error:
        read_setting(*options.values(), ["x", "y"])
    assert error.value.code == code


def test_back_off_leans_on_the_table_without_the_parent_that_tells_least():
    counts = np.zeros((2, 3, 2))
    counts[0], counts[1] = [30, 2], [1, 40]  # the first parent tells all
    counts[0, 2] = 0  # and this row was never seen
    found, _ = table(counts, prior="backoff")
    above = counts.sum(axis=1)[0]
    share = (above + (2 * (counts.sum(axis=(0, 1)) + 1) / (counts.sum() + 2) + 0.25)) / (above.sum() + 2.5)
    np.testing.assert_allclose(found[0, 2], (2 * share + 0.25) / 2.5, rtol=1e-12)
    turned, _ = table(counts.transpose(1, 0, 2), prior="backoff")
    np.testing.assert_allclose(turned.transpose(1, 0, 2), found, rtol=1e-12)


def test_back_off_is_better_than_even_pseudo_counts_where_cells_are_thin():
    rng = np.random.default_rng(1)
    truth = rng.dirichlet(np.ones(3) * 0.5, 4)  # the second to fourth parents tell nothing
    told = rng.integers(0, 4, (400, 4))
    values = np.array([rng.choice(3, p=truth[row[0]]) for row in told])
    counts = np.zeros((4, 4, 4, 4, 3))
    np.add.at(counts, (*told.T, values), 1)
    losses = {}
    for prior in ("uniform", "backoff"):
        found, _ = table(counts, prior=prior)
        losses[prior] = -(truth[:, None, None, None] * np.log(found)).sum(axis=-1).mean()
    assert losses["backoff"] < losses["uniform"] - 0.05


@settings(derandomize=True, deadline=None, max_examples=60)
@given(
    arrays(np.int64, st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(1, 4)), elements=st.integers(0, 9)),
    st.sampled_from(["uniform", "bdeu", "backoff"]),
    st.floats(0.01, 20),
)
def test_rows_sum_to_one_and_more_data_outweigh_any_prior(counts, prior, strength):
    found, _ = table(counts, prior=prior, strength=strength)
    np.testing.assert_allclose(found.sum(axis=-1), 1, rtol=1e-12)
    assert (found > 0).all()
    often, _ = table(counts * 10**9, prior=prior, strength=strength)
    shares, _ = table(counts, estimate="mle")
    seen = counts.sum(axis=-1) > 0
    np.testing.assert_allclose(often[seen], shares[seen], atol=1e-6)


def test_information_is_that_of_scipy():
    from scipy.stats import entropy

    counts = np.array([[5, 1, 0], [2, 2, 7]])
    joint = counts / counts.sum()
    told = entropy(joint.sum(axis=0)) + entropy(joint.sum(axis=1)) - entropy(joint.ravel())
    assert information(counts) == pytest.approx(told * counts.sum(), rel=1e-12)
