"""Cuts against a plain-loop Fayyad-Irani, published cuts, scikit-learn, and laws of what changes nothing."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris, load_wine
from sklearn.preprocessing import KBinsDiscretizer

import likely
from likely.errors import OptionError
from likely.families.density_or_levels import parts_by_value
from likely.families.discretization import CUTS, learn_cuts, read_cuts
from likely.families.predictor import Setting
from likely.statistics.sketch import Sketch


def cuts_of(values, cells, method="mdl", bins=5, weights=None, classes=None):
    cells = np.asarray(cells, np.int32)
    weights = None if weights is None else np.asarray(weights, float)
    classes = int(cells.max(initial=0)) + 1 if classes is None else classes
    return learn_cuts(Sketch.of(np.asarray(values, float), cells, weights, classes), method, bins)


def entropy(labels):
    counts = Counter(labels).values()
    return -sum(count / len(labels) * math.log2(count / len(labels)) for count in counts)


def fayyad_irani(rows):
    """Edges of (value, class) rows in order, straight from the paper: every cut between different values is tried."""
    best = None
    for at in range(1, len(rows)):
        if rows[at - 1][0] == rows[at][0]:
            continue
        left, right = [c for _, c in rows[:at]], [c for _, c in rows[at:]]
        mean = (len(left) * entropy(left) + len(right) * entropy(right)) / len(rows)
        if best is None or mean < best[0] - 1e-12:
            best = (mean, at)
    if best is None:
        return []
    mean, at = best
    whole, left, right = ([c for _, c in part] for part in (rows, rows[:at], rows[at:]))
    k, k1, k2 = len(set(whole)), len(set(left)), len(set(right))
    delta = math.log2(3**k - 2) - (k * entropy(whole) - k1 * entropy(left) - k2 * entropy(right))
    if entropy(whole) - mean <= (math.log2(len(whole) - 1) + delta) / len(whole):
        return []
    return [*fayyad_irani(rows[:at]), (rows[at - 1][0] + rows[at][0]) / 2, *fayyad_irani(rows[at:])]


def in_order(values, cells):
    return sorted(zip(map(float, values), map(int, cells), strict=True))


@st.composite
def tables(draw, most=60):
    rows = draw(st.integers(1, most))
    size, classes = draw(st.sampled_from([2, 6, 1000])), draw(st.integers(1, 4))
    random = np.random.default_rng(draw(st.integers(0, 10**6)))
    cells = random.integers(0, classes, rows)
    values = random.integers(0, size, rows) + draw(st.sampled_from([0, size // 2, size])) * cells
    return values.astype(float), cells.astype(np.int32), classes


def test_mdl_gives_the_published_cuts_of_iris():
    table = load_iris()
    known = [(5.55, 6.15), (2.95, 3.35), (2.45, 4.75), (0.8, 1.75)]  # Weka's supervised Discretize, too
    for values, edges in zip(table.data.T, known, strict=True):
        assert cuts_of(values, table.target) == pytest.approx(edges)
        assert cuts_of(values, table.target) == pytest.approx(fayyad_irani(in_order(values, table.target)))


def test_mdl_is_fayyad_irani_on_wine():
    table = load_wine()
    for values in table.data.T:
        assert cuts_of(values, table.target) == pytest.approx(fayyad_irani(in_order(values, table.target)), rel=1e-14)


@settings(max_examples=150, deadline=None)
@given(tables())
def test_mdl_is_fayyad_irani_in_plain_loops(table):
    values, cells, classes = table
    assert cuts_of(values, cells, classes=classes) == tuple(fayyad_irani(in_order(values, cells)))


def test_mdl_on_thinned_rows_finds_where_the_classes_change():
    values = np.random.default_rng(0).uniform(0, 26, 40_000)
    edges = np.array(cuts_of(values, values.astype(np.int32)))
    near = np.abs(edges[:, None] - np.arange(1, 26))  # a point that stands for values of two classes may be a part
    assert near.min(axis=1).max() < 2 * 26 / 4095
    assert near.min(axis=0).max() < 26 / 4095


def test_mdl_counts_more_classes_than_powers_of_three_fit_a_double():
    cells = np.arange(660)
    for values in (cells // 220, cells // 66, np.zeros(660)):
        assert cuts_of(values, cells) == tuple(fayyad_irani(in_order(values, cells)))


def parts(values, edges):
    return np.searchsorted(np.asarray(edges, float), values)


def test_frequency_is_that_of_scikit_learn_where_rows_divide_evenly():
    random = np.random.default_rng(1)
    values = random.normal(size=120)
    for bins in (2, 4, 5, 8, 10):  # those whose shares in percent are doubles
        theirs = KBinsDiscretizer(bins, encode="ordinal", quantile_method="averaged_inverted_cdf", subsample=None)
        expected = theirs.fit_transform(values[:, None])[:, 0]
        edges = cuts_of(values, np.zeros(120), "frequency", bins)
        assert edges == pytest.approx(theirs.bin_edges_[0][1:-1])
        np.testing.assert_array_equal(parts(values, edges), expected)


def test_width_is_that_of_scikit_learn():
    values = np.random.default_rng(2).normal(size=500)
    for bins in (2, 3, 5, 9):
        theirs = KBinsDiscretizer(bins, encode="ordinal", strategy="uniform", subsample=None)
        expected = theirs.fit_transform(values[:, None])[:, 0]
        edges = cuts_of(values, np.zeros(500), "width", bins)
        assert edges == pytest.approx(theirs.bin_edges_[0][1:-1])
        np.testing.assert_array_equal(parts(values, edges), expected)


def test_width_leaves_out_edges_that_separate_nothing():
    assert cuts_of([0.0, 1.0, 10.0], [0, 0, 0], "width", 5) == (2.0,)
    assert cuts_of([0.0, 5.0, 10.0], [0, 0, 0], "width", 2) == (5.0,)  # a value on an edge is below it


def test_frequency_with_ties_takes_the_nearest_edge():
    assert cuts_of([0.0] * 90 + list(range(1, 11)), [0] * 100, "frequency", 4) == (0.5,)
    assert cuts_of([1.0, 2.0, 3.0], [0] * 3, "frequency", 8) == (1.5, 2.5)
    assert cuts_of([1.0, 2.0, 3.0], [0] * 3, "frequency", 2) == (1.5,)


@settings(max_examples=60, deadline=None)
@given(tables(most=200), st.integers(2, 9))
def test_frequency_parts_are_as_near_to_their_share_as_values_allow(table, bins):
    values, cells, _ = table
    edges = cuts_of(values, cells, "frequency", bins)
    below = np.array([np.count_nonzero(values <= edge) for edge in np.unique(values)[:-1]])
    if len(below):
        nearest = [np.abs(below - len(values) * k / bins).min() for k in range(1, bins)]
        reached = np.array([np.count_nonzero(values <= edge) for edge in edges])
        found = [np.abs(reached - len(values) * k / bins).min() for k in range(1, bins)]
        np.testing.assert_allclose(found, nearest, atol=1e-9)


@pytest.mark.parametrize("method", CUTS)
class TestLaws:
    @settings(max_examples=60, deadline=None)
    @given(table=tables(), seed=st.integers(0, 99))
    def test_order_of_rows_and_of_classes_is_irrelevant(self, method, table, seed):
        values, cells, classes = table
        random = np.random.default_rng(seed)
        order, names = random.permutation(len(values)), random.permutation(classes)
        edges = cuts_of(values, cells, method, 4, classes=classes)
        assert cuts_of(values[order], cells[order], method, 4, classes=classes) == edges
        assert cuts_of(values, names[cells], method, 4, classes=classes) == edges

    @settings(max_examples=60, deadline=None)
    @given(table=tables(), seed=st.integers(0, 99))
    def test_a_weight_is_so_many_rows(self, method, table, seed):
        values, cells, classes = table
        weights = np.random.default_rng(seed).integers(0, 4, len(values))
        repeated = cuts_of(np.repeat(values, weights), np.repeat(cells, weights), method, 4, classes=classes)
        assert cuts_of(values, cells, method, 4, weights, classes) == repeated

    @settings(max_examples=60, deadline=None)
    @given(table=tables(), scale=st.sampled_from([0.25, 1, 3, 1e-9]), shift=st.sampled_from([0, -7, 1e3]))
    def test_shift_and_scale_move_the_edges_along(self, method, table, scale, shift):
        values, cells, classes = table
        edges = cuts_of(values, cells, method, 3, classes=classes)
        moved = cuts_of(values * 2 + shift, cells, method, 3, classes=classes)
        scaled = cuts_of(values * scale, cells, method, 3, classes=classes)
        if method == "width":  # an edge on a value is on either side of it by rounding
            near = [abs(e - v) < 1e-9 for e in np.linspace(values.min(), values.max(), 4)[1:-1] for v in values]
            if any(near):
                return
        np.testing.assert_allclose(moved, np.array(edges) * 2 + shift, rtol=1e-12, atol=1e-9)
        np.testing.assert_allclose(scaled, np.array(edges) * scale, rtol=1e-12)

    @settings(max_examples=60, deadline=None)
    @given(table=tables())
    def test_edges_rise_and_every_part_has_rows(self, method, table):
        values, cells, classes = table
        edges = cuts_of(values, cells, method, 4, classes=classes)
        assert set(parts(values, edges)) == set(range(len(edges) + 1))

    def test_nothing_to_cut(self, method):
        assert cuts_of([], [], method) == ()
        assert cuts_of([np.nan, np.nan], [0, 1], method) == ()
        assert cuts_of([3.0] * 20, [0, 1] * 10, method) == ()

    def test_missing_values_are_not_there(self, method):
        values, cells = np.array([1.0, 2, 3, 10, 11, 12] * 4), np.array([0, 0, 0, 1, 1, 1] * 4)
        holes, labels = np.append(values, [np.nan] * 9), np.append(cells, [1] * 9)
        assert cuts_of(holes, labels, method, 2) == cuts_of(values, cells, method, 2) == (6.5,)

    @pytest.mark.parametrize("low", [1.0, -1.0, 0.0, 5e-324, 1e308, -1.7e308])
    def test_neighbouring_doubles_are_separated(self, method, low):
        high = np.nextafter(low, np.inf)
        (edge,) = cuts_of([low] * 20 + [high] * 20, [0] * 20 + [1] * 20, method, 2)
        assert low <= edge < high

    def test_the_ends_of_the_doubles_do_not_overflow(self, method):
        largest = np.finfo(float).max
        (edge,) = cuts_of([-largest] * 20 + [largest] * 20, [0] * 20 + [1] * 20, method, 2)
        assert edge == 0
        (edge,) = cuts_of([largest / 2] * 20 + [largest] * 20, [0] * 20 + [1] * 20, method, 2)
        assert largest / 2 < edge < largest


def test_one_class_is_never_cut_by_mdl():
    assert cuts_of(range(50), [0] * 50) == ()
    assert cuts_of(range(50), [0] * 50, classes=3) == ()


def test_weights_below_one_row_are_no_reason_to_cut():
    assert cuts_of([1.0, 2.0], [0, 1], weights=[0.3, 0.3]) == ()
    assert cuts_of([1.0, 2.0], [0, 1], weights=[1e-300, 1e-300]) == ()


def test_cuts_as_a_user_says_them():
    names = ["age", "height", "weight"]
    assert read_cuts("width", 5, names) == ("width",) * 3
    assert read_cuts({"age": [18, 65], 2: np.array([1.5]), "height": "frequency"}, np.int64(2), names) == (
        (18.0, 65.0),
        "frequency",
        (1.5,),
    )
    assert read_cuts({"age": ()}, 2, names) == ((), "frequency", "frequency")


@pytest.mark.parametrize(
    ("cuts", "bins", "code", "said"),
    [
        ("mld", 5, "O381", "Did you mean 'mdl'?"),
        (3, 5, "O381", "'frequency'"),
        (None, 5, "O381", "'frequency'"),
        ({"age": "widths"}, 5, "O381", "Did you mean 'width'?"),
        ({"age": 3.0}, 5, "O381", "cuts['age']"),
        ({"hieght": "mdl"}, 5, "O382", "Did you mean 'height'?"),
        ({7: "mdl"}, 5, "O382", "'age'"),
        ({"age": [2, 1]}, 5, "O383", "cuts['age']"),
        ({"age": [1, 1]}, 5, "O383", "larger"),
        ({"age": [1, np.nan]}, 5, "O383", "finite"),
        ({"age": [1, np.inf]}, 5, "O383", "finite"),
        ({"age": ["a"]}, 5, "O383", "finite"),
        ({"age": [[1.0]]}, 5, "O383", "finite"),
        ("mdl", 1, "O384", "bins="),
        ("mdl", 2.5, "O384", "bins="),
        ("mdl", True, "O384", "bins="),
        ("mdl", 10**9, "O384", "bins="),
    ],
)
def test_what_cannot_be_cut_so(cuts, bins, code, said):
    with pytest.raises(OptionError) as caught:
        read_cuts(cuts, bins, ["age", "height"])
    assert caught.value.code == code
    assert said in str(caught.value)


def left_out_loss(values, cells, edges):
    """The log loss of each row by counts of all others, one row after another; smoothing 1."""
    part = np.searchsorted(edges, values)
    lost = []
    for row in range(len(values)):
        others = np.arange(len(values)) != row
        mass = np.array([(cells[others] == cell).sum() for cell in (0, 1)])
        same = np.array([((cells == cell) & others & (part == part[row])).sum() for cell in (0, 1)])
        joint = (mass + 1) * (same + 1) / (mass + len(edges) + 1)
        lost.append(-math.log(joint[cells[row]] / joint.sum()))
    return np.array(lost)


@pytest.mark.parametrize("seed", range(12))
def test_a_part_a_value_is_taken_where_it_loses_less_by_more_than_chance(seed):
    """Refits in plain loops agree on which loses less."""
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 8, 240).astype(float)
    cells = (rng.random(240) < 0.5 + 0.04 * seed * ((values % 2) - 0.5)).astype(np.int64)
    coarse, finest = (2.5, 5.5), tuple(np.arange(7) + 0.5)
    saved = left_out_loss(values, cells, coarse) - left_out_loss(values, cells, finest)
    taken = finest if saved.sum() > max(math.sqrt(240) * saved.std(), 2.0) else coarse
    assert parts_by_value(Sketch.of(values, cells, None, 2), coarse, Setting()) == taken


def test_a_part_a_value_wants_rows_and_few_values():
    def parts(values, rows, parents=1):
        column = np.resize(np.arange(float(values)), rows)
        found = Sketch.of(column, (column % 2).astype(int), None, 2)
        return len(parts_by_value(found, (1.5, 3.5), Setting(), parents))

    assert (parts(6, 60), parts(6, 59), parts(6, 60, parents=2), parts(6, 120, parents=2)) == (5, 2, 2, 5)
    assert (parts(20, 400), parts(21, 400)) == (19, 2)


@pytest.mark.parametrize("model", [likely.SPODE(), likely.TAN(), likely.KDB(k=1), likely.AODE()], ids=repr)
def test_models_tell_even_from_odd_by_a_part_a_value(model):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 12, 600), rng.normal(size=600)])
    y = np.where(X[:, 0] % 2 == 1, "odd", "even")
    model.fit(X, y)
    assert len(model.cuts_["x0"]) == 11
    assert (model.predict(X) == y).mean() > 0.99
    assert model.notes_[-1].text.startswith("'x0'")
    assert "which loses less than a normal" in model.notes_[-1].text
    assert len(model.set_params(numbers="levels").fit(X, y).cuts_["x0"]) == 4  # what is said is obeyed
