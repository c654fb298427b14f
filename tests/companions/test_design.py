"""The design matrix: contrasts against brute force, holes, unseen levels, names and owners."""

from __future__ import annotations

import numpy as np
import pytest

from likely.companions.regression.design import Design
from likely.core.block import Block
from likely.core.schema import Column, Schema
from likely.errors import OptionError

PORTS = Column("port", "category", ("C", "Q", "S"))
SCHEMA = Schema(
    (Column("age", "real"), PORTS, Column("id", "skip"), Column("smoker", "binary", (0, 1))), Column("y", "real")
)
CODES = np.array([[0, 1], [1, 0], [2, 1], [2, 0], [3, 2], [4, 1]])  # missing is 3 and 2, unseen 4
REALS = np.array([[1.0], [2.0], [np.nan], [6.0], [3.0], [4.0]])
BLOCK = Block(6, CODES, REALS)
LEARNT = Block(5, CODES[:5], REALS[:5])


def test_columns_stand_in_schema_order_and_tell_where_they_come_from() -> None:
    design = Design.of(SCHEMA, LEARNT, missing="informative")
    assert design.names == ("age", "age[missing]", "port[Q]", "port[S]", "port[missing]", "smoker", "smoker[missing]")
    assert design.owners.tolist() == [0, 0, 1, 1, 1, 3, 3]
    assert design.width == 7


def test_treatment_compares_with_the_first_level_and_keeps_zero_and_one() -> None:
    matrix = Design.of(SCHEMA, LEARNT).matrix(BLOCK)
    assert matrix[:4].tolist() == [[1, 0, 0, 1], [2, 1, 0, 0], [3, 0, 1, 1], [6, 0, 1, 0]]


def test_holes_and_unseen_levels_are_at_the_mean() -> None:
    design = Design.of(SCHEMA, LEARNT)
    assert design.means.tolist() == [3.0, 0.25, 0.5, 0.5]
    assert design.matrix(BLOCK)[4:].tolist() == [[3, 0.25, 0.5, 0.5], [4, 0.25, 0.5, 1]]


def test_informative_holes_have_an_indicator_and_unseen_levels_do_not() -> None:
    matrix = Design.of(SCHEMA, LEARNT, missing="informative").matrix(BLOCK)
    assert matrix[:, [1, 4, 6]].tolist() == [[0, 0, 0]] * 2 + [[1, 0, 0], [0, 0, 0], [0, 1, 1], [0, 0, 0]]


@pytest.mark.parametrize(
    ("coding", "expected"),
    [
        ("treatment", [[0, 0], [1, 0], [0, 1]]),
        ("sum", [[1, 0], [0, 1], [-1, -1]]),
        ("helmert", [[-1, -1], [1, -1], [0, 2]]),  # R's contr.helmert(3)
    ],
)
def test_contrasts_are_those_of_r(coding: str, expected: list[list[int]]) -> None:
    schema = Schema((PORTS,), Column("y", "real"))
    block = Block(3, np.array([[0], [1], [2]]), np.zeros((3, 0)))
    assert Design.of(schema, block, coding).matrix(block).tolist() == expected


@pytest.mark.parametrize("coding", ["treatment", "sum", "helmert"])
@pytest.mark.parametrize("size", [1, 2, 5])
def test_contrasts_and_the_intercept_tell_all_levels_apart(coding: str, size: int) -> None:
    schema = Schema((Column("x", "category", tuple("abcde"[:size])),), Column("y", "real"))
    block = Block(size, np.arange(size)[:, None], np.zeros((size, 0)))
    matrix = Design.of(schema, block, coding).matrix(block)
    assert matrix.shape == (size, size - 1)
    assert np.linalg.matrix_rank(np.column_stack([np.ones(size), matrix])) == size


def test_levels_without_rows_have_no_contrast() -> None:
    schema = Schema((PORTS,), Column("y", "real"))
    block = Block(2, np.array([[1], [2]]), np.zeros((2, 0)))
    design = Design.of(schema, block)
    assert design.names == ("port[S]",)
    assert design.matrix(Block(1, np.array([[0]]), np.zeros((1, 0)))).tolist() == [[0.5]]


def test_weights_count_in_the_means() -> None:
    schema = Schema((Column("x", "real"), PORTS), Column("y", "real"))
    block = Block(2, np.array([[0], [1]]), np.array([[1.0], [5.0]]), weights=np.array([3.0, 1.0]))
    assert Design.of(schema, block).means.tolist() == [2.0, 0.25]


def test_numbers_without_holes_are_not_copied() -> None:
    schema = Schema((Column("a", "real"), Column("b", "count")), Column("y", "real"))
    block = Block(2, np.zeros((2, 0)), np.array([[1.0, 2.0], [3.0, 4.0]]))
    assert Design.of(schema, block).matrix(block) is block.reals


def test_terms_are_what_each_column_adds_beyond_the_average_row() -> None:
    design = Design.of(SCHEMA, LEARNT)
    matrix, coefficients = design.matrix(BLOCK), np.array([1.0, -2.0, 3.0, 0.5])
    terms = design.terms(matrix, coefficients)
    assert terms.shape == (6, 4)
    assert np.allclose(terms.sum(axis=1), (matrix - design.means) @ coefficients)
    assert (terms[:, 2] == 0).all()
    assert terms[4].tolist() == [0.0] * 4


def test_an_unknown_coding_is_refused_with_the_nearest() -> None:
    with pytest.raises(OptionError, match="O601") as caught:
        Design.of(SCHEMA, LEARNT, "treatmnt")
    assert "Did you mean 'treatment'?" in caught.value.hint
