"""The exact search finds what trying all graphs finds; the search over orders comes close, and both obey the rules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations, product
from typing import Any

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammaln, xlogy

from likely.errors import LikelyError
from likely.kernels.counting.joint import joint_sums
from likely.structures.search.exact import exact
from likely.structures.search.order_search import order
from likely.structures.search.result import Progress, Track
from likely.structures.search.rules import Rules, read_rules
from tests.structures.search_rows import no_rules

NAMES = ["a", "b", "c", "d", "e"]
SEARCHES = [exact, order]


class Counted:
    """A scorer that counts rows one family at a time, and remembers how many it was asked for."""

    def __init__(self, codes: Any, sizes: Sequence[int], kind: str) -> None:
        self.codes, self.sizes, self.kind = codes, tuple(sizes), kind
        self.weight, self.equivalent = float(len(codes)), kind != "k2"
        self.known: dict[tuple[int, tuple[int, ...]], float] = {}
        self.joint: Any = None
        self.price = 0.5 * np.log(self.weight) if kind == "bic" else None

    def counts(self, node: int, parents: tuple[int, ...]) -> Any:
        table = np.zeros([self.sizes[at] for at in (*parents, node)])
        np.add.at(table, tuple(self.codes[:, at] for at in (*parents, node)), 1.0)
        return table

    def score(self, node: int, parents: tuple[int, ...]) -> float:
        assert node not in parents
        assert tuple(sorted(parents)) == parents
        if (node, parents) not in self.known:
            table = self.counts(node, parents).reshape(-1, self.sizes[node])
            self.known[node, parents] = {"bic": self._bic, "k2": _dirichlet}.get(self.kind, self._bdeu)(table)
        return self.known[node, parents]

    def _bic(self, table: Any) -> float:
        fit = xlogy(table, table).sum() - xlogy(table.sum(axis=1), table.sum(axis=1)).sum()
        return float(fit - self.price * len(table) * (table.shape[1] - 1))

    def _bdeu(self, table: Any) -> float:
        return _dirichlet(table, 1.0 / table.size)

    def scores(self, families: Sequence[tuple[int, tuple[int, ...]]]) -> Any:
        return np.array([self.score(*family) for family in families])

    def toggled(self, node: int, parents: tuple[int, ...]) -> Any:
        row = [
            self.score(node, tuple(sorted({*parents} ^ {at}))) if at != node else -np.inf
            for at in range(len(self.sizes))
        ]
        return np.array(row)

    def prefetch(self, families: Any) -> None:
        self.scores(families)


def _dirichlet(table: Any, prior: float = 1.0) -> float:
    levels = table.shape[1]
    cells = gammaln(levels * prior) - gammaln(table.sum(axis=1) + levels * prior)
    return float(cells.sum() + (gammaln(table + prior) - gammaln(prior)).sum())


def drawn(seed: int, nodes: int = 5, rows: int = 200, kind: str = "bic") -> Counted:
    """Rows of a random network, so that there is something to be found."""
    chance = np.random.default_rng(seed)
    sizes = chance.integers(2, 4, nodes)
    codes = np.zeros((rows, nodes), dtype=int)
    for at, node in enumerate(places := chance.permutation(nodes)):
        cell = np.zeros(rows, dtype=int)
        for parent in chance.permutation(places[:at])[: chance.integers(0, 4)]:
            cell = cell * sizes[parent] + codes[:, parent]
        shares = chance.dirichlet(np.full(sizes[node], 0.6), cell.max() + 1)
        codes[:, node] = (chance.random((rows, 1)) > np.cumsum(shares[cell], axis=1)[:, :-1]).sum(axis=1)
    return Counted(codes, sizes.tolist(), kind)


def searched(search: Any, scorer: Counted, rules: Rules | None = None, **options: Any) -> Track:
    track = Track()
    search(scorer, rules or no_rules(len(scorer.sizes)), track, **options)
    return track


@cache
def all_graphs() -> Any:
    """(graphs, nodes): the parents of each node, as bits, in every graph of five nodes without a circle."""
    found = set()
    for places in permutations(range(5)):
        choices = []
        for at in range(5):
            sets = [sum(1 << one for one in some) for k in range(at + 1) for some in combinations(places[:at], k)]
            choices.append(sets)
        for parents in product(*choices):
            found.add(tuple(parents[places.index(node)] for node in range(5)))
    return np.array(sorted(found))


def best_of_all(scorer: Counted, rules: Rules) -> float:
    table = np.full((5, 32), -np.inf)
    for node in range(5):
        for parents in range(32):
            members = tuple(at for at in range(5) if parents >> at & 1)
            obeys = (
                node not in members
                and all(rules.allowed[at, node] for at in members)
                and all(at in members for at in np.flatnonzero(rules.required[:, node]))
                and len(members) <= rules.most
            )
            table[node, parents] = scorer.score(node, members) if obeys else -np.inf
    return float(table[np.arange(5), all_graphs()].sum(axis=1).max())


def check_obeys(track: Track, scorer: Counted, rules: Rules) -> None:
    assert track.parents is not None
    arcs = np.zeros_like(rules.allowed)
    for node, parents in enumerate(track.parents):
        arcs[list(parents), node] = True
        assert len(parents) <= rules.most
    assert not (arcs & ~rules.allowed).any()
    assert not (rules.required & ~arcs).any()
    assert networkx.is_directed_acyclic_graph(networkx.from_numpy_array(arcs, create_using=networkx.DiGraph))
    assert track.score == pytest.approx(sum(scorer.score(*family) for family in enumerate(track.parents)), abs=1e-8)


RULES = [
    {},
    {"required": [("e", "a"), ("b", "a")], "forbidden": [("c", "d"), ("a", "c")]},
    {"tiers": [["c", "a"], ["b", "e"]], "max_parents": 2},
    {"max_parents": 1, "required": [("a", "b"), ("b", "c")]},
]


def test_there_are_29281_graphs_of_five_nodes() -> None:
    assert len(all_graphs()) == 29_281


@pytest.mark.parametrize("kind", ["bic", "bdeu", "k2"])
@pytest.mark.parametrize("seed", range(20))
def test_no_graph_of_all_is_better(seed: int, kind: str) -> None:
    scorer = drawn(seed, kind=kind, rows=(50, 200, 1000)[seed % 3])
    for told in RULES:
        rules = read_rules(NAMES, **told)
        for search in SEARCHES:
            track = searched(search, scorer, rules, seed=seed)
            check_obeys(track, scorer, rules)
            assert track.score == pytest.approx(best_of_all(scorer, rules), abs=1e-8)


@settings(derandomize=True, deadline=None, max_examples=25)
@given(st.integers(0, 999), st.integers(1, 5), st.sampled_from(["bic", "bdeu", "k2"]), st.data())
def test_any_rules_are_obeyed(seed: int, most: int, kind: str, data: Any) -> None:
    places = data.draw(st.permutations(NAMES))
    arcs = list(combinations(places, 2))
    required = data.draw(st.lists(st.sampled_from(arcs), max_size=most, unique=True))
    other = [arc for arc in [*arcs, *(arc[::-1] for arc in arcs)] if arc not in required]
    forbidden = data.draw(st.lists(st.sampled_from(other), max_size=8, unique=True))
    rules, scorer = read_rules(NAMES, required, forbidden, max_parents=most), drawn(seed, kind=kind)
    for search in SEARCHES:
        track = searched(search, scorer, rules)
        check_obeys(track, scorer, rules)
        assert track.score == pytest.approx(best_of_all(scorer, rules), abs=1e-8)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("nodes", [0, 1, 2])
def test_few_nodes(search: Any, nodes: int) -> None:
    scorer = Counted(np.zeros((7, nodes), dtype=int), [2] * nodes, "bic")
    track = searched(search, scorer)
    assert track.parents == ((),) * nodes
    assert track.found().score == pytest.approx(sum(scorer.score(node, ()) for node in range(nodes)))


@pytest.mark.parametrize("search", SEARCHES)
def test_a_constant_node_is_alone(search: Any) -> None:
    codes = np.zeros((100, 3), dtype=int)
    codes[::2, 1:] = 1
    track = searched(search, Counted(codes, [1, 2, 2], "bic"))
    assert track.parents is not None
    assert 0 not in track.parents[1] + track.parents[2]
    assert not track.parents[0]
    assert sum(map(len, track.parents)) == 1


@pytest.mark.parametrize("search", SEARCHES)
def test_two_parents_that_say_nothing_alone(search: Any) -> None:
    codes = np.random.default_rng(0).integers(0, 2, (2000, 3))
    codes[:, 2] = codes[:, 0] ^ codes[:, 1]
    track = searched(search, Counted(codes, [2, 2, 2], "bic"))
    assert track.parents is not None
    assert sorted(map(len, track.parents)) == [0, 0, 2]


def test_families_that_cannot_pay_are_not_counted() -> None:
    scorer, plain = drawn(3, 8, 100), drawn(3, 8, 100)
    plain.price = None
    plain._bic = lambda table: Counted._bic(scorer, table)  # type: ignore[method-assign]
    priced, unpriced = searched(exact, scorer), searched(exact, plain)
    assert priced.score == pytest.approx(unpriced.score, abs=1e-8)
    assert len(scorer.known) < 0.7 * len(plain.known)
    assert len(plain.known) < 2**8 + 8  # one family for each set of nodes, not one for each node and set


@pytest.mark.parametrize("seed", range(5))
def test_values_of_sets_may_come_from_the_scorer(seed: int) -> None:
    scorer, asked = drawn(seed, 7, 300, "bdeu"), []
    columns, sizes = np.ascontiguousarray(scorer.codes.T), np.array(scorer.sizes)

    def joint(sets: Any) -> Any:
        asked.extend(sets.tolist())
        return joint_sums(columns, sizes, sets, 1.0) - joint_sums(columns, sizes, np.zeros(1, dtype=int), 1.0)

    plain = searched(exact, scorer)
    scorer.joint, scorer.known = joint, {}
    track = searched(exact, scorer)
    assert track.score == pytest.approx(plain.score, abs=1e-8)
    assert track.parents == plain.parents
    assert len(asked) == len(set(asked)) == 2**7 - 1
    assert len(scorer.known) < 7 * 8  # of the graphs on the way


def test_what_is_held_impossible_is_no_parent() -> None:
    """Scores of -inf, as from a prior network that excludes what was seen, leave the others as they are."""
    scorer = drawn(4, kind="bdeu")
    table = dict.fromkeys(range(32), 0.0)
    for bits in range(1, 32):
        nodes = tuple(at for at in range(5) if bits >> at & 1)
        table[bits] = -np.inf if {0, 1} <= {*nodes} else sum(scorer.score(at, nodes[:i]) for i, at in enumerate(nodes))
    scorer.joint = lambda sets: np.array([table[bits] for bits in sets.tolist()])
    parents = searched(exact, scorer).parents
    assert parents is not None
    assert all(not {0, 1} <= {node, *mine} for node, mine in enumerate(parents))


def test_the_search_over_orders_meets_the_exact_one() -> None:
    for seed in range(4):
        scorer = drawn(seed, 9, 500)
        assert searched(order, scorer).score == pytest.approx(searched(exact, scorer).score, abs=1e-8)


def test_parents_grow_where_families_are_many() -> None:
    scorer = drawn(5, 16, 500)
    track = searched(order, scorer, restarts=3)
    rules = no_rules(16)
    check_obeys(track, scorer, rules)
    assert len(scorer.known) < 16 * 2**15 / 10
    best = searched(exact, scorer, Rules(rules.allowed, rules.required, 3)).score
    assert track.score >= best - 0.01 * abs(best)


@pytest.mark.parametrize("search", SEARCHES)
def test_the_same_seed_finds_the_same(search: Any) -> None:
    once, again = (searched(search, drawn(2, 7), seed=4) for _ in range(2))
    assert once.parents == again.parents
    assert [step[1:] for step in once.trace] == [step[1:] for step in again.trace]


@pytest.mark.parametrize("search", SEARCHES)
def test_who_stops_it_keeps_the_best_so_far(search: Any) -> None:
    scorer, rules = drawn(1, 7), no_rules(7)
    whole = searched(search, scorer)

    def stop(progress: Progress) -> None:
        if progress.arcs > 2:
            raise KeyboardInterrupt

    track = Track(tick=stop)
    with pytest.raises(KeyboardInterrupt):
        search(scorer, rules, track)
    found = track.found(interrupted=True)
    assert sum(map(len, found.parents)) > 2
    assert found.score <= whole.score
    check_obeys(track, scorer, rules)


@pytest.mark.parametrize("search", SEARCHES)
def test_progress_runs_to_its_end(search: Any) -> None:
    told: list[Progress] = []
    search(drawn(1, 6), no_rules(6), Track(tick=told.append))
    shares = [progress.done for progress in told if progress.done is not None]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    scores = [progress.score for progress in told]
    assert scores == sorted(scores)


def test_too_many_nodes_are_refused_with_the_memory() -> None:
    with pytest.raises(LikelyError, match=r"30 nodes needs 136 GiB") as error:
        searched(exact, Counted(np.zeros((5, 30), dtype=int), [2] * 30, "bic"))
    assert error.value.code == "M361"


def test_too_many_families_are_refused_where_each_must_be_scored() -> None:
    scorer = Counted(np.zeros((5, 20), dtype=int), [2] * 20, "k2")
    with pytest.raises(LikelyError, match="10,485,760 families") as error:
        searched(exact, scorer)
    assert error.value.code == "M362"


@pytest.mark.parametrize("restarts", [-1, 1.5, True, "many", None])
def test_restarts_are_a_number(restarts: Any) -> None:
    with pytest.raises(LikelyError) as error:
        searched(order, drawn(0), restarts=restarts)
    assert error.value.code == "O511"
