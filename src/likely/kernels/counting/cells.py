"""The cell of each row among those of several columns together."""

import numpy as np

from likely.core.numerics import Cells, Codes, Floats, Ints
from likely.kernels.compiler import interpreted_while_small, njit


@interpreted_while_small
@njit(nogil=True, cache=True)
def cells_of(codes: Codes, columns: Ints, sizes: Ints, none: int, out: Cells) -> None:
    """out[row]: the cell of the row, the last column running fastest; `none` where one of them is missing."""
    for i in range(len(codes)):
        cell, whole = 0, True
        for at in range(len(columns)):
            code = np.int64(codes[i, columns[at]])
            whole &= code < sizes[at]
            cell = cell * sizes[at] + code
        out[i] = cell if whole else none


@interpreted_while_small
@njit(nogil=True, cache=True)
def count_cells(cells: Cells, weights: Floats | None, out: Ints | Floats) -> None:
    """Add to out[cell] the weight of each row, or one."""
    for i in range(len(cells)):
        out[np.uint64(cells[i])] += 1 if weights is None else weights[i]


@njit(nogil=True, cache=True)
def renumber(cells: Cells, none: int, places: Cells) -> int:
    """Number the cells that were seen from 0 on, in order, and say how many; `none` becomes -1.

    `places` has room for each cell, and is all 0.
    """
    for i in range(len(cells)):
        if cells[i] != none:
            places[cells[i]] = 1
    seen = 0
    for cell in range(len(places)):
        if places[cell]:
            places[cell] = seen
            seen += 1
    for i in range(len(cells)):
        cells[i] = -1 if cells[i] == none else places[cells[i]]
    return seen


@njit(nogil=True, cache=True)
def under(cells: Cells, codes: Codes, column: int, size: int, none: int) -> None:
    """Split each cell by one more column; `none` where there is no cell, or the column is missing."""
    for i in range(len(cells)):
        code = np.int64(codes[i, column])
        cells[i] = cells[i] * size + code if cells[i] >= 0 and code < size else none
