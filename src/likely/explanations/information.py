"""How much a column tells about the class: mutual information under the model, by sums and quadrature."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from likely.core.numerics import Floats, log, log_sum_exp
from likely.explanations.columns import pieces
from likely.explanations.numeric_columns import described, grid_points
from likely.families.categorical import CategoricalPredictor
from likely.families.text import TextPredictor
from likely.models import NaiveModel

GAUSS_LEGENDRE = np.polynomial.legendre.leggauss(5)


class Sum(NamedTuple):
    """Values of a column and their weights: a sum over them is a sum, or an integral, over all values."""

    values: Floats
    weights: Floats


def information(model: NaiveModel) -> Floats:
    """(columns,): bits that each column tells about the class, on average over the rows that the model expects.

    Of a text: bits of one word, drawn from the words of the class. A column that is set aside or has one value tells
    nothing, unless that it is missing is evidence.
    """
    sums, nats = _sums(model), np.zeros(len(model.schema.columns))
    for columns, start, terms in pieces(model, {at: one.values for at, one in sums.items()}):
        weights = np.zeros(terms.shape[:2])
        for place, at in enumerate(columns):
            mine = sums[at].weights[start : start + len(terms)]
            weights[: len(mine), place] = mine
        nats[list(columns)] += (weights * _told(terms, model.log_prior)).sum(axis=0)
    for columns, predictor in model.parts:
        if isinstance(predictor, TextPredictor):
            nats[columns[0]] = _told(log_shares(predictor), model.log_prior).sum()
    return np.asarray(np.maximum(nats, 0.0) / np.log(2.0))


def _told(terms: Floats, log_prior: Floats) -> Floats:
    """(...): the sum over classes of P(class, value) log (P(value | class) / P(value)), from terms (..., classes)."""
    joint = terms + log_prior
    whole, mass = log_sum_exp(joint)[..., None], np.exp(joint)
    return np.asarray((mass * np.subtract(terms, whole, out=np.zeros_like(terms), where=mass > 0)).sum(axis=-1))


def log_shares(predictor: TextPredictor) -> Floats:
    """(words, classes): log P(word | class), by the words of the class itself, also for a complement bag."""
    counts = predictor.totals + predictor.setting.pseudo
    whole = counts.sum(axis=0)
    even = np.full(counts.shape, 1.0 / max(len(counts), 1))
    return log(np.divide(counts, whole, out=even, where=whole > 0))


def _sums(model: NaiveModel) -> dict[int, Sum]:
    """Where to evaluate each column; missing is a value where it is evidence."""
    found: dict[int, Sum] = {}
    for columns, predictor in model.parts:
        if isinstance(predictor, CategoricalPredictor):
            for at, levels, aside in zip(columns, predictor.levels, predictor.aside, strict=True):
                # an unseen value of a column that is set aside says as much as any: that there is a value
                codes = np.array([levels + 1]) if aside or not levels else np.arange(levels)
                found[at] = _with_missing(model, Sum(codes, np.ones(len(codes))), levels)
    for at, one in described(model).items():
        if one.silent:
            every = Sum(one.mean[:1], np.ones(1))
        elif model.schema.columns[at].family in ("count", "poisson"):
            every = _straight(grid_points(model, at, one))
        elif model.schema.columns[at].family == "bins":
            middles = grid_points(model, at, one)
            every = Sum(middles, np.ones(len(middles)))
        elif model.schema.columns[at].family in ("log", "zeros"):  # zero stands for what is apart
            rest = _panels(grid_points(model, at, one))
            every = Sum(np.append(rest.values, 0.0), np.append(rest.weights, 1.0))
        else:
            every = _panels(grid_points(model, at, one))
        found[at] = _with_missing(model, every, np.nan)
    return found


def _with_missing(model: NaiveModel, every: Sum, missing: float) -> Sum:
    if model.setting.missing != "informative":
        return every
    return Sum(np.append(every.values, missing), np.append(every.weights, 1.0))


def _panels(breaks: Floats) -> Sum:
    """An integral: Gauss-Legendre in each panel."""
    at, weights = GAUSS_LEGENDRE
    half, middle = np.diff(breaks)[:, None] / 2.0, (breaks[1:] + breaks[:-1])[:, None] / 2.0
    return Sum((middle + half * at).ravel(), (half * weights).ravel())


def _straight(numbers: Floats) -> Sum:
    """A sum over whole numbers; between those that are left out, by straight lines."""
    gaps = np.concatenate([[1.0], np.diff(numbers), [1.0]])
    return Sum(numbers, (gaps[1:] + gaps[:-1]) / 2.0)
