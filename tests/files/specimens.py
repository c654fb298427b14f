"""One small fitted model of every kind that goes into a file, and rows to ask it about."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import is_regressor

import likely
from likely.estimators.registry import make, models

ROWS = 60
PRIORS = {"found": 0.2, "kept": 0.3, "lost": 0.5}


def table(rows: int = ROWS, seed: int = 0) -> tuple[pd.DataFrame, pd.Series, pd.Series]:
    """Words, a binary, a count, numbers and texts, some of them missing; a class and an amount that depend on them."""
    rng = np.random.default_rng(seed)
    port, deck = rng.choice(["Hull", "Kiel", "Nice"], rows), rng.integers(0, 2, rows)
    age, fare = rng.normal(40, 12, rows).round(1), rng.gamma(2.0, 20.0, rows).round(2)
    pull = 0.08 * (age - 40) + (port == "Kiel") - 0.7 * deck + rng.normal(0, 0.5, rows)
    frame = pd.DataFrame({"port": port, "deck": deck, "age": age, "fare": fare})
    for name in ("port", "age"):
        frame[name] = frame[name].where(rng.random(rows) > 0.12)
    label = pd.Series(np.select([pull < -0.5, pull < 0.8], ["lost", "found"], "kept"), name="fate")
    return frame, label, pd.Series(pull, name="pull")


def _plain(name: str) -> Callable[[], Any]:
    def fitted() -> Any:
        few = {"n_estimators": 3} if name in ("adaboost", "bagging", "forest") else {}
        few = {"candidates": ["naive", "aode"]} if name == "auto" else few
        seed = {"random_state": 0} if name == "bagging" else {}
        model = make(name, {**few, **seed})
        frame, label, pull = table()
        return model.fit(frame, pull if is_regressor(model) else label)

    return fitted


def _with_texts() -> Any:
    frame, label, _ = table()
    words = [f"{port} {deck} sea {'calm' if deck else 'gale'}" for port, deck in frame[["port", "deck"]].to_numpy()]
    kinds = {"note": "text", "age": "parzen", "deck": "category", "fare": likely.Parzen("box", 3.5)}
    return likely.NaiveBayes(kinds=kinds, missing="informative").fit(frame.assign(note=words), label)


def _described() -> Any:
    """Numbers described in every way that there is, in one model."""
    frame, label, _ = table()
    ways = {"fare": "log", "bags": "zeros", "kin": "poisson", "age": "parzen", "toll": "bins", "heat": "normal"}
    return likely.NaiveBayes(kinds=dict.fromkeys(ways, "real"), descriptions=ways).fit(_numbered(frame), label)


def _numbered(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with more numbers."""
    fare = frame["fare"]
    more = {"bags": fare.where(fare > 25, 0.0), "kin": fare // 20, "toll": fare.round() % 7, "heat": fare / 3 - 9}
    return frame.assign(**more)


def _written(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame as people write it: currencies, units, dates, durations and truth values, all as words."""
    fare = frame["fare"]
    day = pd.Timestamp("2024-01-01") + pd.to_timedelta(fare.round(), unit="D")
    minutes = (fare % 300).round().astype(int)
    return frame[["port", "age"]].assign(
        deck=np.where(frame["deck"] == 1, "yes", "no"),
        fare=[f"€ {value:,.2f}" for value in fare],
        load=[f"{value:.1f} kg" for value in fare / 2],
        mass=[f"{value:.0f}K" for value in fare],
        bought=day.dt.strftime("%d/%m/%Y"),
        away=[f"{value // 60}h {value % 60}m" for value in minutes],
        note=np.where(fare > 60, "not told", fare.round(1).astype(str)),
    )


def _read() -> Any:
    frame, label, _ = table()
    kinds = {"bought.month": "category", "bought.weekday": "category"}
    model = likely.NaiveBayes(kinds=kinds)
    return likely.fit(_written(frame).assign(fate=label), "fate", model=model, missing_marks=["not told"])


def _weighed(model: Any) -> Any:
    frame, label, pull = table()
    weights = np.random.default_rng(1).uniform(0.1, 3.0, len(label))
    return model.fit(frame, pull if is_regressor(model) else label, sample_weight=weights)


def _recalibrated(method: str, model: Any) -> Any:
    from likely.evaluation import recalibrate

    frame, label, _ = table()
    return recalibrate(model.fit(frame, label), frame, label, method=method)


def _digits() -> Any:
    rng = np.random.default_rng(0)
    bits = (rng.random((40, 36)) < 0.4).astype(np.uint8)
    return likely.NaiveBayes(kinds="binary").fit(bits, rng.integers(0, 3, 40))


MADE: dict[str, Callable[[], Any]] = {
    **{name: _plain(name) for name in [*models(numeric=False), *models(numeric=True)]},
    "texts": _with_texts,
    "digits": _digits,
    "described": _described,
    "read": _read,
    "read aode": lambda: likely.AODE().fit(_written(table()[0]), table()[1]),
    "read tree": lambda: likely.DecisionTree().fit(_written(table()[0]), table()[1]),
    "class weights": lambda: likely.NaiveBayes(class_weight={"lost": 3.0}).fit(*table()[:2]),
    "weighed naive": lambda: _weighed(likely.NaiveBayes(priors=PRIORS)),
    "weighed aode": lambda: _weighed(likely.AODE()),
    "weighed parzen": lambda: _weighed(likely.ParzenBayes()),
    "weighed linear": lambda: _weighed(likely.LinearRegression()),
    "levels tan": lambda: likely.TAN(numbers="levels").fit(*table()[:2]),
    "em network": lambda: likely.NetworkClassifier(missing="em", scope="augmented").fit(*table()[:2]),
    "informative kdb": lambda: likely.KDB(missing="informative").fit(*table()[:2]),
    "descent": lambda: likely.LinearRegression(method="descent", max_iter=20).fit(table()[0], table()[2]),
    "shifted": lambda: likely.DecisionTree(max_depth=2).fit(*table()[:2]).with_priors(PRIORS),
    "platt": lambda: _recalibrated("platt", likely.NaiveBayes()),
    "isotonic": lambda: _recalibrated("isotonic", likely.NaiveBayes()),
    "beta": lambda: _recalibrated("beta", likely.TAN()),
    "temperature": lambda: _recalibrated("temperature", likely.DecisionTree(max_depth=2)),
}


def fitted(name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a path that is cut short says so
        return MADE[name]()


@cache
def written(name: str) -> bytes:
    """The bytes of the model's file."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        fitted(name).save(Path(folder) / "one.likely")
        return (Path(folder) / "one.likely").read_bytes()


def asked(name: str) -> Any:
    """Rows for the model of that name: values that it knows, that it does not, and missing ones."""
    if name == "digits":
        return np.random.default_rng(2).integers(0, 2, (4, 36)).astype(np.uint8)
    frame = pd.DataFrame(
        {
            "port": ["Hull", None, "Oslo", "Kiel"],
            "deck": [0, 1, 1, 0],
            "age": [30.0, 50.0, None, 77.7],
            "fare": [10.0, 300.0, 3.5, 21.0],
        }
    )
    if name == "described":
        return _numbered(frame)
    if name.startswith("read"):
        odd = {"fare": ["€ 1,200.00", "12", "", "free"], "bought": ["31/01/2024", "2024-02-30", None, "1/2/24"]}
        return _written(frame).assign(**odd)
    return frame.assign(note=["sea calm", "never seen", "", "Kiel 0 gale"]) if name == "texts" else frame
