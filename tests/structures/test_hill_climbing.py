"""A climb: what each move gains, which moves are legal, and what the search keeps; each against the plainest way."""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations, product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.special import gammaln, xlogy

from likely.errors import OptionError
from likely.kernels.search.moves import ADD, DELETE, NONE, REVERSE, best_move, join, reach, turns_in_a_circle, wander
from likely.networks.structure.row_codes import Coded
from likely.networks.structure.scorer import RowScorer
from likely.structures.graph import Graph
from likely.structures.search.hill_climbing import hill_climb, tabu_search
from likely.structures.search.result import SearchResult, Track
from likely.structures.search.rules import Rules, read_rules
from likely.structures.search.score_names import read_score
from likely.structures.search.search_state import ArcMove, Position
from tests.structures.search_rows import no_rules

from .search_rows import random_graph, random_rows

SIZES = (2, 3, 2, 4, 2, 3, 1)
NAMES = [f"n{at}" for at in range(len(SIZES))]
KINDS = ("bic", "aic", "log-likelihood", "bdeu", "k2", "jeffreys", "fnml")
RULES = {
    "free": no_rules(len(SIZES)),
    "ruled": read_rules(
        NAMES,
        required=[("n1", "n3"), ("n0", "n4")],
        forbidden=[("n2", "n5"), ("n5", "n2"), ("n4", "n3")],
        tiers=[["n0", "n1"], ["n2", "n3", "n4"]],
        max_parents=2,
    ),
}


@cache
def rows(seed: int = 0, number: int = 250, sizes: tuple[int, ...] = SIZES) -> Any:
    return random_rows(seed, random_graph(seed, len(sizes), 0.4), number, sizes).astype(np.uint8)


def coded(codes: Any, sizes: tuple[int, ...] = SIZES, weights: Any = None) -> Coded:
    return Coded(
        tuple(f"n{at}" for at in range(len(sizes))), tuple(tuple(range(size)) for size in sizes), codes, weights
    )


def scorer(kind: str, codes: Any, sizes: tuple[int, ...] = SIZES, weights: Any = None) -> RowScorer:
    return RowScorer(coded(codes, sizes, weights), read_score(kind, strength=3.0))


@cache
def regret(rows: int, levels: int) -> float:
    """The log of the sum of the best likelihoods of all rows, by how often each level may come up."""
    if levels == 1 or rows == 0:
        return 0.0
    h = np.arange(rows + 1)
    ways = gammaln(rows + 1) - gammaln(h + 1) - gammaln(rows - h + 1)
    fit = ways + xlogy(h, h / rows) + xlogy(rows - h, (rows - h) / rows)
    return float(np.logaddexp.reduce(fit + [regret(int(n), levels - 1) for n in h]))


class Plain:
    """Scores counted one family at a time."""

    def __init__(self, kind: str, codes: Any, sizes: tuple[int, ...] = SIZES, weights: Any = None) -> None:
        self.kind, self.codes, self.sizes = kind, codes, sizes
        self.weights = np.ones(len(codes)) if weights is None else weights
        self.known: dict[Any, float] = {}

    def family(self, node: int, parents: Any) -> float:
        key = node, frozenset(parents)
        if key not in self.known:
            self.known[key] = self._family(node, sorted(parents))
        return self.known[key]

    def _family(self, node: int, parents: list[int]) -> float:
        table = np.zeros([self.sizes[at] for at in (*parents, node)])
        np.add.at(table, tuple(self.codes[:, at] for at in (*parents, node)), self.weights)
        table = table.reshape(-1, self.sizes[node])
        cells, levels = table.shape
        if self.kind in ("bdeu", "k2", "jeffreys"):
            own = {"bdeu": 3.0 / table.size, "k2": 1.0, "jeffreys": 0.5}[self.kind]
            entries = (gammaln(table + own) - gammaln(own)).sum()
            return float(entries + (gammaln(levels * own) - gammaln(table.sum(axis=1) + levels * own)).sum())
        fit = float(xlogy(table, table / np.maximum(table.sum(axis=1, keepdims=True), 1e-300)).sum())
        if self.kind == "fnml":
            return fit - sum(regret(round(n), levels) for n in table.sum(axis=1).tolist())
        price = {"bic": 0.5 * np.log(self.weights.sum()), "aic": 1.0, "log-likelihood": 0.0}[self.kind]
        return fit - price * cells * (levels - 1)

    def graph(self, arcs: Any) -> float:
        return sum(self.family(node, np.flatnonzero(arcs[:, node]).tolist()) for node in range(len(self.sizes)))


def digraph(arcs: Any) -> Any:
    out = nx.DiGraph()
    out.add_nodes_from(range(len(arcs)))
    out.add_edges_from(np.argwhere(arcs).tolist())
    return out


def closure(arcs: Any) -> Any:
    """Which node reaches which, itself too."""
    return nx.to_numpy_array(nx.transitive_closure(digraph(arcs), reflexive=True), nodelist=range(len(arcs))) > 0


def moved(arcs: Any, kind: int, parent: int, child: int) -> Any:
    new = arcs.copy()
    new[parent, child] = kind == ADD
    if kind == REVERSE:
        new[child, parent] = True
    return new


def obeys(arcs: Any, rules: Rules) -> bool:
    return bool(
        not (arcs & ~rules.allowed).any()
        and not (rules.required & ~arcs).any()
        and arcs.sum(axis=0).max(initial=0) <= rules.most
        and nx.is_directed_acyclic_graph(digraph(arcs))
    )


def legal(arcs: Any, rules: Rules) -> list[tuple[int, int, int]]:
    """All moves that leave a graph that obeys."""
    out = []
    for parent, child in permutations(range(len(arcs)), 2):
        kinds = (DELETE, REVERSE) if arcs[parent, child] else () if arcs[child, parent] else (ADD,)
        out += [(kind, parent, child) for kind in kinds if obeys(moved(arcs, kind, parent, child), rules)]
    return out


def random_arcs(draw: Any, nodes: int, share: float) -> Any:
    place = draw.permutation(nodes)
    return (draw.random((nodes, nodes)) < share) & (place[:, None] < place)


def named(arcs: Any) -> Graph:
    names = tuple(f"n{at}" for at in range(len(arcs)))
    return Graph(names, tuple(tuple(names[at] for at in np.flatnonzero(arcs[:, node])) for node in range(len(arcs))))


def found_arcs(found: SearchResult) -> Any:
    arcs = np.zeros((len(found.parents), len(found.parents)), dtype=bool)
    for child, mine in enumerate(found.parents):
        arcs[list(mine), child] = True
    return arcs


def search(which: Any, scorer: Any, rules: Rules, **options: Any) -> SearchResult:
    track = Track()
    which(scorer, rules, track, **options)
    return track.found()


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("kind", ["bic", "bdeu", "k2", "fnml"])
def test_what_moves_gain_is_what_scoring_anew_finds(kind, rules):
    asked, plain, codes = RULES[rules], Plain(kind, rows()), rows()
    here = Position(scorer(kind, codes), asked, asked.start())
    draw = np.random.default_rng(3)
    made = dict.fromkeys((ADD, DELETE, REVERSE), 0)
    nodes, before = len(SIZES), plain.graph(here.arcs)
    while sum(made.values()) < 1000:
        parent, child = draw.choice(nodes, 2, replace=False).tolist()
        move = int(draw.choice((DELETE, REVERSE)) if here.arcs[parent, child] else ADD)
        if here.arcs[child, parent] or not obeys(moved(here.arcs, move, parent, child), asked):
            continue
        gain = here.gains[child, parent] + (here.gains[parent, child] if move == REVERSE else 0.0)
        here.make(ArcMove(move, parent, child, gain))
        after = plain.graph(here.arcs)
        assert gain == pytest.approx(after - before, abs=1e-7)
        assert here.score == pytest.approx(after, abs=1e-7)
        made[move], before = made[move] + 1, after
    assert min(made.values()) > 50
    assert (here.reached == closure(here.arcs)).all()
    assert here.parents == [tuple(np.flatnonzero(here.arcs[:, node]).tolist()) for node in range(nodes)]


def test_gains_of_weighted_rows_are_those_of_repeated_rows():
    codes, times = rows(), np.random.default_rng(1).integers(0, 4, 250)
    for kind in KINDS:
        one = Position(scorer(kind, codes, weights=times.astype(float)), RULES["free"], RULES["ruled"].start())
        other = Position(scorer(kind, np.repeat(codes, times, axis=0)), RULES["free"], RULES["ruled"].start())
        np.testing.assert_allclose(one.gains, other.gains, rtol=1e-9, atol=1e-8)


def test_a_copy_goes_its_own_way():
    here = Position(scorer("bic", rows()), RULES["free"], RULES["free"].start())
    other = here.copy()
    other.make(ArcMove(ADD, 0, 1, 0.0))
    again = Position(scorer("bic", rows()), RULES["free"], RULES["free"].start())
    for name in ("arcs", "reached", "values", "gains"):
        assert (getattr(here, name) == getattr(again, name)).all(), name
    assert here.parents == again.parents


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.integers(0, 9999), st.integers(1, 14), st.sampled_from([0.0, 0.15, 0.4, 1.0]))
def test_who_reaches_whom_is_what_networkx_says(seed, nodes, share):
    draw = np.random.default_rng(seed)
    arcs = random_arcs(draw, nodes, share)
    out = np.empty_like(arcs)
    reach(arcs, out)
    assert (out == closure(arcs)).all()
    for parent, child in np.argwhere(arcs).tolist():
        without = moved(arcs, DELETE, parent, child)
        circle = nx.has_path(digraph(without), parent, child)
        assert turns_in_a_circle(arcs, out, parent, child) == circle
    open_ = [(a, b) for a, b in permutations(range(nodes), 2) if not arcs[a, b] and not out[b, a]]
    if open_:
        parent, child = open_[int(draw.integers(len(open_)))]
        join(out, parent, child)
        assert (out == closure(moved(arcs, ADD, parent, child))).all()


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.integers(0, 9999), st.integers(1, 7), st.booleans())
def test_the_best_move_is_the_best_of_all_legal_ones(seed, nodes, resting):
    draw = np.random.default_rng(seed)
    arcs = random_arcs(draw, nodes, draw.choice([0.2, 0.6]))
    required = arcs & (draw.random(arcs.shape) < 0.2)
    allowed = (arcs | (draw.random(arcs.shape) < 0.7)) & ~required.T & ~np.eye(nodes, dtype=bool)
    rules = Rules(allowed, required, int(max(arcs.sum(axis=0).max(), draw.integers(0, nodes + 1))))
    gains = draw.integers(-9, 10, arcs.shape).astype(float)
    np.fill_diagonal(gains, -np.inf)
    until = draw.integers(0, 10, arcs.shape) if resting else np.zeros(arcs.shape, dtype=np.int64)
    until, now, enough = np.maximum(until, until.T), 5, float(draw.integers(0, 12))

    def gain(kind, parent, child):
        return gains[child, parent] + (gains[parent, child] if kind == REVERSE else 0.0)

    free_ = [move for move in legal(arcs, rules) if until[move[1:]] <= now or gain(*move) > enough]
    kind, parent, child, best = best_move(gains, arcs, closure(arcs), allowed, required, rules.most, until, now, enough)
    if not free_:
        assert (kind, parent, child) == (NONE, -1, -1)
        return
    assert best == max(gain(*move) for move in free_)
    assert (kind, parent, child) in free_
    assert best == gain(kind, parent, child)


@settings(derandomize=True, deadline=None, max_examples=40)
@given(st.integers(0, 9999), st.integers(2, 9), st.sampled_from([0.2, 0.5, 1.0]))
def test_wandering_stays_in_the_class_and_obeys(seed, nodes, share):
    draw = np.random.default_rng(seed)
    before = random_arcs(draw, nodes, share)
    required = before & (draw.random(before.shape) < 0.2)
    allowed = (before | (draw.random(before.shape) < 0.7)) & ~required.T & ~np.eye(nodes, dtype=bool)
    rules = Rules(allowed, required, int(before.sum(axis=0).max()))
    after = before.copy()
    wander(after, allowed, required, 200, np.uint64(seed))
    assert obeys(after, rules)
    assert named(before).equivalent(named(after))
    again = before.copy()
    wander(again, allowed, required, 200, np.uint64(seed))
    assert (again == after).all()


@cache
def all_graphs(nodes: int) -> list[Any]:
    """Every graph of so many nodes without a circle."""
    pairs, out = list(combinations(range(nodes), 2)), []
    for choice in product((0, 1, 2), repeat=len(pairs)):
        arcs = np.zeros((nodes, nodes), dtype=bool)
        for (a, b), which in zip(pairs, choice, strict=True):
            arcs[(a, b) if which == 1 else (b, a)] = which > 0
        if nx.is_directed_acyclic_graph(digraph(arcs)):
            out.append(arcs)
    return out


@pytest.mark.parametrize(
    "start", [((0, 1), (1, 2), (2, 3)), ((0, 1), (0, 2), (1, 2), (1, 3)), ((0, 2), (1, 2), (2, 3))]
)
def test_wandering_comes_to_every_graph_of_the_class(start):
    arcs = np.zeros((4, 4), dtype=bool)
    for arc in start:
        arcs[arc] = True
    members = {other.tobytes() for other in all_graphs(4) if named(other).equivalent(named(arcs))}
    rules, met = no_rules(4), {arcs.tobytes()}
    for seed in range(300):
        wander(arcs, rules.allowed, rules.required, 3, np.uint64(seed))
        met.add(arcs.tobytes())
    assert met == members


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("options", [{"restarts": 0}, {"restarts": 5}, {"restarts": 0, "tabu": 5}])
def test_a_search_obeys_and_ends_where_no_move_helps(kind, rules, options):
    plain = Plain(kind, rows())
    found = search(hill_climb, scorer(kind, rows()), RULES[rules], seed=4, **options)
    arcs = found_arcs(found)
    assert obeys(arcs, RULES[rules])
    assert found.score == pytest.approx(plain.graph(arcs), abs=1e-7)
    best = max(plain.graph(moved(arcs, *move)) for move in legal(arcs, RULES[rules]))
    assert best <= found.score + 1e-6
    scores = [now.score for now in found.trace]
    assert scores == sorted(set(scores))
    assert scores[-1] == found.score
    assert found.trace[-1].arcs == arcs.sum()
    assert found.steps >= len(found.trace)
    assert not found.interrupted


@settings(derandomize=True, deadline=None, max_examples=12)
@given(st.integers(0, 9999), st.sampled_from(["bic", "bdeu", "k2"]), st.booleans())
@example(543, "bdeu", True)  # two parents that tell only together
def test_small_tables_are_searched_through(seed, kind, ruled):
    sizes = (2, 3, 2, 2)
    codes = rows(seed, 120, sizes)
    rules = read_rules(NAMES[:4], [("n3", "n1")], [("n0", "n2")], max_parents=2) if ruled else no_rules(4)
    plain = Plain(kind, codes, sizes)
    best = max(plain.graph(arcs) for arcs in all_graphs(4) if obeys(arcs, rules))
    found = search(hill_climb, scorer(kind, codes, sizes), rules, seed=seed)
    assert found.score == pytest.approx(best, abs=1e-7)


def test_the_same_seed_finds_the_same_graph():
    for which in (hill_climb, tabu_search):
        one, other = (search(which, scorer("bdeu", rows(2)), RULES["free"], seed=7) for _ in range(2))
        assert one.parents == other.parents
        assert one.score == other.score
        assert one.steps == other.steps
        assert [now[1:] for now in one.trace] == [now[1:] for now in other.trace]


@pytest.mark.parametrize("tabu", [0, 4])
def test_restarts_and_tabu_are_never_worse(tabu):
    sizes = (2, 3, 2, 2, 3, 2, 2, 3, 2, 2)
    gained = 0
    for seed in range(8):
        mine = scorer("bic", rows(seed, 150, sizes), sizes)
        scores = [
            search(hill_climb, mine, no_rules(10), seed=seed, restarts=more, tabu=tabu).score for more in (1, 5, 40)
        ]
        plain = search(hill_climb, mine, no_rules(10), restarts=0, tabu=0).score
        assert scores == sorted(scores)
        assert scores[0] >= plain
        assert (
            search(hill_climb, mine, no_rules(10), restarts=0, tabu=tabu).score >= plain
        )  # goes on downhill from there
        gained += scores[-1] > plain
    assert gained  # plain climbing is a lottery


def test_tabu_goes_on_downhill_and_leaves_a_top():
    """From a top that is no peak: single moves lose, and two in a row win."""
    sizes, gained = (2, 3, 2, 2, 3, 2, 2, 3), 0
    for seed in range(12):
        mine = scorer("bic", rows(seed, 100, sizes), sizes)
        plain = search(hill_climb, mine, no_rules(8), restarts=0, tabu=0)
        tabu = search(tabu_search, mine, no_rules(8), restarts=0)
        assert tabu.score >= plain.score
        assert tabu.steps > plain.steps + 50  # ten times as many moves as an arc rests
        gained += tabu.score > plain.score + 1e-6
    assert gained


@pytest.mark.parametrize("tabu", [1, 2, 5])
def test_arcs_rest_unless_a_move_leads_higher_than_ever(tabu, monkeypatch):
    mine, met = scorer("bic", rows(3)), []
    make = Position.make

    def recorded(here, move):
        make(here, move)
        met.append(({move.parent, move.child}, here.score))

    monkeypatch.setattr(Position, "make", recorded)
    search(tabu_search, mine, no_rules(7), restarts=0, tabu=tabu)
    assert len(met) >= 10 * tabu
    for at, (arc, score) in enumerate(met):
        rested = arc not in [other for other, _ in met[max(0, at - tabu) : at]]
        assert rested or score > max(other for _, other in met[:at]), at


def test_required_arcs_are_there_from_the_start_and_stay():
    """They are against all that the rows say: two nodes that do not depend on each other."""
    codes = np.random.default_rng(0).integers(0, SIZES, (300, len(SIZES))).astype(np.uint8)
    found = search(hill_climb, scorer("bic", codes), RULES["ruled"])
    assert found.parents == ((), (), (), (1,), (0,), (), ())


def test_nothing_allowed_is_nothing_found():
    rules = Rules(np.zeros((7, 7), dtype=bool), np.zeros((7, 7), dtype=bool), 7)
    for which in (hill_climb, tabu_search):
        assert search(which, scorer("log-likelihood", rows()), rules).parents == ((),) * 7
        assert search(which, scorer("log-likelihood", rows()), read_rules(NAMES, max_parents=0)).parents == ((),) * 7


def test_one_node_is_a_graph():
    for which in (hill_climb, tabu_search):
        assert search(which, scorer("bic", rows()[:, :1].copy(), (2,)), no_rules(1)).parents == ((),)


def test_narrowed_rules_keep_what_is_required():
    rules = RULES["ruled"].narrowed(np.zeros((7, 7), dtype=bool))
    assert (rules.allowed == rules.required).all()
    assert search(hill_climb, scorer("log-likelihood", rows()), rules).parents == ((), (), (), (1,), (0,), (), ())


@pytest.mark.parametrize("after", [1, 2, 5, 8])
@pytest.mark.parametrize("which", [hill_climb, tabu_search])
def test_what_stops_a_search_loses_nothing(which, after):
    told = []

    def tick(now):
        told.append(now)
        if len(told) == after:
            raise KeyboardInterrupt

    track = Track(tick)
    with pytest.raises(KeyboardInterrupt):
        which(scorer("bic", rows()), RULES["ruled"], track)
    found = track.found(interrupted=True)
    assert found.interrupted
    assert found.score == max(now.score for now in told) == told[-1].score
    arcs = found_arcs(found)
    assert obeys(arcs, RULES["ruled"])
    assert found.score == pytest.approx(Plain("bic", rows()).graph(arcs), abs=1e-7)
    assert [now.steps for now in told] == list(range(1, after + 1))


@pytest.mark.parametrize("name", ["restarts", "tabu"])
@pytest.mark.parametrize("value", [-1, 1.5, True, "3", float("nan")])
def test_numbers_that_are_none_are_refused(name, value):
    with pytest.raises(OptionError, match=name) as error:
        search(hill_climb, scorer("bic", rows()), RULES["free"], **{name: value})
    assert error.value.code == "O505"
    assert error.value.place == f"{name}="


def test_numpy_numbers_are_numbers():
    one = search(hill_climb, scorer("bic", rows()), RULES["free"], restarts=np.int64(2), tabu=np.int64(1))
    assert one.parents == search(hill_climb, scorer("bic", rows()), RULES["free"], restarts=2, tabu=1).parents
