"""No held-out row of any shared table is held to be impossible by a Bayes model that averages over its parameters."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import likely

FOLDER = Path(__file__).parents[3] / "shared" / "data"
PLACES = (FOLDER, FOLDER / "gender", FOLDER / "uci")
TABLES = [path for place in PLACES for path in sorted(place.glob("*.*")) if path.suffix in (".arff", ".csv")]
MESSAGES = FOLDER / "text" / "SMSSpamCollection"
TARGETS = {"wine": "class", "penguins": "species", "titanic_raw_kaggle": "survived"}  # elsewhere it is the last
NAMES = {"titanic_raw_kaggle": ["ticket", "cabin"]}  # of so many levels that KDB refuses to count them
QUICK_ROWS, ALL_ROWS = 300, 4000
QUICK: dict[str, Callable[[], Any]] = {
    "NaiveBayes": likely.NaiveBayes,
    "informative": lambda: likely.NaiveBayes(missing="informative"),
    "kernels": lambda: likely.NaiveBayes(descriptions="parzen"),
    "bins": lambda: likely.NaiveBayes(descriptions="bins"),
}
MODELS = QUICK | {
    "SPODE": likely.SPODE,
    "TAN": likely.TAN,
    "TAN, densities": lambda: likely.TAN(numbers="density"),
    "KDB": likely.KDB,
    "AODE": likely.AODE,
    "AODE, densities": lambda: likely.AODE(numbers="density"),
    "AnDE": likely.AnDE,
    "BayesForest": likely.BayesForest,
    "NetworkClassifier": likely.NetworkClassifier,
    "NetworkClassifier, by the class": lambda: likely.NetworkClassifier(score="cll"),
}
NUMERIC = {
    "GaussianBayes": lambda: likely.GaussianBayes(estimate="bayes"),
    "GaussianBayes, shared": lambda: likely.GaussianBayes("shared", estimate="bayes"),
    "GaussianBayes, spherical": lambda: likely.GaussianBayes("spherical", estimate="bayes"),
    "ParzenBayes": lambda: likely.ParzenBayes(estimate="bayes"),
}
pytestmark = pytest.mark.skipif(not TABLES, reason=f"the shared tables are not there: {FOLDER}")


def halves(path: Path, rows: int) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray]:
    """The columns, the classes, and the rows of two halves with equal class shares."""
    import pandas as pd
    from sklearn.model_selection import StratifiedKFold

    from likely.data.files.arff import read_arff

    frame = read_arff(path).to_pandas() if path.suffix == ".arff" else pd.read_csv(path)
    frame = frame.loc[np.sort(np.random.default_rng(0).permutation(len(frame))[:rows])].reset_index(drop=True)
    target = TARGETS.get(path.stem, frame.columns[-1])
    X, y = frame.drop(columns=[target, *NAMES.get(path.stem, [])]), frame[target].astype(str).to_numpy(dtype=object)
    learnt, asked = next(StratifiedKFold(2, shuffle=True, random_state=0).split(X, y))
    return X, y, learnt, asked


def check(path: Path, models: dict[str, Callable[[], Any]], rows: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of small classes, and of columns set aside
        X, y, learnt, asked = halves(path, rows)
        for name, make in models.items():
            some = X.select_dtypes("number").dropna(axis=1, how="all") if name in NUMERIC else X
            if not some.shape[1]:
                continue
            fitted = make().fit(some.iloc[learnt], y[learnt])
            known = asked[np.isin(y[asked], fitted.classes_)]
            own = y[known][:, None] == fitted.classes_
            assert (fitted.predict_proba(some.iloc[known])[own] > 0).all(), f"{name} holds a row to be impossible"


@pytest.mark.parametrize("path", TABLES, ids=[path.stem for path in TABLES])
def test_naive_bayes_on_a_few_rows(path: Path) -> None:
    check(path, QUICK, QUICK_ROWS)


@pytest.mark.slow
@pytest.mark.parametrize("path", TABLES, ids=[path.stem for path in TABLES])
def test_every_bayes_model_on_many_rows(path: Path) -> None:
    check(path, MODELS | NUMERIC, ALL_ROWS)


@pytest.mark.skipif(not MESSAGES.exists(), reason=f"the shared messages are not there: {MESSAGES}")
def test_naive_bayes_on_messages() -> None:
    lines = [line.split("\t", 1) for line in MESSAGES.read_text(encoding="utf-8").splitlines()]
    y, X = (np.array(part, dtype=object) for part in zip(*lines, strict=True))
    fitted = likely.NaiveBayes(kinds="text").fit(X[:4000, None], y[:4000])
    own = y[4000:, None] == fitted.classes_
    assert (fitted.predict_proba(X[4000:, None])[own] > 0).all()


def census(rows: int, seed: int) -> tuple[Any, np.ndarray]:
    """A table with the habits of a census file: a gain that is zero for 92 % and has a long tail, and few words."""
    import pandas as pd

    rng = np.random.default_rng(seed)
    rich = rng.random(rows) < 0.24
    gain = np.where(
        rng.random(rows) < np.where(rich, 0.79, 0.96), 0.0, np.exp(rng.normal(7.8 + 1.2 * rich, 0.9)).round()
    )
    gain = np.where(rich & (rng.random(rows) < 0.02), 99_999.0, gain)
    loss = np.where(rng.random(rows) < np.where(rich, 0.9, 0.97), 0.0, rng.normal(1800 + 150 * rich, 300).round())
    return pd.DataFrame(
        {
            "age": np.clip(rng.normal(37 + 7 * rich, 13 - 3 * rich), 17, 90).round(),
            "gain": gain,
            "loss": loss,
            "hours": np.where(rng.random(rows) < 0.5, 40.0, np.clip(rng.normal(38 + 7 * rich, 12), 1, 99).round()),
            "weight": np.exp(rng.normal(12, 0.5, rows)).round(),
            "school": rng.choice(["some", "high", "college"], rows, p=[0.2, 0.5, 0.3]),
        }
    ), np.where(rich, "over", "under")


@pytest.mark.parametrize("name", ["NaiveBayes", "TAN", "AODE"])
def test_a_census_like_table(name: str) -> None:
    X, y = census(4000, 0)
    other, truth = census(2000, 1)
    fitted = MODELS[name]().fit(X, y)
    own = truth[:, None] == fitted.classes_
    assert (fitted.predict_proba(other)[own] > 0).all()
    if name == "NaiveBayes":
        plain = likely.NaiveBayes(descriptions="normal").fit(X, y)
        losses = [-model.predict_log_proba(other)[own].mean() for model in (fitted, plain)]
        assert losses[0] < 0.75 * losses[1]
