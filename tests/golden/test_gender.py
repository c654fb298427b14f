"""Height, weight and shoe size: the error counts of the document, on the rows it was tried on."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import likely

DATA = Path(__file__).parents[3] / "shared" / "data" / "gender"
pytestmark = pytest.mark.skipif(not DATA.exists(), reason="the shared data is not here")
ERRORS = {
    ("height_cm",): 6,
    ("weight_kg",): 9,
    ("shoe_eu",): 3,
    ("height_cm", "weight_kg"): 7,
    ("height_cm", "weight_kg", "shoe_eu"): 2,
}


@pytest.fixture(scope="module")
def students():
    return pd.read_csv(DATA / "train.csv"), pd.read_csv(DATA / "test.csv")


@pytest.mark.parametrize("columns", ERRORS, ids=len)
def test_errors_of_the_full_gaussian(students, columns):
    train, test = students
    model = likely.GaussianBayes("full").fit(train[list(columns)], train["sex"])
    wrong = (model.predict(test[list(columns)]) != test["sex"].to_numpy()).sum()
    assert wrong == ERRORS[columns]


@pytest.mark.parametrize("columns", ERRORS, ids=len)
def test_the_same_errors_with_the_other_columns_summed_out(students, columns):
    train, test = students
    names = ["height_cm", "weight_kg", "shoe_eu"]
    model = likely.GaussianBayes("full").fit(train[names], train["sex"])
    holes = test[names].copy()
    holes[[name for name in names if name not in columns]] = np.nan
    assert (model.predict(holes) != test["sex"].to_numpy()).sum() == ERRORS[columns]


def test_the_roc_curve_does_not_move_with_the_prior(students):
    train, test = students
    names = ["height_cm", "weight_kg", "shoe_eu"]
    from likely.evaluation import roc_of

    for model in (likely.GaussianBayes("full"), likely.GaussianBayes("shared"), likely.ParzenBayes()):
        fitted = model.fit(train[names], train["sex"])
        curves = [
            roc_of(fitted.with_priors({"female": 1 - p, "male": p}), test[names], test["sex"]) for p in (0.1, 0.5, 0.9)
        ]
        for curve in curves[1:]:
            assert np.array_equal(curve.false_positive_rate, curves[0].false_positive_rate)
            assert np.array_equal(curve.true_positive_rate, curves[0].true_positive_rate)
        points = {curves[0].point(np.log((1 - p) / p)) for p in (0.1, 0.5, 0.9)}
        assert len(points) > 1  # the decision moves along it


def test_two_classes_have_one_direction(students):
    train, _ = students
    X, y = train[["height_cm", "weight_kg", "shoe_eu"]], train["sex"]
    model = likely.LinearDiscriminant(components=2)
    Z = model.fit_transform(X, y)
    assert Z.shape == (len(X), 1)
    assert "1 components, not 2" in model.notes_[-1].text
    means = [Z[y == level, 0].mean() for level in model.classes_]
    assert means[0] < 0 < means[1]
