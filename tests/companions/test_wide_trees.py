"""Trees on wide tables: the work of a level is asked for at once, and columns that say nothing are let go."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import likely.companions.trees.candidate_splits as cuts
import likely.companions.trees.grower as growing
import likely.companions.trees.open_nodes as fronts
from likely.companions.trees.grower import Growth, Presorted, grow
from likely.companions.trees.traversal import leaf_values
from likely.core import threads
from likely.core.block import Block
from likely.core.schema import Column, Schema
from likely.data import open_source

ROWS, WIDE, CLASSES = 400, 300, 4


def pixels(classes=CLASSES, seed=0):
    """Columns of few values, most of them zero, some of them always."""
    rng = np.random.default_rng(seed)
    X = rng.integers(1, 3, (ROWS, WIDE)) * (rng.random((ROWS, WIDE)) < rng.random(WIDE) * 0.6)
    X[:, ::10] = 0
    return X.astype(float), ((X[:, 1] + X[:, 2] + (X[:, 3] > 1) * 2 + rng.integers(0, 2, ROWS)) % classes).astype(
        np.int32
    )


def of(X, y, codes=None):
    codes = np.empty((len(X), 0), dtype=np.uint8) if codes is None else codes
    columns = [Column(f"x{at}", "real") for at in range(X.shape[1])]
    columns += [Column(f"c{at}", "category", levels=(0, 1, 2)) for at in range(codes.shape[1])]
    kinds = {"cells": y} if y.dtype.kind == "i" else {"amounts": y}
    target = (
        Column("y", "category", levels=tuple(range(int(y.max()) + 1))) if y.dtype.kind == "i" else Column("y", "real")
    )
    return Schema(tuple(columns), target), Block(len(X), codes, X, **kinds)


def test_a_level_is_one_call_however_many_columns(monkeypatch):
    X, y = pixels()
    schema, block = of(X, y)
    calls, scan = [], cuts.scan_gini
    monkeypatch.setattr(cuts, "scan_gini", lambda *what: calls.append(scan(*what)))
    tree = grow(Presorted.of(schema, block), block, Growth(), threads=1)
    assert len(calls) <= tree.depth + 1


def test_what_has_one_value_at_a_node_is_not_looked_at_below(monkeypatch):
    X, y = pixels()
    codes = np.zeros((ROWS, 20), dtype=np.uint8)
    codes[:, 10:] = X[:, 1:11]
    schema, block = of(X, y, codes)
    fronts, ask = [], growing.best_splits
    monkeypatch.setattr(growing, "best_splits", lambda front, *what: (fronts.append(front), ask(front, *what))[1])
    grow(Presorted.of(schema, block), block, Growth(max_depth=6))
    assert len(fronts[0].orders) == ROWS * WIDE
    for front in fronts[1:]:
        assert not np.diff(front.spans[::10]).any()  # always zero
        assert not front.open[:, :10].any()
        sizes = np.diff(front.bounds)
        assert ((np.diff(front.spans) == 0) | (np.diff(front.spans) == sizes)).all()


@pytest.mark.parametrize("weights", [None, "whole", "real"])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "gain-ratio", "c4.5", "squared"])
def test_columns_that_never_change_make_no_difference(criterion, weights):
    X, y = pixels()
    rng = np.random.default_rng(2)
    mine = {None: None, "whole": rng.poisson(1.0, ROWS).astype(float), "real": rng.random(ROWS)}[weights]
    target = y if criterion != "squared" else X[:, :5].sum(axis=1)
    known = np.flatnonzero(np.arange(WIDE) % 10)
    trees = []
    for columns in (np.arange(WIDE), known):
        schema, block = of(np.ascontiguousarray(X[:, columns]), target)
        trees.append(grow(Presorted.of(schema, block), block, Growth(criterion), mine))
    one, other = trees
    assert (np.where(other.column >= 0, known[other.column], -1) == one.column).all()
    np.testing.assert_array_equal(one.threshold, other.threshold)
    np.testing.assert_array_equal(one.counts, other.counts)


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("flip", [False, True])  # the long run of one value is the first, or the last
@pytest.mark.parametrize("classes", [2, 4, 0])
def test_the_first_cut_of_long_runs_is_scikit_learns(classes, flip, weights):
    X, y = pixels(max(classes, 2), seed=classes)
    X = -X if flip else X
    X[:, 0] = np.arange(ROWS) // 3
    target = y if classes else X[:, 1] + 0.5 * X[:, 2]
    mine = np.random.default_rng(1).random(ROWS) if weights else None
    peer = DecisionTreeClassifier(max_depth=1) if classes else DecisionTreeRegressor(max_depth=1)
    peer.fit(X, target, sample_weight=mine)
    schema, block = of(X, target)
    tree = grow(Presorted.of(schema, block), block, Growth("gini" if classes else "squared", max_depth=1), mine)
    scale = 1.0 if mine is None else mine.sum() / tree.counts[0, : None if classes else 1].sum()
    assert tree.gain[0] * scale == pytest.approx(peer.tree_.impurity[0] - _left(peer), rel=1e-9)
    values = tree.counts / tree.counts.sum(axis=1, keepdims=True) if classes else tree.counts[:, 1:2]
    said = leaf_values(tree, schema, block, np.ascontiguousarray(values))
    np.testing.assert_allclose(said, peer.predict_proba(X) if classes else peer.predict(X)[:, None], rtol=1e-9)


def _left(peer):
    share = peer.tree_.weighted_n_node_samples[1:] / peer.tree_.weighted_n_node_samples[0]
    return float(share @ peer.tree_.impurity[1:])


def first_by_hand(scores, slack):
    """The place and the score of the first of the best, one score after the other."""
    place, best = -1, np.nan
    for at, score in enumerate(scores):
        bar = (slack if slack > 0 else -np.inf) if place < 0 else best + max(cuts.EQUAL_SCORE_RATIO * abs(best), slack)
        if score > bar:
            place, best = at, score
    return place, best


@pytest.mark.parametrize("slack", [0.0, 1e-6, 0.3])
def test_the_first_of_the_best_columns_is_taken_as_one_by_one(slack):
    rng = np.random.default_rng(0)
    score = rng.integers(-1, 4, (60, 200)) / 4 * (1 + rng.integers(-3, 4, (60, 200)) * 2.0**-37)
    score[rng.random(score.shape) < 0.3] = -np.inf
    score[:, :5], score[:, 5] = -np.inf, np.nan
    place, best = cuts._first_of_best(score, slack)
    told = [first_by_hand(column, slack) for column in score.T]
    assert place.tolist() == [at for at, _ in told]
    np.testing.assert_array_equal(best, [top for _, top in told])


def test_columns_of_few_levels_are_encoded_by_their_schema_once_not_for_each_block(calls):
    X = np.random.default_rng(0).integers(0, 3, (2_000, 50)).astype(float)
    source = open_source(X)
    schema = source.survey(dict.fromkeys(source.names, "category"))
    few, many = (list(source.tasks(schema, True, rows)) for rows in (1_000, 100))
    assert (len(few), len(many)) == (2, 20)
    assert calls(lambda: [task() for task in many]) < 20 * 50
    np.testing.assert_array_equal(np.concatenate([task().codes for task in many]), X)


def pairs():
    """Rows of columns of two levels, some of them missing: at nodes of many rows and of few."""
    rng = np.random.default_rng(4)
    codes = rng.integers(0, 2, (ROWS, 40)).astype(np.uint8)
    y = ((codes[:, 0] + 2 * codes[:, 1] + codes[:, 2] * codes[:, 3] + rng.integers(0, 2, ROWS)) % 4).astype(np.int32)
    codes[rng.random(codes.shape) < 0.03] = 2
    columns = [Column(f"c{at}", "category", levels=(0, 1)) for at in range(codes.shape[1])]
    schema = Schema((*columns,), Column("y", "category", levels=(0, 1, 2, 3)))
    return schema, Block(ROWS, codes, np.empty((ROWS, 0)), cells=y)


@pytest.mark.parametrize("missing", ["ignore", "informative"])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "gain-ratio", "c4.5"])
def test_columns_of_two_levels_are_split_as_where_rows_weigh_something(criterion, missing):
    """Rows without weights are counted another way; so are those of the root, before any is parted."""
    schema, block = pairs()
    growth = Growth(criterion, max_depth=None if criterion == "gini" else 1, missing=missing)
    presorted = Presorted.of(schema, block)
    one, other = grow(presorted, block, growth), grow(presorted, block, growth, np.full(ROWS, 4.0))
    np.testing.assert_array_equal(one.column[:3], other.column[:3])
    np.testing.assert_allclose(4 * one.counts[:3], other.counts[:3], rtol=1e-12)
    np.testing.assert_allclose(one.gain[0], other.gain[0], rtol=1e-9)


def test_columns_of_two_levels_are_split_as_scikit_learn_splits_them():
    schema, block = pairs()
    complete = np.ascontiguousarray(np.minimum(block.codes, 1))
    block = Block(ROWS, complete, block.reals, cells=block.cells)
    tree = grow(Presorted.of(schema, block), block, Growth(min_samples_leaf=10))
    peer = DecisionTreeClassifier(min_samples_leaf=10, random_state=0).fit(complete, block.cells)
    assert tree.gain[0] == pytest.approx(peer.tree_.impurity[0] - _left_of(peer), rel=1e-12)
    shares = tree.counts / tree.counts.sum(axis=1, keepdims=True)
    right = leaf_values(tree, schema, block, shares).argmax(axis=1) == block.cells
    assert right.mean() == pytest.approx(peer.score(complete, block.cells), abs=0.03)


def _left_of(peer):
    """The impurity of the two nodes below the root."""
    told, below = peer.tree_, [peer.tree_.children_left[0], peer.tree_.children_right[0]]
    return float(told.weighted_n_node_samples[below] @ told.impurity[below] / told.weighted_n_node_samples[0])


def test_work_that_is_done_sooner_than_it_is_handed_out_is_done_at_once(monkeypatch):
    X, y = pixels()
    codes = (X[:, :100] > 0).astype(np.uint8)
    schema, block = of(X, y, codes)
    presorted = Presorted.of(schema, block)
    alone = grow(presorted, block, Growth(), threads=1)

    def never(*what):
        raise AssertionError("a few entries were handed out to threads")

    monkeypatch.setattr(fronts, "in_threads", never)
    two = grow(presorted, block, Growth(), threads=2)
    np.testing.assert_array_equal(alone.column, two.column)
    np.testing.assert_array_equal(alone.counts, two.counts)


def test_many_entries_are_handed_out_in_few_pieces(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20_000, 100)), rng.integers(0, 2, 20_000).astype(np.int32)
    schema, block = of(X, y)
    presorted, given, ask = Presorted.of(schema, block), [], fronts.in_threads

    def seen(work, tasks, threads):
        given.append(len(tasks))
        return ask(work, tasks, threads)

    monkeypatch.setattr(fronts, "in_threads", seen)
    two = grow(presorted, block, Growth(max_depth=2), threads=2)
    assert given
    assert max(given) <= 2_000_000 // fronts.ENTRIES_WORTH_A_PIECE
    alone = grow(presorted, block, Growth(max_depth=2), threads=1)
    np.testing.assert_array_equal(alone.threshold, two.threshold)


def test_one_thread_needs_no_thread_of_its_own(monkeypatch):
    def never(*what):
        raise AssertionError("a thread was started for one")

    monkeypatch.setattr(threads, "_pool", never)
    taken = []
    found = threads.in_threads(lambda one: one * one, (taken.append(one) or one for one in range(5)), 1)
    assert next(found) == 0
    assert len(taken) == 2  # no more than are needed to see whether there are several
    assert list(found) == [1, 4, 9, 16]
