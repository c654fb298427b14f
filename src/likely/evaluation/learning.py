"""What a learning curve shows: the losses as the rows grow, and what they mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.evaluation.differences import corrected_t
from likely.evaluation.folds import never_learnt
from likely.numerics import Array, Floats
from likely.plainly import plainly
from likely.schema import Level

MATTERS = 0.1  # of what guessing costs: smaller gaps are nothing to act on
CHANCE = 0.1  # two-sided, so that a gap of the expected sign is chance in one of twenty


@dataclass(frozen=True, eq=False, repr=False)
class LearningCurve:
    """sizes (sizes,), and the loss of models of so many rows: training and held_out (sizes, folds).

    `reference` (folds,) is the held-out loss of a random forest on the same folds, `floor` the least mean loss that the
    model or the forest reached on held-out rows, and `guess` the loss of always forecasting the class shares.
    `unlearnt` are the classes that some fold held out whole, which makes its log loss infinite: such folds have no part
    in the verdict; `impossible` are the other held-out rows that the largest models gave probability 0.
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

    @property
    def folds(self) -> int:
        return len(self.reference)

    @property
    def verdict(self) -> str:
        """'over-fitting', 'under-fitting' or 'fine', of the models that learnt from the most rows.

        Over-fitting: the held-out loss is above the training loss, and that makes up half or more of what separates it
        from the reference. Under-fitting: the reference does better on held-out rows, mostly for another reason. Both
        only where the folds agree (corrected t test) and the gap is over a tenth of what guessing costs. A model worse
        than guessing is never fine where the reference is better than that.
        """
        gap, behind = self._gaps()
        if self._endless:
            return "over-fitting"
        if self._matters(gap) and gap.mean() >= behind.mean() / 2:
            return "over-fitting"
        return "under-fitting" if self._matters(behind) or self._beaten_by_guessing else "fine"

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
        held, forest = self.held_out[-1][self._judged].mean(), self.reference[self._judged].mean()
        return bool(held > self.guess > forest / (1 - MATTERS))

    def _gaps(self) -> tuple[Floats, Floats]:
        """(folds judged,) each: how far the held-out loss is above the training loss, and above the reference."""
        judged = self._judged
        held, learnt, forest = self.held_out[-1][judged], self.training[-1][judged], self.reference[judged]
        out = np.full((2, len(held)), np.inf)
        for other, gaps in zip((learnt, forest), out, strict=True):
            np.subtract(held, other, out=gaps, where=np.isfinite(held) & np.isfinite(other))
        return out[0], out[1]

    def _matters(self, gaps: Floats, share: float = MATTERS) -> bool:
        if len(gaps) < 2 or not np.isfinite(gaps).all() or gaps.mean() <= share * self.guess:
            return False
        return corrected_t(gaps, 1 / self.folds).p_value < CHANCE

    @property
    def still_falling(self) -> bool:
        """Whether the last step to more rows lowered the held-out loss by more than chance."""
        last = self.held_out[-2:][:, self._judged]
        if len(last) < 2 or not np.isfinite(last).all():
            return False
        return self._matters(last[0] - last[1], MATTERS / 10)

    @property
    def words(self) -> str:
        """What was seen, and what to do."""
        return " ".join([self._words(), *([never_learnt(self.unlearnt)] if self.unlearnt else [])])

    def _words(self) -> str:
        judged = self._judged
        learnt, held, forest = (
            float(losses[judged].mean()) for losses in (self.training[-1], self.held_out[-1], self.reference)
        )
        seen = f"with {self.sizes[-1]} rows the {self.loss} loss is {learnt:.3f} on those rows and {held:.3f} on others"
        more = " More rows would still help." if self.still_falling else ""
        if self._endless:
            return "Over-fitting: some held-out rows were given probability 0, an infinite loss. Use more smoothing."
        if not np.isfinite(held):
            return "No verdict: every fold has an infinite loss."
        if self.verdict == "over-fitting":
            return f"Over-fitting: {seen}. Use more rows, fewer columns or more smoothing.{more}"
        if self.verdict == "under-fitting":
            return (
                f"Under-fitting: {seen}, where a random forest reaches {forest:.3f}: the columns tell more than the "
                f"model can say. Let columns depend on each other, choose other kinds, or recalibrate.{more}"
            )
        little = (
            ""
            if self.floor < (1 - MATTERS) * self.guess
            else f" But guessing costs {self.guess:.3f}: the columns tell little."
        )
        return f"Fine: {seen}, and a random forest ({forest:.3f}) is not clearly better.{little}{more}"

    def plot(self, **options: Any) -> Any:
        """A matplotlib Figure of both curves with the spread of the folds."""
        from likely import plots

        return plots.learning_curve(self, **options)

    def to_dict(self) -> dict[str, Any]:
        names: tuple[str, ...] = (
            "sizes",
            "training",
            "held_out",
            "loss",
            "floor",
            "reference",
            "guess",
            "unlearnt",
            "impossible",
        )
        names += ("verdict", "words")
        return plainly({name: getattr(self, name) for name in names})  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        lines = [f"{'rows':>8}  training  held out   ({self.loss} loss, means of {self.folds} folds)"]
        pairs = zip(self.sizes, self.training.mean(axis=1), self.held_out.mean(axis=1), strict=True)
        return "\n".join([*lines, *(f"{size:>8}  {near:8.4f}  {far:8.4f}" for size, near, far in pairs), self.words])
