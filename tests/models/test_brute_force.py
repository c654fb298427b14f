"""Log probabilities of every model of dependent levels, from the counts in plain loops."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import likely

PHASES = set(Phase) - {Phase.explain}
FEW = settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    phases=PHASES,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
BACKOFFS = ("even", "class", "column")
OPTIONS = st.fixed_dictionaries(
    {
        "smoothing": st.sampled_from([1.0, 0.5, 0.0]),
        "estimate": st.sampled_from(["bayes", "map", "mle"]),
        "priors": st.sampled_from([None, "empirical", "uniform"]),
    }
)
TABLES = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 10**6),
        "rows": st.integers(1, 25),
        "classes": st.integers(1, 3),
        "columns": st.integers(1, 4),
        "holes": st.sampled_from([0.0, 0.25]),
        "weights": st.sampled_from(["none", "whole", "some"]),
        "declared": st.booleans(),
        "ghost": st.booleans(),
    }
)


def oracle(kit: Any, table: Any, options: dict[str, Any], backoff: str) -> Any:
    mle = options["estimate"] == "mle"
    priors = options["priors"] or ("empirical" if mle else "smoothed")
    return kit.brute(table, 0.0 if mle else options["smoothing"], backoff, priors)


def compare(model: Any, brute: Any, X: Any, likelihood: np.ndarray) -> None:
    np.testing.assert_allclose(model.log_likelihood(X), likelihood, rtol=1e-12, atol=1e-12)
    expected = np.array([brute.log_proba(row) for row in likelihood])
    np.testing.assert_allclose(model.predict_log_proba(X), expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(model.predict_proba(X), np.exp(expected), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("backoff", BACKOFFS)
@pytest.mark.parametrize("support", [0, 1, 3])
def test_aode(kit: Any, backoff: str, support: float) -> None:
    @FEW
    @given(TABLES, OPTIONS)
    def holds(form: Any, options: Any) -> None:
        table = kit.table(**form)
        model = table.fit(likely.AODE(min_support=support, backoff=backoff, **options))
        brute, X = oracle(kit, table, options, backoff), table.X + kit.strangers(table, form["seed"], holes=0.2)
        members = [(at,) for at in range(form["columns"])]
        compare(model, brute, X, brute.rows(X, lambda row, c: brute.average(row, c, members, support)))

    holds()


@pytest.mark.parametrize("backoff", BACKOFFS)
@pytest.mark.parametrize("order", [0, 1, 2])
def test_ande(kit: Any, backoff: str, order: int) -> None:
    @FEW
    @given(TABLES, OPTIONS, st.sampled_from([0, 1, 3]))
    def holds(form: Any, options: Any, support: float) -> None:
        table = kit.table(**form)
        model = table.fit(likely.AnDE(order=order, min_support=support, backoff=backoff, **options))
        # a missing and an unseen parent together: see below
        holes = 0.0 if order == 2 and support == 0 else 0.2
        brute, X = oracle(kit, table, options, backoff), table.X + kit.strangers(table, form["seed"], holes=holes)
        members = list(combinations(range(form["columns"]), min(order, form["columns"])))
        compare(model, brute, X, brute.rows(X, lambda row, c: brute.average(row, c, members, support)))

    holds()


@pytest.mark.parametrize("backoff", BACKOFFS)
def test_spode(kit: Any, backoff: str) -> None:
    @FEW
    @given(TABLES, OPTIONS, st.sampled_from([0, 1, 3]), st.data())
    def holds(form: Any, options: Any, support: float, data: st.DataObject) -> None:
        table = kit.table(**form)
        parent = data.draw(st.integers(0, form["columns"] - 1))
        model = table.fit(likely.SPODE(parent=parent, min_support=support, backoff=backoff, **options))
        brute = replace(oracle(kit, table, options, backoff), joint=False)
        X = table.X + kit.strangers(table, form["seed"], holes=0.2)
        compare(model, brute, X, brute.rows(X, lambda row, c: brute.average(row, c, [(parent,)], support)))

    holds()


@pytest.mark.parametrize("backoff", BACKOFFS)
@pytest.mark.parametrize("form", ["tan", "bic", "k0", "k1", "k2", "k3"])
def test_graphs(kit: Any, backoff: str, form: str) -> None:
    @FEW
    @given(TABLES, OPTIONS)
    def holds(table_form: Any, options: Any) -> None:
        table = kit.table(**table_form)
        options = {**options, "backoff": backoff}
        bare = {
            "tan": lambda: likely.TAN(**options),
            "bic": lambda: likely.TAN(arcs="bic", **options),
        }.get(form, lambda: likely.KDB(k=int(form[1:]), **options))
        model = table.fit(bare())
        brute = oracle(kit, table, options, backoff)
        X = table.X + kit.strangers(table, table_form["seed"], holes=0.2)
        parents = kit.parents(model)
        compare(model, brute, X, brute.rows(X, lambda row, c: brute.graph(row, c, parents)))

    holds()


@pytest.mark.parametrize("ghost", [False, True])
def test_priors_given(kit: Any, ghost: bool) -> None:
    table = kit.table(3, rows=20, classes=2, ghost=ghost)
    priors = {0: 3.0, 1: 1.0, **({7: 4.0} if ghost else {})}
    members = [(0,), (1,), (2,)]
    brute = kit.brute(table, backoff="even", priors=priors)
    model = table.fit(likely.AODE(backoff="even", priors=priors))
    compare(model, brute, table.X, brute.rows(table.X, lambda row, c: brute.average(row, c, members)))
    tan = table.fit(likely.TAN(backoff="even", priors=priors))
    parents = kit.parents(tan)
    compare(tan, brute, table.X, brute.rows(table.X, lambda row, c: brute.graph(row, c, parents)))


def test_a_parent_missing_and_the_other_never_seen(kit: Any) -> None:
    """The set has no cell: naive Bayes speaks for it, once."""
    table = kit.table(1, rows=20, classes=2, columns=3)
    model, brute = table.fit(likely.AnDE(order=2, min_support=0)), kit.brute(table)
    X, members = [[None, "z", "a"], ["z", None, "b"], [None, None, "z"]], list(combinations(range(3), 2))
    compare(model, brute, X, brute.rows(X, lambda row, c: brute.average(row, c, members, 0)))


@pytest.mark.parametrize("order", [0, 1, 2])
def test_nothing_but_holes(order: int) -> None:
    model = likely.AnDE(order=order, min_support=0, kinds="category").fit([[None, None]] * 3, [0, 1, 1])
    np.testing.assert_allclose(model.predict_proba([[None, None], ["a", None]])[0], [0.4, 0.6])


@pytest.mark.parametrize("priors", [None, "uniform"])
def test_spode_as_in_the_book(kit: Any, priors: Any) -> None:
    """P(c) P(p | c) = (n_c + 1) / (N + C) (n_cp + 1) / (n_c + K), P(x | c, p) = (n_cpx + 1) / (n_cp + K')."""
    table = kit.table(1, rows=30, classes=3, columns=3, holes=0.0)
    model = table.fit(likely.SPODE(parent=1, backoff="even", priors=priors))
    labels, sizes = np.array(table.y), list(map(len, table.levels))
    columns = np.array(table.X, dtype=object)
    for row in table.X:
        joint = []
        for c in table.classes:
            mine, here = labels == c, (labels == c) & (columns[:, 1] == row[1])
            own = (mine.sum() + 1) / (len(labels) + len(table.classes)) if priors is None else 1.0
            own *= (here.sum() + 1) / (mine.sum() + sizes[1])
            for j in (0, 2):
                own *= ((here & (columns[:, j] == row[j])).sum() + 1) / (here.sum() + sizes[j])
            joint.append(own)
        np.testing.assert_allclose(model.predict_proba([row])[0], np.array(joint) / sum(joint), rtol=1e-12)


def test_aode_as_in_the_book(kit: Any) -> None:
    """P(c, x) = (n + 1) / (N + C K) and P(x' | c, x) = (n + 1) / (n_cx + K'), averaged over x."""
    table = kit.table(1, rows=30, classes=3, columns=3)
    model = table.fit(likely.AODE(backoff="even"))
    sizes = list(map(len, table.levels))
    for row in table.X:
        joint = []
        for c in table.classes:
            mean = 0.0
            for i in range(3):
                mine = [
                    other for other, label in zip(table.X, table.y, strict=True) if label == c and other[i] == row[i]
                ]
                one = (len(mine) + 1) / (len(table.y) + 3 * sizes[i])
                for j in set(range(3)) - {i}:
                    one *= (sum(other[j] == row[j] for other in mine) + 1) / (len(mine) + sizes[j])
                mean += one / 3
            joint.append(mean)
        np.testing.assert_allclose(model.predict_proba([row])[0], np.array(joint) / sum(joint), rtol=1e-12)


def information(brute: Any, at: int) -> float:
    """I(column; class) over the rows that have the column."""
    table, total = brute.table, brute.weight((), None, (at,))
    nats = 0.0
    for c in table.classes:
        for v in table.levels[at]:
            n = brute.weight(((at, v),), c)
            if n:
                nats += n / total * np.log(n * total / (brute.weight(((at, v),)) * brute.weight((), c, (at,))))
    return nats


def test_weights_by_information(kit: Any) -> None:
    for seed in range(6):
        table = kit.table(seed, rows=25, classes=3, columns=4, holes=0.15, weights="some")
        model, brute = table.fit(likely.AODE(weights="information")), kit.brute(table)
        members, told = [(at,) for at in range(4)], [max(information(brute, at), 0.0) for at in range(4)]
        said = partial(averaged, brute, members, 1.0, told)
        compare(model, brute, table.X, brute.rows(table.X, said))


@pytest.mark.parametrize("least", [2, 6])
def test_subsumption_deletes_what_is_implied(kit: Any, least: int) -> None:
    """After Zheng and Webb: a value that another implies is deleted, as child and as super-parent; of twins, one."""
    for seed in range(4):
        table = kit.table(seed + 31, rows=30, classes=2, columns=4)
        for row in table.X:
            row[1] = "a" if row[0] == "a" else row[1]
            row[3] = row[2]
        table.levels = [sorted({row[at] for row in table.X}) for at in range(4)]
        brute = kit.brute(table)
        model = table.fit(likely.AODE(subsumption=least))

        def implied(i: int, row: Any, brute: Any = brute) -> bool:
            for j in set(range(4)) - {i}:
                both, mine = brute.weight(((i, row[i]), (j, row[j]))), brute.weight(((i, row[i]),))
                other = brute.weight(((j, row[j]),))
                if other >= least and both == other and (mine > other or j < i):
                    return True
            return False

        def said(row: Any, c: int, brute: Any = brute, implied: Any = implied) -> float:
            gone = [implied(i, row) for i in range(4)]
            left = [None if hole else value for value, hole in zip(row, gone, strict=True)]
            return float(brute.average(left, c, [(i,) for i in range(4) if not gone[i]]))

        compare(model, brute, table.X, brute.rows(table.X, said))


def averaged(brute: Any, members: Any, support: float, weights: Any, row: Any, c: int) -> float:
    return float(brute.average(row, c, members, support, weights))


def left_out(kit: Any, table: Any, said: Any) -> float:
    """The summed log loss of every row, judged by a model that never saw it."""
    loss = 0.0
    weights = table.weights or [1.0] * len(table.y)
    for at, (row, label, w) in enumerate(zip(table.X, table.y, weights, strict=True)):
        brute = kit.brute(table, without=at, single=True)
        log_proba = brute.log_proba([said(brute, row, c) for c in table.classes])
        loss -= w * log_proba[table.classes.index(label)]
    return loss


def test_spode_takes_the_parent_that_loses_least(kit: Any) -> None:
    for seed in range(4):
        table = kit.table(seed, rows=18, classes=2, columns=3, weights="some" if seed % 2 else "none", declared=True)
        losses = [left_out(kit, table, lambda b, row, c, i=i: b.average(row, c, [(i,)], 0.0)) for i in range(3)]
        model = table.fit(likely.SPODE(min_support=0))
        assert model.structure_.roots == (f"x{int(np.argmin(losses))}",), losses


def test_weights_by_loss(kit: Any) -> None:
    table = kit.table(2, rows=18, classes=2, columns=3, weights="some", declared=True)
    losses = np.array([left_out(kit, table, lambda b, row, c, i=i: b.average(row, c, [(i,)], 0.0)) for i in range(3)])
    weights = losses**-2.0
    model, brute = table.fit(likely.AODE(weights="loss", min_support=0)), kit.brute(table)
    members = [(0,), (1,), (2,)]
    compare(model, brute, table.X, brute.rows(table.X, lambda row, c: brute.average(row, c, members, 0.0, weights)))


def test_nothing_is_lost_with_one_class() -> None:
    model = likely.AODE(weights="loss", kinds="category").fit([["a", "b"], ["b", "b"]], [1, 1])
    assert model.predict_proba([["a", "b"]]).tolist() == [[1.0]]


@pytest.mark.parametrize("weights", ["even", "information"])
def test_select_is_the_best_prefix(kit: Any, weights: str) -> None:
    for seed in range(3):
        table = kit.table(seed + 11, rows=18, classes=2, columns=4, declared=True)
        whole = kit.brute(table)
        losses = [left_out(kit, table, lambda b, row, c, i=i: b.average(row, c, [(i,)], 0.0)) for i in range(4)]
        order = [int(at) for at in np.argsort(losses, kind="stable")]
        shares = [1.0 if weights == "even" else information(whole, at) for at in order]
        prefixes = []
        for n in range(1, 5):
            members = [(at,) for at in order[:n]]
            said = lambda b, row, c, m=members, w=shares[:n]: b.average(row, c, m, 0.0, w)  # noqa: E731
            prefixes.append(left_out(kit, table, said))
        best = 1 + int(np.argmin(prefixes))
        model = table.fit(likely.AODE(select=True, weights=weights, min_support=0))
        assert [by for (by,) in model.structure_.members or ((model.structure_.roots[0],),)] == [
            f"x{at}" for at in order[:best]
        ]


def kept(row: Any, columns: Any) -> list[Any]:
    return [value if at in columns else None for at, value in enumerate(row)]


def graphed(parents: Any, columns: Any, brute: Any, row: Any, c: int) -> float:
    return float(brute.graph(kept(row, columns), c, parents))


def test_selective_kdb_is_the_best_of_all(kit: Any) -> None:
    """Every k, and every number of the first columns in order of their information about the class."""
    for seed in (21, 22, 23):
        table = kit.table(seed, rows=20, classes=2, columns=3, declared=True)
        whole = kit.brute(table)
        told = [information(whole, at) for at in range(3)]
        order = sorted(range(3), key=told.__getitem__, reverse=True)
        found = []
        for k in range(3):
            parents = kit.parents(table.fit(likely.KDB(k=k)))
            for n in range(4):
                said = partial(graphed, parents, order[:n])
                found.append((left_out(kit, table, said), len(found), said))
        said = partial(min(found)[2], whole)
        compare(table.fit(likely.KDB(k=2, select=True)), whole, table.X, whole.rows(table.X, said))
