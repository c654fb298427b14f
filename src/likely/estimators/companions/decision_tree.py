"""Decision trees and regression trees: the scikit-learn faces."""

from __future__ import annotations

from dataclasses import KW_ONLY, field
from typing import Annotated, Any, Literal, Self

from likely.companions.trees.growth_options import CLASS_CRITERIA, REGRESSION_CRITERIA, Growth
from likely.companions.trees.pessimistic_pruning import check_confidence, pessimistic
from likely.companions.trees.predictions import TreeClassModel, TreeRegressionModel
from likely.core.state import still
from likely.data import Source
from likely.errors import OptionError
from likely.estimators.companions.classifier import CompanionClassifier, warn_aside
from likely.estimators.companions.regressor import CompanionRegressor
from likely.estimators.companions.table_in_memory import TableInMemory, hold, survey
from likely.estimators.companions.tree_methods import TreeMethods, dashed
from likely.estimators.face import shared_options as shared
from likely.estimators.face.options import Limits, check_options, declared
from likely.explanations.paths import AmountPathExplanation, PathExplanation


@declared
class DecisionTree(TreeMethods, CompanionClassifier):
    """A decision tree: categories branch by all their levels, numbers at a threshold, missing values go down all.

    Examples
    --------
    >>> rows = [["sun", 21.0], ["sun", 25.0], ["rain", 22.0], ["rain", 12.0]]
    >>> model = DecisionTree().fit(rows, ["out", "out", "in", "in"])
    >>> print(model.text())
    x0 = rain: in (2 of 2)
    x0 = sun: out (2 of 2)
    >>> model.predict([["sun", 11.0]]).tolist()
    ['out']
    """

    model_: TreeClassModel = field(init=False)
    _: KW_ONLY
    criterion: Annotated[
        Literal["gini", "entropy", "gain-ratio", "c4.5"],
        Limits(),
        "What a split is judged by: 'gini', 'entropy' (information gain), 'gain-ratio' (the best ratio of gain to split"
        " information among splits with at least the average gain) or 'c4.5' (the same with the corrections of C4.5, as"
        " in Weka's J48).",
    ] = "gini"
    max_depth: shared.MaxDepth = None
    min_samples_split: shared.MinSamplesSplit = Growth.min_samples_split
    min_samples_leaf: shared.MinSamplesLeaf = Growth.min_samples_leaf
    min_gain: shared.MinGain = Growth.min_gain
    prune: Annotated[
        Literal["reduced-error", "pessimistic", "cost-complexity"] | None,
        Limits("O627", "choose None, 'reduced-error', 'pessimistic' or 'cost-complexity'.", spelling=dashed),
        "'reduced-error' (by a third of the rows, held out), 'pessimistic' (C4.5, of that `confidence`),"
        " 'cost-complexity' (a leaf costs `alpha`) or None.",
    ] = None
    confidence: Annotated[float, Limits(above=0, most=0.5), "Of prune='pessimistic'; a smaller one prunes more."] = 0.25
    alpha: shared.Alpha = "cv"
    smoothing: Annotated[
        shared.Smoothing, "Added to the count of each class at a leaf before its shares are taken."
    ] = 1.0
    kinds: shared.Kinds = "auto"
    missing: shared.MissingInTrees = "ignore"
    random_state: shared.RandomState = None

    def _learn(self, rows: TableInMemory) -> TreeClassModel:
        growth = self._growth(CLASS_CRITERIA, "RegressionTree")
        confidence = check_confidence(self.confidence) if self._pruning == "pessimistic" else None
        tree, gains, told = self._grown(rows, growth)
        if confidence is not None:
            tree = pessimistic(tree, rows.schema, rows.block, confidence)
        return TreeClassModel(rows.schema, rows.rows, tree, gains, float(self.smoothing), told)

    def explain(self, X: Any) -> PathExplanation:
        """The terms of each row's prediction, what the root says and what each split changes, and its path.

        Examples
        --------
        >>> import likely
        >>> rows = [["sun", 21.0], ["sun", 25.0], ["rain", 22.0], ["rain", 12.0]]
        >>> model = likely.DecisionTree().fit(rows, ["out", "out", "in", "in"])
        >>> print(model.explain([["sun", 20.0]]))
        row 0: 'out' with probability 0.750; the path:
          all rows: in (2 of 4)
          x0 = sun: out (2 of 2)
        """
        self = still(self)
        return PathExplanation.of(super().explain(X), self.tree_, self.model_.schema, self._block(X))


@declared
class RegressionTree(TreeMethods, CompanionRegressor):
    """A tree that predicts a number: the mean of the learnt rows at a leaf, or with criterion="absolute" their median.

    Examples
    --------
    >>> model = RegressionTree(max_depth=1).fit([[1.0], [2.0], [3.0], [4.0]], [1.0, 1.5, 7.0, 8.0])
    >>> model.predict([[0.0], [9.0]]).tolist()
    [1.25, 7.5]
    """

    model_: TreeRegressionModel = field(init=False)
    _: KW_ONLY
    criterion: Annotated[Literal["squared", "absolute"], Limits(), "The loss that splits make smaller."] = "squared"
    max_depth: shared.MaxDepth = None
    min_samples_split: shared.MinSamplesSplit = Growth.min_samples_split
    min_samples_leaf: shared.MinSamplesLeaf = Growth.min_samples_leaf
    min_gain: shared.MinGain = Growth.min_gain
    prune: Annotated[
        Literal["reduced-error", "cost-complexity"] | None,
        Limits("O627", "choose None, 'reduced-error' or 'cost-complexity'.", spelling=dashed),
        "'reduced-error' (by a third of the rows, held out), 'cost-complexity' (a leaf costs `alpha`) or None.",
    ] = None
    alpha: shared.Alpha = "cv"
    kinds: shared.Kinds = "auto"
    missing: shared.MissingInTrees = "ignore"
    random_state: shared.RandomState = None

    def _learn_first(self, source: Source, classes: tuple[Any, ...] = ()) -> Self:
        if self._pruning == "pessimistic":
            hint = "choose 'reduced-error' or 'cost-complexity'"
            raise OptionError("O628", "pessimistic pruning counts errors of classes", place="prune=", hint=hint)
        check_options(self)
        seen = survey(source, self.kinds, self.missing)
        warn_aside(seen.schema)
        return self._hold(self._learn(hold(source, seen)))

    def _learn(self, rows: TableInMemory) -> TreeRegressionModel:
        growth = self._growth(REGRESSION_CRITERIA, "DecisionTree")
        return TreeRegressionModel(rows.schema, rows.rows, *self._grown(rows, growth))

    def explain(self, X: Any) -> AmountPathExplanation:
        """The terms of each row's prediction, what the root says and what each split changes, and its path.

        Examples
        --------
        >>> import likely
        >>> model = likely.RegressionTree(max_depth=1).fit([[1.0], [2.0], [3.0]], [1.0, 1.5, 7.0])
        >>> model.explain([[2.5]]).terms.round(2).tolist()
        [[3.17, -1.92]]
        """
        self = still(self)
        return AmountPathExplanation.of(super().explain(X), self.tree_, self.model_.schema, self._block(X))
