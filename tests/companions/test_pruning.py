"""Pruned trees: reduced errors against every pruning, C4.5's bound against its equation, scikit-learn's path."""

from __future__ import annotations

from itertools import chain, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import beta, norm
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from likely.companions.trees.cost_complexity import check_alpha, choose_alpha, weakest_links
from likely.companions.trees.pessimistic_pruning import pessimistic
from likely.companions.trees.reduced_error_pruning import held_losses, held_out_split, reduced_error
from likely.companions.trees.traversal import passages, sums_below
from likely.companions.trees.tree import Tree
from likely.core.block import Block
from likely.core.schema import Column, Schema
from likely.errors import LikelyError
from likely.kernels.trees.subtree_raising import feared

AMOUNT = Column("y", "real", ("all rows",))


def tree_of(model: Any) -> Tree:
    """A fitted tree of scikit-learn, a level after the other."""
    held, order, at = model.tree_, [0], 0
    while at < len(order):
        order += (
            [] if held.children_left[order[at]] < 0 else [held.children_left[order[at]], held.children_right[order[at]]]
        )
        at += 1
    nodes = np.array(order)
    place = {node: at for at, node in enumerate(order)}
    inner, weight = held.children_left[nodes] >= 0, held.weighted_n_node_samples[nodes]
    first = np.array([place.get(held.children_left[node], -1) for node in order], dtype=np.int32)
    counts = held.value[nodes][:, 0] * weight[:, None]
    if isinstance(model, DecisionTreeRegressor):
        counts = np.column_stack([weight, held.value[nodes][:, 0, 0], held.impurity[nodes] * weight])
    share = np.ones(len(nodes))
    for at in np.flatnonzero(inner):
        share[first[at] : first[at] + 2] = weight[first[at] : first[at] + 2] / weight[at]
    children = np.where(inner, 2, 0).astype(np.int32)
    column = np.where(inner, held.feature[nodes], -1).astype(np.int32)
    threshold = np.where(inner, held.threshold[nodes], np.nan)
    return Tree(column, threshold, first, children, counts, np.where(inner, 0.0, np.nan), share)


def schema_of(columns: int, classes: int) -> Schema:
    target = Column("y", "category", tuple(range(classes))) if classes else AMOUNT
    return Schema(tuple(Column(f"x{at}", "real") for at in range(columns)), target)


def block_of(X: Any, y: Any, amounts: bool = False) -> Block:
    codes = np.zeros((len(X), 0), dtype=np.uint8)
    if amounts:
        return Block(len(X), codes, X, cells=np.zeros(len(X), dtype=np.int32), amounts=np.asarray(y, dtype=float))
    return Block(len(X), codes, X, cells=np.asarray(y, dtype=np.int32))


def noise(seed: int, rows: int = 60, classes: int = 3, holes: bool = False) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    X = random.integers(0, 6, (rows, 3)).astype(float)
    y = np.where(random.random(rows) < 0.5, random.integers(0, classes, rows), (X[:, 0] > 2).astype(int))
    if holes:
        X[random.random(X.shape) < 0.15] = np.nan
    return X, y


def prunings(tree: Tree, node: int = 0) -> list[list[int]]:
    """The sets of nodes that can be made leaves, each a way to prune the tree."""
    if tree.children[node] == 0:
        return [[]]
    sons = range(tree.first[node], tree.first[node] + tree.children[node])
    return [[node], *(list(chain(*some)) for some in product(*(prunings(tree, son) for son in sons)))]


@settings(derandomize=True, deadline=None, max_examples=25)
@given(seed=st.integers(0, 10**6), holes=st.booleans())
def test_no_pruning_makes_fewer_errors_on_held_out_rows(seed: int, holes: bool) -> None:
    X, y = noise(seed)
    tree = tree_of(DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y))
    schema, held = schema_of(3, tree.counts.shape[1]), block_of(*noise(seed + 1, holes=holes))
    found = reduced_error(tree, schema, held)
    every = [tree.kept(np.array(nodes, dtype=int)) for nodes in prunings(tree)]
    errors = [_errors(one, schema, held) for one in every]
    assert _errors(found, schema, held) == pytest.approx(min(errors))
    fewest = min(one.leaves for one, lost in zip(every, errors, strict=True) if lost < min(errors) + 1e-9)
    assert found.leaves == fewest


def _errors(tree: Tree, schema: Schema, held: Block) -> float:
    return float(held_losses(tree, schema, held)[tree.leaf].sum())


@pytest.mark.parametrize("absolute", [False, True])
def test_reduced_errors_of_amounts(absolute: bool) -> None:
    random = np.random.default_rng(0)
    X = random.random((300, 2))
    y = (X[:, 0] > 0.5) + random.normal(0, 0.3, 300)
    model = DecisionTreeRegressor(random_state=0).fit(X[:200], y[:200])
    tree, held = tree_of(model), block_of(X[200:], y[200:], amounts=True)
    found = reduced_error(tree, schema_of(2, 0), held, absolute=absolute)
    assert 2 <= found.leaves < tree.leaves / 4
    lost = held_losses(tree, schema_of(2, 0), held, absolute=absolute)[tree.leaf].sum()
    assert lost == pytest.approx((np.abs(model.predict(X[200:]) - y[200:]) ** (1 if absolute else 2)).sum())


def test_no_held_out_rows_are_told() -> None:
    tree = tree_of(DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1]))
    with pytest.raises(LikelyError, match="D448"):
        reduced_error(tree, schema_of(1, 2), block_of(np.zeros((0, 1)), []))


def test_a_third_of_each_class_is_held_out() -> None:
    y = np.repeat([0, 1, 2], [30, 9, 3])
    learnt, held = held_out_split(block_of(np.zeros((42, 1)), y), np.random.default_rng(1))
    assert np.bincount(y[held]).tolist() == [10, 3, 1]
    assert sorted([*learnt, *held]) == list(range(42))


def test_rows_pass_every_level_whole() -> None:
    X, y = noise(3, holes=True)
    tree = tree_of(DecisionTreeClassifier(max_depth=4, random_state=0).fit(np.nan_to_num(X, nan=2.5), y))
    schema, block = schema_of(3, 3), block_of(X, y)
    parts = np.zeros((len(X), tree.nodes))
    for rows, nodes, weights in passages(tree, schema, block):
        np.add.at(parts, (rows, nodes), weights)
    np.testing.assert_allclose(parts[:, tree.leaf].sum(axis=1), 1.0)
    np.testing.assert_allclose(sums_below(tree.first, tree.children, np.where(tree.leaf, parts, 0.0).T), parts.T)


@pytest.mark.parametrize(("weight", "errors"), [(10.0, 0.0), (3.5, 0.0), (20.0, 1.0), (100.0, 30.0), (14.3, 2.7)])
def test_the_bound_is_the_root_of_its_equation(weight: float, errors: float) -> None:
    confidence = 0.25
    z = norm.ppf(1 - confidence)
    if errors == 0:
        share = beta.ppf(1 - confidence, 1, weight)  # the exact upper bound of a binomial without an error
    else:
        seen = (errors + 0.5) / weight
        share = brentq(lambda p: p - seen - z * np.sqrt(p * (1 - p) / weight), seen, 1)
    assert feared(weight, errors, confidence, z) == pytest.approx(weight * share)


def test_less_than_one_error_lies_between_none_and_one() -> None:
    z = norm.ppf(0.75)
    none, one = feared(8.0, 0.0, 0.25, z), feared(8.0, 1.0, 0.25, z)
    assert feared(8.0, 0.4, 0.25, z) == pytest.approx(0.6 * none + 0.4 * one)
    assert feared(0.0, 0.0, 0.25, z) == 0
    assert feared(2.0, 1.9, 0.25, z) == 2


@settings(derandomize=True, deadline=None, max_examples=25)
@given(seed=st.integers(0, 10**6), holes=st.booleans(), weighted=st.booleans())
def test_pessimism_keeps_the_books(seed: int, holes: bool, weighted: bool) -> None:
    X, y = noise(seed, holes=holes)
    tree = tree_of(DecisionTreeClassifier(random_state=0).fit(np.nan_to_num(X, nan=2.5), y))
    schema, weights = schema_of(3, tree.counts.shape[1]), np.random.default_rng(seed).integers(0, 3, len(y)) * 1.0
    block = Block(
        len(X),
        np.zeros((len(X), 0), dtype=np.uint8),
        X,
        cells=y.astype(np.int32),
        weights=weights if weighted else None,
    )
    found = pessimistic(tree, schema, block)
    assert found.leaves <= tree.leaves
    np.testing.assert_allclose(found.counts[0], np.bincount(y, weights if weighted else None, tree.counts.shape[1]))
    np.testing.assert_allclose(sums_below(found.first, found.children, found.counts), found.counts)
    for node in np.flatnonzero(found.children):
        assert found.share[found.first[node] : found.first[node] + 2].sum() == pytest.approx(1)
    again = pessimistic(found, schema, block)
    assert again.leaves <= found.leaves


def test_whole_weights_are_rows_again_and_again() -> None:
    X, y = noise(5)
    weights = np.random.default_rng(5).integers(0, 3, len(y))
    tree = tree_of(DecisionTreeClassifier(random_state=0).fit(X, y))
    block = Block(len(X), np.zeros((len(X), 0), dtype=np.uint8), X, cells=y.astype(np.int32), weights=weights * 1.0)
    repeated = block_of(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    one, other = (pessimistic(tree, schema_of(3, 3), rows) for rows in (block, repeated))
    np.testing.assert_array_equal(one.column, other.column)
    np.testing.assert_allclose(one.counts, other.counts)


@pytest.mark.parametrize("confidence", [0, -1, 0.6, "much", None, True, np.nan])
def test_confidence_is_checked(confidence: Any) -> None:
    tree = tree_of(DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1]))
    with pytest.raises(LikelyError, match="O632"):
        pessimistic(tree, schema_of(1, 2), block_of(np.array([[0.0], [1.0]]), [0, 1]), confidence)


PATHS = [("gini", load_iris), ("entropy", load_wine), ("gini", load_breast_cancer), ("squared", load_diabetes)]


@pytest.mark.parametrize(("criterion", "load"), PATHS)
def test_weakest_links_are_those_of_scikit_learn(criterion: str, load: Any) -> None:
    X, y = load(return_X_y=True)
    X, y = X[::2], y[::2]
    kind = DecisionTreeRegressor if criterion == "squared" else DecisionTreeClassifier
    options = {"criterion": "squared_error" if criterion == "squared" else criterion, "random_state": 0}
    whole = kind(**options).fit(X, y)
    path = whole.cost_complexity_pruning_path(X, y)
    last = np.append(np.diff(path.ccp_alphas) > 1e-9 * path.ccp_alphas[:-1] + 1e-15, True)
    links = weakest_links(tree_of(whole), criterion)
    np.testing.assert_allclose(links.alphas, path.ccp_alphas[last], atol=1e-12)
    np.testing.assert_allclose(links.risks, path.impurities[last], atol=1e-12)
    for alpha in links.alphas[:: max(1, len(links.alphas) // 6)] * (1 + 1e-9):
        theirs = tree_of(kind(**options, ccp_alpha=alpha).fit(X, y))
        ours = links.pruned(alpha)
        np.testing.assert_array_equal(ours.column, theirs.column)
        np.testing.assert_allclose(ours.counts, theirs.counts, rtol=1e-6, atol=1e-6)
    assert links.pruned(np.inf).nodes == 1
    assert "leaves" in repr(links)


def test_losses_along_the_path_are_those_of_each_pruned_tree() -> None:
    X, y = noise(7, 200)
    links = weakest_links(tree_of(DecisionTreeClassifier(random_state=0).fit(X[:120], y[:120])), "gini")
    schema, held = schema_of(3, 3), block_of(X[120:], y[120:])
    alphas = np.unique([*links.alphas, *(links.alphas + 1e-6)])
    told = links.losses(held_losses(links.tree, schema, held), alphas)
    np.testing.assert_allclose(told, [_errors(links.pruned(alpha), schema, held) for alpha in alphas])


@pytest.mark.parametrize("amounts", [False, True])
def test_alpha_by_held_out_rows_finds_the_one_split_there_is(amounts: bool) -> None:
    random = np.random.default_rng(2)
    X = random.random((240, 3))
    y = (X[:, 1] > 0.4) + (random.normal(0, 0.2, 240) if amounts else 0)
    flips = random.random(240) < 0.1
    y = y if amounts else np.where(flips, 1 - y, y).astype(int)
    kind, criterion = (DecisionTreeRegressor, "squared") if amounts else (DecisionTreeClassifier, "gini")

    def grow(rows: Block) -> Tree:
        return tree_of(kind(random_state=0).fit(rows.reals, rows.amounts if amounts else rows.cells))

    block, schema = block_of(X, y, amounts), schema_of(3, 0 if amounts else 2)
    choice = choose_alpha(grow, schema, block, criterion, np.random.default_rng(0))
    found = weakest_links(grow(block), criterion).pruned(choice.alpha)
    assert found.leaves == choice.leaves[choice.chosen] == 2
    assert found.column[0] == 1
    assert found.threshold[0] == pytest.approx(0.4, abs=0.02)
    assert choice.chosen >= choice.best
    assert "within one standard error" in repr(choice)


def test_alpha_needs_two_rows() -> None:
    with pytest.raises(LikelyError, match="D449"):
        choose_alpha(
            lambda rows: pytest.fail("nothing is grown"),
            schema_of(1, 2),
            block_of(np.zeros((1, 1)), [0]),
            "gini",
            np.random.default_rng(),
        )


@pytest.mark.parametrize("alpha", [-0.1, "best", None, True, np.inf, np.nan])
def test_alpha_is_checked(alpha: Any) -> None:
    with pytest.raises(LikelyError, match="O633"):
        check_alpha(alpha)


def test_alpha_is_understood() -> None:
    assert check_alpha(0) == 0.0
    assert check_alpha("cv") == "cv"
