"""Rows are judged by models of other groups, of the past, or of what a splitter says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GroupKFold, KFold, LeaveOneGroupOut, ShuffleSplit, TimeSeriesSplit

import likely
from likely.data.files.source import file_source
from likely.errors import LikelyError, SchemaWarning
from likely.evaluation import compare, cross_validate, evaluate, recalibrate
from likely.evaluation.folds.splits import Splits, group_codes, group_folds, held_share, time_ranks, time_splits
from likely.evaluation.predictions import Predictions
from likely.evaluation.skill import skill_of_classes

Table = tuple[np.ndarray, np.ndarray, np.ndarray]


@pytest.fixture(scope="module")
def customers() -> Table:
    """Forty customers of five rows or so: each has a number of its own and a class that has nothing to do with it."""
    rng = np.random.default_rng(0)
    who = np.sort(rng.integers(0, 40, 200))
    x = (np.arange(40) * 1.0)[who] + rng.normal(0, 0.01, 200)
    return np.c_[x, rng.normal(size=200)], np.where(rng.random(40) < 0.5, "yes", "no")[who], who


def refits(X: Any, y: Any, pairs: Any) -> tuple[np.ndarray, np.ndarray]:
    """(judged,) places and log probabilities by plain refits."""
    at, said = [], []
    for learnt, held in pairs:
        at.append(held)
        said.append(likely.NaiveBayes(kinds="real").fit(X[learnt], y[learnt]).predict_log_proba(X[held]))
    order = np.argsort(np.concatenate(at), kind="stable")
    return np.concatenate(at)[order], np.concatenate(said)[order]


def test_no_model_has_learnt_a_row_of_a_group_that_it_judges(customers: Table) -> None:
    X, y, who = customers
    found = cross_validate(likely.NaiveBayes(kinds="real"), X, y, 5, groups=who)
    assert all(len(set(found.fold[who == one])) == 1 for one in np.unique(who))
    assert found.method == "subtraction"
    pairs = [(np.flatnonzero(found.fold != part), np.flatnonzero(found.fold == part)) for part in range(5)]
    np.testing.assert_allclose(found.log_proba, refits(X, y, pairs)[1], rtol=1e-6)
    sizes = np.bincount(found.fold)
    assert sizes.max() - sizes.min() <= np.bincount(who).max()


def test_a_splitter_of_groups_is_as_folds_that_it_gives(customers: Table) -> None:
    X, y, who = customers
    found = cross_validate(likely.NaiveBayes(kinds="real"), X, y, cv=GroupKFold(4), groups=who)
    fold = np.empty(len(y), dtype=int)
    for part, (_, held) in enumerate(GroupKFold(4).split(X, y, who)):
        fold[held] = part
    same = cross_validate(likely.NaiveBayes(kinds="real"), X, y, folds=fold)
    assert found.method == "subtraction"
    np.testing.assert_array_equal(found.log_proba, same.log_proba)
    one = compare({"a": likely.NaiveBayes()}, X, y, cv=GroupKFold(4), groups=who)
    assert one["a"].mean("log_loss") == compare({"a": likely.NaiveBayes()}, X, y, fold)["a"].mean("log_loss")


@pytest.mark.parametrize("cv", [TimeSeriesSplit(4), ShuffleSplit(3, random_state=0), KFold(3)], ids=str)
def test_any_splitter_is_as_plain_refits(customers: Table, cv: Any) -> None:
    X, y, _ = customers
    shuffled = np.random.default_rng(1).permutation(len(y))
    X, y = X[shuffled], y[shuffled]
    found = cross_validate(likely.NaiveBayes(kinds="real"), X, y, cv=cv)
    at, said = refits(X, y, cv.split(X, y))
    np.testing.assert_array_equal(at, np.arange(len(y)) if found.at is None else found.at)
    np.testing.assert_allclose(found.log_proba, said, rtol=1e-6)
    np.testing.assert_array_equal(found.y, y[at])
    assert found.evaluate().rows == len(at)
    pairs = list(cv.split(X, y))
    np.testing.assert_allclose(
        cross_validate(likely.NaiveBayes(kinds="real"), X, y, cv=pairs).log_proba, found.log_proba
    )
    scores = compare({"naive": likely.NaiveBayes(kinds="real")}, X, y, cv=cv)["naive"]
    np.testing.assert_allclose(scores.log_loss, found.scores()["log_loss"])
    assert np.isfinite(scores.auc).all()


def test_time_goes_forward_and_equal_times_stay_together() -> None:
    rng = np.random.default_rng(2)
    days = rng.integers(0, 30, 300)
    times = (np.datetime64("2026-01-01") + days).astype("datetime64[ns]")
    ranks = time_ranks(times, 300)
    np.testing.assert_array_equal(ranks, np.unique(days, return_inverse=True)[1])
    splits = time_splits(ranks, 5)
    for held, learnt in zip(splits.held, splits.learnt or (), strict=True):
        assert days[learnt].max() < days[held].min()
    np.testing.assert_array_equal(splits.at, np.flatnonzero(np.isin(days, days[np.concatenate(splits.held)])))
    assert max(map(len, splits.held)) < 2 * min(map(len, splits.held))
    words = pd.Series(times).dt.strftime("%Y-%m-%d")
    np.testing.assert_array_equal(time_ranks(words, 300), ranks)
    assert time_ranks(np.array(["2026-01-02", "NaT"], dtype="datetime64[ns]"), 2).tolist() == [0, -1]


def test_times_are_put_in_order_however_they_are_written() -> None:
    for earlier, later in (
        ("2026-03-01T09:00", "2026-03-01 14:30"),
        ("2026-10-25T02:30+02:00", "2026-10-25T02:15+01:00"),  # clocks are put back
        ("2026-03-01 23:00:00Z", " 2026-03-02"),
        ("2025", "2025-07"),
        ("2025-12-31 23:59:59.5", "2026"),
    ):
        assert time_ranks([later, earlier, later], 3).tolist() == [1, 0, 1]
    assert time_ranks(["2026-01-01", "0001-01-01T00:00+05:00"], 2).tolist() == [1, 0]
    assert time_ranks(["2026-03-01T00:00+00:00", "2026-03-01", "2026-03"], 3).tolist() == [0, 0, 0]
    for odd in ("2026-13-01", "2026-02-30", "March"):
        with pytest.raises(likely.LikelyError, match="D135"):
            time_ranks([odd, "2026-01-01"], 2)


@pytest.mark.parametrize(
    "layout",
    ["%d.%m.%Y", "%m/%d/%Y", "%d %B %Y", "%Y%m%d", "%d-%b-%y", "%Y年%m月%d日", "%d/%m/%Y %H:%M", "%b %d, %Y %I:%M %p"],
)
def test_times_as_text_are_read_as_those_of_a_file(layout: str, tmp_path: Path) -> None:
    days = pd.date_range("2024-02-03", periods=60, freq="31h" if "M" in layout[3:] else "3D")
    words = [*days.strftime(layout), ""]
    file = tmp_path / "t.csv"
    pd.DataFrame({"when": words, "n": range(61)}).to_csv(file, index=False)
    (column,) = (batch.column("when") for batch in file_source(str(file), None).read() if batch.num_rows)
    ranks = time_ranks(words, 61)
    np.testing.assert_array_equal(ranks, time_ranks(column.to_pylist(), 61))
    assert ranks.tolist() == [*range(60), -1]


def test_slips_and_doubts_among_times_are_told() -> None:
    days = [f"{day:02}.03.2026" for day in range(1, 31)]
    with pytest.warns(SchemaWarning, match="times=.*1 cell is taken as missing: 'soon' in row 30"):
        assert time_ranks([*days, "soon"], 31).tolist() == [*range(30), -1]
    with pytest.warns(SchemaWarning, match="times= is read as dates .*m/d/y would fit as well"):
        assert time_ranks([f"{day:02}/{1 + day % 12:02}/2026" for day in range(1, 13)], 12).argmin() == 11
    assert time_ranks(["10", "9", "100"], 3).tolist() == [1, 0, 2]


def test_rows_without_a_time_neither_teach_nor_are_judged_and_those_without_a_group_stand_alone() -> None:
    splits = time_splits(time_ranks([3.0, None, 1.0, 2.0, float("nan")], 5), 2)
    assert [part.tolist() for part in splits.held] == [[3], [0]]
    assert [part.tolist() for part in splits.learnt or ()] == [[2], [2, 3]]
    assert len(np.unique(group_codes(["a", None, "a", None], 4))) == 3


def test_groups_and_times_together_learn_from_earlier_rows_of_others(customers: Table) -> None:
    X, y, who = customers
    times = np.random.default_rng(3).permutation(len(y))
    found = cross_validate(likely.NaiveBayes(kinds="real"), X, y, 3, groups=who, times=times)
    assert found.at is not None
    assert len(found.at) == 150
    later = time_splits(times, 3)
    kept = later.apart_from(who)
    for part, learnt in enumerate(kept.learnt or ()):
        assert not set(who[learnt]) & set(who[kept.held[part]])
        assert set(learnt) == {row for row in later.taught(part) if who[row] not in set(who[kept.held[part]])}


@pytest.mark.parametrize("groups", [None, np.repeat(np.arange(25), 4)])
def test_a_share_is_held_out(groups: Any) -> None:
    codes = np.repeat([0, 1], [80, 20])
    splits = held_share(codes, 0.2, 0, groups)
    assert len(splits.held[0]) == 20
    if groups is None:
        assert np.bincount(codes[splits.held[0]]).tolist() == [16, 4]
    else:
        assert not set(groups[splits.held[0]]) & set(groups[splits.taught(0)])
    last = held_share(codes, 0.2, 0, None, np.arange(100)[::-1])
    assert last.held[0].tolist() == list(range(20))
    assert last.taught(0).tolist() == list(range(20, 100))


def test_regression_and_learners_of_scikit_learn_are_split_alike() -> None:
    rng = np.random.default_rng(4)
    X, who = rng.normal(size=(60, 2)), np.repeat(np.arange(12), 5)
    y = X @ [1.0, 2.0] + rng.normal(size=60)
    found: Any = cross_validate(likely.LinearRegression(), X, y, 4, groups=who)
    other: Any = cross_validate(LinearRegression(), X, y, 4, groups=who)
    np.testing.assert_allclose(found.predicted, other.predicted, rtol=1e-6)
    assert compare({"a": LinearRegression()}, X, y, cv=LeaveOneGroupOut(), groups=who).folds == 12


def test_maps_are_learnt_from_groups_that_the_models_have_not_seen(customers: Table) -> None:
    X, y, who = customers
    model = likely.NaiveBayes(kinds={0: "parzen"}).fit(X, y)
    flattered, fair = recalibrate(model, X, y, "temperature"), recalibrate(model, X, y, "temperature", groups=who)
    assert fair.before > flattered.before
    assert fair.source == "10-fold cross-validation"
    expected = cross_validate(model, X, y, 10, groups=who).evaluate().log_loss
    assert fair.before == pytest.approx(expected)


@pytest.mark.parametrize(
    ("code", "options"),
    [
        ("O341", {"groups": [1, 1, 2, 2], "folds": 3}),
        ("O702", {"groups": [1, 1, 1, 1], "folds": 2}),
        ("O702", {"times": [1, 1, 1, 1], "folds": 1}),
        ("O341", {"times": [1, 2, 2, 1], "folds": 2}),
        ("O701", {"times": [1, 2, 3, 4], "cv": KFold(2)}),
        ("O701", {"groups": [1, 2, 3, 4], "folds": [0, 1, 0, 1]}),
        ("O703", {"cv": "five"}),
        ("O703", {"cv": GroupKFold(2)}),
        ("O703", {"cv": [([0, 1], [9])]}),
        ("O704", {"cv": [([], [0])]}),
        ("O704", {"times": [1, 2, 3, 4], "groups": [1, 1, 1, 1], "folds": 1}),
        ("D135", {"times": ["March", "April", "May", "June"]}),
        ("D135", {"times": [1, "2026-01-01", 2, 3]}),
        ("D126", {"groups": [1, 2]}),
    ],
)
def test_splits_that_cannot_be_are_refused(code: str, options: dict[str, Any]) -> None:
    with pytest.raises(LikelyError) as caught:
        cross_validate(likely.NaiveBayes(), [[1.0], [2.0], [3.0], [4.0]], list("abab"), **options)
    assert caught.value.code == code


def test_splitters_are_not_repeated_and_one_class_is_no_contest() -> None:
    X, y = [[1.0], [2.0], [3.0], [4.0]], list("abab")
    for code, labels, options in (("O370", y, {"cv": KFold(2), "repeats": 2}), ("D136", list("aaaa"), {"folds": 2})):
        with pytest.raises(LikelyError) as caught:
            compare({"a": likely.NaiveBayes()}, X, labels, **options)
        assert caught.value.code == code
    with pytest.raises(LikelyError, match="D136"):
        cross_validate(likely.NaiveBayes(), X, list("aaaa"), 2)


def test_folds_numbered_are_splits() -> None:
    fold = np.array([1, 0, 2, 1])
    splits = Splits.of(fold)
    assert [part.tolist() for part in splits.held] == [[1], [0, 3], [2]]
    assert splits.fold.tolist() == fold.tolist()
    assert splits.taught(1).tolist() == [1, 2]
    assert group_folds(np.array([0, 1, 2, 3]), 4).max() == 3


def test_skill_is_what_is_saved_of_the_loss_of_the_shares() -> None:
    y, proba = np.array([0] * 9 + [1]), np.tile([0.9, 0.1], (10, 1))
    shares = np.log([0.9, 0.1])
    assert skill_of_classes(Predictions.read(y, proba, [0, 1]), shares).skill == 0.0
    better = proba.copy()
    better[9] = [0.4, 0.6]
    found = skill_of_classes(Predictions.read(y, better, [0, 1]), shares)
    entropy = -(0.9 * np.log(0.9) + 0.1 * np.log(0.1))
    loss = -(9 * np.log(0.9) + np.log(0.6)) / 10
    assert found.skill == pytest.approx(1 - loss / entropy)
    assert (found.positive, found.scores["average_precision"], found.scores["recall"]) == (1, 1.0, 1.0)
    assert found.baseline["average_precision"] == pytest.approx(0.1)
    assert "90.0% of the rows are 0" in found.flattery
    report = evaluate(y, better, [0, 1])
    assert report.skill == pytest.approx(found.skill)
    assert report.baseline == {"accuracy": 0.9, "log_loss": pytest.approx(entropy)}
    assert str(report).index("average precision") < str(report).index("recall") < str(report).index("accuracy")
    assert any("accuracy flatters" in note for note in report.notes)
    even = evaluate([0, 1], [[0.6, 0.4], [0.4, 0.6]], [0, 1])
    assert not even.notes
    assert str(even).index("accuracy") < str(even).index("average precision")


@pytest.mark.parametrize(
    "model",
    [
        likely.NaiveBayes(priors={"no": 0.4, "yes": 0.6}),
        likely.TAN(priors=[0.4, 0.6]),
        likely.NetworkClassifier(class_weight={"yes": 5}),
        likely.LogisticRegression(class_weight={"yes": 5, "no": 1}),
        LogisticRegression(class_weight={"yes": 5, "no": 1}),
    ],
    ids=["priors", "one-a-class", "weights", "logistic", "scikit-learn"],
)
def test_what_is_said_of_a_class_that_a_fold_never_learnt(model: Any) -> None:
    """The first rows are of one class: models of these alone have no priors and no weights of the other."""
    rng = np.random.default_rng(0)
    y = np.append(np.repeat("no", 18), rng.choice(["no", "yes"], 72))
    X = rng.normal(size=(90, 2)) + (y == "yes")[:, None]
    if "sklearn" in type(model).__module__:  # it refuses a class alone
        y[:10] = "may"
    found = cross_validate(model, X, y, 5, times=np.arange(90))
    assert found.unlearnt == ("yes",)
    later = found.fold > 0
    assert np.isfinite(found.log_proba[later, -1]).all()
    taught, held = np.arange(75), np.arange(75, 90)  # the last block, whose model has all the classes
    alone = clone(model).fit(X[taught], y[taught])
    np.testing.assert_allclose(found.proba[found.fold == 4], alone.predict_proba(X[held]), atol=1e-9)
    with pytest.raises(LikelyError, match="'yess' is not a class"):
        cross_validate(likely.NaiveBayes(priors={"no": 0.4, "yess": 0.6}), X, y, 5, times=np.arange(90))
