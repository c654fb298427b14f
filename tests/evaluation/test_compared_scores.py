"""Comparisons by another score, of models that fail, that are stopped, and what models cost."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Self

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import accuracy_score, brier_score_loss, r2_score, roc_auc_score, root_mean_squared_error
from sklearn.tree import DecisionTreeClassifier

import likely
from likely import NaiveBayes
from likely.errors import LikelyError
from likely.evaluation import compare, corrected_t, split
from likely.evaluation.folds.costs import Costs
from likely.evaluation.folds.peak_memory import peak_memory

rng = np.random.default_rng(3)
Y = np.arange(80) % 2
X = rng.normal(size=(80, 2)) + Y[:, None]
MODELS = {"logistic": LogisticRegression(), "tree": DecisionTreeClassifier(random_state=0), "shares": DummyClassifier()}


@pytest.mark.parametrize(
    ("score", "known", "sign"),
    [("accuracy", accuracy_score, -1), ("auc", roc_auc_score, -1), ("brier", brier_score_loss, 1)],
)
def test_another_score_decides(score: str, known: Any, sign: int) -> None:
    found = compare(MODELS, X, Y, folds=5, score=score)
    means = {}
    fold = split(Y, 5, 0)
    for name, model in MODELS.items():
        values = []
        for part in range(5):
            held = fold == part
            said = model.fit(X[~held], Y[~held]).predict_proba(X[held])
            told = said.argmax(axis=1) if score == "accuracy" else said[:, 1]
            values.append(known(Y[held], told))
        means[name] = np.mean(values)
        assert np.isclose(found[name].mean(score), means[name])
    assert [row.name for row in found.ranked] == sorted(means, key=lambda name: sign * means[name])
    assert (found.measure, found.loss, found.score) == (score, "log", score)
    other = found.ranked[1].name
    pair = next(one for one in found.pairs if {one.first, one.second} == {found.best, other})
    assert pair.chosen == corrected_t(getattr(found[pair.first], score) - getattr(found[pair.second], score), 1 / 5)
    assert found.words.startswith(f"{found.best!r} has the {'least' if sign > 0 else 'highest'}")


def test_baselines_know_no_column() -> None:
    y = np.array([0] * 50 + [1] * 30)
    found = compare({"shares": DummyClassifier(strategy="prior")}, X, y, folds=5, score="accuracy")
    assert found.baselines["accuracy"] == found.baseline == 50 / 80
    assert np.isclose(found.baselines["brier"], (5 / 8) * (3 / 8))
    assert found.baselines["auc"] == 0.5


def test_scores_of_regressors() -> None:
    target = X @ [2.0, -1.0] + rng.normal(size=80)
    found = compare({"line": LinearRegression()}, X, target, folds=5, score="r2")
    fold = split(np.zeros(80), 5, 0)
    model, values, roots = LinearRegression(), [], []
    for part in range(5):
        held = fold == part
        said = model.fit(X[~held], target[~held]).predict(X[held])
        values.append(r2_score(target[held], said))
        roots.append(root_mean_squared_error(target[held], said))
    assert np.isclose(found["line"].mean("r2"), np.mean(values))
    assert np.isclose(found["line"].mean("rmse"), np.mean(roots))
    assert found.words.startswith("'line' has an R² of")
    assert compare({"line": LinearRegression()}, X, target, folds=5, score="mae").loss == "absolute"


@pytest.mark.parametrize(
    ("options", "code"),
    [({"score": "acuracy"}, "O376"), ({"score": "r2"}, "O376"), ({"score": "auc", "loss": "log"}, "O356")],
)
def test_scores_that_there_are_not(options: dict[str, str], code: str) -> None:
    with pytest.raises(LikelyError) as error:
        compare({"a": NaiveBayes()}, X, Y, folds=2, **options)  # type: ignore[arg-type]
    assert error.value.code == code


class Failing(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose fit does something else."""

    def __init__(self, how: Any = None) -> None:
        self.how = how

    def fit(self, X: Any, y: Any) -> Self:
        self.how()
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X: Any) -> Any:
        return np.full((len(X), 2), 0.5)


def fails() -> None:
    raise ValueError("cannot learn this\nat all")


def stops() -> None:
    raise KeyboardInterrupt


def stops_and_is_caught() -> None:
    with suppress(KeyboardInterrupt):  # as a model does that keeps what it has learnt so far
        signal.raise_signal(signal.SIGINT)


def test_a_model_that_fails_is_a_row_with_the_reason() -> None:
    found = compare({"naive": NaiveBayes(), "bad": Failing(fails), "shares": DummyClassifier()}, X, Y, folds=4)
    assert [row.name for row in found.rows] == ["naive", "shares"]
    assert [(one.name, one.reason) for one in found.failed] == [("bad", "ValueError: cannot learn this")]
    assert "bad     not judged: ValueError: cannot learn this" in repr(found)
    assert "'bad' could not be judged." in found.words
    assert "bad: ValueError: cannot learn this" in found._repr_html_()
    assert found.to_dict()["failed"][0]["name"] == "bad"
    with pytest.raises(ValueError, match="cannot learn this"):
        compare({"bad": Failing(fails)}, X, Y, folds=4)


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Ctrl-C interrupts, even where a shell lets background jobs ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("how", [stops, stops_and_is_caught])
def test_ctrl_c_keeps_what_was_judged(how: Any) -> None:
    before = signal.getsignal(signal.SIGINT)
    models = {"naive": NaiveBayes(), "slow": Failing(how), "late": DummyClassifier()}
    found = compare(models, X, Y, folds=4)
    assert [row.name for row in found.rows] == ["naive"]
    assert found.unjudged == ("slow", "late")
    assert "Stopped early: 'slow' and 'late' not judged." in found.words
    assert signal.getsignal(signal.SIGINT) is before
    with pytest.raises(KeyboardInterrupt):
        compare({"slow": Failing(how), "late": DummyClassifier()}, X, Y, folds=4)


def test_ctrl_c_keeps_the_tables_that_are_done() -> None:
    fits: list[int] = []

    def count() -> None:
        fits.append(1)
        if len(fits) > 5:
            raise KeyboardInterrupt

    models = {"naive": NaiveBayes(), "slow": Failing(count)}
    tables = dict.fromkeys("abc", (X, Y))
    found = likely.compare(tables, models=models, folds=2)
    assert found.tables == ("a", "b")
    with pytest.raises(KeyboardInterrupt):
        likely.compare(tables, models=models, folds=2)


def test_costs_are_told_and_change_nothing() -> None:
    found = compare(MODELS | {"naive": NaiveBayes()}, X, Y, folds=4)
    for row in found.rows:
        assert row.fit_seconds > 0
        assert row.predict_seconds > 0
        assert not row.peak_memory < 0
    assert "predict_seconds" in found.to_dict()["rows"][0]
    assert repr(found).splitlines()[0].split()[6:8] == ["fit", "predict"]


def test_one_fit_for_all_folds_is_done_once_more_for_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    fits: list[int] = []
    real = NaiveBayes.fit
    monkeypatch.setattr(NaiveBayes, "fit", lambda *given, **options: fits.append(1) or real(*given, **options))
    compare({"naive": NaiveBayes(kinds="real", descriptions="normal")}, X, Y, folds=4)
    assert len(fits) == 2


def test_peak_memory_sees_what_numpy_takes_and_gives_back() -> None:
    with peak_memory() as peak:
        np.ones(8_000_000).sum()  # 64 MB
    assert np.isnan(peak.bytes) or 60e6 < peak.bytes < 100e6
    with peak_memory() as peak:
        np.ones(1000).sum()
    assert np.isnan(peak.bytes) or peak.bytes < 16e6


def test_where_the_system_does_not_tell_there_is_no_column(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likely.evaluation.folds.peak_memory._begin_anew", lambda: False)
    costs = Costs()
    with costs.fold():
        pass
    assert np.isnan(costs.peaks[0])
    assert "memory" not in repr(compare({"naive": NaiveBayes()}, X, Y, folds=2))
