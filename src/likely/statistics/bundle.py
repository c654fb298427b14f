"""The answers to all of a model's questions, added and subtracted together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from likely.statistics.questions import Question
from likely.statistics.statistic import Statistic


@dataclass(frozen=True)
class Bundle(Mapping[Question, Statistic]):
    """Question -> answer. A bundle of parts added is the bundle of the whole."""

    answers: Mapping[Question, Statistic]

    def __getitem__(self, question: Question) -> Statistic:
        return self.answers[question]

    def __iter__(self) -> Iterator[Question]:
        return iter(self.answers)

    def __len__(self) -> int:
        return len(self.answers)

    def __add__(self, other: Bundle) -> Bundle:
        return Bundle({question: mine + other[question] for question, mine in self.items()})

    def taking(self, other: Bundle) -> Bundle:
        """The sum, in the room of this bundle where that can be: it must not be used afterwards."""
        return Bundle({question: mine.taking(other[question]) for question, mine in self.items()})

    def __sub__(self, other: Bundle) -> Bundle:
        return Bundle({question: mine - other[question] for question, mine in self.items()})

    def __mul__(self, factor: float) -> Bundle:
        return Bundle({question: mine * factor for question, mine in self.items()})

    def possible(self) -> bool:
        """Whether any rows could have given these answers."""
        return all(answer.possible() for answer in self.values())
