"""A plain climb takes the best single move each time; which of two equal ones it takes decides where it ends."""

import numpy as np
import pytest
from scipy.special import gammaln

import likely

NODES, ROWS = 6, 1500


def table(seed):
    """Codes (rows, nodes) of 10 to 20 levels, each node drawn given up to two before it."""
    rng = np.random.default_rng(seed)
    levels, columns = rng.integers(10, 21, NODES), []
    for at in range(NODES):
        cell = np.zeros(ROWS, dtype=np.int64)
        for parent in rng.choice(at, min(at, int(rng.integers(0, 3))), replace=False) if at else ():
            cell = cell * levels[parent] + columns[parent]
        own, place = np.unique(cell, return_inverse=True)
        running = np.cumsum(rng.dirichlet(np.full(levels[at], 0.1), len(own)), axis=1)
        drawn = (rng.random(ROWS)[:, None] > running[place]).sum(axis=1)
        columns.append(np.unique(drawn.clip(max=levels[at] - 1), return_inverse=True)[1])
    return np.column_stack(columns)


class Climbs:
    """All ends of a climb by the best of single moves, whichever of equal ones is taken: no code of the package."""

    def __init__(self, codes):
        self.codes, self.levels = codes, codes.max(axis=0) + 1
        self.known, self.seen, self.ends = {}, set(), set()

    def local(self, child, parents):
        key = child, parents
        if key not in self.known:
            cell, cells = np.zeros(len(self.codes), dtype=np.int64), 1
            for parent in sorted(parents):
                cell, cells = cell * self.levels[parent] + self.codes[:, parent], cells * self.levels[parent]
            above, below = 1 / cells, 1 / cells / self.levels[child]
            whole = np.unique(cell, return_counts=True)[1]
            split = np.unique(cell * self.levels[child] + self.codes[:, child], return_counts=True)[1]
            self.known[key] = (gammaln(above) - gammaln(above + whole)).sum() + (
                gammaln(below + split) - gammaln(below)
            ).sum()
        return self.known[key]

    def moves(self, graph):
        for parent in range(NODES):
            for child in range(NODES):
                turned = {child: graph[child] ^ {parent}}
                if parent in graph[child]:
                    yield turned
                    turned = {**turned, parent: graph[parent] | {child}}
                elif parent == child or child in graph[parent]:
                    continue
                after = tuple(turned.get(at, mine) for at, mine in enumerate(graph))
                if acyclic(after):
                    yield turned

    def climb(self, graph):
        if graph in self.seen:
            return
        self.seen.add(graph)
        gains = [
            (sum(self.local(at, mine) - self.local(at, graph[at]) for at, mine in new.items()), new)
            for new in self.moves(graph)
        ]
        most = max(gain for gain, _ in gains)
        if most <= 1e-6:
            self.ends.add(round(sum(self.local(at, mine) for at, mine in enumerate(graph)), 4))
            return
        for gain, new in gains:
            if gain > most - 1e-6:
                self.climb(tuple(new.get(at, mine) for at, mine in enumerate(graph)))


def acyclic(graph):
    left = set(range(NODES))
    while ready := {at for at in left if not graph[at] & left}:
        left -= ready
    return not left


@pytest.mark.parametrize("seed", range(6))
def test_a_plain_climb_ends_where_some_choice_among_ties_leads(seed):
    codes = table(seed)
    climbs = Climbs(codes)
    climbs.climb((frozenset(),) * NODES)
    rows = {f"v{at}": [f"L{code:02d}" for code in codes[:, at]] for at in range(NODES)}
    plain = likely.learn_network(rows, "bdeu", restarts=0, tabu=0).search_.score
    assert min(abs(plain - end) for end in climbs.ends) < 1e-3
    assert likely.learn_network(rows, "bdeu", restarts=0).search_.score >= plain - 1e-6
    assert likely.learn_network(rows, "bdeu").search_.score >= max(climbs.ends) - 1e-3
