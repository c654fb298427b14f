"""Structures are values: equal by what they say, stored as plain JSON, printed for people, never circular."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.errors import LikelyError
from likely.structures import Structure

MELON = Structure(
    ("色泽", "根蒂", "触感"), (("根蒂",), (), ("根蒂",)), ((0.25,), (), (0.5,)), target="好瓜", kind="tree"
)


def test_what_it_says() -> None:
    assert MELON.arcs == (("根蒂", "色泽", 0.25), ("根蒂", "触感", 0.5))
    assert MELON.roots == ("根蒂",)
    assert MELON.order == ("根蒂", "色泽", "触感")
    assert repr(MELON) == (
        "tree of 3 columns, each given 好瓜\n根蒂\n  色泽 <- 根蒂  0.25 nats\n  触感 <- 根蒂  0.5 nats"
    )


def test_several_parents_are_printed_in_order() -> None:
    two = Structure(("a", "b", "c"), (("c", "b"), (), ("b",)), ((0.5, 0.1234), (), (2.0,)), "y", "k-dependence")
    assert two.order == ("b", "c", "a")
    assert repr(two).splitlines()[1:] == ["b", "c <- b  2 nats", "a <- c, b  0.5, 0.123 nats"]


def test_an_average_is_printed_by_weight() -> None:
    both = Structure(("a", "b"), ((), ()), ((), ()), "y", "average", (("a",), ("a", "b"), ()), (0.25, 0.5, 0.25))
    assert repr(both).splitlines() == [
        "average of 3 super-parents, each given y",
        "a & b  0.5",
        "a  0.25",
        "(none)  0.25",
    ]
    assert Structure.from_dict(json.loads(json.dumps(both.to_dict()))) == both


@given(st.integers(0, 999), st.integers(0, 200))
def test_stored_and_read_it_is_equal(seed: int, columns: int) -> None:
    rng = np.random.default_rng(seed)
    parents = [tuple(map(int, rng.permutation(at)[: rng.integers(0, 3)])) for at in range(columns)]
    made = Structure.of(
        [f"列 {at}" for at in range(columns)], parents, rng.random((columns, columns)), "y", "k-dependence"
    )
    read = Structure.from_dict(json.loads(json.dumps(made.to_dict())))
    assert read == made
    assert hash(read) == hash(made)
    places = {name: at for at, name in enumerate(made.order)}
    assert sorted(places) == sorted(made.columns)
    assert all(places[parent] < places[child] for parent, child, _ in made.arcs)
    assert len(repr(made).splitlines()) <= 62


def test_a_long_chain_is_printed() -> None:
    names = tuple(map(str, range(3000)))
    chain = Structure(names, ((), *((name,) for name in names[:-1])), ((), *[(0.1,)] * 2999), "y", "tree")
    assert repr(chain).endswith("... and 2940 more")


def broken(**changes: Any) -> Structure:
    return Structure.from_dict(MELON.to_dict() | changes)


@pytest.mark.parametrize(
    ("code", "says", "changes"),
    [
        ("O387", "Did you mean '根蒂'", {"parents": [["根蒂儿"], [], ["根蒂"]]}),
        ("O387", "no column 'x'", {"members": [["x"]], "member_weights": [1.0]}),
        ("O388", "根蒂 -> 色泽 -> 根蒂", {"parents": [["根蒂"], ["色泽"], []], "weights": [[1.0], [1.0], []]}),
        ("O388", "触感 -> 触感", {"parents": [[], [], ["触感"]], "weights": [[], [], [1.0]]}),
        ("O389", "do not fit", {"weights": [[], [], []]}),
        ("O389", "do not fit", {"parents": [[]]}),
        ("O389", "do not fit", {"members": [["根蒂"]]}),
        ("O389", "one name", {"columns": ["根蒂", "根蒂", "色泽"]}),
        ("O389", "Did you mean 'tree'", {"kind": "Tree"}),
        ("O389", "no structure", {"colour": 1}),
    ],
)
def test_refusals(code: str, says: str, changes: dict[str, Any]) -> None:
    with pytest.raises(LikelyError) as found:
        broken(**changes)
    assert found.value.code == code
    text = str(found.value)
    assert says in text or " -> ".join(reversed(says.split(" -> "))) in text or "色泽 -> 根蒂 -> 色泽" in text
