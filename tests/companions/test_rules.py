"""Trees in words: indented, as rules, and as the way of one row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import likely
from likely.companions.trees.row_explanation import heaviest_route
from likely.companions.trees.rules import rules, text
from likely.companions.trees.tree import Tree
from likely.core.block import Block
from likely.core.schema import Column, Schema, as_cut
from likely.errors import LikelyError
from likely.explanations.paths import AmountPathExplanation, PathExplanation
from likely.explanations.regression import AmountExplanation
from likely.explanations.terms import Explanation

TEXTURE = Column("纹理", "category", ("清晰", "模糊", "稍糊"))
SCHEMA = Schema((TEXTURE, Column("density", "real")), Column("good", "category", ("否", "是")))


def made(
    column: list[int], threshold: list[float], first: list[int], children: list[int], counts: Any, share: Any
) -> Tree:
    gain = np.where(np.array(children) > 0, 0.1, np.nan)
    whole = [np.array(one, dtype=np.int32) for one in (column, first, children)]
    return Tree(whole[0], np.array(threshold), *whole[1:], np.array(counts, float), gain, np.array(share, float))


@pytest.fixture
def melons() -> Tree:
    """Texture first; below clear ones the density, twice; no blurry melon was seen."""
    nan = np.nan
    return made(
        [0, 1, -1, -1, -1, 1, -1, -1],
        [nan, 0.25, nan, nan, nan, 0.3815, nan, nan],
        [1, 4, -1, -1, -1, 6, -1, -1],
        [3, 2, 0, 0, 0, 2, 0, 0],
        [[9, 8], [3, 7], [0, 0], [6, 1], [1, 0], [2, 7], [2, 0], [0, 7]],
        [1, 10 / 17, 0, 7 / 17, 0.1, 0.9, 2 / 9, 7 / 9],
    )


def block(codes: list[int], reals: list[float]) -> Block:
    return Block(len(codes), np.array(codes)[:, None], np.array(reals)[:, None])


def test_the_tree_is_indented(melons: Tree) -> None:
    assert text(melons, SCHEMA).splitlines() == [
        "纹理 = 清晰",
        "|   density <= 0.25: 否 (1 of 1)",
        "|   density > 0.25",
        "|   |   density <= 0.3815: 否 (2 of 2)",
        "|   |   density > 0.3815: 是 (7 of 7)",
        "纹理 = 模糊: 否 (no rows)",
        "纹理 = 稍糊: 否 (6 of 7)",
    ]
    assert text(melons, SCHEMA, depth=1).splitlines() == [
        "纹理 = 清晰: … 是 (7 of 10)",
        "纹理 = 模糊: 否 (no rows)",
        "纹理 = 稍糊: 否 (6 of 7)",
    ]


def test_a_rule_for_each_leaf(melons: Tree) -> None:
    assert rules(melons, SCHEMA) == [
        "if 纹理 is 清晰 and density <= 0.25 then 否 (1 of 1)",
        "if 纹理 is 清晰 and 0.25 < density <= 0.3815 then 否 (2 of 2)",
        "if 纹理 is 清晰 and density > 0.3815 then 是 (7 of 7)",
        "if 纹理 is 模糊 then 否 (no rows)",
        "if 纹理 is 稍糊 then 否 (6 of 7)",
    ]


def test_a_tree_without_a_split() -> None:
    stump = made([-1], [np.nan], [-1], [0], [[9, 8]], [1])
    assert text(stump, SCHEMA) == "always: 否 (9 of 17)"
    assert rules(stump, SCHEMA) == ["always 否 (9 of 17)"]
    assert heaviest_route(stump, SCHEMA, block([0], [0.5]), 0).words == "  all rows: 否 (9 of 17)"


def test_thresholds_that_are_near_are_told_apart() -> None:
    nan = np.nan
    tree = made([1, 1, -1, -1, -1], [0.12345678, 0.12345671, nan, nan, nan], [1, 3, -1, -1, -1], [2, 2, 0, 0, 0],
                [[2, 1], [1, 1], [1, 0], [1, 0], [0, 1]], [1, 0.67, 0.33, 0.5, 0.5])  # fmt: skip
    assert "density > 0.12345678: 否" in text(tree, SCHEMA)
    assert "|   density > 0.12345671: 是" in text(tree, SCHEMA)


def test_holes_with_a_branch_of_their_own_and_parts_between_cuts() -> None:
    cut = as_cut(Column("age", "real", cuts=(18.0, 65.0)), 0.0, 99.0)
    schema = Schema((cut, Column("fare", "real")), Column("y", "category", ("a", "b")))
    nan = np.nan
    tree = made(
        [0, 1, -1, -1, -1, -1, -1, -1],
        [nan, 7.0, nan, nan, nan, nan, nan, nan],
        [1, 5, -1, -1, -1, -1, -1, -1],
        [4, 3, 0, 0, 0, 0, 0, 0],
        [[4, 3], [2, 1], [1, 1], [0, 1], [1, 0], [1, 0], [0, 1], [1, 0]],
        [1, 3 / 7, 2 / 7, 1 / 7, 1 / 7, 1 / 3, 1 / 3, 1 / 3],
    )
    assert text(tree, schema).splitlines() == [
        "age ≤ 18",
        "|   fare <= 7: a (1 of 1)",
        "|   fare > 7: b (1 of 1)",
        "|   fare is missing: a (1 of 1)",
        "age in 18 – 65: a (1 of 2)",
        "age > 65: b (1 of 1)",
        "age is missing: a (1 of 1)",
    ]
    assert rules(tree, schema)[2] == "if age ≤ 18 and fare is missing then a (1 of 1)"
    rows = block([0, 3, 0], [nan, 1.0, 8.0])
    assert [heaviest_route(tree, schema, rows, row).steps[-1].test for row in range(3)] == [
        "fare is missing",
        "age is missing",
        "fare > 7",
    ]
    assert heaviest_route(tree, schema, rows, 1).words.splitlines()[-1] == "  age is missing: a (1 of 1)"


def test_amounts_are_told_with_their_rows() -> None:
    schema = Schema((TEXTURE, Column("density", "real")), Column("price", "real", ("all rows",)))
    tree = made(
        [1, -1, -1],
        [0.5, np.nan, np.nan],
        [1, -1, -1],
        [2, 0, 0],
        [[3, 2.5, 5], [1, 1, 0], [2, 3.25, 1]],
        [1, 1 / 3, 2 / 3],
    )
    assert text(tree, schema).splitlines() == ["density <= 0.5: 1 (1 row)", "density > 0.5: 3.25 (2 rows)"]


def test_the_way_of_a_row(melons: Tree) -> None:
    rows = block([0, 3, 0, 4], [0.4, 0.3, np.nan, 0.1])
    assert heaviest_route(melons, SCHEMA, rows, 0).words.splitlines() == [
        "  all rows: 否 (9 of 17)",
        "  纹理 = 清晰: 是 (7 of 10)",
        "  density > 0.25 (0.4): 是 (7 of 9)",
        "  density > 0.3815 (0.4): 是 (7 of 7)",
    ]
    hole = heaviest_route(melons, SCHEMA, rows, 1)
    assert [step.node for step in hole.steps] == [0, 1, 5, 6]
    assert hole.steps[1].value is None
    assert hole.steps[-1].part == pytest.approx(10 / 17)
    assert "纹理 = 清晰, which is missing: 是 (7 of 10) [58.82 % of the row]" in repr(hole)
    assert heaviest_route(melons, SCHEMA, rows, 2).steps[-1].part == pytest.approx(0.7)
    assert heaviest_route(melons, SCHEMA, rows, 3).steps[1].value == "(unseen)"


def test_an_explanation_shows_the_path(melons: Tree) -> None:
    rows = block([0, 2], [0.4, 0.3])
    terms = np.log(np.array([[[0.5, 0.5], [0.3, 0.7], [0.1, 0.9]], [[0.5, 0.5], [0.8, 0.2], [1.0, 1.0]]]))
    why = PathExplanation.of(Explanation(terms, ("prior", "纹理", "density"), ("否", "是")), melons, SCHEMA, rows)
    assert "row 0: '是' with probability 0.955; the path:" in repr(why)
    assert "  density > 0.3815 (0.4): 是 (7 of 7)" in repr(why)
    told = why.to_dict(1)
    assert told["path"][-1] == {"test": "纹理 = 稍糊", "value": "稍糊", "part": 1.0, "counts": {"否": 6.0, "是": 1.0}}
    assert told["prediction"] == "否"
    with pytest.raises(LikelyError, match="O362"):
        why.path(2)


def test_an_explanation_of_an_amount_shows_the_path() -> None:
    schema = Schema((TEXTURE, Column("density", "real")), Column("price", "real", ("all rows",)))
    counts = [[3, 2.5, 5], [1, 1, 0], [2, 3.25, 1]]
    tree = made([1, -1, -1], [0.5, np.nan, np.nan], [1, -1, -1], [2, 0, 0], counts, [1, 1 / 3, 2 / 3])
    terms = np.array([[2.5, 0.0, 0.75]])
    told = AmountExplanation(terms, ("average", "纹理", "density"), None, "price")
    why = AmountPathExplanation.of(told, tree, schema, block([0], [0.9]))
    assert repr(why).splitlines() == [
        "row 0: price 3.25; the path:",
        "  all rows: 2.5 (3 rows)",
        "  density > 0.5 (0.9): 3.25 (2 rows)",
    ]
    assert why.to_dict()["path"][1]["counts"] == {"rows": 2.0, "value": 3.25, "loss": 1.0}


def test_thresholds_are_told_in_digits_that_keep_rows_apart():
    salary = np.arange(1_000_000, 1_000_040.0)
    model = likely.DecisionTree().fit(salary[:, None], np.where(salary >= 1_000_008, "hi", "lo"))
    assert model.rules()[0] == "if x0 <= 1000007.5 then lo (8 of 8)"
    assert "1000007.5" in repr(model.gains_)
    assert "1000007.5" in model.text()
