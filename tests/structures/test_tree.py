"""Trees are the heaviest there are, directed from their root, and those that pyAgrum finds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import minimum_spanning_tree

from likely.errors import LikelyError
from likely.structures import Structure, conditional_information, mutual_information, tree

UCI = Path(__file__).parents[3] / "shared" / "data" / "uci"
GOLDEN = json.loads((Path(__file__).parent / "golden_tan.json").read_text(encoding="utf-8"))["tables"]


def weights(seed: int, columns: int, steps: int = 0) -> Any:
    drawn = np.random.default_rng(seed).random((columns, columns))
    drawn = np.round(drawn * steps) / steps if steps else drawn
    return np.triu(drawn, 1) + np.triu(drawn, 1).T


def grow(information: Any, told: Any = None, parts: Any = None, **options: Any) -> tuple[tuple[int, ...], ...]:
    columns = len(information)
    names = [f"c{at}" for at in range(columns)]
    told = np.zeros(columns) if told is None else np.asarray(told)
    parts = np.full(columns, 2) if parts is None else np.asarray(parts)
    return tree(names, information, told, parts, **{"rows": 100.0, "classes": 2, **options})


def total(parents: Any, information: Any) -> float:
    return float(sum(information[at, mine[0]] for at, mine in enumerate(parents) if mine))


@given(st.integers(0, 999), st.integers(1, 12), st.sampled_from([0, 3]))
def test_no_tree_is_heavier(seed: int, columns: int, steps: int) -> None:
    information = weights(seed, columns, steps)
    parents = grow(information)
    assert sum(map(bool, parents)) == columns - 1
    # scipy's tree takes an arc of weight zero for no arc, so every arc is made longer by one
    lightest = minimum_spanning_tree(np.triu(2.0 - information, 1)).sum()
    assert total(parents, information) == pytest.approx(2.0 * (columns - 1) - lightest, abs=1e-12)


@given(st.integers(0, 999), st.integers(1, 12), st.sampled_from([0, 3]))
def test_the_root_directs_the_arcs_and_does_not_choose_them(seed: int, columns: int, steps: int) -> None:
    information, told = weights(seed, columns, steps), weights(seed + 1, columns)[0]
    links = {frozenset((at, mine[0])) for at, mine in enumerate(grow(information)) if mine}
    for root in range(columns):
        parents = grow(information, told, root=f"c{root}")
        assert [at for at, mine in enumerate(parents) if not mine] == [root]
        assert {frozenset((at, mine[0])) for at, mine in enumerate(parents) if mine} == links
    assert grow(information, told)[int(np.argmax(told))] == ()


def test_equals_go_to_the_first_columns() -> None:
    assert grow(np.ones((4, 4)) - np.eye(4)) == ((), (0,), (0,), (0,))


@given(st.integers(0, 999), st.integers(2, 9))
def test_a_forest_has_the_arcs_that_pay(seed: int, columns: int) -> None:
    """The heaviest forest under what each arc brings, against all subsets by way of scipy's tree with a free arc."""
    rng = np.random.default_rng(seed)
    information, told = weights(seed, columns) / 5, rng.random(columns)
    parts = rng.integers(2, 5, columns)
    parents = grow(information, told, parts, arcs="bic", rows=80.0, classes=3)
    gain = 80.0 * information - 0.5 * np.log(80.0) * 3 * np.outer(parts - 1, parts - 1)
    assert all(gain[at, mine[0]] > 0 for at, mine in enumerate(parents) if mine)
    far = 1e4 - np.maximum(gain, 0)
    heaviest = 1e4 * (columns - 1) - minimum_spanning_tree(np.triu(far, 1)).sum()
    assert total(parents, gain) == pytest.approx(heaviest, abs=1e-7)
    for root in (at for at, mine in enumerate(parents) if not mine):
        members, waiting = {root}, [root]
        while waiting:
            at = waiting.pop()
            below = [child for child, mine in enumerate(parents) if mine == (at,)]
            members.update(below)
            waiting += below
        assert told[root] == max(told[at] for at in members)


def test_a_named_root_is_the_root_of_its_own_tree_only() -> None:
    information = np.zeros((4, 4))
    information[0, 1] = information[1, 0] = information[2, 3] = information[3, 2] = 0.9
    assert grow(information, [0.1, 0.2, 0.3, 0.4], arcs="bic", root="c0") == ((), (0,), (3,), ())
    assert grow(information, [0.1, 0.2, 0.3, 0.4], arcs="bic", rows=0.0) == ((1,), (), (3,), ())


def test_columns_of_one_part_stay_alone() -> None:
    assert grow(weights(0, 4), [9, 1, 2, 3], [0, 2, 1, 3]) == ((), (3,), (), ())
    assert grow(np.zeros((0, 0))) == ()
    assert grow(np.zeros((1, 1)), parts=[1]) == ((),)


@pytest.mark.parametrize(
    ("code", "options"),
    [("O390", {"root": "C1"}), ("O390", {"root": "c0"}), ("O391", {"arcs": "bci"})],
)
def test_refusals(code: str, options: dict[str, Any]) -> None:
    with pytest.raises(LikelyError) as found:
        grow(weights(0, 2), parts=[1, 2], **options)
    assert found.value.code == code
    assert "'c1'" in str(found.value) or code == "O391" or options["root"] == "c0"


def counted(name: str) -> tuple[Any, Any, Any, int]:
    """Names, pairs and parts of the complete rows of a table, counted by products of indicators; how many rows."""
    from likely.data import open_source

    golden = GOLDEN[name]
    source = open_source(UCI / f"{name}.arff", golden["target"])
    schema = source.survey("category")
    kept = [at for at, column in enumerate(schema.columns) if column.name != golden["aside"]]
    blocks = [task() for task in source.tasks(schema, target=True, rows=1 << 62)]
    codes = np.concatenate([block.codes for block in blocks])[:, kept].astype(np.int64)
    y = np.concatenate([block.cells for block in blocks])
    parts = schema.parts(kept)
    whole = (codes < parts).all(axis=1)
    codes, y = codes[whole], y[whole]
    seen = [np.unique(column, return_inverse=True) for column in codes.T]
    parts = np.array([len(levels) for levels, _ in seen])
    there = np.concatenate([np.eye(many)[at] for many, (_, at) in zip(parts, seen, strict=True)], axis=1)
    table = np.stack([there[y == c].T @ there[y == c] for c in range(len(schema.classes))])
    return [schema.columns[at].name for at in kept], table, parts, len(y)


@pytest.mark.skipif(not UCI.is_dir(), reason="the shared tables are not here")
@pytest.mark.parametrize("name", GOLDEN)
def test_the_tree_of_pyagrum(name: str) -> None:
    """pyAgrum leaves out arcs of less than half the mean information of all pairs; up to that, the trees are equal."""
    names, table, parts, rows = counted(name)
    golden: dict[str, str] = GOLDEN[name]["parents"]
    assert rows == GOLDEN[name]["rows"]
    information, told = conditional_information(table, parts), mutual_information(table, parts)
    parents = tree(names, information, told, parts, rows=rows, classes=len(table))
    able = int((parts > 1).sum())
    assert sum(map(bool, parents)) == able - 1
    least = information.sum() / 2 / (able * (able - 1))
    ours = Structure.of(names, parents, information, "class", "tree")
    arcs = {frozenset(arc[:2]): arc[2] for arc in ours.arcs if arc[2] >= least}
    at = {one: place for place, one in enumerate(names)}
    theirs = {frozenset(arc): information[at[arc[0]], at[arc[1]]] for arc in golden.items()}
    assert sum(arcs.values()) == pytest.approx(sum(theirs.values()), abs=1e-9)
    # arcs differ only where others are as heavy
    np.testing.assert_allclose(sorted(arcs.values()), sorted(theirs.values()), rtol=0, atol=1e-9)
    if set(arcs) == set(theirs) and len(arcs) == able - 1:  # one tree, which has the same root
        assert {child: parent for parent, child, _ in ours.arcs} == golden
