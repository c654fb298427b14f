"""NetworkClassifier: its posterior is that of its network, and everything that holds of a classifier holds of it."""

import json
import zipfile
from dataclasses import replace

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score

import likely
from likely import checks
from likely.networks.structure.plan import Plan
from likely.structures.search.evidence import BayesianDirichletScore
from likely.structures.search.scores import LikelihoodScore
from tests.networks import oracles

SETTINGS = settings(derandomize=True, deadline=None, max_examples=12)
ARCS = [("play", "sky"), ("play", "wind"), ("sky", "wind"), ("season", "play")]


def weather(rows, seed=0, holes=0.0):
    rng = np.random.default_rng(seed)
    season = rng.choice(["summer", "winter"], rows)
    play = np.where(rng.random(rows) < np.where(season == "summer", 0.8, 0.3), "out", "in")
    sky = np.where(rng.random(rows) < np.where(play == "out", 0.8, 0.3), "sun", "rain")
    wind = np.where(rng.random(rows) < np.where((sky == "rain") & (play == "in"), 0.7, 0.2), "gale", "calm")
    X = pd.DataFrame({"season": season, "sky": sky, "wind": wind}, dtype=object)
    return X.where(rng.random(X.shape) >= holes, None), pd.Series(play, name="play")


def drawn(seed, rows=40, nodes=5, holes=0.2):
    """Rows of a random network, one of its nodes as the class."""
    rng = np.random.default_rng(seed)
    plain = oracles.random_plain(seed, nodes)
    frame = pd.DataFrame([plain.sample(rng) for _ in range(rows)], dtype=object)
    target = plain.nodes[int(rng.integers(nodes))]
    X = frame.drop(columns=target)
    return plain, X.where(rng.random(X.shape) >= holes, None), frame[target].rename(target)


def arcs_of(plain):
    return {node: list(plain.parents[node]) for node in plain.nodes}


@SETTINGS
@given(st.integers(0, 10_000))
def test_the_posterior_is_that_of_the_network_by_enumeration(seed):
    plain, X, y = drawn(seed)
    if y.nunique() < 2 or X.nunique().min() < 1:
        return
    model = likely.NetworkClassifier(network=arcs_of(plain), kinds="category").fit(X, y)
    net = model.network_
    levels = {node: net.levels(node) for node in net.nodes}
    parents = {node: net.parents(node) for node in net.nodes}
    joint = oracles.Joint(oracles.Plain(levels, parents, {node: net.table(node).values for node in net.nodes}))
    order = [list(levels[y.name]).index(one) for one in model.classes_]
    for row, said in zip(X.to_dict("records"), model.predict_proba(X), strict=True):
        evidence = {name: level for name, level in row.items() if level is not None}
        assert said == pytest.approx(joint.query(y.name, evidence).astype(float)[order], abs=1e-10)


@settings(SETTINGS, max_examples=4)
@given(st.integers(0, 10_000), st.booleans())
def test_the_laws_hold_whatever_the_arcs(seed, weighed):
    plain, X, y = drawn(seed, rows=20)
    kinds = dict.fromkeys(X.columns, sorted({*"abcdef", *(str(one) for one in X.stack())}))
    arcs = {node: [{y.name: "y"}.get(one, one) for one in mine] for node, mine in arcs_of(plain).items()}
    arcs["y"] = arcs.pop(y.name)
    weights = np.resize([1, 2, 1], len(y)).tolist() if weighed else None
    table = checks.Table({name: list(X[name]) for name in X}, list(y), kinds, weights)
    model = likely.NetworkClassifier(network=arcs, kinds=kinds)
    checks.check_merge_is_batch(model, table)
    checks.check_forget_undoes(model, table)
    checks.check_leave_one_out_is_refit(model, table)
    fitted = clone(model).fit(table.X, table.y, table.weights)
    checks.check_explanation_sums_to_prediction(fitted, table.X)
    checks.check_other_priors_reweigh(fitted, table.X)
    checks.check_save_load(fitted, table.X)


def test_tables_by_maximum_likelihood_are_those_of_the_network():
    X, y = weather(300, holes=0.1)
    model = likely.NetworkClassifier(network=ARCS, estimate="mle").fit(X, y)
    net = likely.Network(ARCS).fit(X.assign(play=y), estimate="mle", missing="ignore")
    for name in net.nodes:
        mine = model.network_.table(name)
        order = [list(mine.parents).index(parent) for parent in net.parents(name)]
        assert mine.values.transpose(*order, -1) == pytest.approx(net.table(name).values, abs=1e-12)


def test_holes_filled_in_agree_with_em_of_the_network():
    X, y = weather(400, holes=0.3)
    model = likely.NetworkClassifier(network=ARCS, estimate="mle", missing="em").fit(X, y)
    net = likely.Network(ARCS).fit(X.assign(play=y), estimate="mle", missing="em")
    whole, _ = weather(400)
    assert model.predict_proba(whole) == pytest.approx(net.classifier("play").predict_proba(whole), abs=2e-3)
    full, labels = weather(200, seed=1)
    plain = likely.NetworkClassifier(network=ARCS).fit(full, labels)
    same = likely.NetworkClassifier(network=ARCS, missing="em").fit(full, labels)
    assert (same.predict_proba(X) == plain.predict_proba(X)).all()
    assert same.forget(full[:50], labels[:50]).model_.rows.sum() == 150
    assert model.merge(model).model_.expected
    for code, work in {"M363": model.forget, "M364": model.leave_one_out}.items():
        with pytest.raises(likely.LikelyError) as caught:
            work(X, y)
        assert caught.value.code == code


def test_the_structure_is_learnt():
    X, y = weather(5000)
    X["noise"] = np.random.default_rng(7).choice(list("abc"), len(X))
    model = likely.NetworkClassifier().fit(X, y)
    skeleton = {frozenset(arc) for arc in model.graph_.edges}
    assert skeleton == {frozenset(arc) for arc in ARCS}
    assert model.graph_.markov_blanket("play") == ("season", "sky", "wind")
    assert model.network_.edges == tuple(sorted(model.graph_.edges, key=lambda arc: model.network_.edges.index(arc)))
    assert model.structure_.kind == "network"
    assert repr(model).endswith("around play: 'season', 'sky', 'wind'")
    assert "network of 5 nodes around play" in repr(model.structure_)
    turned = likely.NetworkClassifier().fit(X[list(X.columns)[::-1]], y)
    assert turned.predict_proba(X[list(X.columns)[::-1]]) == pytest.approx(model.predict_proba(X), abs=1e-12)


def test_scopes_restrict_the_search():
    X, y = weather(3000)
    X["noise"] = np.random.default_rng(7).choice(list("abc"), len(X))
    below = lambda model: set(model.graph_.children_of("play"))  # noqa: E731
    augmented = likely.NetworkClassifier(scope="augmented").fit(X, y)
    assert below(augmented) == set(X.columns)
    blanket = likely.NetworkClassifier(scope="blanket").fit(X, y)
    assert below(blanket) == {"season", "sky", "wind"}
    assert not blanket.graph_.parents_of("noise")
    chosen = likely.NetworkClassifier(score="cll").fit(X, y)
    assert "noise" not in below(chosen)
    assert not chosen.graph_.parents_of("play")
    naive = likely.NetworkClassifier(scope="augmented", max_parents=1).fit(X, y)
    assert naive.predict_proba(X) == pytest.approx(likely.NaiveBayes().fit(X, y).predict_proba(X), abs=1e-12)


def test_arcs_that_tell_the_class_only_together_are_found():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.integers(0, 2, 400), "b": rng.integers(0, 2, 400)}).astype(str)
    y = (X["a"] != X["b"]).rename("odd")
    model = likely.NetworkClassifier(scope="augmented", score="cll").fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.leave_one_out(X, y)[np.arange(400), y.astype(int)].min() > 0.9


def test_rules_are_obeyed():
    X, y = weather(2000)
    rules = {"required": [("play", "season")], "forbidden": [("sky", "wind"), ("wind", "sky")]}
    for extra in ({}, {"scope": "blanket"}, {"scope": "augmented"}, {"score": "cll"}):
        edges = likely.NetworkClassifier(**rules, **extra).fit(X, y).graph_.edges
        assert ("play", "season") in edges
        assert not {("sky", "wind"), ("wind", "sky")} & set(edges)
    tiers = likely.NetworkClassifier(tiers=[["season"], ["play"], ["sky", "wind"]]).fit(X, y)
    assert ("season", "play") in tiers.graph_.edges


def test_numbers_are_cut_and_the_network_takes_them():
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = likely.NetworkClassifier().fit(X, y)
    assert cross_val_score(model, X, y).mean() > 0.93
    net = model.network_
    assert set(model.cuts_) <= set(net.nodes)
    assert net.query(model.target_, {"petal width (cm)": 0.2}).most_probable == 0
    again = likely.NetworkClassifier(network=net, cuts=model.cuts_).fit(X, y)
    assert again.predict_proba(X) == pytest.approx(model.predict_proba(X), abs=1e-12)
    assert model.merge(again).model_.rows.sum() == 300


def test_it_draws_what_it_believes():
    X, y = weather(500)
    model = likely.NetworkClassifier(network=ARCS).fit(X, y)
    rows, classes = model.sample(20_000, seed=1)
    frame = rows.assign(play=classes)
    for target, given_ in (("play", "season"), ("wind", "play"), ("season", "sky")):
        for level, part in frame.groupby(given_):
            wanted = model.network_.query(target, {given_: level})
            for name, share in part[target].value_counts(normalize=True).items():
                assert share == pytest.approx(wanted[name], abs=0.03)
    low, high = np.moveaxis(model.interval(X[:5]), 2, 0)
    proba = model.predict_proba(X[:5])
    assert ((low < proba) & (proba < high)).all()
    likelihood = model.log_likelihood(X[:5])
    assert likelihood == pytest.approx(model.with_priors({"in": 0.9, "out": 0.1}).log_likelihood(X[:5]))


def test_every_way_to_name_a_network(tmp_path):
    X, y = weather(100)
    wanted = likely.NetworkClassifier(network=ARCS).fit(X, y).predict_proba(X)
    for network in (
        likely.Network(ARCS),
        likely.Network(ARCS).graph,
        {"sky": ["play"], "wind": ["play", "sky"], "play": "season"},
        nx.DiGraph(ARCS),
    ):
        model = likely.NetworkClassifier(network=network).fit(X, y)
        assert model.predict_proba(X) == pytest.approx(wanted, abs=1e-12)
        model.save(tmp_path / "net.likely")
        again = likely.load(tmp_path / "net.likely")
        assert (again.predict_proba(X) == model.predict_proba(X)).all()
        assert again.partial_fit(X, y).fit(X, y).predict_proba(X) == pytest.approx(wanted, abs=1e-12)
    in_order = X[["sky", "wind", "season"]]
    model = likely.NetworkClassifier(network=ARCS, target="play").fit(in_order.to_numpy(), y.to_numpy())
    assert model.predict_proba(in_order.to_numpy()) == pytest.approx(wanted, abs=1e-12)
    assert model.target_ == "play"


def test_files_keep_options_and_are_not_trusted(tmp_path):
    X, y = weather(100)
    for score in (LikelihoodScore("half", 0.5), BayesianDirichletScore("k2", 1.0), "fnml"):
        model = likely.NetworkClassifier(score=score, required=[("play", "sky")], options={"restarts": 1}).fit(X, y)
        model.save(tmp_path / "net.likely")
        again = likely.load(tmp_path / "net.likely")
        assert again.get_params()["score"] == score
        assert again.fit(X, y).graph_ == model.graph_
    likely.NetworkClassifier(network=ARCS).fit(X, y).save(tmp_path / "net.likely")
    with zipfile.ZipFile(tmp_path / "net.likely") as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for change in ({"apart": []}, {"above": [7]}, {"told": []}, {"above": [1], "above_told": [0.1]}):
        page = json.loads(parts["model.json"])
        page["structure"] |= change
        with zipfile.ZipFile(tmp_path / "bad.likely", "w") as archive:
            for name, content in parts.items():
                archive.writestr(name, json.dumps(page) if name == "model.json" else content)
        with pytest.raises(likely.LikelyError) as caught:
            likely.load(tmp_path / "bad.likely")
        assert caught.value.code == "F404"


def test_score_is_an_option_and_a_method():
    X, y = weather(200)
    model = likely.NetworkClassifier(score="bdeu", strength=2.0).fit(X, y)
    assert model.get_params()["score"] == "bdeu"
    assert clone(model).get_params() == model.get_params()
    assert 0.5 < model.score(X, y) < 1.0
    assert model.set_params(score="aic").get_params()["score"] == "aic"
    search = GridSearchCV(likely.NetworkClassifier(), {"score": ["bic", "cll"], "scope": ["all", "augmented"]}, cv=3)
    assert search.fit(X, y).best_score_ > 0.6


def test_it_is_fitted_by_name(tmp_path):
    X, y = weather(200)
    X.assign(play=y).to_csv(tmp_path / "rows.csv", index=False)
    model = likely.fit(tmp_path / "rows.csv", "play", "network")
    assert isinstance(model, likely.NetworkClassifier)
    assert model.target_ == "play"
    assert model.predict_proba(X) == pytest.approx(likely.NetworkClassifier().fit(X, y).predict_proba(X), abs=1e-12)
    figure = model.structure_.plot()
    assert figure.axes[0].get_title() == "A network of 4 nodes around play"


def test_texts_and_one_class_and_no_columns():
    frame = pd.DataFrame({"a": list("xyxyxyxy"), "said": ["rain in the north", "sun all day long"] * 4})
    model = likely.NetworkClassifier(kinds={"said": "text"}, network=[("y", "a")]).fit(frame, [0, 1] * 4)
    assert model.predict(frame).tolist() == [0, 1] * 4
    assert likely.NetworkClassifier().fit([["a"], ["b"]], ["only"] * 2).predict([["b"]]).tolist() == ["only"]
    for score in ("bic", "cll"):
        constant = likely.NetworkClassifier(score=score).fit([[1.0], [1.0], [1.0]], [0, 1, 1])
        assert constant.predict([[1.0]]).tolist() == [1]


def test_mistakes_are_named():
    X, y = weather(50)
    one = likely.NetworkClassifier(network=ARCS).fit(X, y)
    other = likely.NetworkClassifier(network=[*ARCS, ("season", "sky")]).fit(X, y)
    turned = likely.NetworkClassifier(network=[("play", "season"), *ARCS[:3]]).fit(X, y)
    for code, work in {
        "O551": lambda: likely.NetworkClassifier(network=ARCS, target="pley").fit(X, y),
        "O552": lambda: likely.NetworkClassifier(network=[*ARCS, ("play", "mood")]).fit(X, y),
        "O553": lambda: likely.NetworkClassifier(scope="some").fit(X, y),
        "O554": lambda: likely.NetworkClassifier(scope="augmented", search="tree").fit(X, y),
        "O555": lambda: likely.NetworkClassifier(missing="fill").fit(X, y),
        "O556": lambda: likely.NetworkClassifier(score="cll", search="tabu").fit(X, y),
        "O558": lambda: likely.NetworkClassifier(options=5).fit(X, y),
        "O507": lambda: likely.NetworkClassifier(options={"restart": 5}).fit(X, y),
        "O453": lambda: likely.NetworkClassifier(network=3).fit(X, y),
        "O488": lambda: likely.NetworkClassifier(score="bik").fit(X, y),
        "O509": lambda: likely.NetworkClassifier(required=[("play", "skye")]).fit(X, y),
        "O506": lambda: likely.NetworkClassifier(search="climb").fit(X, y),
        "M310": lambda: one.merge(turned),
        "M307": lambda: likely.NetworkClassifier().network_,
    }.items():
        with pytest.raises(likely.LikelyError) as caught:
            work()
        assert (caught.value.code, bool(caught.value.hint)) == (code, True)
    with pytest.raises(likely.LikelyError, match="different structures"):
        one.merge(other)
    with pytest.raises(likely.LikelyError) as caught:
        likely.NetworkClassifier(network=[("play", "sky")]).fit(X, y)
    assert (caught.value.code, "season" in caught.value.message) == ("O552", True)
    assert likely.NetworkClassifier(network=ARCS).fit(X, y.to_numpy()).target_ == "play"  # the one that is no column


def test_halves_that_learn_the_same_class_merge_to_the_whole():
    rng = np.random.default_rng(0)
    play = rng.integers(0, 2, 2000)
    X = pd.DataFrame({"sky": rng.integers(0, 3, 2000) + play, "wind": rng.integers(0, 2, 2000)}).astype(str)
    halves = [likely.NetworkClassifier().fit(X[part], play[part]) for part in (slice(0, 1000), slice(1000, None))]
    whole = likely.NetworkClassifier().fit(X, play)
    np.testing.assert_allclose(halves[0].merge(halves[1]).predict_proba(X), whole.predict_proba(X), rtol=1e-12)


def test_numbers_that_tell_nothing_do_not_speak():
    rng = np.random.default_rng(0)
    play = rng.integers(0, 2, 400)
    X = pd.DataFrame({"sky": (rng.integers(0, 3, 400) + play).astype(str), "noise": rng.normal(size=400)})
    model = likely.NetworkClassifier().fit(X, play)
    near, far = X[:1].assign(noise=0.0), X[:1].assign(noise=1e9)
    np.testing.assert_allclose(model.predict_proba(near), model.predict_proba(far), rtol=1e-9)


def test_ctrl_c_leaves_the_old_model(monkeypatch):
    X, y = weather(80)
    model = likely.NetworkClassifier().fit(X, y)
    before = model.predict_proba(X)
    find = Plan.find
    monkeypatch.setattr(Plan, "find", lambda self, rows: replace(find(self, rows), interrupted=True))
    with pytest.raises(KeyboardInterrupt):
        model.fit(X[::-1], y[::-1].to_numpy()[::-1])
    np.testing.assert_array_equal(model.predict_proba(X), before)


class _Augmented(likely.NetworkClassifier):
    """A subclass with options of its own."""

    def __init__(self, max_parents: int = 2) -> None:
        super().__init__(scope="augmented", max_parents=max_parents)


def test_a_subclass_may_settle_the_score() -> None:
    model = clone(_Augmented(1))
    assert model.get_params() == {"max_parents": 1}
    X, y = [["a", "c"], ["a", "d"], ["b", "c"], ["b", "d"]] * 5, ["u", "u", "v", "v"] * 5
    assert model.fit(X, y).predict(X[:4]).tolist() == y[:4]
