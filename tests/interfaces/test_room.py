"""Models that would not fit into memory are refused before anything of them is made, with the way out."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest

import likely
from likely.companions.trees.tree import Tree
from likely.core.schema import Column, Schema
from likely.data import open_source, score
from likely.errors import OptionError
from likely.estimators.bayes import aode, forest
from likely.estimators.companions import adaboost, bagging
from likely.families.kernel_density import blocks
from likely.families.kernel_density.sums import KernelSum


def never(*given: object, **options: object) -> None:
    raise AssertionError("work was begun that cannot be finished")


def test_every_three_of_two_thousand_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aode, "combinations", never)
    X = np.random.default_rng(0).integers(0, 2, (20, 2000))
    with pytest.raises(OptionError, match=r"O393.*three of 2000 columns takes [\d.]+ GiB") as caught:
        likely.AnDE(order=2, kinds="binary").fit(X, [0, 1] * 10)
    assert "order=1" in caught.value.hint


def test_a_hundred_trees_of_five_thousand_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bagging, "bag", never)
    X, y = np.arange(5000.0)[:, None], np.arange(5000).astype(str)
    with pytest.raises(OptionError, match=r"O393.*100 members of 5,000 classes take \d+ GiB") as caught:
        likely.Bagging(random_state=0).fit(X, y)
    assert "max_depth" in caught.value.hint


def test_what_fits_is_learnt() -> None:
    X, y = np.arange(300.0)[:, None], np.arange(300).astype(str)
    assert (
        len(likely.Bagging(likely.DecisionTree(max_depth=2), n_estimators=3, random_state=0).fit(X, y).classes_) == 300
    )


def many_classes(numbers: bool) -> tuple[np.ndarray, np.ndarray]:
    """20,000 rows of 30 columns in 5,000 classes."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 30)) if numbers else rng.integers(0, 5, (20_000, 30))
    return X, np.arange(20_000) % 5000


@pytest.mark.parametrize("kind", [likely.SPODE, likely.AODE, likely.TAN, likely.KDB, likely.BayesForest])
def test_many_different_numbers_in_five_thousand_classes(kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likely.estimators.face.sketches.Sketch.of", never)
    with pytest.raises(OptionError, match=r"O393.*different values of 30 numeric columns in 5,000 classes") as caught:
        kind().fit(*many_classes(True))
    assert "join rare classes" in caught.value.hint


@pytest.mark.parametrize("make", [likely.SPODE, lambda **said: likely.AODE(weights="loss", **said)])
def test_rows_left_out_of_cells_of_five_thousand_classes(make: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likely.models.average.AverageModel.losses", never)
    X, y = many_classes(False)
    with pytest.raises(OptionError, match=r"O393.*leaving rows out.* for 5,000 classes takes 2\.2 GiB"):
        make(kinds="category").fit(X[:, :3], y)


def test_weights_of_a_forest_of_fifty_thousand_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forest.MemberDrawing, "draw", never)
    X = np.random.default_rng(0).integers(0, 5, (50_000, 30))
    with pytest.raises(OptionError, match=r"O393.*weights of 30 columns for 50,000 classes takes 2\.9 GiB"):
        likely.BayesForest(kinds="category", random_state=0).fit(X, np.arange(50_000))


def test_a_tree_whose_nodes_count_thousands_of_classes_each() -> None:
    X = np.random.default_rng(0).integers(0, 300, (3000, 2))
    with pytest.raises(OptionError, match=r"O393.*nodes or more, which count 3,000 classes each, takes \d") as caught:
        likely.DecisionTree(kinds="category").fit(X, np.arange(3000))
    assert "max_depth=" in caught.value.hint
    assert likely.DecisionTree(kinds="category", max_depth=1).fit(X, np.arange(3000)).tree_.nodes == 301


def test_votes_of_many_rows_in_five_thousand_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adaboost, "boost", never)
    with pytest.raises(OptionError, match=r"O393.*50 members of 5,000 classes take \d+ GiB") as caught:
        likely.AdaBoost().fit(np.arange(60_000.0)[:, None], np.arange(60_000) % 5000)
    assert caught.value.place == "AdaBoost"


def test_votes_of_a_tree_take_no_table_of_classes_by_classes() -> None:
    none, leaf = np.full(3, np.nan), np.array([1, 0, 0])
    tree = Tree(leaf - 1, none, leaf, 2 * leaf, np.random.default_rng(0).random((3, 5000)), none, np.ones(3))
    tracemalloc.start()
    votes = tree.votes()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    np.testing.assert_array_equal(votes, np.eye(5000)[tree.counts.argmax(axis=1)])
    assert peak < 10 * votes.nbytes


@pytest.mark.parametrize(("width", "most"), [(2, 16384), (500, 16384), (4096, 2048), (1 << 18, 64)])
def test_rows_are_scored_in_blocks_whose_answers_fit(width: int, most: int) -> None:
    sizes = []
    schema = Schema((Column("0", "real"),), Column("y", "category", levels=(0, 1)))
    some = {4096: 5000, 1 << 18: 80}.get(width, 20_000)
    said = score(
        open_source(np.zeros((some, 1))), schema, width, lambda block, out: sizes.append(len(out)) or out.fill(7)
    )
    assert said.shape == (some, width)
    assert sum(sizes) == some
    assert max(sizes) <= most


def test_kernels_on_few_points_are_added_up_without_threads_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "ThreadPoolExecutor", never)
    kernels = KernelSum(np.array([[0.0], [1.0]]), np.ones(2), np.ones(1), "gaussian", 1)
    queries = np.linspace(-3.0, 3.0, 5000)[:, None]
    right = np.exp(-0.5 * queries**2) / 2 + np.exp(-0.5 * (queries - 1) ** 2) / 2
    np.testing.assert_allclose(np.exp(kernels.log_density(queries)), right[:, 0] / np.sqrt(2 * np.pi), rtol=1e-12)
