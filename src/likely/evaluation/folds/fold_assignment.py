"""Rows dealt out to folds, at random or as given."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.core.numerics import Array
from likely.data.targets.label_codes import read_column
from likely.data.targets.probabilities import read_numbers
from likely.errors import OptionError
from likely.errors.options import whole
from likely.evaluation.rows.evaluation_rows import Labelled


def split(y: Any, folds: int = 10, seed: int = 0, stratified: bool = True) -> Array:
    """(rows,): the fold of each row, at random; sizes differ by one at most, stratified those of each class too.

    >>> split(["a", "a", "b", "b", "a", "b"], folds=3).tolist()
    [1, 2, 1, 0, 0, 2]
    """
    rows = len(read_column(y))
    if isinstance(folds, int | np.integer):
        return deal(Labelled.read(np.empty((rows, 0)), y).codes, folds, seed, stratified)
    raise _no_number(folds, rows)


def deal(codes: Array, folds: Any, seed: Any, stratified: bool = True) -> Array:
    """(rows,): the fold of each row, given the codes of its class; or the folds that are given, numbered from 0."""
    rows = len(codes)
    random = np.random.default_rng(read_seed(seed))
    if not isinstance(folds, str | int | float | np.generic | None):
        return _given(folds, rows)
    if isinstance(folds, bool) or not isinstance(folds, int | np.integer) or not 2 <= folds <= rows:
        raise _no_number(folds, rows)
    order = random.permutation(rows)
    if stratified:
        order = order[np.argsort(codes[order], kind="stable")]
    fold = np.empty(rows, dtype=np.int64)
    fold[order] = np.arange(rows) % folds
    return fold


def read_seed(seed: Any) -> int:
    """The seed of random numbers: a whole number from 0 on."""
    return whole(seed, "seed", "O348")


def _no_number(folds: Any, rows: int) -> OptionError:
    hint = f"say a whole number from 2 to the number of rows, which is {rows}"
    return OptionError("O341", f"folds is {folds!r}", place="folds=", hint=hint)


def _given(folds: Any, rows: int) -> Array:
    """(rows,): folds that are given, numbered from 0 without gaps in their order."""
    fold = read_numbers(folds, "folds", "O359")
    if fold.shape != (rows,):
        what = f"folds are of shape {fold.shape}"
    elif not (np.isfinite(fold) & (fold == np.round(fold))).all():
        what = "a fold is not a whole number"
    elif fold.min() == fold.max():
        what = "every row is of the same fold"
    else:
        return np.asarray(np.unique(fold, return_inverse=True)[1], dtype=np.int64)
    hint = f"say how many folds, or the number of the fold of each of the {rows} rows, at least two different ones"
    raise OptionError("O359", what, place="folds=", hint=hint)
