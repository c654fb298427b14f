"""What a network says, by other means: tables read from BIF, the full joint enumerated, pyAgrum on the same tables."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # importing it warns in C, where a warning that is an error is a crash
    import pyagrum as gum

BIF = Path(__file__).resolve().parents[3] / "shared" / "data" / "bif"
FILES = sorted(path.stem for path in BIF.glob("*.bif"))
SMALL = [name for name in ("asia", "cancer", "earthquake", "survey", "sachs") if name in FILES]

VARIABLE = re.compile(r"variable\s+(\S+)\s*\{[^{]*\{([^}]*)\}")
PROBABILITY = re.compile(r"probability\s*\(\s*([^|)]+?)\s*(?:\|\s*([^)]*))?\)\s*\{([^}]*)\}")
ROW = re.compile(r"(?:table|\(([^)]*)\))\s*([^;]*);")


@dataclass(frozen=True)
class Plain:
    """A network as levels, parents and tables by node; a table has the axes of the parents, then the node's own."""

    levels: Mapping[str, Sequence[Any]]
    parents: Mapping[str, Sequence[str]]
    tables: Mapping[str, np.ndarray]

    @property
    def nodes(self) -> tuple[str, ...]:
        return tuple(self.levels)

    def spec(self) -> dict[str, Any]:
        """What `likely.Network` takes, together with `levels`."""
        return {node: (list(self.parents[node]), self.tables[node]) for node in self.nodes}

    def sample(self, rng: np.random.Generator) -> dict[str, Any]:
        """One level a node, drawn parents first."""
        codes: dict[str, int] = {}
        while len(codes) < len(self.nodes):
            for node in self.nodes:
                if node not in codes and all(parent in codes for parent in self.parents[node]):
                    row = self.tables[node][tuple(codes[parent] for parent in self.parents[node])]
                    codes[node] = int(rng.choice(len(row), p=row))
        return {node: self.levels[node][codes[node]] for node in self.nodes}

    def findings(self, rng: np.random.Generator, most: int, least: int = 0) -> dict[str, Any]:
        """So many findings of a row that the network can give."""
        count = rng.integers(least, min(most, len(self.nodes)) + 1)
        chosen = rng.choice(len(self.nodes), count, replace=False)
        row = self.sample(rng)
        return {self.nodes[at]: row[self.nodes[at]] for at in chosen}

    def mixed(self, rng: np.random.Generator, most: int) -> dict[str, Any]:
        """Findings of all sorts, under which the network can still give the row that they are taken from."""
        found: dict[str, Any] = self.findings(rng, most)
        for node, level in found.items():
            levels, sort = list(self.levels[node]), rng.integers(4)
            said = rng.random(len(levels)) * (rng.random(len(levels)) < 0.8)
            said[levels.index(level)] = 0.5
            if sort == 1:
                found[node] = [other for other, number in zip(levels, said, strict=True) if number]
            elif sort == 2:
                found[node] = dict(zip(levels, 3.0 * said, strict=True))
            elif sort == 3:
                found[node] = said
        return found


def words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def bif(name: str) -> Path:
    """The file of a network of the shared folder; a test that wants it is skipped where it is not."""
    path = BIF / f"{name}.bif"
    if not path.exists():
        pytest.skip("the shared networks are not here")
    return path


@cache
def read(name: str) -> Plain:
    """A network of the shared folder, its rows divided by their sums."""
    text = bif(name).read_text()
    levels = {node: words(said) for node, said in VARIABLE.findall(text)}
    parents: dict[str, list[str]] = {}
    tables: dict[str, np.ndarray] = {}
    for node, given, body in PROBABILITY.findall(text):
        by = parents[node] = words(given)
        table = np.full([len(levels[name]) for name in [*by, node]], np.nan)
        for which, numbers in ROW.findall(body):
            at = tuple(levels[parent].index(level) for parent, level in zip(by, words(which), strict=True))
            table[at] = [float(number) for number in words(numbers)]
        assert not np.isnan(table).any(), node
        tables[node] = table / table.sum(axis=-1, keepdims=True)
    return Plain(levels, {node: parents[node] for node in levels}, tables)


@dataclass(frozen=True)
class Fixed:
    """A finding that fixes the posterior of a node: {level: probability}."""

    shares: Mapping[Any, float]


@dataclass(frozen=True)
class Joint:
    """The probability of every assignment, in extended precision; one axis a node."""

    plain: Plain

    @cached_property
    def cells(self) -> np.ndarray:
        plain, axes = self.plain, {node: at for at, node in enumerate(self.plain.nodes)}
        whole = np.ones([len(plain.levels[node]) for node in plain.nodes], dtype=np.longdouble)
        for node in plain.nodes:
            names = [*plain.parents[node], node]
            by_place = sorted(range(len(names)), key=lambda at: axes[names[at]])
            shape = [1] * len(axes)
            for name in names:
                shape[axes[name]] = len(plain.levels[name])
            whole *= plain.tables[node].astype(np.longdouble).transpose(by_place).reshape(shape)
        return whole

    def likelihood(self, node: str, finding: Any) -> np.ndarray:
        """(levels,) of a finding that is a level, a list of levels, or {level: likelihood}."""
        levels = self.plain.levels[node]
        if isinstance(finding, Mapping):
            return np.array([finding.get(level, 0.0) for level in levels], dtype=np.longdouble)
        if isinstance(finding, np.ndarray):
            return finding.astype(np.longdouble)
        among = finding if isinstance(finding, (list, set, frozenset)) else [finding]
        return np.array([level in among for level in levels], dtype=np.longdouble)

    def given(self, evidence: Mapping[str, Any], rounds: int = 3_000) -> np.ndarray:
        """The cells times the likelihoods of the findings; then fitted to the fixed ones in turns, until all hold."""
        cells = self.cells
        for node, finding in evidence.items():
            if not isinstance(finding, Fixed):
                cells = cells * self.along(node, self.likelihood(node, finding))
        fixed = {node: finding for node, finding in evidence.items() if isinstance(finding, Fixed)}
        for _ in range(rounds if fixed else 0):
            off = 0.0
            for node, finding in fixed.items():
                wanted = self.likelihood(node, finding.shares)
                held = self.over(cells, [node])
                factor = np.divide(wanted, held, out=np.zeros_like(held), where=held > 0)
                cells = cells * self.along(node, factor)
                off = max(off, float(np.abs(held - wanted).max()))
            if off < 1e-16:
                break
        return cells

    def along(self, node: str, values: np.ndarray) -> np.ndarray:
        shape = [1] * self.cells.ndim
        shape[self.plain.nodes.index(node)] = -1
        return values.reshape(shape)

    def over(self, cells: np.ndarray, targets: Sequence[str]) -> np.ndarray:
        """The sum of the cells by level of the targets, an axis each in their order."""
        places = [self.plain.nodes.index(node) for node in targets]
        kept = cells.sum(axis=tuple(at for at in range(cells.ndim) if at not in places))
        return kept.transpose([sorted(places).index(at) for at in places])

    def query(self, targets: str | Sequence[str], evidence: Mapping[str, Any] | None = None) -> np.ndarray:
        """P(targets | evidence), an axis a target."""
        names = [targets] if isinstance(targets, str) else list(targets)
        found = self.over(self.given(evidence or {}), names)
        return found / found.sum()

    def marginals(self, evidence: Mapping[str, Any] | None = None) -> dict[str, np.ndarray]:
        cells = self.given(evidence or {})
        cells = cells / cells.sum()
        return {node: self.over(cells, [node]) for node in self.plain.nodes}

    def probability(self, evidence: Mapping[str, Any]) -> float:
        return float(self.given(evidence).sum())

    def best(self, evidence: Mapping[str, Any] | None = None) -> float:
        """The largest probability of an assignment together with the evidence."""
        return float(self.given(evidence or {}).max())

    def at(self, assignment: Mapping[str, Any], evidence: Mapping[str, Any] | None = None) -> float:
        """The probability of one assignment together with the evidence."""
        plain = self.plain
        place = tuple(list(plain.levels[node]).index(assignment[node]) for node in plain.nodes)
        return float(self.given(evidence or {})[place])


@cache
def joint(name: str) -> Joint:
    return Joint(read(name))


def log_best(plain: Plain, evidence: Mapping[str, Any]) -> float:
    """The log of the largest probability of an assignment with these levels, nodes taken out one after the other.

    For networks that are too large to enumerate: pyAgrum 3.3 fails at this ("Empty tensor").
    """
    factors = []
    for node in plain.nodes:
        names = [*plain.parents[node], node]
        place = tuple(
            list(plain.levels[name]).index(evidence[name]) if name in evidence else slice(None) for name in names
        )
        with np.errstate(divide="ignore"):
            factors.append(([name for name in names if name not in evidence], np.log(plain.tables[node][place])))
    left = {node for node in plain.nodes if node not in evidence}
    while left:
        met = {node: {name for names, _ in factors if node in names for name in names} for node in sorted(left)}
        node = min(met, key=lambda node: math.prod(len(plain.levels[name]) for name in met[node]))
        names = [*sorted(met[node] - {node}), node]
        table = np.zeros([len(plain.levels[name]) for name in names])
        for mine, values in factors:
            if node in mine:
                by_place = sorted(range(len(mine)), key=lambda at: names.index(mine[at]))
                shape = [len(plain.levels[name]) if name in mine else 1 for name in names]
                table = table + values.transpose(by_place).reshape(shape)
        factors = [(mine, values) for mine, values in factors if node not in mine]
        factors.append((names[:-1], table.max(axis=-1)))
        left.remove(node)
    return float(sum(values for _, values in factors))


def agrum(plain: Plain) -> Any:
    """The same network in pyAgrum, from its tables: the reader of pyAgrum refuses some of the files."""
    net = gum.BayesNet()
    for node in plain.nodes:
        net.add(gum.LabelizedVariable(node, node, [str(level) for level in plain.levels[node]]))
    for node in plain.nodes:
        for parent in plain.parents[node]:
            net.addArc(parent, node)
    for node in plain.nodes:
        table, last = plain.tables[node], len(plain.parents[node])
        backwards = table.transpose([*reversed(range(last)), last])  # pyAgrum lists the axes from the last parent
        net.cpt(node)[:] = np.ascontiguousarray(backwards)
    return net


def random_plain(seed: int, nodes: int, arcs: float = 0.4, zeros: float = 0.2, most: int = 3) -> Plain:
    """A network at random: nodes of one to four levels, some alone, some entries zero, some rows a single one."""
    rng = np.random.default_rng(seed)
    names = [f"n{at}" for at in rng.permutation(nodes)]
    levels = {name: [f"{name}_{at}" for at in range(rng.choice([1, 2, 2, 3, 4]))] for name in names}
    parents: dict[str, list[str]] = {}
    tables: dict[str, np.ndarray] = {}
    order = list(rng.permutation(names))
    for at, node in enumerate(order):
        chosen = [parent for parent in rng.permutation(order[:at]) if rng.random() < arcs][:most]
        parents[node] = [str(parent) for parent in chosen]
        table = rng.dirichlet(np.ones(len(levels[node])), [len(levels[parent]) for parent in parents[node]])
        table = np.where(rng.random(table.shape) < zeros, 0.0, table)
        empty = table.sum(axis=-1) == 0
        table[empty] = np.eye(table.shape[-1])[rng.integers(table.shape[-1])]
        tables[node] = table / table.sum(axis=-1, keepdims=True)
    return Plain(levels, {node: parents[node] for node in names}, {node: tables[node] for node in names})


def chain(length: int, tiny: float) -> Plain:
    """x0 -> x1 -> ..., where 'yes' has the probability `tiny` whatever came before."""
    names = [f"x{at}" for at in range(length)]
    levels = {name: ["yes", "no"] for name in names}
    row = np.array([tiny, 1.0 - tiny])
    tables = {name: np.stack([row, row]) if at else row for at, name in enumerate(names)}
    return Plain(levels, {name: names[at - 1 : at] if at else [] for at, name in enumerate(names)}, tables)


def grid(side: int, seed: int = 0) -> Plain:
    """A square of binary nodes, each the child of its upper and its left neighbour: as wide as a side."""
    rng = np.random.default_rng(seed)
    name = "g{}_{}".format
    levels, parents, tables = {}, {}, {}
    for row, column in product(range(side), repeat=2):
        node = name(row, column)
        levels[node] = ["no", "yes"]
        parents[node] = [name(row - 1, column)] * (row > 0) + [name(row, column - 1)] * (column > 0)
        tables[node] = rng.dirichlet(np.ones(2), [2] * len(parents[node]))
    return Plain(levels, parents, tables)
