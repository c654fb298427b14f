"""What would change the answer does change it, and nothing nearer does: by brute force."""

from __future__ import annotations

import itertools
import json
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import likely
from likely.explanations import changes

KINDS = {"age": "real", "vote": "binary", "port": "category", "trips": "count", "pay": "parzen", "note": "text"}
SETTINGS = list(itertools.product(("bayes", "map", "mle"), ("ignore", "informative", "error")))


def table(holes: bool) -> tuple[pd.DataFrame, np.ndarray]:
    rng, rows = np.random.default_rng(11), 120
    y = rng.integers(0, 3, rows)
    vocabulary = np.array(["win", "prize", "now", "see", "you", "call", "me", "free", "later", "text"])
    frame = pd.DataFrame(
        {
            "age": rng.normal(30 + 4 * y, 4 + y),
            "vote": (rng.random(rows) < 0.3 + 0.2 * y).astype(float),
            "port": [rng.choice(["S", "C", "Q"], p=np.roll([0.6, 0.3, 0.1], c)) for c in y],
            "trips": rng.poisson(1 + 2 * y).astype(float),
            "pay": rng.gamma(2 + 2 * y, 3.0),
            "note": [" ".join(rng.choice(np.roll(vocabulary, c)[:9], rng.integers(1, 7))) for c in y],
        }
    )
    if holes:
        for name in frame.columns:
            frame.loc[rng.random(rows) < 0.1, name] = None
    return frame, np.array(["a", "b", "c"])[y]


@pytest.fixture(scope="module", params=SETTINGS, ids="-".join)
def fitted(request):
    estimate, missing = request.param
    frame, y = table(holes=missing != "error")
    return likely.NaiveBayes(kinds=KINDS, estimate=estimate, missing=missing).fit(frame, y), frame


def changed(row: pd.DataFrame, made) -> pd.DataFrame:
    row = row.copy()
    for change in made:
        row[change.name] = [change.after]
    return row


def with_values(row: pd.DataFrame, name: str, values) -> pd.DataFrame:
    rows = row.iloc[[0] * len(values)].reset_index(drop=True)
    rows[name] = list(values)
    return rows


def flips(model, rows, decided, to=None) -> np.ndarray:
    """(rows,): whether the answer is another, and not just by rounding."""
    proba, at = model.predict_proba(rows), list(model.classes_).index(decided if to is None else to)
    rest = np.delete(proba, at, axis=1).max(axis=1)
    return rest > proba[:, at] + 1e-6 if to is None else proba[:, at] > rest + 1e-6


@pytest.mark.parametrize("to", [False, True])
@pytest.mark.parametrize("row", [0, pytest.param(9, marks=pytest.mark.slow)])
def test_the_changes_are_made_and_nothing_nearer_makes_them(fitted, row, to):
    model, frame = fitted
    one = frame.iloc[[row]].reset_index(drop=True)
    (decided,) = model.predict(one)
    goal = next(level for level in model.classes_ if level != decided) if to else None
    found = changes(model, frame, row, to=goal, top=100)
    assert (found.row, found.decided, found.to) == (row, decided, goal)
    assert found.probability == pytest.approx(model.predict_proba(one).max())
    for made in [[change] for change in found.alone] + ([found.together] if found.together else []):
        after = changed(one, made)
        (becomes,) = model.predict(after)
        assert becomes == made[-1].becomes
        assert becomes != decided
        assert goal is None or becomes == goal
        assert model.predict_proba(after).max() == pytest.approx(made[-1].probability, abs=1e-9)
    by_name = {change.name: change for change in found.alone}
    for name in ("age", "trips", "pay"):
        tried = nearer(frame[name], one[name][0], by_name.get(name), whole=name == "trips")
        assert not flips(model, with_values(one, name, tried), decided, goal).any(), name
    for name in ("vote", "port"):
        levels = [level for level in sorted(frame[name].dropna().unique()) if level != one[name][0]]
        made = flips(model, with_values(one, name, levels), decided, goal)
        able = [level for level, yes in zip(levels, made, strict=True) if yes]
        assert by_name[name].after in able if able else name not in by_name
    check_text(model, one, by_name.get("note"), decided, goal)
    json.dumps(found.to_dict(), allow_nan=False)
    assert repr(found).startswith(f"row {row} is")


def nearer(column, value, change, whole) -> np.ndarray:
    """Numbers nearer than the change, or all where there is none."""
    middle, spread = column.mean(), column.std(ddof=0)
    start = value if value is not None and np.isfinite(value) else (np.rint(middle) if whole else middle)
    if whole:
        numbers = np.arange(max(0, np.floor(middle - 10 * spread)), middle + 10 * spread)
        return numbers if change is None else numbers[abs(numbers - start) < abs(change.after - start)]
    if change is not None:
        assert change.distance == pytest.approx(abs(change.after - start) / spread)
        numbers = start + abs(change.after - start) * np.linspace(-1, 1, 2001) * (1 - 1e-6)
        return numbers[abs(numbers - middle) <= max(10 * spread, abs(start - middle))]
    return np.linspace(middle - 10 * spread, middle + 10 * spread, 3001)


def check_text(model, one, change, decided, goal) -> None:
    """Every way to take words out."""
    text = one.note[0]
    words = list(dict.fromkeys(text.split())) if isinstance(text, str) else []
    for size in range(1, len(words) + 1):
        sets = [set(some) for some in itertools.combinations(words, size)]
        rows = with_values(one, "note", [" ".join(w for w in text.split() if w not in gone) for gone in sets])
        able = [gone for gone, yes in zip(sets, flips(model, rows, decided, goal), strict=True) if yes]
        if able:
            assert change is not None
            assert len(change.without) == size
            assert set(change.without) in able
            assert change.after == " ".join(w for w in text.split() if w not in change.without)
            return
    assert change is None


reals = st.lists(st.tuples(st.floats(-5, 5), st.integers(0, 2)), min_size=6, max_size=14)


@settings(max_examples=60, deadline=None)
@given(reals, st.floats(-6, 6), st.sampled_from(["bayes", "map", "mle"]), st.booleans())
def test_numbers_by_a_fine_grid(pairs, value, estimate, with_goal):
    x = np.round([[pair[0]] for pair in pairs], 3)
    y = np.array([pair[1] for pair in pairs])
    if len(set(y)) < 2:
        return
    model = likely.NaiveBayes(kinds="real", estimate=estimate).fit(x, y)
    (decided,) = model.predict([[value]])
    goal = [level for level in model.classes_ if level != decided][-1] if with_goal else None
    found = changes(model, [[value]], to=goal)
    every = np.linspace(x.min(), x.max(), 20_001)  # what was seen
    if found.alone:
        reach = abs(found.alone[0].after - value)
        assert flips(model, [[found.alone[0].after]], decided, goal)[0] or found.alone[0].probability < 0.5 + 1e-5
        (becomes,) = model.predict([[found.alone[0].after]])
        assert becomes == found.alone[0].becomes
        nearer = value + reach * np.linspace(-1, 1, 20_001) * (1 - 1e-6)
        every = nearer[(nearer >= x.min()) & (nearer <= x.max())]
    if (x % 1 == 0).all():
        every = every[every % 1 == 0]  # where all numbers are whole, so is the change
    assert not len(every) or not flips(model, every[:, None], decided, goal).any()


def printed(found) -> list[list[tuple[str, float]]]:
    """The sets of (column, number) that the words of the changes name."""
    pairs = [re.fullmatch(r"(\w+): .* -> (\S+)", str(one)).groups() for one in found.alone or found.together]
    named = [(name, float(number)) for name, number in pairs]
    return [[pair] for pair in named] if found.alone else [named] if named else []


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.floats(-5, 5), st.floats(-5, 5), st.integers(0, 2)), min_size=6, max_size=14),
    st.tuples(*[st.floats(-6, 6) | st.sampled_from([1e7, -1e12, None])] * 2),
    st.sampled_from([1.0, 1e-6, 1e9]),
    st.sampled_from([0.0, 1e3, 1e6]),
)
def test_what_is_printed_makes_the_change(rows, row, scale, away):
    """Typed in as they are printed, the numbers change the answer, to the class that is said."""
    X = np.array([[scale * (away + one), scale * two] for one, two, _ in rows])
    y = np.array([cell for _, _, cell in rows])
    if len(set(y)) < 2:
        return
    model = likely.NaiveBayes(kinds="real").fit(X, y)
    row = [None if value is None else scale * value for value in row]
    found = changes(model, [row])
    every = found.alone or found.together[-1:]
    for made, last in zip(printed(found), every, strict=True):
        after = list(row)
        for name, number in made:
            after[int(name[1:])] = number
        assert model.predict([after])[0] != found.decided
        (proba,) = model.predict_proba([after])  # of classes that are as likely, either may be said
        assert proba[list(model.classes_).index(last.becomes)] == pytest.approx(proba.max(), rel=1e-9)
    for one in found.alone + found.together:
        assert one.short == one.after or len(repr(one.short)) <= len(repr(float(one.after)))


def test_no_change_is_proposed_after_which_the_answer_is_the_same():
    X = [[1000.0, 0.0]] * 5 + [[1001.0, 0.0], [999.5, 1.0]]
    model = likely.NaiveBayes(kinds="real").fit(X, [0, 0, 0, 1, 1, 1, 1])
    found = changes(model, [[0.0, 0.0]])
    assert found.alone
    assert all(one.becomes != found.decided for one in found.alone)


@pytest.mark.parametrize("scale", [1e-6, 1e9])
def test_what_is_printed_is_never_longer_than_the_number_itself(scale):
    base = np.array([[0, 0], [1, 0], [0, 1], [1, 0], [1, 0], [0, 1], [0, 0], [0, 1]])
    model = likely.NaiveBayes(kinds="real").fit(scale * base, [0, 0, 1, 0, 1, 1, 1, 0])
    for row in ([0.0, 1.5], [10.0, 6.0], [1.5, 0.0]):
        found = changes(model, scale * np.array([row]))
        for one in found.alone + found.together:
            assert one.short == one.after or len(repr(one.short)) < len(repr(float(one.after)))


def test_a_number_far_away_is_printed_in_few_digits():
    model = likely.NaiveBayes().fit([[1.5], [2.5], [3.5], [20.5], [30.5], [40.5]], [0, 0, 0, 1, 1, 1])
    found = changes(model, [[1e7]])
    short = found.to_dict()["alone"][0]["short"]
    assert f"x0: 10000000 -> {short:g}  (0 with 0.500)" in found.words
    assert len(str(short)) <= len("14.8")
    assert model.predict([[short]])[0] == 0
    assert found.alone[0].after == pytest.approx(short, abs=1)


def test_where_all_numbers_are_whole_so_is_the_change():
    model = likely.NaiveBayes().fit([[-3], [2], [3], [20], [30], [40]], [0, 0, 0, 1, 1, 1])
    (change,) = changes(model, [[35]]).alone
    assert change.after == int(change.after)
    assert model.predict([[change.after]])[0] == 0
    assert model.predict([[change.after + 1]])[0] == 1


def test_counts_are_printed_whole():
    model = likely.NaiveBayes(kinds="count").fit([[1], [2], [30], [31]], ["a", "a", "b", "b"])
    (only,) = changes(model, [[1]]).alone
    assert str(only) == f"x0: 1 -> {int(only.after)}"


def test_the_fewest_levels_together():
    rng = np.random.default_rng(3)
    for trial in range(12):
        y = rng.integers(0, 2, 200)
        X = (rng.random((200, 5)) < 0.3 + 0.35 * y[:, None]).astype(int) + (rng.random((200, 5)) < 0.2)
        model = likely.NaiveBayes(kinds="category").fit(X, y)
        row = X[trial : trial + 1]
        (decided,) = model.predict(row)
        found = changes(model, row)
        fewest = None
        for size in range(1, 6):
            for columns in itertools.combinations(range(5), size):
                rows = np.repeat(row, 3**size, axis=0)
                rows[:, list(columns)] = list(itertools.product(range(3), repeat=size))
                if flips(model, rows, decided).any():
                    fewest = size
                    break
            if fewest:
                break
        assert fewest == (1 if found.alone else len(found.together) or None)
        for made in [[one] for one in found.alone] + [found.together]:
            after = row.copy()
            for change in made:
                after[0, int(change.name[1:])] = change.after
            assert not made or model.predict(after)[0] != decided


def test_a_level_that_changes_the_answer_is_the_commonest_that_does():
    X = [["p"]] * 9 + [["q"]] * 2 + [["r"]] * 5
    model = likely.NaiveBayes().fit(X, ["a"] * 9 + ["b"] * 7)
    (only,) = changes(model, [["p"]]).alone
    assert (only.before, only.after, only.becomes) == ("p", "r", "b")


@pytest.mark.parametrize("make", [sparse.csr_array, np.asarray])
def test_words_of_a_matrix_are_taken_out(make):
    counts = np.array([[3, 0, 1, 0], [0, 2, 0, 1], [2, 0, 0, 0], [0, 3, 1, 0]])
    model = likely.NaiveBayes(kinds="text").fit(make(counts), ["a", "b", "a", "b"])
    row = np.array([[2, 1, 1, 0]])
    found = changes(model, make(row))
    after = row.copy()
    for change in found.alone[:1] or found.together:
        assert (change.before, change.after) == (row[0, int(change.name)], 0)
        after[0, int(change.name)] = 0
    assert model.predict(make(after))[0] != found.decided


def test_a_missing_value_may_be_filled_in():
    model = likely.NaiveBayes().fit([[1.0], [2.0], [8.5], [9.5], [9.0]], ["a", "a", "b", "b", "b"])
    (filled,) = changes(model, [[None]]).alone
    assert filled.before is None
    assert model.predict([[filled.after]])[0] == filled.becomes == "a"


def test_where_nothing_helps():
    model = likely.NaiveBayes().fit([[1.0], [1.0], [1.0]], ["a", "b", "b"])
    found = changes(model, [[1.0]])
    assert (found.alone, found.together) == ((), ())
    assert "Nothing" in found.words


def test_an_impossible_row():
    model = likely.NaiveBayes(estimate="mle").fit([["x", "p"], ["y", "q"], ["y", "q"]], ["a", "b", "b"])
    found = changes(model, [["x", "q"]])
    assert found.decided == "b"
    for change in found.alone:
        row = [["x", "q"]]
        row[0][int(change.name[1])] = change.after
        assert model.predict(row)[0] == change.becomes == "a"
    assert [change.name for change in found.alone] == ["x1"]


def test_rows_in_a_file(tmp_path):
    (tmp_path / "t.csv").write_text("x,y\n1.5,a\n2.5,a\n8.5,b\n9.5,b\n")
    model = likely.fit(tmp_path / "t.csv", "y")
    assert changes(model, tmp_path / "t.csv", 2).alone[0].becomes == "a"
    with pytest.raises(likely.LikelyError, match="O362"):
        changes(model, tmp_path / "t.csv", 4)


def test_refusals():
    model = likely.NaiveBayes().fit([["sun"], ["sun"], ["rain"]], ["out", "out", "in"])
    for code, options in (("O371", {"to": "out"}), ("O110", {"to": "inn"}), ("O362", {"row": 3}), ("O368", {"top": 0})):
        with pytest.raises(likely.LikelyError, match=code):
            changes(model, [["sun"]], **options)
    with pytest.raises(likely.LikelyError, match="O365"):
        changes(likely.NaiveBayes().fit([["sun"]], ["out"]), [["sun"]])


def test_many_columns_in_bounded_time():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 784)), np.arange(200) % 10
    X += 0.2 * y[:, None]
    model = likely.NaiveBayes(kinds="real").fit(X, y)
    found = changes(model, X, 5)
    after = X[5:6].copy()
    for change in found.alone[:1] or found.together:
        after[0, int(change.name[1:])] = change.after
    assert model.predict(after)[0] != found.decided


NUMBERS = {
    "naive": likely.NaiveBayes(),
    "parzen": likely.NaiveBayes(kinds="parzen"),
    "tan": likely.TAN(),
    "kdb": likely.KDB(k=1),
    "aode": likely.AODE(),
    "qda": likely.GaussianBayes("full"),
    "windows": likely.ParzenBayes(),
    "logistic": likely.LogisticRegression(),
    "tree": likely.DecisionTree(),
    "adaboost": likely.AdaBoost(n_estimators=10),
    "bagging": likely.Bagging(n_estimators=5, random_state=0),
    "network": likely.NetworkClassifier(),
}


def test_the_other_side_is_tried_where_one_is_beyond_the_range():
    """The density of high numbers is the wider: below -3.3 the answer is 'high' too, but no such number is."""
    x = np.concatenate([np.linspace(0, 7.4, 100), np.linspace(7.5, 20, 95), [100, 120, 150, 180, 200]])
    model = likely.NaiveBayes(kinds="real").fit(x[:, None], np.where(x >= 7.5, "high", "low"))
    (nearest,) = changes(model, [[0.5]], within={"x0": (-99.0, 200.0)}).alone
    assert nearest.after < 0
    for within in (None, {"x0": (0.0, 200.0)}):  # what was seen, and what is said
        (change,) = changes(model, [[0.5]], within=within).alone
        assert change.becomes == "high"
        assert 7.5 < change.after < 20


@pytest.mark.parametrize("name", NUMBERS)
def test_the_nearest_number_within_a_range_by_a_fine_grid(name):
    """Whatever the model: if a number of the range makes the change, the nearest such number is told."""
    rng = np.random.default_rng(5)
    y = np.arange(90) % 3
    X = np.column_stack([np.exp(rng.normal(y - 1, 0.7)), rng.normal(np.abs(y - 1), 0.6)]).round(2)
    model = NUMBERS[name].fit(X, y)
    told = 0
    for row, (low, high) in itertools.product((0, 1), ((0.0, 200.0), (0.3, 2.0), (1.0, 1.01))):
        one = X[[row]]
        (decided,) = model.predict(one)
        found = {change.name: change for change in changes(model, one, within={"x0": (low, high)}, top=9).alone}
        start, change = one[0, 0], found.get("x0")
        grid = np.linspace(low, high, 4001)
        rows = np.column_stack([grid, np.full(len(grid), one[0, 1])])
        made = flips(model, rows, decided)
        if change is None:
            assert not made.any(), (row, low, high)
            continue
        told += 1
        for number in (change.after, change.after if change.short is None else change.short):
            assert low <= number <= high
            assert model.predict([[number, one[0, 1]]])[0] == change.becomes != decided
        assert not made[np.abs(grid - start) < abs(change.after - start) * (1 - 1e-9)].any(), (row, low, high)
    assert told
