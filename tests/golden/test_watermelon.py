"""The worked example of the third source: 17 melons, six categorical and two real columns, in three variants."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import likely

MELONS = Path(__file__).parents[3] / "shared/data/watermelon3.csv"
pytestmark = pytest.mark.skipif(not MELONS.exists(), reason=f"the shared data are not there: {MELONS}")

VARIANTS = {
    "sample_variance": ({"estimate": "map", "smoothing": 0}, 0.052379, 6.8584e-05),
    "laplace": ({"estimate": "map", "smoothing": 1}, 0.025631, 7.7224e-05),
    "maximum_likelihood": ({"estimate": "mle"}, 0.044552, 4.3659e-05),
}


@pytest.fixture(scope="module")
def melons() -> pd.DataFrame:
    return pd.read_csv(MELONS)


@pytest.mark.parametrize("variant", VARIANTS)
def test_products_of_the_first_melon(melons: pd.DataFrame, variant: str) -> None:
    options, good, bad = VARIANTS[variant]
    X, y = melons.drop(columns="good"), melons["good"]
    model = likely.NaiveBayes(**options).fit(X, y)
    explained = model.explain(X[:1])
    products = dict(zip(explained.classes, np.exp(explained.terms.sum(axis=1))[0], strict=True))
    assert float(f"{products['是']:.5g}") == good
    assert float(f"{products['否']:.5g}") == bad
    assert model.predict(X[:1]).tolist() == ["是"]
    share = good / (good + bad)
    assert model.predict_proba(X[:1])[0, list(model.classes_).index("是")] == pytest.approx(share, rel=1e-4)


@pytest.mark.parametrize("variant", VARIANTS)
def test_terms_of_the_first_melon_by_hand(melons: pd.DataFrame, variant: str) -> None:
    """Each factor of the product from counts, means and variances of pandas."""
    options: dict[str, Any] = VARIANTS[variant][0]
    X, y = melons.drop(columns="good"), melons["good"]
    explained = likely.NaiveBayes(**options).fit(X, y).explain(X[:1])
    pseudo = options.get("smoothing", 0)
    for place, level in enumerate(explained.classes):
        mine = X[y == level]
        terms = [np.log((len(mine) + pseudo) / (len(X) + 2 * pseudo))]
        for name in X.columns[:6]:
            same = (mine[name] == X[name][0]).sum()
            terms.append(np.log((same + pseudo) / (len(mine) + pseudo * X[name].nunique())))
        for name in X.columns[6:]:
            variance = mine[name].var(ddof=0 if options["estimate"] == "mle" else 1)
            terms.append(-0.5 * np.log(2 * np.pi * variance) - (X[name][0] - mine[name].mean()) ** 2 / (2 * variance))
        np.testing.assert_allclose(explained.terms[0, :, place], terms, rtol=1e-9, atol=1e-12)


def test_the_same_from_the_file(melons: pd.DataFrame) -> None:
    model = likely.fit(MELONS, "good", likely.NaiveBayes(estimate="map", smoothing=0))
    assert np.exp(model.explain(melons.drop(columns="good")[:1]).joint).max() == pytest.approx(0.052379, abs=5e-7)
