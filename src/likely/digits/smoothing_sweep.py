"""The smoothing K tried out: how many test images are right for each."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely.digits.images import check_labels
from likely.digits.maps import check_pixels
from likely.digits.sources import Labelled
from likely.digits.study import train
from likely.errors import DataError
from likely.output.jsonable import Written

KS = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0)


@dataclass(frozen=True)
class Sweep(Written):
    """For each of ks, how many of `total` images were right.

    >>> found = Sweep(ks=(0.1, 1.0, 10.0), right=(70, 74, 74), total=80)
    >>> found.best, found.accuracy
    (1.0, (0.875, 0.925, 0.925))
    """

    ks: tuple[float, ...]
    right: tuple[int, ...]
    total: int
    _written = ("ks", "right", "total", "best")

    @property
    def accuracy(self) -> tuple[float, ...]:
        return tuple(right / self.total for right in self.right)

    @property
    def best(self) -> float:
        """The K of the most right images; the first of several."""
        return self.ks[self.right.index(max(self.right))]

    def __str__(self) -> str:
        rows = zip(self.ks, self.right, self.accuracy, strict=True)
        lines = [f"{k:>6g}  {right:>5}  {share:>5.1%}{'  best' * (k == self.best)}" for k, right, share in rows]
        return "\n".join([f"     K  right  of {self.total}", *lines])


def sweep(make_model: Callable[[float], Any], training: Labelled, test: Labelled, ks: Iterable[float] = KS) -> Sweep:
    """Train the model that `make_model` makes for each K, and count what it gets right of the test images.

    >>> import likely
    >>> parts = likely.digits.bundled()
    >>> print(sweep(lambda k: likely.NaiveBayes(kinds="binary", priors="empirical", smoothing=k), *parts, ks=(0.1, 1)))
         K  right  of 597
       0.1    509  85.3%
         1    513  85.9%  best
    """
    return _count(lambda k: train(make_model(k), *training), test, ks)


def sweep_trained(model: Any, test: Labelled, ks: Iterable[float] = KS) -> Sweep:
    """The same for a model that is fitted, or was loaded from a file: it holds the counts, and K comes after them.

    >>> import likely
    >>> images = likely.digits.Images([[1, 0], [1, 0], [0, 1], [1, 1]], height=1, width=2)
    >>> model = likely.digits.train(likely.NaiveBayes(kinds="binary"), images[:3], [4, 4, 9])
    >>> print(sweep_trained(model, (images, [4, 9, 9, 9]), ks=(0.5, 2)))
         K  right  of 4
       0.5      2  50.0%  best
         2      2  50.0%
    """
    return _count(lambda k: with_smoothing(model, k), test, ks)


def with_smoothing(model: Any, k: float) -> Any:
    """A new model of the same counts under another smoothing: what fitting with it would give, without the rows.

    >>> import likely
    >>> images = likely.digits.Images([[1, 0], [1, 0], [0, 1], [1, 1]], height=1, width=2)
    >>> model = likely.digits.train(likely.NaiveBayes(kinds="binary"), images[:3], [4, 4, 9])
    >>> for k in (0, 1, 100):
    ...     print(k, with_smoothing(model, k).predict_proba([[1, 0]]).round(3).tolist())
    0 [[1.0, 0.0]]
    1 [[0.884, 0.116]]
    100 [[0.51, 0.49]]
    """
    if not hasattr(getattr(model, "model_", None), "setting"):
        hint = "give a fitted model of counts, as likely.NaiveBayes is"
        raise DataError("D418", f"{type(model).__name__} holds no counts to smooth", place="with_smoothing", hint=hint)
    twin = copy.copy(model)
    twin.smoothing = _check(k)
    twin.model_ = replace(model.model_, setting=replace(model.model_.setting, smoothing=twin.smoothing))
    return twin


def _count(model_at: Callable[[float], Any], test: Labelled, ks: Iterable[float]) -> Sweep:
    images, labels = test[0], check_labels(test[1], len(test[0]))
    tried = tuple(_check(k) for k in ks)
    if not tried or not len(images):
        hint = "give at least one K and one test image"
        raise DataError("D417", "there is nothing to try", place="ks=", hint=hint)
    right = []
    for k in tried:
        model = model_at(k)
        check_pixels(model, images)
        right.append(int((model.predict(images.bits) == labels).sum()))
    return Sweep(tried, tuple(right), len(images))


def _check(k: Any) -> float:
    if not isinstance(k, int | float | np.number) or not 0 <= k < np.inf:
        raise DataError("D417", f"K cannot be {k!r}", place="ks=", hint="say a number of pseudo-counts, from 0 on")
    return float(k)
