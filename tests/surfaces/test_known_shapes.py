"""Surfaces whose equations are known: their names, their points, their pieces."""

from __future__ import annotations

import json

import numpy as np
import pytest

from likely.surfaces import surface

BOX = [(-5, 5), (-5, 5)]
SPACE = [(-5, 5)] * 3
FLAT, CUBE = np.eye(2), np.eye(3)


def off(found):
    return max((np.abs(found.g(one.vertices, *one.classes)).max() for one in found.pieces), default=0.0)


def edges(cells):
    """How many triangles have each edge."""
    pairs = np.sort(np.concatenate([cells[:, [0, 1]], cells[:, [1, 2]], cells[:, [0, 2]]]), axis=1)
    return np.unique(pairs, axis=0, return_counts=True)[1]


def test_the_unit_circle(stand):
    # N(0, 1) against N(0, 4) in the plane, priors such that they tie at distance 1: log 4 - 3/8 r² + log odds = 0
    odds = np.exp(3 / 8 - np.log(4))
    found = surface(stand([[0, 0]] * 2, [FLAT, 4 * FLAT], [odds / (1 + odds), 1 / (1 + odds)]), [0, 1], BOX)
    (piece,) = found.pieces
    assert found.kind == piece.kind == "ellipse"
    assert found.exact
    np.testing.assert_allclose(np.hypot(*piece.vertices.T), 1, atol=1e-12)
    assert len(piece.cells) == len(piece.vertices) == 400  # closed
    turn = np.unwrap(np.arctan2(piece.vertices[:, 1], piece.vertices[:, 0]))
    assert np.abs(np.diff(turn)).max() < 0.02
    assert str(found) == "x0, x1: ellipse between a and b, 1 piece, exact"


@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_a_line_is_half_way_between_equal_classes(stand, shift):
    covariance = np.array([[2.0, 0.5], [0.5, 1.0]])
    found = surface(stand([[shift, 0], [shift + 3, 1]], [covariance] * 2), [0, 1])
    (piece,) = found.pieces
    assert found.kind == "line"
    normal = np.linalg.solve(covariance, [3.0, 1.0])
    np.testing.assert_allclose((piece.vertices - [shift + 1.5, 0.5]) @ normal, 0, atol=1e-8)
    on_box = (np.abs(piece.vertices[[0, -1]][:, :, None] - found.box) == 0).any(axis=(1, 2))
    assert on_box.all()  # from edge to edge


def test_a_parabola(stand):
    found = surface(stand([[0, 0], [2, 0]], [FLAT, np.diag([1.0, 3.0])]), [0, 1], BOX)
    (piece,) = found.pieces
    x, y = piece.vertices.T
    assert found.kind == "parabola"
    np.testing.assert_allclose(2 * x, 2 - y**2 / 3 + np.log(3) / 2, atol=1e-10)


def test_a_hyperbola_has_two_branches_and_lines_cross_where_it_is_degenerate(stand):
    shapes = [np.diag([1.0, 4.0]), np.diag([4.0, 1.0])]
    found = surface(stand([[0, 0]] * 2, shapes, [0.3, 0.7]), [0, 1], BOX)
    assert found.kind == "hyperbola"
    assert len(found.pieces) == 2
    x, y = found.vertices.T
    np.testing.assert_allclose(3 / 8 * (y**2 - x**2), np.log(0.7 / 0.3), atol=1e-10)
    assert (found.pieces[0].vertices[:, 1] > 0).all() != (found.pieces[1].vertices[:, 1] > 0).all()
    crossed = surface(stand([[0, 0]] * 2, shapes), [0, 1], BOX)
    assert crossed.kind == "two lines"
    np.testing.assert_allclose(np.abs(crossed.vertices[:, 0]), np.abs(crossed.vertices[:, 1]), atol=1e-12)


def test_nothing_a_point_and_lines_side_by_side(stand):
    inner = stand([[0, 0]] * 2, [FLAT, 4 * FLAT])
    nowhere = surface(inner, [0, 1], BOX, priors={"a": 0.05, "b": 0.95})
    assert (nowhere.kind, nowhere.pieces, nowhere.vertices.shape) == ("none", (), (0, 2))
    assert str(nowhere) == "x0, x1: no boundary between a and b, exact"
    touch = surface(inner, [0, 1], BOX, priors=0.8)  # log 4 and the prior odds cancel at the middle
    assert touch.kind == "point"
    np.testing.assert_allclose(touch.vertices, [[0, 0]], atol=1e-9)
    assert touch.pieces[0].cells.shape == (0, 2)
    beside = surface(stand([[0, 0]] * 2, [FLAT, np.diag([1.0, 3.0])]), [0, 1], BOX)
    assert (beside.kind, len(beside.pieces)) == ("two lines", 2)
    same = surface(stand([[0, 0]] * 2, [FLAT, FLAT]), [0, 1], BOX)
    assert same.kind == "none"


def test_an_ellipse_is_cut_where_it_leaves_the_box(stand):
    model = stand([[0, 0]] * 2, [FLAT, 4 * FLAT])
    radius = np.sqrt(8 / 3 * np.log(4))
    found = surface(model, [0, 1], [(-1, 1), (-3, 3)])
    assert len(found.pieces) == 2
    np.testing.assert_allclose(np.hypot(*found.vertices.T), radius, atol=1e-10)
    for piece in found.pieces:
        assert sorted(piece.vertices[[0, -1], 0].tolist()) == [-1.0, 1.0]
    corner = surface(model, [0, 1], [(0, 5), (0, 5)])
    assert len(corner.pieces) == 1
    np.testing.assert_allclose(
        np.sort(corner.pieces[0].vertices[[0, -1]], axis=0), [[0, 0], [radius, radius]], atol=1e-9
    )


SHAPES = {
    "ellipsoid": ([0, 0, 0], [1, 1, 1], [4, 4, 4], 1),
    "plane": ([1, 1, 1], [1, 1, 1], [1, 1, 1], 1),
    "one-sheet hyperboloid": ([0, 0, 0], [1, 1, 4], [2, 2, 2], 1),
    "two-sheet hyperboloid": ([0, 0, 0], [3, 1, 3], [2, 2, 2], 2),
    "paraboloid": ([0, 0, 1], [1, 1, 1], [2, 2, 1], 1),
    "hyperbolic paraboloid": ([0, 0, 1], [1, 2, 1], [2, 1, 1], 1),
    "elliptic cylinder": ([0, 0, 0], [1, 1, 1], [2, 2, 1], 1),
    "parabolic cylinder": ([0, 0, 1], [1, 1, 1], [2, 1, 1], 1),
    "two planes": ([0, 0, 0], [1, 1, 1], [2, 1, 1], 2),
}


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("turned", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_quadrics_seen_from_every_side(stand, kind, turned):
    away, one, other, pieces = SHAPES[kind]
    priors = [0.7, 0.3] if kind == "two-sheet hyperboloid" else [0.5, 0.5]
    model = stand(
        [[0, 0, 0], np.array(away)[list(turned)]], [np.diag(np.array(v)[list(turned)]) for v in (one, other)], priors
    )
    found = surface(model, [0, 1, 2], SPACE)
    assert (found.kind, len(found.pieces)) == (kind, pieces)
    assert off(found) < 1e-10
    assert found.pieces[0].cells.shape[1] == 3


def test_an_ellipsoid_is_closed(stand):
    found = surface(stand([[0, 0, 0]] * 2, [CUBE, 4 * CUBE]), [0, 1, 2], SPACE)
    (piece,) = found.pieces
    assert (edges(piece.cells) == 2).all()
    assert len(piece.vertices) - len(edges(piece.cells)) + len(piece.cells) == 2  # Euler: a sphere
    np.testing.assert_allclose(np.linalg.norm(piece.vertices, axis=1), np.sqrt(8 / 3 * np.log(8)), atol=1e-12)


def test_a_thin_ellipsoid_is_not_lost_between_the_nodes(stand):
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]
    thin = (turn * [1.0, 1e-4, 1e-4]) @ turn.T
    found = surface(stand([[0, 0, 0]] * 2, [thin, 4 * CUBE]), [0, 1, 2], [(-20, 20)] * 3)
    (piece,) = found.pieces
    assert found.kind == "ellipsoid"
    assert (edges(piece.cells) == 2).all()
    assert off(found) < 1e-8


def test_pieces_meet_where_three_classes_tie(stand):
    means = [[2 * np.cos(t), 2 * np.sin(t)] for t in 2 * np.pi * np.arange(3) / 3]
    for shapes in ([FLAT] * 3, [FLAT, 1.5 * FLAT, np.diag([1.0, 2.0])]):
        found = surface(stand(means, shapes), [0, 1], BOX)
        assert len(found.pieces) == 3
        ends = np.concatenate([piece.vertices[[0, -1]] for piece in found.pieces])
        inner = ends[(np.abs(ends) < 4.9).all(axis=1)]
        assert len(inner) == 3
        np.testing.assert_allclose(inner, inner[:1].repeat(3, axis=0), atol=1e-9)
        assert np.ptp(found.scores.logs(inner)[0]) < 1e-9
    assert str(surface(stand(means, [FLAT] * 3), [0, 1], BOX)).startswith("x0, x1: line between a and b, line between")


def test_some_classes_only_and_a_class_without_prior(stand):
    means = [[0, 0], [2, 0], [0, 2]]
    model = stand(means, [FLAT] * 3)
    pair = surface(model, [0, 1], BOX, classes=["a", "b"])
    assert pair.classes == ("a", "b")
    np.testing.assert_allclose(pair.vertices[:, 0], 1, atol=1e-12)
    assert np.ptp(pair.vertices[:, 1]) == 10  # as if there were no third
    gone = surface(model, [0, 1], BOX, priors={"a": 0.5, "b": 0.5, "c": 0.0})
    assert {piece.classes for piece in gone.pieces} == {("a", "b")}
    np.testing.assert_allclose(gone.vertices, pair.vertices)


def test_roots(stand):
    wide = stand([[0.0], [1.0]], [[[1.0]], [[4.0]]])
    found = surface(wide, "x0", X=np.array([[0.0], [1.0]]))
    expected = np.roots([-3 / 8, -1 / 4, 1 / 8 + np.log(2)])
    np.testing.assert_allclose(found.vertices[:, 0], np.sort(expected), atol=1e-12)  # also those beyond the box
    assert found.kind == "2 points"
    assert str(found) == "x0: 2 points (-1.84754, 1.18088) between a and b, exact"
    assert surface(stand([[0.0], [3.0]], [[[2.0]]] * 2), 0).vertices == pytest.approx(1.5, abs=1e-12)
    assert surface(stand([[0.0], [0.0]], [[[1.0]], [[4.0]]], [1 / 3, 2 / 3]), 0).kind == "1 point"  # they touch
    assert surface(stand([[0.0], [0.0]], [[[1.0]], [[4.0]]], [0.1, 0.9]), 0).kind == "none"
    assert surface(stand([[0.0], [1.0], [2.0]], [[[1.0]]] * 3), 0).vertices[:, 0] == pytest.approx(
        [0.5, 1.5]
    )  # not 1.0


def test_plain_data(stand):
    found = surface(stand([[0, 0]] * 2, [FLAT, 4 * FLAT]), [0, 1], BOX)
    told = json.loads(json.dumps(found.to_dict()))
    assert told["kind"] == "ellipse"
    assert told["box"] == [[-5, 5], [-5, 5]]
    assert np.array_equal(told["pieces"][0]["vertices"], found.vertices)
    assert told["pieces"][0]["cells"][-1] == [399, 0]


def test_units_far_from_zero(stand):
    """Heights in mm on a scale that begins a kilometre away."""
    rng = np.random.default_rng(3)
    for d in (1, 2, 3):
        for _ in range(20):
            roots = rng.normal(size=(2, d, d)) + 1.5 * np.eye(d)
            shapes = 60**2 * (roots @ roots.transpose(0, 2, 1) + 0.1 * np.eye(d))
            found = surface(stand(1e6 + 100 * rng.normal(size=(2, d)), shapes), range(d))
            assert off(found) < 1e-8
