"""What is known about some nodes: a level, one of several levels, how likely each level makes what was seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.schema import Level
from likely.data.levels.level_text import place_of, spellings
from likely.errors import OptionError
from likely.networks.tables.joint import Factored
from likely.networks.tables.normalisation import SCALED_WITHIN

EVIDENCE_PLACE = "evidence="


@dataclass(frozen=True, eq=False)
class Fixed:
    """Evidence that a node's probabilities, once all is taken into account, are these (Jeffrey's rule).

    Likelihoods, a plain mapping, are different: they are multiplied with what the network believes.

    >>> Fixed({"rain": 0.7, "dry": 0.3}).probabilities["rain"]
    0.7
    """

    probabilities: Mapping[Level, float]


@dataclass(frozen=True, eq=False)
class Findings:
    """hard (nodes,): the place of the level that was seen, -1 where none was; soft: likelihoods by node.

    The largest of a node's likelihoods is one; `log_scale` is the log of what all of them were divided by. `fixed` are
    the probabilities that nodes must end up with.
    """

    hard: Array
    soft: Mapping[int, Floats] = field(default_factory=dict)
    fixed: Mapping[int, Floats] = field(default_factory=dict)
    log_scale: float = 0.0

    @property
    def places(self) -> tuple[int, ...]:
        """The nodes that something is known of."""
        return tuple(sorted({*np.flatnonzero(self.hard >= 0).tolist(), *self.soft, *self.fixed}))


def known(evidence: Any) -> dict[str, Any]:
    """What is known, by node: of a mapping or a row of a frame, without what is missing."""
    if evidence is None:
        return {}
    if not hasattr(evidence, "items"):
        hint = "say {node: level}, as in {'rain': 'yes'}"
        raise OptionError("O462", f"evidence is a {type(evidence).__name__}", place=EVIDENCE_PLACE, hint=hint)
    return {name: told for name, told in evidence.items() if not _is_missing(told)}


def read_evidence(factored: Factored, evidence: Mapping[str, Any] | None) -> Findings:
    """The findings that a mapping from nodes to levels, lists of levels, likelihoods or `Fixed` tells of."""
    hard = np.full(len(factored.graph.nodes), -1, dtype=np.int64)
    soft: dict[int, Floats] = {}
    fixed: dict[int, Floats] = {}
    for name, told in known(evidence).items():
        at = factored.graph.at(name, EVIDENCE_PLACE)
        if isinstance(told, Fixed):
            fixed[at] = _whole(factored, at, _weighed(factored, at, told.probabilities))
        elif isinstance(told, Mapping):
            soft[at] = _weighed(factored, at, told)
        elif isinstance(told, list | tuple | set | frozenset | np.ndarray):
            soft[at] = _listed(factored, at, tuple(told))
        else:
            hard[at] = factored.code(at, told)
    tops = {at: float(values.max()) for at, values in soft.items()}
    scaled = {at: values / tops[at] for at, values in soft.items()}
    return Findings(hard, scaled, fixed, float(np.log(list(tops.values())).sum()))


def _is_missing(told: Any) -> bool:
    return told is None or type(told).__name__ in ("NAType", "NaTType") or (isinstance(told, float) and told != told)


def _listed(factored: Factored, at: int, told: tuple[Any, ...]) -> Floats:
    """One of these levels; or, where they are numbers that are not all levels, one likelihood a level.

    A number is no level where these are intervals: it would not say which of the two is meant.
    """
    numbers = all(isinstance(one, int | float | np.number) and not isinstance(one, bool) for one in told)
    spelt = spellings(factored.levels[at])
    unlike = len(told) == factored.sizes[at] and min(place_of(one, spelt) for one in told) < 0
    if numbers and told and (unlike or spelt.cuts is not None):
        return _likelihood(factored, at, np.array(told))
    if not told:
        raise _refusal(factored, at, "no level is named")
    found = np.zeros(factored.sizes[at])
    found[[factored.code(at, one) for one in told]] = 1.0
    return _likelihood(factored, at, found)


def _whole(factored: Factored, at: int, told: Floats) -> Floats:
    """Probabilities of all levels, which sum to one but for the digits that were written down."""
    total = float(told.sum())
    if abs(total - 1.0) > SCALED_WITHIN:
        raise _refusal(factored, at, f"the probabilities that are Fixed sum to {total:.6g}, not to one")
    return np.asarray(told / total)


def _weighed(factored: Factored, at: int, told: Mapping[Any, Any]) -> Floats:
    """One number a level; of levels that are not named, zero."""
    found = np.zeros(factored.sizes[at])
    for level, number in told.items():
        try:
            found[factored.code(at, level)] = float(number)
        except (TypeError, ValueError) as fault:
            if isinstance(fault, OptionError):
                raise
            raise _refusal(factored, at, f"{number!r} is no number") from None
    return _likelihood(factored, at, found)


def _likelihood(factored: Factored, at: int, told: Array) -> Floats:
    values = np.asarray(told, dtype=np.float64)
    if values.shape != (factored.sizes[at],):
        raise _refusal(factored, at, f"{len(values)} likelihoods for {factored.sizes[at]} levels")
    if not (np.isfinite(values).all() and (values >= 0).all() and values.any()):
        raise _refusal(factored, at, "likelihoods are finite, not negative, and not all zero")
    return values


def _refusal(factored: Factored, at: int, what: str) -> OptionError:
    node = factored.graph.nodes[at]
    hint = f"give one number for each of {', '.join(map(repr, factored.levels[at]))}, or just the level that was seen"
    return OptionError("O463", what, place=f"evidence of {node!r}", hint=hint)
