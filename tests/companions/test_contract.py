"""What every companion does: mixed tables, holes, weights, files, explanations that add up, kind refusals."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_regressor
from sklearn.utils.estimator_checks import parametrize_with_checks

import likely
from likely.errors import SchemaWarning

CLASSIFIERS = {
    "logistic": likely.LogisticRegression(),
    "tree": likely.DecisionTree(),
    "ratio": likely.DecisionTree(criterion="gain-ratio", max_depth=4),
    "pruned": likely.DecisionTree(criterion="c4.5", prune="pessimistic", min_samples_leaf=2),
    "boosted": likely.AdaBoost(n_estimators=12),
    "bagged": likely.Bagging(n_estimators=7, random_state=0),
}
REGRESSORS = {
    "linear": likely.LinearRegression(),
    "ridge": likely.LinearRegression(penalty="ridge", strength=2.0),
    "steps": likely.RegressionTree(max_depth=4),
    "medians": likely.RegressionTree(criterion="absolute", max_depth=3),
}
EVERY = {**CLASSIFIERS, **REGRESSORS}


@parametrize_with_checks(
    [
        likely.LinearRegression(),
        likely.LogisticRegression(),
        likely.DecisionTree(),
        likely.RegressionTree(),
        likely.AdaBoost(n_estimators=10),
        likely.Bagging(n_estimators=5, random_state=0),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def table(rows: int = 240, seed: int = 0) -> tuple[pd.DataFrame, pd.Series, pd.Series]:
    """Words, a binary, numbers and holes; a class and an amount that depend on them."""
    rng = np.random.default_rng(seed)
    port, deck = rng.choice(["Hull", "Kiel", "Nice"], rows), rng.integers(0, 2, rows)
    age, fare = rng.normal(40, 12, rows).round(), rng.gamma(2.0, 20.0, rows).round(2)
    pull = 0.08 * (age - 40) + (port == "Kiel") - 0.7 * deck + rng.normal(0, 0.8, rows)
    frame = pd.DataFrame({"port": port, "deck": deck, "age": age, "fare": fare})
    for name, share in (("port", 0.1), ("age", 0.15)):
        frame[name] = frame[name].where(rng.random(rows) > share)
    label = pd.Series(np.select([pull < -0.5, pull < 0.8], ["lost", "found"], "kept"), name="fate")
    return frame, label, pd.Series(pull, name="pull")


def rows_for(model):
    """The table, and the target that the model predicts."""
    frame, label, pull = table()
    return frame, pull if is_regressor(model) else label


def fitted(model):
    return clone(model).fit(*rows_for(model))


def said(model, frame):
    return model.predict_proba(frame) if hasattr(model, "predict_proba") else model.predict(frame)


@pytest.mark.parametrize("name", EVERY)
def test_a_file_brings_the_model_back(name, tmp_path):
    model, frame = fitted(EVERY[name]), table(seed=1)[0]
    model.save(tmp_path / "one.likely")
    again = likely.load(tmp_path / "one.likely")
    np.testing.assert_array_equal(said(again, frame), said(model, frame))
    np.testing.assert_array_equal(again.explain(frame).terms, model.explain(frame).terms)
    assert repr(again) == repr(model)
    assert again.get_params() == model.get_params()
    if name in CLASSIFIERS:
        assert repr(likely.explanations.profile(again)) == repr(likely.explanations.profile(model))


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_terms_add_up_to_the_probabilities(name):
    model, frame = fitted(CLASSIFIERS[name]), table(seed=2)[0]
    told = model.explain(frame)
    assert told.terms.shape == (len(frame), 5, 3)
    np.testing.assert_allclose(told.proba, model.predict_proba(frame), atol=1e-12)


@pytest.mark.parametrize("name", REGRESSORS)
def test_terms_add_up_to_the_amounts(name):
    model, frame = fitted(REGRESSORS[name]), table(seed=2)[0]
    np.testing.assert_allclose(model.explain(frame).terms.sum(axis=1), model.predict(frame), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("name", EVERY)
def test_the_order_of_rows_does_not_matter(name):
    frame, y = rows_for(EVERY[name])
    order = np.random.default_rng(3).permutation(len(frame))
    other = clone(EVERY[name]).fit(frame.iloc[order], y.iloc[order])
    np.testing.assert_allclose(said(fitted(EVERY[name]), frame), said(other, frame), rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("name", EVERY)
def test_a_weight_is_a_row_repeated(name):
    frame, y = rows_for(EVERY[name])
    times = np.random.default_rng(4).integers(0, 3, len(frame))
    at = np.repeat(np.arange(len(frame)), times)
    one = clone(EVERY[name]).fit(frame, y, sample_weight=times)
    other = clone(EVERY[name]).fit(frame.iloc[at], y.iloc[at])
    np.testing.assert_allclose(said(one, frame), said(other, frame), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", EVERY)
def test_levels_that_were_never_seen_and_rows_of_holes(name):
    odd = pd.DataFrame({"port": ["Oslo", None], "deck": [1, None], "age": [30.0, None], "fare": [20.0, None]})
    answers = said(fitted(EVERY[name]), odd)
    assert np.isfinite(answers).all()
    if name in CLASSIFIERS:
        np.testing.assert_allclose(answers.sum(axis=1), 1.0)


@pytest.mark.parametrize("name", EVERY)
def test_a_failed_fit_leaves_the_old_model(name):
    model, (frame, y) = fitted(EVERY[name]), rows_for(EVERY[name])
    before, holed = said(model, frame), y.copy()
    holed[3] = None
    with pytest.raises(likely.LikelyError):
        model.fit(frame, holed)
    np.testing.assert_array_equal(said(model, frame), before)


@pytest.mark.parametrize("name", EVERY)
def test_fitting_a_file_is_fitting_its_rows(name, tmp_path):
    frame, y = rows_for(EVERY[name])
    place = tmp_path / "rows.parquet"
    frame.assign(**{y.name: y}).to_parquet(place)
    model = likely.fit(place, target=y.name, model=EVERY[name])
    np.testing.assert_allclose(said(model, frame), said(fitted(EVERY[name]), frame), rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(model.predict(place), model.predict(frame))


@pytest.mark.parametrize("name", EVERY)
def test_holes_are_refused_where_they_are_said_to_be_an_error(name):
    with pytest.raises(likely.LikelyError, match="missing"):
        fitted(clone(EVERY[name]).set_params(missing="error"))


@pytest.mark.parametrize("name", EVERY)
def test_identifiers_are_set_aside(name):
    frame, y = rows_for(EVERY[name])
    wide = frame.assign(ticket=[f"T{at}" for at in range(len(frame))])
    with pytest.warns(SchemaWarning, match="ticket"):
        model = clone(EVERY[name]).fit(wide, y)
    assert [note.column for note in model.notes_ if note.code == "skipped"] == ["ticket"]
    np.testing.assert_allclose(said(model, wide), said(fitted(EVERY[name]), frame), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_decisions_changes_and_profiles(name):
    model, frame = fitted(CLASSIFIERS[name]), table(seed=5)[0]
    assert set(model.decide(frame, loss={("lost", "kept"): 9.0}, reject=0.3)) <= {*model.classes_, None}
    told = likely.explanations.changes(model, frame, row=0)
    assert told.decided == model.predict(frame[:1])[0]
    for change in told.alone:
        after = frame[:1].assign(**{change.name: [change.after]})
        assert model.predict(after)[0] == change.becomes
    assert likely.explanations.profile(model).classes == ("found", "kept", "lost")


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_other_priors_move_the_odds_of_every_row_alike(name, tmp_path):
    model, frame = fitted(CLASSIFIERS[name]), table(seed=6)[0]
    rare = model.with_priors({"found": 0.1, "kept": 0.1, "lost": 0.8})
    moved = np.log(rare.predict_proba(frame)) - np.log(model.predict_proba(frame))
    wanted = np.log([0.1, 0.1, 0.8]) - np.log(model.model_.rows / model.model_.rows.sum())
    np.testing.assert_allclose(moved - moved[:, :1], np.tile(wanted - wanted[0], (len(frame), 1)), atol=1e-9)
    np.testing.assert_allclose(rare.explain(frame).proba, rare.predict_proba(frame), atol=1e-12)
    rare.save(tmp_path / "rare.likely")
    np.testing.assert_array_equal(likely.load(tmp_path / "rare.likely").predict(frame), rare.predict(frame))
    assert likely.explanations.changes(rare, frame).decided == rare.predict(frame[:1])[0]


def test_fitted_trees_and_ensembles_say_how_large_they_are():
    assert "leaves" in repr(fitted(CLASSIFIERS["tree"]))
    assert "12 rounds, training error" in repr(fitted(CLASSIFIERS["boosted"]))
    assert "7 members, out-of-bag error" in repr(fitted(CLASSIFIERS["bagged"]))
    assert "R²" in repr(fitted(REGRESSORS["linear"]))


@pytest.mark.parametrize("name", EVERY)
def test_a_hole_is_refused_at_prediction_too(name, tmp_path):
    frame, y = rows_for(EVERY[name])
    full = frame.notna().all(axis=1)
    model = clone(EVERY[name]).set_params(missing="error").fit(frame[full], y[full])
    assert len(model.predict(frame[full])) == full.sum()
    frame.to_csv(tmp_path / "rows.csv", index=False)
    for rows in (frame, tmp_path / "rows.csv"):
        for ask in (model.predict, model.explain):
            with pytest.raises(likely.LikelyError, match="D124"):
                ask(rows)


@pytest.mark.parametrize("name", CLASSIFIERS)
@pytest.mark.parametrize("sure", ["lost", "kept"])
def test_a_class_of_prior_zero_is_impossible(name, sure):
    frame, label = rows_for(CLASSIFIERS[name])
    two = label != "found"
    model = clone(CLASSIFIERS[name]).fit(frame[two], label[two])
    certain = model.with_priors({"lost": float(sure == "lost"), "kept": float(sure == "kept")})
    assert set(certain.predict(frame)) == {sure}
    np.testing.assert_array_equal(np.sort(certain.predict_proba(frame), axis=1), np.tile([0.0, 1.0], (len(frame), 1)))
