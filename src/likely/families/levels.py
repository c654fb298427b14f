"""Levels under cells below classes: a thin cell leans on its class, on the whole column, or on all levels evenly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats, log
from likely.families.draws import Draws
from likely.families.predictor import Setting, never_learnt_error, presence
from likely.families.smoothing import share, smoothed_shares
from likely.statistics.statistic import subtract

COLUMN_BACKOFF_WEIGHT = 2.0  # observations that the whole column is worth, where cells lean on it


@dataclass(frozen=True)
class Levels:
    """Discrete columns by class: counts (classes, slots), the slots of each column its levels, missing, unseen.

    P(level | class, cell) = (n + m P) / (N + m). With `backoff` "class", m P is some observations (`Setting.leaning`)
    of the class's own shares, which are Laplace's (n + 1) / (N + K), and a part of a pseudo-count (`Setting.evenly`)
    for each of the K levels. With "column" it is two observations of the whole column, the m-estimate; with "even" a
    pseudo-count for each level, Laplace. All are multiplied by `smoothing`.
    """

    counts: Array
    rows: Array
    levels: Array
    setting: Setting

    @cached_property
    def offsets(self) -> Array:
        """(columns,): the first slot of each column."""
        return np.concatenate([[0], np.cumsum(self.levels + 2)])[:-1].astype(np.int64)

    @cached_property
    def starts(self) -> Array:
        """(columns,): the first of each column's parts, which have no slots for missing and unseen."""
        return np.concatenate([[0], np.cumsum(self.levels)])[:-1].astype(np.int64)

    @cached_property
    def parts(self) -> Array:
        """(parts,): the slots that are levels."""
        ends = self.offsets + self.levels
        return np.delete(np.arange((self.levels + 2).sum()), np.concatenate([ends, ends + 1]))

    @cached_property
    def observed(self) -> Array:
        """(classes, columns): the weight of the values that are not missing."""
        return self.summed(self.counts[:, self.parts])

    def summed(self, parts: Array) -> Array:
        """(..., columns) from (..., parts): the sum over the levels of each column."""
        sums = np.zeros((*parts.shape[:-1], len(self.levels)), dtype=parts.dtype)
        some = np.flatnonzero(self.levels)
        if len(some):
            sums[..., some] = np.add.reduceat(parts, self.starts[some], axis=-1)
        return sums

    @property
    def strength(self) -> Floats:
        """(columns,): the observations that the base of a cell is worth."""
        own = self.setting.leaning + self.setting.evenly * self.levels
        worth = {"even": self.levels, "class": own, "column": np.full(len(self.levels), COLUMN_BACKOFF_WEIGHT)}
        return np.asarray(self.setting.pseudo * worth[self.setting.backoff], dtype=np.float64)

    @cached_property
    def column(self) -> Floats:
        """(parts,): the probability of each level in the whole column."""
        counts, whole = self.counts[:, self.parts].sum(axis=0), np.repeat(self.observed.sum(axis=0), self.levels)
        return share(counts, whole, np.repeat(self.levels, self.levels), self.setting.pseudo)

    @cached_property
    def shares(self) -> Floats:
        """(classes, parts): the probability of each level in each class."""
        counts, observed = self.counts[:, self.parts], np.repeat(self.observed, self.levels, axis=1)
        return self._by_class(counts, observed, self.column, np.repeat(self.levels, self.levels))

    def _by_class(self, count: Array, observed: Array, column: Floats, levels: Array) -> Floats:
        """Probabilities in a class, from the counts of a level and of its column in it, and the whole column's."""
        if self.setting.backoff == "column":
            return smoothed_shares(count, observed, column, COLUMN_BACKOFF_WEIGHT * self.setting.pseudo)
        return share(count, observed, levels, self.setting.pseudo)

    @cached_property
    def base(self) -> Floats:
        """(classes, parts): what a cell leans on."""
        levels = np.repeat(self.levels, self.levels)
        return self._leant(self.shares, self.column, levels)

    def _leant(self, above: Floats, column: Floats, levels: Array) -> Floats:
        """What a cell leans on: a blend of what is above it and of all levels, the whole column, or all levels."""
        leaning, evenly = self.setting.leaning, self.setting.evenly
        blend = (leaning * above + evenly) / (leaning + evenly * levels)
        return np.broadcast_to(
            {"class": blend, "column": column, "even": 1.0 / levels}[self.setting.backoff], above.shape
        )

    @cached_property
    def unseen(self) -> Floats:
        """(classes, columns): the log probability of a level never seen; without pseudo-counts it says nothing."""
        pseudo = self.setting.pseudo
        if pseudo == 0:
            return np.zeros(self.observed.shape)
        if self.setting.backoff == "column":
            return log(COLUMN_BACKOFF_WEIGHT * pseudo * self._new / (self.observed + COLUMN_BACKOFF_WEIGHT * pseudo))
        return log(pseudo / (self.observed + pseudo * (self.levels + 1)))

    @property
    def _new(self) -> Floats:
        """(columns,): the probability of a level never seen in the whole column."""
        pseudo = self.setting.pseudo
        return np.asarray(pseudo / (self.observed.sum(axis=0) + pseudo * (self.levels + 1)))

    @cached_property
    def presence(self) -> tuple[Floats, Floats]:
        """(columns, classes): log probabilities that a value is present, and that it is missing."""
        return presence(self.setting, self.rows, self.observed.T)

    def said_by_presence(self, codes: Array) -> Floats:
        """(rows, columns, classes): what it says that values are there, or missing; nothing if it is no evidence."""
        if self.setting.missing != "informative":
            return np.zeros((1, len(self.levels), len(self.rows)))
        here, gone = self.presence
        return np.where((codes == self.levels)[:, :, None], gone, here)

    def table(self, counts: Array | None) -> Floats:
        """(cells + 1, slots, classes): log probabilities under counts (classes, cells, parts); the last is no cell."""
        classes = len(self.rows)
        cells = 0 if counts is None else counts.shape[1]
        out = np.zeros((cells + 1, int((self.levels + 2).sum()), classes))
        if counts is not None:
            observed = self.summed(counts)
            strength = np.repeat(self.strength, self.levels)
            probability = smoothed_shares(
                counts, np.repeat(observed, self.levels, axis=2), self.base[:, None, :], strength
            )
            out[:cells, self.parts] = log(probability).transpose(1, 2, 0)
            out[:cells, self.offsets + self.levels + 1] = self._unseen_under(observed).transpose(1, 2, 0)
        out[cells, self.parts] = log(self.shares).T
        out[cells, self.offsets + self.levels + 1] = self.unseen.T
        return out

    def _unseen_under(self, observed: Array) -> Floats:
        """(classes, cells, columns)."""
        pseudo = self.setting.pseudo
        if pseudo == 0:
            return np.zeros(observed.shape)
        if self.setting.backoff == "even":
            return log(pseudo / (observed + pseudo * (self.levels + 1)))
        if self.setting.backoff == "column":
            return log(COLUMN_BACKOFF_WEIGHT * pseudo * self._new / (observed + COLUMN_BACKOFF_WEIGHT * pseudo))
        leaning, evenly = self.setting.leaning, self.setting.evenly
        above = leaning * np.exp(self.unseen)[:, None, :] + evenly
        return log(pseudo * above / (observed + pseudo * (leaning + evenly * (self.levels + 1))))

    def drawn_table(self, counts: Array | None, cells: Array, draws: Draws) -> Floats:
        """(cells, slots, draws * classes): log probabilities drawn under counts (classes, cells, parts).

        Each of the cells has a stream of its own, told by its number; beyond those that are counted, it is no cell: -1.
        """
        table, mass = self.table(counts), self._mass(counts)
        out = draws.repeated(table[: len(cells)] if -1 not in cells else table)
        for at, cell in enumerate(cells.tolist()):
            rng = draws.under(cell + 1).rng
            drawn = rng.standard_gamma(mass[:, at], (draws.times, *mass[:, at].shape))
            whole = np.repeat(self.summed(drawn), self.levels, axis=2)
            shares = drawn / np.where(whole > 0, whole, 1.0)
            out[at, self.parts] = draws.beside(log(shares).swapaxes(1, 2))
        return out

    def _mass(self, counts: Array | None) -> Floats:
        """(classes, cells + 1, parts): the parameters of the Dirichlet posteriors; the last is no cell."""
        unit = self.setting.smoothing or 1.0  # without pseudo-counts, draws still need a proper prior
        prior = COLUMN_BACKOFF_WEIGHT * self.column if self.setting.backoff == "column" else np.ones(len(self.parts))
        mass = self.counts[:, None, self.parts] + unit * prior
        if counts is not None:
            strength = self.strength if self.setting.pseudo > 0 else np.maximum(self.levels, 1)
            prior = self.base * np.repeat(strength, self.levels)
            mass = np.concatenate([counts + prior[:, None, :], mass], axis=1)
        return np.asarray(mass, dtype=np.float64)

    def only(self, place: int) -> Levels:
        """One of the columns by itself."""
        start, levels = self.offsets[place], self.levels[place : place + 1]
        return Levels(self.counts[:, start : start + levels[0] + 2], self.rows, levels, self.setting)

    def shares_without(self, codes: Array, own: Array, weights: Floats, start: int) -> tuple[Floats, Floats]:
        """(rows, columns, classes), twice: the shares of each row's levels in the classes, and what cells lean on.

        Both as if the row itself had not been learnt; of missing values, anything.
        """
        present = codes < self.levels
        at = self.offsets + np.where(present, codes, 0)
        taken = np.where(present, weights[:, None], 0.0)
        mine = own[:, None, None] == np.arange(len(self.rows))
        count = subtract(np.asarray(self.counts.T[at], dtype=np.float64), np.where(mine, taken[:, :, None], 0.0))
        if ((count < -1e-9).any(axis=2) & present).any():
            row = int(((count < -1e-9).any(axis=2) & present).any(axis=1).argmax())
            raise never_learnt_error(start + row, "its class has no such value")
        count = np.maximum(count, 0.0)
        observed = subtract(np.asarray(self.observed.T[None], dtype=np.float64), np.where(mine, taken[:, :, None], 0.0))
        observed = np.maximum(observed, 0.0)
        total, whole = count.sum(axis=2, keepdims=True), observed.sum(axis=2, keepdims=True)
        levels = self.levels[:, None]
        column = share(total, whole, levels, self.setting.pseudo)
        shares = self._by_class(count, observed, column, levels)
        return shares, self._leant(shares, column, np.maximum(levels, 1))

    def presence_without(self, codes: Array, own: Array, weights: Floats) -> Floats:
        """(rows, columns, classes): the same, had the row itself not been learnt."""
        if self.setting.missing != "informative":
            return np.zeros((1, len(self.levels), len(self.rows)))
        present = codes < self.levels
        mine = own[:, None, None] == np.arange(len(self.rows))
        rows = subtract(np.asarray(self.rows, dtype=np.float64), np.where(mine, weights[:, None, None], 0.0))
        seen = np.where(mine & present[:, :, None], weights[:, None, None], 0.0)
        observed = subtract(np.asarray(self.observed.T[None], dtype=np.float64), seen)
        here, gone = presence(self.setting, np.broadcast_to(rows, observed.shape), observed)
        return np.where(present[:, :, None], here, gone)
