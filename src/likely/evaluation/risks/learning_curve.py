"""Learning curves: the loss on rows learnt from and on rows held out, as the rows grow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.deprecated import old_attribute
from likely.core.numerics import Array, Floats
from likely.core.schema import Level
from likely.errors import OptionError
from likely.evaluation.comparisons.significance import corrected_t
from likely.evaluation.folds.cross_validation import never_learnt
from likely.evaluation.folds.fold_assignment import deal
from likely.evaluation.risks.reference import forest, numbers
from likely.evaluation.rows.evaluation_rows import Judged, Labelled, read_judged, read_loss_of
from likely.output.draw import Drawn
from likely.output.jsonable import Written

SIZES = 8
MATTERS = 0.1  # of what guessing costs: smaller gaps are nothing to act on
SIGNIFICANCE = 0.1  # two-sided, so that a gap of the expected sign is chance in one of twenty
ALIKE = 3  # folds that say the same may do so by chance
# What helps whatever the model: first one of classes, then of regression.
ADVICE = (
    {
        "over-fitting": "Use more rows, fewer columns or more smoothing.",
        "under-fitting": "Let columns depend on each other, choose other kinds, or recalibrate.",
    },
    {
        "over-fitting": "Use more rows, fewer columns or a stronger penalty.",
        "under-fitting": "Add powers and products of columns, or use a tree.",
    },
)


@dataclass(frozen=True, eq=False, repr=False)
class LearningCurve(Written, Drawn):
    """sizes (sizes,), and the loss of models of so many rows: training and held_out (sizes, folds).

    `reference` (folds,) is the held-out loss of a random forest on the same folds, `floor` the least mean loss that the
    model or the forest reached on held-out rows, and `guess` the loss of always predicting the class shares, or the
    mean of the target (the median under absolute loss).
    `unlearnt` are the classes that some fold held out whole, which makes its log loss infinite: such folds have no part
    in the verdict; `impossible` are the other held-out rows that the largest models gave probability 0.

    >>> import likely
    >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
    >>> model = likely.NaiveBayes().fit(X, y)
    >>> likely.evaluation.learning_curve(model, X, y, sizes=[2, 4], folds=2).sizes
    array([2, 4])
    """

    sizes: Array
    training: Floats
    held_out: Floats
    loss: str
    floor: float
    reference: Floats
    guess: float
    unlearnt: tuple[Level, ...] = ()
    impossible: int = 0
    _picture = "learning_curve"

    @property
    def folds(self) -> int:
        return len(self.reference)

    @property
    def verdict(self) -> str:
        """'over-fitting', 'under-fitting' or 'fine', of the models that learnt from the most rows.

        Over-fitting: the held-out loss is above the training loss, and that makes up half or more of what separates it
        from the reference. Under-fitting: the reference does better on held-out rows, mostly for another reason. Both
        only where the folds agree (corrected t test; of regression, also where every fold says so) and the gap is over
        a tenth of what guessing costs. A model worse than guessing is never fine where the reference is better than
        that.
        """
        if self._endless:
            return "over-fitting"
        learnt, held, forest = self._last
        beaten, mostly = self._beaten_by_guessing, self._mostly_gap
        if mostly and (beaten or self._matters(held, learnt)):
            return "over-fitting"
        return "under-fitting" if beaten or self._matters(held, forest) else "fine"

    @property
    def _mostly_gap(self) -> bool:
        """Whether the step from training to held-out loss is half or more of what separates that from the reference."""
        learnt, held, forest = self.risks
        return bool(np.isfinite(held) and held - learnt >= (held - forest) / 2)

    @property
    def _endless(self) -> bool:
        """Whether the loss is infinite for another reason than that a class was never learnt."""
        return bool(self.impossible) or (not self.unlearnt and bool(np.isinf(self.held_out[-1]).any()))

    @property
    def _judged(self) -> Array:
        """(folds,): those that the verdict rests on; all where none is finite."""
        finite = np.isfinite(self.held_out[-1]) & np.isfinite(self.reference)
        return np.asarray(finite if finite.any() and not self._endless else np.ones(self.folds, dtype=bool))

    @property
    def _beaten_by_guessing(self) -> bool:
        _, held, forest = self.risks
        return bool(held > self.guess > forest / (1 - MATTERS))

    @property
    def _last(self) -> tuple[Floats, Floats, Floats]:
        """(folds judged,) each: the losses of models of the most rows, on those rows and on others; the reference."""
        judged = self._judged
        return self.training[-1][judged], self.held_out[-1][judged], self.reference[judged]

    def _matters(self, above: Floats, below: Floats, share: float = MATTERS) -> bool:
        """Whether losses are above others by more than a share of what guessing costs, and the folds agree on it."""
        finite = np.isfinite(above).all() and np.isfinite(below).all()
        if len(above) < 2 or not finite or (above - below).mean() <= share * self.guess:
            return False
        # One fold may be off by any amount, and a t test then doubts what all folds say.
        agreed = self.regression and len(above) > ALIKE and bool((above > below).all())
        return agreed or corrected_t(above - below, 1 / self.folds).p_value < SIGNIFICANCE

    @property
    def lucky(self) -> bool:
        """Whether a fine model was better on held-out rows than on those learnt from, by more than chance."""
        return self.verdict == "fine" and self._matters(*self._last[:2])

    @property
    def unsure(self) -> bool:
        """Whether a fine model may not be: its expected risk is larger than another, but the folds disagree on it."""
        learnt, held, forest = self.risks
        larger = np.isfinite(held) and held - min(learnt, forest) > MATTERS * self.guess
        return bool(larger) and self.verdict == "fine"

    @property
    def risks(self) -> tuple[float, float, float]:
        """The mean loss of the models of the most rows, on those rows and on others, and that of the reference."""
        learnt, held, forest = (float(losses.mean()) for losses in self._last)
        return learnt, held, forest

    @property
    def still_falling(self) -> bool:
        """Whether the last step to more rows lowered the held-out loss by more than chance."""
        last = self.held_out[-2:][:, self._judged]
        return len(last) > 1 and self._matters(last[0], last[1], MATTERS / 10)

    @property
    def words(self) -> str:
        """What was seen, and what to do."""
        more = "More rows would still help." if self.still_falling else ""
        never = never_learnt(self.unlearnt) if self.unlearnt else ""
        return " ".join(filter(None, [self.finding, self._advice, more, never]))

    @property
    def finding(self) -> str:
        """What was seen."""
        learnt, held, forest = self.risks
        told, most = self.told, self.sizes[-1]
        seen = f"with {most} rows the {self.loss} loss is {told(learnt)} on those rows and {told(held)} on others"
        if self._endless:
            return "Over-fitting: some held-out rows were given probability 0, an infinite loss."
        if not np.isfinite(held):
            return "No verdict: every fold has an infinite loss."
        if self.verdict == "over-fitting":
            leading = held < min(forest, self.guess)
            return f"Over-fitting: {seen}.{f' Yet a random forest ({told(forest)}) does no better.' if leading else ''}"
        if self.verdict == "under-fitting":
            reached = f"where a random forest reaches {told(forest)}: the columns tell more than the model can say"
            return f"Under-fitting: {seen}, {reached}."
        little = f" But guessing costs {told(self.guess)}: the columns tell little."
        empty = self.floor >= (1 - MATTERS) * self.guess
        return f"Fine: {seen}, and a random forest ({told(forest)}) is not clearly better.{little if empty else ''}"

    @property
    def _advice(self) -> str:
        """What to do, whatever the model."""
        if self._endless:
            return "Use more smoothing."
        return ADVICE[self.regression].get(self.verdict, "") if np.isfinite(self.risks[1]) else ""

    @property
    def regression(self) -> bool:
        """Whether the losses are those of regression, not of classes."""
        return self.loss in ("squared", "absolute")

    amounts = old_attribute("amounts", "regression")

    def told(self, risk: float) -> str:
        """A mean loss in words: losses of regression can be of any size.

        >>> import likely
        >>> X, y = [[value] for value in [1.0, 2.0, 1.5, 2.5, 5.0, 6.0, 5.5, 6.5]], list("aaaabbbb")
        >>> curve = likely.evaluation.learning_curve(likely.NaiveBayes(), X, y, sizes=[4], folds=2)
        >>> curve.told(0.123456)
        '0.123'
        """
        return f"{risk:.4g}" if self.regression else f"{risk:.3f}"

    def to_dict(self) -> dict[str, Any]:
        """The losses, the verdict and what it means, as plain data.

        >>> import likely
        >>> X, y = [[value] for value in [1.0, 2.0, 1.5, 2.5, 5.0, 6.0, 5.5, 6.5]], list("aaaabbbb")
        >>> curve = likely.evaluation.learning_curve(likely.NaiveBayes(), X, y, sizes=[4], folds=2)
        >>> curve.to_dict()["verdict"]
        'fine'
        """
        return {**super().to_dict(), "verdict": self.verdict, "words": self.words}

    def __repr__(self) -> str:
        lines = [f"{'rows':>8}  training  held out   ({self.loss} loss, means of {self.folds} folds)"]
        pairs = zip(self.sizes, self.training.mean(axis=1), self.held_out.mean(axis=1), strict=True)
        form = "8.4g" if self.regression else "8.4f"
        lines += [f"{size:>8}  {near:{form}}  {far:{form}}" for size, near, far in pairs]
        return "\n".join([*lines, self.words])


def learning_curve(
    model: Any,
    X: Any,
    y: Any,
    sizes: Sequence[int] | None = None,
    folds: Any = 5,
    seed: int = 0,
    loss: str | None = None,
    tick: Callable[[], object] | None = None,
    weights: Any = None,
) -> LearningCurve:
    """The loss of copies of the model that learnt from more and more rows, on those rows and on a fold held out.

    `loss` is "log" (unless said), "zero-one" or "brier" of a classifier, "squared" or "absolute" of a regressor.
    `sizes` are numbers of rows, by default eight, each about as many times the one before; the rows of a size are among
    those of the next, and every class has one from the start. `folds` is their number, or (rows,) the fold of each row.
    `tick` is called (sizes + 1) · folds times.

    >>> import likely
    >>> X, y = [[value] for value in [1.0, 2.0, 1.5, 2.5, 5.0, 6.0, 5.5, 6.5]], list("aaaabbbb")
    >>> learning_curve(likely.NaiveBayes(), X, y, sizes=[4, 6], folds=4).held_out.shape
    (2, 4)
    """
    rows = read_judged(model, X, y, weights)
    loss = read_loss_of(rows, loss)
    fold = deal(rows.codes, folds, seed)
    if rows.weights is not None:  # a row of weight 0 is not there
        fold, rows = np.unique(fold[rows.weights > 0], return_inverse=True)[1], rows.weighty()
    count = int(fold.max()) + 1
    most = int(len(rows) - np.bincount(fold).max())
    wanted = _sizes(sizes, rows, most)
    table, rng = numbers(rows.X), np.random.default_rng(seed)
    training, held_out = np.empty((2, len(wanted), count))
    reference, impossible, unlearnt = np.empty(count), 0, set[int]()
    for part in range(count):
        order, held = _nested(rows.codes, np.flatnonzero(fold != part), rng), np.flatnonzero(fold == part)
        far = rows.take(held)
        known = np.isin(far.codes, rows.codes[order])
        unlearnt.update(far.codes[~known].tolist())
        for at, size in enumerate(wanted):
            near = rows.take(order[:size])
            learnt = near.teach(model)
            said = far.ask(learnt)
            training[at, part], held_out[at, part] = near.risk(near.ask(learnt), loss), far.risk(said, loss)
            if tick is not None:
                tick()
        if loss == "log":
            impossible += int(np.isneginf(said[np.arange(len(held)), far.codes])[known].sum())
        reference[part] = far.risk(forest(table, rows, order[:most], held, seed), loss)
        if tick is not None:
            tick()
    met = np.isfinite(reference) if np.isfinite(reference).any() else slice(None)  # the folds that leave no class out
    floor = min(float(held_out[:, met].mean(axis=1).min()), float(reference[met].mean()))
    levels = tuple(rows.classes[code] for code in sorted(unlearnt)) if isinstance(rows, Labelled) else ()
    return LearningCurve(
        np.array(wanted), training, held_out, loss, floor, reference, rows.guess(loss), levels, impossible
    )


def _sizes(sizes: Sequence[int] | None, rows: Judged, most: int) -> list[int]:
    least = len(rows.classes) if isinstance(rows, Labelled) else 1
    if sizes is None:
        low = min(max(2 * least, 10), most)
        return sorted({round(size) for size in np.geomspace(low, most, SIZES)})
    given = list(sizes) if isinstance(sizes, Iterable) else []
    wanted = sorted({int(size) for size in given if isinstance(size, int | np.integer)})
    whole = all(isinstance(size, int | np.integer) for size in given)
    if not wanted or not whole or wanted[0] < least or wanted[-1] > most:
        each = ", one for each class," if isinstance(rows, Labelled) else ""
        hint = f"say numbers of rows from {least}{each} to {most}, what a fold leaves"
        raise OptionError("O357", f"sizes cannot be {sizes!r}", place="sizes=", hint=hint)
    return wanted


def _nested(codes: Array, kept: Array, rng: np.random.Generator) -> Array:
    """The kept rows in an order whose every beginning has the classes about as all of them, and one of each first."""
    order = rng.permutation(kept)
    rank = np.empty(len(order))
    for code in np.unique(codes[order]):
        mine = np.flatnonzero(codes[order] == code)
        rank[mine] = (np.arange(len(mine)) + rng.random()) / len(mine)
        rank[mine[0]] -= 1.0  # before all that are not the first of their class
    return np.asarray(order[np.argsort(rank, kind="stable")])
