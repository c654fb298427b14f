"""Rows with missing values completed by what a network expects of them: each becomes weighted complete rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.data.level_rows import join_equal
from likely.networks.inference.exact import Exact
from likely.networks.inference.junction_tree import Junction
from likely.networks.sampling.likelihood_weighting import stream
from likely.networks.structure.row_codes import Coded
from likely.networks.structure.scores import log_likelihood
from likely.networks.tables.joint import Factored

COMPLETIONS_OF_A_ROW = 16  # completions of a row: all there are where they are no more than these
MOST_COMPLETIONS = 1 << 21  # completions of all rows together, beyond which there are fewer of each
ROWS_AT_ONCE = 1 << 15  # rows whose probabilities are looked up at a time


@dataclass(frozen=True, eq=False)
class RowsByCompleteness:
    """Rows without missing values, `whole`, and those with: each different row once.

    `holes` has no level where a value is missing, as `Coded` does; `times` (rows,) is how many rows were equal to each.
    """

    whole: Coded
    holes: Coded
    times: Array

    @classmethod
    def of(cls, coded: Coded) -> RowsByCompleteness:
        """The two parts of rows; those without weight are in neither."""
        sizes = np.array(coded.sizes)
        gone = (coded.codes == sizes).any(axis=1)
        heavy = np.ones(coded.rows, dtype=np.bool_) if coded.weights is None else coded.weights > 0
        whole, holes = coded.take(np.flatnonzero(~gone & heavy)), coded.take(np.flatnonzero(gone & heavy))
        times = join_equal(holes.codes, (sizes + 1).tolist(), None)[1].astype(np.int64)
        return cls(whole.joined(), holes.joined(), times)

    @cached_property
    def possible(self) -> Floats:
        """(rows,): in how many ways each row with missing values can be completed."""
        ways: Floats = np.where(self.holes.open_codes < 0, np.array(self.holes.sizes, dtype=np.float64), 1.0).prod(
            axis=1
        )
        return ways

    def completed(self, factored: Factored, draws: int = COMPLETIONS_OF_A_ROW, seed: int = 0) -> Coded:
        """All rows without missing values, those that had some in proportion to what they can be under the network.

        A row is completed in all ways, weighed by their posterior probability, where these are no more than `draws` for
        each row that is equal to it; otherwise by as many draws from the posterior. The same seed gives the same rows.
        """
        rows = int(self.times.sum())
        budget = min(draws, max(1, MOST_COMPLETIONS // max(rows, 1))) * self.times
        few = self.possible <= budget
        parts = [
            self.whole,
            self._every(np.flatnonzero(few), factored),
            self._drawn(np.flatnonzero(~few), budget[~few], factored, seed),
        ]
        codes = np.concatenate([part.codes for part in parts])
        weights = np.concatenate([part.each_weight for part in parts])
        return replace(self.whole, codes=codes, weights=weights).joined()

    def _every(self, rows: Array, factored: Factored) -> Coded:
        """These rows completed in every way, each with its share of the weight."""
        many = self.possible[rows].astype(np.int64)
        firsts = np.cumsum(many) - many
        which = np.repeat(np.arange(len(rows)), many)
        codes = self.holes.codes[rows[which]]
        left = np.arange(len(which)) - firsts[which]
        for at, size in enumerate(self.holes.sizes):
            gone = codes[:, at] == size
            codes[gone, at] = left[gone] % size
            left[gone] //= size
        logs = _log_probabilities(factored, codes)
        if not len(rows):
            return replace(self.holes, codes=codes, weights=logs)
        shares = np.exp(logs - np.maximum.reduceat(logs, firsts)[which])
        shares *= (self.holes.each_weight[rows] / np.add.reduceat(shares, firsts))[which]
        return replace(self.holes, codes=codes, weights=shares)

    def _drawn(self, rows: Array, draws: Array, factored: Factored, seed: int) -> Coded:
        """These rows completed by so many draws each, which share the weight evenly."""
        codes = np.zeros((int(draws.sum()), len(self.holes.sizes)), dtype=self.holes.codes.dtype)
        if len(rows):
            Junction.of(factored).complete(self.holes.open_codes[rows], draws, stream(seed), codes)
        weights = np.repeat(self.holes.each_weight[rows] / draws, draws)
        return replace(self.holes, codes=codes, weights=weights)


def _log_probabilities(factored: Factored, codes: Array) -> Floats:
    """(rows,): log P(row) of rows without missing values, a block at a time."""
    exact, out = Exact(factored), np.empty(len(codes))
    for first in range(0, len(codes), ROWS_AT_ONCE):
        part = slice(first, first + ROWS_AT_ONCE)
        out[part] = log_likelihood(exact, codes[part])
    return out
