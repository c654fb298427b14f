"""Columns side by side: they depend on the class alone, so that what they say is added."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.core.block import Block
from likely.core.numerics import Array, Floats
from likely.core.schema import Schema
from likely.families.defaults import groups
from likely.families.draws import Draws
from likely.families.predictor import ColumnScorer, Evidence, Family, Predictor, Setting
from likely.statistics import Bundle


@dataclass(frozen=True, eq=False)
class ColumnPredictors:
    """Predictors, each with the columns that it serves."""

    parts: tuple[tuple[tuple[int, ...], Predictor], ...]

    @classmethod
    def of(
        cls,
        schema: Schema,
        setting: Setting,
        bundle: Bundle,
        rows: Array,
        text: bool = False,
        density: Family | None = None,
    ) -> ColumnPredictors:
        """All columns of a schema, some of them served by a density if there is one; or only its texts."""
        return cls(
            tuple(
                (columns, family.predictor(Evidence(schema, columns, bundle, rows, setting)))
                for family, columns in groups(schema, density)
                if not text or family.kinds == ("text",)
            )
        )

    def add(self, block: Block, out: Floats) -> None:
        """out (rows, classes) += what the columns say."""
        for _, predictor in self.parts:
            predictor.add(block, out)

    def add_without(self, block: Block, out: Floats) -> None:
        """out (rows, classes) += what they would say, had the row itself not been learnt."""
        for _, predictor in self.parts:
            out += predictor.without(block)

    def fill(self, block: Block, schema: Schema, out: Floats) -> None:
        """out (rows, 1 + features, classes) gets the terms of these columns, each in its place after the prior."""
        starts = np.concatenate([[1], 1 + np.cumsum([column.features for column in schema.columns])]).astype(int)
        for columns, predictor in self.parts:
            places = np.concatenate([np.arange(starts[at], starts[at + 1]) for at in columns])
            out[:, places] = predictor.terms(block)

    def drawn(self, draws: Draws) -> ColumnScorer:
        """The same columns under parameters drawn from their posterior."""
        return DrawnColumns(tuple(predictor.drawn(draws.under(columns[0])) for columns, predictor in self.parts))

    @property
    def drawn_size(self) -> float:
        """How many numbers are held of one draw."""
        return sum(predictor.drawn_size for _, predictor in self.parts)

    def sample(self, classes: Array, rng: np.random.Generator) -> dict[tuple[int, ...], Array]:
        """The values of rows of these classes, drawn from the predictive distributions."""
        return {columns: predictor.sample(classes, rng) for columns, predictor in self.parts}


@dataclass(frozen=True)
class DrawnColumns:
    """Columns under drawn parameters."""

    scorers: tuple[ColumnScorer, ...]

    def add(self, block: Block, out: Floats) -> None:
        """out (rows, draws * classes) += what they say."""
        for scorer in self.scorers:
            scorer.add(block, out)
