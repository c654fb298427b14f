"""A tree in words: indented, or a rule for each leaf."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from likely.companions.trees.tree import Tree
from likely.core.schema import NUMERIC, Column, Schema
from likely.output.phrases import plural

THRESHOLD_DIGITS = 12  # of a threshold in a text: fewer would put rows between two numbers on the wrong side


def short_weight(number: float) -> str:
    """A weight in at most two digits behind the point; parts of rows have them.

    >>> short_weight(8.0), short_weight(253.4137), short_weight(1e6)
    ('8', '253.41', '1000000')
    """
    return f"{number:.2f}".rstrip("0").rstrip(".")


def thresholds(tree: Tree, least: int = THRESHOLD_DIGITS) -> list[str]:
    """(nodes,): the threshold of each numeric split in so many digits, or as tell its column's apart; else ''."""
    out = [""] * tree.nodes
    numeric = ~np.isnan(tree.threshold)
    for column in np.unique(tree.column[numeric]).tolist():
        mine = np.flatnonzero(numeric & (tree.column == column))
        different = len({f"{value:.15g}" for value in tree.threshold[mine].tolist()})  # not by rounding alone
        for digits in range(least, 18):
            names = [f"{value:.{digits}g}" for value in tree.threshold[mine].tolist()]
            if len(set(names)) == different:
                break
        for node, name in zip(mine.tolist(), names, strict=True):
            out[node] = name
    return out


def node_tests(tree: Tree, schema: Schema, equals: str = "=") -> list[str]:
    """(nodes,): what was asked of the rows that come to each node, in words; '' at the root."""
    out, edges, holed = [""] * tree.nodes, thresholds(tree), tree.holed(schema)
    for node in np.flatnonzero(tree.children).tolist():
        column = schema.columns[tree.column[node]]
        for turn in range(tree.children[node]):
            hole = holed[node] and turn == tree.children[node] - 1
            out[tree.first[node] + turn] = (
                f"{column.name} is missing" if hole else _branch(column, turn, edges[node], equals)
            )
    return out


def _branch(column: Column, turn: int, edge: str, equals: str) -> str:
    if edge:
        return f"{column.name} {'>' if turn else '<='} {edge}"
    level = str(column.levels[turn])
    if column.kind == "cut":  # its levels are ranges already: '≤ 0.5', '0.5 – 2.25', '> 2.25'
        return f"{column.name} {level}" if level[:1] in "≤>" else f"{column.name} in {level}"
    return f"{column.name} {equals} {level}"


def answer(tree: Tree, schema: Schema, node: int) -> str:
    """What a node says: its likeliest class and how many of its rows have it; of regression, the value and the rows."""
    if schema.target.kind in NUMERIC:
        weight, value, _ = tree.counts[node].tolist()
        return (
            f"{value:.6g} ({plural(int(weight), 'row') if weight == int(weight) else short_weight(weight) + ' rows'})"
        )
    best = int(tree.evidence[node].argmax())
    weight = float(tree.counts[node].sum())
    of = "no rows" if weight <= 0 else f"{short_weight(float(tree.counts[node, best]))} of {short_weight(weight)}"
    return f"{schema.classes[best]} ({of})"


def text(tree: Tree, schema: Schema, depth: int | None = None) -> str:
    """The tree, a line for each branch, indented as deep as it stands; below `depth` splits only how much there is.

    >>> from likely.core.schema import Column
    >>> tree = Tree(*map(np.array, ([0, -1, -1], [0.5, np.nan, np.nan], [1, -1, -1], [2, 0, 0])),
    ...             counts=np.array([[3.0, 2.0], [3.0, 0.0], [0.0, 2.0]]), gain=np.array([0.48, np.nan, np.nan]),
    ...             share=np.array([1.0, 0.6, 0.4]))
    >>> print(text(tree, Schema((Column("sugar", "real"),), Column("good", "category", ("no", "yes")))))
    sugar <= 0.5: no (3 of 3)
    sugar > 0.5: yes (2 of 2)
    """
    if tree.children[0] == 0:
        return f"always: {answer(tree, schema, 0)}"
    tests, lines = node_tests(tree, schema), []
    for node in _depth_first(tree, depth):
        level = int(tree.level[node])
        indent = "|   " * (level - 1)
        if tree.children[node] == 0:
            lines.append(f"{indent}{tests[node]}: {answer(tree, schema, node)}")
        elif level == depth:
            lines.append(f"{indent}{tests[node]}: … {answer(tree, schema, node)}")
        else:
            lines.append(f"{indent}{tests[node]}")
    return "\n".join(lines)


def _depth_first(tree: Tree, depth: int | None) -> Iterator[int]:
    """The nodes below the root, each before its own children."""
    waiting = [0]
    while waiting:
        node = waiting.pop()
        if node:
            yield node
        if depth is None or tree.level[node] < depth:
            waiting.extend(reversed(tree.sons(np.array([node])).tolist()))


def rules(tree: Tree, schema: Schema) -> list[str]:
    """A line for each leaf: what is asked on the way to it, and what it answers; bounds of one number are joined.

    >>> from likely.core.schema import Column
    >>> tree = Tree(*map(np.array, ([0, -1, -1], [np.nan] * 3, [1, -1, -1], [2, 0, 0])),
    ...             counts=np.array([[3.0, 2.0], [3.0, 0.0], [0.0, 2.0]]), gain=np.array([0.48, np.nan, np.nan]),
    ...             share=np.array([1.0, 0.6, 0.4]))
    >>> texture, good = Column("texture", "category", ("blurry", "clear")), Column("good", "category", ("no", "yes"))
    >>> rules(tree, Schema((texture,), good))
    ['if texture is blurry then no (3 of 3)', 'if texture is clear then yes (2 of 2)']
    """
    if tree.children[0] == 0:
        return [f"always {answer(tree, schema, 0)}"]
    tests, edges = node_tests(tree, schema, "is"), thresholds(tree)
    return [
        f"if {' and '.join(conditions(tree, schema, node, tests, edges))} then {answer(tree, schema, node)}"
        for node in _depth_first(tree, None)
        if tree.children[node] == 0
    ]


def conditions(tree: Tree, schema: Schema, node: int, tests: list[str], edges: list[str]) -> list[str]:
    """What must hold of a row that comes to a node, a column after the other, in the order of the first question."""
    found: dict[tuple[int, str], str] = {}
    bounds: dict[int, dict[bool, str]] = {}
    for one in nodes_to(tree, node)[1:]:
        above = int(tree.parent[one])
        column, turn = int(tree.column[above]), one - int(tree.first[above])
        if edges[above] and turn < 2:
            bounds.setdefault(column, {})[bool(turn)] = edges[above]  # a later bound is the tighter one
            found[column, "between"] = _between(schema.columns[column].name, bounds[column])
        else:
            found[column, tests[one]] = tests[one]
    return list(found.values())


def _between(name: str, bounds: dict[bool, str]) -> str:
    if len(bounds) == 2:
        return f"{bounds[True]} < {name} <= {bounds[False]}"
    return f"{name} > {bounds[True]}" if True in bounds else f"{name} <= {bounds[False]}"


def nodes_to(tree: Tree, node: int) -> list[int]:
    """The nodes from the root to a node."""
    nodes = [node]
    while (node := int(tree.parent[node])) >= 0:
        nodes.append(node)
    return nodes[::-1]
