"""What a surface refuses, by code, with a hint."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import likely
from likely.errors import OptionError
from likely.surfaces import bayes_error, surface

X = pd.DataFrame({"height": [1.0, 2.0, 3.0, 4.0], "weight": [2.0, 1.0, 4.0, 3.5], "colour": list("aabb")})
BOX = [(0, 5), (0, 5)]


@pytest.fixture(scope="module")
def model():
    return likely.NaiveBayes().fit(X, ["f", "f", "m", "m"])


def refused(code, model, features=("height", "weight"), **options):
    with pytest.raises(OptionError) as caught:
        surface(model, features, **options)
    assert caught.value.code == code
    assert caught.value.place
    assert caught.value.hint
    return str(caught.value)


def test_features(model):
    assert "'height'" in refused("O421", model, ["heigth"], X=X)
    refused("O421", model, [7], X=X)
    refused("O421", model, [-1], X=X)
    refused("O421", model, [True], X=X)
    refused("O421", model, [1.5], X=X)
    assert "'category'" in refused("O422", model, ["height", "colour"], X=X)
    refused("O423", model, [], X=X)
    refused("O423", model, None, X=X)
    refused("O423", model, ["height", 0], X=X)
    four = likely.NaiveBayes(kinds="real").fit(np.arange(20.0).reshape(5, 4) ** 2, [0, 0, 1, 1, 1])
    refused("O423", four, range(4), box=[(0, 1)] * 4)
    with pytest.raises(OptionError, match="O421"):
        bayes_error(model, "nothing")


@pytest.mark.parametrize(
    "box", [[(0, 5)], [(0, 5), (5, 5)], [(0, 5), (3, 1)], [(0, np.inf), (0, 1)], "box", [(0, np.nan)] * 2, 3]
)
def test_boxes(model, box):
    refused("O424", model, box=box)


def test_no_box(model):
    assert "X=" in refused("O424", model)
    refused("O424", model, X=X.assign(height=1.0))
    refused("O424", model, X=X.assign(height=np.nan))
    refused("O427", model, X=X.drop(columns="height"))
    refused("O427", model, X=np.zeros((4, 2)))
    refused("O427", model, X=X.assign(height=list("abcd")))


def test_classes(model):
    refused("O428", model, box=BOX, classes=["f"])
    assert "'f'" in refused("O425", model, box=BOX, classes=["f", "F"])
    refused("O428", likely.NaiveBayes().fit(X, ["f"] * 4), box=BOX)
    refused("O428", likely.NaiveBayes(), box=BOX)
    with pytest.raises(OptionError, match="O425"):
        surface(model, "height", (0, 5)).g([[1.0]], "f", "n")


@pytest.mark.parametrize(
    "priors", [1.5, -0.1, "even", [0.5], np.nan, {"f": 1.0}, {"f": 0.5, "n": 0.5}, {"f": -1, "m": 2}]
)
def test_priors(model, priors):
    refused("O426", model, box=BOX, priors=priors)


def test_a_number_is_the_prior_of_the_second_of_two_classes(model):
    one = surface(model, "height", (0, 5), priors=0.9)
    other = surface(model, "height", (0, 5), priors={"f": 0.1, "m": 0.9})
    assert len(one.vertices)
    np.testing.assert_allclose(one.vertices, other.vertices, rtol=1e-12)
    assert one.g([[2.5]], "m", "f")[0] == pytest.approx(
        surface(model, 0, (0, 5), priors=0.5).g([[2.5]], "m", "f")[0] + np.log(9)
    )
    three = likely.NaiveBayes().fit(X, ["f", "m", "n", "n"])
    refused("O426", three, box=BOX, priors=0.5)
