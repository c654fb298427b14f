"""What is known and believed of a node, in the words of its card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from likely.plots.graphs.node_cards import Card, LevelBar, percent
from likely.plots.typeface import short, shorts

MOST_LEVEL_BARS = 6  # bars of a node, unless one more is all
LEVEL_LETTERS = 24  # of a level


@dataclass(frozen=True)
class EvidenceMark:
    """How evidence of a node is marked, in words, and what it says of each level in a few letters."""

    look: str
    words: str
    told: Mapping[Any, str] = field(default_factory=dict)


def finding(levels: Sequence[Any], told: Any) -> EvidenceMark:
    """Of a node with these levels: one of them was seen, one of several, or likelihoods tell them apart.

    >>> finding(["no", "yes"], "yes")
    EvidenceMark(look='seen', words='= yes', told={})
    >>> finding(["no", "yes"], [0.25, 1]).told
    {'no': '×0.25', 'yes': '×1'}
    """
    if hasattr(told, "probabilities"):
        return EvidenceMark("fixed", "(fixed)")
    if not isinstance(told, Mapping | np.ndarray | list | tuple | set | frozenset) or _among(levels, told):
        return EvidenceMark("seen", f"= {short(told, LEVEL_LETTERS)}")
    if not isinstance(told, Mapping):
        values = list(told)
        several = len(values) != len(levels) or all(_among(levels, value) for value in values)
        told = dict.fromkeys(values, 1.0) if several else dict(zip(levels, values, strict=True))
    by_name = {str(level): float(value) for level, value in told.items()}
    return EvidenceMark(
        "likelihood", "(likelihood)", {level: f"×{by_name.get(str(level), 0.0):.3g}" for level in levels}
    )


def _among(levels: Sequence[Any], told: Any) -> bool:
    return str(told) in map(str, levels)


def card(node: str, name: str, belief: Mapping[Any, float] | None, found: EvidenceMark | None, asked: bool) -> Card:
    """The card of a node: with a bar for each of its most probable levels, or without beliefs its name alone."""
    look = found.look if found else "target" if asked else ""
    words = f"{node} {found.words}" if found else node
    if belief is None:
        return Card(f"{name} {found.words}" if found else name, look=look, full=words)
    shares = {level: min(max(float(share), 0.0), 1.0) for level, share in belief.items()}
    kept = sorted(shares, key=lambda level: -shares[level])[
        : MOST_LEVEL_BARS if len(shares) > MOST_LEVEL_BARS + 1 else len(shares)
    ]
    shown = [level for level in shares if level in kept]
    told = found.told if found else {}
    bars = tuple(
        LevelBar(label, shares[level], told.get(level, ""))
        for level, label in zip(shown, shorts(shown, LEVEL_LETTERS), strict=True)
    )
    rest = [share for level, share in shares.items() if level not in kept]
    more = f"… and {len(rest)} more: {percent(sum(rest))}" if rest else ""
    said = (f"{level}: {share:.6g}" + f" {told.get(level, '')}".rstrip() for level, share in shares.items())
    return Card(name, bars, more, look, "\n".join([words, *said]))
