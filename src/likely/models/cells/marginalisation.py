"""Missing values summed out (marginalised): what columns say under every value of others, multiplied and added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from likely.core.numerics import Array, Floats
from likely.errors import ModelError
from likely.kernels.junction.elimination import plan, sum_tasks

MOST_NUMBERS_OF_STEP = 1 << 26  # numbers that one step may hold


@dataclass(frozen=True, eq=False)
class LogFactor:
    """Log values (rows, one axis a variable, classes) of some `rows`; `variables` are in the order of the axes.

    It counts from a step on: `born` (rows,).
    """

    rows: Array
    variables: tuple[int, ...]
    values: Floats
    born: Array


def sum_out(factors: Sequence[LogFactor], sizes: Array, shape: tuple[int, int, int]) -> Floats:
    """shape (rows, steps, classes): the log of the product of all factors born up to a step, summed over all variables.

    sizes (variables,): how many values each variable has.

    >>> one = LogFactor(np.array([0]), (1,), np.log([[[0.25, 0.5], [0.75, 0.5]]]), np.array([0]))
    >>> other = LogFactor(np.array([0]), (1,), np.log([[[0.2, 1.0], [0.6, 1.0]]]), np.array([1]))
    >>> np.exp(sum_out([one, other], np.array([9, 2]), (1, 2, 2))).round(6)
    array([[[1. , 1. ],
            [0.5, 1. ]]])
    """
    out = np.zeros(shape)
    for factor in factors:
        if not factor.variables:
            out[factor.rows, factor.born] += factor.values
    out = np.cumsum(out, axis=1) if shape[1] > 1 else out
    tied = [factor for factor in factors if factor.variables and len(factor.rows)]
    return out + _tied(tied, sizes, shape) if tied else out


def _tied(factors: Sequence[LogFactor], sizes: Array, shape: tuple[int, int, int]) -> Floats:
    """(rows, steps, classes): the same of factors that all have variables."""
    rows, steps, classes = shape
    lengths = [factor.values[0].size // classes for factor in factors]
    counts = [len(factor.rows) for factor in factors]
    born = np.concatenate([factor.rows * steps + factor.born for factor in factors])
    order = np.argsort(born, kind="stable")
    born, scope = born[order], np.repeat(np.arange(len(factors)), counts)[order]
    starts = np.concatenate([[0], np.cumsum(np.multiply(lengths, counts))])
    place = np.concatenate(
        [start + length * np.arange(count) for start, length, count in zip(starts, lengths, counts, strict=False)]
    )[order]
    # a task is a row up to a step at which it changes
    stop = np.flatnonzero(np.diff(born, append=-1)) + 1
    task = born[stop - 1]
    first = np.searchsorted(born, task // steps * steps)
    scopes = np.full((len(factors), max(len(factor.variables) for factor in factors)), -1)
    for at, factor in enumerate(factors):
        scopes[at, : len(factor.variables)] = factor.variables
    used, scopes, sizes = _in_short(scopes, sizes)
    plans, needs = np.empty((len(task), used), dtype=np.int64), np.zeros((len(task), 3))
    names, places = np.empty((2, used), dtype=np.int64)
    room, beside, waiting = np.empty(used), np.empty((used, used), dtype=np.bool_), np.empty(used, dtype=np.bool_)
    plan(first, stop, scope, scopes, sizes, plans, needs, room, beside, waiting, names, places)
    _refuse_large(needs, classes)
    values = np.empty((int(starts[-1] + needs[:, 0].max()), classes))
    for factor, start, end in zip(factors, starts, starts[1:], strict=False):
        values[start:end] = factor.values.reshape(-1, classes)
    sums = np.zeros((len(task), classes))
    most = int((stop - first).max()) + used
    terms, strides = np.empty(sizes.max() * classes), np.empty((most, used), dtype=np.int64)
    held, alive = np.empty((5, most), dtype=np.int64), np.empty(most, dtype=np.bool_)
    told = first, stop, scope, place, scopes, sizes, plans, values, int(starts[-1]), sums
    sum_tasks(*told, terms, np.empty((2, classes)), names, places, strides, held, alive)
    latest = np.searchsorted(task, np.arange(rows * steps), side="right") - 1
    mine = (latest >= 0) & (task[latest] // steps == np.arange(rows * steps) // steps)
    return np.where(mine[:, None], sums[latest], 0.0).reshape(shape)


def _in_short(scopes: Array, sizes: Array) -> tuple[int, Array, Array]:
    """How many variables there are in scopes, the scopes by their places among these, and their sizes."""
    used = np.unique(scopes[scopes >= 0])
    return len(used), np.where(scopes < 0, -1, np.searchsorted(used, scopes)), sizes[used].astype(np.int64)


def _refuse_large(needs: Floats, classes: int) -> None:
    worst = int(needs[:, 1].argmax())
    if needs[worst, 1] * classes > MOST_NUMBERS_OF_STEP or needs[:, 0].max() * classes > MOST_NUMBERS_OF_STEP:
        raise ModelError(
            "M312",
            f"{int(needs[worst, 2])} values that depend on each other are missing together, too many to sum out",
            place="the rows",
            hint="use a model with fewer parents, such as TAN() or KDB(k=1), or fill in some of the values",
        )
