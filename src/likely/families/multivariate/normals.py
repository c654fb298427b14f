"""Normal and Student-t vectors, one a class: the log density of incomplete rows, its split into columns, and draws."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from likely.beliefs.special_functions import log1p_square, log_rising
from likely.core.cache import Cache, cached_property
from likely.core.numerics import Array, Floats
from likely.families.multivariate.marginals import Marginal, deviations, far_unit, patterns, submatrix
from likely.families.multivariate.missing_values import InverseCovariances

LOG_TURN = float(np.log(2.0 * np.pi))
MOST_SHARED_CLASSES = 128  # classes of which rows with any missing values are computed together: draws are more
NORMAL_NUMBERS_AT_A_TIME = 1 << 18  # numbers that are computed at a time
MOST_BYTES_OF_PATTERNS = 1 << 24  # bytes in the matrices of the patterns of missing values that are kept


@dataclass(frozen=True)
class MultivariateNormals:
    """(..., classes, d): mean and scale; the covariance of a class is scale_j core_jk scale_k.

    Classes share the core (..., 1, d, d), or each has its own (..., classes, d, d); None is the identity. With degrees
    (..., classes) these are Student-t vectors, and the covariance is their scale matrix. Only the `live` columns
    (..., d) say anything. `centre` (..., d) is the mean of all rows, from which the split into columns counts. Leading
    axes are those of rows, each with its own normals.
    """

    mean: Floats
    scale: Floats
    core: Floats | None
    degrees: Floats | None
    live: Array
    centre: Floats

    def log_density(self, values: Floats) -> Floats:
        """(rows, classes) of values (rows, d); NaN is missing, and summed out."""
        if self.mean.ndim > 2:
            return self._each(values)
        out = np.empty((len(values), len(self.mean)))
        if self.core is None:
            for part in parts(len(values), self.mean.size):
                out[part] = self._each(values[part])
            return out
        holes = np.isnan(values).any(axis=1)
        if holes.any() and self._inverse is not None:
            out[~holes] = self._by_patterns(values[~holes])
            gaps, many = np.flatnonzero(holes), len(self.mean) > MOST_SHARED_CLASSES
            for part in parts(len(gaps), len(self.mean) if many else self.mean.size):
                some = values[gaps[part]]
                out[gaps[part]] = self._filled(some) if many else self._with_holes(some)
            return out
        return self._by_patterns(values)

    def _by_patterns(self, values: Floats) -> Floats:
        """(rows, classes): rows that have the same columns together."""
        out = np.empty((len(values), len(self.mean)))
        for rows, at in patterns(values, self.live):
            marginal = self.marginal(at)
            size = marginal.squares(submatrix(values, rows, at))
            out[rows] = self._log_density(*size, marginal.log_determinant, len(at))
        return out

    @cached_property
    def _inverse(self) -> InverseCovariances | None:
        """The inverse covariances in the live columns, where these are far from singular."""
        try:
            return None if self.core is None else InverseCovariances.of(self._whole)
        except np.linalg.LinAlgError:  # singular
            return None

    def _with_holes(self, values: Floats) -> Floats:
        """(rows, classes): by the inverse covariances, whatever is missing."""
        assert self._inverse is not None, "asked only where there is an inverse"
        given, scale = values[:, self.live], self.scale[:, self.live]
        here = ~np.isnan(given)
        away = deviations(np.nan_to_num(given)[:, None, :], self.mean[:, self.live], scale)
        away = np.where(here[:, None, :], away, 0.0)
        unit = far_unit(away)
        square, log_determinant = self._inverse.squares(away / unit[..., None], ~here)
        log_determinant = log_determinant + 2.0 * here @ np.log(scale).T
        said = self._log_density(square, unit, log_determinant, here.sum(axis=1)[:, None])
        said[~here.any(axis=1)] = 0.0
        return said

    def _filled(self, values: Floats) -> Floats:
        """(rows, classes): the same of many classes, by the squared lengths of rows that are filled with the centre."""
        given, centre = values[:, self.live], self.centre[self.live]
        missing = np.isnan(given)
        filled = np.where(missing, centre, given)
        square, unit = self._whole.squares(filled)
        inverse = InverseCovariances(self._whole.precisions, self._whole.log_determinant)
        size = inverse.reduced(square, filled - centre, self._whole.mean - centre, missing)
        said = self._log_density(size[0], unit, size[1], (~missing).sum(axis=1)[:, None])
        said[missing.all(axis=1)] = 0.0
        far = (unit > 1.0).any(axis=1) | ~np.isfinite(said).all(axis=1)
        said[far] = self._with_holes(values[far])
        return said

    def marginal(self, at: Array) -> Marginal:
        """The same vectors in some of the live columns only; for normals that all rows share."""

        if len(at) == np.count_nonzero(self.live):
            return self._whole
        return self._marginals.get(at.tobytes(), lambda: self._marginal(at), 8 * self.mean.size * len(self.live))

    def _marginal(self, at: Array) -> Marginal:
        core = np.eye(len(at))[None] if self.core is None else self.core[:, at[:, None], at]
        return Marginal.of(at, self.mean[:, at], self.scale[:, at], core)

    @cached_property
    def _whole(self) -> Marginal:
        """In all live columns: kept however large it is, as most rows need it."""
        return self._marginal(np.flatnonzero(self.live))

    @cached_property
    def _marginals(self) -> Cache[bytes, Marginal]:
        return Cache(MOST_BYTES_OF_PATTERNS)

    def _each(self, values: Floats) -> Floats:
        """(rows, classes): by the normals of each row."""
        here = (~np.isnan(values) & self.live)[:, None, :]
        away = np.where(here, deviations(np.nan_to_num(values)[:, None, :], self.mean, self.scale), 0.0)
        unit = far_unit(away)
        away = away / unit[..., None]
        log_determinant = 2.0 * np.where(here, np.log(self.scale), 0.0).sum(axis=-1)
        if self.core is not None:
            both = here[..., None] & here[..., None, :]
            lower = np.linalg.cholesky(np.where(both, self.core, np.eye(values.shape[1])))
            log_determinant = log_determinant + 2.0 * np.log(np.diagonal(lower, axis1=-2, axis2=-1)).sum(axis=-1)
            if lower.shape[1] == 1:
                away = np.swapaxes(np.linalg.solve(lower[:, 0], np.swapaxes(away, 1, 2)), 1, 2)
            else:
                away = np.linalg.solve(lower, away[..., None])[..., 0]
        return self._log_density(np.square(away).sum(axis=-1), unit, log_determinant, here.sum(axis=-1))

    def _log_density(self, square: Floats, unit: Floats, log_determinant: Floats, columns: Array | int) -> Floats:
        """From squared lengths, counted in a unit, in a number of columns."""
        if self.degrees is None:
            with np.errstate(over="ignore"):
                fall = square * unit * unit / 2.0
        else:
            fall = (self.degrees + columns) / 2.0 * log1p_square(np.sqrt(square / self.degrees) * unit)
        return np.asarray(self._peak(columns) - log_determinant / 2.0 - fall)

    def _peak(self, columns: Array | int) -> Floats:
        """The log density at the mean, for a determinant of one."""
        half = np.asarray(columns) / 2.0
        if self.degrees is None:
            return -half * LOG_TURN
        return np.asarray(log_rising(self.degrees / 2.0, half) - half * np.log(np.pi * self.degrees))

    def terms(self, values: Floats) -> Floats:
        """(rows, d, classes): the log density split into columns, those of missing values and silent columns zero.

        The squared length is split by q_j = v_j (P v)_j - 2 v_j (P e)_j + e_j (P e)_j, with P the inverse covariance, v
        and e the row and the mean of the class from that of all rows; the log determinant by the matrix logarithm.
        Under a shared covariance the log odds that a column gives so depend on its own value alone.
        """
        out = np.zeros((len(values), *self.mean.shape[::-1]))
        for rows, at in patterns(values, self.live):
            mine = np.arange(len(values))[rows]
            for part in parts(len(mine), len(at) * len(self.mean)) if len(at) else ():
                split = self._split(values[mine[part, None], at], at)
                out[mine[part, None], at] = np.swapaxes(split, 1, 2)
        return out

    def _split(self, values: Floats, at: Array) -> Floats:
        """(rows, classes, d) of values without missing values."""
        mean, scale, columns = self.mean[:, at], self.scale[:, at], len(at)
        marginal = None if self.core is None else self.marginal(at)
        # in deviations: the row from the mean of the class, and that mean and the row from the mean of all rows
        away, gap = deviations(values[:, None, :], mean, scale), deviations(mean, self.centre[at], scale)[None]
        start = deviations(values[:, None, :], self.centre[at], scale)
        unit = far_unit(away)[..., None]
        away, start = away / unit, start / unit
        if marginal is None:
            share = 2.0 * np.log(scale)
            lengths = away * away
        else:
            share = marginal.shares
            lengths = start * marginal.precise(away) - away * marginal.precise(gap) / unit
        if self.degrees is None:
            with np.errstate(over="ignore"):
                fall = lengths * unit * unit / 2.0
        else:
            degrees = self.degrees[:, None]
            square = np.maximum(lengths.sum(axis=-1, keepdims=True), 0.0)
            slope = log1p_square(np.sqrt(square / degrees) * unit)
            tiny = square < 1e-200  # close to the mean, where the logarithm is its own argument and the unit is one
            rate = np.where(tiny, 1.0 / degrees, slope / np.where(tiny, 1.0, square))
            fall = (degrees + columns) / 2.0 * rate * lengths
        peak = np.broadcast_to(self._peak(columns), len(mean))[:, None]
        terms = peak / columns - share / 2.0 - fall
        # the two ways round differently: the terms are what is scored, unsummed
        score = self.log_density(self._laid(values, at))[:, :, None]
        with np.errstate(invalid="ignore"):
            left = (score - terms.sum(axis=-1, keepdims=True)) / columns
        return np.where(np.isfinite(score) & np.isfinite(left), terms + left, -np.inf)

    def _laid(self, values: Floats, at: Array) -> Floats:
        out = np.full((len(values), len(self.live)), np.nan)
        out[:, at] = values
        return out

    def sample(self, cells: Array, rng: np.random.Generator) -> Floats:
        """(rows, d): a vector of each row's class; silent columns stand on their mean."""
        noise = rng.standard_normal((len(cells), self.mean.shape[1]))
        if self.degrees is not None:
            degrees = np.maximum(self.degrees[cells], 0.1)  # fewer have values that are no doubles
            noise *= np.sqrt(degrees / rng.chisquare(degrees))[:, None]
        if self.core is not None:
            lower = np.linalg.cholesky(self.core)
            for cell in np.unique(cells):
                mine = cells == cell
                noise[mine] = noise[mine] @ lower[cell if len(lower) > 1 else 0].T
        return np.asarray(self.mean[cells] + np.where(self.live, noise * self.scale[cells], 0.0))

    @property
    def covariances(self) -> Floats:
        """(classes, d, d); of Student-t vectors the scale matrices."""
        scale = np.where(self.live, self.scale, 0.0)
        core = np.eye(len(self.live)) if self.core is None else self.core
        return np.asarray(scale[:, :, None] * core * scale[:, None, :])


def parts(rows: int, numbers: int) -> Iterator[slice]:
    """The rows, some at a time, where each takes so many numbers."""
    step = max(1, NORMAL_NUMBERS_AT_A_TIME // max(1, numbers))
    return (slice(start, start + step) for start in range(0, rows, step))
