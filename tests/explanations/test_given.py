"""Models whose columns depend on each other: what each term is given, and what can be said of such models at all."""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

import likely
from likely.errors import OptionError
from likely.explanations import axis, changes, nomogram, profile, words

KINDS = {"age": "real", "port": "category", "deck": "category", "trips": "count", "pay": "parzen", "note": "text"}
CUTS = {"age": (28.0, 36.0), "trips": (2.0,), "pay": ()}
COMMON = {"kinds": KINDS, "cuts": CUTS, "numbers": "density"}
MODELS = {
    "SPODE": likely.SPODE(parent="age", **COMMON),
    "TAN": likely.TAN(**COMMON),
    "KDB": likely.KDB(k=2, **COMMON),
    "AODE": likely.AODE(**COMMON),
    "AnDE": likely.AnDE(order=2, **COMMON),
    "levels": likely.TAN(kinds=KINDS, cuts=CUTS, numbers="levels"),
}


def table(rows: int = 150) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(5)
    y = rng.integers(0, 3, rows)
    deck = rng.choice(["low", "high"], rows)
    words = np.array(["win", "prize", "now", "see", "you", "call", "me", "free"])
    frame = pd.DataFrame(
        {
            "age": rng.normal(30 + 4 * y, 4 + y),
            "port": [rng.choice(["S", "C", "Q"], p=np.roll([0.6, 0.3, 0.1], c)) for c in y + (deck == "low")],
            "deck": deck,
            "trips": rng.poisson(1 + 2 * y).astype(float),
            "pay": rng.gamma(2 + 2 * y, 3.0),
            "note": [" ".join(rng.choice(np.roll(words, c)[:6], rng.integers(1, 7))) for c in y],
        }
    )
    for name in frame.columns:
        frame.loc[rng.random(rows) < 0.08, name] = None
    return frame, np.array(["a", "b", "c"])[y]


@pytest.fixture(scope="module", params=MODELS)
def fitted(request: Any) -> tuple[Any, pd.DataFrame]:
    frame, y = table()
    return MODELS[request.param].fit(frame, y), frame


def part(frame: pd.DataFrame, row: int, name: str) -> str:
    """A parent's value in words, from the frame itself."""
    value = frame[name].iloc[row]
    if pd.isna(value):
        return f"{name} unknown"
    if name not in CUTS:
        return f"{name}={value}"
    low = max((edge for edge in CUTS[name] if value > edge), default=None)
    high = min((edge for edge in CUTS[name] if value <= edge), default=None)
    if low is None or high is None:
        return f"{name}<={high:g}" if low is None else f"{name}>{low:g}"
    return f"{low:g}<{name}<={high:g}"


@pytest.mark.parametrize("name", ["SPODE", "TAN", "KDB", "levels"])
def test_the_parents_of_every_value_are_named(name: str) -> None:
    frame, y = table()
    model = MODELS[name].fit(frame, y)
    why = model.explain(frame)
    assert why.given is not None
    assert why.given.shape == frame.shape
    seen = set()
    for (at, column), row in itertools.product(enumerate(frame.columns), range(len(frame))):
        parents = model.structure_.parents[at]
        wanted = ", ".join(part(frame, row, parent) for parent in parents) or None
        if pd.isna(frame[column].iloc[row]):
            wanted = None
        assert why.given[row, at] == wanted
        seen.add(wanted)
    assert len(seen) > 3  # the test has looked at something


def test_terms_still_add_up(fitted: tuple[Any, pd.DataFrame]) -> None:
    model, frame = fitted
    why = model.explain(frame)
    assert why.terms.shape == (len(frame), 7, 3)
    np.testing.assert_allclose(why.proba, model.predict_proba(frame), rtol=0, atol=1e-12)


def test_an_average_names_the_parent_that_carries_most() -> None:
    """With two members, the shares are those of the two SPODEs, which are models of their own."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 3, (80, 2)), columns=["p", "q"])
    y = (frame["p"] == frame["q"]).to_numpy()
    model = likely.AODE(kinds="category").fit(frame, y)
    given, best = model.explain(frame).given, model.predict(frame).astype(int)
    each = np.stack(
        [likely.SPODE(parent=name, kinds="category").fit(frame, y).log_likelihood(frame) for name in frame.columns]
    )[:, np.arange(80), best]
    share = np.exp(each - np.logaddexp(*each))
    for row in range(80):
        first = int(share[:, row].argmax())
        name = frame.columns[first]
        how = "mostly" if share[first, row] >= 0.5 else "partly"
        assert given[row, 1 - first] == f"{how} {name}={frame[name][row]} ({round(100 * share[first, row])} %)"
        assert given[row, first] is None


def test_a_row_that_no_super_parent_supports_is_given_nothing() -> None:
    X = [["a", "x"], ["b", "y"]] * 10
    why = likely.AODE(kinds="category", min_support=11).fit(X, ["no", "yes"] * 10).explain([["a", "y"]])
    assert why.given.tolist() == [[None, None]]


def test_naive_bayes_is_given_nothing() -> None:
    why = likely.NaiveBayes().fit([["a", 1.0], ["b", 2.0]], ["no", "yes"]).explain([["a", 1.0]])
    assert why.given is None
    assert "given" not in why.to_dict()["terms"][1]


def test_what_is_given_is_shown_wherever_terms_are() -> None:
    X = pd.DataFrame({"navel": ["sunken", "flat"] * 10, "sugar": np.linspace(0, 1, 20)})
    model = likely.SPODE(parent="navel").fit(X, ["good", "bad", "good", "good"] * 5)
    why = model.explain(X[:1])
    assert "sugar = 0 given navel=sunken" in repr(why)
    assert ("sugar", "0 given navel=sunken") in [reason[:2] for reason in why.reasons()]
    terms = {term["name"]: term for term in json.loads(json.dumps(why.to_dict()))["terms"]}
    assert terms["sugar"]["value"] == "0"
    assert terms["sugar"]["given"] == "navel=sunken"
    assert terms["navel"]["given"] is None
    labels = [label.get_text() for label in why.plot().axes[0].get_yticklabels()]
    assert "sugar = 0 given navel=sunken" in labels


def test_words_keep_what_other_columns_are_given(fitted: tuple[Any, pd.DataFrame]) -> None:
    model, frame = fitted
    told, why = words(model, frame, 3), model.explain(frame.iloc[3:4])
    np.testing.assert_allclose(told.joint, why.joint, rtol=0, atol=1e-10)
    assert [told.given_at(0, at) for at in range(1, 6)] == [why.given_at(0, at) for at in range(1, 6)]
    assert all(not told.given_at(0, at) for at in range(6, len(told.names)))


@pytest.mark.parametrize("name", ["TAN", "AODE"])
def test_a_profile_is_that_of_naive_bayes(name: str) -> None:
    model = MODELS[name].fit(*table())
    naive = likely.NaiveBayes(kinds=KINDS).fit(*table())
    assert profile(model).to_dict() == profile(naive).to_dict()


def test_what_needs_independent_columns_is_refused(fitted: tuple[Any, pd.DataFrame]) -> None:
    model, _ = fitted
    for ask in (lambda: nomogram(model), lambda: axis(model, "age")):
        with pytest.raises(OptionError, match=type(model).__name__) as error:
            ask()
        assert error.value.code == "O373"


def moved(row: pd.DataFrame, made: Any) -> pd.DataFrame:
    row = row.copy()
    for change in made:
        row[change.name] = [change.after]
    return row


@pytest.mark.parametrize("to", [None, "b"])
def test_what_would_change_the_answer_does(fitted: tuple[Any, pd.DataFrame], to: str | None) -> None:
    model, frame = fitted
    for row in range(3):
        if model.predict(frame.iloc[row : row + 1])[0] == to:
            continue
        found = changes(model, frame, row, to=to, top=9)
        one = frame.iloc[row : row + 1].reset_index(drop=True)
        assert found.alone or found.together
        for made in [*([change] for change in found.alone), found.together]:
            if made:
                after = moved(one, made)
                proba = model.predict_proba(after)[0]
                assert model.classes_[proba.argmax()] == made[-1].becomes != found.decided
                assert to is None or made[-1].becomes == to
                assert proba.max() == pytest.approx(made[-1].probability, abs=1e-9)


def test_no_nearer_value_changes_the_answer(fitted: tuple[Any, pd.DataFrame]) -> None:
    model, frame = fitted
    looked = 0
    for row in range(4):
        one = frame.iloc[row : row + 1].reset_index(drop=True)
        found = changes(model, frame, row, top=9)
        alone = {change.name: change for change in found.alone}
        for name in ("age", "pay"):
            start = one[name][0]
            if pd.isna(start) or model.model_.schema.columns[frame.columns.get_loc(name)].kind == "cut":
                continue
            reach = 10 * frame[name].std(ddof=0)
            far = alone[name].distance * frame[name].std(ddof=0) if name in alone else reach
            near = np.linspace(start - far, start + far, 203)[1:-1] if name in alone else np.linspace(-50, 90, 201)
            tried = pd.concat([one] * len(near), ignore_index=True)
            tried[name] = near
            inside = (near >= frame[name].min()) & (near <= frame[name].max())
            assert (model.predict(tried)[inside] == found.decided).all()
            looked += name in alone
        if "deck" not in alone and one["deck"][0] is not None:
            other = one.assign(deck="low" if one["deck"][0] == "high" else "high")
            assert model.predict(other)[0] == found.decided
    assert looked


def test_a_change_just_beyond_a_cut_is_found() -> None:
    """The class is whether the two columns are alike, and a number is like a level by the part that it is in."""
    rng = np.random.default_rng(1)
    x = rng.uniform(0, 1, 400)
    sign = rng.choice(["low", "high"], 400)
    y = (x > 0.5) == (sign == "high")
    model = likely.SPODE(parent="x", cuts={"x": (0.5,)}, numbers="density").fit(pd.DataFrame({"x": x, "sign": sign}), y)
    found = changes(model, pd.DataFrame({"x": [0.4], "sign": ["low"]}))
    after = {change.name: change.after for change in found.alone}
    assert after["sign"] == "high"
    assert 0.5 < after["x"] < 0.5 + 1e-9


@pytest.mark.parametrize("start", [0.1, 0.4, 0.8, 0.99])
def test_a_number_that_speaks_by_its_part_moves_to_the_nearest_part_that_does_it(start: float) -> None:
    """Of five parts the middle three are good: below and above is bad."""
    rng = np.random.default_rng(1)
    x = rng.uniform(0, 1, 500)
    y = (x > 0.2) & (x <= 0.8)
    cuts = (0.2, 0.4, 0.6, 0.8)
    model = likely.SPODE(cuts={"x": cuts}, numbers="levels", parent="z").fit(
        pd.DataFrame({"x": x, "z": rng.choice(["p", "q"], 500)}), y
    )
    (change,) = changes(model, pd.DataFrame({"x": [start], "z": ["p"]})).alone
    goal, parts = {0.1: (0.2, 1), 0.4: (0.2, 1), 0.8: (0.8, 1), 0.99: (0.8, 1)}[start]
    assert change.after == pytest.approx(goal, abs=1e-3)
    assert change.distance == parts
    assert model.predict(pd.DataFrame({"x": [change.after], "z": ["p"]}))[0] != model.predict(
        pd.DataFrame({"x": [start], "z": ["p"]})
    )
    assert "'" not in str(change)
