"""Sums over values that are missing: factors multiplied and summed out one variable at a time, all rows at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from likely.errors import ModelError
from likely.numerics import Floats, log_sum_exp

LARGEST = 1 << 26  # numbers that one step may hold


@dataclass(frozen=True, eq=False)
class Factor:
    """Log values (rows, one axis a variable, classes); `variables` are in the order of the axes."""

    variables: tuple[int, ...]
    values: Floats

    def over(self, variables: Sequence[int]) -> Floats:
        """The values with one axis for each of these variables, in their order; of length one where it has none."""
        order = [1 + self.variables.index(at) for at in variables if at in self.variables]
        values = self.values.transpose(0, *order, self.values.ndim - 1)
        shape = iter(values.shape[1:-1])
        return values.reshape(
            len(values), *(next(shape) if at in self.variables else 1 for at in variables), values.shape[-1]
        )


def sum_out(factors: Sequence[Factor], sizes: dict[int, int]) -> Floats:
    """(rows, classes): the log of the product of all factors, summed over every variable.

    >>> one = Factor((7,), np.log([[[0.25, 0.5], [0.75, 0.5]]]))
    >>> other = Factor((7,), np.log([[[0.2, 1.0], [0.6, 1.0]]]))
    >>> np.exp(sum_out([one, other], {7: 2})).round(6)
    array([[0.5, 1. ]])
    """
    left, waiting = list(factors), set(sizes)
    while waiting:
        # the variable next to the fewest values of others goes first: what remains is smallest
        at = min(sorted(waiting), key=lambda variable: _size(left, variable, sizes))
        near = [factor for factor in left if at in factor.variables]
        variables = tuple(sorted({other for factor in near for other in factor.variables} - {at}))
        _refuse_large(near, variables, sizes, at)
        product = sum((factor.over((*variables, at)) for factor in near), start=np.zeros(1))
        left = [factor for factor in left if at not in factor.variables]
        left.append(Factor(variables, log_sum_exp(product, axis=-2)))
        waiting.remove(at)
    return np.asarray(sum((factor.values for factor in left), start=np.zeros(1)))


def _size(factors: Sequence[Factor], at: int, sizes: dict[int, int]) -> int:
    near = {other for factor in factors if at in factor.variables for other in factor.variables}
    return int(np.prod([sizes[other] for other in near]))


def _refuse_large(near: Sequence[Factor], variables: Sequence[int], sizes: dict[int, int], at: int) -> None:
    shape = near[0].values.shape
    if shape[0] * shape[-1] * np.prod([float(sizes[other]) for other in (*variables, at)]) > LARGEST:
        raise ModelError(
            "M312",
            f"{len(variables) + 1} values that depend on each other are missing together, too many to sum out",
            place="the rows",
            hint="use a model with fewer parents, such as TAN() or KDB(k=1), or fill in some of the values",
        )
