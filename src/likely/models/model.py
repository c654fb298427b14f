"""What every generative model is: a schema, a setting, priors and statistics; all else follows from them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from likely.core.block import Block, emptied
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.core.schema import Schema
from likely.core.schema_union import unite
from likely.core.unusable_rows import never_learnt, refuse_holes, refuse_large, refuse_unlearnt
from likely.errors import ModelError
from likely.families.draws import Draws
from likely.families.predictor import ColumnScorer, Family, Setting, never_learnt_error, own_weights
from likely.kernels.scoring.posteriors import find_largest, log_normalise, normalise
from likely.models.alignment import carry, class_counts, prune, settled_kinds
from likely.models.priors import Priors, drawn_prior, log_prior
from likely.statistics import Bundle, Question
from likely.statistics.statistic import subtract


@dataclass(frozen=True)
class Model(ABC):
    """An immutable generative classifier. `learn`, `unlearn` and `merge` give new ones."""

    schema: Schema
    setting: Setting
    priors: Priors
    bundle: Bundle

    @property
    def _density(self) -> Family | None:
        """The density that serves columns which are not described one by one, if there is one."""
        return None

    @property
    @abstractmethod
    def questions(self) -> tuple[Question, ...]:
        """All that it asks of the rows."""

    @abstractmethod
    def add(self, block: Block, out: Floats) -> None:
        """out (rows, classes) += log P(row | class)."""

    @abstractmethod
    def fill(self, block: Block, out: Floats) -> None:
        """out (rows, 1 + features, classes) gets what every input column adds, in its place after the prior."""

    def given(self, block: Block) -> Array | None:
        """(rows, features): what each term is conditional on beside the class, in words or None; None if nothing is."""
        return None

    @abstractmethod
    def add_without(self, block: Block, out: Floats) -> None:
        """out (rows, classes) += log P(row | class), had the model not learnt that very row."""

    @abstractmethod
    def drawn(self, draws: Draws) -> ColumnScorer:
        """The same model under parameters drawn from their posterior: it adds to out (rows, draws * classes)."""

    @property
    def drawn_ahead(self) -> bool:
        """Whether draws are made before any row is seen; else when rows are scored, of what these need."""
        return False

    @property
    @abstractmethod
    def drawn_size(self) -> float:
        """How many numbers are held of one draw at most, whatever the rows; infinite where no two should be held."""

    @abstractmethod
    def sample(self, classes: Array, rng: np.random.Generator) -> dict[tuple[int, ...], Array]:
        """Rows of these classes, drawn from the model: the values of some columns, of some others, and so on."""

    @cached_property
    def rows(self) -> Array:
        """(classes,): the weight of the rows learnt."""
        return class_counts(self.bundle, self.schema)

    @cached_property
    def log_prior(self) -> Floats:
        """(classes,)."""
        return log_prior(self.priors, self.rows, self.schema.classes, self.setting.smoothing)

    def learn(self, schema: Schema, bundle: Bundle) -> Self:
        """The model after more rows, which may have brought levels and classes of their own."""
        whole = unite(self.schema, schema)
        mine = carry(self.bundle, self.schema, whole, self._density)
        return replace(self, bundle=mine + carry(bundle, schema, whole, self._density), schema=whole).pruned()

    def of_rows(self, bundle: Bundle) -> Self:
        """The same model of the rows that gave these answers under its schema, and of no others."""
        return replace(self, bundle=bundle)

    def unlearn(self, bundle: Bundle) -> Self:
        """The model as if these rows, answered under its own schema, had never been learnt."""
        rest = self.bundle - bundle
        if not rest.possible():
            raise never_learnt()
        return replace(self, bundle=rest).pruned()

    @property
    def emptied(self) -> Self:
        """The same model that knows no row: cut points, structure and weights, to be taught by others."""
        return self.unlearn(self.bundle)

    def merge(self, other: Self) -> Self:
        """The model of both models' rows."""
        if (self.setting, self.priors) != (other.setting, other.priors):
            what = f"the options differ: {self.setting}, {self.priors} and {other.setting}, {other.priors}"
            hint = "fit both with the same estimate, smoothing, priors, class weights and missing"
            raise ModelError("M303", what, place="merge(other)", hint=hint)
        return self.learn(other.schema, other.bundle)

    def pruned(self) -> Self:
        """Without inferred levels and classes that no row supports, and with long texts seen as text."""
        bundle, schema = settled_kinds(*prune(self.bundle, self.schema), self._density)
        return self if bundle is self.bundle else replace(self, bundle=bundle, schema=schema)

    def log_likelihood(self, block: Block, out: Floats) -> Floats:
        """(rows, classes), into out: the log of P(row | class): free of class priors, in rounding too."""
        out[:] = 0.0
        return self._checked(self.add, block, out)

    def weigh(self, block: Block, out: Floats) -> None:
        """out (rows, classes) += log P(row | class), up to a number of each row that is the same for all classes."""
        self.add(block, out)

    def _weighed(self, block: Block, out: Floats) -> Floats:
        """(rows, classes), into out: the joint log probabilities, as far as they tell the classes apart."""
        out[:] = self.log_prior
        return self._checked(self.weigh, block, out)

    def _checked(self, add: Callable[[Block, Floats], None], block: Block, out: Floats) -> Floats:
        if self.setting.missing == "error":
            refuse_holes(block, self.schema)
        add(block, out)
        if not np.isfinite(out).all():
            refuse_large(block, self.schema)
            if np.isnan(out).any() or np.isposinf(out).any():
                hint = "fit it again: no rows give such sums, and a file that holds them is damaged"
                raise ModelError("M315", "the model's numbers give no probability", place="model", hint=hint)
        return out

    def proba(self, block: Block, out: Floats) -> Floats:
        """(rows, classes), into out: the posterior probabilities."""
        return normalise(self._weighed(block, out), self.log_prior)

    def likeliest(self, block: Block) -> Array:
        """(rows,): the place of the likeliest class; of an impossible row, the likeliest before seeing it."""
        out = np.empty(block.rows, dtype=np.int64)
        joint = self._weighed(block, np.empty((block.rows, len(self.schema.classes))))
        find_largest(joint, int(self.log_prior.argmax()), out)
        return out

    def log_proba(self, block: Block, out: Floats) -> Floats:
        """(rows, classes), into out: the log posterior probabilities."""
        return log_normalise(self._weighed(block, out), self.log_prior)

    def terms(self, block: Block) -> Floats:
        """(rows, 1 + features, classes): the log prior, then what every input column adds."""
        self.refuse(block)
        out = np.zeros((block.rows, 1 + self.schema.features, len(self.schema.classes)))
        out[:, 0] = self.log_prior
        self.fill(block, out)
        return out

    def without(self, block: Block) -> Floats:
        """(rows, classes): the log posterior of each learnt row, had that very row not been learnt.

        A row of no weight was not learnt: nothing is taken back, and it may have levels that no row has.
        """
        self.refuse(block)
        refuse_unlearnt(block, self.schema)
        idle = own_weights(block)[1] == 0
        if not idle.any():
            return self._without(block)
        out = self.log_proba(block, np.empty((block.rows, len(self.schema.classes))))
        out[~idle] = self._without(emptied(block, self.schema, idle))[~idle]
        return out

    def _without(self, block: Block) -> Floats:
        """(rows, classes): the same of rows whose values were all learnt."""
        prior = self.prior_without(block)
        out = prior.copy()
        self.add_without(block, out)
        impossible = np.isneginf(out).all(axis=1)
        out[impossible] = prior[impossible]
        return log_normalise(out, self.log_prior)

    def prior_without(self, block: Block) -> Floats:
        """(rows, classes): the log priors, had each row not been learnt."""
        own, weights = own_weights(block)
        left = np.broadcast_to(np.asarray(self.rows, dtype=np.float64), (block.rows, len(self.rows))).copy()
        left[np.arange(block.rows), own] = subtract(left[np.arange(block.rows), own], weights)
        if (left < -1e-9).any():
            raise never_learnt_error(
                block.start + int((left < -1e-9).any(axis=1).argmax()), "its class had no such rows"
            )
        return log_prior(self.priors, np.maximum(left, 0.0), self.schema.classes, self.setting.smoothing)

    def drawn_prior(self, draws: Draws) -> Floats:
        """(draws, classes): log priors drawn from their posterior."""
        return drawn_prior(self.priors, self.rows, self.schema.classes, self.setting.smoothing, draws)

    def refuse(self, block: Block) -> None:
        """An error if a value cannot be used."""
        refuse_large(block, self.schema)
        if self.setting.missing == "error":
            refuse_holes(block, self.schema)

    def with_priors(self, priors: Priors) -> Self:
        """The same likelihoods under other class priors."""
        changed = replace(self, priors=priors)
        changed.log_prior  # noqa: B018  computed now, so that a missing class is named here and not at the next prediction
        return changed
