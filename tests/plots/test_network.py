"""Pictures of networks show every node, arc, belief and finding, hide nothing, and fit into axes that are given."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.bezier import BezierSegment
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle

import likely
from likely import plots
from likely.errors import LikelyError
from likely.plots.graphs.boxes import arrange, lines
from likely.plots.graphs.network import EITHER, LEGEND
from likely.plots.graphs.node_cards import BAR_TRACK, CARD_STYLES, LONGEST_BAR, SHORTEST_BAR, finding, percent
from likely.structures.graph import Graph
from likely.structures.layout import layered


@dataclass
class Net:
    """Any probabilities; those of what was seen are certain."""

    graph: Graph
    sizes: list[int]
    name: str = "天气"
    has_tables: bool = True
    entries: float = 100.0
    beliefs: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.nodes, self.edges = self.graph.nodes, self.graph.edges

    def levels(self, node: str) -> tuple[str, ...]:
        assert self.has_tables
        names = ("低", "normal", "$ very long level name", "HIGH", "none", "WWWWWWWWWW", "x_y", "g", "h", "i")
        return names[: self.sizes[self.graph.at(node)]]

    def marginals(self, evidence: Any = None) -> dict[str, Any]:
        rng, found = np.random.default_rng(0), {}
        for node, size in zip(self.nodes, self.sizes, strict=True):
            shares = rng.dirichlet(np.full(size, 0.7))
            seen = (evidence or {}).get(node)
            if isinstance(seen, str):
                shares = np.array([float(level == seen) for level in self.levels(node)])
            found[node] = dict(zip(self.levels(node), shares.tolist(), strict=True))
        self.beliefs = found
        return found

    def log_probability(self, evidence: Any) -> float:
        return -2.0 * len(evidence)

    def cost(self, targets: Any = None, evidence: Any = None) -> Any:
        return SimpleNamespace(entries=self.entries)


def made(count: int, seed: int = 0, most: int = 3, **options: Any) -> Net:
    rng = np.random.default_rng(seed)
    names = [f"{'第' * (at % 3)}node {at}{' with a name that is long' * (at % 7 == 3)}" for at in range(count)]
    parents = [
        tuple(names[one] for one in rng.choice(at, min(at, int(rng.integers(most + 1))), replace=False))
        for at in range(count)
    ]
    return Net(Graph(tuple(names), tuple(parents)), rng.integers(2, 11, count).tolist(), **options)


def boxes(figure: Figure) -> list[Any]:
    """One for each node: the rim that carries a tooltip."""
    return [one for one in figure.axes[0].patches if isinstance(one, FancyBboxPatch) and one.get_gid()]


def words(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


def overlaps(extents: Any) -> int:
    """How many pairs of boxes (boxes, 2 corners, 2) overlap."""
    apart = (extents[:, None, 1] <= extents[:, 0]) | (extents[:, 1] <= extents[:, None, 0])
    return int((~apart.any(axis=2)).sum() - len(extents)) // 2


def tip(box: Any) -> list[str]:
    return str(box.get_gid()).removeprefix("tooltip: ").split("\n")


@pytest.mark.parametrize(("count", "most"), [(0, 1), (1, 1), (8, 2), (30, 3), (61, 2)])
def test_every_node_arc_and_letter_has_its_place(count: int, most: int) -> None:
    net = made(count, count, most)
    figure = plots.network(net)
    figure.draw_without_rendering()
    ax = figure.axes[0]
    extents = np.array([box.get_window_extent().get_points() for box in boxes(figure)]).reshape(-1, 2, 2)
    assert len(extents) == count
    assert overlaps(extents) == 0
    assert sum(isinstance(patch, FancyArrowPatch) for patch in ax.patches) == len(net.edges)
    texts = np.array([text.get_window_extent().get_points() for text in ax.texts]).reshape(-1, 2, 2)
    inside = (extents[:, None, 0] < texts[:, 0]) & (texts[:, 1] < extents[:, None, 1])
    assert (inside.all(axis=2).sum(axis=0) == 1).all()
    # Rooms of letters are higher than letters.
    assert overlaps(texts + np.array([[0, 2], [0, -2]])) == 0
    assert (extents >= 0).all()
    assert (extents <= figure.bbox.max).all()
    assert len(texts) == count if count > 60 else len(texts) > 2 * count or not count


def test_the_bars_are_the_beliefs() -> None:
    net = Net(Graph.of({"a": [], "b": ["a"]}), [3, 2])
    figure = plots.network(net)
    bars = [
        one for one in figure.axes[0].patches if type(one) is Rectangle and to_hex(one.get_facecolor()) != BAR_TRACK
    ]
    bars = [one for one in bars if to_hex(one.get_facecolor()) == CARD_STYLES[""].bar.lower()]
    shares = [share for node in "ab" for share in net.beliefs[node].values()]
    np.testing.assert_allclose(
        [one.get_width() for one in bars], np.maximum(LONGEST_BAR * np.array(shares), SHORTEST_BAR)
    )
    for node in "ab":
        for level, share in net.beliefs[node].items():
            assert percent(share) in words(figure)
            assert any(f"{level}: {share:.6g}" in tip(box) for box in boxes(figure))


def test_what_is_hardly_possible_has_a_bar_that_is_seen() -> None:
    net = likely.Network({"a": {"x": 0.99, "y": 0.01, "z": 0.0}})
    bars = [one for one in net.plot().axes[0].patches if to_hex(one.get_facecolor()) == CARD_STYLES[""].bar.lower()]
    x, y, z = (one.get_width() for one in bars)
    assert (x, z) == (0.99 * LONGEST_BAR, 0.0)
    assert 150 * y > 2  # dots of a picture that is saved


def heads(figure: Figure) -> list[bool]:
    """Of each arc, whether it has a head."""
    arcs = [one for one in figure.axes[0].patches if isinstance(one, FancyArrowPatch)]
    return [type(one.get_arrowstyle()).__name__ != "Curve" for one in arcs]


def legend(figure: Figure) -> list[str]:
    found: Any = figure.axes[0].get_legend()
    return [text.get_text() for text in found.get_texts()] if found else []


def test_learnt_arcs_that_may_point_either_way_have_no_head() -> None:
    rows = likely.networks.asia().sample(2000, seed=0)
    net = likely.learn_network(rows)
    either = set(net.directions().reversible)
    assert 0 < len(either) < len(net.edges)
    figure = net.plot(targets="lung")
    assert dict(zip(net.edges, heads(figure), strict=True)) == {arc: arc not in either for arc in net.edges}
    assert legend(figure) == ["asked for", EITHER]
    written = likely.Network(dict(zip(net.nodes, net.graph.parents, strict=True)))
    assert all(heads(written.plot()))
    assert not legend(written.plot())
    arc = net.directions().compelled[0]
    part = net.plot(nodes=arc)
    assert (heads(part), legend(part)) == ([True], [])


def test_rules_fix_directions() -> None:
    rows = likely.networks.asia().sample(2000, seed=0)
    free, ruled = (likely.learn_network(rows, required=required) for required in ((), [("smoke", "lung")]))
    assert heads(free.plot(nodes=["smoke", "lung"])) == [False]
    assert heads(ruled.plot(nodes=["smoke", "lung"])) == [True]


def test_of_many_levels_the_most_probable_and_how_many_more() -> None:
    net = Net(Graph.of({"a": [], "b": []}), [10, 7])
    figure = plots.network(net)
    shares = sorted(net.beliefs["a"].values())
    for share in shares[4:]:
        assert percent(share) in words(figure)
    assert f"… and 4 more: {percent(sum(shares[:4]))}" in words(figure)
    assert not any("and 1 more" in word for word in words(figure))
    assert [len(tip(box)) for box in boxes(figure)] == [11, 8]


def test_what_is_known_is_told_apart() -> None:
    net = Net(Graph.of({"a": [], "b": ["a"], "c": ["a"], "d": ["b", "c"], "e": ["d"], "f": ["e"]}), [3] * 6)
    evidence = {
        "a": "normal",
        "b": {"低": 0.8, "normal": 0.1},
        "c": ["低", "normal"],
        "d": np.array([0.5, 0.25, 1]),
        "e": SimpleNamespace(probabilities={"低": 1.0}),
    }
    figure = plots.network(net, evidence, targets="f")
    looks = [to_hex(box.get_edgecolor()) for box in boxes(figure)]
    kinds = ["seen", *["likelihood"] * 3, "fixed", "target"]
    assert dict(zip([tip(box)[0][0] for box in boxes(figure)], looks, strict=True)) == {
        node: CARD_STYLES[kind].edge for node, kind in zip("abcdef", kinds, strict=True)
    }
    dashed = [tip(box)[0][0] for box in boxes(figure) if box.get_linestyle() != "-" and box.get_linestyle() != "solid"]
    assert sorted(dashed) == ["b", "c", "d", "e"]
    told = [word for word in words(figure) if word.startswith("×")]
    assert sorted(told) == sorted(["×0.8", "×0.1", "×0", "×1", "×1", "×0", "×0.5", "×0.25", "×1"])
    assert "100 %" in words(figure)
    legend: Any = figure.axes[0].get_legend()
    assert [text.get_text() for text in legend.get_texts()] == list(LEGEND.values())
    assert figure.axes[0].get_title() == "天气: 6 nodes given 5 findings"
    del evidence["e"]
    title = plots.network(net, evidence).axes[0].get_title()
    assert title == "天气: 6 nodes given 4 findings, P(evidence) = 0.000335"


@pytest.mark.parametrize(
    ("levels", "told", "look", "each"),
    [
        (("yes", "no"), "yes", "seen", {}),
        ((0, 1, 2), 1, "seen", {}),
        ((0, 1, 2), (0, 1), "likelihood", {0: "×1", 1: "×1", 2: "×0"}),
        ((0, 1), (0.5, 1), "likelihood", {0: "×0.5", 1: "×1"}),
        (("yes", "no"), {"no": 1}, "likelihood", {"yes": "×0", "no": "×1"}),
        ((True, False), {True: 0.3, False: 0.7}, "likelihood", {True: "×0.3", False: "×0.7"}),
        ((("a", 1), ("b", 2)), ("a", 1), "seen", {}),
        ((), "anything", "seen", {}),
    ],
)
def test_findings_of_every_kind(levels: Any, told: Any, look: str, each: Any) -> None:
    found = finding(levels, told)
    assert (found.look, found.told) == (look, each)


def test_names_alone() -> None:
    for net, beliefs in (
        (made(61), None),
        (made(9), False),
        (made(9, has_tables=False), None),
        (made(9, entries=1e12), None),
    ):
        node = net.nodes[4]
        figure = plots.network(net, {node: "normal"}, beliefs=beliefs)
        assert len(words(figure)) == len(net.nodes)
        assert not net.beliefs
        assert f"{node} = normal" in words(figure)
        small = net.has_tables and net.entries < 1e12
        assert ("P(evidence) = 0.135" in figure.axes[0].get_title()) == small
    costly = made(9, entries=1e12)
    plots.network(costly, beliefs=True)
    assert costly.beliefs


def test_parts_and_titles() -> None:
    net = made(500)
    part = plots.network(net, nodes=[net.nodes[3], *net.graph.markov_blanket(net.nodes[3])])
    assert len(boxes(part)) == 1 + len(net.graph.markov_blanket(net.nodes[3]))
    assert part.axes[0].get_title() == f"天气: {len(boxes(part))} of 500 nodes"
    assert len(boxes(plots.network(net, nodes=net.nodes[7]))) == 1
    assert plots.network(Net(Graph.of({"a": []}), [2], "")).axes[0].get_title() == "Network: 1 node, 0 arcs"
    sure: Any = Net(Graph.of({"a": []}), [2])
    sure.log_probability = lambda _: -5000.0
    assert (
        plots.network(sure, {"a": "低"}).axes[0].get_title() == "天气: 1 node given 1 finding, P(evidence) = 3.37e-2172"
    )


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: plots.network(made(401)), "O491"),
        (lambda: plots.network(made(3), ["node 0"]), "O492"),  # type: ignore[arg-type]
        (lambda: plots.network("alarm"), "O374"),
    ],
)
def test_refusals(call: Any, code: str) -> None:
    with pytest.raises(LikelyError) as caught:
        call()
    assert caught.value.code == code
    assert caught.value.hint


@pytest.mark.parametrize("options", [{"targets": "node9"}, {"nodes": ["node 0", "nod 1"]}, {"targets": 3}])
def test_unknown_nodes(options: Any) -> None:
    with pytest.raises(LikelyError):
        plots.network(made(3), **options)


def test_given_axes_and_settings() -> None:
    before, net = dict(matplotlib.rcParams), made(12)
    shared = Figure(figsize=(12, 5))
    left, right = shared.subplots(1, 2)
    assert plots.network(net, {net.nodes[0]: "低"}, ax=right) is shared
    assert not left.has_data()
    assert max(text.get_fontsize() for text in right.texts) < 9
    shared.draw_without_rendering()
    assert dict(matplotlib.rcParams) == before


def test_svg_has_full_names_and_is_the_same_each_time() -> None:
    name = 'a name & <that> is "too long" for a box \x07 纹理'
    net = Net(Graph.of({name: [], "b": [name]}), [2, 3])
    texts = [plots.svg(plots.network(net, {"b": "normal"})) for _ in range(2)]
    assert texts[0] == texts[1]
    root = ElementTree.fromstring(texts[0])
    titles = [node.text for node in root.iter("{http://www.w3.org/2000/svg}title")]
    assert len(titles) == 2
    assert str(titles[0]).startswith(name.replace("\x07", "\ufffd") + "\n低: ")
    assert str(titles[1]).splitlines()[0] == "b = normal"
    ids = re.findall(r' id="([^"]*)"', texts[0])
    assert not any(one.startswith("tooltip") for one in ids)


def test_chinese_is_drawn() -> None:
    """A sign that no font has would warn, which is an error here."""
    net = Net(Graph.of({"纹理清晰": [], "好瓜": ["纹理清晰"]}), [2, 2])
    plots.svg(plots.network(net, {"好瓜": "低"}))


sizes = st.tuples(st.floats(0.3, 3.0), st.floats(0.28, 1.5))


@settings(derandomize=True, deadline=None, max_examples=25)
@given(st.integers(0, 9999), st.integers(1, 24), st.integers(1, 3), st.data())
def test_boxes_of_any_size_hide_nothing_and_arcs_go_around(seed: int, count: int, most: int, data: Any) -> None:
    each = data.draw(st.lists(sizes, min_size=count, max_size=count))
    places = made(count, seed, most).graph.parent_places
    found = arrange(each, [(parent, child) for child, mine in enumerate(places) for parent in mine])
    assert [(box.wide, box.high) for box in found.boxes] == each
    assert not any(one.hides(other) > 1e-9 for one, other in combinations(found.boxes, 2))
    for (parent, child), points in found.arcs.items():
        for box, (x, y) in ((found.boxes[parent], points[0]), (found.boxes[child], points[-1])):
            assert max(abs(x - box.x) / box.wide, abs(y - box.y) / box.high) == pytest.approx(0.5)
        for at in range(0, len(points) - 1, 3):
            x, y = BezierSegment(points[at : at + 4])(np.linspace(0, 1, 12)).T
            assert x.min() >= -0.2
            assert x.max() <= found.wide + 0.2
            for box in found.boxes:
                inside = (abs(x - box.x) < box.wide / 2 - 1e-6) & (abs(y - box.y) < box.high / 2 - 1e-6)
                assert not inside.any()


@settings(derandomize=True, deadline=None, max_examples=25)
@given(st.integers(0, 9999), st.integers(1, 40), st.integers(1, 3), st.floats(1.0, 9.0))
def test_wide_layers_are_broken_where_that_can_be(seed: int, count: int, most: int, wide: float) -> None:
    parents = made(count, seed, most).graph.parent_places
    free, kept = layered(parents, [1.0] * count, 0.2), layered(parents, [1.0] * count, 0.2, wide)
    assert layered(parents, [1.0] * count, 0.2, float(count)) == free
    for child, mine in enumerate(parents):
        assert all(kept.layers[parent] < kept.layers[child] for parent in mine)
    assert sorted(set(kept.layers)) == list(range(max(kept.layers) + 1))
    for layer in set(kept.layers):
        row = [at for at in range(count) if kept.layers[at] == layer]
        held = [
            at
            for at in row
            if any(at in mine and kept.layers[child] == layer + 1 for child, mine in enumerate(parents))
        ]
        assert len(row) <= max(wide, 1) or len(row) <= max(len(held), 1)


def test_a_star_is_broken_into_lines() -> None:
    star = arrange([(1.5, 0.8)] * 41, [(0, at) for at in range(1, 41)])
    assert max(star.wide / 1.4, star.tall) < 16
    boxes = lines([(1.0, 0.5), (1.0, 2.0), (1.0, 0.3)], 2.2, 1.0)
    assert [(box.x, box.y) for box in boxes] == [(0.5, 1.25), (1.6, 2.0), (0.5, 3.25)]


BIF = Path(__file__).parents[3] / "shared/data/bif"


@pytest.mark.skipif(not BIF.exists(), reason="the shared networks are not here")
@pytest.mark.parametrize("name", ["asia", "alarm"])
def test_networks_that_people_know(name: str) -> None:
    net = likely.Network.read(BIF / f"{name}.bif")
    node = net.nodes[-1]
    evidence = {node: net.levels(node)[0]}
    figure = net.plot(evidence, targets=net.nodes[0])
    marginals = net.marginals(evidence)
    assert len(boxes(figure)) == len(net.nodes)
    for box in boxes(figure):
        (title, *levels), known = tip(box), tip(box)[0] == f"{node} = {evidence[node]}"
        belief = marginals[node if known else title]
        assert levels == [f"{level}: {share:.6g}" for level, share in belief.items()]
    assert f"P(evidence) = {net.probability(evidence):.3g}" in figure.axes[0].get_title()
    assert str(net._repr_svg_()).startswith("<?xml")


def test_impossible_evidence_without_beliefs() -> None:
    net = likely.Network({"a": {"x": 1.0, "y": 0.0}})
    assert net.plot({"a": "y"}, beliefs=False).axes[0].get_title().endswith("P(evidence) = 0")


def test_a_legend_of_every_kind_of_evidence_does_not_squeeze_the_picture() -> None:
    evidence = {"xray": likely.networks.Fixed({"yes": 0.8, "no": 0.2}), "dysp": {"yes": 1, "no": 0.3}, "asia": "yes"}
    figure = likely.networks.asia().plot(evidence, targets="lung")
    figure.canvas.draw()
    (ax,) = figure.axes
    inch = ax.transData.transform((1, 0))[0] - ax.transData.transform((0, 0))[0]
    assert inch > 0.95 * figure.dpi  # letters are as large as they were measured to be
