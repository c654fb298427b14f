"""What every fitted companion is: a value that says what it thinks of rows, and why."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats, log
from likely.core.schema import NUMERIC, Schema
from likely.kernels.scoring.posteriors import log_normalise


@dataclass(frozen=True, eq=False)
class CompanionModel(ABC):
    """What those of classes and of numbers share. `rows` (classes,), or (1,): the weight of the rows learnt."""

    schema: Schema
    rows: Floats

    @abstractmethod
    def sound(self) -> bool:
        """Whether its arrays fit its schema: compiled loops trust them, and a file may hold anything."""

    def remarks(self) -> tuple[str, ...]:
        """What a person should know of how it was learnt."""
        return ()

    def lines(self) -> tuple[str, ...]:
        """What a person sees of it at a glance."""
        return ()


@dataclass(frozen=True, eq=False)
class ClassModel(CompanionModel):
    """An immutable classifier that was not made from class densities. `rows` (classes,): the weight learnt of each."""

    additive: ClassVar[bool] = False  # whether what a column says depends on that column alone

    @abstractmethod
    def log_proba(self, block: Block, out: Floats) -> Floats:
        """(rows, classes), into out: the log probabilities of the classes."""

    @abstractmethod
    def terms(self, block: Block) -> Floats:
        """(rows, 1 + features, classes): what is said before any column, then what each adds.

        The sums are the log probabilities, up to a number of each row that is the same for all classes.
        """

    def sound(self) -> bool:
        classed = self.schema.target.kind not in NUMERIC and bool(self.rows.any())
        return classed and are_class_weights(self.rows, len(self.schema.classes))

    def edges(self, column: int) -> Floats:
        """The numbers of a column at which what is said jumps: up to each the one thing is said, beyond it another."""
        return np.empty(0)

    def under(self, log_priors: Floats) -> ClassModel:
        """The same evidence under other class priors: right where only the shares of the classes have moved."""
        return Shifted(self.schema, self.rows, self, log_priors - self.log_prior)

    def add(self, block: Block, out: Floats) -> None:
        """out (rows, classes) += the evidence of each row for each class."""
        out += self.log_likelihood(block, np.empty((block.rows, len(self.rows))))

    def given(self, block: Block) -> Array | None:
        """(rows, features): what each term is conditional on beside the class, in words or None; None if nothing is."""
        return None

    @cached_property
    def log_prior(self) -> Floats:
        """(classes,): the log of the shares of the classes among the rows learnt."""
        return log(self.rows / self.rows.sum())

    def proba(self, block: Block, out: Floats) -> Floats:
        """(rows, classes), into out: the probabilities of the classes."""
        return np.exp(self.log_proba(block, out), out=out)

    def likeliest(self, block: Block) -> Array:
        """(rows,): the place of the likeliest class, the first of equals."""
        return np.asarray(self.log_proba(block, np.empty((block.rows, len(self.schema.classes)))).argmax(axis=1))

    def log_likelihood(self, block: Block, out: Floats) -> Floats:
        """(rows, classes), into out: log P(row | class) - log P(row): the evidence, free of the class shares."""
        said = self.log_proba(block, out)
        return np.subtract(said, self.log_prior, out=said)


@dataclass(frozen=True, eq=False)
class Shifted(ClassModel):
    """A model under other class priors: `shift` (classes,) is added to what it says; all else is as it was."""

    judge: ClassModel
    shift: Floats

    @property
    def additive(self) -> bool:  # type: ignore[override]
        return self.judge.additive

    @cached_property
    def log_prior(self) -> Floats:
        """(classes,): the log priors that it speaks under."""
        return np.asarray(self._normalised((self.judge.log_prior + self.shift)[None])[0])

    def log_proba(self, block: Block, out: Floats) -> Floats:
        said = self.judge.log_proba(block, out)
        return self._normalised(np.add(said, self.shift, out=said))

    def _normalised(self, said: Floats) -> Floats:
        return log_normalise(said, self.judge.log_prior)

    def terms(self, block: Block) -> Floats:
        terms = self.judge.terms(block)
        terms[:, 0] += self.shift
        return terms

    def given(self, block: Block) -> Array | None:
        return self.judge.given(block)

    def edges(self, column: int) -> Floats:
        return self.judge.edges(column)

    def under(self, log_priors: Floats) -> ClassModel:
        return self.judge.under(log_priors)

    def sound(self) -> bool:
        fits = super().sound() and self.judge.schema == self.schema and self.judge.sound()
        return fits and self.shift.shape == self.rows.shape and not np.isnan(self.shift).any()

    def remarks(self) -> tuple[str, ...]:
        return self.judge.remarks()

    def lines(self) -> tuple[str, ...]:
        return self.judge.lines()

    def __getattr__(self, name: str) -> Any:
        """What is special to the model: its tree, its rounds."""
        if name in ("judge", "shift"):  # not there yet
            raise AttributeError(name)
        return getattr(self.judge, name)


@dataclass(frozen=True, eq=False)
class RegressionModel(CompanionModel):
    """An immutable model of a number. `rows` (1,): the weight of the rows learnt."""

    @abstractmethod
    def estimate(self, block: Block, out: Floats) -> Floats:
        """(rows,), into out: the number that is expected of each row."""

    @abstractmethod
    def terms(self, block: Block) -> Floats:
        """(rows, 1 + features): what is said before any column, then what each adds; the sums are the estimates."""

    def sound(self) -> bool:
        return self.schema.target.kind in NUMERIC and len(self.schema.classes) == 1 and are_class_weights(self.rows, 1)


def are_class_weights(rows: Floats, many: int) -> bool:
    """Whether it is the weight of the rows learnt of so many classes."""
    return rows.shape == (many,) and bool(np.isfinite(rows).all() and (rows >= 0).all())
