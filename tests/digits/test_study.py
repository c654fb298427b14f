"""Studies of digits: counted again by hand, by scikit-learn, and on a model that fits on paper."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, confusion_matrix
from sklearn.naive_bayes import BernoulliNB

import likely
from likely import digits
from likely.digits import Images
from likely.errors import DataError

TRAINING, TEST = digits.bundled()


def naive(k: float = 1) -> likely.NaiveBayes:
    return likely.NaiveBayes(kinds="binary", priors="empirical", smoothing=k)


@pytest.fixture(scope="module")
def model() -> likely.NaiveBayes:
    return digits.train(naive(), *TRAINING)


@pytest.fixture(scope="module")
def study(model: likely.NaiveBayes) -> digits.Study:
    return digits.evaluate(model, *TEST)


def test_counts_are_those_of_scikit_learn(study: digits.Study) -> None:
    other = BernoulliNB(alpha=1, fit_prior=True).fit(TRAINING[0].bits, TRAINING[1])
    decided = other.predict(TEST[0].bits)
    assert study.accuracy == accuracy_score(TEST[1], decided)
    assert (study.right, study.total) == (int((decided == TEST[1]).sum()), 597)
    np.testing.assert_array_equal(study.confusion.matrix, confusion_matrix(TEST[1], decided))
    assert [score.right for score in study.digits] == [
        int((decided == TEST[1])[TEST[1] == at].sum()) for at in range(10)
    ]


def test_pairs_are_the_confusions_the_largest_share_first(study: digits.Study) -> None:
    wrong = sum(score.total - score.right for score in study.digits)
    assert sum(pair.images for pair in study.pairs) == wrong == study.total - study.right
    shares = [pair.share for pair in study.pairs]
    assert shares == sorted(shares, reverse=True)
    first = study.pairs[0]
    assert first.digit != first.taken_for
    assert first.share == first.images / study.digits[first.digit].total


def test_typical_images_have_the_extreme_joint_probabilities(model: likely.NaiveBayes, study: digits.Study) -> None:
    other = BernoulliNB(alpha=1, fit_prior=True).fit(TRAINING[0].bits, TRAINING[1])
    joint = other.predict_joint_log_proba(TEST[0].bits)
    for one in study.typical:
        rows = np.flatnonzero(TEST[1] == one.digit)
        own = joint[rows, one.digit]
        assert (one.most, one.least) == (rows[own.argmax()], rows[own.argmin()])
        np.testing.assert_allclose([one.highest, one.lowest], [own.max(), own.min()], rtol=1e-12)
    assert study.typical == digits.typical(model, *TEST)


def test_priors_do_not_change_who_is_typical(model: likely.NaiveBayes, study: digits.Study) -> None:
    rare = model.with_priors({digit: 1 + 9 * (digit == 3) for digit in range(10)})
    assert [(one.most, one.least) for one in digits.typical(rare, *TEST)] == [
        (one.most, one.least) for one in study.typical
    ]


def test_a_classifier_without_probabilities_of_images_is_studied_too() -> None:
    study = digits.evaluate(digits.train(LogisticRegression(max_iter=200), *TRAINING), *TEST)
    assert study.typical == ()
    assert study.accuracy > 0.85
    assert json.loads(json.dumps(study.to_dict()))["typical"] == []


def test_a_digit_that_the_model_never_saw_is_never_right() -> None:
    some = TRAINING[1] < 9
    study = digits.evaluate(digits.train(naive(), TRAINING[0][some], TRAINING[1][some]), *TEST)
    assert study.total == 597
    assert study.digits[9] == digits.Score(9, 0, int((TEST[1] == 9).sum()))
    assert [one.digit for one in study.typical] == list(range(9))


def test_a_digit_without_images_has_no_score(model: likely.NaiveBayes) -> None:
    study = digits.evaluate(model, TEST[0][TEST[1] == 4], [4] * int((TEST[1] == 4).sum()))
    assert [score.digit for score in study.digits] == [4]
    assert {pair.digit for pair in study.pairs} <= {4}
    json.dumps(study.to_dict(), allow_nan=False)


def test_a_study_as_plain_data_and_as_text(study: digits.Study) -> None:
    plain = json.loads(json.dumps(study.to_dict(), allow_nan=False))
    assert plain["right"] == study.right
    assert plain["digits"][3]["accuracy"] == study.digits[3].accuracy
    assert plain["confusion"]["matrix"] == study.confusion.matrix.tolist()
    assert plain["pairs"][0]["taken_for"] == study.pairs[0].taken_for
    assert str(study).startswith(f"{study.right}/597 right: {study.accuracy:.1%}")


def test_an_impossible_image_is_the_least_typical_and_still_plain_data() -> None:
    images = Images([[0, 1], [1, 1], [1, 0]], 1, 2)
    model = digits.train(likely.NaiveBayes(kinds="binary", estimate="mle"), images[[0, 1]], [3, 7])
    study = digits.evaluate(model, images[[0, 2]], [3, 3])
    assert study.typical[0].least == 1
    assert study.typical[0].lowest == -np.inf
    json.dumps(study.to_dict(), allow_nan=False)


def test_images_of_another_size_than_the_model(model: likely.NaiveBayes) -> None:
    images = Images(np.zeros((2, 784), dtype=np.uint8), 28, 28)
    for ask in (
        lambda: digits.evaluate(model, images, [1, 2]),
        lambda: digits.typical(model, images, [1, 2]),
        lambda: digits.sweep_trained(model, (images, np.array([1, 2]))),
        lambda: digits.log_odds_map(model, 1, 2, (28, 28)),
    ):
        with pytest.raises(DataError, match=r"D409.*28 × 28 = 784 pixels, the model was trained on 64 \(8 × 8\)"):
            ask()


def test_as_many_labels_as_images(model: likely.NaiveBayes) -> None:
    for ask in (digits.train, digits.evaluate, digits.typical):
        with pytest.raises(DataError, match="D408"):
            ask(model, TEST[0], TEST[1][1:])
        with pytest.raises(DataError, match="D407"):
            ask(model, TEST[0], TEST[1] + 1)


def test_nothing_to_evaluate(model: likely.NaiveBayes) -> None:
    with pytest.raises(DataError, match="D402"):
        digits.evaluate(model, TEST[0][:0], [])


@settings(deadline=None, max_examples=25)
@given(st.floats(0, 50), st.floats(0.001, 50), st.sampled_from([None, "empirical", "uniform"]))
def test_another_smoothing_is_what_fitting_with_it_gives(first: float, k: float, priors: Any) -> None:
    def fitted(smoothing: float) -> likely.NaiveBayes:
        return likely.NaiveBayes(kinds="binary", priors=priors, smoothing=smoothing).fit(
            TRAINING[0].bits[:200], TRAINING[1][:200]
        )

    old = fitted(first)
    before = old.predict_proba(TEST[0].bits[:20])
    again = digits.with_smoothing(old, k)
    np.testing.assert_array_equal(again.predict_log_proba(TEST[0].bits), fitted(k).predict_log_proba(TEST[0].bits))
    assert again.get_params()["smoothing"] == k
    np.testing.assert_array_equal(old.predict_proba(TEST[0].bits[:20]), before)


def test_a_saved_model_is_swept_without_its_training_images(tmp_path: Path, model: likely.NaiveBayes) -> None:
    model.save(tmp_path / "m.likely")
    found = digits.sweep_trained(likely.load(tmp_path / "m.likely"), TEST)
    assert found == digits.sweep(naive, TRAINING, TEST)
    assert found.ks == digits.KS
    assert found.to_dict() == {"ks": list(found.ks), "right": list(found.right), "total": 597, "best": found.best}
    assert found.right[found.ks.index(found.best)] == max(found.right)


@pytest.mark.parametrize("ks", [[], [-1], [np.inf], [np.nan], ["1"], [None]])
def test_a_k_that_cannot_be(model: likely.NaiveBayes, ks: list[Any]) -> None:
    with pytest.raises(DataError, match="D417"):
        digits.sweep_trained(model, TEST, ks)
    with pytest.raises(DataError, match="D417"):
        digits.sweep(naive, TRAINING, TEST, ks)


@pytest.mark.parametrize("other", [LogisticRegression(), likely.NaiveBayes()])
def test_a_model_without_counts_cannot_be_smoothed(other: Any) -> None:
    with pytest.raises(DataError, match="D418"):
        digits.sweep_trained(other, TEST)


def test_log_odds_of_ink_are_the_ratio_of_the_shares_of_pixels_that_are_on(model: likely.NaiveBayes) -> None:
    bits, labels = TRAINING[0].bits, TRAINING[1]
    on = np.array([(bits[labels == digit].sum(axis=0) + 1) / ((labels == digit).sum() + 2) for digit in range(10)])
    for a, b in [(4, 9), (9, 4), (0, 1), (3, 3)]:
        expected = np.log(on[a] / on[b]).reshape(8, 8)
        np.testing.assert_allclose(digits.log_odds_map(model, a, b), expected, rtol=1e-12, atol=1e-14)


def test_a_map_of_a_digit_that_is_no_class(model: likely.NaiveBayes) -> None:
    with pytest.raises(likely.LikelyError, match="11"):
        digits.log_odds_map(model, 11, 2)


def test_a_map_of_images_that_are_no_squares() -> None:
    model = naive().fit(np.eye(6, dtype=np.uint8), [0, 0, 0, 1, 1, 1])
    assert digits.log_odds_map(model, 0, 1, shape=(2, 3)).shape == (2, 3)
    with pytest.raises(DataError, match=r"D425.*6 pixels"):
        digits.log_odds_map(model, 0, 1)


def test_bundled_parts_are_all_of_the_digits_once() -> None:
    from sklearn.datasets import load_digits

    data = load_digits()
    np.testing.assert_array_equal(np.concatenate([TRAINING[0].pixels, TEST[0].pixels]), data.data)
    np.testing.assert_array_equal(np.concatenate([TRAINING[1], TEST[1]]), data.target)
    np.testing.assert_array_equal(TRAINING[0].bits, data.data[:1200] >= 8)


def test_a_study_is_drawn(study: digits.Study) -> None:
    pytest.importorskip("matplotlib")
    assert len(study.plot_typical().axes) == 20
    assert "digit" not in study.plot_typical()._suptitle.get_text()  # images may be of anything
    assert study.plot().axes


def test_the_size_of_images_is_kept_in_the_model_and_in_its_file(tmp_path: Path) -> None:
    images = Images(np.tile(np.eye(6, dtype=np.uint8), (2, 1)), 2, 3)
    labels = [0, 0, 0, 1, 1, 1] * 2
    for make in (naive, likely.TAN, lambda: likely.DecisionTree(max_depth=2)):
        model = digits.train(make(), images, labels)
        model.save(tmp_path / "m.likely")
        for one in (model, likely.load(tmp_path / "m.likely")):
            assert digits.shape_of(one) == (2, 3)
            assert digits.evaluate(one, images, labels).total == 12
        turned = Images(images.pixels, 3, 2)
        with pytest.raises(DataError, match=r"D409.*3 × 2 = 6 pixels, the model was trained on 6 \(2 × 3\)"):
            digits.evaluate(model, turned, labels)
    merged = digits.train(naive(), images, labels).merge(digits.train(naive(), images, labels))
    assert digits.shape_of(merged) == (2, 3)


def test_generated_images_are_as_probable_as_the_model_says() -> None:
    images = Images(np.array([[1, 1, 0], [1, 0, 0], [0, 0, 1], [0, 1, 1]] * 5, dtype=np.uint8), 1, 3)
    model = digits.train(naive(), images, [3, 3, 8, 8] * 5)
    drawn, labels = digits.generate(model, each=4000, seed=1)
    assert (drawn.height, drawn.width, labels.tolist()) == (1, 3, [3] * 4000 + [8] * 4000)
    for digit in (3, 8):
        bits = images.bits[np.array([3, 3, 8, 8] * 5) == digit]
        share = (bits.sum(axis=0) + 1) / (len(bits) + 2)
        seen = drawn.bits[labels == digit].mean(axis=0)
        np.testing.assert_allclose(seen, share, atol=5 * 0.5 / np.sqrt(4000))
    again, _ = digits.generate(model, each=4000, seed=1)
    np.testing.assert_array_equal(again.bits, drawn.bits)
    with pytest.raises(DataError, match="D419"):
        digits.generate(digits.train(likely.DecisionTree(), images, [3, 3, 8, 8] * 5))
    with pytest.raises(DataError, match="D430"):
        digits.generate(model, each=0)


def test_the_title_of_a_narrow_figure_is_not_cut_off() -> None:
    plots = pytest.importorskip("likely.plots")
    title = "The most and the least typical image of each class"
    for count in (1, 2, 3):
        figure = plots.images(np.zeros((count, 4, 4)), columns=count, title=title)
        figure.canvas.draw()
        box = figure._suptitle.get_window_extent()
        assert box.x1 <= figure.bbox.x1
        assert figure._suptitle.get_text().replace("\n", " ") == title
