"""How a pool comes about: each model is tried on rows held out, fitted to all rows, and weighed with the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

import numpy as np

from likely.companions.progress import report_rounds
from likely.core.numerics import Array, Floats
from likely.core.recoding import recoded
from likely.core.threads import in_threads
from likely.errors import LikelyError
from likely.estimators.bayes.encoded_rows import EncodedRows, SettledRows
from likely.estimators.bayes.pool_candidates import Candidate
from likely.evaluation.folds.fold_assignment import deal
from likely.evaluation.stacking import LEAST_WEIGHT, Stack, learn_mixing, scores_of
from likely.families.predictor import own_weights
from likely.kernels.scoring.posteriors import log_normalise
from likely.models import Model
from likely.models.pool import Mixing, Trial
from likely.output.phrases import plural
from likely.statistics.questions import size

MANY_FOLDS, FEW_FOLDS, ROWS_OF_FEW_FOLDS = 10, 5, 250  # small tables are dealt into more folds: each row counts
LEAST_ROWS_TRIED = 20  # rows below which nothing can be told between models


@dataclass(frozen=True)
class Budget:
    """How long may be tried, in seconds, and how many bytes a model may take."""

    seconds: float = np.inf
    memory: float = np.inf


@dataclass(frozen=True, eq=False)
class Tried:
    """A model that was tried: its log likelihoods (rows, classes) of rows held out, and what all rows taught it."""

    candidate: Candidate
    log_likelihood: Floats
    model: Any
    seconds: float


@dataclass(eq=False)
class Trials:
    """Models tried one after the other on the same folds of a sample of the rows; `story` says what happened."""

    sample: EncodedRows
    whole: EncodedRows | SettledRows
    fold: Array
    budget: Budget
    clock: Callable[[], float] = perf_counter
    tried: list[Tried] = field(default_factory=list)
    story: list[str] = field(default_factory=list)
    interrupted: bool = False

    def __post_init__(self) -> None:
        self._start = self.clock()

    def run(self, candidates: Sequence[Candidate]) -> None:
        """Try each, the first at any price; what cannot be fitted, or not in time, is left out and told."""
        for candidate in candidates:
            try:
                told = self._try(candidate)
            except LikelyError as error:
                if candidate is candidates[-1] and not self.tried:
                    raise
                self.story.append(f"{candidate.name} could not be fitted: {error.message}.")
            except KeyboardInterrupt:
                if not self.tried:
                    raise
                self.story.append(f"Interrupted: {candidate.name} and what comes after it were not tried.")
                self.interrupted = True
                return
            else:
                if told is not None:
                    self.tried.append(told)

    def _try(self, candidate: Candidate) -> Tried | None:
        start = self.clock()
        out = np.full((self.sample.rows, len(self.sample.schema.classes)), -np.inf)
        folds = int(self.fold.max()) + 1 if len(self.fold) else 0
        first = range(min(1, folds))
        self._judge(candidate, first, out)
        if self._too_dear(candidate, self.clock() - start, folds):
            return None
        self._judge(candidate, range(len(first), folds), out)
        model = candidate.fit(self.whole)
        report_rounds()
        if self.tried and isinstance(model, Model) and _bytes(model) > self.budget.memory:
            self.story.append(f"{candidate.name} takes {_bytes(model) / 2**20:,.2g} MiB, beyond the budget.")
            return None
        return Tried(candidate, out, model, self.clock() - start)

    def _judge(self, candidate: Candidate, folds: Sequence[int], out: Floats) -> None:
        """out (rows, classes) gets what the model says of the rows of some folds that the other folds taught it."""

        def judge(part: int) -> None:
            held = np.flatnonzero(self.fold == part)
            model = candidate.fit(self.sample.take(np.flatnonzero(self.fold != part)))
            seen = recoded(self.sample.take(held).block, self.sample.schema, model.schema)
            place = {level: at for at, level in enumerate(self.sample.schema.classes)}
            said = model.log_likelihood(seen, np.empty((len(held), len(model.schema.classes))))
            out[np.ix_(held, np.array([place[level] for level in model.schema.classes]))] = said
            report_rounds()

        for _ in in_threads(judge, folds):
            pass

    def _too_dear(self, candidate: Candidate, seconds: float, folds: int) -> bool:
        """Whether a model that took so long for its first fold would take longer than the budget leaves."""
        if not self.tried:
            return False
        rows = self.whole.rows or self.sample.rows
        left = (folds - 1 + rows / max(1, self.sample.rows)) * seconds
        spent = self.clock() - self._start
        if spent + left <= self.budget.seconds:
            return False
        text = f"{candidate.name} was left out: {spent + left:.1f} s in all, beyond the budget of"
        self.story.append(f"{text} {self.budget.seconds:g} s.")
        return True


def deal_folds(rows: EncodedRows, seed: int, told: bool = True) -> Array:
    """(rows,): the fold of each row in which models are tried; none where nothing tells models apart."""
    if not told or rows.rows < LEAST_ROWS_TRIED or len(rows.schema.classes) < 2:
        return np.zeros(0, dtype=np.int64)
    assert rows.block.cells is not None, "rows to learn have classes"
    folds = MANY_FOLDS if rows.rows < ROWS_OF_FEW_FOLDS else FEW_FOLDS
    return deal(rows.block.cells, folds, seed)


@dataclass(frozen=True, eq=False)
class Pooled:
    """The models that are kept, how they are weighed, and what was seen."""

    tried: tuple[Tried, ...]
    mixing: Mixing
    trials: tuple[Trial, ...]
    story: tuple[str, ...]


def pool(trials: Trials, way: str) -> Pooled:
    """The models tried, weighed together; those that weigh nothing are left out."""
    tried, classes = tuple(trials.tried), tuple(trials.sample.schema.classes)
    many, story = len(tried), list(trials.story)
    if not len(trials.fold):
        even = Mixing(classes, (1.0 / many,) * many, (0.0,) * len(classes))
        why = "too few" if trials.sample.rows < LEAST_ROWS_TRIED else "nothing"
        story.append(
            f"{plural(trials.sample.rows, 'row')}: {why} to tell models apart by; {tried[0].candidate.name} is taken."
        )
        unjudged = tuple(Trial(one.candidate.name, 0.0, 0.0, 1.0 / many, one.seconds, False) for one in tried)
        return Pooled(tried, even, unjudged, tuple(story))
    stack = _stack(trials)
    mixing, said = _chosen(stack, trials.fold, classes, way, story)
    alone = [log_normalise(one + stack.log_prior, np.zeros(len(classes))) for one in stack.log_likelihood]
    kept = [at for at, weight in enumerate(mixing.weights) if weight > LEAST_WEIGHT or (mixing.matrix and weight > 0)]
    if not kept:
        kept = [int(np.argmax(mixing.weights))]
    seen = [
        _trial(one.candidate.name, its, stack, weight, one.seconds)
        for one, its, weight in zip(tried, alone, mixing.weights, strict=True)
    ]
    whole = _trial("pool", said, stack, 1.0, sum(one.seconds for one in tried))
    smaller = replace(
        mixing,
        weights=tuple(mixing.weights[at] for at in kept),
        matrix=tuple(mixing.matrix[at] for at in kept) if mixing.matrix else (),
    )
    ranked = sorted([whole, *seen], key=lambda one: one.log_loss)
    return Pooled(tuple(tried[at] for at in kept), smaller, tuple(ranked), tuple(story))


def _stack(trials: Trials) -> Stack:
    """What the models said of rows held out; a row of a class that its fold had not learnt counts for nothing."""
    own, weights = own_weights(trials.sample.block)
    said = np.stack([one.log_likelihood for one in trials.tried])
    known = np.asarray(np.isfinite(said).all(axis=(0, 2)))
    mass = np.zeros((int(trials.fold.max()) + 1, said.shape[2]))
    np.add.at(mass, (trials.fold, own), weights)
    rest = mass.sum(axis=0) - mass + 1.0  # of the other folds, smoothed like everything else
    log_prior = np.log(rest / rest.sum(axis=1, keepdims=True))[trials.fold]
    return Stack(np.where(known[:, None], said, 0.0), log_prior, np.asarray(own), np.where(known, weights, 0.0))


def _chosen(stack: Stack, fold: Array, classes: tuple[Any, ...], way: str, story: list[str]) -> tuple[Mixing, Floats]:
    """How the models are weighed, and (rows, classes) log probabilities that weights learnt on other folds give."""
    ways = {"log-linear": False} if way == "log-linear" else {"log-linear": False, "multinomial": True}
    found = {name: _crossed(stack, fold, classes, matrix) for name, matrix in ways.items()}
    if way == "best":
        singles = [float(stack.weights @ stack.losses(one + stack.log_prior)) for one in stack.log_likelihood]
        losses = {name: float(stack.weights @ stack.losses(said)) for name, (_, said) in found.items()}
        best, alone = min(losses, key=lambda name: losses[name]), int(np.argmin(singles))
        if singles[alone] <= losses[best]:
            story.append("One model by itself lost least on rows held out: it is taken alone.")
            one = np.eye(len(singles))[alone]
            return Mixing(classes, tuple(one.tolist()), (0.0,) * len(classes)), log_normalise(
                stack.log_likelihood[alone] + stack.log_prior, np.zeros(len(classes))
            )
        story.append(f"A {best} pool lost least on rows held out.")
        return found[best]
    return found[way]


def _crossed(stack: Stack, fold: Array, classes: tuple[Any, ...], matrix: bool) -> tuple[Mixing, Floats]:
    """The mixing that all rows teach, and (rows, classes): what that of the other folds says of each row."""
    whole = learn_mixing(stack, classes, matrix)
    out = np.empty(stack.log_prior.shape)

    def judge(part: int) -> None:
        held = np.flatnonzero(fold == part)
        mixing = learn_mixing(stack.take(np.flatnonzero(fold != part)), classes, matrix, whole)
        out[held] = scores_of(mixing, stack.take(held))

    for _ in in_threads(judge, range(int(fold.max()) + 1)):
        pass
    return whole, log_normalise(out, np.zeros(len(classes)))


def _trial(name: str, log_proba: Floats, stack: Stack, weight: float, seconds: float) -> Trial:
    total = max(float(stack.weights.sum()), np.finfo(float).tiny)
    wrong = log_proba.argmax(axis=1) != stack.codes
    loss = float(stack.weights @ stack.losses(log_proba)) / total
    return Trial(name, loss, float(stack.weights @ wrong) / total, weight, seconds)


def _bytes(model: Model) -> int:
    """How many bytes the counts of a model take."""
    return 8 * sum(size(question, model.schema) for question in model.questions)
