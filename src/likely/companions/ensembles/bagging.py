"""Bagging: learners of a bootstrap sample each, which give their opinions with equal right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from likely.companions.ensembles.foreign_members import ForeignMembers
from likely.companions.ensembles.forest import Forest
from likely.companions.ensembles.learners import Learner
from likely.companions.ensembles.rounds import Rounds
from likely.companions.fitted import ClassModel
from likely.companions.progress import report_rounds
from likely.core.block import Block
from likely.core.numerics import Array, Floats, log
from likely.core.schema import Schema
from likely.core.threads import in_threads
from likely.errors import ModelError
from likely.output.phrases import plural

# Draws a row, and in all: whole weights that ask for more are not numbers of rows
MOST_DRAWS_A_ROW, MOST_DRAWS = 16, 1 << 20
DRAWS_AT_A_TIME = 1 << 16  # draws at a time, if there are not more rows


@dataclass(frozen=True, eq=False)
class Bagged(ClassModel):
    """The average of what the members say, among whom the class shares count as one: no class is ever impossible.

    `training` and `out_of_bag` (members,): the share of errors of the members up to each, on the rows learnt, and on
    those of them that the members asked did not learn from; `opinions` (rows, classes) is what members said of rows
    that they did not learn from, in the end, and `asked` (rows,) how many of them were asked.
    """

    members: Forest | ForeignMembers
    training: Floats
    out_of_bag: Floats
    opinions: Floats
    asked: Array
    wanted: int

    @property
    def prior(self) -> Floats:
        """(classes,): the shares of the classes."""
        return np.asarray(self.rows / self.rows.sum())

    @property
    def deciding(self) -> Floats:
        """(members,): by how much each decides."""
        return np.ones(len(self.members))

    def stages(self, block: Block) -> Iterator[Floats]:
        """(rows, classes) after each member: the average so far. The array is used again."""
        total = np.tile(self.prior, (block.rows, 1))
        out = np.empty_like(total)
        for member in range(len(self.members)):
            total += self.members.shares(member, block)
            yield np.divide(total, member + 2, out=out)

    def proba(self, block: Block, out: Floats) -> Floats:
        out[:] = self.prior
        for member in range(len(self.members)):
            out += self.members.shares(member, block)
        return np.divide(out, len(self.members) + 1, out=out)

    def log_proba(self, block: Block, out: Floats) -> Floats:
        out[:] = log(self.proba(block, out))
        return out

    def terms(self, block: Block) -> Floats:
        """(rows, 1 + features, classes): the log of the average at the roots, then what the columns change.

        The steps of a tree change probabilities, which add up over steps and members. The change of the logarithm is
        shared in proportion, as if all columns spoke at once and evenly (Aumann and Shapley's rule).
        """
        if isinstance(self.members, ForeignMembers):
            hint = "explain models whose members are trees, as is usual"
            raise ModelError("M383", "members that are not trees do not say why", place="explain(X)", hint=hint)
        terms = np.zeros((block.rows, 1 + self.schema.features, len(self.rows)))
        terms[:, 0] = self.prior
        for member in range(len(self.members)):
            terms += self.members.told_shares(member, block)
        terms /= len(self.members) + 1
        before, after = terms[:, 0].copy(), terms.sum(axis=1)
        terms[:, 0] = log(before)
        terms[:, 1:] /= _middle(before, after)[:, None]
        return terms

    def edges(self, column: int) -> Floats:
        return self.members.nodes.thresholds(column) if isinstance(self.members, Forest) else super().edges(column)

    def sound(self) -> bool:
        rounds, classes = len(self.training), len(self.schema.classes)
        if not isinstance(self.members, Forest) or self.members.schema != self.schema or not super().sound():
            return False
        fits = rounds > 0 and self.training.shape == self.out_of_bag.shape == (rounds,)
        fits = fits and self.asked.ndim == 1 and self.opinions.shape == (len(self.asked), classes)
        return fits and len(self.members) == rounds and self.members.sound()

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended it before it had all the members asked for."""
        return len(self.members) < self.wanted

    @property
    def words(self) -> str:
        """How many members there are, and how many rows no member could be asked of."""
        made = len(self.members)
        done = f"{plural(made, 'member')}, as many as asked for"
        if self.interrupted:
            done = f"interrupted after {plural(made, 'member')} of {self.wanted}"
        lone = int((self.asked == 0).sum())
        if not lone:
            return done
        return f"{done}; {plural(lone, 'row')} of {len(self.asked)} in every bag, and so without an out-of-bag error"

    def lines(self) -> tuple[str, ...]:
        return (f"{plural(len(self.members), 'member')}, out-of-bag error {self.out_of_bag[-1]:.4g}",)

    def remarks(self) -> tuple[str, ...]:
        return (self.words,) if self.interrupted else ()

    @property
    def rounds(self) -> Rounds:
        """The table of the members."""
        seen = {"training": self.training, "out_of_bag": self.out_of_bag}
        return Rounds("Bagging", self.words, **seen, interrupted=self.interrupted)


def _middle(one: Floats, other: Floats) -> Floats:
    """The logarithmic mean: the difference of two numbers over that of their logarithms."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = (other - one) / np.log1p((other - one) / one)
    return np.where(np.isclose(one, other, rtol=1e-12, atol=0), one, found)


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Rows to draw from, with replacement, heavier ones more often: `edges` (rows,) sum their weights in `order`.

    The order follows from what the rows hold, so that a seed draws the same rows however they are sorted, and a row of
    weight 2 is drawn as two rows would be: whole weights say how many rows there are. Where they say so of more than
    16 a row, and more than a million in all, they are but weights, and as many are drawn as there are rows.
    """

    order: Array
    edges: Floats
    draws: int

    @classmethod
    def of(cls, block: Block, share: float) -> Bootstrap:
        """As many draws as there are rows, or as whole weights say that there are, times a share."""
        order = np.argsort(_digests(block), kind="stable")
        weights = np.ones(block.rows) if block.weights is None else block.weights
        said = float(weights.sum())
        counts = (weights == np.floor(weights)).all() and (said <= MOST_DRAWS_A_ROW * block.rows or said <= MOST_DRAWS)
        return cls(order, np.cumsum(weights[order]), max(1, round(share * (said if counts else block.rows))))

    def draw(self, seed: int) -> Floats:
        """(rows,): how often each row was drawn."""
        rng, rows = np.random.default_rng(seed), len(self.order)
        times = np.zeros(rows, dtype=np.int64)
        for start in range(0, self.draws, max(rows, DRAWS_AT_A_TIME)):
            places = rng.random(min(max(rows, DRAWS_AT_A_TIME), self.draws - start)) * self.edges[-1]
            at = np.searchsorted(self.edges, places, side="right")
            times += np.bincount(at.clip(max=rows - 1, out=at), minlength=rows)
        out = np.empty(rows)
        out[self.order] = times
        return out


def _digests(block: Block) -> Array:
    """(rows,): a number that follows from the values and the class of a row; other rows hardly ever have the same."""
    assert block.cells is not None, "rows to learn from have classes"
    out = block.cells.astype(np.uint64)
    reals = (np.where(np.isnan(column), np.nan, column + 0.0) for column in block.reals.T)  # 0 and -0 are one value
    for value in chain((column.astype(np.uint64) for column in block.codes.T), (one.view(np.uint64) for one in reals)):
        out = (out ^ value ^ (value >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
        out ^= out >> np.uint64(29)
    return np.asarray(out)


@dataclass
class _Tally:
    """What the members so far say of the rows learnt."""

    cells: Array
    start: Floats
    prior: Floats

    def __post_init__(self) -> None:
        self.all, self.fair = (np.tile(self.prior, (len(self.cells), 1)) for _ in range(2))
        self.asked = np.zeros(len(self.cells), dtype=np.int32)
        self.told: list[tuple[float, float]] = []  # errors: of all members, of those that did not learn the row

    def take(self, said: Floats, drawn: Floats) -> None:
        self.all += said
        out = drawn == 0
        self.fair[out] += said[out]
        self.asked += out
        self.told.append((self._error(self.all, self.start), self._error(self.fair, self.start * (self.asked > 0))))

    def _error(self, votes: Floats, weights: Floats) -> float:
        total = weights.sum()
        return float(weights @ (votes.argmax(axis=1) != self.cells) / total) if total > 0 else np.nan


def bag(schema: Schema, block: Block, learner: Learner, members: int, share: float, seed: int) -> Bagged:
    """Members of a bootstrap each: `share` times as many draws as there are rows. Ctrl-C keeps those so far."""
    assert block.cells is not None, "rows to learn from have classes"
    start = np.ones(block.rows) if block.weights is None else block.weights
    rows = np.bincount(block.cells, start, len(schema.classes)).astype(np.float64)
    tally = _Tally(block.cells, start / start.sum(), rows / rows.sum())
    seeds = np.random.SeedSequence(seed).generate_state(2 * members)
    bootstrap = Bootstrap.of(block, share)

    def work(at: int) -> tuple[Any, Floats, Floats]:
        drawn = bootstrap.draw(int(seeds[2 * at]))
        member = learner.learn(drawn, int(seeds[2 * at + 1] >> 1))
        return member, learner.shares(member), drawn

    made: list[Any] = []
    try:
        for member, said, drawn in in_threads(work, range(members)):
            tally.take(said, drawn)
            made.append(member)
            report_rounds()
    except KeyboardInterrupt:
        if not made:
            raise
    training, fair = np.array(tally.told[: len(made)]).reshape(-1, 2).T.copy()
    opinions = tally.fair / (tally.asked + 1)[:, None]
    return Bagged(schema, rows, learner.together(made), training, fair, opinions, tally.asked, members)
