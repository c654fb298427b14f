"""A node of a network predicted: the answers of enumeration and pyAgrum, holes or none, in scikit-learn's tools."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import likely
from likely.estimators.bayes.node_classifier import NodeClassifier
from likely.networks.inference.markov_blanket import Blanket
from likely.networks.tables.joint import Factored
from likely.structures.graph import Graph
from tests.networks import oracles

SETTINGS = settings(derandomize=True, deadline=None, max_examples=30)
ARCS = [("play", "sky"), ("play", "wind"), ("sky", "wind"), ("season", "play")]


def network(plain):
    return likely.Network(plain.spec(), levels=plain.levels)


def rows_of(plain, rng, count, holes, only=None):
    """Rows that the network can give, and some of nodes drawn apart; cells emptied at random."""
    rows = [plain.sample(rng) for _ in range(count)]
    frame = pd.DataFrame(rows, columns=list(plain.nodes), dtype=object)
    return frame.where(rng.random(frame.shape) >= holes, None)


def by_enumeration(plain, target, frame):
    joint, order = oracles.Joint(plain), np.argsort(plain.levels[target])
    out = []
    for row in frame.drop(columns=target).to_dict("records"):
        evidence = {name: level for name, level in row.items() if level is not None}
        out.append(joint.query(target, evidence).astype(float)[order])
    return np.array(out)


def weather(rows, seed=0):
    """Rows of five columns, each leaning on others, some cells empty."""
    rng = np.random.default_rng(seed)
    season = rng.choice(["summer", "winter"], rows)
    play = np.where(rng.random(rows) < np.where(season == "summer", 0.8, 0.3), "out", "in")
    sky = np.where(rng.random(rows) < np.where(play == "out", 0.8, 0.3), "sun", "rain")
    wind = np.where(rng.random(rows) < np.where((sky == "rain") & (play == "in"), 0.7, 0.2), "gale", "calm")
    return pd.DataFrame({"season": season, "sky": sky, "wind": wind}, dtype=object), pd.Series(play, name="play")


@SETTINGS
@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.2, 0.6]))
def test_any_row_agrees_with_enumeration(seed, holes):
    rng = np.random.default_rng(seed)
    plain = oracles.random_plain(seed, 6, zeros=0.1)
    target = plain.nodes[int(rng.integers(6))]
    frame = rows_of(plain, rng, 12, holes)
    model = network(plain).classifier(target)
    assert model.predict_proba(frame) == pytest.approx(by_enumeration(plain, target, frame), abs=1e-12)
    assert np.exp(model.predict_log_proba(frame)).sum(axis=1) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("target", ["LVFAILURE", "CO", "CATECHOL", "HRBP", "VENTLUNG"])
def test_alarm_agrees_with_pyagrum(target):
    gum = pytest.importorskip("pyagrum")
    plain = oracles.read("alarm")
    frame = network(plain).sample(30, seed=3)
    frame = frame.astype(object).where(np.random.default_rng(1).random(frame.shape) >= 0.1, None)
    engine = gum.LazyPropagation(oracles.agrum(plain))
    wanted, order = [], np.argsort(plain.levels[target])
    for row in frame.drop(columns=target).to_dict("records"):
        engine.setEvidence({name: level for name, level in row.items() if level is not None})
        wanted.append(engine.posterior(target).toarray()[order])
    assert network(plain).classifier(target).predict_proba(frame) == pytest.approx(np.array(wanted), abs=1e-12)


def test_tables_and_inference_agree_on_complete_rows():
    net = network(oracles.read("alarm"))
    frame = net.sample(200, seed=0)
    model = net.classifier("CATECHOL")
    inferred = net.query_many(frame.drop(columns="CATECHOL"), targets=["CATECHOL"])["CATECHOL"]
    assert model.predict_proba(frame)[:, np.argsort(model._places)] == pytest.approx(inferred, abs=1e-12)


def test_a_hundred_thousand_rows_take_as_many_calls_as_a_thousand(calls):
    net = network(oracles.read("alarm"))
    frame = net.sample(100_000, seed=0)
    model = net.classifier("LVFAILURE")
    few, many = (calls(lambda rows=rows: model.predict_proba(frame[:rows])) for rows in (1_000, 100_000))
    assert many < 1.5 * few  # rows are told apart within NumPy, none by itself


def test_a_missing_leaf_is_silent_and_needs_no_inference():
    plain = oracles.read("alarm")
    names = tuple(plain.nodes)
    factored = Factored(
        Graph(names, tuple(tuple(plain.parents[name]) for name in names)),
        tuple(tuple(plain.levels[name]) for name in names),
        tuple(plain.tables[name] for name in names),
    )
    blanket = Blanket(factored, names.index("LVFAILURE"))
    codes = np.zeros((2, len(blanket.places)), dtype=np.int64)
    around = [names[at] for at in blanket.places]
    codes[0, around.index("HISTORY")] = -1  # a leaf
    codes[1, around.index("LVEDVOLUME")] = -1  # has children of its own
    assert blanket.known(codes).tolist() == [True, False]


def test_levels_that_the_network_does_not_know_count_as_missing():
    X, y = weather(200)
    model = NodeClassifier(network=likely.Network(ARCS)).fit(X, y)
    odd, none = X[:4].copy(), X[:4].copy()
    odd["sky"], none["sky"] = "hail", None
    assert (model.predict_proba(odd) == model.predict_proba(none)).all()
    assert np.isfinite(model.predict_log_proba(odd)).all()


def test_an_impossible_row_is_answered_without_evidence():
    spec = {
        "a": {"x": 0.3, "y": 0.7},
        "b": (["a"], {"x": {"u": 1.0, "v": 0.0, "w": 0.0}, "y": {"u": 0.5, "v": 0.5, "w": 0.0}}),
        "c": (["b"], {level: {"s": 1.0, "t": 0.0} for level in "uvw"}),
    }
    model = likely.Network(spec).classifier("a")
    assert model.predict_proba([["w", "s"]]) == pytest.approx(np.array([[0.3, 0.7]]))
    assert model.predict_proba([[None, "t"], ["v", None]]) == pytest.approx(np.array([[0.3, 0.7], [0.0, 1.0]]))
    assert model.predict([["w", None], ["v", "s"]]).tolist() == ["y", "y"]


def test_tables_are_learnt_as_the_network_learns_them():
    X, y = weather(300)
    model = NodeClassifier(network=likely.Network(ARCS), prior="uniform", strength=2.0).fit(X, y)
    net = likely.Network(ARCS).fit(X.assign(play=y), strength=2.0)
    for name in net.nodes:
        assert (model.network_.table(name).values == net.table(name).values).all()
    counts = pd.crosstab(X["season"], y)
    share = (counts.loc["winter", "in"] + 2.0) / (counts.loc["winter"].sum() + 4.0)
    assert model.network_.query("play", {"season": "winter"})["in"] == pytest.approx(share, abs=1e-12)


def test_weights_count_rows():
    X, y = weather(60)
    twice = np.random.default_rng(0).integers(0, 3, 60)
    weighted = NodeClassifier(network=likely.Network(ARCS)).fit(X, y, sample_weight=twice)
    repeated = NodeClassifier(network=likely.Network(ARCS)).fit(X.loc[X.index.repeat(twice)], y.repeat(twice))
    assert weighted.predict_proba(X) == pytest.approx(repeated.predict_proba(X), abs=1e-12)


def test_parts_merged_and_forgotten_are_the_whole():
    X, y = weather(200)
    fresh = lambda: NodeClassifier(network=likely.Network(ARCS))  # noqa: E731
    whole = fresh().fit(X, y)
    parts = fresh().partial_fit(X[:90], y[:90]).partial_fit(X[90:], y[90:])
    merged = fresh().fit(X[:90], y[:90]).merge(fresh().fit(X[90:], y[90:]))
    left = fresh().fit(X, y).forget(X[90:], y[90:])
    assert parts.predict_proba(X) == pytest.approx(whole.predict_proba(X), abs=1e-12)
    assert merged.predict_proba(X) == pytest.approx(whole.predict_proba(X), abs=1e-12)
    assert left.predict_proba(X) == pytest.approx(fresh().fit(X[:90], y[:90]).predict_proba(X), abs=1e-12)


def test_a_failed_change_changes_nothing():
    X, y = weather(50)
    model = NodeClassifier(network=likely.Network(ARCS)).fit(X, y)
    before = model.predict_proba(X)
    with pytest.raises(likely.LikelyError):
        model.forget(X.loc[X.index.repeat(5)], y.repeat(5))
    with pytest.raises(likely.LikelyError):
        model.fit(X, y[:-1])
    assert (model.predict_proba(X) == before).all()


def test_the_terms_add_up_to_the_prediction():
    net = network(oracles.read("alarm"))
    frame = net.sample(50, seed=5)
    for target in ("CATECHOL", "LVFAILURE", "VENTLUNG"):
        model = net.classifier(target)
        why = model.explain(frame)
        assert why.terms.shape == (50, 37, len(model.classes_))
        assert why.proba == pytest.approx(model.predict_proba(frame), abs=1e-12)
        silent = [at for at, name in enumerate(why.names) if at and name not in net.children(target)]
        assert not why.terms[:, silent].any()
    why = net.classifier("CATECHOL").explain(frame[:1])
    assert why.names[0] == "prior"
    assert "HR" in {name for name, _, _ in why.reasons(0)}
    assert why.joint - np.log(np.exp(why.joint).sum(axis=1, keepdims=True)) == pytest.approx(
        net.classifier("CATECHOL").predict_log_proba(frame[:1])
    )


def test_terms_are_the_entries_of_the_tables():
    spec = {
        "rain": {"yes": 0.2, "no": 0.8},
        "hose": {"on": 0.1, "off": 0.9},
        "wet": (
            ["hose", "rain"],
            {
                ("on", "yes"): {"yes": 0.99, "no": 0.01},
                ("on", "no"): {"yes": 0.9, "no": 0.1},
                ("off", "yes"): {"yes": 0.8, "no": 0.2},
                ("off", "no"): {"yes": 0.05, "no": 0.95},
            },
        ),
    }
    why = likely.Network(spec).classifier("rain").explain([["off", "yes"]])
    assert why.classes == ("no", "yes")
    assert why.names == ("prior", "hose", "wet")
    assert np.exp(why.terms[0]) == pytest.approx(np.array([[0.8, 0.2], [1.0, 1.0], [0.05, 0.8]]), abs=1e-12)
    assert why.given_at(0, 2) == "hose=off"
    assert why.value_at(0, 2) == "yes"


def test_frames_arrays_and_records_are_the_same_rows():
    X, y = weather(80)
    model = NodeClassifier(network=likely.Network(ARCS)).fit(X, y)
    wanted = model.predict_proba(X)
    assert model.feature_names_in_.tolist() == ["season", "sky", "wind"]
    assert model.n_features_in_ == 3
    for rows in (
        pl.DataFrame(X.to_dict("list")),
        X[["wind", "sky", "season"]],
        X.assign(play="in"),
        X.to_dict("list"),
        X.to_dict("records"),
        X.to_numpy(),
        X.astype("category"),
    ):
        assert (model.predict_proba(rows) == wanted).all()
    assert model.predict_proba(X[["sky"]]) == pytest.approx(
        model.predict_proba(X.assign(season=None, wind=None)), abs=0
    )
    plain = NodeClassifier(network=likely.Network(ARCS), target="play")
    in_order = X[[name for name in likely.Network(ARCS).nodes if name != "play"]]
    assert (clone(plain).set_params(target=None).fit(X.assign(play=y), y).predict_proba(X) == wanted).all()
    assert (plain.fit(in_order.to_numpy(), y.to_numpy()).predict_proba(in_order) == wanted).all()
    assert (
        NodeClassifier(network=likely.Network(ARCS)).fit(pl.DataFrame(X.to_dict("list")), y).predict_proba(X) == wanted
    ).all()


def test_labels_come_back_as_they_were_given():
    net = likely.Network(
        {"x": {"a": 0.5, "b": 0.5}, "y": (["x"], {"a": {"1": 0.9, "0": 0.1}, "b": {"1": 0.2, "0": 0.8}})}
    )
    rows = np.array([["a"], ["b"], ["a"], ["b"]], dtype=object)
    model = NodeClassifier(network=net, target="y").fit(rows, [1, 0, 1, 0])
    assert model.classes_.tolist() == [0, 1]
    assert model.score(rows, [1, 0, 1, 0]) == 1.0
    assert net.classifier("y").classes_.tolist() == ["0", "1"]
    assert NodeClassifier(network=net, target="y").fit(rows[:1], [1]).classes_.tolist() == [0, 1]
    truth = NodeClassifier(network=likely.Network([("y", "x")]), target="y").fit(rows, [True, False, True, False])
    assert truth.classes_.dtype == bool
    assert truth.predict(rows).tolist() == [True, False, True, False]


def test_scikit_learn_can_copy_it_and_tune_it():
    X, y = weather(200)
    model = NodeClassifier(network=likely.Network(ARCS), strength=0.5)
    twin = clone(model)
    assert twin is not model
    assert twin.get_params()["strength"] == 0.5
    assert (
        pickle.loads(pickle.dumps(model.fit(X, y))).predict(X.assign(sky=None)) == model.predict(X.assign(sky=None))
    ).all()
    assert twin.set_params(strength=3.0).strength == 3.0
    assert model.strength == 0.5
    assert not hasattr(clone(model.fit(X, y)), "network_")
    scores = cross_val_score(model, X, y, cv=4)
    assert scores.min() > 0.5
    assert cross_val_score(model, X, y, cv=4, scoring="neg_log_loss").max() < 0
    assert cross_val_score(model, X, y, cv=4, scoring="roc_auc").mean() > 0.6
    search = GridSearchCV(model, {"strength": [0.1, 1.0, 10.0]}, scoring="neg_log_loss", cv=3).fit(X, y)
    assert search.best_estimator_.predict_proba(X).shape == (200, 2)
    pipeline = make_pipeline(FunctionTransformer(lambda frame: frame.astype(object)), model)
    assert (cross_val_predict(pipeline, X, y, cv=4) == cross_val_predict(model, X, y, cv=4)).all()
    assert log_loss(y, model.predict_proba(X)) < np.log(2)
    assert model.score(X, y) == accuracy_score(y, model.predict(X))


def test_a_fit_leaves_the_network_that_was_given():
    X, y = weather(50)
    net = likely.Network(ARCS).fit(X.assign(play=y))
    before = [net.table(name).values for name in net.nodes]
    model = net.classifier("play")
    said = model.predict_proba(X)
    NodeClassifier(network=net).fit(X[:10], y[:10])
    model.partial_fit(X, y)
    assert all((net.table(name).values == table).all() for name, table in zip(net.nodes, before, strict=True))
    again = net.classifier("play")
    net.fit(X.assign(play=y)[:5])
    assert (again.predict_proba(X) == said).all()


def test_holes_are_learnt_by_em():
    X, y = weather(400)
    holed = X.where(np.random.default_rng(2).random(X.shape) >= 0.3, None)
    model = NodeClassifier(network=likely.Network(ARCS)).fit(holed, y)
    whole = NodeClassifier(network=likely.Network(ARCS)).fit(X, y)
    assert np.abs(model.predict_proba(X) - whole.predict_proba(X)).max() < 0.2


def test_hidden_nodes_stay_hidden():
    X, y = weather(100)
    model = NodeClassifier(network=likely.Network([*ARCS, ("play", "mood")], levels={"mood": ["up", "down"]}))
    model.target = "play"
    model.fit(X, y)
    assert model.feature_names_in_.tolist() == ["season", "sky", "wind"]
    why = model.explain(X)
    assert why.proba == pytest.approx(model.predict_proba(X), abs=1e-12)


def test_rows_of_a_network_too_large_for_a_tree_are_answered_one_by_one(monkeypatch):
    X, y = weather(100)
    model = NodeClassifier(network=likely.Network(ARCS)).fit(X, y)
    holed = X.assign(sky=None)
    wanted = model.predict_proba(holed)
    monkeypatch.setattr("likely.networks.inference.cost.MOST_INFERENCE_ENTRIES", 6.0)
    assert model.predict_proba(holed) == pytest.approx(wanted, abs=1e-12)
    monkeypatch.setattr("likely.networks.inference.cost.MOST_INFERENCE_ENTRIES", 0.5)
    with pytest.raises(likely.LikelyError) as caught:
        model.predict_proba(holed)
    assert caught.value.code == "M351"
    assert "weighting" in caught.value.hint


def test_tables_without_counts_cannot_learn_more():
    model = network(oracles.read("asia")).classifier("lung")
    rows, labels = model.sample(5, seed=0)
    for work in (model.partial_fit, model.forget):
        with pytest.raises(likely.LikelyError) as caught:
            work(rows, labels)
        assert caught.value.code == "M325"
    assert model.fit(rows, labels).partial_fit(rows, labels).predict(rows).shape == (5,)


def test_it_says_what_it_is():
    model = network(oracles.read("asia")).classifier("lung")
    assert repr(NodeClassifier(strength=2.0)) == "NodeClassifier(strength=2.0)"
    assert repr(model).splitlines()[0] == "NodeClassifier(network=<8 nodes>, target='lung')"
    assert "predicts lung (no, yes) from 7 nodes, around it tub, smoke, either" in repr(model).replace("  ", " ")
    assert "NodeClassifier" in model._repr_html_()


def test_it_decides_and_draws():
    X, y = weather(100)
    model = NodeClassifier(network=likely.Network(ARCS)).fit(X, y)
    assert (model.decide(X) == model.predict(X)).all()
    assert set(model.decide(X, loss=[[0, 1], [100, 0]])) == {"out"}
    drawn, classes = model.sample(2000, seed=1)
    assert list(drawn.columns) == ["season", "sky", "wind"]
    assert set(classes) == {"in", "out"}
    assert (classes == "out").mean() == pytest.approx(model.network_.query("play")["out"], abs=0.05)


def test_mistakes_are_named():
    X, y = weather(20)
    net = likely.Network(ARCS)
    model = NodeClassifier(network=net).fit(X, y)
    holed = X.copy()
    holed.loc[3, "season"] = None
    for code, work in {
        "O495": lambda: NodeClassifier().fit(X, y),
        "O496": lambda: NodeClassifier(network=net, target="pley").fit(X, y),
        "O497": lambda: likely.Network({"a": {"x": 1.0}}).classifier("a"),
        "O452": lambda: net.classifier("pley"),
        "M307": lambda: NodeClassifier(network=net).predict(X),
        "M305": lambda: model.merge(likely.NaiveBayes().fit(X, y)),
        "M352": lambda: model.explain(holed),
        "M354": lambda: model.merge(NodeClassifier(network=net).fit(X.drop(columns="sky").assign(play=y), X["sky"])),
        "D421": lambda: model.predict(X.assign(wend="calm")),
        "D424": lambda: model.predict(X.to_numpy()[:, :2]),
        "D119": lambda: model.fit(X, None),
        "D121": lambda: model.fit(X, y[:5]),
        "D122": lambda: model.fit(X, y, sample_weight=[1.0]),
    }.items():
        with pytest.raises(likely.LikelyError) as caught:
            work()
        assert (caught.value.code, bool(caught.value.hint)) == (code, True)
    with pytest.raises(likely.LikelyError) as caught:
        NodeClassifier(network=net).fit(X.to_numpy(), y.to_numpy())
    assert caught.value.code == "O496"
    assert "play" in caught.value.hint
