"""Networks learnt whole: the truth found again, the same from any origin, what is told equal to what is so."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations, permutations
from pathlib import Path

import duckdb
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likely
from likely.errors import DataError, LikelyError, NotLearntError, OptionError, SchemaWarning
from likely.networks import structure_learning
from likely.networks.structure import scorer as scorer_module
from likely.networks.structure.plan import SEARCHES, Plan
from likely.networks.structure.scorer import RowScorer
from likely.structures.graph import Graph
from likely.structures.search.evidence import BayesianDirichletScore
from likely.structures.search.result import Progress
from likely.structures.search.score_names import GRAPH_SCORES

ASIA = likely.networks.asia()
WATERMELON = Path(__file__).resolve().parents[3] / "shared" / "data" / "watermelon3.csv"


@cache
def rows(number=2000, seed=1):
    return ASIA.sample(number, seed=seed)


@cache
def holed(share=0.1, number=1500, seed=2):
    frame = rows(number, seed).astype(object)
    return frame.mask(np.random.default_rng(seed).random(frame.shape) < share, None)


@cache
def small(seed=0, number=300):
    """Five columns of two or three levels, in a chain with a collider."""
    draw = np.random.default_rng(seed)
    a, b = draw.integers(0, 2, number), draw.integers(0, 3, number)
    c = np.where(draw.random(number) < 0.8, (a + b) % 3, draw.integers(0, 3, number))
    d = np.where(draw.random(number) < 0.8, c > 0, draw.random(number) < 0.5)
    e = np.where(draw.random(number) < 0.7, d, draw.random(number) < 0.5)
    told = np.array(["low", "mid", "top"])
    return pd.DataFrame({"a": a, "b": told[b], "c": told[c], "d": d, "e": np.where(e, "yes", "no")})


def statements(graph, most=2):
    """All that a graph says of two nodes, so many given at most."""
    for a, b in combinations(graph.nodes, 2):
        rest = [name for name in graph.nodes if name not in (a, b)]
        for number in range(most + 1):
            for given_ in combinations(rest, number):
                yield (a, b, given_), graph.d_separated(a, b, given_)


def oracle(graph):
    """The same by networkx."""
    other = graph.to_networkx()
    for (a, b, given_), _ in statements(graph):
        yield (a, b, given_), nx.is_d_separator(other, {a}, {b}, set(given_))


@pytest.mark.parametrize(
    ("score", "search", "seed"),
    [("bic", "hill-climb", 0), ("bic", "hill-climb", 1), ("bdeu", "hill-climb", 1), ("bic", "exact", 1)],
)
def test_what_asia_says_is_found_again(score, search, seed):
    net = likely.learn_network(rows(100_000, seed), score, search)
    assert dict(statements(net.graph)) == dict(oracle(ASIA.graph))
    assert net.graph.equivalent(ASIA.graph)
    worst = max(abs(net.query(name)["yes"] - ASIA.query(name)["yes"]) for name in ASIA.nodes)
    assert worst < 0.01
    assert net.search_.score >= ASIA.score(rows(100_000, seed), score) - 1e-6


@pytest.mark.skipif(not WATERMELON.exists(), reason=f"the shared data are not there: {WATERMELON}")
def test_the_watermelons():
    """Seventeen rows: by their texts alone the class hangs on texture and touch; amounts are cut."""
    frame = pd.read_csv(WATERMELON)
    amounts = ["density", "sugar"]
    best, climbed = (likely.learn_network(frame.drop(columns=amounts), search=how) for how in ("exact", "hill-climb"))
    assert climbed.search_.score == pytest.approx(best.search_.score)
    assert climbed.graph.equivalent(best.graph)
    assert {frozenset(arc) for arc in best.edges if "good" in arc} == {
        frozenset(("texture", "good")),
        frozenset(("touch", "good")),
    }
    net = likely.learn_network(frame)
    assert net.nodes == tuple(frame.columns)
    assert net.search_.score == pytest.approx(net.score(frame))
    for name in amounts:
        assert net.levels(name)[0].startswith("<= ")
        assert any(repr(name) in note and "binned at" in note for note in net.search_.notes)
    again = likely.Network.loads(net.dumps("bif"), "bif")
    np.testing.assert_allclose(again.log_likelihood(frame), net.log_likelihood(frame), rtol=1e-6)


def csv(frame, path):
    frame.to_csv(path / "rows.csv", index=False)
    return path / "rows.csv"


def relation(frame, _):
    return duckdb.from_df(frame)


ORIGINS = {
    "polars": lambda frame, _: pl.from_pandas(frame),
    "lazy": lambda frame, _: pl.from_pandas(frame).lazy(),
    "arrow": lambda frame, _: pa.Table.from_pandas(frame),
    "mapping": lambda frame, _: frame.to_dict("list"),
    "arrays": lambda frame, _: {name: frame[name].to_numpy() for name in frame},
    "records": lambda frame, _: frame.to_dict("records"),
    "categories": lambda frame, _: frame.astype("category"),
    "csv": csv,
    "csv by text": lambda frame, path: str(csv(frame, path)),
    "duckdb": relation,
    "rows twice the index": lambda frame, _: frame.set_axis(np.zeros(len(frame)), axis=0),
}


@pytest.mark.parametrize("origin", ORIGINS)
def test_any_origin_gives_the_same_network(origin, tmp_path):
    want = likely.learn_network(small(), seed=3)
    net = likely.learn_network(ORIGINS[origin](small(), tmp_path), seed=3)
    assert net == want
    assert net.search_.score == want.search_.score
    assert {*net.edges} & {("c", "d"), ("d", "c")}


def test_an_array_gives_the_same_network_by_other_names():
    codes = small().apply(lambda column: column.astype("category").cat.codes).to_numpy()
    want, net = likely.learn_network(small(), seed=3), likely.learn_network(codes, seed=3)
    names = dict(zip(net.nodes, "abcde", strict=True))
    assert net.nodes == ("x0", "x1", "x2", "x3", "x4")
    assert [(names[one], names[other]) for one, other in net.edges] == [*want.edges]
    assert net.search_.score == want.search_.score


@pytest.mark.parametrize("data", ["whole", "holes"])
@pytest.mark.parametrize("search", ["hill-climb", "pc", "chow-liu"])
def test_rows_that_do_not_fit_into_memory_give_the_same_network(data, search, monkeypatch):
    frame = rows(500) if data == "whole" else holed(0.1, 500)
    want = likely.learn_network(frame, search=search, missing="ignore")
    monkeypatch.setattr(structure_learning, "MOST_ROW_BYTES", 100)
    net = likely.learn_network(frame, search=search)
    note = "rows do not fit into memory: their missing values are not filled in"
    assert (note in net.search_.notes) == (data == "holes")
    assert net == want
    assert net.search_.score == pytest.approx(want.search_.score, rel=1e-12)


@pytest.mark.parametrize("search", SEARCHES)
def test_weights_are_repeated_rows(search):
    times = np.random.default_rng(0).integers(1, 4, 300)
    often = small().loc[np.repeat(np.arange(300), times)]
    for score in ("bic", "k2") if search == "hill-climb" else ("bic",):
        one = likely.learn_network(small(), score, search, weights=times)
        other = likely.learn_network(often, score, search)
        assert one.graph == other.graph
        assert one.search_.score == pytest.approx(other.search_.score, rel=1e-12)
        for name in one.nodes:
            np.testing.assert_allclose(one.table(name).values, other.table(name).values, rtol=1e-12)
    named = likely.learn_network(small().assign(times=times), score, search, weights="times")
    assert named == one


@pytest.mark.parametrize("search", ["hill-climb", "tabu", "exact"])
def test_the_order_of_columns_does_not_matter(search):
    frame = rows(5000)
    want = likely.learn_network(frame, search=search)
    for seed in range(2):
        order = np.random.default_rng(seed).permutation(frame.columns)
        net = likely.learn_network(frame[order], search=search)
        assert net.nodes == tuple(order)
        assert net.graph.equivalent(want.graph)
        assert net.search_.score == pytest.approx(want.search_.score, rel=1e-9)


@pytest.mark.parametrize("search", ["hill-climb", "exact", "pc"])
def test_the_order_of_rows_does_not_matter(search):
    want = likely.learn_network(small(), search=search)
    net = likely.learn_network(small().sample(frac=1.0, random_state=0), search=search)
    assert net == want


def test_levels_that_no_row_has_stay_where_they_were_declared():
    three = ["no", "yes", "perhaps"]
    plain = pd.DataFrame({"a": ["no", "yes"] * 30, "b": ["x", "y"] * 30})
    typed = plain.assign(a=pd.Categorical(plain["a"], three))
    for net in (
        likely.learn_network(typed),
        likely.learn_network(plain, levels={"a": three}),
        likely.learn_network(pl.from_pandas(plain).with_columns(pl.col("a").cast(pl.Enum(three)))),
    ):
        assert net.levels("a") == tuple(three)
        assert net.search_.score == pytest.approx(net.score(plain))
        assert net.table("a").values.shape[-1] == 3 or net.table("b").values.shape[0] == 3
    two = likely.learn_network(plain)
    assert two.levels("a") == ("no", "yes")
    assert two.search_.score > net.search_.score  # a level more is a free number more
    with pytest.raises(LikelyError, match="no level 'yes'"):
        likely.learn_network(plain, levels={"a": ["no", "perhaps"]})


@pytest.mark.parametrize("score", GRAPH_SCORES)
@pytest.mark.parametrize("data", ["whole", "holes", "weights"])
def test_the_score_told_is_that_of_the_network(score, data):
    frame = holed(0.1, 400) if data == "holes" else rows(400)
    weights = np.random.default_rng(0).random(400) * 2 if data == "weights" else None
    options = {"strength": 3.0} if score == "bdeu" else {"prior": 0.7} if score == "dirichlet" else {}
    net = likely.learn_network(frame, score, weights=weights, missing="ignore", restarts=5, **options)
    assert net.search_.score == pytest.approx(net.score(frame, score, weights=weights, **options), rel=1e-9)
    assert net.search_.arcs == len(net.edges)
    assert f"{score} " in repr(net.search_)


def test_the_score_under_a_prior_network_is_that_of_the_network():
    for frame in (rows(400), holed(0.1, 400)):
        net = likely.learn_network(frame, "bde", prior=ASIA, strength=20.0, missing="ignore")
        assert net.search_.score == pytest.approx(net.score(frame, "bde", prior=ASIA, strength=20.0), rel=1e-9)
    with pytest.raises(OptionError, match="needs a network"):
        likely.learn_network(rows(), "bde")
    with pytest.raises(OptionError, match="takes no network"):
        likely.learn_network(rows(), "bic", prior=ASIA)


@pytest.mark.parametrize(
    ("score", "options", "added"),
    [
        ("bic", {}, 1.0),
        ("fnml", {}, 1.0),
        ("k2", {}, 1.0),
        ("jeffreys", {}, 0.5),
        ("dirichlet", {"prior": 3.0}, 3.0),
        ("dirichlet", {}, 1.0),
        ("bdeu", {}, None),
        ("bdeu", {"strength": 8.0}, None),
    ],
)
def test_tables_have_the_prior_of_the_score(score, options, added):
    net = likely.learn_network(small(), score, **options)
    for name in net.nodes:
        counts = net.counts_[name].astype(float)
        own = options.get("strength", 1.0) / counts.size if added is None else added
        want = (counts + own) / (counts + own).sum(axis=-1, keepdims=True)
        np.testing.assert_allclose(net.table(name).values, want, rtol=1e-12)
        nodes = [*net.graph.parents_of(name), name]
        shape = [len(net.levels(at)) for at in nodes]
        codes = [[net.levels(at).index(value) for value in small()[at].tolist()] for at in nodes]
        seen = np.zeros(shape)
        np.add.at(seen, tuple(codes), 1)
        assert (counts == seen).all()


@pytest.mark.parametrize("search", SEARCHES)
def test_every_search_obeys(search):
    frame = rows()
    rules = {"required": [("smoke", "dysp")], "forbidden": [("either", "xray"), ("bronc", "smoke")], "max_parents": 2}
    tiers = [["asia", "smoke"], ["tub", "lung", "bronc"], ["either"], ["xray", "dysp"]]
    net = likely.learn_network(frame, search=search, tiers=tiers, **rules)
    assert ("smoke", "dysp") in net.edges
    assert not {*net.edges} & {("either", "xray"), ("bronc", "smoke")}
    early = {name: at for at, group in enumerate(tiers) for name in group}
    assert all(early[parent] <= early[child] for parent, child in net.edges)
    assert max(len(net.graph.parents_of(name)) for name in net.nodes) <= 2
    assert net.search_.plan.search == search
    assert net.search_.score == pytest.approx(net.score(frame))
    assert repr(net.search_).startswith(f"{search}: bic ")
    assert net.search_.seconds > 0
    assert net.search_.trace
    assert np.isfinite(net.log_likelihood(frame)).all()


@pytest.mark.parametrize("search", SEARCHES)
def test_the_same_seed_gives_the_same_network(search):
    one, other = (likely.learn_network(small(), search=search, seed=5) for _ in range(2))
    assert one == other
    assert [now[1:] for now in one.search_.trace] == [now[1:] for now in other.search_.trace]


@pytest.mark.filterwarnings("ignore:EM was interrupted")
@pytest.mark.parametrize(
    ("search", "missing", "after"),
    [
        *((search, "ignore", after) for search in SEARCHES for after in (1, 4)),
        *((search, "em", after) for search in ("hill-climb", "tree", "pc") for after in (1, 4, 30)),
    ],
)
def test_ctrl_c_keeps_the_best_so_far(search, missing, after):
    frame = holed(0.05, 300) if missing == "em" else rows()
    told = []

    def tick(now):
        told.append(now)
        if len(told) == after:
            raise KeyboardInterrupt

    net = likely.learn_network(frame, search=search, missing=missing, tick=tick, required=[("asia", "tub")])
    assert all(isinstance(now, Progress) for now in told)
    if len(told) < after:
        assert not net.search_.interrupted  # it was done before
        return
    assert net.search_.interrupted
    assert "interrupted" in repr(net.search_)
    assert ("asia", "tub") in net.edges
    assert len(net.edges) == net.search_.arcs
    assert np.isfinite(net.log_likelihood(frame)).all()
    if missing == "ignore":
        assert net.search_.score == pytest.approx(net.score(frame))
        assert net.search_.score >= max(now.score for now in told) - 1e-9


def test_ctrl_c_while_amounts_are_cut_again():
    frame = small().assign(x=np.random.default_rng(0).normal(size=300) + 2 * (small()["c"] == "top"))
    whole = likely.learn_network(frame, search="tree")
    assert not whole.search_.interrupted
    for after in (1, 8, 20, 35):
        ticks = iter(range(1, 10**6))

        def tick(_, ticks=ticks, after=after):
            if next(ticks) == after:
                raise KeyboardInterrupt

        net = likely.learn_network(frame, search="tree", tick=tick)
        assert net.search_.interrupted or next(ticks) <= after
        assert np.isfinite(net.log_likelihood(frame)).all()


def test_progress_is_told():
    told = []
    net = likely.learn_network(rows(), tick=told.append)
    assert [now.steps for now in told] == list(range(1, len(told) + 1))
    assert len(told) == net.search_.steps
    assert told[-1].score == net.search_.score
    assert told[-1].arcs == net.search_.arcs
    scores = [now.score for now in told]
    assert scores == sorted(scores)
    assert [now.seconds for now in told] == sorted(now.seconds for now in told)
    assert set(net.search_.trace) <= set(told)
    assert net.graph == likely.learn_network(rows()).graph  # telling changes nothing


def test_holes_are_ignored_filled_in_or_refused():
    frame = holed(0.1)
    ignored, filled = (likely.learn_network(frame, missing=way) for way in ("ignore", "em"))
    for net in (ignored, filled):
        assert {*net.nodes} == {*ASIA.nodes}
        assert net.levels("asia") == ("no", "yes")
        assert {frozenset(arc) for arc in net.edges} >= {frozenset(("either", "xray")), frozenset(("bronc", "dysp"))}
    assert ignored.em_report_ is None
    assert filled.em_report_ is not None
    assert any("structural EM" in note for note in filled.search_.notes)
    seen = {name: frame[[*ignored.graph.parents_of(name), name]].notna().all(axis=1).sum() for name in frame}
    assert {name: counts.sum() for name, counts in ignored.counts_.items()} == seen
    assert all(counts.sum() == pytest.approx(len(frame)) for counts in filled.counts_.values())
    row, column = np.argwhere(frame.isna().to_numpy())[0]
    with pytest.raises(DataError, match="missing") as error:
        likely.learn_network(frame, missing="error")
    assert error.value.code == "D428"
    assert error.value.place == f"column {frame.columns[column]!r}, row {row}"
    whole = [likely.learn_network(rows(), missing=way) for way in ("ignore", "em", "error")]
    assert whole[0] == whole[1] == whole[2]


def test_a_column_with_nothing_in_it():
    frame = small().assign(gone=None)
    assert likely.learn_network(frame) == likely.learn_network(small())
    assert likely.learn_network(frame).search_.notes == ("'gone' is left out: no row tells which levels 'gone' has",)
    with pytest.raises(DataError, match="no row tells which levels 'gone' has"):
        likely.learn_network(frame[["gone"]])
    for way in ("ignore", "em"):
        net = likely.learn_network(frame, levels={"gone": ["x", "y"]}, missing=way)
        assert net.levels("gone") == ("x", "y")
        assert not [arc for arc in net.edges if "gone" in arc]
        assert way == "em" or net.table("gone").values.tolist() == [0.5, 0.5]
        assert {*net.edges} == {*likely.learn_network(small()).edges}


def test_a_column_that_fit_sets_aside_as_an_identifier_is_no_node() -> None:
    """Fewer different values than rows will do where the name says so."""
    rng = np.random.default_rng(0)
    numbers = rng.integers(0, 100, 200)
    frame = pd.DataFrame({"customer_id": [f"c{number}" for number in numbers], "town": [f"t{n}" for n in numbers]})
    frame["sky"], frame["bought"] = rng.choice(["sun", "rain"], 200), rng.choice(["no", "yes"], 200)
    with pytest.warns(SchemaWarning, match="'customer_id' looks like an identifier"):
        likely.NaiveBayes().fit(frame.drop(columns="bought"), frame["bought"])
    assert likely.learn_network(frame).nodes == ("town", "sky", "bought")


@settings(derandomize=True, deadline=None, max_examples=15)
@given(
    st.integers(0, 9999),
    st.lists(st.integers(1, 3), min_size=1, max_size=4),
    st.integers(1, 12),
    st.sampled_from([0.0, 0.3]),
    st.sampled_from(["bic", "bdeu", "k2", "qnml"]),
    st.sampled_from(list(SEARCHES)),
)
def test_any_small_table_is_learnt(seed, sizes, number, holes, score, search):
    draw = np.random.default_rng(seed)
    data = {}
    for at, size in enumerate(sizes):
        column = draw.integers(0, size, number).astype(object)
        column[draw.random(number) < holes] = None
        column[draw.integers(number)] = 0  # some row has it
        data[f"c{at}"] = [None if value is None else f"l{value}" for value in column]
    for missing in ("em", "ignore"):
        net = likely.learn_network(data, score, search, missing=missing)
        assert net.nodes == tuple(data)
    assert net.search_.score == pytest.approx(net.score(data, score), rel=1e-9, abs=1e-9)
    assert nx.is_directed_acyclic_graph(net.graph.to_networkx())
    total = net.log_likelihood({name: [None] for name in data})
    assert total == pytest.approx([0.0], abs=1e-9)


def test_amounts_become_intervals():
    draw = np.random.default_rng(0)
    sort = draw.integers(0, 3, 150)
    frame = pd.DataFrame({"sort": np.array(["a", "b", "c"])[sort], "size": 10.0 * sort + draw.normal(size=150)})
    frame["noise"] = draw.normal(size=150)
    net = likely.learn_network(frame)
    assert {frozenset(arc) for arc in net.edges} == {frozenset(("sort", "size"))}
    cuts = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", " ".join(net.levels("size")))]
    assert len(net.levels("size")) == 3
    assert min(abs(cut - 5) for cut in cuts) < 3
    assert min(abs(cut - 15) for cut in cuts) < 3
    assert net.query("sort", {"size": 10.2})["b"] > 0.95
    assert net.search_.score == pytest.approx(net.score(frame))
    before = net.counts_["size"].sum()
    net.partial_fit(frame.head(50))
    assert net.counts_["size"].sum() == before + 50
    net.forget(frame.head(50))
    fixed = likely.learn_network(frame, levels={"size": ["<= 7", "> 7"]})
    assert fixed.levels("size") == ("<= 7", "> 7")


def test_more_rows_are_learnt_and_taken_back():
    frame = rows()
    first, second, levels = frame.head(1000), frame.tail(1000), dict.fromkeys(frame, ("no", "yes"))
    net = likely.learn_network(first, levels=levels)
    graph = net.graph
    net.partial_fit(second)
    fitted = likely.Network(graph, levels=levels).fit(frame, missing="ignore")
    assert net.graph == graph
    assert net == fitted
    net.forget(second)
    assert net == likely.learn_network(first, levels=levels)
    with pytest.raises(NotLearntError):
        net.forget(frame)
    others = [arc for arc in permutations(frame, 2) if arc not in graph.edges]
    one, other = (
        likely.learn_network(part, "bic", "hill-climb", graph, others, levels=levels) for part in (first, second)
    )
    assert one.graph == other.graph == graph
    assert one.merge(other) == fitted


def test_a_new_level_may_come_later():
    net = likely.learn_network({"a": ["x", "y"] * 20, "b": ["x", "y"] * 20})
    net.partial_fit({"a": ["z"], "b": ["x"]})
    assert net.levels("a") == ("x", "y", "z")
    said = likely.learn_network({"a": ["x", "y"] * 20, "b": ["x", "y"] * 20}, levels={"a": ["x", "y"]})
    with pytest.raises(LikelyError, match="no level 'z'"):
        said.partial_fit({"a": ["z"], "b": ["x"]})


def test_two_hundred_columns():
    """A chain of pairs; all arcs that are found join two of one pair, or nearly all."""
    draw = np.random.default_rng(0)
    base = draw.integers(0, 2, (500, 100))
    codes = np.concatenate([base, np.where(draw.random(base.shape) < 0.9, base, 1 - base)], axis=1)
    net = likely.learn_network(codes, restarts=2)
    pairs = {frozenset((f"x{at}", f"x{at + 100}")) for at in range(100)}
    found = {frozenset(arc) for arc in net.edges}
    assert found >= pairs
    assert len(found) < 450
    assert net.search_.score == pytest.approx(net.score(codes), rel=1e-9)


@pytest.mark.parametrize("search", SEARCHES)
def test_few_columns_and_few_rows(search):
    one = likely.learn_network({"a": ["x", "y", "y"]}, search=search)
    assert one.edges == ()
    np.testing.assert_allclose(one.table("a").values, [2 / 5, 3 / 5])
    for data in ({"a": ["x", "y"], "b": [1, 2], "c": [True, True]}, {"a": ["x"], "b": [1], "c": [True]}):
        net = likely.learn_network(data, search=search)
        assert net.search_.score == pytest.approx(net.score(data), abs=1e-9)
    same = likely.learn_network({"a": ["x"] * 50, "b": ["y"] * 50, "c": ["p", "q"] * 25}, search=search)
    if search != "chow-liu":  # which joins all, whether they tell anything or not
        assert same.edges == ()
    assert same.levels("a") == ("x",)
    twins = likely.learn_network({"a": ["x", "y"] * 50, "b": ["x", "y"] * 50}, search=search)
    assert len(twins.edges) == 1


def test_equal_rows_and_equal_columns():
    frame = pd.concat([small()] * 3)
    net = likely.learn_network(frame)
    assert net.search_.score == pytest.approx(net.score(frame))
    assert net.search_.score == pytest.approx(likely.learn_network(small(), weights=np.full(300, 3)).search_.score)
    twice = likely.learn_network(small().assign(f=small()["c"]))
    assert {("c", "f"), ("f", "c")} & {*twice.edges}


@pytest.mark.parametrize(
    ("options", "code", "told"),
    [
        ({"score": "bicc"}, "O488", "Did you mean 'bic'"),
        ({"score": "bdeuu"}, "O488", "Did you mean 'bdeu'"),
        ({"score": None}, "O488", "unknown score None"),
        ({"score": "bdeu", "strength": 0}, "O500", "strength is 0"),
        ({"score": "bic", "prior": 2.0}, "O494", "takes no pseudo-counts"),
        ({"score": "dirichlet", "prior": -1}, "O500", "prior is -1"),
        ({"search": "hillclimb"}, "O506", "Did you mean 'hill-climb'"),
        ({"search": "chowliu"}, "O506", "Did you mean 'chow-liu'"),
        ({"search": ["tabu"]}, "O506", "unknown search"),
        ({"restart": 3}, "O507", "Did you mean 'restarts'"),
        ({"search": "exact", "restarts": 3}, "O507", "search 'exact' has no option 'restarts'"),
        ({"search": "tree", "depth": 3}, "O507", "no options"),
        ({"missing": "ignor"}, "O508", "Did you mean 'ignore'"),
        ({"missing": None}, "O508", "unknown way with missing values None"),
        ({"missing": ["em"]}, "O508", "unknown way"),
        ({"restarts": -1}, "O505", "restarts is -1"),
        ({"required": [("smoke", "lungs")]}, "O509", "Did you mean 'lung'"),
        ({"forbidden": [("smoke", "lung")], "required": [("smoke", "lung")]}, "O502", "both required and forbidden"),
        ({"tiers": [["smoke"], ["smokes"]]}, "O509", "Did you mean 'smoke'"),
        ({"max_parents": -1}, "O504", "max_parents is -1"),
        ({"seed": -1}, "O475", "seed is -1"),
        ({"seed": "x"}, "O475", "seed is 'x'"),
    ],
)
def test_what_cannot_be_asked_is_told(options, code, told):
    with pytest.raises(OptionError) as error:
        likely.learn_network(rows(), **options)
    assert error.value.code == code
    assert told in str(error.value)
    assert error.value.place
    assert error.value.hint


@pytest.mark.parametrize(
    ("data", "code"), [({}, "D117"), ({"a": []}, "D117"), ({"a": [None, None]}, "D427"), ({"a": [[1], [2]]}, "D")]
)
def test_rows_of_which_nothing_can_be_learnt(data, code):
    with pytest.raises(DataError) as error:
        likely.learn_network(data)
    assert error.value.code.startswith(code)


def test_a_mistake_is_told_before_the_work(monkeypatch):
    monkeypatch.setattr(RowScorer, "_toggled", None)
    with pytest.raises(OptionError, match="lungs"):
        likely.learn_network(rows(), forbidden=[("lungs", "smoke")])


def test_a_plan_can_be_carried_out_again():
    plan = Plan("bdeu", "tabu", required=[("asia", "tub")], strength=2.0, seed=4, options={"tabu": 5})
    one, other = (structure_learning.learn(plan, rows()) for _ in range(2))
    assert one == other == likely.learn_network(rows(), "bdeu", "tabu", [("asia", "tub")], strength=2.0, seed=4, tabu=5)
    assert one.search_.plan is plan


def test_a_score_of_ones_own_is_a_score():
    mine = likely.learn_network(small(), BayesianDirichletScore("k2", 1.0))
    assert mine.graph == likely.learn_network(small(), "k2").graph
    assert mine.search_.score == pytest.approx(mine.score(small(), BayesianDirichletScore("k2", 1.0)))


def test_the_learnt_network_is_a_network_like_others(tmp_path):
    net = likely.learn_network(rows())
    net.write(tmp_path / "asia.bif")
    again = likely.Network.read(tmp_path / "asia.bif")
    assert again.graph == Graph(net.nodes, net.graph.parents)
    for name in net.nodes:
        np.testing.assert_allclose(np.asarray(again.query(name)), np.asarray(net.query(name)), rtol=1e-6)


def test_names_in_other_cases_are_the_same():
    one = likely.learn_network(small(), "BDeu", "Hill_Climb", strength=2.0)
    assert one == likely.learn_network(small(), "bdeu", "hill-climb", strength=2.0)
    assert one.score(small(), "Log_Likelihood") == one.score(small(), "log-likelihood")


def test_pseudo_counts_by_node():
    prior = {
        "a": 0.5,
        "b": [0.5, 0.5, 0.5],
        "c": likely.Dirichlet([0.5] * len(likely.learn_network(small()).levels("c"))),
    }
    same = likely.learn_network(small(), "dirichlet", prior=prior)
    told = dict.fromkeys("abc", 0.5) | dict.fromkeys("de", 1.0)
    assert same.search_.score == pytest.approx(same.score(small(), "dirichlet", prior=told), rel=1e-12)
    even = likely.learn_network(small(), "dirichlet", prior=dict.fromkeys("abcde", 0.7))
    assert even.search_.score == pytest.approx(even.score(small(), "dirichlet", prior=0.7), rel=1e-12)
    for prior, code in (({"z": 1.0}, "O570"), ({"a": [1.0] * 7}, "O566"), ({"a": -1}, "O566")):
        with pytest.raises(OptionError) as error:
            likely.learn_network(small(), "dirichlet", prior=prior)
        assert error.value.code == code


def test_equal_classes_become_one_graph():
    """Whatever way a search came to its class, the graph is the same; and rules stay obeyed."""
    frame = rows(2000)
    for options in (
        {},
        {"required": [("dysp", "bronc")]},
        {"tiers": [["smoke"], ["lung", "bronc"]]},
        {"max_parents": 1},
    ):
        graphs = [likely.learn_network(frame, seed=seed, **options).graph for seed in range(4)]
        classes = {str(graph.equivalence_class()) for graph in graphs}
        assert len(classes) == 1
        assert len({graph.edges for graph in graphs}) == 1
    assert ("dysp", "bronc") in likely.learn_network(frame, required=[("dysp", "bronc")]).edges


def test_columns_that_cannot_be_nodes_are_left_out_and_told():
    frame = small().assign(
        id=[f"r{at}" for at in range(300)], day=pd.date_range("2026-01-01", periods=300), row=np.arange(300.0), one="x"
    )
    net = likely.learn_network(frame)
    assert net.nodes == ("a", "b", "c", "d", "e", "one")
    told = "\n".join(net.search_.notes)
    assert "'id' is left out: 300 different values in 300 rows are no levels" in told
    assert "'day' is left out: dates are no levels" in told
    assert "'row' is left out: the column counts the rows" in told
    assert "'one' has one level, which tells nothing" in told


def test_rules_are_read_once_and_kept():
    arcs = [("dysp", "bronc")]
    net = likely.learn_network(
        rows(500), required=iter(arcs), forbidden=iter([("smoke", "lung")]), tiers=iter([["xray"]])
    )
    assert ("dysp", "bronc") in net.edges
    assert ("smoke", "lung") not in net.edges
    assert net.search_.plan.required == (("dysp", "bronc"),)


@pytest.mark.parametrize("search", ["chow-liu", "tree", "pc", "exact", "order"])
def test_whenever_it_is_stopped_there_is_a_graph(search, monkeypatch):
    """Ctrl-C while the last graph is being scored."""
    count, calls = RowScorer.scores, []

    def scores(self, families):
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return count(self, families)

    monkeypatch.setattr(RowScorer, "scores", scores)
    net = likely.learn_network(rows(300), search=search)
    assert net.nodes == ASIA.nodes
    assert net.search_.interrupted == (len(calls) >= 3)


def test_weights_of_nothing_and_of_shares():
    frame = small()
    kept = np.arange(300) % 3 > 0
    odd = frame.assign(a=frame["a"].astype(str).where(kept, "never"), x=np.where(kept, np.arange(300.0) ** 0.5, np.nan))
    net = likely.learn_network(odd, weights=kept.astype(float))
    assert net == likely.learn_network(odd[kept])
    assert net.search_.score == pytest.approx(likely.learn_network(odd[kept]).search_.score)
    with pytest.raises(DataError) as error:
        likely.learn_network(frame, weights=np.full(300, 1 / 300))
    assert error.value.code == "D431"
    assert likely.learn_network(frame.assign(z=np.nan)).nodes == tuple("abcde")
    with pytest.raises(OptionError) as other:
        likely.learn_network(frame, tick=3)
    assert other.value.code == "O510"


def test_parents_whose_table_no_network_could_hold_are_not_tried(monkeypatch):
    monkeypatch.setattr(scorer_module, "MOST_TABLE_ENTRIES", 40)
    net = likely.learn_network(small(), "log-likelihood")
    assert max(table.values.size for table in net.tables.values()) <= 40
    assert net.edges
