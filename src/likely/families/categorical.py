"""Binary and category columns: Dirichlet beliefs over levels, all columns side by side in one flat table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats, log
from likely.core.schema import DISCRETE
from likely.families.draws import Draws, standard_gammas
from likely.families.levels import Levels
from likely.families.predictor import Evidence, never_learnt_error, own_weights, presence
from likely.families.smoothing import share
from likely.kernels.memory import aligned_zeros, pad_classes
from likely.kernels.scoring.draws import add_drawn_levels
from likely.kernels.scoring.level_scores import score_codes
from likely.statistics import Counts, Question
from likely.statistics.statistic import subtract

NUMBERS_DRAWN_TOGETHER = 12_000  # before they are laid beside the others: what they are made of fits in the cache


@dataclass(frozen=True)
class Categorical:
    """Levels with pseudo-counts: P(level | cell) = (n + s) / (N + s K).

    `bayes` is the Dirichlet(s) posterior predictive and `map` the mode under Dirichlet(1 + s): the same number. `mle`
    has s = 0; a cell without any value then takes every level as equally likely. A level never seen in training is
    judged as if the column had one level more: s / (N + s (K + 1)); under `mle` it says nothing.
    """

    kinds: tuple[str, ...] = DISCRETE
    together: bool = True

    def questions(self, columns: Sequence[int]) -> tuple[Question, ...]:
        return (Question("counts", tuple(columns)),)

    def predictor(self, evidence: Evidence) -> CategoricalPredictor:
        levels = np.array([len(evidence.schema.columns[at].levels) for at in evidence.columns], dtype=np.int64)
        counts = evidence.answer(Counts).table
        aside = identifier_columns(evidence, counts)
        return CategoricalPredictor(counts, evidence.rows, levels, evidence.setting, aside)


def identifier_columns(evidence: Evidence, counts: Array) -> Array:
    """(columns,): which columns look like identifiers; they are counted like others, and their levels say nothing."""
    aside, start = np.zeros(len(evidence.columns), dtype=bool), 0
    for place, at in enumerate(evidence.columns):
        column = evidence.schema.columns[at]
        if column.inferred:
            aside[place] = column.identifies(counts[:, start : start + len(column.levels)].sum(axis=0))
        start += column.slots
    return aside


@dataclass(frozen=True)
class CategoricalPredictor(Levels):
    """Discrete columns below the class alone; the levels of those that are set `aside` (columns,) say nothing."""

    aside: Array

    @cached_property
    def scores(self) -> Floats:
        """(slots, classes): the log predictive probability of every slot; the one table behind every answer."""
        return self._finished(self.table(None)[0])

    def _finished(self, table: Floats, times: int = 1) -> Floats:
        """The same table (slots, times * classes), in which values also tell by being there, or missing."""
        here, gone = (np.tile(part, times) for part in self.presence)
        if self.aside.any():
            table[np.repeat(self.aside, self.levels + 2)] = 0.0
        if self.setting.missing == "informative":
            table += np.repeat(here, self.levels + 2, axis=0)
        table[self.offsets + self.levels] = gone
        return table

    @cached_property
    def _padded(self) -> Floats:
        return pad_classes(self.scores)

    def add(self, block: Block, out: Floats) -> None:
        score_codes(block.codes, self.offsets, self._padded, out)

    def terms(self, block: Block) -> Floats:
        return np.asarray(self.scores[self.offsets + block.codes])

    # Below the class alone a row changes what its own class says, and nothing else: only that is reckoned anew, where
    # `shares_without`, for cells that may lean on the whole column, has (rows, columns, classes).
    def without(self, block: Block) -> Floats:
        out = np.zeros((block.rows, len(self.rows)))
        self.add(block, out)
        own, weights = own_weights(block)
        out[np.arange(block.rows), own] = self._own(block, own, weights).sum(axis=1)
        return out

    def _own(self, block: Block, own: Array, weights: Floats) -> Floats:
        """(rows, columns): the terms of each row's own cell with that row taken out."""
        left = subtract(self.counts[own[:, None], self.offsets + block.codes], weights[:, None])
        if (left < -1e-9).any():
            row = int((left < -1e-9).any(axis=1).argmax())
            raise never_learnt_error(block.start + row, "its class has no such value")
        left = np.maximum(left, 0.0)
        present = block.codes < self.levels
        observed = np.maximum(subtract(self.observed[own], weights[:, None] * present), 0.0)
        here, gone = presence(self.setting, subtract(self.rows[own], weights)[:, None], observed)
        said = np.where(self.aside, 0.0, log(share(left, observed, self.levels, self.setting.pseudo)))
        return np.where(present, said + here, gone)

    def drawn(self, draws: Draws) -> DrawnLevels:
        prior = {"bayes": self.setting.smoothing, "map": 1.0 + self.setting.smoothing, "mle": 1.0}[
            self.setting.estimate
        ]
        shape, rng = np.asarray(self.counts.T + prior, dtype=np.float64), draws.rng
        table = aligned_zeros((len(shape), draws.times * len(self.rows)))
        beside = table.reshape(len(shape), draws.times, len(self.rows))
        together = max(1, NUMBERS_DRAWN_TOGETHER // max(1, shape.size))
        for first in range(0, draws.times, together):
            some = beside[:, first : first + together]
            some[self.parts] = np.swapaxes(standard_gammas(rng, shape[self.parts], some.shape[1]), 0, 1)
        gone = self.offsets + self.levels
        unseen = gone + 1
        whole = np.add.reduceat(table, self.offsets, axis=0)
        table[gone], table[unseen] = 1.0, 1.0  # said below, and a logarithm of nought takes ten times as long
        for column, (start, levels) in enumerate(zip(self.offsets, self.levels, strict=True)):
            table[start : start + levels] /= np.where(whole[column] > 0, whole[column], 1.0)
        with np.errstate(divide="ignore"):
            np.log(table, out=table)
        here = self.presence[0]
        table[unseen] = draws.repeated(self.unseen.T)
        table = self._finished(table, draws.times)
        if self.setting.pseudo > 0:
            extra = rng.standard_gamma(shape[unseen, None], (len(unseen), draws.times, len(self.rows)))
            extra = extra.reshape(whole.shape)
            said = np.where(self.aside[:, None], 0.0, log(extra / (whole + extra)))
            table[unseen] = draws.repeated(here) + said
        return DrawnLevels(table, self.offsets)

    @property
    def drawn_size(self) -> float:
        return float(self.counts.size)

    def sample(self, classes: Array, rng: np.random.Generator) -> Array:
        codes = np.empty((len(classes), len(self.levels)), dtype=np.int32)
        shares, (here, gone) = self.shares.T, (np.exp(part) for part in self.presence)
        for column, (start, levels) in enumerate(zip(self.starts, self.levels, strict=True)):
            missing = gone[column] if self.setting.missing == "informative" else np.zeros(shares.shape[1])
            mass = np.vstack([shares[start : start + levels] * here[column], missing])
            if levels == 0:  # a column that was never seen stays missing
                mass[-1] = 1.0
            steps = np.cumsum(mass / mass.sum(axis=0), axis=0)
            codes[:, column] = np.minimum((rng.random(len(classes)) > steps[:, classes]).sum(axis=0), levels)
        return codes


@dataclass(frozen=True)
class DrawnLevels:
    """Level probabilities drawn from their posterior, the draws side by side."""

    table: Floats
    offsets: Array

    def add(self, block: Block, out: Floats) -> None:
        add_drawn_levels(block.codes, self.offsets, self.table, out)
