"""A forest against a recount of its members by dictionaries, refits without each row, and rows that come and go."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta

import likely
from likely.errors import LikelyError
from likely.estimators.bayes import forest_members
from likely.structures.forest import ForestStructure

COLUMNS = ["word", "other", "number", "amount"]
MISSING = ("ignore", "informative")
STRENGTH = 2.0  # rows that the cell above is worth


def table(seed: int, rows: int = 60, classes: int = 3, holes: float = 0.15) -> tuple[pd.DataFrame, np.ndarray]:
    """Words and numbers that hang on the class and on each other, some of them missing."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, rows)
    other = np.where(rng.random(rows) < 0.6, y, rng.integers(0, 3, rows))
    word = np.where(rng.random(rows) < 0.5, other, rng.integers(0, 4, rows))
    number = np.round(rng.normal(y + 0.5 * word, 1.0), 2)
    amount = np.round(rng.normal(other, 1.0), 1)
    frame = pd.DataFrame(
        {
            "word": np.array(list("abcd"))[word],
            "other": np.array(list("uvw"))[other],
            "number": number,
            "amount": amount,
        }
    ).astype({"word": object, "other": object})
    for name in COLUMNS:
        frame.loc[rng.random(rows) < holes, name] = None
    return frame, np.array(["in", "mid", "out"])[y]


def forest(**options: Any) -> likely.BayesForest:
    kinds = {"word": "category", "other": "category", "number": "real", "amount": "real"}
    return likely.BayesForest(**{"n_estimators": 5, "random_state": 3, "normals": False, "kinds": kinds, **options})


def slots(structure: ForestStructure, member: int, row: pd.Series) -> dict[str, Any]:
    """What a member makes of a row: words, the number of edges below a number, None where missing."""
    out: dict[str, Any] = {}
    for name, edges in zip(structure.columns, structure.members[member].edges, strict=True):
        value = row[name]
        if value is None or value != value:
            out[name] = None
        elif name in ("word", "other"):
            out[name] = value
        else:
            out[name] = sum(edge < value for edge in edges)
    return out


class Recount:
    """A forest by loops over rows, from its structure alone; some rows may be left out, and rows weigh something."""

    def __init__(
        self, structure: ForestStructure, X: pd.DataFrame, y: np.ndarray, missing: str, weights: Any = None
    ) -> None:
        self.structure, self.y, self.missing = structure, y, missing
        self.weights = np.ones(len(y)) if weights is None else np.asarray(weights)
        self.classes = sorted({*y})
        self.rows = [[slots(structure, m, row) for _, row in X.iterrows()] for m in range(len(structure.members))]
        self.levels = {name: {*X[name].dropna()} for name in ("word", "other")}
        self.mass = Counter()
        for label, weight in zip(y, self.weights, strict=True):
            self.mass[label] += weight

    def shares(self, left: int | None = None) -> np.ndarray:
        """(classes,): smoothed shares, without a row."""
        mass = [
            self.mass[c] + 1.0 - (self.weights[left] if left is not None and self.y[left] == c else 0)
            for c in self.classes
        ]
        return np.array(mass) / sum(mass)

    def term(self, member: int, place: int, row: dict[str, Any], label: str, left: int | None = None) -> float:
        """P(value | class, parents), by counting."""
        structure, informed = self.structure, self.missing == "informative" and self.structure.members[member].informed
        name, by = structure.columns[place], structure.members[member].parents[place]
        value = row[name]
        if value is None and not informed:
            return 1.0
        asked = {parent: row[parent] for parent in by if informed or row[parent] is not None}
        first = {parent: row[parent] for parent in by[:1] if parent in asked}
        known = self.levels.get(name)
        levels = len(structure.members[member].edges[place]) + 1 if known is None else len({*known, value} - {None})

        def count(cell: dict[str, Any], own: bool) -> tuple[float, float]:
            n = whole = 0.0
            for at, (learnt, actual, weight) in enumerate(zip(self.rows[member], self.y, self.weights, strict=True)):
                if at == left or (own and actual != label) or any(learnt[p] != v for p, v in cell.items()):
                    continue
                if learnt[name] is not None or informed:
                    whole += weight
                    n += weight * (learnt[name] == value)
            return n, whole

        n, whole = count({}, own=False)
        said = (n + 1.0) / (whole + levels + informed)
        cells = [{}, *([first] if first else []), *([asked] if asked != first else [])]
        for cell in cells:
            n, whole = count(cell, own=True)
            said = (n + STRENGTH * said) / (whole + STRENGTH)
        return said

    def proba(self, X: pd.DataFrame, left: int | None = None) -> np.ndarray:
        out = []
        for _, row in X.iterrows():
            mean = np.zeros(len(self.classes))
            for member, told in enumerate(self.structure.members):
                seen, joint = slots(self.structure, member, row), self.shares(left)
                for place, weight in enumerate(told.weights):
                    joint = joint * [self.term(member, place, seen, label, left) ** weight for label in self.classes]
                mean += joint / joint.sum()
            out.append(mean / len(self.structure.members))
        return np.array(out)


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("weighed", [False, True])
def test_probabilities_are_those_of_a_recount(missing: str, weighed: bool) -> None:
    X, y = table(1)
    weights = np.random.default_rng(0).integers(1, 4, len(y)) / 2 if weighed else None
    model = forest(missing=missing).fit(X, y, sample_weight=weights)
    asked, _ = table(2, rows=12, holes=0.3)
    asked.loc[0, "word"] = "never seen"
    asked.loc[1, "other"] = "nor this"
    recount = Recount(model.structure_, X, y, missing, weights)
    np.testing.assert_allclose(model.predict_proba(asked), recount.proba(asked), rtol=1e-10)


@pytest.mark.parametrize("missing", MISSING)
def test_a_row_left_out_is_a_recount_without_it(missing: str) -> None:
    X, y = table(4, rows=24)
    model = forest(missing=missing, n_estimators=2).fit(X, y)
    recount, said = Recount(model.structure_, X, y, missing), model.leave_one_out(X, y)
    for row in range(0, 24, 5):
        np.testing.assert_allclose(said[row], recount.proba(X[row : row + 1], left=row)[0], rtol=1e-10)


@pytest.mark.parametrize("normals", [False, True])
@pytest.mark.parametrize("missing", MISSING)
def test_a_row_left_out_is_a_refit_without_it(missing: str, normals: bool) -> None:
    X, y = table(5, rows=30)
    X["text"] = [f"some words of the row {label} again and again {at % 4}" for at, label in enumerate(y)]
    kinds = {"word": ["a", "b", "c", "d"], "other": ["u", "v", "w"], "number": "real", "amount": "real", "text": "text"}
    model = forest(missing=missing, normals=normals, kinds=kinds).fit(X, y)
    said = model.leave_one_out(X, y)
    same = forest(missing=missing, kinds=kinds, structure=model.structure_)
    for row in range(0, 30, 4):
        rest = np.arange(30) != row
        refit = same.fit(X[rest], y[rest])
        np.testing.assert_allclose(said[row], refit.predict_proba(X[row : row + 1])[0], rtol=1e-8)


def test_weights_are_where_the_loss_of_left_out_rows_is_least() -> None:
    """Moving any weight either way loses more: the loss of one member is recounted, with what distance from 1 costs."""
    X, y = table(6, rows=40, holes=0.1)
    model = forest(n_estimators=1).fit(X, y)
    told = model.structure_

    def loss(weights: list[float]) -> float:
        member = told.members[0].__class__(**{**vars(told.members[0]), "weights": tuple(weights)})
        moved = ForestStructure(told.columns, told.beside, told.target, (member,))
        said = forest(structure=moved).fit(X, y).leave_one_out(X, y)
        own = np.searchsorted(model.classes_, y)
        return -np.log(said[np.arange(len(y)), own]).sum() + 1.5 * sum((weight - 1.0) ** 2 for weight in weights)

    best = list(told.members[0].weights)
    least = loss(best)
    for at in range(len(best)):
        for step in (-0.02, 0.02):
            moved = [weight + step * (other == at) for other, weight in enumerate(best)]
            if moved[at] >= 0:
                assert loss(moved) > least


def test_the_best_weights_are_those_of_scipy() -> None:
    from scipy.optimize import minimize

    rng = np.random.default_rng(0)
    terms, own = rng.normal(size=(7, 80, 3)), rng.integers(0, 3, 80)
    for at, strength in enumerate((2.0, -1.5, 0.3, 0.0, 1.0, -0.2, 0.7)):
        terms[at, np.arange(80), own] += strength
    prior, mass = np.log(rng.dirichlet(np.ones(3), 80)), rng.random(80) + 0.5

    def loss(weights: np.ndarray) -> float:
        said = prior + np.tensordot(weights, terms, 1)
        lost = np.logaddexp.reduce(said, axis=1) - said[np.arange(80), own]
        return float(mass @ lost + 1.5 * ((weights - 1) ** 2).sum())

    def slope(weights: np.ndarray) -> np.ndarray:
        said = prior + np.tensordot(weights, terms, 1)
        share = np.exp(said - np.logaddexp.reduce(said, axis=1)[:, None]) - np.eye(3)[own]
        return np.einsum("jik,ik,i->j", terms, share, mass) + 3.0 * (weights - 1)

    best = minimize(loss, np.ones(7), jac=slope, bounds=[(0, None)] * 7, options={"ftol": 1e-15, "gtol": 1e-9})
    found = forest_members._least(terms, prior, own.astype(np.int32), mass, np.ones(7))
    np.testing.assert_allclose(found, best.x, atol=1e-3)  # where the search ends, nothing is to be had any more
    assert loss(found) < best.fun + 1e-5
    assert (found[[1, 5]] >= 0).all()


def same(one: Any, other: Any, X: Any) -> None:
    assert one.classes_.tolist() == other.classes_.tolist()
    assert one.model_.schema.columns == other.model_.schema.columns
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X), rtol=1e-10)


def test_forests_of_one_structure_merge() -> None:
    """Each site has levels and a class of its own."""
    X, y = table(7, rows=80)
    here, there = np.arange(80) < 40, np.arange(80) >= 40
    X.loc[3, "word"], X.loc[50, "other"], y[60:64] = "e", "z", "zone"
    first = forest().fit(X[here], y[here])
    shared = forest(structure=first.structure_)
    other, whole = shared.fit(X[there], y[there]), forest(structure=first.structure_).fit(X, y)
    same(first.merge(other), whole, X)
    same(other.merge(first), whole, X)
    same(first.partial_fit(X[there], y[there]), whole, X)
    first.forget(X[there], y[there])
    same(first, forest(structure=first.structure_).fit(X[here], y[here]), X)


def test_forests_of_two_structures_do_not_merge() -> None:
    X, y = table(8)
    words = X[["word", "other"]]
    one, other = (forest(kinds="category", random_state=seed).fit(words, y) for seed in (0, 1))
    with pytest.raises(LikelyError, match=r"M310.*\n.*\n.*structure=first.structure_"):
        one.merge(other)
    one, other = (forest(random_state=seed).fit(X, y) for seed in (0, 1))
    with pytest.raises(LikelyError, match="S213"):
        one.merge(other)


def test_a_structure_is_refused_that_does_not_fit() -> None:
    X, y = table(9)
    told = forest().fit(X, y).structure_
    with pytest.raises(LikelyError, match="O573"):
        forest(structure=told, kinds="auto").fit(X.rename(columns={"word": "words"}), y)
    with pytest.raises(LikelyError, match="O573"):
        forest(structure=told, kinds={"number": "category"}).fit(X, y)
    with pytest.raises(LikelyError, match="O572"):
        forest(structure="auto").fit(X, y)
    with pytest.raises(LikelyError, match="O389"):
        ForestStructure.from_dict({"columns": ["a"], "members": []})
    assert ForestStructure.from_dict(told.to_dict()) == told


@pytest.mark.parametrize("options", [{}, {"normals": True}, {"missing": "ignore", "max_parents": 1}], ids=str)
def test_explanations_add_up(options: dict[str, Any]) -> None:
    X, y = table(10, rows=200)
    model = forest(**options).fit(X, y)
    terms = model.explain(X).terms
    joint = terms.sum(axis=1)
    np.testing.assert_allclose(joint, model.model_.log_prior + model.log_likelihood(X), rtol=1e-12, atol=1e-12)
    named = joint - np.logaddexp.reduce(joint, axis=1)[:, None]
    np.testing.assert_allclose(named, model.predict_log_proba(X), rtol=1e-12, atol=1e-12)


def test_a_column_that_says_nothing_adds_nothing() -> None:
    X, y = table(11)
    X["constant"] = "same"
    terms = forest(kinds="auto", missing="ignore").fit(X, y).explain(X).terms
    np.testing.assert_allclose(terms[:, -1] - terms[:, -1, :1], 0.0, atol=1e-12)


def test_other_priors_shift_the_odds() -> None:
    X, y = table(12)
    model = forest().fit(X, y)
    moved = model.with_priors({"in": 0.7, "mid": 0.2, "out": 0.1})
    odds = model.predict_log_proba(X) - model.model_.log_prior
    expected = odds + np.log([0.7, 0.2, 0.1])
    expected -= np.logaddexp.reduce(expected, axis=1)[:, None]
    np.testing.assert_allclose(moved.predict_log_proba(X), expected, atol=1e-12)
    assert (moved.log_likelihood(X) == model.log_likelihood(X)).all()


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_same_model_whatever_the_threads(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = table(13, rows=3000)
    first = forest(random_state=5).fit(X, y)
    monkeypatch.setattr("likely.core.threads.cores", lambda: threads)
    again = forest(random_state=5).fit(X, y)
    assert again.structure_ == first.structure_
    assert (again.predict_proba(X) == first.predict_proba(X)).all()
    assert forest(random_state=6).fit(X, y).structure_ != first.structure_


def test_columns_in_another_order_give_the_same_forest() -> None:
    X, y = table(14, rows=100)
    one, other = forest().fit(X, y), forest().fit(X[COLUMNS[::-1]], y)
    np.testing.assert_allclose(other.predict_proba(X[COLUMNS[::-1]]), one.predict_proba(X), rtol=1e-12)


def test_a_large_table_is_learnt_from_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts are those of all rows; parents and weights are learnt from every second, fourth ... row."""
    X, y = table(15, rows=2000)
    seen = []
    draw, learn = forest_members.MemberDrawing.of, forest_members.learn_weights
    monkeypatch.setattr(forest_members, "MOST_SAMPLED_ROWS", 600)
    sample = forest_members.Sample.of
    monkeypatch.setattr(
        "likely.estimators.bayes.forest.Sample",
        type("Seen", (), {"of": lambda *a: seen.append(sample(*a)) or seen[-1]}),
    )
    model = forest().fit(X, y)
    (found,) = seen
    assert found.block.rows == 500
    assert found.rows == 2000.0
    np.testing.assert_array_equal(found.block.reals[:5, 0], X["number"].to_numpy(dtype=float)[:20:4])
    assert model.model_.rows.sum() == 2000
    for one, other in pairwise(model.model_.layouts):
        assert one.stop == other.first
    assert (draw, learn) == (forest_members.MemberDrawing.of, forest_members.learn_weights)


def test_intervals_of_one_column_are_those_of_its_belief() -> None:
    """One column, one member, weight 1: log odds of counts that are Dirichlet, as drawn here by themselves."""
    X = pd.DataFrame({"word": ["a"] * 60 + ["b"] * 40 + ["a"] * 30 + ["b"] * 70})
    y = np.repeat(["no", "yes"], 100)
    told = forest(n_estimators=1, kinds={"word": "category"}).fit(X, y).structure_
    plain = told.members[0].__class__(**{**vars(told.members[0]), "weights": (1.0,)})
    structure = ForestStructure(told.columns, told.beside, told.target, (plain,))
    model = forest(kinds={"word": "category"}, structure=structure).fit(X, y)
    low, high = model.interval(pd.DataFrame({"word": ["a"]}), level=0.9)[0, 1]
    rng, base = np.random.default_rng(0), (90 + 1) / (200 + 3)
    a, b = (beta(n + 2 * base, 100 - n + 2 * (1 - base)).rvs(40_000, random_state=rng) for n in (60, 30))
    prior = beta(101, 101).rvs(40_000, random_state=rng)
    shares = prior * b / (prior * b + (1 - prior) * a)
    np.testing.assert_allclose([low, high], np.quantile(shares, [0.05, 0.95]), atol=0.015)


def test_an_interval_hangs_on_no_other_row() -> None:
    X, y = table(16)
    model = forest(normals=True).fit(X, y)
    whole = model.interval(X[:20])
    np.testing.assert_allclose(model.interval(X[7:8])[0], whole[7], rtol=1e-12)
    proba = model.predict_proba(X[:20])
    assert (whole[..., 0] <= whole[..., 1]).all()
    assert ((whole[..., 0] <= proba) & (proba <= whole[..., 1])).mean() > 0.9


def test_rows_drawn_are_like_those_learnt() -> None:
    X, y = table(17, rows=2000)
    model = forest(n_estimators=8).fit(X, y)
    drawn, classes = model.sample(6000, seed=0)
    for label in model.classes_:
        mine, theirs = X[y == label], drawn[classes == label]
        for name in ("word", "other"):
            real, made = (part[name].value_counts(normalize=True) for part in (mine, theirs))
            np.testing.assert_allclose(made.reindex(real.index).fillna(0), real, atol=0.06)
        for name in ("number", "amount"):
            assert abs(mine[name].astype(float).mean() - theirs[name].astype(float).mean()) < 0.25
            assert theirs[name].isna().any()
    whole = forest(missing="ignore").fit(X, y).sample(200, seed=0)[0]
    assert not whole.isna().any().any()


@pytest.mark.parametrize("parents", [0, 1, 2, 3])
def test_no_column_has_more_parents_than_it_may(parents: int) -> None:
    X, y = table(18, rows=300, holes=0.0)
    told = forest(max_parents=parents, n_estimators=12).fit(X, y).structure_
    most = max(len(by) for member in told.members for by in member.parents)
    assert most == min(parents, 3)


def test_classes_and_levels_that_come_later() -> None:
    X, y = table(19)
    model = forest(kinds="auto").fit(X[y != "out"], y[y != "out"])
    model.partial_fit(X[y == "out"], y[y == "out"])
    assert model.classes_.tolist() == ["in", "mid", "out"]
    same(model, forest(kinds="auto", structure=model.structure_).fit(X, y), X)


def test_a_row_that_was_never_learnt_is_told() -> None:
    X, y = table(20, holes=0.0)
    model = forest(kinds={"word": ["a", "b", "c", "d", "e"]}).fit(X, y)
    strange = X[:3].assign(word=["a", "e", "b"])
    with pytest.raises(LikelyError, match="never learnt"):
        model.leave_one_out(strange, y[:3])
    with pytest.raises(LikelyError, match="M302"):
        model.forget(strange, y[:3])


@pytest.mark.parametrize("columns", [["word"], ["number"]])
def test_one_column_one_class_one_row(columns: list[str]) -> None:
    X, y = table(21, rows=40, holes=0.0)
    assert forest(kinds="auto").fit(X[columns], y).predict_proba(X[columns]).shape == (40, 3)
    lone = forest(kinds="auto").fit(X[columns], ["only"] * 40)
    assert (lone.predict_proba(X[columns]) == 1.0).all()
    one = forest(kinds="auto").fit(X[columns][:1], ["only"])
    assert one.predict(X[columns]).tolist() == ["only"] * 40


def test_a_column_without_values_says_nothing() -> None:
    X, y = table(22)
    empty = X.assign(nothing=np.nan)
    model = forest(kinds="auto", missing="ignore").fit(empty, y)
    terms = model.explain(empty).terms
    np.testing.assert_allclose(terms[:, -1] - terms[:, -1, :1], 0.0, atol=1e-12)
    assert model.sample(5, seed=0)[0].shape == (5, 5)


def test_rows_with_texts_are_taken_and_joined() -> None:
    from likely.core.tokens import Bag, encode_texts

    texts = ["sun and sun", None, "rain", "", "a storm and rain and unknown", "sun"]
    words = {word: at for at, word in enumerate(["a", "and", "rain", "storm", "sun"])}
    whole, at = encode_texts(texts, words), np.array([4, 1, 0, 0])
    for found, expected in (
        (whole.take(at), encode_texts([texts[row] for row in at], words)),
        (Bag.joined([whole.take(np.arange(2)), whole.take(np.arange(2, 6))]), whole),
    ):
        for name, array in vars(expected).items():
            np.testing.assert_array_equal(getattr(found, name), array, err_msg=name)


def test_a_large_table_with_texts_is_learnt_from_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 900)
    told = np.where(rng.random(900) < 0.95, y, 1 - y)
    said = [f"{'rain' if label else 'sun'} and wind" for label in told]
    X = pd.DataFrame({"text": said, "number": rng.normal(y, 2.0)})
    monkeypatch.setattr(forest_members, "MOST_SAMPLED_ROWS", 300)
    model = likely.BayesForest(n_estimators=4, kinds={"text": "text", "number": "real"}).fit(X, y)
    assert model.score(X, y) > 0.9
    own = np.array([member.own_weights for member in model.structure_.members])
    assert (own[:, 0] > 0.1).all()  # every member hears the text
    assert (own[2:, 1] == 0).all()  # and half of them the density of the number


def test_a_structure_is_a_frame_of_its_arcs() -> None:
    X, y = table(23, rows=300)
    told = forest(n_estimators=6).fit(X, y).structure_
    frame = told.frame()
    assert list(frame) == ["parent", "child", "share"]
    parent, child, share = frame.iloc[0]
    often = [parent in member.parents[told.columns.index(child)] for member in told.members]
    assert frame["share"].is_monotonic_decreasing
    assert np.mean(often) == share
    assert set(told.mean_weights) == set(COLUMNS)


def described(rows: int = 240) -> tuple[pd.DataFrame, np.ndarray]:
    """Numbers that are no normals: with a long tail, counted, and with two humps."""
    rng = np.random.default_rng(12)
    y = rng.integers(0, 2, rows)
    humps = rng.normal(0.0, 1.0, rows) + rng.choice([-3.0, 3.0], rows) * np.where(y == 1, 1.0, 0.3)
    frame = {"tail": np.exp(rng.normal(1.5 * y, 1.0)), "times": rng.poisson(4.0 + 5.0 * y) * 1.0, "humps": humps}
    X = pd.DataFrame({**frame, "word": np.array(list("uv"))[(y + (rng.random(rows) < 0.3)) % 2]})
    X.loc[rng.random(rows) < 0.1, "tail"] = np.nan
    return X, y


def test_numbers_beside_the_members_have_the_density_that_loses_least() -> None:
    X, y = described()
    first = likely.BayesForest(n_estimators=3).fit(X, y)
    assert first.structure_.densities == ("log", "poisson", "parzen", "")
    assert {note.column for note in first.notes_ if note.code == "described"} == {"tail", "times", "humps"}
    told = ForestStructure.from_dict(first.structure_.to_dict())

    def given() -> likely.BayesForest:
        return likely.BayesForest(n_estimators=3, structure=told)

    np.testing.assert_allclose(given().fit(X, y).predict_proba(X), first.predict_proba(X), rtol=1e-12)
    one, other = given().fit(X[:120], y[:120]), given().fit(X[120:], y[120:])
    np.testing.assert_allclose(one.merge(other).predict_proba(X), first.predict_proba(X), rtol=1e-9)
    said = first.leave_one_out(X, y)
    for row in (0, 100):
        rest = given().fit(X.drop(index=row), np.delete(y, row))
        np.testing.assert_allclose(rest.predict_proba(X.iloc[[row]])[0], said[row], rtol=1e-9)
    stated = likely.BayesForest(n_estimators=3, kinds={"tail": "real", "humps": "real"}).fit(X, y)
    assert stated.structure_.densities == ("", "poisson", "", "")
    without = likely.BayesForest(n_estimators=3, normals=False).fit(X, y)
    assert set(without.structure_.densities) == {""}
