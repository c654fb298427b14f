"""Counts of any origin are those that NumPy counts; they are merged, added and taken back exactly."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely.errors import LikelyError, ModelError, NotLearntError
from likely.networks.learning.learnt_tables import fit, from_counts
from likely.structures.graph import Graph

GRAPH = Graph.of({"a": [], "b": ["a"], "c": ["b", "a"], "d": ["c"]})
LEVELS = {"a": ["x", "y"], "b": [0, 1, 2], "c": [False, True], "d": ["low", "mid", "high"]}


def rows(n, seed=0, holes=0.0):
    rng = np.random.default_rng(seed)
    columns = {name: pd.Series(rng.choice(np.array(LEVELS[name], dtype=object), n)) for name in GRAPH.nodes}
    return pd.DataFrame({name: values.mask(rng.random(n) < holes) for name, values in columns.items()})


def counted(frame, weights=None):
    """(parents ..., own) of each node, by NumPy, over the rows that have all of them."""
    codes = np.column_stack([[LEVELS[n].index(v) if v in LEVELS[n] else -1 for v in frame[n]] for n in GRAPH.nodes])
    weights = np.ones(len(frame)) if weights is None else np.asarray(weights)
    found = []
    for at, parents in enumerate(GRAPH.parent_places):
        family = codes[:, [*parents, at]]
        out = np.zeros([len(LEVELS[GRAPH.nodes[node]]) for node in (*parents, at)])
        has = (family >= 0).all(axis=1)
        np.add.at(out, tuple(family[has].T), weights[has])
        found.append(out)
    return found


def same(left, right):
    """Whether two are the same to the last bit: levels, counts and tables."""
    assert left.levels == right.levels
    for mine, theirs in zip(left.counts, right.counts, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    for mine, theirs in zip(left.factored().tables, right.factored().tables, strict=True):
        np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("holes", [0.0, 0.2])
@pytest.mark.parametrize("weighted", [False, True])
def test_counts_are_those_of_numpy(holes, weighted):
    frame = rows(500, holes=holes)
    weights = np.random.default_rng(1).random(500) if weighted else None
    learnt = fit(GRAPH, LEVELS, frame, weights, missing="ignore")
    for mine, theirs in zip(learnt.counts, counted(frame, weights), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-12)
    assert learnt.weight == pytest.approx(500 if weights is None else weights.sum())


def test_every_engine_gives_the_same(tmp_path):
    frame = rows(300, holes=0.1)
    whole = fit(GRAPH, LEVELS, frame, missing="ignore")
    frame.astype({"b": "Int64", "c": "boolean"}).to_parquet(tmp_path / "rows.parquet")
    frame.to_csv(tmp_path / "rows.csv", index=False)
    sources = (
        str(tmp_path / "rows.parquet"),
        tmp_path / "rows.csv",
        duckdb.sql(f"from '{tmp_path}/rows.parquet'"),
        pl.read_parquet(tmp_path / "rows.parquet"),
        frame.to_numpy(dtype=object),
        frame.to_dict("list"),
    )
    for source in sources:
        same(fit(GRAPH, LEVELS, source, missing="ignore"), whole)
    inferred = fit(GRAPH, None, sources[0], missing="ignore")
    assert inferred.levels == (("x", "y"), (0, 1, 2), (False, True), ("high", "low", "mid"))


def test_a_column_of_weights_is_as_weights_beside_the_rows(tmp_path):
    frame = rows(200)
    weights = np.random.default_rng(1).integers(0, 4, 200)
    beside = fit(GRAPH, LEVELS, frame, weights)
    frame.assign(w=weights).to_csv(tmp_path / "rows.csv", index=False)
    same(fit(GRAPH, LEVELS, tmp_path / "rows.csv", "w"), beside)
    same(fit(GRAPH, LEVELS, frame.loc[np.repeat(np.arange(200), weights)].reset_index(drop=True)), beside)
    assert all(mine.dtype.kind == "i" for mine in beside.counts)


@settings(derandomize=True, deadline=None, max_examples=15)
@given(
    st.integers(1, 60),
    st.integers(1, 60),
    st.sampled_from(["bayes", "mle"]),
    st.sampled_from(["uniform", "bdeu", "backoff"]),
    st.booleans(),
    st.sampled_from([0.0, 0.3]),
)
def test_merge_is_the_batch_and_forget_undoes(n, m, estimate, prior, declared, holes):
    options = {"estimate": estimate, "prior": prior, "missing": "ignore"}
    levels = LEVELS if declared else None
    one, other = rows(n + 3, 1, holes).fillna({"a": "x"}), rows(m, 2, holes)
    other = other.fillna({name: LEVELS[name][0] for name in GRAPH.nodes}) if not declared else other
    one.iloc[:3] = [["x", 0, False, "low"], ["y", 1, True, "mid"], ["x", 2, True, "high"]]
    both = fit(GRAPH, levels, pd.concat([one, other], ignore_index=True), **options)
    first, second = fit(GRAPH, levels, one, **options), fit(GRAPH, levels, other, **options)
    same(first.merge(second), both)
    same(second.merge(first), both)
    same(first.partial_fit(other), both)
    same(both.forget(other), first)
    same(both.forget(one), second)


def test_levels_are_united_where_they_were_learnt_and_dropped_when_nothing_has_them():
    graph = Graph.of({"a": [], "b": ["a"]})
    first = fit(graph, None, {"a": ["m", "z"], "b": [1, 1]})
    more = first.partial_fit({"a": ["c", "z"], "b": [2, 1]}).forget({"a": ["z"], "b": ["1"]})
    assert more.levels == (("c", "m", "z"), (1, 2))
    assert more.counts[1].tolist() == [[0, 1], [1, 0], [1, 0]]
    same(more.forget({"a": ["c"], "b": [2]}), first)
    assert first.partial_fit({"a": ["z"], "b": [None]}).levels == first.levels
    assert fit(graph, None, {"a": ["m", "z"], "b": [1, 2]}, [1, 0]).levels == (("m",), (1,))


def test_declared_levels_stay_and_must_agree():
    graph = Graph.of({"a": [], "b": ["a"]})
    data = {"a": [0, 1], "b": [0, 0]}
    declared = fit(graph, {"a": [1, 0], "b": [0, 1]}, data)
    assert declared.counts[1].tolist() == [[1, 0], [1, 0]]
    assert declared.merge(fit(graph, {"a": ["0", "1"], "b": [0, 1]}, data)).counts[0].tolist() == [2, 2]
    assert declared.merge(fit(graph, None, data)).levels == ((1, 0), (0, 1))
    for other in (fit(graph, {"a": [0, 1, 2], "b": [0, 1]}, data), fit(graph, None, {"a": [5], "b": [0]})):
        with pytest.raises(ModelError, match="M343"):
            declared.merge(other)
    with pytest.raises(LikelyError, match="D422"):
        declared.partial_fit({"a": [7], "b": [0]})


def test_what_does_not_fit_together_is_refused():
    graph, data = Graph.of({"a": [], "b": ["a"]}), {"a": [0, 1], "b": [0, 0]}
    learnt = fit(graph, None, data)
    with pytest.raises(ModelError, match="M344"):
        learnt.merge(fit(graph, None, data, strength=2))
    with pytest.raises(ModelError, match="M345"):
        learnt.merge(fit(Graph.of({"a": ["b"], "b": []}), None, data))
    with pytest.raises(NotLearntError, match="M341"):
        learnt.forget({"a": [1, 1], "b": [0, 0]})
    with pytest.raises(NotLearntError, match="M341"):  # rows with holes would have been filled in
        learnt.forget({"a": [1], "b": [None]})
    with pytest.raises(LikelyError, match="D428") as error:
        fit(graph, None, {"a": [0, 1], "b": [None, 0]}, missing="error")
    assert "column 'b', row 0" in str(error.value)
    with pytest.raises(LikelyError, match="D429"):
        fit(graph, {"a": [0, 1], "b": [0, 1]}, {"a": [], "b": []})
    with pytest.raises(LikelyError, match="D103"):
        learnt.partial_fit({"a": ["many"], "b": [0]})
    for option in ({"seed": -1}, {"tolerance": "x"}, {"iterations": 0}):
        with pytest.raises(LikelyError, match="O485"):
            fit(graph, None, data, **option)


def test_a_table_beyond_memory_is_refused_in_advance():
    names = [f"p{at}" for at in range(30)]
    graph = Graph.of({**{name: [] for name in names}, "x": names})
    with pytest.raises(LikelyError, match="O489"):
        fit(graph, None, {name: [0, 1] for name in (*names, "x")})


def test_from_counts():
    frame = rows(100)
    learnt = fit(GRAPH, LEVELS, frame, prior="bdeu", strength=4)
    counts = dict(zip(GRAPH.nodes, learnt.counts, strict=True))
    again = from_counts(GRAPH, LEVELS, counts, prior="bdeu", strength=4)
    same(again, learnt)
    assert again.weight == 100
    same(again.partial_fit(frame), fit(GRAPH, LEVELS, pd.concat([frame, frame]), prior="bdeu", strength=4))
    for bad in ({"a": [1, 2, 3]}, {"a": [-1, 2]}, {"a": "x"}):
        with pytest.raises(LikelyError, match="O490"):
            from_counts(GRAPH, LEVELS, counts | bad)


def test_deterministic_rows_keep_their_zeros():
    graph = Graph.of({"a": [], "b": ["a"]})
    learnt = fit(graph, None, {"a": [0, 0, 1], "b": [0, 0, 1]}, estimate="mle")
    assert learnt.factored().tables[1].tolist() == [[1, 0], [0, 1]]
    assert learnt.notes == ()


def test_the_golden_rows_as_pyagrum_learns_them(tmp_path):
    gum = pytest.importorskip("pyagrum")
    frame = rows(400)
    frame.astype(str).to_csv(tmp_path / "rows.csv", index=False)
    levels = {name: list(map(str, LEVELS[name])) for name in GRAPH.nodes}
    net = gum.BayesNet()
    for name in GRAPH.nodes:
        net.add(gum.LabelizedVariable(name, name, levels[name]))
    for parent, child in GRAPH.edges:
        net.addArc(parent, child)
    learner = gum.BNLearner(str(tmp_path / "rows.csv"), net)
    learner.useSmoothingPrior(1)
    theirs = learner.learnParameters(net.dag())
    learnt = fit(GRAPH, levels, frame).factored()
    for node, parents, table in zip(GRAPH.nodes, GRAPH.parents, learnt.tables, strict=True):
        for place in np.ndindex(table.shape[:-1]):
            given = {parent: levels[parent][at] for parent, at in zip(parents, place, strict=True)}
            np.testing.assert_allclose(
                table[place], theirs.cpt(node)[given] if given else theirs.cpt(node)[:], rtol=1e-12
            )
