"""Real columns together, described by one density in each class; the others beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Floats
from likely.errors import ModelError
from likely.families.multivariate import Multivariate
from likely.families.predictor import Family
from likely.families.windows import Windows
from likely.families.windows.spread import moments_of
from likely.models.alignment import questions
from likely.models.naive import ClassConditionalModel, NaiveModel
from likely.statistics import Bundle, Moments, Points, Question, Scatter, Statistic


@dataclass(frozen=True)
class JointModel(ClassConditionalModel):
    """An immutable classifier whose real columns have a density of their own in each class."""

    density: Multivariate | Windows

    @property
    def _density(self) -> Family | None:
        return self.density

    @property
    def columns(self) -> tuple[int, ...]:
        """The columns that the density serves."""
        return self.schema.of(*self.density.kinds)

    @cached_property
    def dense(self) -> Any:
        """The predictor of the density; None where no column is real."""
        return next((predictor for columns, predictor in self._predictors.parts if columns == self.columns), None)

    @cached_property
    def alone(self) -> NaiveModel:
        """Each column by itself, as the same rows taught it."""
        answers: dict[Question, Statistic] = {}
        for question in questions(self.schema):
            found = self.bundle.get(question)
            answers[question] = self._each() if found is None else found
        return NaiveModel(self.schema, self.setting, self.priors, Bundle(answers))

    def _each(self) -> Moments:
        """(classes, columns): what is known of the real columns together, of each alone."""
        answer = next(answer for answer in self.bundle.values() if isinstance(answer, Scatter | Points))
        return moments_of(answer, len(self.rows)) if isinstance(answer, Points) else answer.moments()

    def weigh(self, block: Block, out: Floats) -> None:
        for _, predictor in self._predictors.parts:
            (predictor.compare if predictor is self.dense else predictor.add)(block, out)

    def merge(self, other: Self) -> Self:
        if self.density != other.density:
            mine, theirs = vars(self.density), vars(other.density)
            odd = [f"{name} is {mine[name]!r} and {theirs[name]!r}" for name in mine if mine[name] != theirs.get(name)]
            what, hint = f"the options differ: {', '.join(odd)}", "fit both with the same options"
            raise ModelError("M303", what, place="merge(other)", hint=hint)
        return super().merge(other)
