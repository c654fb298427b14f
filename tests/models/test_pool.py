"""A pool of models: weights beside scikit-learn's, exact learning, terms that add up, and what it does in trouble."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.linear_model import LogisticRegression

import likely
from likely.core.block import Block
from likely.core.minimization import least_above
from likely.core.recoding import recoded
from likely.core.schema import Column, Schema
from likely.core.tokens import Bag
from likely.estimators.bayes import pool_candidates, pool_trials
from likely.estimators.bayes.bayes_classifier import read_memory
from likely.estimators.bayes.pool_candidates import Candidate, members_for, names_for
from likely.estimators.bayes.pool_trials import Trials, _chosen
from likely.evaluation import stacking
from likely.evaluation.stacking import Stack, learn_mixing, scores_of
from likely.models import NaiveModel
from likely.models.pool import Mixing

FEW = ["naive", "aode", "lda"]


def table(rows: int = 240, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """Words, numbers and texts, some of them missing."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "word": rng.choice(list("abc"), rows),
            "yes": rng.choice(["x", "y", None], rows),
            "n": np.where(rng.random(rows) < 0.2, np.nan, rng.normal(size=rows)),
            "skew": np.exp(2 * rng.normal(size=rows)),
            "text": [
                " ".join(rng.choice(["good", "bad", "ugly", "fine", "so", "much", "more"], 8)) for _ in range(rows)
            ],
        }
    )
    pull = frame["n"].fillna(0) + 1.5 * (frame["word"] == "a") + 0.7 * rng.normal(size=rows)
    return frame, np.where(pull > 0.5, "yes", "no")


@pytest.fixture(scope="module")
def rows() -> tuple[pd.DataFrame, np.ndarray]:
    return table()


@pytest.fixture(scope="module")
def pooled(rows: tuple[pd.DataFrame, np.ndarray]) -> likely.BayesClassifier:
    return likely.BayesClassifier(candidates=FEW).fit(*rows)


def test_the_prediction_is_the_weighed_sum_of_what_the_members_say(rows: Any, pooled: likely.BayesClassifier) -> None:
    """By other means: the members' own estimators are asked, and their answers added by hand."""
    X, _ = rows
    members = pooled._members(pooled.model_)
    scores = (
        pooled.model_.log_prior
        + np.array(pooled.model_.mixing.biases)
        + sum(
            weight * one.log_likelihood(_held(one, pooled, X))
            for weight, one in zip(pooled.weights_.values(), members, strict=True)
        )
    )
    by_hand = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(pooled.predict_proba(X), by_hand, atol=1e-12)


def _held(member: Any, pooled: Any, X: pd.DataFrame) -> pd.DataFrame:
    member.n_features_in_, member.feature_names_in_ = pooled.n_features_in_, pooled.feature_names_in_
    return X


def test_terms_add_up_to_the_prediction(rows: Any, pooled: likely.BayesClassifier) -> None:
    X, _ = rows
    joint = pooled.explain(X).terms.sum(axis=1)
    joint -= joint.max(axis=1, keepdims=True)
    np.testing.assert_allclose(
        np.exp(joint) / np.exp(joint).sum(axis=1, keepdims=True), pooled.predict_proba(X), atol=1e-12
    )


def test_sites_that_share_a_structure_merge_and_forget_exactly(rows: Any, pooled: likely.BayesClassifier) -> None:
    X, y = rows
    north, south = (likely.BayesClassifier(structure=pooled.structure_).fit(X[at], y[at]) for at in HALVES)
    whole = pooled.predict_proba(X)
    np.testing.assert_allclose(north.merge(south).predict_proba(X), whole, atol=1e-12)
    grown = likely.BayesClassifier(structure=pooled.structure_).fit(X[:100], y[:100]).partial_fit(X[100:], y[100:])
    np.testing.assert_allclose(grown.predict_proba(X), whole, atol=1e-12)
    np.testing.assert_allclose(grown.forget(X[100:], y[100:]).predict_proba(X), north.predict_proba(X), atol=1e-12)


HALVES = (slice(None, 100), slice(100, None))


def test_pools_of_other_weights_do_not_merge(rows: Any, pooled: likely.BayesClassifier) -> None:
    X, y = rows
    other = likely.BayesClassifier(candidates=["naive"]).fit(X, y)
    with pytest.raises(likely.LikelyError, match="other members") as raised:
        pooled.merge(other)
    assert raised.value.code == "M310"


def test_leaving_a_row_out_is_learning_without_it(rows: Any, pooled: likely.BayesClassifier) -> None:
    X, y = rows
    said = pooled.leave_one_out(X, y)
    for row in (0, 17, 101):
        others = np.arange(len(y)) != row
        apart = likely.BayesClassifier(structure=pooled.structure_).fit(X[others], y[others])
        np.testing.assert_allclose(said[row], apart.predict_proba(X[row : row + 1])[0], atol=1e-9)


def test_new_levels_and_classes_are_learnt_later(rows: Any) -> None:
    X, y = rows
    model = likely.BayesClassifier(candidates=FEW).fit(X, y)
    model.partial_fit(X[:3].assign(word="new"), ["perhaps"] * 3)
    assert model.classes_.tolist() == ["no", "perhaps", "yes"]
    assert np.isfinite(model.predict_log_proba(X.assign(word="never seen"))).all()
    assert model.forget(X[:3].assign(word="new"), ["perhaps"] * 3).classes_.tolist() == ["no", "yes"]


def test_an_interval_holds_the_probability_and_is_as_wide_as_that_of_its_members(
    rows: Any, pooled: likely.BayesClassifier
) -> None:
    X, _ = rows
    limits, said = pooled.interval(X[:30]), pooled.predict_proba(X[:30])
    assert ((limits[..., 0] <= said) & (said <= limits[..., 1])).mean() > 0.95
    alone = likely.BayesClassifier(candidates=["naive"]).fit(*rows)
    single = alone._members(alone.model_)[0]
    width = np.diff(single.interval(_held(single, alone, X[:30]))[..., ::1], axis=2).mean()
    assert np.diff(limits, axis=2).mean() > 0.4 * width


@pytest.mark.parametrize("companions", [False, True])
def test_a_file_brings_it_back_and_is_the_same_each_time(rows: Any, companions: bool, tmp_path: Path) -> None:
    X, y = rows[0].drop(columns="text"), rows[1]
    names = ["naive", "logistic"] if companions else FEW
    model = likely.BayesClassifier(candidates=names).fit(X, y)
    again = likely.BayesClassifier(candidates=names).fit(X, y)
    paths = [tmp_path / "a.likely", tmp_path / "b.likely"]
    for one, path in zip((model, again), paths, strict=True):
        one.save(path)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    twin = likely.load(paths[0])
    np.testing.assert_array_equal(twin.predict_proba(X), model.predict_proba(X))
    assert twin.story_ == model.story_
    assert [one.name for one in twin.leaderboard_] == [one.name for one in model.leaderboard_]


@pytest.mark.parametrize(
    "ask",
    [
        lambda model, X, y: model.leave_one_out(X, y),
        lambda model, X, y: model.interval(X),
        lambda model, X, y: model.sample(2),
        lambda model, X, y: model.partial_fit(X, y),
        lambda model, X, y: model.forget(X, y),
        lambda model, X, y: model.merge(model),
        lambda model, X, y: model.structure_,
    ],
)
def test_what_companions_cannot_is_refused_with_the_reason(rows: Any, ask: Any) -> None:
    X, y = rows[0].drop(columns="text"), rows[1]
    model = likely.BayesClassifier(candidates=["naive", "logistic"]).fit(X, y)
    assert set(model.weights_) == {"naive", "logistic"}
    with pytest.raises(likely.LikelyError, match="logistic in the pool cannot") as raised:
        ask(model, X, y)
    assert raised.value.code == "M316"
    assert model.predict_proba(X).shape == (len(y), 2)


def test_priors_move_the_odds_and_nothing_else(rows: Any, pooled: likely.BayesClassifier) -> None:
    X, _ = rows
    moved = pooled.with_priors({"no": 0.9, "yes": 0.1})
    shift = np.diff(moved.predict_log_proba(X) - pooled.predict_log_proba(X), axis=1)
    expected = np.log(0.1 / 0.9) - np.diff(pooled.model_.log_prior)
    np.testing.assert_allclose(shift, np.broadcast_to(expected, shift.shape), atol=1e-9)


# weights


def test_biases_and_matrix_are_those_of_a_logistic_regression(monkeypatch: pytest.MonkeyPatch) -> None:
    """scikit-learn's, on the same log odds, with the same penalty."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, 300)
    odds = np.where(codes == 1, 1.0, -1.0)[None] + rng.normal(size=(2, 300))
    said = np.stack([np.zeros_like(odds), odds], axis=2)
    said -= np.log(np.exp(said).sum(axis=2, keepdims=True))
    monkeypatch.setattr(stacking, "WEIGHT_PENALTY", 1e-9)
    monkeypatch.setattr(stacking, "BIAS_PENALTY", 1e-9)
    mixing = learn_mixing(Stack(said, np.zeros((300, 2)), codes, np.ones(300)), ("no", "yes"))
    plain = LogisticRegression(C=1e9, tol=1e-10).fit(odds.T, codes)
    np.testing.assert_allclose(mixing.weights, plain.coef_[0], atol=1e-3)
    np.testing.assert_allclose(mixing.biases[1] - mixing.biases[0], plain.intercept_[0], atol=1e-3)


def test_a_matrix_loses_no_more_than_weights_alone() -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, 200)
    said = np.log(rng.dirichlet(np.ones(3), size=(2, 200)))
    said[0, np.arange(200), (codes + 1) % 3] += 2.0  # the first model takes each class for the next
    said -= np.log(np.exp(said).sum(axis=2, keepdims=True))
    stack = Stack(said, np.zeros((200, 3)), codes, np.ones(200))
    classes = ("a", "b", "c")
    losses = [stack.losses(scores_of(learn_mixing(stack, classes, matrix), stack)).mean() for matrix in (False, True)]
    assert losses[1] < losses[0] - 0.1


def test_a_mixing_keeps_to_its_classes() -> None:
    mixing = Mixing(("a", "c"), (1.0,), (0.5, -0.5), (((1.0, 2.0), (3.0, 4.0)),))
    biases, matrix = mixing.under(("a", "b", "c"))
    assert biases.tolist() == [0.5, 0.0, -0.5]
    assert matrix is not None
    assert matrix[0].tolist() == [[1.0, 0.0, 2.0], [0.0, 0.0, 0.0], [3.0, 0.0, 4.0]]


def test_the_least_loss_under_floors() -> None:
    best = np.array([2.0, -1.0, -3.0])
    floor = np.array([0.0, 0.0, -np.inf])
    found = least_above(lambda at: (float(((at - best) ** 2).sum()), 2 * (at - best)), np.zeros(3), floor)
    np.testing.assert_allclose(found, [2.0, 0.0, -3.0], atol=1e-6)


# rows


def test_rows_are_recoded_by_what_levels_mean() -> None:
    old = Schema(
        (Column("w", "category", ("a", "b", "c")), Column("n", "real"), Column("t", "text", ("one", "two"))),
        Column("y", "category", ("no", "yes")),
    )
    new = Schema(
        (
            Column("w", "category", ("c", "a")),
            Column("n", "cut", ("low", "high"), cuts=(1.5,)),
            Column("t", "text", ("two",)),
        ),
        Column("y", "category", ("yes", "no")),
    )
    bag = Bag(
        np.array([0, 2, 2, 3, 3, 3]), np.array([0, 1, 0], dtype=np.int32), np.array([1.0, 2.0, 4.0]), None, np.zeros(5)
    )
    codes = np.array([[0], [1], [2], [3], [4]], dtype=np.uint8)  # a, b, c, missing, unseen
    reals = np.array([[1.0], [2.0], [np.nan], [1.5], [9.0]])
    seen = recoded(Block(5, codes, reals, (bag,), np.array([0, 1, 1, 0, 0])), old, new)
    assert seen.codes.tolist() == [[1, 0], [3, 1], [0, 2], [2, 0], [3, 1]]
    assert seen.reals.shape == (5, 0)
    assert seen.bags[0].indptr.tolist() == [0, 1, 1, 1, 1, 1]
    assert seen.bags[0].data.tolist() == [2.0]
    assert seen.bags[0].unknown is not None
    assert seen.bags[0].unknown.tolist() == [1.0, 0.0, 4.0, 0.0, 0.0]
    assert seen.cells is not None
    assert seen.cells.tolist() == [1, 0, 0, 1, 1]


# trouble


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"candidates": ["nave"]}, "O577"),
        ({"candidates": ["auto"]}, "O577"),
        ({"candidates": [1]}, "O577"),
        ({"candidates": ["naive"], "companions": True}, "O577"),
        ({"budget": {"memory": "-5 GiB"}}, "O578"),
        ({"budget": {"memory": "nan GiB"}}, "O578"),
        ({"candidates": ["linear"]}, "O577"),
        ({"candidates": []}, "O577"),
        ({"candidates": "naive"}, "O577"),
        ({"budget": "much"}, "O578"),
        ({"budget": {"memory": "much"}}, "O578"),
        ({"budget": {"hours": 1}}, "O578"),
        ({"budget": -1}, "O578"),
        ({"structure": 3}, "O579"),
        ({"pool": "convex"}, "O114"),
        ({"missing": "drop"}, "O114"),
    ],
)
def test_options_that_cannot_be(rows: Any, options: dict[str, Any], code: str) -> None:
    with pytest.raises(likely.LikelyError) as raised:
        likely.BayesClassifier(**options).fit(*rows)
    assert raised.value.code == code
    assert raised.value.hint


@pytest.mark.parametrize("said", [("2 GiB", 2.0**31), ("1.5kb", 1500.0), (7, 7.0), ("much", None), (0, None)])
def test_memory_as_people_say_it(said: tuple[Any, float | None]) -> None:
    assert read_memory(said[0]) == said[1]


@pytest.mark.parametrize("y", [["only"] * 30, ["a"] * 29 + ["b"], [f"class {n}" for n in range(30)]])
def test_odd_classes(y: list[str]) -> None:
    X = np.random.default_rng(0).normal(size=(30, 3))
    model = likely.BayesClassifier().fit(X, y)
    assert np.isfinite(model.predict_log_proba(X)).all()
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)


@pytest.mark.parametrize("many", [1, 2, 5])
def test_a_handful_of_rows_is_learnt_by_naive_bayes(many: int) -> None:
    model = likely.BayesClassifier().fit(np.arange(many)[:, None] * [1.0, 2.0], ["a", "b", "a", "b", "a"][:many])
    assert list(model.weights_) == ["naive"]
    assert "too few" in model.story_[-1]


def test_columns_that_are_all_missing() -> None:
    X = pd.DataFrame({"x": [None] * 40, "z": [np.nan] * 40})
    model = likely.BayesClassifier().fit(X, ["a", "b"] * 20)
    np.testing.assert_allclose(model.predict_proba(X), 0.5, atol=1e-6)


def test_a_budget_leaves_out_what_takes_longer(rows: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that says one second more each time: the first model is fitted at any price, others are not."""
    ticks: Iterator[int] = iter(range(10**6))
    monkeypatch.setattr(Trials, "clock", staticmethod(lambda: float(next(ticks))), raising=False)
    made = Trials.__init__

    def with_clock(self: Any, *given: Any, **options: Any) -> None:
        made(self, *given, **{**options, "clock": lambda: float(next(ticks))})

    monkeypatch.setattr(Trials, "__init__", with_clock)
    model = likely.BayesClassifier(candidates=FEW, budget=3).fit(*rows)
    assert list(model.weights_) == ["naive"]
    assert sum("beyond the budget" in sentence for sentence in model.story_) == 2


def test_a_wide_table_has_a_smaller_forest_and_fewer_folds(rows: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [members_for(columns) for columns in (0, 400, 800, 2000, 10**6)] == [32, 32, 16, 8, 8]
    monkeypatch.setattr(pool_candidates, "MOST_MEMBER_COLUMNS", 60)
    monkeypatch.setattr(pool_candidates, "MOST_PAIRED_COLUMNS", 4)
    monkeypatch.setattr(pool_trials, "MOST_PAIRED_COLUMNS", 4)
    model = likely.BayesClassifier(candidates=["forest"]).fit(*rows)
    held, columns = model.model_.held_out, len(model.model_.schema.columns)
    assert held is not None
    assert held.folds == 5
    assert len(model.model_.members[0].members) == 60 // columns
    names, story = names_for(model.model_.schema, False)
    assert "aode" not in names
    assert any(f"forest has {60 // columns} members" in one for one in story)


@pytest.mark.parametrize(("columns", "levels", "tried"), [(2, 2, False), (4, 2, True), (13, 2, False), (4, 80, False)])
def test_columns_are_counted_in_threes_where_they_and_their_levels_are_few(
    columns: int, levels: int, tried: bool
) -> None:
    names = [Column(f"x{at}", "category", tuple(map(str, range(levels)))) for at in range(columns)]
    assert ("ande" in names_for(Schema(tuple(names), Column("y", "category", ("no", "yes"))), False)[0]) == tried


def test_a_model_too_large_is_left_out_before_it_counts_a_row(rows: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    teach = likely.AODE._taught

    def seen(self: Any, source: Any, model: Any) -> Any:
        assert isinstance(model, NaiveModel), "rows were counted for a model beyond the budget"
        return teach(self, source, model)

    monkeypatch.setattr(likely.AODE, "_taught", seen)
    model = likely.BayesClassifier(candidates=["naive", "aode", "lda"], budget={"memory": "1 KiB"}).fit(*rows)
    assert "aode" not in model.weights_
    said = [sentence for sentence in model.story_ if sentence.startswith("aode was left out: counting every two of ")]
    assert len(said) == 1
    assert said[0].endswith(" KiB, beyond the 1 KiB that a model may have.")


def test_the_first_model_is_fitted_at_any_price(rows: Any) -> None:
    model = likely.BayesClassifier(candidates=["aode", "kdb"], budget={"memory": "1 KiB"}).fit(*rows)
    assert list(model.weights_) == ["aode"]
    assert any(sentence.startswith("kdb was left out") for sentence in model.story_)
    assert likely.AODE().fit(*rows)._most_bytes == np.inf


def test_what_is_interrupted_keeps_the_models_that_are_done(rows: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    fit = Candidate.fit

    def interrupted(self: Candidate, some: Any) -> Any:
        if self.name == "lda":
            raise KeyboardInterrupt
        return fit(self, some)

    monkeypatch.setattr(Candidate, "fit", interrupted)
    model = likely.BayesClassifier(candidates=FEW).fit(*rows)
    assert set(model.weights_) <= {"naive", "aode"}
    assert model.model_.interrupted
    assert "Interrupted" in model.story_[-1]


def test_the_same_seed_is_the_same_pool_whatever_the_threads(rows: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    said = []
    for threads in (1, 3):
        monkeypatch.setattr("likely.core.threads.cores", lambda threads=threads: threads)
        said.append(likely.BayesClassifier(candidates=[*FEW, "forest"]).fit(*rows).predict_proba(rows[0]))
    np.testing.assert_array_equal(said[0], said[1])


def test_many_rows_are_tried_on_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likely.estimators.bayes.forest_members.MOST_SAMPLED_ROWS", 256)
    X, y = table(1000)
    model = likely.BayesClassifier(candidates=FEW).fit(X, y)
    assert any("sample of 250 rows" in sentence for sentence in model.story_)
    assert model.model_.rows.sum() == 1000
    assert all(member.rows.sum() == 1000 for member in model.model_.members)


# what it shows


def test_its_own_score_is_of_rows_that_neither_members_nor_weights_have_seen() -> None:
    """Labels at random: whoever looked at them would be better than the shares of the classes."""
    losses = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(300, 6)), rng.integers(0, 2, 300)
        board = likely.BayesClassifier(candidates=[*FEW, "qda"]).fit(X, y).leaderboard_
        losses += [one.log_loss for one in board if one.name == "pool"]
    assert np.mean(losses) > np.log(2) - 0.004


def test_the_leaderboard_is_a_table_and_a_picture(pooled: likely.BayesClassifier) -> None:
    board = pooled.leaderboard_
    frame = board.frame()
    assert frame["log_loss"].is_monotonic_increasing
    assert {*frame["name"]} == {"pool", *FEW}
    assert json.loads(json.dumps(board.to_dict()))["trials"][0]["name"] == board[0].name
    axes = board.plot().axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == [one.name for one in board]
    assert "pool of" in repr(pooled.structure_)


def test_it_beats_each_of_its_members_on_flowers_and_wines() -> None:
    for X, y in (load_iris(return_X_y=True), load_wine(return_X_y=True)):
        board = likely.BayesClassifier(candidates=[*FEW, "qda"]).fit(X, y).leaderboard_
        losses = {one.name: one.log_loss for one in board}
        assert losses["pool"] < np.mean([loss for name, loss in losses.items() if name != "pool"])


def test_pool_best_takes_the_best_way(rows: Any) -> None:
    model = likely.BayesClassifier(candidates=FEW, pool="best").fit(*rows)
    assert any(sentence.startswith("The log-linear pool was taken") for sentence in model.story_)
    X, _ = rows
    joint = model.explain(X).terms.sum(axis=1)
    joint -= joint.max(axis=1, keepdims=True)
    np.testing.assert_allclose(
        np.exp(joint) / np.exp(joint).sum(axis=1, keepdims=True), model.predict_proba(X), atol=1e-12
    )


def test_a_multinomial_pool_is_taken_where_it_is_clearly_better() -> None:
    # What a model says of the classes is shifted by one: only weights of another class can mend that.
    rng, rows = np.random.default_rng(0), 300
    codes = rng.integers(0, 3, rows)
    said = rng.normal(size=(1, rows, 3))
    said[0, np.arange(rows), (codes + 1) % 3] += 2
    stack = Stack(said, np.log(np.full((rows, 3), 1 / 3)), codes, np.ones(rows))
    story: list[str] = []
    mixing, log_proba = _chosen(stack, np.arange(rows) % 5, ("a", "b", "c"), "best", story)
    assert mixing.matrix
    assert story[0].startswith("The multinomial pool")
    assert stack.losses(log_proba).mean() < 0.8 < np.log(3)
    noise = replace(stack, codes=rng.integers(0, 3, rows))
    assert not _chosen(noise, np.arange(rows) % 5, ("a", "b", "c"), "best", story)[0].matrix


def test_a_structure_of_columns_in_another_order_is_refused(rows: Any, pooled: likely.BayesClassifier) -> None:
    X, y = rows
    with pytest.raises(likely.LikelyError, match="another order") as raised:
        likely.BayesClassifier(structure=pooled.structure_).fit(X[X.columns[::-1]], y)
    assert raised.value.code == "O573"


@pytest.mark.parametrize("names", [["naive"], ["naive", "aode"]])
def test_a_pool_that_hears_nobody_is_saved_and_drawn_from(names: list[str], tmp_path: Path) -> None:
    """Labels that nothing tells: the weights may all be zero."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.choice(["a", "b"], 200)
    model = likely.BayesClassifier(candidates=names).fit(X, y)
    silent = replace(model.model_.mixing, weights=(0.0,) * len(model.model_.members))
    model = model._copy(replace(model.model_, mixing=silent))
    model.save(tmp_path / "m.likely")
    twin = likely.load(tmp_path / "m.likely")
    assert twin.sample(5, seed=0)[0].shape == (5, 3)
    assert np.isfinite(twin.interval(X[:2])).all()


@pytest.mark.parametrize("names", [["naive", "logistic"], ["naive", "bagging"], ["naive", "qda"]])
def test_a_class_of_one_row(names: list[str]) -> None:
    """No fold that judges it has learnt it."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(120, 3)), np.where(rng.random(120) < 0.5, "a", "b").astype(object)
    y[7] = "once"
    model = likely.BayesClassifier(candidates=names).fit(X, y)
    assert model.classes_.tolist() == ["a", "b", "once"]
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)
    assert next(one for one in model.leaderboard_ if one.name == "naive").log_loss < 1.0


def test_a_model_that_holds_what_happens_impossible_is_left_out() -> None:
    rng = np.random.default_rng(0)
    word = rng.choice(list("abcdefghij"), 300)
    X = pd.DataFrame({"w": word, "v": rng.choice(list("xy"), 300)})
    y = np.where(np.isin(word, list("abcde")) ^ (rng.random(300) < 0.02), "yes", "no")
    board = likely.BayesClassifier(candidates=["naive", "naive-mle"]).fit(X, y)
    alone = likely.BayesClassifier(candidates=["naive"]).fit(X, y)
    losses = [next(one.log_loss for one in model.leaderboard_ if one.name == "naive") for model in (board, alone)]
    assert losses[0] == pytest.approx(losses[1])
    assert any("impossible" in sentence for sentence in board.story_)


def test_numbers_that_members_divide_are_drawn_as_numbers(rows: Any) -> None:
    X, y = rows
    drawn, _ = likely.BayesClassifier(candidates=["aode"]).fit(X, y).sample(200, seed=0)
    assert (drawn["skew"] % 1 != 0).mean() > 0.9


def test_a_declared_class_without_rows_has_terms() -> None:
    X, y = load_iris(return_X_y=True)
    model = likely.BayesClassifier(candidates=["naive", "lda"]).partial_fit(X, y, classes=[0, 1, 2, 3])
    assert not np.isnan(model.explain(X[:3]).terms).any()


def test_sites_that_count_words_merge() -> None:
    from scipy.sparse import csr_matrix

    rng = np.random.default_rng(0)
    y = rng.choice(["ham", "spam"], 80)
    words = csr_matrix(rng.poisson(np.where(y == "spam", 2.0, 0.5)[:, None], (80, 12)))
    model = likely.BayesClassifier(kinds="text").fit(words, y)
    parts = (slice(None, 40), slice(40, None))
    halves = [likely.BayesClassifier(kinds="text", structure=model.structure_).fit(words[at], y[at]) for at in parts]
    np.testing.assert_allclose(halves[0].merge(halves[1]).predict_proba(words), model.predict_proba(words), atol=1e-12)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda pool: pool.update(trials=[]),
        lambda pool: pool.update(names=pool["names"][::-1]),
        lambda pool: pool.update(names=["auto", *pool["names"][1:]]),
        lambda pool: pool["mixing"].update(weights=[1e308] * 2),
        lambda pool: pool["mixing"].update(classes=["x", "y", "z"]),
        lambda pool: pool["mixing"].update(biases=[0.0]),
        lambda pool: pool.update(members=pool["members"][:1]),
    ],
)
def test_damaged_pools_are_refused(rows: Any, spoil: Any, tmp_path: Path) -> None:
    X, y = rows[0].drop(columns="text"), rows[1]
    path, bad = tmp_path / "m.likely", tmp_path / "bad.likely"
    model = likely.BayesClassifier(candidates=["naive", "lda"]).fit(X, y)
    assert len(model.weights_) == 2
    model.save(path)
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(bad, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "model.json":
                page = json.loads(data)
                spoil(page["pool"])
                data = json.dumps(page).encode()
            new.writestr(name, data)
    with pytest.raises(likely.LikelyError) as raised:
        likely.load(bad)
    assert raised.value.code == "F404"
