"""The laws of statistics on whatever rows Hypothesis comes up with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from likely import checks
from likely.checks import Encoded
from likely.checks.runner import STATISTIC_LAWS
from likely.core.block import Block
from likely.core.schema import Column, Grid, Schema
from likely.core.tokens import Bag
from likely.statistics import Bundle, Question, Statistic, answer

PHASES = set(Phase) - {Phase.explain}  # explaining a failure takes minutes

CLASSES = 3
# Eighths up to 1e8: a row can be taken back that is a billion times larger than all that remains, not one larger still.
number = st.one_of(st.integers(-(10**7), 10**7).map(lambda n: n / 8), st.sampled_from([np.nan, 0.0, 1.0, 1e8, 1e8 + 1]))
row = st.tuples(
    st.tuples(st.integers(0, 3), st.integers(0, 4)),  # codes of two columns, missing among them
    st.tuples(number, number, number),
    st.lists(st.sampled_from([0.0, 1.0, 2.0, 0.5]), min_size=3, max_size=3),  # how often each word
    st.integers(0, CLASSES - 1),
)
whole_weight = st.integers(0, 4)
any_weight = st.one_of(st.floats(1e-3, 1e3), st.sampled_from([0.0, 1.0, 2.0, 0.1, 0.2, 0.3]))


@st.composite
def rows(draw: st.DrawFn, weights: str = "any") -> Encoded:
    drawn = draw(st.lists(row, max_size=9))
    codes = np.array([one[0] for one in drawn], dtype=np.uint8).reshape(-1, 2)
    reals = np.array([one[1] for one in drawn], dtype=np.float64).reshape(-1, 3)
    words = np.array([one[2] for one in drawn], dtype=np.float64).reshape(-1, 3)
    cells = np.array([one[3] for one in drawn], dtype=np.int32)
    weigh = draw(st.sampled_from([None, whole_weight, any_weight])) if weights == "any" else None
    given_weights = None if weigh is None else [float(draw(weigh)) for _ in drawn]
    known = reals[:, 2][~np.isnan(reals[:, 2])]
    grid = Grid(float(known.min(initial=0.0)), float(known.max(initial=0.0)))
    schema = Schema(
        (
            Column("b", "binary", (0, 1)),
            Column("c", "category", ("x", "y", "z")),
            Column("r", "real"),
            Column("n", "count"),
            Column("p", "parzen", grid=grid),
            Column("t", "text", ("hail", "rain", "sun")),
        ),
        Column("y", "category", ("k", "l", "m")),
    )
    full = np.arange(0, 3 * len(drawn) + 1, 3)
    bag = Bag(full, np.tile(np.arange(3, dtype=np.int32), len(drawn)), words.ravel())
    return Encoded(schema, Block(len(drawn), codes, reals, (bag,), cells)).weighed(given_weights)


@pytest.mark.parametrize("often", [1, pytest.param(4, marks=pytest.mark.slow)], ids=["few", "many"])
@pytest.mark.parametrize("law", STATISTIC_LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("name", checks.statistics())
def test_statistics(name: str, law: Callable[..., None], often: int) -> None:
    kind = checks.statistics()[name]
    cuts = "cut" in law.__annotations__
    plain = law is checks.check_weight_two_is_row_twice

    @settings(max_examples=12 * often, deadline=None, derandomize=True, phases=PHASES)
    @given(rows("none" if plain else "any"), st.data())
    def holds(drawn: Encoded, data: st.DataObject) -> None:
        given_too: dict[str, Any] = {}
        if cuts:
            given_too["cut"] = data.draw(st.integers(0, len(drawn)))
        if plain:
            given_too["weights"] = data.draw(st.lists(whole_weight, min_size=len(drawn), max_size=len(drawn)))
        if law is checks.check_row_order_is_irrelevant:
            given_too["order"] = data.draw(st.permutations(range(len(drawn))))
        law(checks.statistic_of(kind, drawn), drawn, **given_too)

    holds()


@settings(max_examples=25, deadline=None, derandomize=True, phases=PHASES)
@given(rows(), st.data())
def test_bundles_add_as_their_answers_do(drawn: Encoded, data: st.DataObject) -> None:
    questions = [
        Question("counts", (0, 1)),
        Question("moments", (2, 3)),
        Question("grid", (4,)),
        Question("totals", (5,)),
    ]

    def bundle(part: Encoded) -> Bundle:
        return Bundle({question: answer(question, part.schema, part.block) for question in questions})

    cut = data.draw(st.integers(0, len(drawn)))
    first, second = drawn.take(np.arange(cut)), drawn.take(np.arange(cut, len(drawn)))
    whole = bundle(drawn)
    checks.check_same(bundle(first) + bundle(second), whole, "parts, and whole")
    checks.check_same(whole - bundle(second), bundle(first), "whole without a part, and the rest", among=whole)
    checks.check_same(whole * 2, whole + whole, "twice, and the sum")
    assert (whole - bundle(second)).possible()


@settings(max_examples=25, deadline=None, derandomize=True, phases=PHASES)
@given(rows(), st.integers(-(10**7), 10**7), st.integers(0, 10**7))
def test_a_wider_grid_is_the_same_as_if_it_had_been_there(drawn: Encoded, low: int, width: int) -> None:
    """Counts carried over to a wider grid are the counts that the rows give on it."""
    from dataclasses import replace

    from likely.statistics import GridCounts

    columns = list(drawn.schema.columns)
    old = columns[4].grid
    assert old is not None
    new = old.union(Grid(low / 8, (low + width) / 8))
    columns[4] = replace(columns[4], grid=new)
    wide = Encoded(replace(drawn.schema, columns=tuple(columns)), drawn.block)
    before: Statistic = checks.statistic_of(GridCounts, drawn)(drawn)
    assert isinstance(before, GridCounts)
    checks.check_same(before.regrid(old, new), checks.statistic_of(GridCounts, wide)(wide), "carried, and counted")
