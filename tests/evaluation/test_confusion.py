"""The confusion matrix and what is read from it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn import metrics

from likely.errors import LikelyError
from likely.evaluation import confusion

RNG = np.random.default_rng(2)
CLASSES = ["a", "b", "c"]


@pytest.mark.parametrize("weighted", [False, True])
def test_everything_is_scikit_learns(weighted: bool) -> None:
    y, decided = RNG.choice(CLASSES, size=(2, 500))
    weights = RNG.uniform(0, 2, 500) if weighted else None
    found = confusion(y, decided, CLASSES, weights)
    options = {"labels": CLASSES, "sample_weight": weights}
    np.testing.assert_allclose(found.matrix, metrics.confusion_matrix(y, decided, **options))
    assert found.accuracy == pytest.approx(metrics.accuracy_score(y, decided, sample_weight=weights))
    assert found.kappa == pytest.approx(metrics.cohen_kappa_score(y, decided, sample_weight=weights))
    precision, recall, f1, _ = metrics.precision_recall_fscore_support(y, decided, **options)
    np.testing.assert_allclose(found.precision, precision)
    np.testing.assert_allclose(found.recall, recall)
    np.testing.assert_allclose(found.f1, f1)
    assert found.abstained == 0


def test_counts_are_whole_numbers_without_weights() -> None:
    found = confusion([1, 2, 2], [1, 1, 2], [1, 2])
    assert found.matrix.dtype.kind == "i"
    assert found.matrix.tolist() == [[1, 0], [1, 1]]


def test_abstentions_have_a_column_of_their_own() -> None:
    found = confusion(["a", "a", "b", "b"], np.array(["a", None, None, "a"], dtype=object), ["a", "b"])
    assert found.matrix.tolist() == [[1, 0, 1], [1, 0, 1]]
    assert found.square.tolist() == [[1, 0], [1, 0]]
    assert (found.accuracy, found.abstained) == (0.25, 0.5)
    assert found.recall.tolist() == [0.5, 0.0]
    assert found.precision[0] == 0.5
    assert "(none)" in repr(found)


def test_only_abstentions() -> None:
    found = confusion(["a", "b"], [None, float("nan")], ["a", "b"])
    assert (found.accuracy, found.abstained) == (0, 1)
    assert np.isnan(found.kappa)
    assert np.isnan(found.precision).all()


def test_what_never_occurs_is_undefined_and_none_in_json() -> None:
    found = confusion(["a", "a"], ["a", "a"], ["a", "b"])
    assert found.precision.tolist()[0] == 1
    written = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert written["precision"] == [1.0, None]
    assert written["recall"] == [1.0, None]
    assert written["kappa"] is None
    assert written["matrix"] == [[2, 0], [0, 0]]


@pytest.mark.parametrize(
    ("code", "y", "decided"),
    [("O321", ["a"], ["z"]), ("O321", ["z"], ["a"]), ("D105", [None], ["a"]), ("O323", ["a", "b"], ["a"])],
)
def test_what_cannot_be_counted_is_refused(code: str, y, decided) -> None:
    with pytest.raises(LikelyError) as caught:
        confusion(y, decided, ["a", "b"])
    assert caught.value.code == code
