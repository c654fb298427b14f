"""Rows that a search asks for scores and counts, by the plainest way; and random graphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import gammaln

from likely.structures.graph import Graph
from likely.structures.search.rules import Rules, read_rules


def no_rules(nodes: int) -> Rules:
    """The rules that forbid nothing."""
    return read_rules([f"x{at}" for at in range(nodes)])


class Rows:
    """BIC, or the K2 score, which tells directions apart, from codes (rows, nodes)."""

    def __init__(self, codes: Any, sizes: Sequence[int], kind: str = "bic", weights: Any = None) -> None:
        self.codes, self.sizes, self.kind = np.asarray(codes), tuple(sizes), kind
        self.weights = np.ones(len(self.codes)) if weights is None else np.asarray(weights)
        self.weight, self.equivalent = float(self.weights.sum()), kind == "bic"

    def counts(self, node: int, parents: tuple[int, ...]) -> Any:
        table = np.zeros([self.sizes[at] for at in (*parents, node)])
        np.add.at(table, tuple(self.codes[:, [*parents, node]].T), self.weights)
        return table

    def crossed(self, node: int, others: Sequence[int], given: tuple[int, ...]) -> Any:
        """Cells never seen left out, and after each of the others a slot of what does not count."""
        tables, starts = [], []
        for other in others:
            shape = (-1, self.sizes[node], self.sizes[other])
            table = np.zeros([self.sizes[at] for at in (*given, node, other)])
            np.add.at(table, tuple(self.codes[:, [*given, node, other]].T), self.weights)
            starts.append(sum(part.shape[2] for part in tables))
            tables.append(np.pad(table.reshape(shape), [(0, 0), (0, 0), (0, 1)], constant_values=7))
        counts = np.concatenate(tables, axis=2)
        return counts[tables[0][:, :, :-1].any(axis=(1, 2))], np.array(starts)

    def score(self, node: int, parents: tuple[int, ...]) -> float:
        table = self.counts(node, parents).reshape(-1, self.sizes[node])
        sums, levels = table.sum(axis=1, keepdims=True), self.sizes[node]
        if self.kind == "k2":
            return float((gammaln(levels) - gammaln(sums + levels)).sum() + gammaln(table + 1).sum())
        logs = np.log(np.divide(table, sums, out=np.ones_like(table), where=table > 0))
        return float((table * logs).sum() - 0.5 * np.log(self.weight) * len(table) * (levels - 1))

    def scores(self, families: Any) -> Any:
        return np.array([self.score(*family) for family in families])

    def toggled(self, node: int, parents: tuple[int, ...]) -> Any:
        def with_or_without(at: int) -> float:
            return -np.inf if at == node else self.score(node, tuple(sorted({*parents} ^ {at})))

        return np.array([with_or_without(at) for at in range(len(self.sizes))])

    def prefetch(self, families: Any) -> None:
        pass


class Separation:
    """A test that never errs: nodes are independent where the graph d-separates them."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self.asked = graph, 0

    def log_p(self, node: int, others: Sequence[int], given: tuple[int, ...]) -> Any:
        names, self.asked = self.graph.nodes, self.asked + len(others)
        known = [names[at] for at in given]
        return np.array([0.0 if self.graph.d_separated(names[node], names[at], known) else -np.inf for at in others])


def random_graph(seed: int, nodes: int, share: float) -> Graph:
    draw = np.random.default_rng(seed)
    order = draw.permutation(nodes)
    parents = {f"n{at}": [] for at in range(nodes)}
    for later in range(nodes):
        for earlier in range(later):
            if draw.random() < share:
                parents[f"n{order[later]}"].append(f"n{order[earlier]}")
    return Graph.of(parents)


def random_rows(seed: int, graph: Graph, rows: int, sizes: Sequence[int]) -> Any:
    """Codes drawn from a graph with tables that are far from even."""
    draw = np.random.default_rng(seed)
    codes = np.zeros((rows, len(graph.nodes)), dtype=np.int64)
    for name in graph.order:
        at = graph.places[name]
        mine = graph.parent_places[at]
        tables = draw.dirichlet(np.full(sizes[at], 0.5), size=[sizes[up] for up in mine]).cumsum(axis=-1)
        bounds = tables[tuple(codes[:, up] for up in mine)] if mine else np.broadcast_to(tables, (rows, sizes[at]))
        codes[:, at] = np.minimum((draw.random(rows)[:, None] > bounds).sum(axis=1), sizes[at] - 1)
    return codes


def clear_rows(seed: int, graph: Graph, rows: int, sizes: Sequence[int]) -> Any:
    """Codes in which every node is the sum of its parents, cut at its last level, in three rows of four."""
    draw = np.random.default_rng(seed)
    codes = draw.integers(0, sizes, (rows, len(graph.nodes)))
    for name in graph.order:
        at = graph.places[name]
        if mine := list(graph.parent_places[at]):
            clear = np.minimum(codes[:, mine].sum(axis=1), sizes[at] - 1)
            codes[:, at] = np.where(draw.random(rows) < 0.75, clear, codes[:, at])
    return codes
