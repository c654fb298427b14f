"""Searches for graphs in which each node has one parent at most: trees and forests, the best there are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likely.core.numerics import Floats
from likely.errors import OptionError
from likely.output.phrases import plural
from likely.structures.search.independence import information
from likely.structures.search.maximum_branching import branching
from likely.structures.search.result import Track
from likely.structures.search.rules import Flags, Rules
from likely.structures.search.scorer import Scorer
from likely.structures.search.start_graphs import answer, begin

Ints = NDArray[np.int64]


def chow_liu(scorer: Scorer, rules: Rules, track: Track, *, seed: int = 0) -> None:
    """The tree whose neighbours tell the most about each other (Chow and Liu 1968); all nodes are joined.

    No other tree makes the rows likelier, whatever the score is; it says only how good the tree is.
    """
    _begin(scorer, rules, track)
    parents = _best(_informations(scorer, track), np.ones_like(rules.allowed), rules, joined=True)
    roots = int((parents < 0).sum())
    if roots > 1:
        track.notes.append(f"the rules leave {plural(roots, 'tree')}: no single tree obeys them")
    answer(scorer, track, _mine(parents), "tree")


def forest(scorer: Scorer, rules: Rules, track: Track, *, seed: int = 0) -> None:
    """Chow and Liu's trees of links that pay: those that raise the score."""
    _begin(scorer, rules, track)
    told, gains = _informations(scorer, track), _gains(scorer, track)
    answer(scorer, track, _mine(_best(told, gains > 0, rules, joined=False)), "tree")


def tree(scorer: Scorer, rules: Rules, track: Track, *, seed: int = 0) -> None:
    """The graph of the highest score in which each node has one parent at most (Edmonds 1967)."""
    _begin(scorer, rules, track)
    gains = _gains(scorer, track)
    answer(scorer, track, _mine(_best(gains, gains > 0, rules, joined=False)), "tree")


def _begin(scorer: Scorer, rules: Rules, track: Track) -> None:
    most = int(rules.required.sum(axis=0).max(initial=0))
    if most > 1:
        what = f"a node has {most} required parents, and one at most in a tree"
        raise OptionError("O525", what, place="required=", hint="require fewer, or choose another search")
    begin(scorer, rules, track)


def _informations(scorer: Scorer, track: Track) -> Floats:
    """(nodes, nodes): what each two nodes tell of each other."""
    size = len(scorer.sizes)
    told = np.zeros((size, size))
    for node in range(size - 1):
        told[node, node + 1 :] = information(scorer, node, range(node + 1, size))
        track.step("information", (node + 1) / size)
    return told + told.T


def _gains(scorer: Scorer, track: Track) -> Floats:
    """(parents, children): what each node gains from a parent."""
    size = len(scorer.sizes)
    gains = np.empty((size, size))
    for node in range(size):
        gains[:, node] = scorer.toggled(node, ()) - scorer.score(node, ())
        track.step("scores", (node + 1) / size)
    return gains


def _best(worth: Floats, pays: Flags, rules: Rules, joined: bool) -> Ints:
    """(nodes,): the parent of each node, of the arcs that pay or are required."""
    # A child that requires a parent has no other.
    needy = np.asarray(rules.required.any(axis=0))
    able = np.where(needy, rules.required, rules.allowed & pays & (rules.most > 0))
    return branching(np.where(able, worth, -np.inf), needy, joined)


def _mine(parents: Ints) -> list[list[int]]:
    return [[at] if at >= 0 else [] for at in parents.tolist()]
