"""Scores of families from rows: toggled as asked one by one, holes by the formula, what is kept bounded."""

from __future__ import annotations

from itertools import chain, combinations
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likely
import likely.networks.structure.row_codes as rows_module
import likely.networks.structure.scorer as module
from likely.core.schema import Column, Schema
from likely.data.level_rows import ALL_IN_ONE_CELL
from likely.networks.structure.network_prior import expert_of
from likely.networks.structure.row_codes import Coded
from likely.networks.structure.scorer import RowScorer
from likely.networks.structure.streamed_rows import Streamed
from likely.structures.search.score_names import GRAPH_SCORES, read_score

from .oracles import gum

SIZES = (2, 3, 1, 4, 2)
WAYS = {
    "whole": {},
    "holes": {"holes": 0.15},
    "weighted": {"weighted": True},
    "both": {"holes": 0.15, "weighted": True},
}


def table(seed=0, rows=200, holes=0.0, weighted=False, sizes=SIZES):
    """Rows in which each node leans on the one before it."""
    draw = np.random.default_rng(seed)
    codes = draw.integers(0, sizes, (rows, len(sizes)))
    for at in range(1, len(sizes)):
        codes[:, at] = np.where(draw.random(rows) < 0.5, codes[:, at - 1] % sizes[at], codes[:, at])
    codes = np.where(draw.random(codes.shape) < holes, sizes, codes).astype(np.uint8)
    names = tuple(f"n{at}" for at in range(len(sizes)))
    return Coded(names, tuple(tuple(range(size)) for size in sizes), codes, draw.random(rows) * 3 if weighted else None)


def families(nodes=5):
    for node in range(nodes):
        others = [at for at in range(nodes) if at != node]
        yield from ((node, mine) for mine in chain(*(combinations(others, size) for size in range(nodes))))


def counts(coded, node, parents):
    """(cells, levels) of the rows that have all of them, cell by cell."""
    nodes = [*parents, node]
    sizes = [coded.sizes[at] for at in nodes]
    out, codes = np.zeros(sizes), coded.codes[:, nodes].astype(np.int64)
    whole = (codes < sizes).all(axis=1)
    weights = np.ones(coded.rows) if coded.weights is None else coded.weights
    np.add.at(out, tuple(codes[whole].T), weights[whole])
    return out.reshape(-1, coded.sizes[node])


def told(coded, kind, node, parents):
    """What the docs say of rows with holes: what parents tell, of the rows that have all, scaled up to all rows."""

    def of(mine):
        return kind.of(mine, len(mine), float(mine.sum()))

    with_, alone = counts(coded, node, parents), counts(coded, node, ())
    here = with_.sum(axis=0, keepdims=True)
    up, up_alone = (coded.weight / mine.sum() if mine.sum() else 0.0 for mine in (with_, alone))
    return (of(with_) - of(here)) * up + of(alone) * up_alone


@pytest.fixture
def bounds(request, monkeypatch):
    """Tables of few entries, and cells that are many when there are few."""
    if request.param == "tiny":
        monkeypatch.setattr(rows_module, "MOST_COUNTS_AT_ONCE", 30)
        monkeypatch.setattr(rows_module, "CELLS_ALWAYS_KEPT", 1)
        monkeypatch.setattr(rows_module, "ROWS_OF_A_KEPT_CELL", 1000)
        monkeypatch.setattr(rows_module, "MOST_CELLS_LOOKED_UP", 4)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("kind", "bounds"),
    [*((kind, "as they are") for kind in GRAPH_SCORES), ("bic", "tiny"), ("bdeu", "tiny"), ("fnml", "tiny")],
    indirect=["bounds"],
)
def test_scores_are_those_of_counts(kind, way, bounds):
    coded, judge = table(**WAYS[way]), read_score(kind, strength=2.0)
    scorer, every = RowScorer(coded, judge), [family for family in families() if family[0] in (0, 1, 2)]
    want = np.array([told(coded, judge, *family) for family in every])
    np.testing.assert_allclose([scorer.score(*family) for family in every], want, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(RowScorer(coded, judge).scores(every), want, rtol=1e-9, atol=1e-9)
    one_by_one = dict(zip(every, want.tolist(), strict=True))
    for asked in (scorer, RowScorer(coded, judge)):
        for node, parents in every:
            row = asked.toggled(node, parents)
            assert row[node] == -np.inf
            for other in range(len(SIZES)):
                if other != node:
                    both = one_by_one[node, tuple(sorted({*parents} ^ {other}))]
                    assert row[other] == pytest.approx(both, rel=1e-9, abs=1e-8)
        np.testing.assert_allclose([asked.score(*family) for family in every], want, rtol=1e-9, atol=1e-8)


@pytest.mark.parametrize("way", WAYS)
def test_a_prior_network_is_asked_for_every_family(way):
    coded = table(**WAYS[way])
    blank = likely.Network(
        {name: [1 / len(own)] * len(own) for name, own in zip(coded.names, coded.levels, strict=True)},
        levels=dict(zip(coded.names, coded.levels, strict=True)),
    )
    scorer = RowScorer(coded, expert_of(blank, coded.names, coded.levels, 2.0))
    even = RowScorer(coded, read_score("bdeu", 2.0))
    for family in families():
        np.testing.assert_allclose(scorer.toggled(*family), even.toggled(*family), rtol=1e-9, atol=1e-8)
        assert scorer.score(*family) == pytest.approx(even.score(*family), abs=1e-8)


@settings(derandomize=True, deadline=None, max_examples=30)
@given(
    st.integers(0, 9999),
    st.lists(st.integers(1, 5), min_size=1, max_size=4),
    st.integers(1, 40),
    st.sampled_from([0.0, 0.3, 0.9]),
    st.booleans(),
    st.sampled_from(GRAPH_SCORES),
)
def test_any_rows_are_scored(seed, sizes, rows, holes, weighted, kind):
    coded, judge = table(seed, rows, holes, weighted, tuple(sizes)), read_score(kind)
    scorer = RowScorer(coded, judge)
    for node, parents in families(len(sizes)):
        assert scorer.score(node, parents) == pytest.approx(told(coded, judge, node, parents), rel=1e-9, abs=1e-8)
        row = scorer.toggled(node, parents)
        for other in {*range(len(sizes))} - {node}:
            want = told(coded, judge, node, tuple(sorted({*parents} ^ {other})))
            assert row[other] == pytest.approx(want, rel=1e-9, abs=1e-8)


@pytest.mark.parametrize(
    ("kind", "theirs"),
    [("bic", "BIC"), ("log-likelihood", "Log2Likelihood"), ("k2", "K2")],
)
def test_pyagrum_finds_the_same_differences(kind, theirs, tmp_path):
    """They count in bits, and their logarithms of factorials are good to six digits."""
    coded = table(5, 300, sizes=(2, 3, 4, 2))
    text = [",".join(coded.names), *(",".join(f"l{code}" for code in row) for row in coded.codes.tolist())]
    (tmp_path / "rows.csv").write_text("\n".join(text))
    net = gum.BayesNet()
    for name, own in zip(coded.names, coded.levels, strict=True):
        net.add(gum.LabelizedVariable(name, name, [f"l{at}" for at in own]))
    learner = gum.BNLearner(str(tmp_path / "rows.csv"), net)
    getattr(learner, f"useScore{theirs}")()
    scorer = RowScorer(coded, read_score(kind))
    for node, parents in families(4):
        mine = scorer.score(node, parents) - scorer.score(node, ())
        other = learner.score(coded.names[node], [coded.names[at] for at in parents])
        other -= learner.score(coded.names[node], [])
        assert mine == pytest.approx(other * np.log(2), rel=1e-6, abs=1e-6)


def test_a_node_that_is_never_seen_beside_another_tells_nothing_of_it():
    codes = np.array([[0, 2], [1, 2], [2, 0], [2, 1], [0, 2]], dtype=np.uint8)
    scorer = RowScorer(Coded(("a", "b"), ((0, 1), (0, 1)), codes), read_score("bic"))
    assert scorer.score(0, (1,)) == scorer.score(0, ())
    assert scorer.toggled(0, ())[1] == scorer.score(0, ())


def test_scaling_all_weights_scales_what_holes_leave():
    """Half of the rows gone at random: the score is about as if they were there."""
    whole = table(1, 40_000)
    gone = np.random.default_rng(0).random(len(whole.codes)) < 0.5
    codes = whole.codes.copy()
    codes[gone, 3] = SIZES[3]
    holes = RowScorer(Coded(whole.names, whole.levels, codes), read_score("log-likelihood"))
    every = RowScorer(whole, read_score("log-likelihood"))
    for family in [(3, ()), (3, (1,)), (4, (3,)), (3, (1, 4))]:
        assert holes.score(*family) == pytest.approx(every.score(*family), rel=0.01)


def test_whether_scores_are_the_same_for_a_class():
    for kind, same in (("bic", True), ("bdeu", True), ("k2", False), ("fnml", False), ("qnml", True)):
        scorer = RowScorer(table(), read_score(kind))
        assert scorer.equivalent == same
        there, back = (scorer.score(1, (3,)) + scorer.score(3, ()), scorer.score(3, (1,)) + scorer.score(1, ()))
        assert (there == pytest.approx(back, abs=1e-8)) == same
        assert not RowScorer(table(holes=0.1), read_score(kind)).equivalent


def test_what_a_free_number_costs():
    weight = table(weighted=True).weight
    for kind, price in (
        ("bic", 0.5 * np.log(weight)),
        ("mdl", 0.5 * np.log(weight)),
        ("aic", 1.0),
        ("log-likelihood", 0.0),
    ):
        scorer, fit = (RowScorer(table(weighted=True), read_score(name)) for name in (kind, "log-likelihood"))
        assert scorer.price == pytest.approx(price)
        assert RowScorer(table(holes=0.1), read_score(kind)).price is None
        for node, parents in families():
            free = prod(SIZES[at] for at in parents) * (SIZES[node] - 1)
            assert scorer.score(node, parents) == pytest.approx(fit.score(node, parents) - price * free, abs=1e-8)
    for kind in ("bdeu", "k2", "jeffreys", "fnml", "qnml"):
        assert RowScorer(table(), read_score(kind)).price is None


@pytest.mark.parametrize("kind", ["bic", "aic", "log-likelihood", "bdeu"])
def test_sets_of_nodes_have_scores_whose_differences_are_those_of_families(kind):
    scorer = RowScorer(table(), read_score(kind, strength=2.0))
    assert scorer.joint is not None
    sets = np.arange(1 << len(SIZES))
    found = scorer.joint(sets)
    assert found[0] == pytest.approx(0.0, abs=1e-9)
    for node, parents in families():
        above = sum(1 << at for at in parents)
        assert found[above | 1 << node] - found[above] == pytest.approx(scorer.score(node, parents), abs=1e-8)
    some = np.array([1, 6, 9, 31])
    np.testing.assert_allclose(scorer.joint(some), found[some], atol=1e-9)
    np.testing.assert_allclose(scorer.joint(np.array([5])), found[[5]], atol=1e-9)


@pytest.mark.parametrize(
    ("kind", "way"), [("k2", {}), ("fnml", {}), ("bic", {"holes": 0.1}), ("bic", {"weighted": True})]
)
def test_sets_have_no_scores_where_only_families_have(kind, way):
    assert RowScorer(table(**way), read_score(kind)).joint is None


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["bic", "bdeu", "fnml"])
def test_streamed_rows_have_the_scores_of_rows_in_memory(kind, way):
    coded = table(**WAYS[way])
    pairs = zip(coded.names, coded.levels, strict=True)
    schema = Schema(tuple(Column(name, "category", own, own, fixed=True) for name, own in pairs), ALL_IN_ONE_CELL)
    one, other = (RowScorer(rows, read_score(kind)) for rows in (coded, Streamed(coded, schema)))
    assert other.sizes == one.sizes
    assert other.weight == pytest.approx(one.weight)
    assert (other.equivalent, other.price is None) == (one.equivalent, one.price is None)
    assert other.joint is None
    some = [(0, ()), (1, (0,)), (3, (0, 1)), (1, (0, 3, 4)), (2, (1,)), (4, (2, 3))]
    np.testing.assert_allclose(other.scores(some), one.scores(some), rtol=1e-12)
    other.prefetch(some)
    for family in some:
        np.testing.assert_allclose(other.toggled(*family), one.toggled(*family), rtol=1e-9)
        np.testing.assert_allclose(other.coded.counts(*family), one.coded.counts(*family), rtol=1e-12)
    crossed, starts = other.crossed(3, [0, 4], (1,))
    for start, at in zip(starts.tolist(), (0, 4), strict=True):
        want = counts(coded, at, (1, 3)).reshape(SIZES[1], SIZES[3], SIZES[at])
        np.testing.assert_allclose(crossed[:, :, start : start + SIZES[at]], want, atol=1e-12)


def test_what_was_asked_once_is_not_counted_again(monkeypatch):
    scorer, asked = RowScorer(table(), read_score("bic")), []
    seen, beside = Coded.seen, Coded.beside
    monkeypatch.setattr(Coded, "seen", lambda *args: asked.append("seen") or seen(*args))
    monkeypatch.setattr(Coded, "beside", lambda *args: asked.append("beside") or beside(*args))
    row = scorer.toggled(1, (0,))
    asked.clear()
    assert scorer.toggled(1, (0,)) is row
    assert [scorer.score(1, tuple(sorted({0, at}))) for at in (2, 3, 4)] == row[2:].tolist()
    assert scorer.score(1, ()) == row[0]
    assert not asked
    families_ = [(0, (1,)), (0, (1,)), (3, ()), (1, (0, 4))]
    first = scorer.scores(families_)
    asked.clear()
    assert (scorer.scores(families_) == first).all()
    assert not asked


def test_prefetched_rows_are_those_of_toggled(monkeypatch):
    for way in WAYS.values():
        one, other = (RowScorer(table(**way), read_score("bdeu")) for _ in range(2))
        wanted = [(0, ()), (1, (0, 3)), (4, (1,)), (3, (0, 1, 4))]
        one.prefetch(wanted)
        monkeypatch.setattr(Coded, "beside", None)  # nothing is left to count
        found = [one.toggled(*family) for family in wanted]
        monkeypatch.undo()
        for row, family in zip(found, wanted, strict=True):
            np.testing.assert_allclose(row, other.toggled(*family), rtol=1e-12)
        one.prefetch([])
        one.prefetch(wanted)


def test_what_is_kept_is_bounded(monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES_OF_SCORES", 8 * len(SIZES) * 7)
    monkeypatch.setattr(module, "MOST_SCORES_KEPT", 11)
    scorer, free = RowScorer(table(), read_score("bic")), RowScorer(table(), read_score("bic"))
    for family in families():
        scorer.toggled(*family)
        scorer.score(*family)
        assert len(scorer.rows) <= 7
        assert len(scorer.single) <= 11
    every = list(families())
    scorer.prefetch(every)
    assert len(scorer.rows) <= 7
    np.testing.assert_allclose(scorer.scores(every), free.scores(every), rtol=1e-12)
    assert len(scorer.single) <= 11


def test_the_row_asked_longest_ago_goes_first(monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES_OF_SCORES", 8 * len(SIZES) * 2)
    scorer = RowScorer(table(), read_score("bic"))
    scorer.toggled(0, ())
    scorer.toggled(1, ())
    scorer.toggled(0, ())
    scorer.toggled(3, ())
    assert list(scorer.rows) == [(0, ()), (3, ())]


@pytest.mark.parametrize("way", WAYS)
def test_others_are_crossed_with_a_node(way):
    coded = table(**WAYS[way])
    scorer = RowScorer(coded, read_score("bic"))
    for node, others, given_ in [(0, [1, 3], ()), (3, [0], (1, 4)), (4, [3, 0, 2], (1,))]:
        cells, starts = scorer.crossed(node, others, given_)
        for start, other in zip(starts.tolist(), others, strict=True):
            want = counts(coded, other, (*given_, node)).reshape(-1, SIZES[node], SIZES[other])
            np.testing.assert_allclose(cells[:, :, start : start + SIZES[other]], want, atol=1e-12)
    np.testing.assert_allclose(scorer.coded.counts(1, (0,)), counts(coded, 1, (0,)), atol=1e-12)
