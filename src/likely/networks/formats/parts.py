"""The parts of a network as files hold them, and the draft in which readers gather and check them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import islice
from typing import Any, NamedTuple

from likely.core.numerics import Floats
from likely.errors import StoreError, listed, nearest
from likely.networks.formats.token_reader import FileText, shown
from likely.networks.tables.normalisation import SCALED_WITHIN, UNSAID, to_one

MOST_ENTRIES_UNGIVEN = 1 << 22  # entries that a file may ask for without giving their numbers
MOST_FILE_ENTRIES = 1 << 40  # entries that no file gives


@dataclass(frozen=True)
class Parts:
    """Names, levels, parents and tables: tables[i] is (levels of each parent in order ..., own levels).

    >>> import numpy as np
    >>> coin = Parts(("coin",), (("heads", "tails"),), ((),), (np.array([0.5, 0.5]),))
    >>> coin.nodes, coin.tables[0].tolist()
    (('coin',), [0.5, 0.5])
    """

    nodes: tuple[str, ...]
    levels: tuple[tuple[Any, ...], ...]  # texts; in our JSON numbers and truths too
    parents: tuple[tuple[str, ...], ...]
    tables: tuple[Floats, ...]
    name: str = ""
    notes: tuple[str, ...] = ()  # what reading had to say


class PlacedName(NamedTuple):
    """A name, and where it stands."""

    name: str
    at: int


class TableSlot(NamedTuple):
    """Where a table is to go: whose it is, and its shape."""

    node: str
    parents: tuple[str, ...]
    sizes: tuple[int, ...]  # of the parents
    own: int
    at: int

    @property
    def cells(self) -> int:
        return math.prod(self.sizes)


class NetworkDraft:
    """What a reader has found so far; each piece is checked when it comes, the whole when it is finished."""

    def __init__(self, source: FileText) -> None:
        self.source = source
        self.levels: dict[str, tuple[Any, ...]] = {}
        self.notes: list[str] = []
        self._at: dict[str, int] = {}
        self._slots: dict[str, TableSlot] = {}
        self._tables: dict[str, Floats] = {}
        self._room = MOST_ENTRIES_UNGIVEN

    def declare(self, variable: PlacedName, levels: Sequence[Any], levels_at: Sequence[int]) -> None:
        """A variable and its levels."""
        name, at = variable
        if not name:
            raise self.source.error("F416", "a variable whose name is empty", at)
        if name in self.levels:
            raise self.source.error("F416", f"{shown(name)} is declared twice", at, "rename one, or take it out")
        if not levels:
            raise self.source.error("F416", f"{shown(name)} has no levels", at, "a variable needs at least one level")
        if (twice := _second(levels)) >= 0:
            message = f"{shown(name)} has the level {shown(levels[twice])} twice"
            raise self.source.error("F416", message, levels_at[twice], "rename one, or take it out")
        self.levels[name] = tuple(levels)
        self._at[name] = at

    def define(self, node: PlacedName, parents: Iterable[PlacedName]) -> TableSlot:
        """The place of a table, before its numbers are read; nothing is allocated for it."""
        given = tuple(parents)
        for one in (node, *given):
            if one.name not in self.levels:
                message = f"there is no variable {shown(one.name)}.{_near(one.name, self.levels)}"
                raise self.source.error("F417", message, one.at, f"declared are {listed(list(self.levels), 8)}")
        if node.name in self._slots:
            raise self.source.error("F429", f"a second table of {node.name!r}", node.at, "take one of them out")
        names = tuple(one.name for one in given)
        if (twice := _second(names)) >= 0:
            message = f"{names[twice]!r} is a parent of {node.name!r} twice"
            raise self.source.error("F428", message, given[twice].at, "take one of them out")
        sizes, own = tuple(len(self.levels[name]) for name in names), len(self.levels[node.name])
        entries = own
        for size in sizes:
            entries *= size
            if (
                entries > MOST_FILE_ENTRIES
            ):  # checked at each step: thousands of parents would make a number of thousands of digits
                message = f"the table of {node.name!r} would have more than {MOST_FILE_ENTRIES} entries"
                raise self.source.error("F424", message, node.at, "give it fewer parents")
        slot = TableSlot(node.name, names, sizes, own, node.at)
        self._slots[node.name] = slot
        return slot

    def unknown(self, variable: str, level: str, at: int) -> StoreError:
        """The error that a variable has no such level."""
        levels = self.levels[variable]
        message = f"{variable!r} has no level {shown(level)}.{_near(level, levels)}"
        return self.source.error("F417", message, at, f"it has {listed(levels, 8)}")

    def reserve(self, slot: TableSlot) -> None:
        """Refuse a table that is too large to be made from a few numbers."""
        self._room -= slot.cells * slot.own
        if self._room < 0:
            message = f"the table of {slot.node!r} would have {slot.cells * slot.own} entries"
            raise self.source.error("F424", message, slot.at, "give it fewer parents")

    def count(self, slot: TableSlot, values: int, at: int) -> None:
        """Refuse a whole table with the wrong number of values, before it is allocated."""
        if values != slot.cells * slot.own:
            shape = f" ({' x '.join(map(str, (*slot.sizes, slot.own)))})" if slot.sizes else ""
            message = f"expected {slot.cells * slot.own} values{shape} in the table of {slot.node!r}, found {values}"
            raise self.source.error("F419", message, at)

    def fill(self, slot: TableSlot, values: Floats, row_at: Callable[[int], int]) -> None:
        """(cells, own): the rows of a table, which must sum to one; `row_at` says where a row stands."""
        values, off = to_one(values)
        worst = float(off.max())
        if worst > SCALED_WITHIN:
            row = int((off > SCALED_WITHIN).argmax())
            message = f"expected a row that sums to one, found one that sums to {sum(values[row].tolist()):.9g}"
            raise self.source.error("F421", f"{message}: {self._row(slot, row)}", row_at(row))
        if worst > UNSAID:
            rows = off > UNSAID
            many = f"{rows.sum()} of {len(rows)} rows" if len(rows) > 1 else "its row"
            self.notes.append(f"table of {slot.node!r}: {many} did not sum to one, by up to {worst:.2g}; scaled to one")
        self._tables[slot.node] = values.reshape(*slot.sizes, slot.own)

    def missing(self, slot: TableSlot, given: Iterable[int]) -> StoreError:
        """The error that not every row of a table is given."""
        known = set(given)
        row = next(row for row in range(slot.cells) if row not in known)
        message = f"expected {slot.cells} rows, found {len(known)}: {self._row(slot, row)} is missing"
        return self.source.error("F419", message, slot.at)

    def twice(self, slot: TableSlot, row: int, at: int) -> StoreError:
        """The error that a row is given a second time."""
        return self.source.error("F430", f"a second row: {self._row(slot, row)}", at, "take one of them out")

    def finish(self, name: str) -> Parts:
        """The parts, once every variable has its table and no variable is its own ancestor."""
        if not self.levels:
            raise self.source.error("F431", "expected at least one variable, found none", 0)
        for node, at in self._at.items():
            if node not in self._tables:
                raise self.source.error("F418", f"{node!r} has no table", at, "every variable needs one")
        slots = {node: self._slots[node] for node in self.levels}
        try:
            TopologicalSorter({slot.node: slot.parents for slot in slots.values()}).prepare()
        except CycleError as error:
            cycle = error.args[1]
            message = f"a cycle: {' -> '.join(map(repr, cycle))}"
            hint = "in a network no variable is its own ancestor"
            raise self.source.error("F422", message, slots[cycle[0]].at, hint) from None
        parents = tuple(slot.parents for slot in slots.values())
        tables = tuple(self._tables[node] for node in slots)
        return Parts(tuple(slots), tuple(self.levels.values()), parents, tables, name, tuple(self.notes))

    def _row(self, slot: TableSlot, row: int) -> str:
        """A row in words."""
        if not slot.sizes:
            return f"the row of {slot.node!r}"
        codes = []
        for size in reversed(slot.sizes):  # not np.unravel_index: a table that was never made may have any size
            row, code = divmod(row, size)
            codes.append(code)
        found = zip(slot.parents, reversed(codes), strict=True)
        said = ", ".join(shown(str(self.levels[parent][code])) for parent, code in found)
        return f"the row of {slot.node!r} for ({said})"


def _second(names: Sequence[Any]) -> int:
    """The place of the first name that was there before, or -1."""
    seen: set[Any] = set()
    for place, name in enumerate(names):
        if name in seen:
            return place
        seen.add(name)
    return -1


def _near(name: str, names: Iterable[Any]) -> str:
    """The nearest name, found in no time: a damaged file may have endless names, or endlessly many."""
    return nearest(name, [known for known in islice(names, 2000) if len(str(known)) < 80]) if len(name) < 80 else ""
