"""AdaBoost: weak learners one after another, each minding the rows that those before it got wrong."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import KW_ONLY, field
from typing import Annotated, Any, Literal

import numpy as np
from sklearn.utils import check_random_state

from likely.companions.ensembles.boosting import Boosted, boost
from likely.companions.ensembles.foreign_members import takes_weights
from likely.companions.fitted import Shifted
from likely.core.numerics import Floats
from likely.core.state import still
from likely.data.targets.label_codes import read_codes
from likely.errors import OptionError, outside
from likely.errors.advice import Advice, Option
from likely.estimators.companions.decision_tree import DecisionTree
from likely.estimators.companions.ensemble import Ensemble
from likely.estimators.companions.table_in_memory import TableInMemory
from likely.estimators.face.options import Limits, ShownType, declared
from likely.estimators.face.rows import fitted_now
from likely.estimators.face.shared_options import Kinds, Members, MissingInTrees, RandomState


@declared
class AdaBoost(Ensemble):
    """Adaptive boosting: the binary algorithm, and SAMME for more classes.

    Each round learns from rows weighted by the errors of the rounds before it. A learner of weighted error e votes with
    the weight 1/2 ln((1-e)/e), and the rows that it gets wrong weigh more from then on; with `algorithm="samme"`, which
    more than two classes need, the weight is ln((1-e)/e) + ln(classes-1). A learner that is no better than guessing is
    not used and ends it; one without error decides alone and ends it: `stopped_` says so.

    Rows with missing values are voted on in parts.

    Examples
    --------
    >>> import likely
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], ["a", "a", "b", "b", "a", "a"]
    >>> model = likely.AdaBoost(n_estimators=3).fit(X, y)
    >>> model.predict(X).tolist()
    ['a', 'a', 'b', 'b', 'a', 'a']
    >>> model.rounds_
     round   error  weight  training error   bound
         1  0.3333  0.3466          0.3333  0.9428
         2  0.2500  0.5493          0.3333  0.8165
         3  0.1667  0.8047          0.0000  0.6086
    3 rounds, as many as asked for
    """

    model_: Boosted = field(init=False)
    estimator: Annotated[
        Any,
        ShownType("classifier or None"),
        "The weak learner: by default a tree of one split (a stump). A DecisionTree shares one sorting of the rows over"
        " all rounds; any other classifier whose fit takes weights sees the rows as a table.",
    ] = None
    _: KW_ONLY
    n_estimators: Annotated[Members, "The most rounds."] = 50
    learning_rate: Annotated[
        float,
        Limits("O642", "say a number above 0; 1 is the algorithm as it is, less needs more rounds", above=0),
        "What multiplies the weights of the votes.",
    ] = 1.0
    algorithm: Annotated[
        Literal["auto", "binary", "samme"],
        Limits("O643", spelling=str.lower),
        "'binary' for two classes, 'samme' for any number of them; 'auto' takes the one that fits.",
    ] = "auto"
    kinds: Kinds = "auto"
    missing: MissingInTrees = "ignore"
    random_state: RandomState = None

    def _usual(self) -> DecisionTree:
        return DecisionTree(max_depth=1)

    def _learn(self, rows: TableInMemory) -> Boosted:
        binary = self._binary(len(rows.schema.classes))
        if self.estimator is not None and hasattr(self.estimator, "fit") and not takes_weights(self.estimator):
            hint = "boosting weighs the rows; give a learner whose fit takes sample_weight, or use Bagging"
            name = type(self.estimator).__name__
            raise OptionError("O645", f"{name} takes no weights", place="estimator=", hint=hint)
        random = check_random_state(self.random_state)
        learner = self._learner(rows)
        self._refuse_large(rows, learner)
        model = boost(
            rows.schema,
            rows.block,
            learner,
            int(self.n_estimators),
            float(self.learning_rate),
            binary,
            lambda: int(random.randint(2**31 - 1)),
        )
        if model.stopped == "interrupted" or (model.stopped == "guessing" and not len(model.members)):
            warnings.warn(model.words, UserWarning, stacklevel=outside())
        return model

    def _binary(self, classes: int) -> bool:
        said = self.algorithm.lower()
        if said == "binary" and classes > 2:
            hint = Advice("say ", Option("algorithm", "samme"), ", or leave it out")
            raise OptionError(
                "O647", f"the binary algorithm cannot tell {classes} classes apart", place="algorithm=", hint=hint
            )
        return said != "samme" and classes <= 2

    @property
    def estimator_errors_(self) -> Floats:
        """(rounds,): the weighted error of each round's learner."""
        self._refuse_unfitted()
        return self.model_.errors

    @property
    def estimator_weights_(self) -> Floats:
        """(rounds,): the weight of each round's votes, alpha; infinite where a learner without error decides alone."""
        self._refuse_unfitted()
        return self.model_.shown_weights

    @property
    def stopped_(self) -> str:
        """Why there are no more rounds."""
        self._refuse_unfitted()
        return self.model_.words

    def decision_function(self, X: Any) -> Floats:
        """(rows,) of two classes: F, the sum of weights times votes, above 0 for the second; else (rows, classes).

        Of more classes: the weights of the votes for each, less their mean. Other priors (`with_priors`) change the
        probabilities and the predicted classes, not the votes.

        Examples
        --------
        >>> import likely
        >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], ["a", "a", "b", "b", "a", "a"]
        >>> model = likely.AdaBoost(n_estimators=3).fit(X, y)
        >>> model.decision_function([[0.5], [2.5]]).round(3).tolist()
        [-0.091, 1.007]
        """
        self = still(self)
        return self._decision(self._votes(X))

    def _votes(self, X: Any) -> Floats:
        """(rows, classes): the weights of the votes for each class, up to a number of each row."""
        self._refuse_unfitted()
        model = self.model_
        return self._score(X, model.judge.log_proba if isinstance(model, Shifted) else model.log_proba)

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """The decision function after each round.

        Examples
        --------
        >>> import likely
        >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], ["a", "a", "b", "b", "a", "a"]
        >>> model = likely.AdaBoost(n_estimators=3).fit(X, y)
        >>> [stage.round(2).tolist() for stage in model.staged_decision_function([[2.5]])]
        [[-0.35], [0.2], [1.01]]
        """
        self = fitted_now(self)
        for votes in self._together(X):
            yield self._decision(votes)

    def _decision(self, votes: Floats) -> Floats:
        if votes.shape[1] > 2:
            return np.asarray(votes - votes.mean(axis=1, keepdims=True))
        return np.asarray((votes[:, -1] - votes[:, 0]) / (2 if self.model_.binary else 1))

    def margins(self, X: Any, y: Any) -> Floats:
        """(rows,) from -1 to 1: how far the votes for a row's class are above those for any other, as a share of all.

        Boosting goes on to widen them when no row is wrong any more, which is why it can still get better then. Of the
        votes alone, whatever the priors.

        Examples
        --------
        >>> import likely
        >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], ["a", "a", "b", "b", "a", "a"]
        >>> model = likely.AdaBoost(n_estimators=3).fit(X, y)
        >>> model.margins(X, y).round(2).tolist()
        [0.05, 0.05, 0.59, 0.59, 0.35, 0.35]
        """
        self = still(self)
        votes = self._votes(X)
        codes = read_codes(y, tuple(self.model_.schema.classes))
        if not len(self.model_.members):
            return np.zeros(len(codes))
        mine = votes[np.arange(len(codes)), codes]
        votes[np.arange(len(codes)), codes] = -np.inf
        return np.asarray((mine - votes.max(axis=1)) / self.model_.deciding.sum())

    def _logs(self, said: Floats) -> Floats:
        return said
