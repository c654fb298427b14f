"""Models whose families stand side by side: what they say of a row is added. Naive Bayes is nothing more."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.families.draws import Draws
from likely.families.predictor import ColumnScorer, Predictor
from likely.models.alignment import questions
from likely.models.column_predictors import ColumnPredictors
from likely.models.model import Model
from likely.statistics import Question


@dataclass(frozen=True)
class ClassConditionalModel(Model):
    """A model of families that depend on the class alone."""

    @property
    def questions(self) -> tuple[Question, ...]:
        return questions(self.schema, self._density)

    @cached_property
    def _predictors(self) -> ColumnPredictors:
        return ColumnPredictors.of(self.schema, self.setting, self.bundle, self.rows, density=self._density)

    def add(self, block: Block, out: Floats) -> None:
        self._predictors.add(block, out)

    def add_without(self, block: Block, out: Floats) -> None:
        self._predictors.add_without(block, out)

    def fill(self, block: Block, out: Floats) -> None:
        self._predictors.fill(block, self.schema, out)

    def drawn(self, draws: Draws) -> ColumnScorer:
        return self._predictors.drawn(draws.under(1))

    @property
    def drawn_ahead(self) -> bool:
        return True

    @property
    def drawn_size(self) -> float:
        return self._predictors.drawn_size

    def sample(self, classes: Array, rng: np.random.Generator) -> dict[tuple[int, ...], Array]:
        return self._predictors.sample(classes, rng)


@dataclass(frozen=True)
class NaiveModel(ClassConditionalModel):
    """An immutable naive Bayes classifier."""

    @property
    def parts(self) -> tuple[tuple[tuple[int, ...], Predictor], ...]:
        """The predictors, each with the columns it serves."""
        return self._predictors.parts
