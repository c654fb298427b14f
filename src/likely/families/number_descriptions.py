"""Which description of a column of numbers loses least: normal, log-normal, zeros apart, Poisson, kernels or bins."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import gammaln, ndtr

from likely.beliefs import Gamma
from likely.core.numerics import Floats, log
from likely.core.schema import DESCRIPTIONS, Parzen
from likely.errors import OptionError, listed, nearest
from likely.errors.options import choose
from likely.families.binned_values import SourceSummary
from likely.families.discretization import learn_cuts, read_edges
from likely.families.number_sample import LEAST_NATS_SAVED, MOST_VALUES_WITH_A_PART, NumberSample, saved
from likely.families.parzen_densities import BASE_DEGREES
from likely.families.predictor import Setting
from likely.statistics.sketch import Sketch
from likely.statistics.transforms import described_numbers

LEAST_DESCRIBED_VALUES = 50  # values of a column below which it stays a normal: too few to tell which loses least
MOST_CHOICE_ROWS = 4096  # rows that the choice is made on
BIN_NUMBERS = (5, 10, 20)  # bins that are tried, beside one for each of few values
# Kolmogorov's distance times sqrt(n), below which the values of a class are a normal, and nothing else is tried
NORMAL_DISTANCE = 1.0
KERNEL_NODES = 1024  # nodes of the grid on which kernels are tried


Said = str | tuple[float, ...]  # a description, or the edges of bins


def read_descriptions(said: Any, names: tuple[str, ...]) -> dict[str, Said]:
    """{column: description} that a user says, for the real columns of these names, without those left to "auto".

    >>> read_descriptions("auto", ("a", "b")), read_descriptions({"b": "log", "a": [1, 2.5]}, ("a", "b"))
    ({}, {'b': 'log', 'a': (1.0, 2.5)})
    """
    if isinstance(said, Mapping):
        odd = next((key for key in said if key not in names), None)
        if odd is not None:
            hint = f"the real columns are {listed(names)}.{nearest(odd, names)}"
            what = f"descriptions names {odd!r}, which is no real column"
            raise OptionError("O575", what, place="descriptions=", hint=hint)
        found = {name: _read(one, f"descriptions[{name!r}]") for name, one in said.items()}
    else:
        found = dict.fromkeys(names, _read(said, "descriptions="))
    return {name: one for name, one in found.items() if one != "auto"}


def _read(said: Any, place: str) -> Said:
    if isinstance(said, Sequence | np.ndarray) and not isinstance(said, str):
        return read_edges(said, place)
    words = ("auto", "normal", *DESCRIPTIONS)
    return choose(said, words, "description", "O576", place=place, also=", or give the edges of bins")


@dataclass(frozen=True)
class ChosenDescription:
    """A description, and the cuts of its bins."""

    description: str
    cuts: tuple[float, ...] | None = None


def describe_numbers(sample: NumberSample, setting: Setting, only: Said = "") -> ChosenDescription:
    """The description that loses least by a margin, or the one that is asked for alone, with its cuts.

    The loss is the log loss of the class, each row judged without itself, with the column as the only one of a naive
    Bayes. Of the descriptions whose loss is within a standard error of the least one, the simplest is taken.

    >>> rng = np.random.default_rng(0)
    >>> cells = np.repeat([0, 1], 200)
    >>> skew = NumberSample(np.exp(rng.normal(2.0 * cells, 1.0)), cells, np.ones(400), 2)
    >>> describe_numbers(skew, Setting()).description
    'log'
    """
    values, few = sample.values, len(sample.values) < LEAST_DESCRIBED_VALUES
    if isinstance(only, tuple):
        return ChosenDescription("bins", only)
    if not len(values) and only in ("", "bins"):
        return ChosenDescription("normal")
    if only not in ("", "bins"):
        return ChosenDescription(only)
    if not only and (few or not values.max() > values.min() or _is_normal(sample)):
        return ChosenDescription("normal")
    tried = {name: how for name, how in candidates(sample, setting).items() if name.startswith(only)}
    losses: dict[str, Floats] = {}
    cuts: dict[str, tuple[float, ...] | None] = {}
    for name, how in tried.items():
        terms, cuts[name] = how()
        losses[name] = sample.weights * sample.loss(terms, setting)
    best = min(losses, key=lambda name: losses[name].sum())
    name = next(name for name in losses if _as_good(losses[name], losses[best]))
    return ChosenDescription(name.rstrip("0123456789"), cuts[name])


def _as_good(loss: Floats, least: Floats) -> bool:
    """Whether a loss (rows,) is the least one, but for one standard error of the difference and a little."""
    worse = saved(loss, least)
    if not np.isfinite(worse).all():  # rows that one of the two alone holds to be impossible
        return False
    return bool(worse.sum() <= max(np.sqrt(len(worse)) * worse.std(), LEAST_NATS_SAVED))


def _is_normal(sample: NumberSample) -> bool:
    """Whether the values of each class lie so much like a normal that nothing else is worth a try."""
    for cell in range(sample.classes):
        mine = np.sort(sample.values[sample.cells == cell])
        deviation = float(mine.std()) if len(mine) > 1 else 0.0
        if not deviation > 0:
            return False
        below = ndtr((mine - mine.mean()) / deviation)
        steps = np.arange(len(mine) + 1) / len(mine)
        if max((steps[1:] - below).max(), (below - steps[:-1]).max()) * np.sqrt(len(mine)) > NORMAL_DISTANCE:
            return False
    return True


Trial = Callable[[], tuple[Floats, tuple[float, ...] | None]]


def candidates(sample: NumberSample, setting: Setting) -> dict[str, Trial]:
    """The descriptions that could be, simplest first: (rows, classes), the log terms of each row without itself."""
    found = densities(sample, setting)
    if not len(sample.values):
        return found
    sketch = Sketch.of(sample.values, sample.cells, sample.weights, sample.classes)
    if 2 <= len(sketch.values) <= MOST_VALUES_WITH_A_PART:
        edges = tuple(((sketch.values[1:] + sketch.values[:-1]) / 2).tolist())
        found["bins"] = lambda: (sample.parts(edges, setting), edges)
    for bins in BIN_NUMBERS:
        cuts = learn_cuts(sketch, "frequency", bins)
        found[f"bins{bins}"] = lambda cuts=cuts: (sample.parts(cuts, setting), cuts)  # type: ignore[misc]
    return found


def densities(sample: NumberSample, setting: Setting) -> dict[str, Trial]:
    """Those of them that are no bins."""
    values = sample.values
    found: dict[str, Trial] = {"normal": lambda: (sample.normal(setting), None)}
    if not len(values):
        return found
    low, zeros = values.min(), bool((values == 0).any())
    if low >= 0 and values.max() > 0:
        found["log"] = lambda: (_transformed("log", sample, setting), None)
        if (values == np.floor(values)).all():
            found["poisson"] = lambda: (_poisson(sample, setting), None)
    if zeros and (values != 0).any():
        found["zeros"] = lambda: (_transformed("zeros", sample, setting), None)
    found["parzen"] = lambda: (_kernels(sample, setting), None)
    return found


def _transformed(description: str, sample: NumberSample, setting: Setting) -> Floats:
    seen = described_numbers(description, sample.values)
    inside = ~np.isnan(seen)
    normal = replace(sample, values=seen).take(inside)
    count = sample.rest
    apart = np.maximum(sample.mass(sample.weights * ~inside) - sample.taken * ~inside[:, None], 0.0)
    worth = setting.smoothing
    usual = (apart.sum(axis=1) + worth / 2) / (count.sum(axis=1) + worth)
    odds = (apart + worth * usual[:, None]) / (count + worth)
    out = np.where(inside[:, None], log(1.0 - odds), log(odds))
    out[inside] += normal.normal(setting)
    return out


def _poisson(sample: NumberSample, setting: Setting) -> Floats:
    x, count = sample.values[:, None], sample.rest
    total = np.maximum(sample.mass(sample.weights * sample.values) - sample.taken * x, 0.0)
    usual = total.sum(axis=1, keepdims=True) / np.maximum(count.sum(axis=1, keepdims=True), 1e-300)
    usual = np.maximum(usual, 1e-300)
    belief = Gamma(setting.smoothing * usual + total, setting.smoothing + count)
    shape, rate = np.asarray(belief.shape), np.asarray(belief.rate)
    said = gammaln(shape + x) - gammaln(shape) - gammaln(x + 1.0)
    return np.asarray(said + shape * np.log(rate / (rate + 1.0)) - x * np.log1p(rate))


def _kernels(sample: NumberSample, setting: Setting) -> Floats:
    """Gaussian windows by Silverman's rule, on a grid; each row is taken out of the windows, which keep their width."""
    x, low, high = sample.values, float(sample.values.min()), float(sample.values.max())
    spacing = (high - low) / (KERNEL_NODES - 2)
    place = (x - low) / spacing
    node = np.minimum(place.astype(np.int64), KERNEL_NODES - 2)
    part = place - node
    density, weight = np.empty((len(x), sample.classes)), sample.mass()
    whole = _summary(x, sample.weights)
    for cell in range(sample.classes):
        mine = np.flatnonzero(sample.cells == cell)
        if not len(mine):
            density[:, cell] = 0.0
            continue
        table = np.zeros(KERNEL_NODES)
        table += np.bincount(node[mine], sample.weights[mine] * (1 - part[mine]), KERNEL_NODES)
        table += np.bincount(node[mine] + 1, sample.weights[mine] * part[mine], KERNEL_NODES)
        pair = (
            np.array([one, other]) for one, other in zip(_summary(x[mine], sample.weights[mine]), whole, strict=True)
        )
        width = float(SourceSummary(*pair).widths(Parzen(), spacing)[0])
        smooth = _smoothed(table, width / spacing) / spacing
        said = smooth[node] * (1 - part) + smooth[node + 1] * part
        said[mine] = np.maximum(said[mine] - sample.taken[mine, cell] / (width * np.sqrt(2 * np.pi)), 0.0)
        density[:, cell] = said
    scale = np.sqrt(whole[2] / max(whole[0] - 1.0, 1.0))
    away = ((x - whole[1]) / scale) ** 2 / BASE_DEGREES
    base = np.exp(gammaln(2.0) - gammaln(1.5)) / (np.sqrt(BASE_DEGREES * np.pi) * scale) / (1.0 + away) ** 2
    rest = np.maximum(weight - sample.taken, 0.0)
    return log((density + setting.smoothing * base[:, None]) / (rest + setting.smoothing))


def _summary(x: Floats, weights: Floats) -> tuple[float, float, float, float]:
    """Count, mean, spread, and the distance between the quartiles."""
    count = float(weights.sum())
    mean = float(weights @ x) / count
    lower, upper = np.quantile(x, [0.25, 0.75])
    return count, mean, float(weights @ (x - mean) ** 2), float(upper - lower)


def _smoothed(table: Floats, width: float) -> Floats:
    """Counts at nodes, spread by a Gaussian of so many nodes' width: by Fourier's transform."""
    reach = int(np.ceil(6.0 * width)) + 1
    size = 1 << int(np.ceil(np.log2(len(table) + 2 * reach)))
    frequencies = np.fft.rfftfreq(size)
    said = np.fft.irfft(np.fft.rfft(table, size) * np.exp(-2.0 * (np.pi * frequencies * width) ** 2), size)
    return np.maximum(said[: len(table)], 0.0)
