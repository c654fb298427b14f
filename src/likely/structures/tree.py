"""Trees of columns: each depends on the class and one other column, so that they tell the most about each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from likely.core.numerics import Array, Floats
from likely.errors import OptionError, nearest
from likely.errors.options import choose

ARC_RULES = ("all", "bic")


def tree(
    names: Sequence[str],
    information: Floats,
    class_information: Floats,
    parts: Array,
    *,
    rows: float,
    classes: int,
    root: str = "auto",
    arcs: str = "all",
) -> tuple[tuple[int, ...], ...]:
    """(columns,) of no or one parent: the tree of the largest conditional information (columns, columns), directed.

    Columns of fewer than two parts stay alone. `root` is the column that tells most about the class (`"auto"`), or the
    named one. `arcs="bic"` leaves the arcs that raise the log likelihood of the rows by more than they cost, half the
    log of the rows for each of their (parts - 1) (parts - 1) numbers by class; what is left may be several trees.

    >>> information = np.array([[0, 0.3, 0.1], [0.3, 0, 0.2], [0.1, 0.2, 0]])
    >>> tree("abc", information, np.array([0.1, 0.2, 0.9]), np.array([2, 2, 2]), rows=10, classes=2)
    ((1,), (2,), ())
    >>> tree("abc", information, np.array([0.1, 0.2, 0.9]), np.array([2, 2, 2]), rows=10, classes=2, arcs="bic")
    ((1,), (), ())
    """
    choose(arcs, ARC_RULES, "arcs", "O391")
    parts = np.asarray(parts, dtype=np.int64)
    able = np.flatnonzero(parts >= 2)
    first = _named(root, names, able)
    worth, least = np.asarray(information, dtype=np.float64), -np.inf
    if arcs == "bic":
        rows = max(rows, 1.0)
        worth, least = worth - 0.5 * np.log(rows) / rows * classes * np.outer(parts - 1, parts - 1), 0.0
    # Of equals the first: a stable sort by falling information, the named root before all.
    roots = sorted(map(int, able), key=lambda at: (at != first, -class_information[at]))
    return _directed(_links(worth, able, least), roots, len(parts))


def _named(root: str, names: Sequence[str], able: Array) -> int | None:
    if root == "auto":
        return None
    if root in names:
        at = list(names).index(root)
        if at in able:
            return at
        what, hint = f"{root!r} cannot be a parent", "choose a column with levels or cuts, and at least two of them"
        raise OptionError("O390", what, place="root=", hint=hint)
    hint = f"name a column, or say 'auto'.{nearest(root, names)}"
    raise OptionError("O390", f"there is no column {root!r}", place="root=", hint=hint)


def _links(worth: Floats, able: Array, least: float) -> list[tuple[int, int]]:
    """The undirected arcs of the heaviest forest whose arcs are worth more than `least`; of equals, the first columns.

    Prim's way, from the first column whatever the root is: the root directs the arcs and does not choose them.
    """
    found: list[tuple[int, int]] = []
    left = np.zeros(len(worth), dtype=bool)
    left[able] = True
    best, near = np.full(len(worth), -np.inf), np.full(len(worth), len(worth))
    for _ in able:
        at = int(np.argmax(np.where(left, best, -np.inf)))
        if best[at] > least and left[at]:
            found.append((int(near[at]), at))
        else:
            at = int(np.argmax(left))
        left[at] = False
        closer = (worth[at] > best) | ((worth[at] == best) & (at < near))
        best[closer], near[closer] = worth[at][closer], at
    return found


def _directed(links: Sequence[tuple[int, int]], roots: Sequence[int], columns: int) -> tuple[tuple[int, ...], ...]:
    """The arcs away from the first of the roots in each tree."""
    beside: list[list[int]] = [[] for _ in range(columns)]
    for one, other in links:
        beside[one].append(other)
        beside[other].append(one)
    parents: list[tuple[int, ...]] = [()] * columns
    reached: set[int] = set()
    for root in roots:
        waiting = [] if root in reached else [root]
        reached.add(root)
        while waiting:
            at = waiting.pop()
            for child in beside[at]:
                if child not in reached:
                    reached.add(child)
                    parents[child] = (at,)
                    waiting.append(child)
    return tuple(parents)
