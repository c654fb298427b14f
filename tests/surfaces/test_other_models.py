"""Surfaces of models that are not normal: followed on a grid, against exact ones and against what the model says."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import likely
from likely.surfaces import rows, surface

BOX = [(-5, 5), (-5, 5)]
FLAT = np.eye(2)


def mixed(n=400, seed=0):
    """A frame with numbers of several kinds, words and texts, and the classes of its rows."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    frame = pd.DataFrame(
        {
            "height": 160 + 8 * y + 6 * rng.normal(size=n),
            "colour": np.array(["red", "green", "blue"])[np.minimum(rng.poisson(0.5 + 0.5 * y), 2)],
            "visits": rng.poisson(2 + 3 * y),
            "dose": rng.normal(size=n) + np.where(y == 1, 3 * np.sign(rng.normal(size=n)), 0),
            "words": [f"one {'two' * (k + 1)} three four five six seven {at}" for at, k in enumerate(y)],
        }
    )
    return frame, np.array(["low", "mid", "top"])[y]


@pytest.fixture(scope="module")
def model():
    kinds = {"visits": "count", "dose": "parzen", "words": "text"}
    return likely.NaiveBayes(kinds=kinds).fit(*mixed())


def test_a_contour_is_where_the_conic_is(stand):
    means, shapes = [[0, 0], [2, 1], [-2, 1]], [FLAT, np.diag([2.0, 0.5]), [[1.0, 0.4], [0.4, 2.0]]]
    exact = surface(stand(means, shapes), [0, 1], BOX)
    grid = surface(stand(means, shapes, normal=False), [0, 1], BOX)
    assert (grid.kind, grid.exact) == ("contour", False)
    assert {piece.classes for piece in grid.pieces} == {piece.classes for piece in exact.pieces}
    for one, other, near in ((grid, exact, 0.06), (exact, grid, 0.06)):
        away = np.sqrt(((one.vertices[:, None] - other.vertices) ** 2).sum(axis=2)).min(axis=1)
        assert away.max() < near
    for piece in grid.pieces:
        off = np.abs(exact.g(piece.vertices, *piece.classes))
        assert np.median(off) < 1e-12
        assert off.max() < 1e-2  # where three classes meet, on a chord
        steps = np.sqrt((np.diff(piece.vertices, axis=0) ** 2).sum(axis=1))
        assert steps.max() < 0.08  # in order


def test_a_closed_contour_and_a_closed_surface(stand):
    ring = surface(stand([[0, 0]] * 2, [FLAT, 4 * FLAT], normal=False), [0, 1], BOX)
    (piece,) = ring.pieces
    assert len(piece.cells) == len(piece.vertices)
    np.testing.assert_allclose(np.hypot(*piece.vertices.T), np.sqrt(8 / 3 * np.log(4)), atol=1e-9)
    ball = surface(stand([[0] * 3] * 2, [np.eye(3), 4 * np.eye(3)], normal=False), [0, 1, 2], [(-5, 5)] * 3)
    (piece,) = ball.pieces
    np.testing.assert_allclose(np.linalg.norm(piece.vertices, axis=1), np.sqrt(8 / 3 * np.log(8)), atol=1e-9)
    pairs = np.sort(np.concatenate([piece.cells[:, [0, 1]], piece.cells[:, [1, 2]], piece.cells[:, [0, 2]]]), axis=1)
    edges, count = np.unique(pairs, axis=0, return_counts=True)
    assert (count == 2).all()
    assert len(piece.vertices) - len(edges) + len(piece.cells) == 2


def test_roots_of_any_model(stand):
    exact = surface(stand([[0.0], [1.0], [2.5]], [[[1.0]], [[4.0]], [[0.2]]]), 0, box=(-9, 9))
    grid = surface(stand([[0.0], [1.0], [2.5]], [[[1.0]], [[4.0]], [[0.2]]], normal=False), 0, box=(-9, 9))
    inside = exact.vertices[np.abs(exact.vertices[:, 0]) < 9]
    np.testing.assert_allclose(grid.vertices, inside, atol=1e-12)
    assert [piece.classes for piece in grid.pieces] == [piece.classes for piece in exact.pieces]


def test_a_class_that_wins_between_two_nodes_only(stand):
    narrow = stand([[0.0], [0.00123], [1.0]], [[[1.0]], [[1e-10]], [[1.0]]], normal=False)
    X = np.array([[-4.0], [0.00123], [5.0]])
    found = surface(narrow, 0, X=X)
    assert [piece.classes for piece in found.pieces] == [("a", "b"), ("a", "b"), ("a", "c")]
    assert found.kind == "3 points"


@pytest.mark.parametrize("features", [["height"], ["dose"], ["height", "dose"], ["height", "dose", "visits"]])
def test_a_mixed_table(model, features):
    X, _ = mixed()
    found = surface(model, features, X=X)
    assert found.pieces
    assert found.features == tuple(features)
    whole = pd.DataFrame({name: [None] * 50 for name in X.columns})
    for piece in found.pieces:
        at = piece.vertices[:: max(1, len(piece.vertices) // 50)][:50]
        rows_ = whole.iloc[: len(at)].assign(**dict(zip(features, at.T, strict=True)))
        if "visits" in features:
            continue
        logs = model.predict_log_proba(rows_)
        a, b = (model.classes_.tolist().index(level) for level in piece.classes)
        np.testing.assert_allclose(found.g(at, *piece.classes), logs[:, a] - logs[:, b], atol=1e-12)
        assert np.median(np.abs(logs[:, a] - logs[:, b])) < 1e-6


def test_counts_change_half_way_between_two(model):
    found = surface(model, "visits", box=(0, 20))
    assert found.pieces
    np.testing.assert_allclose(found.vertices % 1, 0.5, atol=1e-9)
    best = model.predict(rows(model, ["visits"], np.arange(21.0)[:, None]))
    turns = np.flatnonzero(best[1:] != best[:-1]) + 0.5
    np.testing.assert_allclose(found.vertices[:, 0], turns, atol=1e-9)


def test_kernels_with_edges_and_places_that_no_class_reaches():
    rng = np.random.default_rng(1)
    X = np.concatenate([rng.uniform(0, 1, (50, 2)), rng.uniform(3, 4, (50, 2))])
    y = np.repeat(["a", "b"], 50)
    model = likely.NaiveBayes(kinds={0: likely.Parzen("box", 0.2), 1: likely.Parzen("box", 0.2)}, estimate="mle").fit(
        X, y
    )
    found = surface(model, [0, 1], X=X)
    assert np.isfinite(found.vertices).all()
    assert np.isfinite(surface(model, 0, X=X).vertices).all()
    assert np.isfinite(found.g(np.array([[2.0, 2.0], [0.5, 0.5]]), "a", "b")[0])


@pytest.mark.parametrize("form", ["pandas", "polars", "arrow", "array", "list"])
def test_any_table_gives_the_box(form, model):
    X, y = mixed()
    if form in ("array", "list"):
        values = X[["height", "dose"]].to_numpy()
        model = likely.NaiveBayes(kinds="real").fit(values, y)
        features, given = [0, 1], values if form == "array" else values.tolist()
    else:
        import polars as pl
        import pyarrow as pa

        features = ["height", "dose"]
        given = {"pandas": X, "polars": pl.from_pandas(X), "arrow": pa.Table.from_pandas(X)}[form]
    found = surface(model, features, X=given)
    values = X[["height", "dose"]].to_numpy()
    low, high = values.min(axis=0), values.max(axis=0)
    np.testing.assert_allclose(found.box.T, [low - 0.1 * (high - low), high + 0.1 * (high - low)])


def test_a_frame_without_names_that_are_words_goes_by_place():
    frame, y = mixed()
    values = frame[["height", "dose"]].to_numpy()
    wanted = surface(likely.GaussianBayes().fit(values, y), [0, 1], X=values).box
    numbered = pd.DataFrame(values)  # columns 0 and 1
    for fitted, asked in ((numbered, numbered), (values, numbered), (values, frame[["height", "dose"]])):
        found = surface(likely.GaussianBayes().fit(fitted, y), [0, 1], X=asked)
        np.testing.assert_array_equal(found.box, wanted)
