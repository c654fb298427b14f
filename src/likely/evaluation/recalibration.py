"""Better calibrated probabilities: maps learnt from what the model says of rows that it has not seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.decisions import decide
from likely.errors import OptionError, nearest
from likely.evaluation.calibration import Calibration, calibration_of
from likely.evaluation.dealing import deal
from likely.evaluation.folds import validate
from likely.evaluation.forecasts import Forecasts
from likely.evaluation.labelled import Labelled, log_probabilities, read_fitted, refuse_model
from likely.evaluation.maps import MAPS, BetaMap, Isotonic, Platt, Temperature
from likely.evaluation.odds import log_odds, log_share
from likely.evaluation.scores import log_loss_of
from likely.numerics import Array, Floats, log_sum_exp
from likely.plainly import plainly

CHANCE = 2.0  # standard errors: a smaller difference may be chance
FOLDS = 5  # in which maps are judged on rows that they were not learnt from

Maps = tuple[Platt | Isotonic | BetaMap | Temperature, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Recalibrated:
    """A fitted model whose log probabilities go through maps; it predicts, decides, explains and is saved like a model.

    Of two classes one map serves the second; of more each class has one against the rest, and the shares are
    normalised; a temperature serves all at once. `before` and `after` are the log losses on rows that neither the model
    nor the map had seen, `error` is the standard error of their difference, row by row, and `curves` is how well they
    were calibrated; `source` says where their forecasts are from.
    """

    model: Any
    method: str
    maps: Maps
    classes_: Array
    before: float
    after: float
    error: float
    source: str
    curves: Mapping[str, Calibration]

    def predict_log_proba(self, X: Any) -> Floats:
        """(rows, classes): log probabilities."""
        return mapped(self.maps, log_probabilities(self.model, X))

    def predict_proba(self, X: Any) -> Floats:
        """(rows, classes): probabilities, in the order of classes_."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Any) -> Array:
        """(rows,): the likeliest class of each row."""
        return np.asarray(self.classes_[self.predict_log_proba(X).argmax(axis=1)])

    def decide(self, X: Any, loss: Any = None, reject: float | None = None) -> Array:
        """(rows,): the action of least expected loss under the new probabilities; None where abstaining is cheaper."""
        return decide(self.predict_proba(X), self.classes_, loss, reject)

    def explain(self, X: Any) -> Any:
        """The terms of the model's own prediction, before the maps: what they say is bent, why they say it is not."""
        return self.model.explain(X)

    def save(self, path: Any) -> None:
        """Write the model and its maps to a file that `likely.load` reads."""
        self.model.save(path, recalibration=self.to_dict())

    @classmethod
    def from_dict(cls, model: Any, page: Mapping[str, Any]) -> Recalibrated:
        """The model with the maps that `to_dict` wrote down."""
        maps = tuple(MAPS[page["method"]].from_dict(one) for one in page["maps"])
        curves = {name: Calibration.from_dict(curve) for name, curve in page["curves"].items()}
        losses = {name: float(page[name]) for name in ("before", "after", "error")}
        return cls(
            model, page["method"], maps, np.asarray(model.classes_), **losses, source=page["source"], curves=curves
        )

    @property
    def better(self) -> bool:
        """Whether the maps make unseen rows' log loss smaller, by more than chance."""
        return self.after < self.before - CHANCE * self.error

    @property
    def worse(self) -> bool:
        """Whether the maps make unseen rows' log loss larger, by more than chance."""
        return self.after > self.before + CHANCE * self.error

    @property
    def words(self) -> str:
        change = f"On rows not seen ({self.source}) the log loss goes from {self.before:.4f} to {self.after:.4f}."
        if self.better:
            return f"{change} By that measure the new probabilities are better; plot() shows where."
        seen = "It gets worse" if self.worse else "The difference may be chance"
        return f"{change} {seen}: keep the model as it is, or try another method."

    def plot(self, **options: Any) -> Any:
        """A matplotlib Figure: the calibration of unseen rows before and after."""
        from likely import plots

        return plots.calibration(dict(self.curves), **options)

    def to_dict(self) -> dict[str, Any]:
        return plainly(  # type: ignore[no-any-return]
            {
                "method": self.method,
                "classes": self.classes_,
                "maps": [one.to_dict() for one in self.maps],
                "before": self.before,
                "after": self.after,
                "error": self.error,
                "source": self.source,
                "words": self.words,
                "curves": {name: curve.to_dict() for name, curve in self.curves.items()},
            }
        )

    def __repr__(self) -> str:
        return f"Recalibrated({type(self.model).__name__}, method={self.method!r})\n{self.words}"


def recalibrate(model: Any, X: Any, y: Any, method: str = "platt", weights: Any = None) -> Recalibrated:
    """A fitted model with better calibrated probabilities, learnt from the rows that it was fitted on.

    `method` is "platt", "isotonic", "beta" or "temperature" (see `likely.evaluation.maps`). The maps are learnt from
    the model's exact leave-one-out forecasts, or from ten-fold cross-validation where it has none, or where they leave
    no chance at all to something that happened.

    >>> import likely
    >>> X, y = [[1.0], [2.0], [3.0], [2.5], [3.5], [4.5]], ["a", "a", "a", "b", "b", "b"]
    >>> better = recalibrate(likely.NaiveBayes().fit(X, y), X, y, method="temperature")
    >>> better.predict([[1.0], [4.0]]).tolist()
    ['a', 'b']
    """
    if not isinstance(method, str) or method not in MAPS:
        hint = f"choose one of {', '.join(map(repr, MAPS))}.{nearest(method, MAPS)}"
        raise OptionError("O347", f"unknown method {method!r}", place="method=", hint=hint)
    rows = Labelled.read(X, y, weights).under(read_fitted(model)).weighty()
    if len(rows.classes) < 2:
        hint = "there is nothing to calibrate: fit the model on rows of two classes or more"
        raise OptionError("O349", "the model knows one class only", place="model", hint=hint)
    said, source = _unseen(model, rows)
    after = np.empty_like(said)
    fold = deal(rows.codes, min(FOLDS, len(rows)), 0)
    for part in range(int(fold.max()) + 1):
        kept, held = np.flatnonzero(fold != part), np.flatnonzero(fold == part)
        after[held] = mapped(_learnt(method, said[kept], rows.take(kept)), said[held])
    forecasts = {name: _forecasts(rows, logs) for name, logs in (("before", said), ("after", after))}
    losses = {name: log_loss_of(one) for name, one in forecasts.items()}
    curves = {name: calibration_of(one) for name, one in forecasts.items()}
    maps = _learnt(method, said, rows)
    error = _error(forecasts["after"].log_truth - forecasts["before"].log_truth, rows.weights)
    return Recalibrated(
        model, method, maps, np.asarray(model.classes_), **losses, error=error, source=source, curves=curves
    )


def _unseen(model: Any, rows: Labelled) -> tuple[Floats, str]:
    """(rows, classes): log probabilities of rows by models that have not seen them, and how they were had."""
    if hasattr(model, "leave_one_out"):
        weighing = {} if rows.weights is None else {"sample_weight": rows.weights}
        said = model.leave_one_out(rows.X, rows.y, log=True, **weighing)
        if np.isfinite(said).all():
            return said, "leave-one-out"
    refuse_model(model)
    found = validate(model, rows, deal(rows.codes, min(10, len(rows)), 0))
    return found.log_proba, f"{found.folds}-fold cross-validation"


def _error(differences: Floats, weights: Floats | None) -> float:
    """The standard error of the mean of differences (rows,); 0 where one is infinite, which is no matter of chance."""
    if not np.isfinite(differences).all():
        return 0.0
    each = np.ones(len(differences)) if weights is None else weights
    shares = each / each.sum()
    return float(np.sqrt(np.sum((shares * (differences - shares @ differences)) ** 2)))


def _forecasts(rows: Labelled, log_proba: Floats) -> Forecasts:
    return Forecasts(rows.codes, np.exp(log_proba), rows.classes, rows.weights, log_proba)


def _learnt(method: str, log_proba: Floats, rows: Labelled) -> Maps:
    """The maps that a method learns: one for two classes, or for all of them; else one for each."""
    kind = MAPS[method]
    if kind is Temperature:
        return (kind.fit(log_proba, rows.codes, rows.weights),)
    odds = log_odds(log_proba)
    served = [1] if len(rows.classes) == 2 else range(len(rows.classes))
    return tuple(kind.fit(odds[:, at], rows.codes == at, rows.weights) for at in served)


def mapped(maps: Sequence[Any], log_proba: Floats) -> Floats:
    """(rows, classes): log probabilities, sent through the maps and normalised."""
    if isinstance(maps[0], Temperature):
        return maps[0].apply(log_proba)
    odds = log_odds(log_proba)
    if len(maps) == 1:
        better = maps[0].apply(odds[:, 1])
        return np.column_stack([log_share(-better), log_share(better)])
    shares = np.column_stack([log_share(one.apply(odds[:, at])) for at, one in enumerate(maps)])
    return shares - log_sum_exp(shares)[:, None]
