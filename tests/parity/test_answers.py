"""Explanations, other priors, intervals, draws and files of one model that has every kind of column."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import likely
from likely.estimators.face import generative

RNG = np.random.default_rng(21)
ROWS = 160
Y = RNG.choice(["no", "yes"], ROWS, p=[0.6, 0.4])
YES = (Y == "yes").astype(float)
WORDS = np.array(["win", "free", "entry", "call", "later", "home", "now", "love"])
KINDS: dict[str, Any] = {
    "real": "real",
    "bit": "binary",
    "level": ["p", "q", "r", "never"],
    "code": "category",
    "count": "count",
    "parzen": likely.Parzen("epanechnikov", "cv"),
    "text": "text",
    "other": likely.Text("complement"),
    "aside": "skip",
}
X = pd.DataFrame(
    {
        "real": RNG.normal(YES, 1.0),
        "bit": (RNG.random(ROWS) < 0.3 + 0.4 * YES).astype(float),
        "level": RNG.choice(["p", "q", "r"], ROWS),
        "code": RNG.integers(3, 9, ROWS),
        "count": RNG.poisson(1 + 2 * YES).astype(float),
        "parzen": RNG.normal(3 * YES, 1.0),
        "text": [" ".join(RNG.choice(WORDS, 4)) for _ in range(ROWS)],
        "other": [" ".join(RNG.choice(WORDS, 3)) for _ in range(ROWS)],
        "aside": np.arange(ROWS),
    }
)
for name in ("real", "bit", "level", "count", "parzen", "text"):
    X.loc[RNG.random(ROWS) < 0.1, name] = None
NEW = X.assign(level="unheard", real=X["real"] + 3)
SETTINGS = [
    {"estimate": estimate, "missing": missing, "smoothing": 0.5 if missing == "informative" else 1.0}
    for estimate in ("bayes", "map", "mle")
    for missing in ("ignore", "informative")
]
settings = pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: "-".join(map(str, setting.values())))


def learn(**options: Any) -> likely.NaiveBayes:
    return likely.NaiveBayes(**{"kinds": KINDS, **options}).fit(X, Y)


# --- explain ---


@settings
@pytest.mark.parametrize("rows", [X, NEW], ids=["learnt", "new"])
def test_terms_add_up_to_the_prediction(setting: dict[str, Any], rows: pd.DataFrame) -> None:
    model = learn(**setting)
    explained = model.explain(rows)
    assert explained.terms.shape == (ROWS, 1 + len(KINDS), 2)
    assert explained.names == ("prior", *X.columns)
    joint = explained.terms.sum(axis=1)
    assert np.array_equal(joint, explained.joint)
    possible = np.isfinite(joint).any(axis=1)
    np.testing.assert_allclose(explained.proba[possible], model.predict_proba(rows)[possible], rtol=1e-10, atol=1e-12)
    log_proba = joint[possible] - np.logaddexp.reduce(joint[possible], axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_log_proba(rows)[possible], log_proba, rtol=1e-12, atol=1e-12)


def test_terms_of_a_column_set_aside_are_zero() -> None:
    assert not learn().explain(X).terms[:, 1 + list(KINDS).index("aside")].any()


def test_terms_of_a_missing_value_are_zero() -> None:
    terms = learn().explain(X).terms
    for name in ("real", "bit", "level", "count", "parzen", "text"):
        assert not terms[X[name].isna().to_numpy(), 1 + list(KINDS).index(name)].any()


def test_log_odds_are_differences_of_terms() -> None:
    explained = learn().explain(X)
    np.testing.assert_array_equal(explained.log_odds("yes", "no"), explained.terms[:, :, 1] - explained.terms[:, :, 0])


# --- other priors ---


@settings
def test_posterior_odds_change_by_the_prior_odds(setting: dict[str, Any]) -> None:
    model = learn(priors={"no": 0.5, "yes": 0.5}, **setting)
    other = model.with_priors({"no": 0.999, "yes": 0.001})
    before, after = model.predict_log_proba(X), other.predict_log_proba(X)
    finite = np.isfinite(before).all(axis=1)  # without smoothing, a class may be impossible
    assert finite.sum() > ROWS / 4
    change = np.diff(after[finite], axis=1) - np.diff(before[finite], axis=1)
    np.testing.assert_allclose(change, np.log(0.001 / 0.999), rtol=1e-9)
    np.testing.assert_array_equal(other.explain(X).terms[:, 1:], model.explain(X).terms[:, 1:])


def test_with_priors_is_a_fit_under_these_priors() -> None:
    for priors in ("uniform", "empirical", None, {"no": 1, "yes": 3}):
        np.testing.assert_array_equal(
            learn().with_priors(priors).predict_proba(X), learn(priors=priors).predict_proba(X)
        )


# --- intervals: tails against parameters drawn by hand ---


def posterior_draws(name: str, value: Any, draws: int, rng: np.random.Generator) -> np.ndarray:
    """(draws, 2): P(no | value), P(yes | value) under parameters drawn from their posterior, without likely."""
    known = X[name].notna().to_numpy()
    log = np.log(rng.dirichlet([(Y == "no").sum() + 1, (Y == "yes").sum() + 1], draws))
    column = X.loc[known, name].to_numpy()
    for cell, level in enumerate(("no", "yes")):
        mine = column[Y[known] == level]
        if name in ("bit", "level"):
            levels = [0, 1] if name == "bit" else KINDS["level"]
            share = rng.dirichlet([(mine == one).sum() + 1 for one in levels], draws)
            log[:, cell] += np.log(share[:, levels.index(value)])
        elif name == "count":
            rate = rng.gamma(column.mean() + mine.sum(), 1 / (1 + len(mine)), draws)
            log[:, cell] += stats.poisson.logpmf(value, rate)
        else:
            spread = [((column[Y[known] == one] - column[Y[known] == one].mean()) ** 2).sum() for one in ("no", "yes")]
            within = (sum(spread) + column.var()) / (len(column) + 1)
            held = within / column.var()
            strength = held + len(mine)
            mean = (held * column.mean() + mine.sum()) / strength
            rate = (
                within / 2 + spread[cell] / 2 + held * len(mine) * (mine.mean() - column.mean()) ** 2 / (2 * strength)
            )
            variance = 1 / rng.gamma(0.5 + len(mine) / 2, 1 / rate, draws)
            log[:, cell] += stats.norm.logpdf(value, rng.normal(mean, np.sqrt(variance / strength)), np.sqrt(variance))
    share = np.exp(log - log.max(axis=1, keepdims=True))
    return share / share.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("level", [0.5, 0.9])
@pytest.mark.parametrize(("name", "value"), [("bit", 1), ("level", "q"), ("count", 4), ("real", -0.5), ("real", 2.5)])
def test_interval_has_the_tails_of_independent_draws(name: str, value: Any, level: float) -> None:
    model = likely.NaiveBayes(kinds={name: KINDS[name]}).fit(X[[name]], Y)
    draws = posterior_draws(name, value, 40_000, np.random.default_rng(3))
    tail = (1 - level) / 2
    found = np.mean([model.interval(pd.DataFrame({name: [value]}), level, seed)[0] for seed in range(6)], axis=0)
    for cell in range(2):
        assert (draws[:, cell] < found[cell, 0]).mean() == pytest.approx(tail, abs=0.04)
        assert (draws[:, cell] > found[cell, 1]).mean() == pytest.approx(tail, abs=0.04)


@pytest.mark.parametrize("setting", SETTINGS[::2], ids=lambda setting: setting["estimate"])
def test_intervals_nest_and_repeat(setting: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generative, "PARAMETER_DRAWS", 100)
    model = learn(**setting)
    narrow, wide = model.interval(X[:20], 0.5), model.interval(X[:20])
    assert ((wide >= 0) & (wide <= 1)).all()
    assert (wide[..., 0] <= narrow[..., 0]).all()
    assert (wide[..., 1] >= narrow[..., 1]).all()
    np.testing.assert_array_equal(wide, model.interval(X[:20], level=0.95))


def test_interval_narrows_with_more_rows() -> None:
    few, many = learn(), likely.NaiveBayes(kinds=KINDS).fit(pd.concat([X] * 50), np.tile(Y, 50))
    assert np.ptp(many.interval(X[:20]), axis=2).mean() < 0.3 * np.ptp(few.interval(X[:20]), axis=2).mean()


# --- sample: moments of many draws ---


@pytest.fixture(scope="module", params=["bayes", "map", "mle"])
def drawn(request: Any) -> tuple[likely.NaiveBayes, pd.DataFrame, np.ndarray]:
    """Many draws, from a model of many rows: prior and heavy tails hardly show."""
    many = likely.NaiveBayes(kinds=KINDS, estimate=request.param, missing="informative").fit(
        pd.concat([X] * 20), np.tile(Y, 20)
    )
    return many, *many.sample(40_000, seed=5)


def test_sample_is_a_table_like_the_learnt(drawn: Any) -> None:
    model, rows, labels = drawn
    assert list(rows.columns) == list(X.columns)
    assert rows.shape == (40_000, len(KINDS))
    assert (labels == "yes").mean() == pytest.approx((Y == "yes").mean(), abs=0.015)
    again, same = model.sample(40_000, seed=5)
    pd.testing.assert_frame_equal(again, rows)
    np.testing.assert_array_equal(same, labels)


@pytest.mark.parametrize("name", ["real", "count", "parzen"])
@pytest.mark.parametrize("level", ["no", "yes"])
def test_sample_has_the_moments_of_numbers(drawn: Any, name: str, level: str) -> None:
    _, rows, labels = drawn
    mine = X.loc[level == Y, name].astype(float)
    found = rows.loc[labels == level, name].astype(float)
    assert found.mean() == pytest.approx(mine.mean(), abs=0.06)
    wider = 1.25 if name == "parzen" else 1.1  # windows add their own variance
    expected = mine.mean() ** 0.5 if name == "count" else mine.std()
    assert expected / 1.1 < found.std() < wider * expected


@pytest.mark.parametrize("name", ["bit", "level", "code"])
@pytest.mark.parametrize("level", ["no", "yes"])
def test_sample_has_the_shares_of_levels(drawn: Any, name: str, level: str) -> None:
    _, rows, labels = drawn
    expected = X.loc[level == Y, name].value_counts(normalize=True)
    found = rows.loc[labels == level, name].value_counts(normalize=True)
    for one, share in expected.items():
        assert found[one] == pytest.approx(share, abs=0.03)


@pytest.mark.parametrize("name", ["text", "other"])
@pytest.mark.parametrize("level", ["no", "yes"])
def test_sample_has_the_shares_of_words(drawn: Any, name: str, level: str) -> None:
    _, rows, labels = drawn
    expected = X.loc[level == Y, name].dropna().str.split().explode().value_counts(normalize=True)
    found = rows.loc[labels == level, name].str.split().explode().value_counts(normalize=True)
    for word, share in expected.items():
        assert found[word] == pytest.approx(share, abs=0.02)


@pytest.mark.parametrize("name", ["real", "bit", "level", "count", "parzen"])
def test_sample_has_holes_where_they_are_informative(drawn: Any, name: str) -> None:
    _, rows, _ = drawn
    assert rows[name].isna().mean() == pytest.approx(X[name].isna().mean(), abs=0.02)


def test_sample_of_reals_without_names_is_an_array() -> None:
    model = likely.NaiveBayes().fit(X[["real", "parzen"]].to_numpy(float), Y)
    rows, labels = model.sample(7, seed=1)
    assert isinstance(rows, np.ndarray)
    assert rows.dtype == np.float64
    assert rows.shape == (7, 2)
    assert labels.shape == (7,)


# --- files ---


@pytest.mark.parametrize("priors", [None, "uniform", {"no": 0.1, "yes": 0.9}], ids=str)
@pytest.mark.parametrize("setting", SETTINGS[::2], ids=lambda setting: setting["estimate"])
def test_a_loaded_model_is_the_model_to_the_bit(
    setting: dict[str, Any], priors: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generative, "PARAMETER_DRAWS", 20)
    model = learn(priors=priors, **setting)
    model.save(tmp_path / "m.likely")
    again = likely.load(tmp_path / "m.likely")
    assert again.model_.schema == model.model_.schema
    assert again.model_.setting == model.model_.setting
    for question, answer in model.model_.bundle.items():
        assert again.model_.bundle[question] == answer
    for method in ("predict_proba", "predict_log_proba", "predict"):
        np.testing.assert_array_equal(getattr(again, method)(NEW), getattr(model, method)(NEW))
    np.testing.assert_array_equal(again.interval(NEW[:5]), model.interval(NEW[:5]))
    np.testing.assert_array_equal(again.leave_one_out(X, Y), model.leave_one_out(X, Y))
    pd.testing.assert_frame_equal(again.sample(20, seed=1)[0], model.sample(20, seed=1)[0])
    assert list(again.feature_names_in_) == list(model.feature_names_in_)
    assert again.n_features_in_ == model.n_features_in_


@pytest.mark.parametrize(
    "labels",
    [Y, YES, YES.astype(int), YES.astype(bool), YES.astype(np.int8), Y.astype(object)],
    ids=lambda y: str(y.dtype),
)
def test_a_loaded_model_has_the_same_classes(labels: np.ndarray, tmp_path: Path) -> None:
    model = likely.NaiveBayes().fit(X[["real", "bit"]], labels)
    model.save(tmp_path / "m.likely")
    again = likely.load(tmp_path / "m.likely")
    np.testing.assert_array_equal(again.classes_, model.classes_)
    assert again.classes_.dtype == model.classes_.dtype
    assert again.predict(X[["real", "bit"]]).dtype == model.predict(X[["real", "bit"]]).dtype


def test_a_loaded_model_keeps_its_options(tmp_path: Path) -> None:
    model = learn(estimate="map", smoothing=0.5, missing="informative", priors={"no": 0.25, "yes": 0.75})
    model.save(tmp_path / "m.likely")
    assert likely.load(tmp_path / "m.likely").get_params() == model.get_params()
    learn().save(tmp_path / "m.likely")
    assert likely.load(tmp_path / "m.likely").priors is None


def test_a_loaded_model_learns_forgets_and_merges_on(tmp_path: Path) -> None:
    first = likely.NaiveBayes(kinds=KINDS).fit(X[:100], Y[:100])
    first.save(tmp_path / "m.likely")
    again = likely.load(tmp_path / "m.likely").partial_fit(X[100:], Y[100:])
    np.testing.assert_allclose(again.predict_proba(X), learn().predict_proba(X), rtol=1e-9, atol=1e-12)
    again.forget(X[100:], Y[100:])
    np.testing.assert_allclose(again.predict_proba(X), first.predict_proba(X), rtol=1e-9, atol=1e-12)
    rest = likely.NaiveBayes(kinds=KINDS).fit(X[100:], Y[100:])
    np.testing.assert_allclose(
        likely.load(tmp_path / "m.likely").merge(rest).predict_proba(X), learn().predict_proba(X), rtol=1e-9, atol=1e-12
    )


def test_a_loaded_matrix_of_words(tmp_path: Path) -> None:
    words = RNG.poisson(0.4, (ROWS, 30))
    model = likely.NaiveBayes(kinds=likely.Text("complement")).fit(words, Y)
    model.save(tmp_path / "m.likely")
    again = likely.load(tmp_path / "m.likely")
    np.testing.assert_array_equal(again.predict_proba(words), model.predict_proba(words))
    more = again.partial_fit(words, Y)
    np.testing.assert_array_equal(more.predict_proba(words), model.partial_fit(words, Y).predict_proba(words))
