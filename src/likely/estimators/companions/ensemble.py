"""What boosting and bagging share as estimators: how their members are learnt, and answers after each round."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone, is_regressor

from likely.companions.ensembles.bagging import Bagged
from likely.companions.ensembles.boosting import Boosted
from likely.companions.ensembles.foreign_members import ForeignMembers
from likely.companions.ensembles.learners import ForeignLearner, Grower, Learner
from likely.companions.ensembles.rounds import Rounds
from likely.companions.fitted import Shifted
from likely.companions.trees.gains import Gains
from likely.companions.trees.growth_options import CLASS_CRITERIA
from likely.companions.trees.predictions import TreeClassModel
from likely.companions.trees.tree import Tree
from likely.core.numerics import Array, Floats
from likely.core.state import still
from likely.data.blocks import ANY_ROWS
from likely.errors import ModelError, OptionError
from likely.estimators.companions.classifier import CompanionClassifier
from likely.estimators.companions.decision_tree import DecisionTree
from likely.estimators.companions.table_in_memory import TableInMemory
from likely.estimators.face.options import check_options
from likely.estimators.face.rows import fitted_now
from likely.kernels.scoring.posteriors import log_normalise
from likely.output.draw import draw

MOST_BYTES_OF_MEMBERS = 1 << 32  # bytes that members and votes may take
USUAL = "such as DecisionTree(max_depth=2)"


class Ensemble(CompanionClassifier):
    """Methods of classifiers that are made of many."""

    estimator: Any
    n_estimators: int
    random_state: Any
    model_: Boosted | Bagged

    @abstractmethod
    def _usual(self) -> DecisionTree:
        """The learner where none is named."""

    @abstractmethod
    def _logs(self, said: Floats) -> Floats:
        """(rows, classes): log probabilities, up to a number of each row, of what the model says after a round."""

    def _stages(self, X: Any) -> Iterator[Floats]:
        """(rows, classes) after each round: the probabilities, under the priors that hold."""
        model = self.model_
        shift = model.shift if isinstance(model, Shifted) else 0.0
        for said in self._together(X):
            yield np.exp(log_normalise(self._logs(said) + shift, model.log_prior))

    def _together(self, X: Any) -> Iterator[Floats]:
        """(rows, classes) after each round: what the model says of all rows up to it."""
        schema = self.model_.schema
        blocks = [task() for task in self._rows(X).tasks(schema, False, ANY_ROWS)]
        for parts in zip(*map(self.model_.stages, blocks), strict=True):
            yield parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _learner(self, rows: TableInMemory, threads: int | None = None) -> Learner:
        """How members are learnt from these rows: trees share one sorting, others see a table."""
        one = self._one()
        if not _grown(one):
            return ForeignLearner.of(rows.schema, rows.block, one)
        check_options(one)
        self._refuse_own_reading(one)
        growth = replace(one._growth(CLASS_CRITERIA, "RegressionTree"), missing=self.missing)
        return Grower.of(rows.schema, rows.block, growth, float(one.smoothing), threads)

    def _refuse_large(self, rows: TableInMemory, learner: Learner) -> None:
        """An error if members and votes would not fit: every node, and every row twice, has a number for each class.

        A tree that tells the classes apart has a leaf for each of them, as far as it may be deep.
        """
        classes, members, nodes = len(rows.schema.classes), int(self.n_estimators), 0
        if isinstance(learner, Grower):  # what others hold is theirs
            leaves, depth = min(classes, rows.block.rows), learner.growth.max_depth
            nodes = members * (2 * min(leaves, leaves if depth is None else 2 ** min(depth, 60)) - 1)
        need = 8 * classes * (nodes + 2 * rows.block.rows)
        if need > MOST_BYTES_OF_MEMBERS:
            hint = "say fewer of n_estimators=, or DecisionTree(max_depth=...); take fewer rows; or join rare classes"
            what = f"{members} members of {classes:,} classes take {need / 2**30:.0f} GiB or more,"
            what += f" beyond the {MOST_BYTES_OF_MEMBERS / 2**30:.0f} GiB that a model may have"
            raise OptionError("O393", what, place=type(self).__name__, hint=hint)

    def _refuse_own_reading(self, tree: DecisionTree) -> None:
        """Trees of one sorting see the rows as the ensemble reads them: what one says of that would go unheard."""
        for option, usual in (("kinds", "auto"), ("missing", "ignore")):
            said = getattr(tree, option)
            if not isinstance(said, str) or said != usual:
                name = type(self).__name__
                what = f"{option} of the tree has no effect: members see the rows as {name} reads them"
                hint = f"say {name}(DecisionTree(...), {option}={said!r})"
                raise OptionError("O650", what, place="estimator=", hint=hint)

    def _one(self) -> Any:
        """The learner: as named, or the usual."""
        one = self._usual() if self.estimator is None else self.estimator
        check_estimator(one)
        return one

    @property
    def rounds_(self) -> Rounds:
        """What happened in each round, as a table that can be drawn."""
        self._refuse_unfitted()
        return self.model_.rounds

    def plot(self, X: Any = None, y: Any = None, **options: Any) -> Any:
        """A matplotlib figure: the errors as rounds grow, also of held-out rows where they are given.

        Examples
        --------
        >>> import likely
        >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], ["a", "a", "b", "b", "a", "a"]
        >>> model = likely.AdaBoost(n_estimators=3).fit(X, y)
        >>> figure = model.plot()
        """
        return draw("rounds", self, X, y, **options)

    @property
    def estimators_(self) -> list[Any]:
        """The members: trees as DecisionTree, others as they are, who know classes by their places in classes_."""
        self = fitted_now(self)
        members = self.model_.members
        return list(members.members) if isinstance(members, ForeignMembers) else [self._face(tree) for tree in members]

    def _face(self, tree: Tree) -> DecisionTree:
        """A tree as the estimator that it would have been by itself."""
        schema, one = self.model_.schema, clone(self._one())
        for name in ("n_features_in_", "feature_names_in_", "_dtype"):
            if hasattr(self, name):
                setattr(one, name, getattr(self, name))
        gains = Gains.of(schema, None, one.criterion)
        return one._hold(TreeClassModel(schema, tree.counts[0], tree, gains, float(one.smoothing), ()))  # type: ignore[no-any-return]

    @property
    def feature_importances_(self) -> Floats:
        """(features,): those of the members, averaged as they decide."""
        self = still(self)
        members, weights = self.estimators_, self.model_.deciding
        if not members:
            return np.zeros(self.model_.schema.features)
        if isinstance(self.model_.members, ForeignMembers) and not hasattr(members[0], "feature_importances_"):
            name = type(members[0]).__name__
            raise AttributeError(f"members that are not trees ({name}) have no importances to average")
        return np.asarray(np.average([one.feature_importances_ for one in members], axis=0, weights=weights))

    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """(rows, classes) after each round: the probabilities that the members so far give.

        Examples
        --------
        >>> import likely
        >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], ["a", "a", "b", "b", "a", "a"]
        >>> model = likely.AdaBoost(n_estimators=3).fit(X, y)
        >>> [stage.round(2).tolist() for stage in model.staged_predict_proba([[2.5]])]
        [[[0.67, 0.33]], [[0.4, 0.6]], [[0.12, 0.88]]]
        """
        self = fitted_now(self)
        yield from self._stages(X)

    def staged_predict(self, X: Any) -> Iterator[Array]:
        """(rows,) after each round: the classes that the members so far decide for.

        Examples
        --------
        >>> import likely
        >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], ["a", "a", "b", "b", "a", "a"]
        >>> model = likely.AdaBoost(n_estimators=3).fit(X, y)
        >>> [stage.tolist() for stage in model.staged_predict([[2.5]])]
        [['a'], ['b'], ['b']]
        """
        self = fitted_now(self)
        for stage in self._stages(X):
            yield self.classes_[stage.argmax(axis=1)]

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """After each round: the share of the rows that the members so far get right.

        Examples
        --------
        >>> import likely
        >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], ["a", "a", "b", "b", "a", "a"]
        >>> model = likely.AdaBoost(n_estimators=3).fit(X, y)
        >>> [round(score, 2) for score in model.staged_score(X, y)]
        [0.67, 0.67, 1.0]
        """
        from sklearn.metrics import accuracy_score  # late: slow to import

        for said in self.staged_predict(X):
            yield float(accuracy_score(y, said, sample_weight=sample_weight))

    def save(self, path: str | os.PathLike[str], recalibration: Mapping[str, Any] | None = None) -> None:
        """Write the model to a file (a zip of JSON and arrays); its members must be trees.

        Examples
        --------
        >>> import likely, tempfile
        >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], ["a", "a", "b", "b", "a", "a"]
        >>> model = likely.AdaBoost(n_estimators=3).fit(X, y)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.save(f"{folder}/some.likely")
        ...     twin = likely.load(f"{folder}/some.likely")
        >>> twin.predict([[2.5]]).tolist()
        ['b']
        """
        self = fitted_now(self)
        if isinstance(self.model_.members, ForeignMembers):
            what = f"members that are {type(self.estimator).__name__} cannot be written down"
            hint = "only trees that are not pruned can be; keep the rows, and fit again"
            raise ModelError("M381", what, place="save(path)", hint=hint)
        super().save(path, recalibration)


def check_estimator(estimator: Any) -> None:
    """Refuse what cannot be a member: a class instead of a model, a regressor, what cannot be fitted or asked."""
    name = estimator.__name__ if isinstance(estimator, type) else type(estimator).__name__
    if isinstance(estimator, type):
        what, hint = f"{name} is a class, not a model", f"make one: estimator={name}()"
    elif not all(hasattr(estimator, method) for method in ("fit", "predict", "get_params")):
        what, hint = f"a {name} is no classifier", f"give one with fit and predict, {USUAL}"
    elif is_regressor(estimator):
        what, hint = f"{name} predicts numbers, not classes", f"give a classifier, {USUAL}"
    else:
        return
    raise OptionError("O644", what, place="estimator=", hint=hint)


def _grown(estimator: Any) -> bool:
    """Whether it is a tree that needs no more than to be grown."""
    return type(estimator) is DecisionTree and estimator.prune is None
