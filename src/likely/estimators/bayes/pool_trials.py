"""How a pool comes about: each model is tried on rows held out, fitted to all rows, and weighed with the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

import numpy as np

from likely.companions.progress import report_rounds
from likely.core.block import Block
from likely.core.numerics import Array, Floats
from likely.core.recoding import recoded
from likely.core.threads import in_threads
from likely.errors import LikelyError
from likely.errors.options import TOO_LARGE
from likely.estimators.bayes.encoded_rows import EncodedRows, SettledRows
from likely.estimators.bayes.pool_candidates import MOST_PAIRED_COLUMNS, Candidate
from likely.evaluation.folds.fold_assignment import deal
from likely.evaluation.stacking import LEAST_WEIGHT, MOST_MATRIX_ENTRIES, Stack, learn_mixing, scores_of
from likely.families.predictor import own_weights
from likely.kernels.scoring.posteriors import log_normalise
from likely.models import Model
from likely.models.pool import HeldOutRows, Mixing, Trial
from likely.output.phrases import memory_size, plural
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
                told = self._try(replace(candidate, most_bytes=self.budget.memory) if self.tried else candidate)
            except LikelyError as error:
                if candidate is candidates[-1] and not self.tried:
                    raise
                why = "was left out" if error.code == TOO_LARGE else "could not be fitted"
                self.story.append(f"{candidate.name} {why}: {error.message}.")
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
            self.story.append(f"{candidate.name} takes {memory_size(_bytes(model))}, beyond the budget.")
            return None
        return Tried(candidate, out, model, self.clock() - start)

    def _judge(self, candidate: Candidate, folds: Sequence[int], out: Floats) -> None:
        """out (rows, classes) gets what the model says of the rows of some folds that the other folds taught it."""

        def judge(part: int) -> None:
            held = np.flatnonzero(self.fold == part)
            model = candidate.fit(self.sample.take(np.flatnonzero(self.fold != part)))
            block = replace(self.sample.take(held).block, cells=None)  # of which some may be of no class that it learnt
            seen = recoded(block, self.sample.schema, model.schema)
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
    """(rows,): the fold of each row in which models are tried; none where nothing tells models apart.

    Rows that are alike stay in one fold, so that a row twice is a row of weight 2, and none is judged by its twin.
    """
    assert rows.block.cells is not None, "rows to learn have classes"
    kind = _kinds_of_rows(rows.block)
    first = np.unique(kind, return_index=True)[1]
    if not told or len(first) < LEAST_ROWS_TRIED or len(rows.schema.classes) < 2:
        return np.zeros(0, dtype=np.int64)
    many = len(first) < ROWS_OF_FEW_FOLDS and len(rows.schema.columns) <= MOST_PAIRED_COLUMNS
    folds = MANY_FOLDS if many else FEW_FOLDS
    return deal(rows.block.cells[first], folds, seed)[kind]


def _kinds_of_rows(block: Block) -> Array:
    """(rows,): a number that rows share if they are alike, whatever the order in which they come."""
    columns = [block.cells, *block.codes.T, *np.nan_to_num(block.reals, nan=np.inf).T]
    for bag in block.bags:
        worth = np.random.default_rng(0).random(int(bag.indices.max(initial=0)) + 1)
        of = np.repeat(np.arange(block.rows), np.diff(bag.indptr))
        columns.append(np.bincount(of, worth[bag.indices] * bag.data, block.rows))
    table = np.column_stack([np.asarray(column, dtype=np.float64) for column in columns])
    return np.asarray(np.unique(table, axis=0, return_inverse=True)[1]).reshape(-1)


@dataclass(frozen=True, eq=False)
class Pooled:
    """The models that are kept, how they are weighed, and what was seen."""

    tried: tuple[Tried, ...]
    mixing: Mixing
    trials: tuple[Trial, ...]
    story: tuple[str, ...]
    held_out: HeldOutRows | None = None


def pool(trials: Trials, way: str) -> Pooled:
    """The models tried, weighed together; those that weigh nothing are left out."""
    story = list(trials.story)
    tried, classes = _possible(trials, story), tuple(trials.sample.schema.classes)
    many = len(tried)
    if not len(trials.fold):
        even = Mixing(classes, (1.0 / many,) * many, (0.0,) * len(classes))
        why = "too few" if trials.sample.rows < LEAST_ROWS_TRIED else "nothing"
        story.append(
            f"{plural(trials.sample.rows, 'row')}: {why} to tell models apart by; {tried[0].candidate.name} is taken."
        )
        unjudged = tuple(Trial(one.candidate.name, 0.0, 0.0, 1.0 / many, one.seconds, False) for one in tried)
        return Pooled(tried, even, unjudged, tuple(story))
    stack = _stack(trials, tried)
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
    return Pooled(tuple(tried[at] for at in kept), smaller, tuple(ranked), tuple(story), _held_out(stack, said, trials))


def _held_out(stack: Stack, said: Floats, trials: Trials) -> HeldOutRows:
    """What the pool said, under the shares of the classes, of the rows whose classes other folds had."""
    at = np.flatnonzero(stack.weights > 0)
    weights = stack.weights[at]
    mass = np.bincount(stack.codes, own_weights(trials.sample.block)[1], said.shape[1]) + 1.0
    usual = np.log(mass / mass.sum())
    whole = log_normalise(said[at] - stack.log_prior[at] + usual, np.zeros(said.shape[1]))
    every = trials.sample is trials.whole or trials.sample.rows == trials.whole.rows
    weighed = None if (weights == 1).all() else weights
    return HeldOutRows(stack.codes[at], whole, weighed, usual, trials.fold[at], every and len(at) == len(said))


def _learnt(trials: Trials) -> Array:
    """(rows,): whether other folds had rows of the row's class."""
    own, weights = own_weights(trials.sample.block)
    mass = np.zeros((int(trials.fold.max()) + 1, len(trials.sample.schema.classes)))
    np.add.at(mass, (trials.fold, own), weights)
    return np.asarray((mass.sum(axis=0) - mass > 0)[trials.fold, own])


def _possible(trials: Trials, story: list[str]) -> tuple[Tried, ...]:
    """The models that held nothing impossible that came about; all of them if none did."""
    if not len(trials.fold):
        return tuple(trials.tried)
    own, weights = own_weights(trials.sample.block)
    asked = _learnt(trials) & (weights > 0)
    found = []
    for one in trials.tried:
        wrong = int((~np.isfinite(one.log_likelihood[np.arange(len(own)), own]) & asked).sum())
        if wrong:
            story.append(f"{one.candidate.name} held {plural(wrong, 'row')} impossible that came about: left out.")
        else:
            found.append(one)
    return tuple(found or trials.tried)


def _stack(trials: Trials, tried: Sequence[Tried]) -> Stack:
    """What the models said of rows held out; a row of a class that its fold had not learnt counts for nothing.

    A class that is impossible for a model is next to impossible here: it is the class of no row that counts.
    """
    own, weights = own_weights(trials.sample.block)
    said = np.stack([one.log_likelihood for one in tried])
    known = _learnt(trials) & np.isfinite(said[:, np.arange(len(own)), own]).all(axis=0)
    least = np.where(np.isfinite(said), said, np.inf).min(axis=2, keepdims=True)
    said = np.where(np.isfinite(said), said, np.where(np.isfinite(least), least, 0.0) - np.log(len(own) + 1.0))
    mass = np.zeros((int(trials.fold.max()) + 1, said.shape[2]))
    np.add.at(mass, (trials.fold, own), weights)
    rest = mass.sum(axis=0) - mass + 1.0  # of the other folds, smoothed like everything else
    log_prior = np.log(rest / rest.sum(axis=1, keepdims=True))[trials.fold]
    return Stack(np.where(known[:, None], said, 0.0), log_prior, np.asarray(own), np.where(known, weights, 0.0))


def _chosen(stack: Stack, fold: Array, classes: tuple[Any, ...], way: str, story: list[str]) -> tuple[Mixing, Floats]:
    """How the models are weighed, and (rows, classes) log probabilities that weights learnt on other folds give."""
    plain = _crossed(stack, fold, classes, False)
    if way == "log-linear":
        return plain
    if len(stack.log_likelihood) * len(classes) ** 2 > MOST_MATRIX_ENTRIES:
        story.append("The multinomial pool was not tried: models times classes squared are too many to learn.")
        return plain
    multinomial = _crossed(stack, fold, classes, True)
    sure = _errors_better(stack.losses(plain[1]) - stack.losses(multinomial[1]), stack.weights) > 1
    taken, by = ("multinomial", "less") if sure else ("log-linear", "not clearly more")
    story.append(f"The {taken} pool was taken: it lost {by} than the other one on rows held out.")
    return multinomial if sure else plain


def _errors_better(gained: Floats, weights: Floats) -> float:
    """How many standard errors the mean of what each row gains is above zero."""
    total = max(float(weights.sum()), np.finfo(float).tiny)
    mean = weights @ gained / total
    error = np.sqrt(weights @ (gained - mean) ** 2) / total
    return float(mean / error) if error > 0 else 0.0


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
