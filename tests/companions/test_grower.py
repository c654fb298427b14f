"""Trees are those of a plain recursion over rows, of scikit-learn where both apply, and of the published tables."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import likely
from likely.companions.trees.grower import Growth, Presorted, grow, grown
from likely.companions.trees.tree import Tree
from likely.core.block import Block
from likely.core.schema import Column, Schema

MELONS = Path(__file__).resolve().parents[3] / "shared" / "data" / "watermelon3.csv"
CLOSE = 1e-9


def schema_of(numbers: int, levels: tuple[int, ...] = (), classes: int = 2) -> Schema:
    """So many numbers, then categories of so many levels."""
    reals = tuple(Column(f"x{at}", "real") for at in range(numbers))
    words = tuple(Column(f"c{at}", "category", tuple(range(many))) for at, many in enumerate(levels))
    return Schema(reals + words, Column("y", "category", levels=tuple(range(classes))))


def block_of(reals: np.ndarray, cells: np.ndarray, codes: np.ndarray | None = None, **more: np.ndarray) -> Block:
    codes = np.empty((len(reals), 0), dtype=np.uint8) if codes is None else codes
    return Block(len(reals), codes, reals, cells=cells.astype(np.int32), **more)


def leaf_loss(tree: Tree, criterion: str) -> float:
    """The impurity that the leaves leave, by their weight."""
    counts = tree.counts[tree.leaf]
    weight = counts.sum(axis=1)
    parts = counts / np.where(weight > 0, weight, 1)[:, None]
    if criterion == "gini":
        return float((weight * (1 - (parts**2).sum(axis=1))).sum())
    return float(-(weight * (parts * np.log2(np.where(parts > 0, parts, 1))).sum(axis=1)).sum())


# --- a plain recursion -------------------------------------------------------------------------------------------


def impurity(criterion: str, marks: np.ndarray, weights: np.ndarray) -> float:
    """The weight times the impurity."""
    total = weights.sum()
    if total == 0:
        return 0.0
    if criterion == "squared":
        return float((weights * (marks - (weights * marks).sum() / total) ** 2).sum())
    if criterion == "absolute":
        return float(min((weights * np.abs(marks - middle)).sum() for middle in marks))
    parts = np.array([weights[marks == mark].sum() for mark in np.unique(marks)]) / total
    parts = parts[parts > 0]
    return float(total * (1 - (parts**2).sum() if criterion == "gini" else -(parts * np.log2(parts)).sum()))


def branched(values: np.ndarray, cut: float | None, many: int) -> np.ndarray:
    """The branch of each value, -1 for a hole."""
    if cut is None:
        return np.where(values < many, values, -1).astype(int)
    return np.where(np.isnan(values), -1, values > cut).astype(int)


def slowly(columns, marks, weights, criterion, least=1, depth=99, used=()):
    """A nested (column, cut, [children], gain), or None at a leaf; columns: (values, levels or None)."""
    whole = impurity(criterion, marks, weights)
    if depth == 0 or weights.sum() < 2 - CLOSE or whole <= 1e-12:
        return None
    if criterion not in ("squared", "absolute") and weights.sum() - np.bincount(marks, weights).max() <= 0.5:
        return None  # parts of rows that have holes, and of less than half a row
    found = []
    for at, (values, many) in enumerate(columns):
        if at in used:
            continue
        known = values < many if many else ~np.isnan(values)
        distinct = np.unique(values[known & (weights > 0)])
        cuts = [None] if many else [(low + high) / 2 for low, high in pairwise(distinct)]
        inner = []
        for cut in cuts:
            branch = branched(values, cut, many or 2)
            sizes = np.array([weights[branch == one].sum() for one in range(many or 2)])
            if (sizes >= least - 1e-6).sum() < 2:
                continue
            parts = sum(impurity(criterion, marks[branch == one], weights[branch == one]) for one in range(many or 2))
            inner.append((impurity(criterion, marks[known], weights[known]) - parts, cut, branch, sizes))
        best = next((one for one in inner if one[0] >= max(i[0] for i in inner) - CLOSE), None)
        if best is not None:
            bags = np.append(best[3], weights.sum() - best[3].sum()) / weights.sum()
            information = -sum(bag * np.log2(bag) for bag in bags if bag > 1e-12)
            found.append((best[0] / weights.sum(), information, at, best))
    if not found:
        return None
    score = [gain for gain, *_ in found]
    if criterion == "gain-ratio":
        mean = np.mean(score)
        score = [gain / bits if gain >= mean - CLOSE else -1.0 for gain, bits, *_ in found]
    gain, _, at, (_, cut, branch, sizes) = found[next(i for i, one in enumerate(score) if one >= max(score) - CLOSE)]
    used = used if cut is not None else (*used, at)
    children = []
    for one in range(len(sizes)):
        mine = weights * np.where(branch == one, 1.0, np.where(branch < 0, sizes[one] / sizes.sum(), 0.0))
        some = mine > 0
        below = [(values[some], many) for values, many in columns]
        children.append(slowly(below, marks[some], mine[some], criterion, least, depth - 1, used))
    return at, cut, children, gain


def agrees(tree: Tree, node: int, plain) -> bool:
    if plain is None or tree.children[node] == 0:
        return plain is None and tree.children[node] == 0
    at, cut, children, _ = plain
    if tree.column[node] != at or (cut is not None and not np.isclose(tree.threshold[node], cut)):
        return False
    return all(agrees(tree, tree.first[node] + one, child) for one, child in enumerate(children))


@settings(derandomize=True, deadline=None, max_examples=60)
@given(
    st.integers(0, 10**6),
    st.sampled_from(["gini", "entropy", "gain-ratio", "squared", "absolute"]),
    st.integers(1, 2),
    st.booleans(),
)
def test_the_tree_of_a_plain_recursion(seed, criterion, least, holes):
    rng = np.random.default_rng(seed)
    rows, classes = int(rng.integers(6, 26)), int(rng.integers(2, 4))
    reals, codes = rng.normal(size=(rows, 2)).round(1), rng.integers(0, 3, (rows, 2)).astype(np.uint8)
    if holes:
        reals[rng.random(reals.shape) < 0.2] = np.nan
        codes[rng.random(codes.shape) < 0.2] = 3
    cells = rng.integers(0, classes, rows)
    schema, amounts = schema_of(2, (3, 3), classes), rng.normal(size=rows)
    block = block_of(reals, cells, codes)
    marks = cells
    if criterion in ("squared", "absolute"):
        schema, marks = Schema(schema.columns, Column("y", "real", ("all rows",))), amounts
        block = block_of(reals, np.zeros(rows), codes, amounts=amounts)
    tree = grow(Presorted.of(schema, block), block, Growth(criterion, max_depth=3, min_samples_leaf=least))
    columns = [*((column, None) for column in reals.T), *((column.astype(float), 3) for column in codes.T)]
    # of equal splits rounding may take another in a plain sum: gains then are the same
    plain = slowly(columns, marks, np.ones(rows), criterion, least, 3)
    assert agrees(tree, 0, plain)


# --- scikit-learn ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_numbers_without_ties_give_the_tree_of_scikit_learn(classes, criterion):
    rng = np.random.default_rng(classes)
    X = rng.normal(size=(400, 4))
    y = (X[:, 0] + X[:, 1] ** 2 + rng.normal(size=400) > 0.5) + (X[:, 2] > 0.3) * (classes > 2)
    block, schema = block_of(X, y), schema_of(4, classes=classes)
    presorted = Presorted.of(schema, block)
    for depth, least, weights in ((1, 1, None), (4, 1, None), (4, 7, None), (4, 1, rng.random(400) + 0.1)):
        tree = grow(presorted, block, Growth(criterion, max_depth=depth, min_samples_leaf=least), weights)
        peer = DecisionTreeClassifier(criterion=criterion, max_depth=depth, min_samples_leaf=least, random_state=0)
        theirs = peer.fit(X, y, sample_weight=weights).tree_
        left = theirs.children_left < 0
        lost = float((theirs.impurity * theirs.weighted_n_node_samples)[left].sum())
        assert leaf_loss(tree, criterion) == pytest.approx(lost, rel=1e-9)
        assert tree.threshold[0] == pytest.approx(theirs.threshold[0])
        assert tree.column[0] == theirs.feature[0]


@pytest.mark.parametrize(("criterion", "theirs"), [("squared", "squared_error"), ("absolute", "absolute_error")])
def test_amounts_give_the_tree_of_scikit_learn(criterion, theirs):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(200, 3))
    y = 2 * X[:, 0] + rng.normal(size=200) + 1e3
    for weights in (None, rng.integers(0, 4, 200).astype(float)):
        model = likely.RegressionTree(criterion=criterion, max_depth=3).fit(X, y, sample_weight=weights)
        peer = DecisionTreeRegressor(criterion=theirs, max_depth=3, random_state=0).fit(X, y, sample_weight=weights)
        mine = np.ones(200) if weights is None else weights
        away, power = [np.abs(one.predict(X) - y) for one in (model, peer)], 2 if criterion == "squared" else 1
        # of equal cuts scikit-learn draws one, so that single rows may fare differently
        assert (mine * away[0] ** power).sum() == pytest.approx((mine * away[1] ** power).sum(), rel=1e-9)
        assert model.tree_.threshold[0] == pytest.approx(peer.tree_.threshold[0])


def test_a_weight_is_a_row_repeated_and_a_row_of_no_weight_is_not_there():
    rng = np.random.default_rng(7)
    X, y, times = rng.normal(size=(60, 3)).round(1), rng.integers(0, 2, 60), rng.integers(0, 3, 60)
    schema, at = schema_of(3), np.repeat(np.arange(60), times)
    block, many = block_of(X, y), block_of(X[at], y[at])
    for criterion in ("gini", "entropy", "gain-ratio", "c4.5"):
        growth = Growth(criterion, min_samples_leaf=2)
        one = grow(Presorted.of(schema, block), block, growth, times.astype(float))
        other = grow(Presorted.of(schema, many), many, growth)
        np.testing.assert_array_equal(one.column, other.column)
        np.testing.assert_array_equal(one.threshold, other.threshold)
        np.testing.assert_allclose(one.counts, other.counts)


# --- published values --------------------------------------------------------------------------------------------


@pytest.mark.skipif(not MELONS.exists(), reason="the shared tables are not here")
def test_gains_of_the_watermelons():
    import pandas as pd

    frame = pd.read_csv(MELONS)
    gains = likely.DecisionTree(criterion="gain-ratio").fit(frame.drop(columns="good"), frame["good"]).gains_
    found = dict(zip(gains.names, zip(gains.gain, gains.ratio, gains.threshold, strict=True), strict=True))
    published = {
        "color": (0.1081, 0.0684),
        "root": (0.1427, 0.1018),
        "sound": (0.1408, 0.1056),
        "texture": (0.3806, 0.2631),
        "navel": (0.2892, 0.1867),
        "touch": (0.0060, 0.0069),
    }
    for name, (gain, ratio) in published.items():
        assert found[name][:2] == pytest.approx((gain, ratio), abs=5e-5)
    assert (found["density"][0], found["density"][2]) == pytest.approx((0.2624, 0.3815), abs=5e-5)
    assert (found["sugar"][0], found["sugar"][2]) == pytest.approx((0.3493, 0.126), abs=5e-5)
    assert "texture" in repr(gains)


# --- holes, ties and edges ---------------------------------------------------------------------------------------


def test_parts_of_rows_add_up_to_the_rows():
    rng = np.random.default_rng(11)
    reals, codes = rng.normal(size=(200, 3)), rng.integers(0, 4, (200, 2)).astype(np.uint8)
    reals[rng.random(reals.shape) < 0.3] = np.nan
    codes[rng.random(codes.shape) < 0.3] = 4
    block, schema = block_of(reals, rng.integers(0, 3, 200), codes), schema_of(3, (4, 4), 3)
    tree = grow(Presorted.of(schema, block), block, Growth("entropy"))
    inner = np.flatnonzero(~tree.leaf)
    for node in inner:
        sons = tree.sons(np.array([node]))
        np.testing.assert_allclose(tree.counts[sons].sum(axis=0), tree.counts[node])
        assert tree.share[sons].sum() == pytest.approx(1.0)
    np.testing.assert_allclose(tree.counts[tree.leaf].sum(axis=0), np.bincount(block.cells))


def test_holes_that_are_evidence_have_a_branch_of_their_own():
    x = np.array([[1.0], [2.0], [1.5], [np.nan], [np.nan], [np.nan]])
    y = np.array([0, 0, 0, 1, 1, 1])
    block = block_of(np.column_stack([x, x[::-1]]), y)
    tree = grow(Presorted.of(schema_of(2), block), block, Growth(missing="informative"))
    assert tree.children[0] == 3
    assert tree.holed(schema_of(2))[0]
    assert tree.counts[tree.first[0] + 2].tolist() == [0.0, 3.0]


def test_of_equal_splits_the_first_column_and_the_lowest_threshold():
    x = np.array([[1.0, -1.0], [2.0, -2.0], [3.0, -3.0], [4.0, -4.0]])
    block = block_of(x, np.array([0, 1, 1, 0]))
    tree = grow(Presorted.of(schema_of(2), block), block, Growth(max_depth=1))
    assert (tree.column[0], tree.threshold[0]) == (0, 1.5)


def test_a_split_that_gains_nothing_yet_may_lead_on():
    x = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    block = block_of(x, np.array([0, 1, 1, 0]))
    presorted = Presorted.of(schema_of(2), block)
    assert leaf_loss(grow(presorted, block, Growth()), "gini") == 0.0
    assert grow(presorted, block, Growth(min_gain=1e-9)).nodes == 1
    assert grow(presorted, block, Growth("c4.5")).nodes == 1


def test_values_next_to_each_other_are_told_apart():
    low = 1.0
    x = np.array([[low], [np.nextafter(low, 2)]])
    block = block_of(x, np.array([0, 1]))
    tree = grow(Presorted.of(schema_of(1), block), block, Growth())
    assert tree.threshold[0] == low
    assert tree.counts[1:].tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_nothing_to_split():
    block = block_of(np.full((5, 1), 3.0), np.array([0, 1, 0, 1, 1]))
    tree, gains = grown(Presorted.of(schema_of(1), block), block, Growth())
    assert (tree.nodes, tree.depth) == (1, 0)
    assert np.isnan(gains.gain).all()
    pure = block_of(np.arange(4.0)[:, None], np.zeros(4))
    assert grow(Presorted.of(schema_of(1), pure), pure, Growth()).nodes == 1


def test_threads_do_not_matter():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(20_000, 6))
    block, schema = block_of(X, X[:, 0] * X[:, 1] + rng.normal(size=20_000) > 0), schema_of(6)
    presorted = Presorted.of(schema, block)
    one, two = (grow(presorted, block, Growth(max_depth=5), threads=threads) for threads in (1, 2))
    np.testing.assert_array_equal(one.threshold, two.threshold)
    np.testing.assert_array_equal(one.counts, two.counts)


# --- parts of rows -------------------------------------------------------------------------------------------------


def holed_words(rows: int, levels: int, columns: int) -> tuple[Schema, Block]:
    rng = np.random.default_rng(0)
    codes = np.where(rng.random((rows, columns)) < 0.4, levels, rng.integers(0, levels, (rows, columns)))
    cells = ((codes[:, 0] + codes[:, 1] + rng.integers(0, 3, rows)) % 2).astype(np.int32)
    schema = schema_of(0, (levels,) * columns)
    return schema, Block(rows, codes.astype(np.uint8), np.empty((rows, 0)), cells=cells)


@pytest.mark.parametrize("criterion", ["gini", "squared", "absolute"])
def test_parts_of_rows_do_not_pile_up(criterion, monkeypatch):
    """However few parts there may be, nothing of any row gets lost, and the tree is nearly the same."""
    schema, block = holed_words(600, 12, 4)
    if criterion != "gini":
        schema = Schema(schema.columns, Column("y", "real", ("all rows",)))
        block = Block(block.rows, block.codes, block.reals, amounts=block.cells.astype(float) * 3 - 1)
    trees = {}
    for parts, each in ((1 << 21, 4), (1, 1)):
        monkeypatch.setattr("likely.companions.trees.grower.MOST_PARTS", parts)
        monkeypatch.setattr("likely.companions.trees.grower.MOST_PARTS_A_ROW", each)
        trees[parts] = tree = grow(Presorted.of(schema, block), block, Growth(criterion))
        weight = tree.counts.sum(axis=1) if criterion == "gini" else tree.counts[:, 0]
        inner = np.flatnonzero(~tree.leaf)
        below = [weight[tree.sons(np.array([node]))].sum() for node in inner]
        np.testing.assert_allclose(below, weight[inner], rtol=1e-9)
    assert trees[1].column[0] == trees[1 << 21].column[0]


def test_many_holes_in_long_categories_need_little_memory():
    import tracemalloc

    schema, block = holed_words(4000, 100, 4)
    presorted = Presorted.of(schema, block)
    grow(presorted, block, Growth(max_depth=1))
    tracemalloc.start()
    grow(presorted, block, Growth())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 80e6


def test_a_leaf_of_zeros_is_zero():
    amounts = np.r_[np.zeros(20), np.ones(20), 50.0]
    model = likely.RegressionTree().fit(np.repeat([0.0, 1.0, 5.0], [20, 20, 1])[:, None], amounts)
    assert model.predict([[0.0], [1.0]]).tolist() == [0.0, 1.0]
