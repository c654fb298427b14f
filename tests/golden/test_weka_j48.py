"""Trees of C4.5 against Weka 3.6.14's J48: node for node on ten tables, and what each says of rows held out."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import likely
from likely.companions.trees.gains import Gains
from likely.companions.trees.grower import Growth, Presorted, grow
from likely.companions.trees.pessimistic_pruning import pessimistic
from likely.companions.trees.predictions import TreeClassModel
from likely.companions.trees.rules import node_tests
from likely.companions.trees.tree import Tree
from likely.core.block import Block
from likely.core.schema import Column, Schema
from likely.data.files.arff import read_arff

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data" / "uci"
CASES = json.loads((Path(__file__).parent / "weka_j48.json").read_text())["cases"]
USUAL = [case for case in CASES if case["run"] == "-C 0.25 -M 2"]
UNPRUNED = {case["table"]: case["text"] for case in CASES if case["run"].startswith("-U")}

pytestmark = pytest.mark.skipif(not SHARED.exists(), reason="the shared tables are not here")


@cache
def table(name: str) -> tuple[Schema, Block]:
    """The rows under the levels that the file declares, as Weka has them."""
    columns, codes, reals = [], [], []
    found = read_arff(SHARED / f"{name}.arff")
    for label, column in zip(found.column_names, (one.combine_chunks() for one in found.columns), strict=True):
        if hasattr(column, "dictionary"):
            levels = tuple(column.dictionary.to_pylist())
            columns.append(Column(label, "category", levels))
            codes.append(column.indices.fill_null(len(levels)).to_numpy())
        else:
            columns.append(Column(label, "real"))
            reals.append(column.to_numpy(zero_copy_only=False).astype(float))
    cells = codes.pop().astype(np.int32)
    many = len(cells)
    numbers = np.column_stack(reals) if reals else np.empty((many, 0))
    words = np.column_stack(codes) if codes else np.empty((many, 0), dtype=np.int32)
    return Schema(tuple(columns[:-1]), columns[-1], True), Block(many, words, numbers, cells=cells)


def learnt(schema: Schema, block: Block, confidence: float, least: int) -> Tree:
    tree = grow(Presorted.of(schema, block), block, Growth("c4.5", min_samples_leaf=least))
    return pessimistic(tree, schema, block, confidence)


def read(lines: list[str], schema: Schema) -> Tree:
    """A tree that Weka wrote, without its counts."""
    names = {column.name: at for at, column in enumerate(schema.columns)}
    root: dict[str, Any] = {"column": -1, "threshold": np.nan, "children": []}
    way = [root]
    for line in lines:
        depth = line.count("|   ")
        name, sign, value = re.match(r"(.*?) (=|<=|>) ([^:]*)", line[4 * depth :]).groups()  # type: ignore[union-attr]
        above, node = way[depth], {"column": -1, "threshold": np.nan, "children": []}
        above.update(column=names[name], threshold=np.nan if sign == "=" else float(value))
        above["children"].append(node)
        way[depth + 1 :] = [node]
    order = [root]
    for node in order:
        node["first"] = len(order) if node["children"] else -1
        order.extend(node["children"])
    column, first = (np.array([node[name] for node in order], dtype=np.int32) for name in ("column", "first"))
    children = np.array([len(node["children"]) for node in order], dtype=np.int32)
    threshold = np.array([node["threshold"] for node in order])
    nothing = np.full(len(order), np.nan)
    return Tree(
        column, threshold, first, children, np.zeros((len(order), len(schema.classes))), nothing, np.ones(len(order))
    )


def weka_text(tree: Tree, schema: Schema) -> list[str]:
    """The tree as Weka writes it: the weight at each leaf, and that of the rows of other classes."""
    tests, lines, waiting = node_tests(tree, schema), [], [0]
    while waiting:
        node = waiting.pop()
        waiting.extend(tree.sons(np.array([node])).tolist()[::-1])
        line = "|   " * (int(tree.level[node]) - 1) + tests[node]
        if tree.children[node] == 0:
            weight, best = tree.counts[node].sum(), int(tree.evidence[node].argmax())
            wrong = weight - tree.counts[node, best]
            line += f": {schema.classes[best]} ({_weight(weight)}{f'/{_weight(wrong)}' if wrong > 1e-6 else ''})"
        if node:
            lines.append(line)
    return lines


def _weight(number: float) -> str:
    text = f"{number:.2f}".rstrip("0")
    return text + "0" if text.endswith(".") else text


@pytest.mark.parametrize("case", USUAL, ids=lambda case: case["table"])
def test_what_weka_grew_is_pruned_as_weka_does(case: dict[str, Any]) -> None:
    schema, block = table(case["table"])
    tree = pessimistic(read(UNPRUNED[case["table"]], schema), schema, block)
    theirs = read(case["text"], schema)
    assert (tree.leaves, tree.nodes) == (case["leaves"], case["nodes"])
    np.testing.assert_array_equal(tree.column, theirs.column)
    np.testing.assert_allclose(tree.threshold, theirs.threshold)


@pytest.mark.parametrize(
    "case", [one for one in CASES if "-C" in one["run"]], ids=lambda one: f"{one['table']} {one['run']}"
)
def test_the_whole_tree(case: dict[str, Any]) -> None:
    schema, block = table(case["table"])
    _, confidence, _, least = case["run"].split()
    tree = learnt(schema, block, float(confidence), int(least))
    assert (tree.leaves, tree.nodes) == (case["leaves"], case["nodes"])
    assert weka_text(tree, schema) == case["text"]
    np.testing.assert_array_equal(_said(tree, schema, block), np.array(case["learnt"].split(), dtype=int))


@pytest.mark.parametrize("case", USUAL, ids=lambda case: case["table"])
def test_rows_held_out(case: dict[str, Any]) -> None:
    schema, block = table(case["table"])
    fold, said = np.arange(block.rows) % 10, np.empty(block.rows, dtype=int)
    for at in range(10):
        tree = learnt(schema, block.take(np.flatnonzero(fold != at)), 0.25, 2)
        said[fold == at] = _said(tree, schema, block.take(np.flatnonzero(fold == at)))
    np.testing.assert_array_equal(said, np.array(case["held"].split(), dtype=int))


def _said(tree: Tree, schema: Schema, block: Block) -> Any:
    """(rows,): the place of the class that each row gets."""
    return TreeClassModel(schema, tree.counts[0], tree, Gains.of(schema, None, "c4.5"), 0.0).likeliest(block)


@pytest.mark.parametrize("name", ["iris", "vote", "credit.a", "hepatitis", "soybean"])
def test_the_model_that_users_have(name: str) -> None:
    (case,) = (one for one in USUAL if one["table"] == name)
    frame = read_arff(SHARED / f"{name}.arff").to_pandas()
    X, y = frame.iloc[:, :-1], frame.iloc[:, -1]
    model = likely.DecisionTree(criterion="c4.5", prune="pessimistic", min_samples_leaf=2, smoothing=0).fit(X, y)
    assert (model.get_n_leaves(), model.tree_.nodes) == (case["leaves"], case["nodes"])
    assert model.predict(X).tolist() == y.cat.categories[np.array(case["learnt"].split(), dtype=int)].tolist()
