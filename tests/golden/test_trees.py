"""Trees of the second source on 17 melons: gains, ratios, thresholds, the trees themselves, and the book's pruning."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import likely
from likely.companions.trees.cost_complexity import weakest_links
from likely.companions.trees.gains import Gains
from likely.companions.trees.grower import Growth, Presorted, grown
from likely.companions.trees.pessimistic_pruning import pessimistic
from likely.companions.trees.reduced_error_pruning import held_losses, reduced_error
from likely.companions.trees.rules import rules, text
from likely.companions.trees.tree import Tree
from likely.data import open_source
from likely.estimators.companions.table_in_memory import TableInMemory, hold, survey

MELONS = Path(__file__).parents[3] / "shared/data/watermelon3.csv"
pytestmark = pytest.mark.skipif(not MELONS.exists(), reason=f"the shared data are not there: {MELONS}")

GAIN = {"color": 0.1081, "root": 0.1427, "sound": 0.1408, "texture": 0.3806, "navel": 0.2892, "touch": 0.0060}
RATIO = {"color": 0.0684, "root": 0.1018, "sound": 0.1056, "texture": 0.2631, "navel": 0.1867, "touch": 0.0069}
CUT = {"density": (0.3815, 0.2624), "sugar": (0.126, 0.3493)}

BY_GAIN = """
texture = 模糊: 否 (3 of 3)
texture = 清晰
|   density <= 0.3815: 否 (2 of 2)
|   density > 0.3815: 是 (7 of 7)
texture = 稍糊
|   touch = 硬滑: 否 (4 of 4)
|   touch = 软粘: 是 (1 of 1)
"""
TREES = {
    "entropy": BY_GAIN,
    "gini": BY_GAIN,
    "gain-ratio": """
sugar <= 0.126: 否 (5 of 5)
sugar > 0.126
|   density <= 0.3815: 否 (2 of 2)
|   density > 0.3815
|   |   texture = 模糊: 是 (no rows)
|   |   texture = 清晰: 是 (7 of 7)
|   |   texture = 稍糊
|   |   |   navel = 凹陷: 否 (2 of 2)
|   |   |   navel = 平坦: 否 (no rows)
|   |   |   navel = 稍凹: 是 (1 of 1)
""",
    "c4.5": BY_GAIN.replace("0.3815", "0.36"),  # a threshold of J48 is a value that occurs
}
WITHOUT_TOUCH = BY_GAIN.split("texture = 稍糊")[0] + "texture = 稍糊: 否 (4 of 5)\n"


def held(frame: pd.DataFrame) -> TableInMemory:
    source = open_source(frame, "good")
    return hold(source, survey(source, "auto", "ignore"))


def learnt(rows: TableInMemory, criterion: str) -> tuple[Tree, Gains]:
    return grown(Presorted.of(rows.schema, rows.block), rows.block, Growth(criterion))


def tree_of(rows: TableInMemory, criterion: str) -> Tree:
    return learnt(rows, criterion)[0]


@pytest.fixture(scope="module")
def melons() -> TableInMemory:
    return held(pd.read_csv(MELONS))


def test_gains_and_ratios_of_all_columns(melons: TableInMemory) -> None:
    _, found = learnt(melons, "entropy")
    gain, ratio, threshold = (
        dict(zip(found.names, values, strict=True)) for values in (found.gain, found.ratio, found.threshold)
    )
    assert {name: round(gain[name], 4) for name in GAIN} == GAIN
    assert {name: round(ratio[name], 4) for name in RATIO} == RATIO
    assert {name: (round(threshold[name], 4), round(gain[name], 4)) for name in CUT} == CUT
    assert "texture  0.3806" in repr(found)


def test_gini_decreases_by_hand(melons: TableInMemory) -> None:
    frame = pd.read_csv(MELONS)

    def gini(y: pd.Series) -> float:
        return 1 - float((y.value_counts(normalize=True) ** 2).sum())

    _, found = learnt(melons, "gini")
    for name, gain, threshold in zip(found.names, found.gain, found.threshold, strict=True):
        groups = frame[name] if np.isnan(threshold) else frame[name] <= threshold
        parts = frame["good"].groupby(groups)
        below = sum(len(part) * gini(part) for _, part in parts) / len(frame)
        assert gain == pytest.approx(gini(frame["good"]) - below)


@pytest.mark.parametrize("criterion", TREES)
def test_the_tree_of_each_criterion(melons: TableInMemory, criterion: str) -> None:
    assert text(tree_of(melons, criterion), melons.schema) == TREES[criterion].strip()


@pytest.mark.parametrize("criterion", TREES)
def test_the_model_that_users_have(criterion: str) -> None:
    frame = pd.read_csv(MELONS)
    X, y = frame.drop(columns="good"), frame["good"]
    model = likely.DecisionTree(criterion=criterion).fit(X, y)
    assert model.text() == TREES[criterion].strip()
    assert model.predict(X).tolist() == y.tolist()
    assert repr(model.explain(X[:1])).splitlines()[1] == "  all rows: 否 (9 of 17)"


def test_the_rules_of_the_first_tree(melons: TableInMemory) -> None:
    assert rules(tree_of(melons, "entropy"), melons.schema)[1:3] == [
        "if texture is 清晰 and density <= 0.3815 then 否 (2 of 2)",
        "if texture is 清晰 and density > 0.3815 then 是 (7 of 7)",
    ]


PRUNED: dict[str, Callable[[Tree, TableInMemory], Tree]] = {
    "pessimistic": lambda tree, rows: pessimistic(tree, rows.schema, rows.block, 0.01),
    "cost complexity": lambda tree, _: weakest_links(tree, "gini").pruned(0.1),
}


@pytest.mark.parametrize("way", PRUNED)
def test_the_pruned_tree(melons: TableInMemory, way: str) -> None:
    assert text(PRUNED[way](tree_of(melons, "gini"), melons), melons.schema) == WITHOUT_TOUCH.strip()


def test_a_branch_is_raised(melons: TableInMemory) -> None:
    """Below more sugar stands the density: with it at the root fewer errors are to be feared, and sugar goes."""
    pruned = pessimistic(tree_of(melons, "gain-ratio"), melons.schema, melons.block, 0.05)
    assert text(pruned, melons.schema).splitlines() == [
        "density <= 0.3815: 否 (4 of 4)",
        "density > 0.3815",
        "|   texture = 模糊: 否 (1 of 1)",
        "|   texture = 清晰: 是 (7 of 7)",
        "|   texture = 稍糊: 否 (4 of 5)",
    ]


def test_pruning_of_the_book() -> None:
    """Zhou's Machine Learning, figures 4.5 and 4.7: ten melons learnt, seven held out: 3 of 7 right, then 5 of 7.

    Of columns with equal gains the book takes the navel, and of equal classes the good melons: they come first here.
    """
    frame = pd.read_csv(MELONS).drop(columns=["density", "sugar"])
    frame["good"] = frame["good"].map({"是": "a good one", "否": "bad"})
    whole = held(frame[["navel", *(name for name in frame if name != "navel")]])
    taught = np.array([1, 2, 3, 6, 7, 10, 14, 15, 16, 17]) - 1
    asked = whole.block.take(np.setdiff1d(np.arange(17), taught))
    tree = tree_of(TableInMemory(whole.schema, whole.block.take(taught), whole.rows), "entropy")
    pruned = reduced_error(tree, whole.schema, asked)
    errors = [held_losses(one, whole.schema, asked)[one.leaf].sum() for one in (tree, pruned)]
    assert errors == [4, 2]
    assert text(pruned, whole.schema).splitlines()[0] == "navel = 凹陷: a good one (3 of 4)"
