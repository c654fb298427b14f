"""Axes, words and nomograms carry the very terms of the prediction."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import likely
from likely.explanations import Explanation, axis, nomogram, profile, words
from likely.output.display_width import display_width

ROWS = 90
KINDS = {"age": "real", "vote": "binary", "port": "category", "trips": "count", "pay": "parzen", "note": "text"}
SETTINGS = list(itertools.product(("bayes", "map", "mle"), ("ignore", "informative", "error")))


def table(holes: bool) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(7)
    y = rng.integers(0, 3, ROWS)
    vocabulary = np.array(["win", "prize", "now", "see", "you", "call", "me", "free", "later", "text"])
    frame = pd.DataFrame(
        {
            "age": rng.normal(30 + 5 * y, 4 + y),
            "vote": rng.integers(0, 2, ROWS).astype(float),
            "port": rng.choice(["S", "C", "Q"], ROWS),
            "trips": rng.poisson(1 + 2 * y).astype(float),
            "pay": rng.gamma(2 + y, 3.0),
            "note": [" ".join(rng.choice(vocabulary, rng.integers(1, 7))) for _ in range(ROWS)],
        }
    )
    if holes:
        for name in frame.columns:
            frame.loc[rng.random(ROWS) < 0.1, name] = None
    return frame, np.array(["a", "b", "c"])[y]


@pytest.fixture(scope="module", params=SETTINGS, ids="-".join)
def fitted(request):
    estimate, missing = request.param
    frame, y = table(holes=missing != "error")
    return likely.NaiveBayes(kinds=KINDS, estimate=estimate, missing=missing).fit(frame, y), frame


def filled(frame: pd.DataFrame, name: str, values) -> pd.DataFrame:
    """One full row again and again, with these values in one column."""
    rows = frame.dropna().iloc[[0] * len(values)].reset_index(drop=True)
    rows[name] = list(values)
    return rows


def same(left, right) -> None:
    np.testing.assert_allclose(left, right, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", list(KINDS))
def test_axis_terms_are_those_of_the_explanation(fitted, name):
    model, frame = fitted
    found = axis(model, name, points=33)
    why = model.explain(filled(frame, name, found.values))
    assert (found.name, found.kind, found.classes) == (name, KINDS[name], ("a", "b", "c"))
    same(found.terms, why.terms[:, why.names.index(name)])
    if model.missing != "error":
        gone = model.explain(filled(frame, name, [None]))
        same(found.missing, gone.terms[0, gone.names.index(name)])
    json.dumps(found.to_dict(), allow_nan=False)


def test_the_numbers_of_an_axis(fitted):
    model, frame = fitted
    ages = axis(model, "age").values
    reach = frame.age.mean() + 3 * frame.age.std(ddof=0) * np.array([-1, 1])
    low, high = max(frame.age.min(), reach[0]), min(frame.age.max(), reach[1])
    same([ages[0], ages[64], ages[-1]], [low, (low + high) / 2, high])
    trips = axis(model, "trips").values
    assert (trips == np.arange(trips[0], trips[-1] + 1)).all()
    assert trips[0] >= frame.trips.min()
    assert trips[-1] == min(frame.trips.max(), np.floor(frame.trips.mean() + 3 * frame.trips.std(ddof=0)))
    assert len(axis(model, "pay", points=5).values) == 5
    same(axis(model, 0).terms, axis(model, "age").terms)


def test_how_far_numbers_went_is_kept_joined_and_forgotten(tmp_path):
    X, y = np.array([[1.5], [2.5], [4.5], [9.5]]), np.array(["n", "y", "n", "y"])
    first, second = (likely.NaiveBayes().fit(X[at], y[at]) for at in ([0, 1], [2, 3]))
    whole = likely.NaiveBayes().fit(X, y)
    ends = [model.model_.schema.columns[0].span for model in (first, second, whole, first.merge(second))]
    assert ends == [(1.5, 2.5), (4.5, 9.5), (1.5, 9.5), (1.5, 9.5)]
    whole.save(tmp_path / "m.likely")
    again = likely.load(tmp_path / "m.likely")
    assert again.model_.schema.columns[0].span == (1.5, 9.5)
    assert again.partial_fit([[11.5]], ["n"]).model_.schema.columns[0].span == (1.5, 11.5)
    assert again.forget([[11.5]], ["n"]).model_.schema.columns[0].span is None


def test_whole_numbers_stand_at_whole_numbers():
    model = likely.NaiveBayes(descriptions="normal").fit(np.arange(12.0)[:, None] * 3, list("ny") * 6)
    assert (axis(model, "x0").values % 1 == 0).all()


@pytest.mark.parametrize("for_", ["a", "b"])
def test_nomogram_points_are_the_log_odds_moved_and_scaled(fitted, for_):
    model, frame = fitted
    chart = nomogram(model, for_, "c")
    widest = max(np.ptp(c.points[np.isfinite(c.points)]) for c in chart.columns if c.kind != "text")
    assert widest <= 100 + 1e-9
    for column in chart.columns:
        why = model.explain(filled(frame, column.name, column.values))
        at = why.names.index(column.name)
        odds = why.log_odds(for_, "c")[:, at]
        same(column.points * chart.unit + chart.lowest[at - 1], odds)
        if column.kind != "text":
            assert column.points[np.isfinite(column.points)].min() == 0
    why = model.explain(frame)
    pro, con = (why.joint[:, why.classes.index(level)] for level in (for_, "c"))
    with np.errstate(invalid="ignore"):
        odds = pro - con
    known = ~np.isnan(odds)
    share = 1 / (1 + np.exp(-odds[known]))
    np.testing.assert_allclose(chart.probability(chart.score(why))[known], share, rtol=1e-9, atol=1e-12)
    assert chart.probability(chart.totals) == pytest.approx(chart.probabilities)
    same(chart.score(why.terms[0]), chart.score(why)[0])
    assert repr(chart).startswith(f"points for '{for_}' against 'c'")
    json.dumps(chart.to_dict(), allow_nan=False)


def test_of_two_classes_the_nomogram_gives_the_prediction():
    X = [["sun", 21.0], ["sun", 25.0], ["rain", 12.0], ["rain", 11.0]]
    model = likely.NaiveBayes().fit(X, ["out", "out", "in", "in"])
    chart, rows = nomogram(model), [["sun", 11.5], ["rain", None], ["snow", 30.0]]
    assert (chart.for_, chart.against) == ("out", "in")
    same(chart.probability(chart.score(model.explain(rows))), model.predict_proba(rows)[:, 1])
    assert max(np.ptp(column.points) for column in chart.columns) == pytest.approx(100)


def test_a_row_that_neither_class_can_have_scores_as_the_prior():
    model = likely.NaiveBayes(estimate="mle").fit([["x", "p"], ["y", "q"], ["y", "q"]], ["a", "b", "b"])
    chart, row = nomogram(model), [["x", "q"]]
    same(chart.probability(chart.score(model.explain(row))), model.predict_proba(row)[:, 1])
    assert np.isinf(chart.columns[0].points).any()
    assert "nan" not in repr(chart)


def test_words_add_up_to_the_text(fitted):
    model, frame = fitted
    for row in range(0, ROWS, 9):
        why, spelt = model.explain(frame.iloc[[row]]), words(model, frame, row)
        note = [name.startswith("note: ") for name in spelt.names]
        same(spelt.terms[:, note].sum(axis=1), why.terms[:, 6])
        same(spelt.joint, why.joint)
        assert spelt.names[:6] == why.names[:6]
        if isinstance(frame.note[row], str):
            assert {name[6:] for name in spelt.names if name.startswith("note: ")} == set(frame.note[row].split())


@pytest.mark.parametrize("bag", ["multinomial", "complement"])
@pytest.mark.parametrize("make", [sparse.csr_array, sparse.coo_array, np.asarray])
def test_words_of_a_matrix(bag, make):
    rng = np.random.default_rng(7)
    counts = rng.poisson(0.4, (30, 12))
    counts[3, 4] = 2
    model = likely.NaiveBayes(kinds=likely.Text(bag)).fit(counts, np.arange(30) % 3)
    why, spelt = model.explain(counts[3:4]), words(model, make(counts), 3)
    same(spelt.joint, why.joint)
    assert spelt.names == ("prior", *map(str, np.flatnonzero(counts[3])))
    assert spelt.values[0, spelt.names.index("4") - 1] == "2"
    found = axis(model, "words")
    same(found.terms * 2, model.explain(2 * np.eye(12, dtype=int)).terms[np.arange(12), 1 + np.arange(12)])


def test_rows_of_any_library_have_words():
    frame = pd.DataFrame({"n": [1.5, 2.5, 3.5], "t": ["win now", "see you now", None]}, index=[7, 8, 9])
    model = likely.NaiveBayes(kinds={"t": "text"}).fit(frame, ["a", "b", "b"])
    names = ("prior", "n", "t: now", "t: see", "t: you")
    for rows in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame, preserve_index=False)):
        assert words(model, rows, 1).names == names
        assert words(model, rows, 2).names == names[:2]
    lists = likely.NaiveBayes(kinds={1: "text"}).fit(frame.to_numpy(), ["a", "b", "b"])
    for rows in (frame.to_numpy(), frame.to_numpy().tolist()):
        assert words(lists, rows, 1).names == ("prior", "x0", "x1: now", "x1: see", "x1: you")


def test_identifiers_and_columns_set_aside_are_silent():
    rng = np.random.default_rng(7)
    frame = pd.DataFrame({"id": [f"k{n}" for n in range(40)], "x": rng.normal(size=40)})
    with pytest.warns(UserWarning, match="identifier"):
        model = likely.NaiveBayes().fit(frame, np.arange(40) % 2)
    assert not axis(model, "id").terms.any()
    assert profile(model).columns[-1].bits == 0
    assert "id" not in {column.name for column in nomogram(model).columns}
    skipped = likely.NaiveBayes(kinds={"id": "skip"}).fit(frame, np.arange(40) % 2)
    assert axis(skipped, "id").terms.shape == (0, 2)
    assert "x" in repr(nomogram(skipped))
    assert "id" in repr(profile(skipped))


def test_reasons_in_decibans_for_and_against():
    terms = np.log(np.array([[[0.5, 0.25, 0.25], [0.9, 0.09, 0.9], [0.1, 0.1, 0.8]]]))
    why = Explanation(terms, ("prior", "age", "port"), ("x", "y", "z"), np.array([[31, "S"]], dtype=object))
    same(why.log_odds("x", "y", unit="decibans"), 10 * np.log10([[2, 10, 1]]))
    same(why.log_odds("x"), why.log_odds("x", "z"))  # z is the likeliest other class
    same(why.log_odds("z"), why.log_odds("z", "x"))
    pro, con = why.for_and_against()
    assert why.rival(0) == ("z", "x")
    assert [name for name, _, _ in pro] == ["port"]
    assert [name for name, _, _ in con] == ["prior"]
    assert why.for_and_against(top=0) == ([], [])
    told = why.to_dict()
    assert (told["prediction"], told["for"], told["against"]) == ("z", "z", "x")
    assert why.to_dict(for_="y")["against"] == "z"
    assert told["terms"][2]["terms"] == dict(zip("xyz", terms[0, 2].tolist(), strict=True))
    json.dumps(told, allow_nan=False)
    one = Explanation(np.zeros((1, 2, 1)), ("prior", "age"), ("x",))
    assert one.log_odds("x").tolist() == [[0.0, 0.0]]


def test_an_impossible_row_is_told_by_its_priors():
    model = likely.NaiveBayes(estimate="mle").fit([["x", "p"], ["y", "q"], ["y", "q"]], ["a", "b", "b"])
    why = model.explain([["x", "q"]])
    assert why.rival(0) == ("b", "a")
    assert "-inf" in json.dumps(why.to_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("code", "ask"),
    [
        ("O361", lambda model: model.explain([["sun"]]).log_odds("in", "out", unit="bels")),
        ("O362", lambda model: model.explain([["sun"]]).reasons(1)),
        ("O362", lambda model: words(model, [["sun"]], -1)),
        ("O363", lambda model: axis(model, "x1")),
        ("O363", lambda model: axis(model, 5)),
        ("O364", lambda model: nomogram(model, "in", "in")),
        ("O110", lambda model: nomogram(model, "inn")),
        ("O110", lambda model: model.explain([["sun"]]).log_odds("inn")),
        ("O366", lambda model: axis(likely.NaiveBayes(), "x0")),
        ("O366", lambda model: profile(object())),
        ("O368", lambda model: axis(model, "x0", points=1)),
        ("O368", lambda model: nomogram(model, top=0)),
    ],
)
def test_refusals(code, ask):
    model = likely.NaiveBayes().fit([["sun"], ["sun"], ["rain"]], ["out", "out", "in"])
    with pytest.raises(likely.LikelyError) as caught:
        ask(model)
    assert caught.value.code == code
    assert caught.value.place
    assert caught.value.hint


def test_one_class_has_nothing_to_weigh():
    model = likely.NaiveBayes().fit([["sun"], ["rain"]], ["out", "out"])
    with pytest.raises(likely.LikelyError, match="O365"):
        nomogram(model)
    assert profile(model).columns[0].bits == 0


def test_the_words_of_rows_on_disk_are_refused(tmp_path):
    (tmp_path / "t.csv").write_text("t,y\nwin now,a\nsee you,b\n")
    model = likely.fit(tmp_path / "t.csv", "y", likely.NaiveBayes(kinds={"t": "text"}))
    with pytest.raises(likely.LikelyError, match="O367"):
        words(model, tmp_path / "t.csv")


def test_wide_models_show_the_top_in_bounded_time():
    rng = np.random.default_rng(7)
    many = sparse.random_array((200, 100_000), density=1e-3, rng=rng, format="csr")
    many.data = np.ceil(many.data * 3)
    model = likely.NaiveBayes().fit(many, np.arange(200) % 4)
    chart = nomogram(model)
    assert len(chart.columns[0].values) == 24
    why = model.explain(many[:2])
    pro, con = why.joint[:, 3], why.joint[:, why.classes.index(chart.against)]
    np.testing.assert_allclose(chart.probability(chart.score(why)), 1 / (1 + np.exp(con - pro)), atol=1e-9)
    assert len(profile(model).columns[0].words[0]) == 10
    pixels = rng.integers(0, 2, (100, 784))
    model = likely.NaiveBayes().fit(pixels, np.arange(100) % 10)
    chart, told = nomogram(model), profile(model)
    assert len(chart.columns) == 20
    assert 500 < chart.others < 764  # some say nothing between two classes of ten rows each
    assert len(repr(told).splitlines()) < 30
    assert len(told.to_dict(top=3)["columns"]) == 3


def test_a_nomogram_refuses_what_does_not_fit():
    one = likely.NaiveBayes().fit([["sun", 1.0], ["rain", 2.0], ["sun", 3.0]], ["a", "b", "a"])
    other = likely.NaiveBayes().fit([["sun"], ["rain"], ["sun"]], ["a", "b", "a"])
    named = likely.NaiveBayes().fit([["sun", 1.0], ["rain", 2.0], ["sun", 3.0]], ["a", "c", "a"])
    chart, row = nomogram(one), [["sun", 1.5]]
    why = one.explain(row)
    assert chart.score(why).shape == (1,)
    for call in (  # terms of another shape, or of other classes
        lambda: chart.score(other.explain([["sun"]])),
        lambda: chart.score(named.explain(row)),
        lambda: chart.score(why.terms[0, 0]),
        lambda: chart.score([1.0, 2.0]),
    ):
        with pytest.raises(likely.LikelyError, match="O380"):
            call()
    for call in (
        lambda: chart.score("sun"),
        lambda: chart.score(np.full_like(why.terms, np.nan)),
        lambda: chart.probability("many"),
        lambda: chart.probability([1.0, None]),
    ):
        with pytest.raises(likely.LikelyError, match="O369"):
            call()
    for call in (
        lambda: chart.total(2),
        lambda: chart.total(-0.1),
        lambda: chart.total(float("nan")),
        lambda: chart.total([0.1, 0.2]),
        lambda: chart.total("half"),
    ):
        with pytest.raises(likely.LikelyError, match="O386"):
            call()
    assert chart.total(0) == -np.inf
    assert chart.probability(chart.total(0.25)) == pytest.approx(0.25)


def test_explanations_are_themselves():
    model = likely.NaiveBayes().fit([["sun"], ["rain"]], ["a", "b"])
    why, again = model.explain([["sun"]]), model.explain([["sun"]])
    assert why == why
    assert why != again
    assert len({why, again}) == 2
    for code, call in (
        ("O368", lambda: why.for_and_against(top=-1)),
        ("O368", lambda: why.for_and_against(top="all")),
        ("O361", lambda: why.log_odds("a", unit=["nats"])),
        ("O361", lambda: why.reasons(unit=None)),
    ):
        with pytest.raises(likely.LikelyError, match=code):
            call()


def test_chinese_labels_are_aligned():
    X = [["清晰", 0.7], ["模糊", 0.2], ["稍糊", 0.4], ["清晰", 0.6]]
    frame = pd.DataFrame(X, columns=["纹理", "density"])
    model = likely.NaiveBayes().fit(frame, ["是", "否", "否", "是"])
    table = repr(profile(model)).splitlines()
    kinds = {column.name: column.kind for column in profile(model).columns}
    starts = {display_width(line[: line.index(kinds[line.split()[0]])]) for line in table[1:]}
    assert starts == {display_width(table[0][: table[0].index("kind")])}
    chart = repr(nomogram(model)).splitlines()[1:]
    assert {display_width(line[: line.index(line.split()[1])]) for line in chart} == {23}
