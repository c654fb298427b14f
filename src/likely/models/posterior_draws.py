"""A model under many draws of its parameters: what it says of rows each time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Floats
from likely.families.draws import Draws
from likely.families.predictor import ColumnScorer
from likely.kernels.scoring.draws import share_draws
from likely.models.model import Model

PARAMETER_DRAWS = 400  # behind a credible interval
# Numbers of drawn parameters that are kept for all rows; that are made at a time
MOST_NUMBERS_KEPT, NUMBERS_MADE_AT_A_TIME = 1 << 23, 1 << 21
# Numbers about rows that are made at a time by each thread, under draws that are kept; under draws made for them
NUMBERS_UNDER_KEPT_DRAWS, NUMBERS_UNDER_MADE_DRAWS = 1 << 19, 1 << 22
NUMBERS_IN_THE_CACHE = 1 << 17  # numbers that are scored and sorted before others take their room
LEAST_ROWS_AT_A_TIME, MOST_ROWS_AT_A_TIME = 64, 1 << 11  # rows at a time


@dataclass(frozen=True, eq=False)
class Redrawn:
    """A model, and its draws, of which as many are made at a time as can be held.

    What is drawn of a row hangs on no other row.
    """

    model: Model
    draws: Draws

    @classmethod
    def of(cls, model: Model, seed: Any, times: int) -> Redrawn:
        """Draws that follow from a seed."""
        return cls(model, Draws.of(seed, times))

    @property
    def step(self) -> int:
        """How many draws are held at a time."""
        size = max(1.0, self.model.drawn_size)
        return (
            self.draws.times
            if size * self.draws.times <= MOST_NUMBERS_KEPT
            else int(max(1, NUMBERS_MADE_AT_A_TIME // size))
        )

    @property
    def rows(self) -> int:
        """How many rows to score at a time: few, unless draws are made again for them."""
        room = NUMBERS_UNDER_KEPT_DRAWS if self._kept else NUMBERS_UNDER_MADE_DRAWS
        return min(
            MOST_ROWS_AT_A_TIME,
            max(LEAST_ROWS_AT_A_TIME, room // (self.draws.times * max(1, len(self.model.schema.classes)))),
        )

    @property
    def encoded(self) -> int:
        """How many rows to encode at a time: more than are scored, as it is done by column; texts are not parted."""
        return self.rows if self.model.schema.of("text") else MOST_ROWS_AT_A_TIME

    def pieces(self, block: Block) -> Iterator[Block]:
        """The rows of a block, as many at a time as are to be scored."""
        if block.rows <= self.rows:
            return iter([block])
        return (block.piece(start, start + self.rows) for start in range(0, block.rows, self.rows))

    def proba(self, block: Block) -> Floats:
        """(rows, draws, classes): posterior probabilities under parameters drawn from their posterior."""
        self.model.refuse(block)
        return np.swapaxes(self._shares(block, np.empty((block.rows, self._numbers))), 1, 2)

    def limits(self, block: Block, level: float) -> Floats:
        """(rows, classes, 2): the quantiles of each class probability that leave out equal tails."""
        self.model.refuse(block)
        below = (1 - level) / 2 * (self.draws.times - 1)
        at, part = int(below), below % 1.0
        out = np.empty((block.rows, len(self.model.schema.classes), 2))
        rows = max(1, NUMBERS_IN_THE_CACHE // self._numbers) if self._kept else block.rows
        room = np.empty((min(rows, block.rows), self._numbers))
        for start in range(0, block.rows, rows):
            piece = block if block.rows <= rows else block.piece(start, start + rows)
            drawn = self._shares(piece, room[: piece.rows])
            drawn.sort(axis=2)
            said = out[start : start + rows]
            said[..., 0] = drawn[..., at] + part * (drawn[..., at + 1] - drawn[..., at])
            said[..., 1] = drawn[..., -1 - at] + part * (drawn[..., -2 - at] - drawn[..., -1 - at])
        return out

    @property
    def _numbers(self) -> int:
        """How many numbers there are of each row."""
        return self.draws.times * len(self.model.schema.classes)

    def _shares(self, block: Block, room: Floats) -> Floats:
        """(rows, classes, draws), in the room (rows, draws * classes) for it."""
        shares = room.reshape(block.rows, -1, self.draws.times)
        for start, prior, scorer in self._kept or self._made():
            joint = room if len(prior) == self.draws.times else np.empty((block.rows, prior.size))
            joint[:] = prior.reshape(-1)
            scorer.add(block, joint)
            share_draws(joint, prior)
            if joint is not room:
                shares[:, :, start : start + len(prior)] = joint.reshape(block.rows, -1, len(prior))
        return shares

    @cached_property
    def _kept(self) -> tuple[tuple[int, Floats, ColumnScorer], ...]:
        """All draws, where they can be held and are made before any row is seen."""
        return tuple(self._made()) if self.model.drawn_ahead and self.step == self.draws.times else ()

    def _made(self) -> Iterator[tuple[int, Floats, ColumnScorer]]:
        """The first of some draws, their log priors (draws, classes), and what scores rows under them."""
        for start in range(0, self.draws.times, self.step):
            some = replace(self.draws, times=min(self.step, self.draws.times - start)).under(start)
            yield start, self.model.drawn_prior(some.under(0)), self.model.drawn(some)
