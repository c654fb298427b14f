"""`count_pairs` and `count_triples` against plain loops."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely.kernels.counting import pairs
from likely.kernels.counting.pairs import count_pairs, count_triples
from likely.statistics import triple_starts


def all_of(kept, *_):
    return np.ones(len(kept), dtype=bool)


def none_of(kept, *_):
    return np.zeros(len(kept), dtype=bool)


def every_other(kept, *_):
    return np.arange(len(kept)) % 2 == 0


RULES = {"chosen": pairs.few_enough, "bitmaps": all_of, "one by one": none_of, "mixed": every_other}


@pytest.fixture(params=RULES)
def rule(request, monkeypatch):
    monkeypatch.setattr(pairs, "few_enough", RULES[request.param])


def pairs_by_loops(codes, cells, parts, weights, out):
    starts = np.cumsum(parts) - parts
    for i, row in enumerate(codes.astype(np.int64)):
        weight = 1 if weights is None else weights[i]
        for j, u in enumerate(row):
            for k, v in enumerate(row):
                if u < parts[j] and v < parts[k]:
                    out[cells[i], starts[j] + u, starts[k] + v] += weight


def triples_by_loops(codes, cells, parts, weights, out):
    starts = triple_starts(parts)
    for i, row in enumerate(codes.astype(np.int64)):
        weight = 1 if weights is None else weights[i]
        for start, three in zip(starts, combinations(range(len(parts)), 3), strict=False):
            (u, v, w), (a, b, c) = row[list(three)], parts[list(three)]
            if u < a and v < b and w < c:
                out[cells[i], start + (u * b + v) * c + w] += weight


def check(codes, cells, parts, weights, classes, threes=True):
    kind = np.int64 if weights is None else np.float64
    size = parts.sum()
    found = np.zeros((classes, size, size), kind) + np.eye(size, dtype=kind)
    expected = found.copy()
    count_pairs(codes, cells, parts, weights, found)
    pairs_by_loops(codes, cells, parts, weights, expected)
    assert np.array_equal(found, expected)
    if threes:
        found = np.ones((classes, triple_starts(parts)[-1]), kind)
        expected = found.copy()
        count_triples(codes, cells, parts, weights, found)
        triples_by_loops(codes, cells, parts, weights, expected)
        assert np.array_equal(found, expected)


@st.composite
def tables(draw):
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    parts = np.array(draw(st.lists(st.sampled_from([0, 1, 2, 3, 5, 9, 11]), max_size=6)), dtype=np.int64)
    gaps = np.array([draw(st.sampled_from([0, 0, 1, 2])) for _ in parts], dtype=np.int64)
    rows = draw(st.sampled_from([0, 1, 2, 63, 64, 65, 150]))
    # a column of no parts holds nothing but unknown codes
    codes = (random.random((rows, len(parts))) * (parts + gaps)).astype(draw(st.sampled_from(["u1", "u2", "i4"])))
    classes = draw(st.integers(1, 5))
    # the first class may have no rows
    cells = random.integers(min(draw(st.integers(0, 1)), classes - 1), classes, rows)
    weights = random.random(rows) if draw(st.booleans()) else None
    return codes, cells.astype(draw(st.sampled_from(["i4", "i8"]))), parts, weights, classes


@pytest.mark.parametrize("name", RULES)
def test_any_table(name):
    @settings(max_examples=40, deadline=None)
    @given(tables())
    def holds(table):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(pairs, "few_enough", RULES[name])
            check(*table)

    holds()


@pytest.mark.usefixtures("rule")
def test_bitmaps_that_begin_inside_tiles():
    """The rows of counts are used in turn: columns of many bitmaps, with and without gaps, start anywhere in a tile."""
    random = np.random.default_rng(1)
    parts = np.array([7, 21, 1, 4, 13, 2, 2, 5, 17])
    codes = (random.random((400, 9)) * (parts + np.array([1, 0, 0, 1, 0, 0, 2, 0, 1]))).astype(np.uint8)
    check(codes, random.integers(0, 2, 400), parts, None, 2)


@pytest.mark.usefixtures("rule")
def test_classes_longer_than_a_span(monkeypatch):
    monkeypatch.setattr("likely.kernels.counting.bitmaps.WORDS_AT_A_TIME", 1)
    random = np.random.default_rng(2)
    codes = random.integers(0, 3, (4500, 4)).astype(np.uint8)
    parts = np.array([3, 3, 2, 3])
    check(codes, np.zeros(4500, np.int32), parts, None, 1)


@pytest.mark.parametrize("dtype", [np.uint16, np.int32])
def test_wide_beside_narrow(dtype, monkeypatch):
    """A column of many levels is counted one by one, the others by bitmaps; its codes do not fit in a byte."""
    random = np.random.default_rng(3)
    parts = np.array([2, 600, 3, 300, 1])
    codes = (random.random((1500, 5)) * (parts + np.array([0, 2, 1, 0, 0]))).astype(dtype)
    cells = random.integers(0, 2, 1500)
    bounds = np.array([0, 750, 1500])
    assert pairs.choose(codes.astype(np.int32), bounds, parts, None, 2)[0].all()  # few rows: nothing more is compiled
    monkeypatch.setattr(pairs, "INCREMENTS_WORTH_BITMAPS", 0)
    assert pairs.choose(codes.astype(np.int32), bounds, parts, None, 2)[0].tolist() == [False, True, False, True, False]
    check(codes, cells, parts, None, 2, threes=False)
    check(codes[:, :3] % 259, cells, np.array([2, 258, 3]), None, 2)


def test_whichever_way_the_counts_are_the_same(monkeypatch):
    random = np.random.default_rng(4)
    parts = random.integers(1, 7, 20)
    codes = (random.random((20_000, 20)) * (parts + random.integers(0, 2, 20))).astype(np.uint8)
    cells = random.integers(0, 7, 20_000)
    answers = []
    for rule in RULES.values():
        monkeypatch.setattr(pairs, "few_enough", rule)
        two = np.zeros((7, parts.sum(), parts.sum()), np.int64)
        three = np.zeros((7, triple_starts(parts)[-1]), np.int64)
        count_pairs(codes, cells, parts, None, two)
        count_triples(codes, cells, parts, None, three)
        answers.append((two, three))
    for two, three in answers[1:]:
        assert np.array_equal(two, answers[0][0])
        assert np.array_equal(three, answers[0][1])


def test_rows_not_in_one_piece():
    codes = np.random.default_rng(5).integers(0, 4, (300, 8)).astype(np.uint8)
    check(codes[::2, ::2], np.arange(150) % 3, np.array([4, 4, 3, 4]), None, 3)
    check(np.asfortranarray(codes[:, :4]), np.arange(300) % 3, np.array([4, 4, 3, 4]), None, 3)
