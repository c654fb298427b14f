"""The naive Bayes model: the columns do not depend on each other within a class."""

from __future__ import annotations

from dataclasses import dataclass

from likely.families.predictor import Predictor
from likely.models.class_conditional import ClassConditionalModel


@dataclass(frozen=True)
class NaiveModel(ClassConditionalModel):
    """An immutable naive Bayes classifier."""

    @property
    def parts(self) -> tuple[tuple[tuple[int, ...], Predictor], ...]:
        """The predictors, each with the columns it serves."""
        return self._predictors.parts
