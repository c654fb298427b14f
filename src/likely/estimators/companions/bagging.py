"""Bagging: trees of a bootstrap sample each, whose opinions are averaged."""

from __future__ import annotations

import warnings
from dataclasses import KW_ONLY, field
from typing import Annotated, Any

from sklearn.utils import check_random_state

from likely.companions.ensembles.bagging import Bagged, bag
from likely.core.numerics import Floats, log
from likely.errors import outside
from likely.estimators.companions.decision_tree import DecisionTree
from likely.estimators.companions.ensemble import Ensemble
from likely.estimators.companions.table_in_memory import TableInMemory
from likely.estimators.face.options import Limits, ShownType, declared
from likely.estimators.face.shared_options import Kinds, Members, MissingInTrees, RandomState


@declared
class Bagging(Ensemble):
    """Bootstrap aggregating: members of a bootstrap of the rows each, whose probabilities are averaged.

    Each member learns from as many rows as there are (`max_samples` times as many), drawn with replacement; heavier
    rows are drawn more often. Whole weights are rows repeated, as long as they sum to no more than 16 a row or a
    million in all; others say only how often a row is drawn. About a third of the rows is left out each time, and what
    the members say of rows that they did not see is an out-of-bag error for free: `oob_error_`. The class shares count
    as one more member, so that no class is ever impossible.

    The same `random_state` gives the same model, however many threads there are.

    Examples
    --------
    >>> import likely
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], ["a", "a", "a", "b", "b", "b"]
    >>> model = likely.Bagging(n_estimators=20, random_state=0).fit(X, y)
    >>> model.predict([[0.5], [4.5]]).tolist()
    ['a', 'b']
    """

    model_: Bagged = field(init=False)
    estimator: Annotated[
        Any,
        ShownType("classifier or None"),
        "The learner: by default a DecisionTree grown in full, all from one sorting of the rows, in threads; any other"
        " classifier sees the rows as a table.",
    ] = None
    _: KW_ONLY
    n_estimators: Members = 100
    max_samples: Annotated[
        float,
        Limits("O646", "say which share of the rows to draw for each member: above 0, and at most 1", above=0, most=1),
        "The share of the rows that is drawn for each member.",
    ] = 1.0
    kinds: Kinds = "auto"
    missing: MissingInTrees = "ignore"
    random_state: RandomState = None

    def _usual(self) -> DecisionTree:
        return DecisionTree(smoothing=0.0)

    def _learn(self, rows: TableInMemory) -> Bagged:
        members = int(self.n_estimators)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        learner = self._learner(rows, threads=1)  # threads take members instead
        self._refuse_large(rows, learner)
        model = bag(rows.schema, rows.block, learner, members, float(self.max_samples), seed)
        if len(model.members) < members:
            warnings.warn(model.words, UserWarning, stacklevel=outside())
        return model

    @property
    def oob_error_(self) -> float:
        """The share of errors on rows by the members that did not see them; NaN where every member saw every row."""
        self._refuse_unfitted()
        return float(self.model_.out_of_bag[-1])

    @property
    def oob_proba_(self) -> Floats:
        """(rows, classes): what the members that did not see a row of the training rows say of it."""
        self._refuse_unfitted()
        return self.model_.opinions

    def _logs(self, said: Floats) -> Floats:
        return log(said)
