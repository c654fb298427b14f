"""DecisionTree and RegressionTree: options, refusals, what they tell, holes in both senses."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import likely
from likely import DecisionTree, RegressionTree
from likely.errors import SchemaWarning
from likely.estimators.companions import table_in_memory

RNG = np.random.default_rng(0)
X = RNG.normal(size=(240, 3))
Y = np.where(X[:, 0] + X[:, 1] ** 2 + RNG.normal(size=240) > 0.5, "yes", "no")
FRAME = pd.DataFrame({"colour": ["red", "blue", None, "red", "blue", "green"] * 20, "size": np.arange(120) % 7.0})
FRAME.loc[::9, "size"] = np.nan
FATE = np.where((FRAME["colour"] == "red") | (FRAME["size"] > 4), "kept", "lost")


@pytest.mark.parametrize(
    ("options", "code", "hint"),
    [
        ({"criterion": "ginny"}, "O621", "Did you mean 'gini'"),
        ({"criterion": None}, "O621", "choose one of"),
        ({"criterion": "squared"}, "O626", "RegressionTree"),
        ({"max_depth": 0}, "O622", "None for no limit"),
        ({"max_depth": 2.5}, "O622", "whole number"),
        ({"min_samples_split": 1}, "O623", "from 2 on"),
        ({"min_samples_leaf": 0}, "O624", "from 1 on"),
        ({"min_samples_leaf": True}, "O624", "from 1 on"),
        ({"min_gain": -0.1}, "O625", "at least 0"),
        ({"min_gain": float("nan")}, "O625", "at least 0"),
        ({"prune": "pesimistic"}, "O627", "Did you mean 'pessimistic'"),
        ({"prune": ["pessimistic"]}, "O627", "choose None"),
        ({"smoothing": -1}, "O115", "from 0 on"),
        ({"missing": "drop"}, "O114", "ignore"),
    ],
)
def test_options_are_refused_kindly(options, code, hint):
    with pytest.raises(likely.LikelyError) as told:
        DecisionTree(**options).fit(X, Y)
    assert told.value.code == code
    assert hint in told.value.hint


def test_trees_of_amounts_refuse_what_is_of_classes():
    with pytest.raises(likely.LikelyError, match="O626"):
        RegressionTree(criterion="gini").fit(X, X[:, 0])
    with pytest.raises(likely.LikelyError, match="O628"):
        RegressionTree(prune="pessimistic").fit(X, X[:, 0])


def test_what_scikit_learn_tells_too():
    ours, peer = DecisionTree(max_depth=4).fit(X, Y), DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, Y)
    assert (ours.get_depth(), ours.get_n_leaves()) == (peer.get_depth(), peer.get_n_leaves())
    np.testing.assert_allclose(ours.feature_importances_, peer.feature_importances_, atol=1e-12)
    assert (ours.predict(X) == peer.predict(X)).all()
    raw = DecisionTree(max_depth=4, smoothing=0.0).fit(X, Y)
    np.testing.assert_allclose(raw.predict_proba(X), peer.predict_proba(X), atol=1e-12)
    leaves = ours.apply(X)
    assert ours.tree_.leaf[leaves].all()
    assert len(np.unique(leaves)) == len(np.unique(peer.apply(X)))


def test_underscores_are_understood():
    assert (
        DecisionTree(criterion="gain_ratio").fit(X, Y).text() == DecisionTree(criterion="gain-ratio").fit(X, Y).text()
    )


@pytest.mark.parametrize("missing", ["ignore", "informative"])
@pytest.mark.parametrize("smoothing", [0.0, 1.0])
def test_terms_add_up_with_holes(missing, smoothing):
    model = DecisionTree(missing=missing, smoothing=smoothing, max_depth=3).fit(FRAME, FATE)
    said, told = model.predict_log_proba(FRAME), model.explain(FRAME).terms.sum(axis=1)
    np.testing.assert_array_equal(np.isinf(said), np.isinf(told))
    np.testing.assert_allclose(np.where(np.isinf(said), 0, told), np.where(np.isinf(said), 0, said), atol=1e-12)
    np.testing.assert_allclose(model.predict_proba(FRAME).sum(axis=1), 1.0)


def test_holes_that_tell_the_class_are_used_where_they_may():
    x = np.where(RNG.random(200) < 0.5, np.nan, RNG.normal(size=200))
    y = np.where(np.isnan(x), "gone", "here")
    frame = pd.DataFrame({"x": x, "noise": RNG.normal(size=200)})
    assert DecisionTree(missing="informative", max_depth=1).fit(frame, y).score(frame, y) == 1.0
    assert DecisionTree(missing="ignore", max_depth=1).fit(frame, y).score(frame, y) < 0.8


def test_the_path_is_told():
    told = DecisionTree(criterion="entropy").fit(FRAME, FATE).explain(FRAME.iloc[:2])
    assert "size" in repr(told) or "colour" in repr(told)
    assert told.path(0).steps[0].part == 1.0


@pytest.mark.parametrize("prune", [None, "reduced-error", "pessimistic", "cost-complexity"])
def test_pruned_trees_are_no_larger_and_repeat(prune):
    whole = DecisionTree().fit(X, Y)
    first, again = (DecisionTree(prune=prune, random_state=3).fit(X, Y) for _ in range(2))
    assert first.get_n_leaves() <= whole.get_n_leaves()
    assert first.text() == again.text()


def test_pruning_that_says_something_says_it():
    assert any("pruned by the other" in note.text for note in DecisionTree(prune="reduced-error").fit(X, Y).notes_)
    assert any("held-out" in note.text for note in DecisionTree(prune="cost-complexity").fit(X, Y).notes_)
    assert DecisionTree(prune="cost-complexity", alpha=1.0).fit(X, Y).get_n_leaves() == 1


@pytest.mark.parametrize("criterion", ["squared", "absolute"])
def test_amounts_with_words_and_holes(criterion):
    amounts = np.where(FRAME["colour"] == "red", 10.0, 0.0) + FRAME["size"].fillna(3.0)
    model = RegressionTree(criterion=criterion, max_depth=4).fit(FRAME, amounts)
    assert model.score(FRAME, amounts) > 0.85
    np.testing.assert_allclose(model.explain(FRAME).terms.sum(axis=1), model.predict(FRAME))
    informed = RegressionTree(criterion=criterion, max_depth=4, missing="informative").fit(FRAME, amounts)
    assert informed.score(FRAME, amounts) >= model.score(FRAME, amounts) - 0.05


def test_amounts_of_very_different_sizes_are_still_split():
    x = np.arange(40.0)[:, None]
    y = np.where(x[:, 0] < 20, x[:, 0] % 2, 1e12)
    model = RegressionTree().fit(x, y)
    np.testing.assert_allclose(model.predict(x), y, atol=1e-3)


def test_a_level_that_no_row_has_answers_as_its_parent():
    y = np.array(["a", "a", "b", "b", "b", "a"] * 4)
    frame = pd.DataFrame({"c": list("uuvvvv") * 4, "d": list("pqpprr") * 4})
    model = DecisionTree(smoothing=0.0).fit(frame, y)
    tree = model.tree_
    empty = np.flatnonzero(tree.leaf & (tree.counts.sum(axis=1) == 0))
    assert len(empty)
    np.testing.assert_array_equal(tree.evidence[empty], tree.evidence[tree.parent[empty]])
    assert np.isfinite(model.predict_proba(pd.DataFrame({"c": ["u", "v"], "d": ["r", "q"]}))).all()


def test_rows_are_asked_again_only_if_a_column_is_set_aside(monkeypatch):
    rng = np.random.default_rng(0)
    codes, y = rng.integers(0, 3, (60, 4)).astype(float), rng.integers(0, 2, 60)
    asked, real = [], table_in_memory.answers
    monkeypatch.setattr(table_in_memory, "answers", lambda *given: (asked.append(1), real(*given))[1])
    codes[:, 3] = 2.0
    tree = DecisionTree().fit(codes, y)  # a column of one value gets a hint, and nothing else
    assert len(asked) == 1
    assert len(tree.notes_) == 4
    asked.clear()
    named = pd.DataFrame(codes, columns=list("abcd")).assign(name=[f"n{at}" for at in range(60)])
    with pytest.warns(SchemaWarning):
        fewer = DecisionTree().fit(named, y)
    assert len(asked) == 2
    np.testing.assert_array_equal(fewer.predict_proba(named), tree.predict_proba(codes))


@pytest.mark.parametrize(
    "model",
    [
        DecisionTree(prune="reduced-error"),
        RegressionTree(prune="reduced-error"),
        likely.AdaBoost(n_estimators=3),
        likely.Bagging(n_estimators=3),
    ],
    ids=lambda model: type(model).__name__,
)
def test_a_generator_of_random_numbers_goes_on_from_fit_to_fit(model: DecisionTree) -> None:
    """As scikit-learn's do: an integer gives the same model each time, a generator does not."""
    generator, twin = np.random.RandomState(0), np.random.RandomState(0)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), rng.integers(2, size=60)
    model.set_params(random_state=generator).fit(X, y)
    assert model.random_state is generator
    assert generator.randint(2**31 - 1) != twin.randint(2**31 - 1)
