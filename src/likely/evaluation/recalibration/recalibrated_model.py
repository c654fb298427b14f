"""A model whose probabilities go through maps: it predicts, decides, explains and is saved like the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats, log, log_sum_exp
from likely.core.schema import plain
from likely.data.targets.probabilities import read_proba
from likely.decisions import decide
from likely.errors import ModelError
from likely.evaluation.curves.calibration import Calibration
from likely.evaluation.importance import feature_importance
from likely.evaluation.log_odds import log_odds, log_share
from likely.evaluation.recalibration.maps import MAPS, BetaMap, Isotonic, Platt, Temperature
from likely.evaluation.rows.evaluation_rows import log_probabilities
from likely.kernels.scoring.posteriors import log_normalise
from likely.models.files.field_types import damaged
from likely.models.priors import log_prior, read_priors
from likely.output.draw import draw
from likely.output.frames import FrameResult
from likely.output.jsonable import to_jsonable

NEVER = {
    "partial_fit": "its maps know the old rows only",
    "forget": "its maps remember all rows",
    "merge": "maps do not add",
}
SHARES_OF_ROWS = ("empirical", "smoothed")  # priors that are the shares of the rows
STANDARD_ERRORS_OF_CHANCE = 2.0  # standard errors: a smaller difference may be chance

Maps = tuple[Platt | Isotonic | BetaMap | Temperature, ...]


class BentError(ModelError, AttributeError):
    """A recalibrated model is asked for what only the model inside it can do (code M309)."""


@dataclass(frozen=True, eq=False, repr=False)
class Recalibrated(FrameResult):
    """A fitted model whose log probabilities go through maps; it predicts, decides, explains and is saved like a model.

    Of two classes one map serves the second; of more each class has one against the rest, and the shares are
    normalised; a temperature serves all at once. What the maps say holds where the classes have the `shares` (classes,)
    of the rows that taught them; under other `priors` (classes,) the odds are moved by the ratio, after the maps.
    `before` and `after` are the log losses on rows that neither the model
    nor the map had seen, `error` is the standard error of their difference, row by row, and `curves` is how well they
    were calibrated; `source` says where their predictions are from.

    >>> import likely
    >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
    >>> better = likely.evaluation.recalibrate(likely.NaiveBayes().fit(X, y), X, y, "temperature")
    >>> better.method
    'temperature'
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
    shares: Floats
    priors: Floats

    @property
    def moved(self) -> bool:
        """Whether its class priors are others than the shares of the rows that taught the maps."""
        return not np.array_equal(self.priors, self.shares)

    @property
    def unbent(self) -> Any:
        """The model before the maps, under the same class priors."""
        return self.model.with_priors(self.priors.tolist()) if self.moved else self.model

    def with_priors(self, priors: Any) -> Recalibrated:
        """The same maps under other class priors, such as {'ill': 0.01, 'well': 0.99}; None: as the rows had them.

        >>> import likely
        >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
        >>> better = likely.evaluation.recalibrate(likely.NaiveBayes().fit(X, y), X, y, "temperature")
        >>> better.with_priors({"a": 0.9, "b": 0.1}).predict([[3.0]]).tolist()
        ['a']
        """
        classes = tuple(plain(level) for level in self.classes_)
        read = read_priors(priors, "mle", classes)
        if read in SHARES_OF_ROWS:
            return replace(self, priors=self.shares)
        said = np.exp(log_prior(read, self.shares, classes, 0.0))
        unseen = [level for level, share, prior in zip(classes, self.shares, said, strict=True) if prior and not share]
        if unseen:
            what = f"no row of class {unseen[0]!r} taught the maps, so that its prior cannot be moved"
            raise ModelError("M311", what, place="priors=", hint="recalibrate on rows of every class")
        return replace(self, priors=said)

    def bend(self, log_proba: Floats) -> Floats:
        """(rows, classes): log probabilities of the model, sent through the maps and moved to the class priors.

        >>> import likely
        >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
        >>> better = likely.evaluation.recalibrate(likely.NaiveBayes().fit(X, y), X, y, "temperature")
        >>> bent = better.bend(better.model.predict_log_proba(X))
        >>> bool((bent == better.predict_log_proba(X)).all())
        True
        """
        said = mapped(self.maps, log_proba)
        if not self.moved:
            return said
        there = self.shares > 0
        said[:, there] += log(self.priors[there]) - log(self.shares[there])
        return log_normalise(said, log(self.priors))

    def predict_log_proba(self, X: Any) -> Floats:
        """(rows, classes): log probabilities.

        >>> import likely
        >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
        >>> better = likely.evaluation.recalibrate(likely.NaiveBayes().fit(X, y), X, y, "temperature")
        >>> better.predict_log_proba(X).shape
        (8, 2)
        """
        return self.bend(log_probabilities(self.model, X))

    def predict_proba(self, X: Any) -> Floats:
        """(rows, classes): probabilities, in the order of classes_.

        >>> import likely
        >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
        >>> better = likely.evaluation.recalibrate(likely.NaiveBayes().fit(X, y), X, y, "temperature")
        >>> better.predict_proba(X).shape
        (8, 2)
        """
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Any) -> Array:
        """(rows,): the likeliest class of each row.

        >>> import likely
        >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
        >>> better = likely.evaluation.recalibrate(likely.NaiveBayes().fit(X, y), X, y, "temperature")
        >>> better.predict([[1.0], [6.0]]).tolist()
        ['a', 'b']
        """
        return np.asarray(self.classes_[self.predict_log_proba(X).argmax(axis=1)])

    def decide(self, X: Any, loss: Any = None, reject: float | None = None) -> Array:
        """(rows,): the action of least expected loss under the new probabilities; None where abstaining is cheaper.

        >>> import likely
        >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
        >>> better = likely.evaluation.recalibrate(likely.NaiveBayes().fit(X, y), X, y, "temperature")
        >>> better.decide([[1.0], [6.0]]).tolist()
        ['a', 'b']
        """
        return decide(self.predict_proba(X), self.classes_, loss, reject)

    def explain(self, X: Any) -> Any:
        """The terms of the model's own prediction, before the maps: what they say is bent, why they say it is not.

        >>> import likely
        >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
        >>> better = likely.evaluation.recalibrate(likely.NaiveBayes().fit(X, y), X, y, "temperature")
        >>> better.explain(X).names
        ('prior', 'x0')
        """
        return self.unbent.explain(X)

    def feature_importance(self, X: Any, y: Any, **options: Any) -> Any:
        """By how much the loss of these rows rises where a column is shuffled: likely.evaluation.feature_importance.

        >>> import likely
        >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
        >>> better = likely.evaluation.recalibrate(likely.NaiveBayes().fit(X, y), X, y, "temperature")
        >>> better.feature_importance(X, y).names
        ('x0',)
        """
        return feature_importance(self, X, y, **options)

    def save(self, path: Any) -> None:
        """Write the model and its maps to a file that `likely.load` reads.

        >>> import likely
        >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
        >>> better = likely.evaluation.recalibrate(likely.NaiveBayes().fit(X, y), X, y, "temperature")
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     better.save(f"{folder}/better.likely")
        ...     likely.load(f"{folder}/better.likely").method
        'temperature'
        """
        self.model.save(path, recalibration=self.to_dict())

    @classmethod
    def from_dict(cls, model: Any, page: Mapping[str, Any]) -> Recalibrated:
        """The model with the maps that `to_dict` wrote down.

        >>> import likely
        >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
        >>> better = likely.evaluation.recalibrate(likely.NaiveBayes().fit(X, y), X, y, "temperature")
        >>> again = likely.evaluation.Recalibrated.from_dict(better.model, better.to_dict())
        >>> bool((again.predict_proba(X) == better.predict_proba(X)).all())
        True
        """
        maps = tuple(MAPS[page["method"]].from_dict(one) for one in page["maps"])
        classes = len(model.classes_)
        if len(maps) != (1 if classes == 2 or page["method"] == Temperature.name else classes):
            raise damaged("its recalibration has other classes than its model")
        curves = {name: Calibration.from_dict(curve) for name, curve in page["curves"].items()}
        losses = {name: float(page[name]) for name in ("before", "after", "error")}
        shares, priors = (_read_shares(page[name], len(model.classes_)) for name in ("shares", "priors"))
        return cls(
            model,
            page["method"],
            maps,
            np.asarray(model.classes_),
            **losses,
            source=page["source"],
            curves=curves,
            shares=shares,
            priors=priors,
        )

    def __getattr__(self, name: str) -> Any:
        """What a recalibrated model cannot do, in words."""
        if name in NEVER:
            hint = "learn with its .model, and recalibrate that again"
            raise BentError("M309", f"a recalibrated model cannot {name}: {NEVER[name]}", place=f"{name}()", hint=hint)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @property
    def better(self) -> bool:
        """Whether the maps make unseen rows' log loss smaller, by more than chance."""
        return self.after < self.before - STANDARD_ERRORS_OF_CHANCE * self.error

    @property
    def worse(self) -> bool:
        """Whether the maps make unseen rows' log loss larger, by more than chance."""
        return self.after > self.before + STANDARD_ERRORS_OF_CHANCE * self.error

    @property
    def finding(self) -> str:
        """What was seen."""
        shares = ", with the classes in their shares," if self.moved else ""
        seen = f"On rows not seen ({self.source}){shares} the log loss goes from {self.before:.4f} to {self.after:.4f}."
        if self.better:
            return f"{seen} By that measure the new probabilities are better"
        return f"{seen} {'It gets worse' if self.worse else 'The difference may be chance'}"

    @property
    def words(self) -> str:
        """What was seen, and what to do."""
        advice = "; plot() shows where" if self.better else ": keep the model as it is, or try another method"
        return f"{self.finding}{advice}."

    def plot(self, **options: Any) -> Any:
        """A matplotlib Figure: the calibration of unseen rows before and after.

        >>> import likely
        >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
        >>> better = likely.evaluation.recalibrate(likely.NaiveBayes().fit(X, y), X, y, "temperature")
        >>> figure = better.plot()
        >>> figure.axes[0].get_legend_handles_labels()[1]
        ['perfect', 'before (0.282, 0.992)', 'after (0.478, 0.989)']
        """
        return draw("calibration", dict(self.curves), **options)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON.

        >>> import likely
        >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
        >>> better = likely.evaluation.recalibrate(likely.NaiveBayes().fit(X, y), X, y, "temperature")
        >>> better.to_dict()["method"]
        'temperature'
        """
        return to_jsonable(  # type: ignore[no-any-return]
            {
                "method": self.method,
                "classes": self.classes_,
                "maps": [one.to_dict() for one in self.maps],
                "before": self.before,
                "after": self.after,
                "error": self.error,
                "source": self.source,
                "shares": self.shares,
                "priors": self.priors,
                "words": self.words,
                "curves": {name: curve.to_dict() for name, curve in self.curves.items()},
            }
        )

    def __repr__(self) -> str:
        return f"Recalibrated({type(self.model).__name__}, method={self.method!r})\n{self.words}"


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


def _read_shares(said: Any, classes: int) -> Floats:
    """(classes,): shares that a file holds."""
    return np.asarray(read_proba([said], classes)[0])
