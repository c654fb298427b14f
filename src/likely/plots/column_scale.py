"""How far the values of a column stand from each other along an axis: evenly, or by powers of ten."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.plots.style import GRID, Axes, wide_apart
from likely.plots.typeface import number

ZERO_BAND = 0.4  # of a power of ten: half the width of the band in which zero stands apart from the numbers above it
ZERO_ENDS = float(np.log10(0.5))  # powers of ten from the least number above zero to the end of that band
FAR_ABOVE_LEAST = 30.0  # times the least number above zero: a column of larger numbers, too, may be skewed
FAR_ABOVE_MOST = 10.0  # times what three quarters of the values are below: then an even axis squeezes them
FEW_POWERS = 2.5  # powers of ten: between fewer, ticks stand at 2 and 5 times them, too
MOST_POWERS = 7  # ticks at powers of ten; of more some are left out
TICK_LABEL = 0.5  # inches of an axis that the label of a tick wants


@dataclass(frozen=True)
class ColumnScale:
    """Places along an axis: the values themselves, or powers of ten of a `least` value, with `zero` in a band apart.

    >>> scale = ColumnScale.of(np.array([0.0, 0.0, 0.0, 0.0, 0.0, 100.0, 1000.0, 100000.0]))
    >>> scale, scale.places(np.array([0.0, 100.0, 1000.0])).round(2).tolist()
    (ColumnScale(least=100.0, zero=True), [-0.7, 0.0, 1.0])
    """

    least: float = 0.0
    zero: bool = False

    @classmethod
    def of(cls, values: Any) -> ColumnScale:
        """The scale on which these values can be told apart."""
        known = np.asarray(values, dtype=np.float64)
        known = known[np.isfinite(known)]
        if wide_apart(known):
            return cls(float(known.min()))
        above = known[known > 0]
        if not len(above) or known.min() < 0 or above.max() <= FAR_ABOVE_LEAST * above.min():
            return cls()
        squeezed = known.max() > FAR_ABOVE_MOST * np.quantile(known, 0.75)
        return cls(float(above.min()), len(above) < len(known)) if squeezed else cls()

    @property
    def even(self) -> bool:
        """Whether places are the values themselves."""
        return not self.least

    def places(self, values: Any) -> Floats:
        """Where values stand."""
        given = np.asarray(values, dtype=np.float64)
        if self.even:
            return given
        half = self.least / 2.0
        with np.errstate(divide="ignore", invalid="ignore"):
            powers = np.log10(np.maximum(given, half if self.zero else np.finfo(np.float64).tiny) / self.least)
        if not self.zero:
            return np.where(np.isnan(given), np.nan, powers)
        return np.where(given < half, ZERO_ENDS - ZERO_BAND * (1.0 - given / half), powers)

    def values(self, places: Any) -> Floats:
        """The values at places; those in the band of zero run through it."""
        at = np.asarray(places, dtype=np.float64)
        if self.even:
            return at
        powers = self.least * 10.0 ** np.maximum(at, ZERO_ENDS if self.zero else -np.inf)
        if not self.zero:
            return powers
        half = self.least / 2.0
        return np.where(at < ZERO_ENDS, half * (1.0 + (at - ZERO_ENDS) / ZERO_BAND), powers)

    def asked(self, values: Any) -> Floats:
        """What a model is asked at values: all of the band of zero is zero."""
        given = np.asarray(values, dtype=np.float64)
        return np.where(given < self.least / 2.0, 0.0, given) if self.zero else given

    def slopes(self, values: Any) -> Floats:
        """By how much a value grows with its place: a density of places is that of values times this."""
        given = np.asarray(values, dtype=np.float64)
        return np.ones_like(given) if self.even else given * np.log(10.0)

    def box(self, low: float, high: float, share: float = 0.1) -> tuple[float, float]:
        """(low, high) of values, moved apart on both sides by that share of their distance along the axis."""
        first, last = (float(at) for at in self.places([low, high]))
        more = share * (last - first)
        begin = ZERO_ENDS - 2.0 * ZERO_BAND if self.zero else first - more
        ends = self.values([begin, last + more])
        return float(ends[0]), float(ends[1])

    def ticks(self, low: float, high: float, most: int = MOST_POWERS) -> Floats:
        """Round values within, of a scale by powers of ten: about so many at most."""
        floor = self.least if self.zero else low
        first, last = np.log10(floor), np.log10(high)
        step = max(1, int(np.ceil((last - first) / max(most - self.zero, 1))))
        tens = 10.0 ** np.arange(np.floor(first), np.ceil(last) + 1.0, step)
        times = np.array([1.0, 2.0, 5.0]) if 3 * (last - first) < min(most, 3 * FEW_POWERS) else np.ones(1)
        found = np.sort(np.outer(tens, times).ravel())
        found = found[(found >= floor * (1 - 1e-9)) & (found <= high * (1 + 1e-9))]
        return np.concatenate([[0.0], found]) if self.zero else found


def lay_out_powers(ax: Axes, axis: str, scale: ColumnScale) -> None:
    """Make the x or the y axis one of powers of ten, within its limits; a line parts zero from the numbers above it."""
    low, high = ax.get_xlim() if axis == "x" else ax.get_ylim()
    from matplotlib.ticker import NullFormatter

    figure: Any = ax.get_figure(root=True)
    room = ax.get_position().width * figure.get_figwidth() / TICK_LABEL if axis == "x" else 2 * MOST_POWERS
    ticks = scale.ticks(low, high, int(np.clip(room, 2, MOST_POWERS)))
    across = axis == "x"
    set_scale, set_ticks, set_limits = (
        (ax.set_xscale, ax.set_xticks, ax.set_xlim) if across else (ax.set_yscale, ax.set_yticks, ax.set_ylim)
    )
    if scale.zero:
        set_scale("function", functions=(scale.places, scale.values))
        (ax.axvline if across else ax.axhline)(scale.least / 2.0, color=GRID, linewidth=2.5, zorder=1)
    else:
        set_scale("log")
        (ax.xaxis if across else ax.yaxis).set_minor_formatter(NullFormatter())
    set_ticks(ticks, [number(tick) for tick in ticks])
    set_limits(low, high)
