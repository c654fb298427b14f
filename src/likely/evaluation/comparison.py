"""What models score on the same folds, and whether the differences are more than chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.errors import OptionError, nearest
from likely.evaluation.differences import CorrectedT, CorrelatedT, SignedRank
from likely.numerics import Floats
from likely.plainly import plainly
from likely.widths import padded, width

MEASURES = ("accuracy", "log_loss", "brier", "auc")
DECISIVE = 0.05  # a p-value below it is called more than chance


@dataclass(frozen=True, eq=False, repr=False)
class Row:
    """One model's scores on every fold of every repeat, (repeats · folds,) each; NaN where a fold has none.

    `auc` is that of the second of two classes, of more the mean over classes against the rest; `method` is how the
    models without each fold were had.
    """

    name: str
    accuracy: Floats
    log_loss: Floats
    brier: Floats
    auc: Floats
    method: str

    def mean(self, measure: str) -> float:
        """The mean of a measure over the folds that have it."""
        values = getattr(self, measure)
        known = values[~np.isnan(values)]
        return float(known.mean()) if len(known) else float("nan")

    @property
    def means(self) -> dict[str, float]:
        return {measure: self.mean(measure) for measure in MEASURES}

    def to_dict(self) -> dict[str, Any]:
        folds = {measure: getattr(self, measure) for measure in MEASURES}
        page = {"name": self.name, "method": self.method, "means": self.means, "folds": folds}
        return plainly(page)  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Pair:
    """The first model minus the second: corrected t tests, and who is more accurate by more than the rope.

    `bayes` is the correlated t test of the accuracies, made for folds. `signed_rank` is of the mean of each fold over
    the repeats: it takes these as independent though they share rows, so it is too sure; where the two differ, believe
    `bayes`. A test is None where its measure is not finite on some fold.
    """

    first: str
    second: str
    accuracy: CorrectedT | None
    log_loss: CorrectedT | None
    bayes: CorrelatedT | None
    signed_rank: SignedRank | None

    def to_dict(self) -> dict[str, Any]:
        tests = {name: getattr(self, name) for name in ("accuracy", "log_loss", "bayes", "signed_rank")}
        written = {name: None if test is None else test.to_dict() for name, test in tests.items()}
        return {"first": self.first, "second": self.second, **written}


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """What each model scores, the name of the one with the least mean log loss, and every two of them compared.

    Where every log loss is infinite the best is the most accurate; `notes` name classes that some folds left unlearnt.
    """

    rows: tuple[Row, ...]
    best: str
    pairs: tuple[Pair, ...]
    folds: int
    repeats: int
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Row:
        for row in self.rows:
            if row.name == name:
                return row
        names = [row.name for row in self.rows]
        hint = f"the models are {', '.join(map(repr, names))}.{nearest(name, names)}"
        raise OptionError("O358", f"no model {name!r} was compared", place="comparison[name]", hint=hint)

    @property
    def words(self) -> str:
        """A sentence or two: which model is best, and which are as good as far as these rows can tell."""
        met = [pair for pair in self.pairs if self.best in (pair.first, pair.second)]
        beaten = [_other(pair, self.best) for pair in met if pair.log_loss and pair.log_loss.p_value < DECISIVE]
        open_ = [_other(pair, self.best) for pair in met if pair.log_loss and pair.log_loss.p_value >= DECISIVE]
        unknown = [_other(pair, self.best) for pair in met if pair.log_loss is None]
        sentences = [self._lead()]
        if beaten:
            sentences.append(f"The difference from {_listed(beaten)} is more than the folds' spread.")
        if open_:
            sentences.append(f"The difference from {_listed(open_)} may be chance.")
        if unknown:
            sentences.append(f"No test against {_listed(unknown)}: some log losses are infinite.")
        return " ".join([*sentences, *self.notes])

    def _lead(self) -> str:
        best, folds = self[self.best], self.repeats * self.folds
        least, accuracy = best.mean("log_loss"), best.mean("accuracy")
        if not np.isfinite(least):
            who = "The log loss" if len(self.rows) == 1 else "Every log loss"
            most = "" if len(self.rows) == 1 else "the most accurate, "
            return f"{who} is infinite over {folds} folds; {self.best!r} is {most}right on {accuracy:.1%} of the rows."
        if len(self.rows) == 1:
            return f"{self.best!r} has a log loss of {least:.4f}, over {folds} folds."
        return f"{self.best!r} has the least log loss, {least:.4f}, over {folds} folds."

    def plot(self, **options: Any) -> Any:
        """A matplotlib Figure of the scores over the folds."""
        from likely import plots

        return plots.comparison(self, **options)

    def to_dict(self) -> dict[str, Any]:
        return {
            "best": self.best,
            "folds": self.folds,
            "repeats": self.repeats,
            "rows": [row.to_dict() for row in self.rows],
            "pairs": [pair.to_dict() for pair in self.pairs],
            "notes": list(self.notes),
            "words": self.words,
        }

    def __repr__(self) -> str:
        wide = max(width("model"), *(width(row.name) for row in self.rows))
        lines = [f"{padded('model', wide)}  accuracy  log loss     Brier       AUC"]
        lines += [
            padded(row.name, wide) + "".join(f"  {value:8.4f}" for value in row.means.values()) for row in self.rows
        ]
        return "\n".join([*lines, self.words])


def _other(pair: Pair, name: str) -> str:
    return pair.second if pair.first == name else pair.first


def _listed(names: list[str]) -> str:
    return ", ".join(map(repr, names[:-1])) + (" and " if len(names) > 1 else "") + repr(names[-1])
