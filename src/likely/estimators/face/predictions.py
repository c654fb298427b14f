"""What every classifier answers from the model that it holds: classes, probabilities, decisions and reasons."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np

from likely.core.block import Block, decode
from likely.core.numerics import Array, Floats
from likely.core.schema import Schema
from likely.core.state import still
from likely.data import score
from likely.decisions import decide
from likely.estimators.face.fitted_model import FittedModel
from likely.estimators.face.rows import fitted_now

if TYPE_CHECKING:
    from likely.explanations import Explanation

ROWS_EXPLAINED_AT_A_TIME = 1 << 11  # rows whose terms are reckoned at a time


class PredictionMethods(FittedModel):
    """Methods that every classifier has."""

    classes_: Annotated[Array, "ndarray", "(classes,): the classes, sorted."]

    def _hold(self, model: Any, **more: Any) -> Self:
        model.log_prior  # noqa: B018  computed now: priors that do not fit the classes are named before anything changes
        return super()._hold(model, **more, classes_=_labels(model.schema, getattr(self, "_dtype", None)))

    def _score(self, X: Any, work: Callable[[Block, Floats], object], width: int | None = None) -> Floats:
        return score(self._rows(X), self.model_.schema, width or len(self.classes_), work)

    def predict_proba(self, X: Any) -> Floats:
        """(rows, classes): posterior probabilities, in the order of classes_.

        Examples
        --------
        >>> import likely
        >>> model = likely.NaiveBayes().fit([[1.0], [2.0], [4.0], [5.0]], ["a", "a", "b", "b"])
        >>> model.predict_proba([[2.9], [4.5]]).round(3).tolist()
        [[0.562, 0.438], [0.056, 0.944]]
        """
        self = fitted_now(self)
        return self._score(X, self.model_.proba)

    def predict_log_proba(self, X: Any) -> Floats:
        """(rows, classes): log posterior probabilities.

        Examples
        --------
        >>> import likely
        >>> model = likely.NaiveBayes().fit([[1.0], [2.0], [4.0], [5.0]], ["a", "a", "b", "b"])
        >>> model.predict_log_proba([[2.9], [4.5]]).round(3).tolist()
        [[-0.577, -0.824], [-2.875, -0.058]]
        """
        self = fitted_now(self)
        return self._score(X, self.model_.log_proba)

    def log_likelihood(self, X: Any) -> Floats:
        """(rows, classes): log P(row | class): what the row itself says, whatever the class priors.

        Examples
        --------
        >>> import likely
        >>> model = likely.NaiveBayes().fit([[1.0], [2.0], [4.0], [5.0]], ["a", "a", "b", "b"])
        >>> rare = model.with_priors({"a": 0.999, "b": 0.001})
        >>> bool((rare.log_likelihood([[3.7]]) == model.log_likelihood([[3.7]])).all())
        True
        """
        self = fitted_now(self)
        return self._score(X, self.model_.log_likelihood)

    def predict(self, X: Any) -> Array:
        """(rows,): the likeliest class of each row.

        Examples
        --------
        >>> import likely
        >>> model = likely.NaiveBayes().fit([[1.0], [2.0], [4.0], [5.0]], ["a", "a", "b", "b"])
        >>> model.predict([[2.9], [4.5]]).tolist()
        ['a', 'b']
        """
        self = fitted_now(self)
        model = self.model_

        def work(block: Block, out: Floats) -> None:
            out[:, 0] = model.likeliest(block)

        return np.asarray(self.classes_[self._score(X, work, 1)[:, 0].astype(np.intp)])

    def decide(self, X: Any, loss: Any = None, reject: float | None = None) -> Array:
        """(rows,): the action of least expected loss; None where abstaining, at the cost `reject`, is cheaper.

        Examples
        --------
        >>> import likely
        >>> model = likely.NaiveBayes().fit([[1.0], [2.0], [4.0], [5.0]], ["a", "a", "b", "b"])
        >>> model.decide([[1.2], [3.1]], loss={("a", "b"): 1.0, ("b", "a"): 10.0}).tolist()
        ['a', 'b']
        >>> model.decide([[1.2], [3.1]], reject=0.1).tolist()
        ['a', None]
        """
        self = still(self)
        return decide(self.predict_proba(X), self.classes_, loss, reject)

    def explain(self, X: Any) -> Explanation:
        """The terms of each row's prediction: the log prior, then the log predictive of each column, for each class.

        Examples
        --------
        >>> import likely
        >>> model = likely.NaiveBayes().fit([[1.0], [2.0], [4.0], [5.0]], ["a", "a", "b", "b"])
        >>> model.explain([[1.2]]).log_odds("a", "b").round(3).tolist()
        [[0.0, 2.98]]
        """
        from likely.explanations import Explanation  # late: not needed to learn or to predict

        self = still(self)
        source, model = self._rows(X), self.model_
        parts = [task() for task in source.tasks(model.schema, False, ROWS_EXPLAINED_AT_A_TIME)]
        terms = np.concatenate([model.terms(block) for block in parts])
        classes, target = tuple(model.schema.classes), model.schema.target.name
        if model.schema.columns and model.schema.columns[0].wide:
            names = ("prior", *map(str, model.schema.columns[0].levels))
            return Explanation(terms, names, classes, target=target)
        values = np.concatenate([decode(block, model.schema) for block in parts])
        given = [said for block in parts if (said := model.given(block)) is not None]
        names = ("prior", *(column.name for column in model.schema.columns))
        return Explanation(terms, names, classes, values, np.concatenate(given) if given else None, target)


def _labels(schema: Schema, dtype: Any) -> Array:
    """The classes as an array of the type they were given in, where that still holds them all."""
    natural = np.array(list(schema.classes))
    if dtype is None or np.dtype(dtype).kind not in "ifubO":
        return natural
    try:
        typed = np.array(list(schema.classes), dtype=dtype)
    except (OverflowError, ValueError):
        return natural
    return typed if (typed == natural).all() else natural
