"""Boosting: weak learners one after another, each on rows weighted by the errors of those before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from likely.companions.ensembles.foreign_members import ForeignMembers
from likely.companions.ensembles.forest import Forest
from likely.companions.ensembles.learners import Learner
from likely.companions.ensembles.rounds import Rounds
from likely.companions.fitted import ClassModel
from likely.companions.progress import report_rounds
from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats, log, log_sum_exp
from likely.core.schema import Schema
from likely.errors import ModelError
from likely.kernels.trees.boosting_round import misjudge, reweigh
from likely.output.phrases import plural

LEAST_EDGE = 1e-12  # of the weight: a learner that beats guessing by less does so by rounding only
SMALLEST_WEIGHT = np.finfo(np.float64).tiny  # rows may be wrong whose weight has vanished
LARGEST_LEARNING_RATE = 1e100  # of a learning rate: sums of such weights are still numbers
ROWS_AVERAGED = 2_000  # rows from which the average is taken that terms are told against
TERM_ROWS_AT_A_TIME, VOTES_AT_A_TIME = 1 << 11, 1 << 24  # rows whose terms are held at a time, and those terms


@dataclass(frozen=True, eq=False)
class Boosted(ClassModel):
    """Members that vote, each with its weight: P(class) is proportional to exp of the weights of its votes.

    `weights` (members,) are ln((1-e)/e) + ln(classes-1), times the learning rate: of two classes twice the alpha of
    the binary algorithm, so that P = 1/(1 + exp(-2F)) for F = sum of alpha times the vote, 1 or -1. An infinite one is
    of a member without error, which decides alone. `errors` and `training` (members,) are those of the rounds, and
    `usual` (1 + features, classes) is what columns say of the average row.
    """

    members: Forest | ForeignMembers
    errors: Floats
    weights: Floats
    training: Floats
    usual: Floats
    binary: bool
    stopped: str  # 'rounds', 'guessing', 'perfect' or 'interrupted'
    asked: int
    failed: float | None = None  # the error of the learner that was no better than guessing

    def stages(self, block: Block) -> Iterator[Floats]:
        """(rows, classes) after each round: the weights of the votes for each class. One array, added to."""
        votes = np.zeros((block.rows, len(self.schema.classes)))
        for member, weight in enumerate(self.weights):
            if np.isinf(weight):
                votes[:], weight = 0.0, self.sure
            votes += weight * self.members.votes(member, block)
            yield votes

    @property
    def sure(self) -> float:
        """The weight by which a member without error decides: odds of rows + 1 to 1, Laplace's rule of succession."""
        return float(np.log((self.rows.sum() + 1) * max(len(self.rows) - 1, 1)))

    @cached_property
    def deciding(self) -> Floats:
        """(members,): the weights by which they decide together, in the end."""
        alone = np.isinf(self.weights)
        return np.where(alone, self.sure, 0.0) if alone.any() else self.weights

    def log_proba(self, block: Block, out: Floats) -> Floats:
        out[:] = 0.0 if len(self.weights) else self.log_prior
        for member, weight in enumerate(self.deciding):
            if weight:
                out += weight * self.members.votes(member, block)
        return np.subtract(out, log_sum_exp(out)[:, None], out=out)

    def terms(self, block: Block) -> Floats:
        """(rows, 1 + features, classes): what is said of the average row, then what each column adds to that."""
        raw = self._raw(block)
        raw[:, 0] += self.usual.sum(axis=0)
        raw[:, 1:] -= self.usual[1:]
        return raw

    def _raw(self, block: Block) -> Floats:
        """(rows, 1 + features, classes): the votes at the roots, then the change at each step, by its column."""
        if isinstance(self.members, ForeignMembers):
            hint = "explain models whose members are trees, such as the stumps that are usual"
            raise ModelError("M383", "members that are not trees do not say why", place="explain(X)", hint=hint)
        raw = np.zeros((block.rows, 1 + self.schema.features, len(self.rows)))
        if not len(self.weights):
            raw[:, 0] = self.log_prior
        for member, weight in enumerate(self.deciding):
            if weight:
                raw += weight * self.members.told_votes(member, block)
        return raw

    def edges(self, column: int) -> Floats:
        return self.members.nodes.thresholds(column) if isinstance(self.members, Forest) else super().edges(column)

    def sound(self) -> bool:
        rounds, classes = len(self.errors), len(self.schema.classes)
        if not isinstance(self.members, Forest) or self.members.schema != self.schema or not super().sound():
            return False
        shapes = self.weights.shape == self.training.shape == self.errors.shape == (rounds,)
        fits = shapes and not np.isnan(self.weights).any() and self.usual.shape == (1 + self.schema.features, classes)
        trees = len(self.members) == rounds and self.members.sound()
        return fits and trees and (self.members.stumps or not self.additive)

    @property
    def bound(self) -> Floats:
        """(members,): what the training error after each round cannot exceed: the product of 2 sqrt(e (1 - e)).

        With more classes, or a learning rate other than 1, each factor is (1-e) exp(-w/2) + e exp(w/2) for weight w,
        and the product may bound nothing: no more than 1 is told.
        """
        alone = np.isinf(self.weights)
        half = np.where(alone, 0.0, self.weights) / 2
        factors = np.logaddexp(log(1 - self.errors) - half, log(self.errors) + half)
        return np.asarray(np.exp(np.minimum(np.cumsum(np.where(alone, -np.inf, factors)), 0.0)))

    @property
    def shown_weights(self) -> Floats:
        """(members,): the weights as the algorithm tells them: alpha."""
        return self.weights / 2 if self.binary else self.weights

    @property
    def words(self) -> str:
        """Why there are no more rounds."""
        done = len(self.weights)
        if self.stopped == "perfect":
            return f"stopped: the learner of round {done} makes no error on the rows learnt, and decides alone"
        if self.stopped == "guessing":
            limit = 1 - 1 / len(self.rows)
            seen = f"its error is {self.failed:.4g}, and guessing has {limit:.4g}"
            rest = f"{plural(done, 'round')} used" if done else "the class shares are all that is known"
            return f"stopped: the learner of round {done + 1} is no better than guessing ({seen}); {rest}"
        if self.stopped == "interrupted":
            return f"interrupted after {plural(done, 'round')} of {self.asked}"
        return f"{plural(done, 'round')}, as many as asked for" if done else "one class only: there is nothing to boost"

    def remarks(self) -> tuple[str, ...]:
        return () if self.stopped == "rounds" else (self.words,)

    def lines(self) -> tuple[str, ...]:
        if not len(self.training):
            return ()
        return (f"{plural(len(self.training), 'round')}, training error {self.training[-1]:.4g}",)

    @property
    def rounds(self) -> Rounds:
        """The table of the rounds."""
        seen = (self.errors, self.shown_weights, self.training, self.bound)
        return Rounds("AdaBoost", self.words, *seen, interrupted=self.stopped == "interrupted")


@dataclass(frozen=True, eq=False)
class BoostedStumps(Boosted):
    """Boosted trees of one split each: what a column says depends on that column alone."""

    additive: ClassVar[bool] = True


@dataclass
class _BoostingRun:
    """The rounds so far: what they found, and what they say together of the rows learnt."""

    cells: Array
    start: Floats
    classes: int
    rate: float

    def __post_init__(self) -> None:
        self.weights = self.start.copy()
        self.logs = log(self.start)
        self.votes = np.zeros((len(self.cells), self.classes))
        self.wrong = np.empty(len(self.cells))
        self.members: list[Any] = []
        self.told: list[tuple[float, float, float]] = []  # error, weight, training error
        self.failed: float | None = None

    def take(self, member: Any, said: Floats) -> str | None:
        """Use a member's votes; why to stop, where that is so."""
        error, worst = misjudge(said, self.cells, self.weights, self.wrong)
        if error >= 1 - 1 / self.classes - LEAST_EDGE:
            self.failed = error
            return "guessing"
        self.members.append(member)
        if worst == 0:
            self.told.append((0.0, np.inf, 0.0))
            return "perfect"
        error = max(error, SMALLEST_WEIGHT)
        weight = min(self.rate, LARGEST_LEARNING_RATE) * (np.log((1 - error) / error) + np.log(self.classes - 1))
        training = reweigh(said, self.cells, self.wrong, weight, self.start, self.votes, self.logs, self.weights)
        self.told.append((error, weight, training))
        return None


def boost(
    schema: Schema, block: Block, learner: Learner, rounds: int, rate: float, binary: bool, seeds: Callable[[], int]
) -> Boosted:
    """Members learnt one after another, until the rounds are done, a learner is perfect or no better than guessing.

    Ctrl-C keeps the rounds so far.
    """
    assert block.cells is not None, "rows to learn from have classes"
    start = np.ones(block.rows) if block.weights is None else block.weights
    run = _BoostingRun(block.cells, start / start.sum(), len(schema.classes), rate)
    stopped = _run(run, learner, rounds, seeds) if len(schema.classes) > 1 else "rounds"
    members = learner.together(run.members)
    kind = BoostedStumps if isinstance(members, Forest) and members.stumps else Boosted
    errors, weights, training = np.array(run.told).reshape(-1, 3).T.copy()
    model = kind(
        schema,
        np.bincount(block.cells, start, len(schema.classes)).astype(np.float64),
        members,
        errors,
        weights,
        training,
        usual=np.zeros((1 + schema.features, len(schema.classes))),
        binary=binary,
        stopped=stopped,
        asked=rounds,
        failed=run.failed,
    )
    return model if isinstance(members, ForeignMembers) else replace(model, usual=_usual(model, block))


def _run(run: _BoostingRun, learner: Learner, rounds: int, seeds: Callable[[], int]) -> str:
    try:
        for _ in range(rounds):
            member = learner.learn(run.weights, seeds())
            why = run.take(member, learner.votes(member))
            report_rounds()
            if why is not None:
                return why
    except KeyboardInterrupt:
        if not run.members:
            raise
        return "interrupted"
    return "rounds"


def _usual(model: Boosted, block: Block) -> Floats:
    """(1 + features, classes): the average over the rows learnt, or over some of many, of what columns say."""
    rows = np.arange(0, block.rows, max(1, block.rows // ROWS_AVERAGED))
    weights = np.ones(len(rows)) if block.weights is None else block.weights[rows]
    total = np.zeros((1 + model.schema.features, len(model.rows)))
    step = min(TERM_ROWS_AT_A_TIME, max(1, VOTES_AT_A_TIME // total.size))
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        total += np.einsum("r,rfk->fk", weights[part], model._raw(block.take(rows[part])))
    total[0] = 0.0  # what is said before any column stays there
    return np.asarray(total / weights.sum())
