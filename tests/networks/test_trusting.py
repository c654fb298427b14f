"""Networks asked how steady their arcs are, on rows drawn from a network that is known."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import likely
from likely.errors import LikelyError
from likely.networks import asia
from likely.networks.structure_learning import learn_network
from likely.networks.trust.arc_directions import ASSUMED
from likely.networks.trust.arc_strength import STEADY
from likely.networks.trust.structure_comparison import compare_structures
from likely.structures.search.result import Progress


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    return pd.DataFrame(asia().sample(2000, seed=3))


def test_a_learnt_network_knows_how_sure_its_arcs_are(rows: pd.DataFrame):
    net = learn_network(rows)
    found = net.arc_strength(rows, bootstrap=12)
    assert found.nodes == net.nodes
    assert found["bronc", "dysp"] == 1.0
    assert found["smoke", "xray"] < 0.2
    assert compare_structures(found.consensus(), asia()).skeleton.recall >= 7 / 8
    again = net.arc_strength(rows, bootstrap=12, threads=1)
    assert (found.together == again.together).all()
    assert (net.arc_strength(rows, bootstrap=12, seed=1).together != found.together).any()


def test_it_is_learnt_as_the_network_was(rows: pd.DataFrame):
    net = learn_network(rows, required=[("xray", "asia")], forbidden=[("dysp", "bronc")])
    found = net.arc_strength(rows, bootstrap=8)
    assert found["xray", "asia"] == found.direction("xray", "asia") == 1.0
    assert found.direction("bronc", "dysp") == 1.0
    assert ("xray", "asia") in found.consensus().edges
    none = net.arc_strength(rows, bootstrap=2, required=(), max_parents=0)
    assert not none.rows
    tree = net.arc_strength(rows, bootstrap=2, required=(), forbidden=(), search="chow-liu")
    assert tree.joined.sum() == pytest.approx(2 * 7)


def test_networks_that_no_search_found_and_columns_beside(rows: pd.DataFrame):
    assert asia().arc_strength(rows, bootstrap=3).nodes == asia().nodes
    with pytest.raises(LikelyError, match="column 'id' is no node"):  # as `fit` says
        asia().arc_strength(rows.assign(id=range(len(rows))), bootstrap=3)
    graph = likely.Network([("smoke", "lung"), ("smoke", "bronc")])
    assert graph.arc_strength(rows[list(graph.nodes)], bootstrap=3).nodes == ("smoke", "lung", "bronc")


def test_holes_and_weights(rows: pd.DataFrame):
    rng = np.random.default_rng(0)
    holed = rows.where(rng.random(rows.shape) > 0.1)
    net = learn_network(rows)
    assert net.arc_strength(holed, bootstrap=4)["either", "xray"] == 1.0
    assert net.arc_strength(holed[:300], bootstrap=2, missing="em").graphs == 2
    with pytest.raises(LikelyError) as error:
        net.arc_strength(holed, bootstrap=4, missing="error")
    assert error.value.code == "D428"
    joined = rows.groupby(list(rows.columns), as_index=False, observed=True).size()
    weighed = net.arc_strength(joined, bootstrap=10, weights="size")
    assert np.abs(weighed.joined - net.arc_strength(rows, bootstrap=10).joined).max() < 0.5
    assert weighed["bronc", "dysp"] == 1.0


def test_a_consensus_is_a_network_with_tables(rows: pd.DataFrame):
    net = learn_network(rows, score="bdeu", strength=2.0)
    mean = net.consensus(rows, bootstrap=5)
    assert mean.graph == net.arc_strength(rows, bootstrap=5).consensus()
    assert sum(mean.query("dysp").values()) == pytest.approx(1.0)
    assert mean.learnt.setting == net.learnt.setting
    assert "consensus of 5 graphs" in mean.notes
    empty = net.consensus(rows, bootstrap=3, threshold=1.0, max_parents=0)
    assert empty.edges == ()

    def stop(now: Progress) -> None:
        if now.steps == 2:
            raise KeyboardInterrupt

    part = net.consensus(rows[:200], bootstrap=50, tick=stop)
    assert "consensus of 2 graphs, stopped before all 50 were learnt" in part.notes


def test_amounts_stay_cut_as_they_are():
    rng = np.random.default_rng(1)
    size = rng.normal(size=600)
    table = pd.DataFrame({"size": size, "heavy": np.where(size + 0.3 * rng.normal(size=600) > 0, "yes", "no")})
    net = learn_network(table)
    assert net.arc_strength(table, bootstrap=5)["size", "heavy"] == 1.0
    assert net.consensus(table, bootstrap=3).levels("size") == net.levels("size")


@pytest.mark.parametrize(
    "bad", [{"bootstrap": 0}, {"score": "bick"}, {"search": "hill"}, {"restart": 3}, {"required": 3}]
)
def test_mistakes_are_told(rows: pd.DataFrame, bad: dict[str, object]):
    with pytest.raises(LikelyError) as error:
        asia().arc_strength(rows[:50], **{"bootstrap": 2, **bad})
    assert error.value.hint


def test_nothing_is_promised_that_a_hidden_cause_can_undo():
    rng = np.random.default_rng(0)
    a, b, hidden = (rng.random(4000) < 0.5 for _ in range(3))
    noise = rng.random((2, 4000)) < 0.05
    x, y = (a & hidden) ^ noise[0], (b & hidden) ^ noise[1]  # x and y cause nothing
    table = pd.DataFrame({"a": a, "x": x, "y": y, "b": b}).astype(str)
    net = learn_network(table)
    found, strength = net.directions(), net.arc_strength(table, bootstrap=10)
    false = [arc for arc in found.compelled if set(arc) == {"x", "y"}]
    assert false  # compelled under the assumptions, and an arrow that is not there
    assert strength[false[0]] == 1.0
    for told in (repr(found), repr(strength)):
        assert not re.search(r"\bsure\b|rows can tell", told)
    assert ASSUMED in repr(found)
    assert STEADY in repr(strength)


def test_an_arc_that_is_reversed_in_the_truth_is_not_called_sure():
    """Rows drawn from rows share their accidents: an arc may come back in every graph, turned round."""
    table = asia().sample(1200, seed=6)
    strength = learn_network(table).arc_strength(table, bootstrap=10)
    assert ("smoke", "bronc") in asia().directions()
    assert strength["bronc", "smoke"] == 1.0
    frame = strength.frame().set_index(["from", "to"])
    assert frame.direction["bronc", "smoke"] >= 0.8
    told = next(line for line in repr(strength).splitlines() if "bronc -> smoke" in line)
    assert "nearly all graphs" in told
    assert "sure" not in repr(strength)
