"""Windows on a grid whose nodes weigh what is drawn: every window is laid once, for all draws."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.core.numerics import Array, Floats
from likely.kernels.densities import parzen_windows


@dataclass(frozen=True, eq=False)
class DrawnTables:
    """A `DrawnGridDensity` a cell: `at` gives the densities of all draws, the cells of one draw beside each other."""

    cells: tuple[DrawnGridDensity, ...]

    def at(self, values: Floats) -> Floats:
        """(rows, draws * cells)."""
        return np.stack([cell.at(values) for cell in self.cells], axis=-1).reshape(len(values), -1)


@dataclass(frozen=True, eq=False)
class DrawnGridDensity:
    """Shares (nodes, draws) of a cell on every `spacing` from `origin` on, and the window (2 far + 3,) laid on each."""

    shares: Floats
    window: Floats
    origin: float
    spacing: float

    @classmethod
    def of(
        cls, nodes: Array, drawn: Floats, width: float, kernel: int, origin: float, spacing: float
    ) -> DrawnGridDensity:
        """From drawn weights (draws, nodes) of some nodes of a grid, binned on fewer nodes as for a table."""
        from scipy.sparse import csr_array  # slow to import, and not needed to learn or to score

        step = float(parzen_windows.steps_of(np.array(width), spacing))
        ratio = step * spacing / width
        masses = parzen_windows.window(kernel, ratio, parzen_windows.reach(kernel, ratio))
        place = (nodes / step).astype(np.int64)
        part, each = nodes / step - place, np.arange(len(nodes))
        shared = np.concatenate([1.0 - part, part]), (np.append(place, place + 1), np.append(each, each))
        bins = csr_array(shared, shape=(drawn_nodes(nodes, width, spacing), len(nodes)))
        whole = np.maximum(drawn.sum(axis=1) * step * spacing, 1e-300)
        return cls(bins @ (drawn / whole[:, None]).T, np.pad(masses, 1), origin, step * spacing)

    def at(self, values: Floats) -> Floats:
        """(rows, draws): densities, linear between nodes."""
        far = len(self.window) // 2
        away = ((values - self.origin) / self.spacing)[:, None] - np.arange(len(self.shares))
        return np.asarray(np.interp(away, np.arange(-far, far + 1), self.window) @ self.shares)


def drawn_nodes(nodes: Array, width: float, spacing: float) -> int:
    """How many nodes a table has under windows of that width, of values on some nodes of a grid.

    >>> drawn_nodes(np.array([3, 100]), 1.0, 1 / 64), drawn_nodes(np.array([3, 100]), 1.0, 1.0)
    (27, 102)
    """
    step = float(parzen_windows.steps_of(np.array(width), spacing))
    return int(nodes.max(initial=0) / step) + 2
