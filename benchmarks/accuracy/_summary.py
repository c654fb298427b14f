"""What the results of many tables come to: means over the folds that models share, ranks, and pairs side by side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from _results import Result, read
from _verdict import mean_ranks, signed_rank

MEASURES = {"error": "error", "log_loss": "log loss", "brier": "Brier score", "calibration": "calibration error"}
ALIKE = {"error": 0.005, "log_loss": 0.01, "brier": 0.005, "calibration": 0.005}  # no difference to speak of
ALL_FOLDS = "calibration_of_all"  # of the rows of all folds together, where fewer rows of a bin are chance
FIELDS = (*MEASURES, ALL_FOLDS, "fit", "predict")


@dataclass(frozen=True)
class Pair:
    """Two models on the tables that both have: the mean difference of a measure, and who is better on how many."""

    tables: int
    difference: float
    won: int
    drawn: int
    lost: int
    better: float
    alike: float
    worse: float


class Summary:
    """The results of models on tables, failures apart."""

    def __init__(self, models: Iterable[str], tables: Iterable[str]) -> None:
        self.models, self.tables = list(models), list(tables)
        every = {(model, *key): one for model in self.models for key, one in read(model).items() if key[0] in tables}
        self.failures = {key: one for key, one in every.items() if one.failure}
        self.found = {key: one for key, one in every.items() if not one.failure}
        self._folds: dict[tuple[str, str], set[int]] = {}
        for model, name, place in self.found:
            self._folds.setdefault((model, name), set()).add(place)

    @property
    def whole(self) -> list[str]:
        """The models that have all the tables."""
        return [model for model in self.models if all((model, name) in self._folds for name in self.tables)]

    @property
    def part(self) -> list[str]:
        """The models that have some of the tables."""
        return [one for one in self.models if one not in self.whole and self.of_tables([one])]

    def of_tables(self, models: list[str]) -> list[str]:
        """The tables that all of these models have, in folds that they share."""
        return [name for name in self.tables if self.shared(models, name)]

    def shared(self, models: list[str], name: str) -> list[int]:
        """The folds of a table that all of these models have."""
        return sorted(set.intersection(*(self._folds.get((model, name), set()) for model in models))) if models else []

    def value(self, model: str, name: str, field: str, places: list[int]) -> float:
        """The mean over folds of a field of the results of a table."""
        rows = [self.found[model, name, place] for place in places]
        if field == ALL_FOLDS:
            return float(np.abs(np.sum([one.gaps for one in rows], axis=0)).sum() / sum(one.rows for one in rows))
        return float(np.mean([getattr(one, field) for one in rows]))

    def values(self, models: list[str], field: str) -> np.ndarray:
        """(tables, models): a field on the tables and folds that all of these models have."""
        names = self.of_tables(models)
        return np.array(
            [[self.value(model, name, field, self.shared(models, name)) for model in models] for name in names]
        )

    def ranks(self, models: list[str], field: str) -> np.ndarray:
        """(models,): the mean rank, 1 being the best."""
        return mean_ranks(self.values(models, field).round(6))

    def pair(self, first: str, other: str, field: str) -> Pair:
        """The first model beside another one."""
        both = self.values([first, other], field)
        difference = both[:, 0] - both[:, 1]
        alike = ALIKE[field]
        won, lost = int((difference < -alike).sum()), int((difference > alike).sum())
        verdict = signed_rank(difference, alike)
        return Pair(len(both), float(difference.mean()), won, len(both) - won - lost, lost, *verdict)

    def results(self) -> list[Result]:
        return list(self.found.values())
