"""What an answer hangs on: which entries of the tables move it, and which findings carry it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.core.schema import Level
from likely.errors import ModelError, OptionError
from likely.networks.inference.evidence import Findings, known, read_evidence
from likely.networks.inference.factors import relevant
from likely.networks.tables.joint import Factored
from likely.output.display_width import display_width, padded
from likely.output.draw import draw
from likely.output.frames import framed
from likely.output.jsonable import to_jsonable
from likely.output.phrases import describe_evidence

ENTRIES_PRINTED = 10  # entries that are printed
WHOLE_ROW_WITHIN = 1e-12  # from one, within which two entries are their whole row
LEAST_CHANGE = 1e-14  # a change for one step of log odds below which propagation in doubles tells nothing


@dataclass(frozen=True, eq=False)
class Parameter:
    """An entry P(node = level | given) of a table, and how the answer depends on it.

    Were the entry x, with the rest of its row in the same proportions, the answer would be (a x + b) / (c x + d), where
    a, b, c, d are the `coefficients`; `derivative` is its slope at `value`. `low` and `high` are the answers where the
    odds of the entry are halved and doubled.
    """

    node: str
    level: Level
    given: Mapping[str, Level]
    value: float
    derivative: float
    coefficients: tuple[float, float, float, float]
    low: float
    high: float

    @property
    def swing(self) -> float:
        """How far apart the answers are when the odds of the entry are halved and doubled."""
        return abs(self.high - self.low)

    def at(self, value: float) -> float:
        """The answer if the entry were `value`; NaN where the evidence would then be impossible."""
        a, b, c, d = self.coefficients
        below = c * value + d
        return (a * value + b) / below if below > 0 else float("nan")

    def __str__(self) -> str:
        given = ", ".join(f"{name}={level}" for name, level in self.given.items())
        return f"P({self.node}={self.level} | {given})" if given else f"P({self.node}={self.level})"

    def to_dict(self) -> dict[str, Any]:
        """The entry as plain data."""
        told = {"node": self.node, "level": self.level, "given": dict(self.given), "value": self.value}
        numbers = {"derivative": self.derivative, "coefficients": self.coefficients, "low": self.low, "high": self.high}
        return dict(to_jsonable({**told, **numbers}))


@dataclass(frozen=True, eq=False)
class FindingEffect:
    """A finding, the answer without it, and by how much the answer is higher with it."""

    node: str
    told: Any
    posterior: float
    change: float

    def to_dict(self) -> dict[str, Any]:
        """The finding as plain data; what was told, in words, where it is not a level."""
        told = self.told if isinstance(self.told, str | int | float | bool) else str(self.told)
        return dict(to_jsonable({"node": self.node, "told": told, "without": self.posterior, "change": self.change}))


@dataclass(frozen=True, eq=False, repr=False)
class Sensitivity:
    """P(target = level | evidence), the entries of the tables that move it, and the findings that carry it.

    `parameters` come by how far the answer moves when their odds are halved and doubled, the farthest first. Entries of
    0 or 1 say what cannot be, rather than how likely something is, and are left out; so are those that cannot matter.
    `findings` come by how much the answer changes without them.

    >>> from likely.networks import asia
    >>> net = asia()
    >>> found = net.sensitivity("lung", {"xray": "yes"}, "yes")
    >>> [one.node for one in found.findings]
    ['xray']
    """

    target: str
    level: Level
    evidence: Mapping[str, Any]
    posterior: float
    parameters: tuple[Parameter, ...]
    findings: tuple[FindingEffect, ...]

    @property
    def distinct(self) -> tuple[Parameter, ...]:
        """The parameters, but only the first of two that make up a row: what one gains the other loses."""
        first: dict[tuple[Any, ...], float] = {}
        kept = []
        for one in self.parameters:
            row = (one.node, *one.given.values())
            if row not in first or abs(first[row] + one.value - 1.0) > WHOLE_ROW_WITHIN:
                kept.append(one)
            first.setdefault(row, one.value)
        return tuple(kept)

    def frame(self) -> Any:
        """A data frame, one row an entry: node, level, given, value, derivative, low, high.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> len(net.sensitivity("lung", {"xray": "yes"}).frame()) > 0
        True
        """
        columns = ("node", "level", "given", "value", "derivative", "low", "high")
        told = {name: [getattr(one, name) for one in self.parameters] for name in columns}
        return framed({**told, "given": [_written(given) for given in told["given"]]})

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> net.sensitivity("lung", {"xray": "yes"}, "yes").to_dict()["level"]
        'yes'
        """
        head = {"target": self.target, "level": self.level, "posterior": self.posterior}
        entries = [one.to_dict() for one in self.parameters]
        return {**to_jsonable(head), "parameters": entries, "findings": [one.to_dict() for one in self.findings]}

    def plot(self, **options: Any) -> Any:
        """A matplotlib figure: how far each entry moves the answer, as bars.

        >>> from likely.networks import asia
        >>> figure = asia().sensitivity("lung", {"xray": "yes"}, "yes").plot()
        >>> figure.axes[0].get_title()
        'What moves P(lung = yes), which is 0.4887'
        """
        return draw("sensitivity", self, **options)

    def __repr__(self) -> str:
        given = f" | {_written(self.evidence)}" if self.evidence else ""
        lines = [f"P({self.target}={self.level}{given}) = {self.posterior:.6g}"]
        entries = self.distinct
        if entries:
            head = ("entry", "value", "slope", "odds halved", "odds doubled")
            cells = [
                (str(one), f"{one.value:.4g}", f"{one.derivative:+.4g}", f"{one.low:.4f}", f"{one.high:.4f}")
                for one in entries[:ENTRIES_PRINTED]
            ]
            lines += _aligned([head, *cells])
            more = len(entries) - ENTRIES_PRINTED
            lines += [f"and {more} more {'entry' if more == 1 else 'entries'} in parameters"] if more > 0 else []
        else:
            lines.append("no entry of a table moves it")
        if self.findings:
            told = [
                (_written({one.node: one.told}), f"{one.posterior:.4f}", f"{round(one.change, 4) + 0.0:+.4f}")
                for one in self.findings
            ]
            lines += _aligned([("finding", "without it", "change"), *told])
        return "\n".join(lines)


def _written(given: Mapping[str, Any]) -> str:
    told = ((name, describe_evidence(one)) for name, one in given.items())
    return ", ".join(f"{name}={one[2:]}" if one.startswith("= ") else f"{name} {one}" for name, one in told)


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    wide = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    return ["  " + "  ".join(padded(cell, wide[at], right=at > 0) for at, cell in enumerate(row)) for row in rows]


def sensitivity(network: Any, target: str, evidence: Mapping[str, Any] | None = None, level: Any = None) -> Sensitivity:
    """How P(target = level | evidence) depends on every entry of the tables, one at a time, and on every finding.

    The level is the likeliest one unless it is said. While an entry changes, the rest of its row keeps its proportions.

    >>> import likely
    >>> rain = {"yes": 0.2, "no": 0.8}
    >>> wet = (["rain"], {"yes": {"yes": 0.9, "no": 0.1}, "no": {"yes": 0.3, "no": 0.7}})
    >>> sensitivity(likely.Network({"rain": rain, "wet": wet}), "rain", {"wet": "yes"})
    P(rain=no | wet=yes) = 0.571429
      entry                  value    slope  odds halved  odds doubled
      P(rain=yes)              0.2   -1.531       0.7273        0.4000
      P(wet=yes | rain=no)     0.3  +0.8163       0.4396        0.6723
      P(wet=yes | rain=yes)    0.9  -0.2721       0.5946        0.5588
      finding  without it   change
      wet=yes      0.8000  -0.2286
    """
    factored: Factored = network.factored
    findings = read_evidence(factored, evidence)
    at = _target(factored, target, findings)
    shares = network.query(target, evidence).probabilities
    place = int(np.argmax(shares)) if level is None else factored.code(at, level, "level=")
    posterior, named = float(shares[place]), factored.levels[at][place]
    return Sensitivity(
        target,
        named,
        known(evidence),
        posterior,
        _parameters(network, findings, at, place, posterior) if 0.0 < posterior < 1.0 else (),
        _findings(network, target, named, known(evidence), posterior),
    )


def _target(factored: Factored, target: str, findings: Findings) -> int:
    at = factored.graph.at(target)
    if findings.fixed:
        name = factored.graph.nodes[next(iter(findings.fixed))]
        hint = "say how likely each level makes what was seen, {level: likelihood}, instead of what must come out"
        raise ModelError(
            "M353", "a finding that is held fixed moves with the tables", place=f"evidence of {name!r}", hint=hint
        )
    if findings.hard[at] >= 0:
        hint = "leave it out of the evidence, or ask about another node"
        raise OptionError("O498", f"{target!r} is known from the evidence", place="target=", hint=hint)
    return at


def _findings(
    network: Any, target: str, level: Level, evidence: Mapping[str, Any], posterior: float
) -> tuple[FindingEffect, ...]:
    """Each finding and the answer without it; those that change most first."""
    found = []
    for name, told in evidence.items():
        others = {other: seen for other, seen in evidence.items() if other != name}
        without = float(network.query(target, others)[level])
        found.append(FindingEffect(name, told, without, posterior - without))
    return tuple(sorted(found, key=lambda one: -abs(one.change)))


def _parameters(network: Any, findings: Findings, at: int, place: int, posterior: float) -> tuple[Parameter, ...]:
    """The entries that matter, by what they matter."""
    factored: Factored = network.factored
    hard = findings.hard.copy()
    hard[at] = place
    before, _ = network.junction.families(findings)
    after, _ = network.junction.families(replace(findings, hard=hard))
    found = [
        one
        for node in relevant(factored, findings, [at])
        for one in _entries(factored, node, before[node], after[node], posterior)
    ]
    return tuple(sorted(found, key=lambda one: -one.swing))


def _entries(factored: Factored, node: int, before: Floats, after: Floats, posterior: float) -> list[Parameter]:
    """The entries of one table that matter, from P(node, parents | e) before and after the target is known too."""
    table = factored.tables[node].reshape(-1, factored.sizes[node])
    all_but = 1.0 - np.eye(factored.sizes[node])
    rest = table @ all_but
    rows, levels = np.nonzero((table > 0) & (table < 1) & (rest > 0))
    value, other = table[rows, levels], rest[rows, levels]

    def split(family: Floats, whole: float) -> tuple[Floats, Floats, Floats]:
        """Of P(...) = x up + (1 - x) down + beside, which has no difference that could cancel: up, down, beside."""
        mine = whole * family.reshape(table.shape)
        beside = np.maximum(whole - mine.sum(axis=1), 0.0)
        return mine[rows, levels] / value, (mine @ all_but)[rows, levels] / other, beside[rows]

    (up, down, beside), (up_all, down_all, beside_all) = split(after, posterior), split(before, 1.0)

    def answer(odds: float) -> Floats:
        """The posterior when the odds of each entry are multiplied."""
        share, left = odds * value / (odds * value + other), other / (odds * value + other)
        return (share * up + left * down + beside) / (share * up_all + left * down_all + beside_all)

    derivative = (up - posterior * up_all) - (down - posterior * down_all)
    coefficients = np.stack([up - down, down + beside, up_all - down_all, down_all + beside_all], axis=1)
    low, high = answer(0.5), answer(2.0)
    return [
        Parameter(
            factored.graph.nodes[node],
            factored.levels[node][levels[one]],
            _given(factored, node, int(rows[one])),
            float(value[one]),
            float(derivative[one]),
            tuple(coefficients[one].tolist()),
            float(low[one]),
            float(high[one]),
        )
        for one in np.flatnonzero(np.abs(derivative) * value * other > LEAST_CHANGE * posterior).tolist()
    ]


def _given(factored: Factored, node: int, row: int) -> dict[str, Level]:
    """The levels of the parents that a row of a table is for."""
    parents = factored.graph.parent_places[node]
    places = np.unravel_index(row, [factored.sizes[at] for at in parents]) if parents else ()
    return {factored.graph.nodes[at]: factored.levels[at][code] for at, code in zip(parents, places, strict=True)}
