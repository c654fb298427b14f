"""Arc strengths: graphs learnt from bootstrap samples, counted by hand; the threshold by minimising the area."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from likely.errors import LikelyError, OptionError
from likely.networks.structure.row_codes import Coded
from likely.networks.trust.arc_strength import STEADY, ArcStrengths
from likely.networks.trust.bootstrap import bootstrap_arcs, drawn
from likely.structures.graph import Graph
from likely.structures.search.result import Progress, SearchResult, Tick
from likely.structures.search.rules import read_rules
from tests.structures.search_rows import no_rules

NAMES = ("a", "b", "c")
PAIRS = list(combinations(range(3), 2))
Parents = tuple[tuple[int, ...], ...]


def small_graphs() -> list[Parents]:
    """The 25 graphs of three nodes."""
    found = []
    for turns in product((None, False, True), repeat=3):
        arcs = [pair[::-1] if turn else pair for pair, turn in zip(PAIRS, turns, strict=True) if turn is not None]
        if len(arcs) < 3 or len({one for one, _ in arcs}) < 3:  # three arcs from three nodes run in a circle
            found.append(tuple(tuple(sorted(one for one, other in arcs if other == at)) for at in range(3)))
    return found


GRAPHS = small_graphs()


def bic(coded: Coded, parents: Parents) -> float:
    """Of complete rows with two levels, from counts by NumPy."""
    weights = np.ones(coded.rows) if coded.weights is None else coded.weights
    total = 0.0
    for node, mine in enumerate(parents):
        table = np.zeros((2 ** len(mine), 2))
        cells = sum(
            (coded.codes[:, at].astype(int) << shift for shift, at in enumerate(mine)), np.zeros(coded.rows, int)
        )
        np.add.at(table, (cells, coded.codes[:, node]), weights)
        rows = table.sum(axis=1, keepdims=True)
        total += float((table * np.log(np.where(table > 0, table / np.maximum(rows, 1), 1.0))).sum())
        total -= 0.5 * np.log(weights.sum()) * len(table)
    return total


def best(coded: Coded, tick: Tick | None) -> SearchResult:
    """The best of all 25 graphs."""
    scores = [bic(coded, parents) for parents in GRAPHS]
    at = int(np.argmax(scores))
    return SearchResult(GRAPHS[at], scores[at])


def coded_rows(codes: np.ndarray, weights: np.ndarray | None = None) -> Coded:
    names = tuple("abcdefgh"[: codes.shape[1]])
    return Coded(names, (("n", "y"),) * len(names), np.ascontiguousarray(codes, dtype=np.uint8), weights)


def chain(rows: int, seed: int = 0) -> Coded:
    rng = np.random.default_rng(seed)
    a = rng.random(rows) < 0.5
    b = a ^ (rng.random(rows) < 0.1)
    return coded_rows(np.column_stack([a, b, b ^ (rng.random(rows) < 0.1)]))


def collider(rows: int, seed: int = 0) -> Coded:
    rng = np.random.default_rng(seed)
    a, c = rng.random((2, rows)) < 0.5
    return coded_rows(np.column_stack([a, (a | c) ^ (rng.random(rows) < 0.05), c]))


def strengths(joined: dict[tuple[int, int], tuple[int, int, int]], size: int, graphs: int) -> ArcStrengths:
    """Strengths by hand: {pair: (this way, that way, either way)}."""
    together, pointing = np.zeros((2, size, size), dtype=np.int64)
    for (one, other), (this, that, either) in joined.items():
        together[one, other] = together[other, one] = this + that + either
        pointing[one, other], pointing[other, one] = this, that
    return ArcStrengths(tuple("abcdefgh"[:size]), together, pointing, graphs, graphs)


def test_a_chain_is_sure_and_points_either_way():
    found = bootstrap_arcs(chain(300), best, no_rules(3), bootstrap=40)
    assert found["a", "b"] == found["b", "a"] == found["b", "c"] == 1.0
    assert found["a", "c"] < 0.3
    assert abs(found.direction("a", "b") - 0.5) < 0.2
    assert found.consensus().equivalent(Graph.of([("a", "b"), ("b", "c")]))


def test_a_collider_points_one_way():
    found = bootstrap_arcs(collider(400), best, no_rules(3), bootstrap=40)
    assert found.direction("a", "b") > 0.9
    assert found.direction("b", "a") == pytest.approx(1.0 - found.direction("a", "b"))
    assert found.consensus() == Graph(NAMES, ((), ("a", "c"), ()))


def test_they_are_the_shares_of_graphs_learnt_one_by_one():
    rows, counts = chain(60, 3), dict.fromkeys(product(range(3), repeat=2), 0.0)
    for which in range(30):
        rng = np.random.default_rng(np.random.SeedSequence(7, spawn_key=(which,)))
        parents = best(drawn(rows, rng), None).parents
        pairs = {(one, child) for child, mine in enumerate(parents) for one in mine}
        same = [other for other in GRAPHS if skeleton_and_meets(other) == skeleton_and_meets(parents)]
        for one, child in pairs:
            share = sum(one in other[child] for other in same) / len(same)
            certain = share if share in (0.0, 1.0) else 0.5
            counts[one, child] += certain
            counts[child, one] += 1.0 - certain
    found = bootstrap_arcs(rows, best, no_rules(3), bootstrap=30, seed=7)
    for one, other in PAIRS:
        both = counts[one, other] + counts[other, one]
        assert found.joined[one, other] == pytest.approx(both / 30)
        if both:
            assert found.directions[one, other] == pytest.approx(counts[one, other] / both)


def skeleton_and_meets(parents: Parents) -> tuple[object, object]:
    joined = {frozenset((one, child)) for child, mine in enumerate(parents) for one in mine}
    meets = {(mine, child) for child, mine in enumerate(parents) if len(mine) == 2 and frozenset(mine) not in joined}
    return joined, meets


def test_what_is_required_is_told_and_settles_the_rest():
    rules = read_rules(NAMES, required=[("a", "b")])
    found = bootstrap_arcs(chain(400), lambda coded, tick: SearchResult(((), (0,), (1,)), 0.0), rules, bootstrap=3)
    assert found.direction("a", "b") == found.direction("b", "c") == 1.0
    tiers = read_rules(NAMES, tiers=[["c"], ["a", "b"]])
    found = bootstrap_arcs(chain(400), lambda coded, tick: SearchResult(((1,), (2,), ()), 0.0), tiers, bootstrap=3)
    assert found.direction("c", "b") == found.direction("b", "a") == 1.0


def test_seeds_and_threads():
    rows = chain(50, 1)
    told = [
        bootstrap_arcs(rows, best, no_rules(3), bootstrap=20, seed=seed, threads=n)
        for seed, n in [(1, 1), (1, 2), (2, 2)]
    ]
    assert (told[0].together == told[1].together).all()
    assert (told[0].pointing == told[1].pointing).all()
    first = drawn(rows, np.random.default_rng(1)).codes
    assert (first != drawn(rows, np.random.default_rng(2)).codes).any()


def test_weights_are_rows_seen_that_often():
    codes = np.array([[0, 0], [0, 1], [1, 1]])
    rng, often = np.random.default_rng(0), np.zeros(2)
    for _ in range(200):
        new = drawn(coded_rows(codes, np.array([3.0, 0.0, 7.0])), rng)
        assert new.weight == 10.0
        assert new.weights is not None
        assert not ((new.codes[:, 0] == 0) & (new.codes[:, 1] == 1)).any()
        for row, weight in zip(new.codes, new.weights, strict=True):
            often[row[0]] += weight
    assert often / often.sum() == pytest.approx([0.3, 0.7], abs=0.04)  # 2,000 draws: four standard errors
    shares = drawn(coded_rows(codes, np.array([0.5, 1.5, 0.25])), rng)
    assert shares.rows == 3
    assert set(shares.weights) <= {0.5, 1.5, 0.25}


def test_progress_and_interruption_keep_what_was_learnt():
    seen: list[Progress] = []
    found = bootstrap_arcs(chain(40), best, no_rules(3), bootstrap=6, tick=seen.append)
    assert [one.done for one in seen] == pytest.approx([at / 6 for at in range(1, 7)])
    assert seen[-1].doing == "graph 6 of 6"
    assert not found.interrupted

    def stop(now: Progress) -> None:
        if now.steps == 4:
            raise KeyboardInterrupt

    part = bootstrap_arcs(chain(40), best, no_rules(3), bootstrap=5000, tick=stop)
    assert (part.graphs, part.asked, part.interrupted) == (4, 5000, True)
    assert "4 graphs, each learnt from a bootstrap sample (stopped before all 5,000 were learnt)" in repr(part)
    assert part["a", "b"] <= 1.0

    def never(coded: Coded, tick: Tick | None) -> SearchResult:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bootstrap_arcs(chain(40), never, no_rules(3), bootstrap=5)


def test_searches_that_are_under_way_hear_of_an_interruption():
    def long(coded: Coded, tick: Tick | None) -> SearchResult:
        assert tick is not None
        if coded.codes.sum() % 2:
            return SearchResult(((), (), ()), 0.0)
        while True:  # until it is told to stop
            tick(Progress(0.0, 0.0, 0, 0, ""))

    def stop(now: Progress) -> None:
        raise KeyboardInterrupt

    rows = chain(31)
    entropy = next(seed for seed in range(100) if _odd(rows, seed, 0) and not _odd(rows, seed, 1))
    assert bootstrap_arcs(rows, long, no_rules(3), bootstrap=2, seed=entropy, threads=2, tick=stop).graphs == 1


def _odd(rows: Coded, seed: int, which: int) -> bool:
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(which,)))
    return bool(drawn(rows, rng).codes.sum() % 2)


@given(st.lists(st.integers(0, 20), min_size=6, max_size=6))
@settings(derandomize=True, deadline=None, max_examples=200)
def test_the_threshold_leaves_the_least_area(shares: list[int]):
    pairs = list(combinations(range(4), 2))
    found = strengths({pair: (0, 0, share) for pair, share in zip(pairs, shares, strict=True)}, 4, 20)
    values = np.array(shares) / 20
    edges = np.unique([0.0, *values, 1.0])
    heights = np.array([(values <= edge).mean() for edge in edges[:-1]])

    def area(height: float) -> float:
        return float((np.diff(edges) * np.abs(heights - height)).sum())

    kept = [pair for pair in pairs if found.joined[pair] > found.threshold or found.joined[pair] == 1.0]
    zeros = 1.0 - len(kept) / 6  # the share of pairs that are not real
    least = min(map(area, heights))
    assert area(zeros) == pytest.approx(least)
    free_one = minimize_scalar(area, bounds=(0, 1), method="bounded")
    assert area(zeros) <= free_one.fun + 1e-9


@st.composite
def random_strengths(draw: st.DrawFn) -> ArcStrengths:
    size = draw(st.integers(2, 7))
    counts = st.tuples(*[st.integers(0, 5)] * 3)
    pairs = list(combinations(range(size), 2))
    return strengths({pair: draw(counts) for pair in pairs}, size, 15)


@given(random_strengths(), st.floats(0, 1))
@settings(derandomize=True, deadline=None, max_examples=200)
def test_a_consensus_has_the_strong_pairs_and_no_circle(found: ArcStrengths, threshold: float):
    graph = found.consensus(threshold)  # a circle would be refused
    strong = {frozenset(pair) for pair in found if found[pair] > threshold or found[pair] == 1.0}
    assert set(map(frozenset, graph.edges)) == strong
    assert graph.nodes == found.nodes
    assert [row.strength for row in found.rows] == sorted((row.strength for row in found.rows), reverse=True)
    assert all(row.direction >= 0.5 for row in found.rows)
    for row in found.rows:
        both = found.direction(row.parent, row.child) + found.direction(row.child, row.parent)
        assert both == pytest.approx(1.0)


def test_pairs_without_a_direction_make_no_new_parents_meet():
    tree = {(0, 2): (0, 0, 10), (1, 2): (1, 0, 9), (2, 3): (0, 0, 9), (3, 4): (0, 1, 9)}
    graph = strengths(tree, 5, 10).consensus()
    assert not graph.equivalence_class().directed
    assert len(graph.edges) == 4
    ring = strengths({(0, 1): (9, 0, 0), (1, 2): (8, 0, 0), (0, 2): (0, 7, 0)}, 3, 10)
    assert ring.consensus().edges == (("a", "b"), ("a", "c"), ("b", "c"))


def test_it_is_a_mapping_printed_and_framed():
    found = strengths({(0, 1): (10, 0, 0), (1, 2): (0, 6, 2), (0, 2): (0, 0, 3)}, 4, 10)
    assert list(found) == [("a", "b"), ("c", "b"), ("a", "c")]
    assert dict(found) == {("a", "b"): 1.0, ("c", "b"): 0.8, ("a", "c"): 0.3}
    assert found["a", "d"] == 0.0
    assert np.isnan(found.direction("a", "d"))
    assert found.threshold == 0.3
    assert found.direction("c", "b") == 0.875
    assert repr(found).splitlines()[:-1] == [
        "10 graphs, each learnt from a bootstrap sample",
        "  arc     strength  direction",
        "  a -> b     1.000      1.000  nearly all graphs, this way",
        "  c -> b     0.800      0.875  most graphs, rather this way",
        "  a - c      0.300      0.500  too few graphs",
        "the consensus has 2 arcs: those with a strength above 0.3",
        STEADY,
    ]
    assert list(found.frame().columns) == ["from", "to", "strength", "direction"]
    assert found.to_dict()["arcs"][1] == {"from": "c", "to": "b", "strength": 0.8, "direction": 0.875}
    assert found.get(("a", "x")) is None
    assert repr(strengths({}, 2, 5)) == "5 graphs, each learnt from a bootstrap sample: no arc in any of them"
    assert strengths({}, 1, 5).consensus().edges == ()
    for bad in [("a", "bb"), "ab", ("a",), 3]:
        with pytest.raises(KeyError, match="O544"):
            found[bad]


@pytest.mark.parametrize("bad", [-0.1, 1.1, "0.5", True, float("nan")])
def test_thresholds_that_are_no_shares(bad: object):
    with pytest.raises(OptionError, match="O545"):
        strengths({(0, 1): (1, 0, 0)}, 2, 1).consensus(bad)


@pytest.mark.parametrize(
    ("options", "code"),
    [({"bootstrap": 0}, "O546"), ({"bootstrap": 1.5}, "O546"), ({"threads": 0}, "O547"), ({"seed": -1}, "O475")],
)
def test_options_that_cannot_be(options: dict[str, object], code: str):
    with pytest.raises(LikelyError, match=code):
        bootstrap_arcs(chain(5), best, no_rules(3), **options)
    with pytest.raises(LikelyError, match="O548"):
        bootstrap_arcs(coded_rows(np.zeros((0, 3))), best, no_rules(3))
