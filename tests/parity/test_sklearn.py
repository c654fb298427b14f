"""scikit-learn's five naive Bayes classifiers, term by term, where the definitions agree.

Where they differ, on purpose:
- GaussianNB adds `var_smoothing` (1e-9) times the largest variance of all columns to every variance, so that the scale
  of one column changes what another says. likely adds nothing; a class without spread borrows that of the whole column.
- ComplementNB leaves the class prior out unless there is one class only. likely never drops the prior: under
  `priors="uniform"` the two agree.
- MultinomialNB and friends drop the class prior's smoothing: that is `priors="empirical"` here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB

import likely

ROWS, CLOSE = 300, {"rtol": 1e-9, "atol": 1e-9}
RNG = np.random.default_rng(7)
Y = RNG.choice(np.array(["a", "b", "c"]), ROWS, p=[0.5, 0.3, 0.2])
SHIFT = np.searchsorted(["a", "b", "c"], Y)[:, None]
BITS = (RNG.random((ROWS, 12)) < 0.2 + 0.2 * SHIFT).astype(np.uint8)
CODES = ((RNG.random((ROWS, 6)) ** (1 + SHIFT) * 5).astype(np.int64) + RNG.integers(0, 2, (ROWS, 6))).astype(np.int64)
REALS = RNG.normal(SHIFT * [1.0, 0.1, 3.0, 0.0], [1.0, 0.01, 10.0, 5.0], (ROWS, 4)) + np.array([0.0, 5.0, -100.0, 1e4])
WORDS = RNG.poisson(0.3 + SHIFT * RNG.random(20), (ROWS, 20)).astype(np.float64)
WEIGHTS = {"unweighted": None, "whole": RNG.integers(1, 4, ROWS).astype(float), "fractional": RNG.random(ROWS) + 0.1}
weighted = pytest.mark.parametrize("weights", WEIGHTS.values(), ids=WEIGHTS.keys())
smoothed = pytest.mark.parametrize("alpha", [0.01, 1.0, 10.0])


def ours(X: Any, weights: Any, **options: Any) -> likely.NaiveBayes:
    return likely.NaiveBayes(**{"priors": "empirical", **options}).fit(X, Y, sample_weight=weights)


def same_predictions(mine: likely.NaiveBayes, peer: Any, X: Any) -> None:
    np.testing.assert_array_equal(mine.classes_, peer.classes_)
    np.testing.assert_allclose(mine.predict_proba(X), peer.predict_proba(X), **CLOSE)
    np.testing.assert_allclose(mine.predict_log_proba(X), peer.predict_log_proba(X), **CLOSE)
    np.testing.assert_array_equal(mine.predict(X), peer.predict(X))


def same_prior(mine: likely.NaiveBayes, peer: Any, X: Any) -> None:
    np.testing.assert_allclose(mine.explain(X[:1]).terms[0, 0], peer.class_log_prior_, **CLOSE)


@weighted
@smoothed
@pytest.mark.parametrize("estimate", ["bayes", "map"])
def test_bernoulli(alpha: float, weights: Any, estimate: str) -> None:
    mine = ours(BITS, weights, kinds="binary", smoothing=alpha, estimate=estimate)
    peer = BernoulliNB(alpha=alpha).fit(BITS, Y, sample_weight=weights)
    on, off = peer.feature_log_prob_.T, np.log1p(-np.exp(peer.feature_log_prob_.T))
    np.testing.assert_allclose(mine.explain(BITS).terms[:, 1:], np.where(BITS[:, :, None] == 1, on, off), **CLOSE)
    same_prior(mine, peer, BITS)
    same_predictions(mine, peer, BITS)


@weighted
@smoothed
@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.float64, object])
def test_categorical(alpha: float, weights: Any, dtype: Any) -> None:
    X = CODES.astype(dtype)
    mine = ours(X, weights, kinds="category", smoothing=alpha)
    peer = CategoricalNB(alpha=alpha).fit(CODES, Y, sample_weight=weights)
    terms = np.stack([table[:, CODES[:, at]].T for at, table in enumerate(peer.feature_log_prob_)], axis=1)
    np.testing.assert_allclose(mine.explain(X).terms[:, 1:], terms, **CLOSE)
    same_prior(mine, peer, X)
    np.testing.assert_allclose(mine.predict_proba(X), peer.predict_proba(CODES), **CLOSE)


def test_categorical_levels_that_are_declared() -> None:
    """`min_categories` declares levels; here that is a list of them."""
    mine = ours(CODES, None, kinds={f"x{at}": list(range(9)) for at in range(6)})
    same_predictions(mine, CategoricalNB(min_categories=9).fit(CODES, Y), CODES)


@weighted
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_gaussian(weights: Any, order: Any, dtype: Any) -> None:
    X = np.asarray(REALS, dtype=dtype, order=order)
    mine = ours(X, weights, kinds="real", estimate="mle")
    peer = GaussianNB(var_smoothing=0).fit(X.astype(np.float64), Y, sample_weight=weights)
    mean, variance, value = peer.theta_.T, peer.var_.T, X.astype(np.float64)[:, :, None]
    terms = -0.5 * np.log(2 * np.pi * variance) - (value - mean) ** 2 / (2 * variance)
    np.testing.assert_allclose(mine.explain(X).terms[:, 1:], terms, rtol=1e-9, atol=1e-8)
    np.testing.assert_allclose(np.exp(mine.explain(X[:1]).terms[0, 0]), peer.class_prior_, **CLOSE)
    same_predictions(mine, peer, X.astype(np.float64))


def test_gaussian_variances_are_not_smoothed() -> None:
    """GaussianNB's default blurs a narrow column beside a wide one; likely says the same without the wide one."""
    narrow = REALS[:, 1:2] * 1e-3
    wide = np.column_stack([narrow, REALS[:, 3] * 1e6])
    mine = [ours(X, None, estimate="mle").explain(X).terms[:, 1] for X in (narrow, wide)]
    np.testing.assert_array_equal(*mine)
    peers = [GaussianNB().fit(X, Y).var_[:, 0] for X in (narrow, wide)]
    assert (peers[1] > 100 * peers[0]).all()


def test_gaussian_class_without_spread_borrows() -> None:
    X, y = np.array([[1.5], [1.5], [1.0], [4.0]]), ["flat", "flat", "wide", "wide"]
    terms = likely.NaiveBayes(estimate="mle").fit(X, y).explain([[2.0]]).terms[0, 1]
    variance = X.var()
    assert terms[0] == pytest.approx(-0.5 * np.log(2 * np.pi * variance) - 0.25 / (2 * variance), rel=1e-12)


SHAPES = {
    "dense": np.asarray,
    "integers": lambda X: X.astype(np.int64),
    "csr": sp.csr_matrix,
    "csr_array": sp.csr_array,
    "csc": sp.csc_matrix,
    "csr_integers": lambda X: sp.csr_matrix(X.astype(np.int32)),
    "csr_float32": lambda X: sp.csr_matrix(X.astype(np.float32)),
}
shaped = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())


@shaped
@weighted
@pytest.mark.parametrize("alpha", [0.01, 1.0])
def test_multinomial(alpha: float, weights: Any, shape: Any) -> None:
    X = shape(WORDS)
    mine = ours(X, weights, kinds="text", smoothing=alpha)
    peer = MultinomialNB(alpha=alpha).fit(WORDS, Y, sample_weight=weights)
    np.testing.assert_allclose(mine.explain(X).terms[:, 1:], WORDS[:, :, None] * peer.feature_log_prob_.T, **CLOSE)
    same_prior(mine, peer, X)
    same_predictions(mine, peer, X)


@shaped
@weighted
@pytest.mark.parametrize("alpha", [0.01, 1.0])
def test_complement(alpha: float, weights: Any, shape: Any) -> None:
    X = shape(WORDS)
    mine = ours(X, weights, kinds=likely.Text("complement"), smoothing=alpha, priors="uniform")
    peer = ComplementNB(alpha=alpha).fit(WORDS, Y, sample_weight=weights)
    np.testing.assert_allclose(mine.explain(X).terms[:, 1:], WORDS[:, :, None] * peer.feature_log_prob_.T, **CLOSE)
    same_predictions(mine, peer, X)


def test_complement_keeps_the_prior() -> None:
    mine = ours(WORDS, None, kinds=likely.Text("complement"))
    peer = ComplementNB().fit(WORDS, Y)
    joint = peer._joint_log_likelihood(WORDS) + peer.class_log_prior_
    np.testing.assert_allclose(mine.explain(WORDS).joint, joint, rtol=1e-9)


def test_words_of_a_text_column_are_the_matrix_of_their_counts() -> None:
    names = np.array([f"w{at:02d}" for at in range(20)])
    texts = np.array([[" ".join(np.repeat(names, row.astype(int)))] for row in WORDS], dtype=object)
    mine = ours(texts, None, kinds={"x0": "text"})
    peer = MultinomialNB().fit(WORDS, Y)
    np.testing.assert_allclose(mine.explain(texts).joint, peer._joint_log_likelihood(WORDS), rtol=1e-9)


def test_mixed_columns_are_the_sum_of_the_peers() -> None:
    X = np.column_stack([BITS, REALS])
    mine = ours(
        X, None, kinds={**dict.fromkeys(range(12), "binary"), **{12 + at: "real" for at in range(4)}}, estimate="mle"
    )
    bits, reals = BernoulliNB(alpha=1e-12).fit(BITS, Y), GaussianNB(var_smoothing=0).fit(REALS, Y)
    joint = bits._joint_log_likelihood(BITS) + reals._joint_log_likelihood(REALS) - bits.class_log_prior_
    np.testing.assert_allclose(mine.explain(X).joint, joint, rtol=1e-9, atol=1e-8)
