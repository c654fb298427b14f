"""The naive Bayes model: the columns do not depend on each other within a class."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from likely.block import Block
from likely.families.predictor import Predictor, Scorer
from likely.models.alignment import questions
from likely.models.beside import Beside
from likely.models.model import Model
from likely.numerics import Array, Floats
from likely.statistics import Question


@dataclass(frozen=True)
class Classifier(Model):
    """An immutable naive Bayes classifier."""

    @property
    def questions(self) -> tuple[Question, ...]:
        return questions(self.schema)

    @cached_property
    def _beside(self) -> Beside:
        return Beside.of(self.schema, self.setting, self.bundle, self.rows)

    @property
    def parts(self) -> tuple[tuple[tuple[int, ...], Predictor], ...]:
        """The predictors, each with the columns it serves."""
        return self._beside.parts

    def add(self, block: Block, out: Floats) -> None:
        self._beside.add(block, out)

    def add_without(self, block: Block, out: Floats) -> None:
        self._beside.add_without(block, out)

    def fill(self, block: Block, out: Floats) -> None:
        self._beside.fill(block, self.schema, out)

    def draw(self, rng: np.random.Generator) -> Scorer:
        return self._beside.draw(rng)

    def sample(self, classes: Array, rng: np.random.Generator) -> dict[tuple[int, ...], Array]:
        return self._beside.sample(classes, rng)
