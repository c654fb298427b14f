"""The one list of models: which class each name means, what options it stands for, and what its class holds."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from likely.errors import OptionError, nearest

if TYPE_CHECKING:
    from likely.data import ArrowSource


class HeldModel(NamedTuple):
    """What an estimator holds: the class of its model, and whether that predicts a number."""

    model: str
    numeric: bool = False


ESTIMATORS: dict[str, HeldModel] = {  # every estimator that a file can hold, by the public name of its class
    "BayesClassifier": HeldModel("PoolModel"),
    "NaiveBayes": HeldModel("NaiveModel"),
    "SPODE": HeldModel("AverageModel"),
    "TAN": HeldModel("GraphModel"),
    "KDB": HeldModel("GraphModel"),
    "AODE": HeldModel("AverageModel"),
    "AnDE": HeldModel("AverageModel"),
    "BayesForest": HeldModel("ForestModel"),
    "NetworkClassifier": HeldModel("NetworkModel"),
    "GaussianBayes": HeldModel("JointModel"),
    "LinearDiscriminant": HeldModel("JointModel"),
    "ParzenBayes": HeldModel("JointModel"),
    "LogisticRegression": HeldModel("Logistic"),
    "DecisionTree": HeldModel("TreeClassModel"),
    "AdaBoost": HeldModel("Boosted"),
    "Bagging": HeldModel("Bagged"),
    "LinearRegression": HeldModel("Linear", numeric=True),
    "RegressionTree": HeldModel("TreeRegressionModel", numeric=True),
}


class Preset(NamedTuple):
    """A model as users name it.

    The options that it stands for may be said too, but not contradicted; those that it begins with may be changed.
    `compared` is its line in a comparison of all models: without one it is compared only where it is named. A variant
    is the model of its class but for what it stands for.
    """

    estimator: str
    compared: str = ""
    stands_for: Mapping[str, Any] = {}
    begins_with: Mapping[str, Any] = {}
    variant: bool = False

    @property
    def numeric(self) -> bool:
        return ESTIMATORS[self.estimator].numeric


PARZEN_KINDS = {"kinds": "parzen"}  # every number that nobody spoke of has a density that is a sum of kernels
C45_PRUNING = {"prune": "pessimistic", "min_samples_leaf": 2}
# Each naive variant differs from the first in one thing, so that a comparison says what that thing is worth.
PRESETS: dict[str, Preset] = {
    "auto": Preset("BayesClassifier", "models that suit the table, tried on rows held out and pooled"),
    "auto-companions": Preset("BayesClassifier", "", {"companions": True}, variant=True),
    "naive": Preset("NaiveBayes", "naive Bayes; probabilities averaged over what the rows leave open"),
    "naive-map": Preset("NaiveBayes", "naive Bayes at the mode of the posterior", {"estimate": "map"}, variant=True),
    "naive-mle": Preset(
        "NaiveBayes", "naive Bayes by maximum likelihood, nothing smoothed", {"estimate": "mle"}, variant=True
    ),
    "naive-parzen": Preset(
        "NaiveBayes", "naive Bayes; numbers by kernel density instead of a bell curve", PARZEN_KINDS, variant=True
    ),
    "naive-informative": Preset(
        "NaiveBayes", "naive Bayes; a missing value is evidence itself", {"missing": "informative"}, variant=True
    ),
    "spode": Preset("SPODE", "all columns depend on the class and on one of them, the best"),
    "tan": Preset("TAN", "columns depend on the class and on one other each, along the best tree"),
    "kdb": Preset("KDB", "columns depend on the class and on up to two others"),
    "aode": Preset("AODE", "the mean over all choices of the one column that the others depend on"),
    "ande": Preset("AnDE", "the mean over all choices of two such columns"),
    "forest": Preset("BayesForest", "the mean of many random models in which columns depend on up to three others"),
    "network": Preset("NetworkClassifier", "columns and class as nodes of a Bayesian network, learnt by BIC"),
    "network-class": Preset(
        "NetworkClassifier",
        "arcs chosen by how well they tell the class, each row left out",
        {"score": "cll"},
        variant=True,
    ),
    "qda": Preset("GaussianBayes", "numbers together, a normal of its own in each class", {"covariance": "full"}),
    "lda": Preset("GaussianBayes", "numbers together, normals of one shape in all classes", {"covariance": "shared"}),
    "gaussian": Preset("GaussianBayes"),
    "discriminant": Preset("LinearDiscriminant"),
    "parzen": Preset("ParzenBayes"),
    "parzen-bayes": Preset(
        "ParzenBayes", "numbers by kernels on the rows, up to three together", {"estimate": "bayes"}, variant=True
    ),
    "logistic": Preset("LogisticRegression", "log odds as a sum of what each column adds, learnt as such"),
    "tree": Preset("DecisionTree", "a decision tree, grown until its leaves are of one class"),
    "c4.5": Preset(
        "DecisionTree",
        "a decision tree by gain ratio, pruned by pessimistic errors",
        {"criterion": "c4.5"},
        C45_PRUNING,
    ),
    "adaboost": Preset("AdaBoost", "fifty trees of one split, each minding the errors of those before it"),
    "bagging": Preset("Bagging", "the mean of a hundred trees, each of a bootstrap sample"),
    "prior": Preset(
        "NaiveBayes", "the class priors alone: what knowing no column gives", {"kinds": "skip"}, variant=True
    ),
    "linear": Preset("LinearRegression", "a sum of what each column adds"),
    "ridge": Preset("LinearRegression", "the same, coefficients drawn towards zero", {"penalty": "ridge"}),
    "lasso": Preset("LinearRegression", "the same, weak coefficients exactly zero", {"penalty": "lasso"}),
    "regression-tree": Preset("RegressionTree", "the rows parted by one column after another, to the last one"),
    "regression-tree-small": Preset("RegressionTree", "the same, three questions deep", {"max_depth": 3}, variant=True),
    "mean": Preset("LinearRegression", "the mean alone: what knowing no column gives", {"kinds": "skip"}, variant=True),
}


def models(numeric: bool) -> list[str]:
    """The names of the models of numbers, or of classes, without their variants."""
    return [name for name, preset in PRESETS.items() if preset.numeric == numeric and not preset.variant]


def compared(numeric: bool) -> list[str]:
    """The names of the models of numbers, or of classes, that are compared where nobody names any."""
    return [name for name, preset in PRESETS.items() if preset.numeric == numeric and preset.compared]


def estimator(name: str) -> type[Any]:
    """The class of that public name; KeyError if no file can hold it. Only what is asked for is imported."""
    if name not in ESTIMATORS:
        raise KeyError(name)
    kind: type[Any] = getattr(import_module("likely"), name)
    return kind


def find(name: str) -> Preset:
    """The model that a user names."""
    if name not in PRESETS:
        first = sorted(PRESETS, key=lambda one: PRESETS[one].variant)
        hint = f"the models are {', '.join(first)}.{nearest(name, PRESETS)}"
        raise OptionError("O119", f"there is no model {name!r}", place="model=", hint=hint)
    return PRESETS[name]


def kind_of(name: str) -> type[Any]:
    """The class of the model of that name."""
    return estimator(find(name).estimator)


def options_of(name: str) -> list[str]:
    """The options that the model of that name has."""
    return list(inspect.signature(kind_of(name)).parameters)


def make(name: str, settings: Mapping[str, Any], rows: ArrowSource | None = None) -> Any:
    """The model of that name under these options, to be fitted; on `rows`, if the name is about some columns only."""
    preset, known = find(name), options_of(name)
    odd = next((option for option in settings if option not in known), None)
    if odd is not None:
        hint = f"its options are {', '.join(known)}.{nearest(odd, known)}"
        raise OptionError("O124", f"{name} has no option {odd!r}", place=f"{odd}=", hint=hint)
    said, meant = {**preset.begins_with, **settings}, preset.stands_for
    if meant is PARZEN_KINDS and rows is not None and _by_column(said.get("kinds", "auto")):
        said["kinds"], meant = _by_kernels(rows, said.get("kinds", "auto")), {}
    clash = next((option for option in meant if said.get(option, meant[option]) != meant[option]), None)
    if clash is not None:
        what = f"{name} stands for {clash}={meant[clash]!r}, and {clash}={said[clash]!r} is said"
        hint = f"leave {clash} out, or choose another model than {name}"
        raise OptionError("O122", what, place=f"{clash}=", hint=hint)
    return kind_of(name)(**{**said, **meant})


def _by_column(kinds: Any) -> bool:
    """Whether the kinds leave columns open that are not named."""
    return isinstance(kinds, Mapping) or kinds == "auto"


def _by_kernels(rows: ArrowSource, kinds: Any) -> dict[str, str]:
    """The kinds that were said, and for every other column of real numbers a kernel density."""
    open_ones = [column for column in rows.survey(kinds).columns if column.kind == "real"]
    found = {column.name: PARZEN_KINDS["kinds"] for column in open_ones if not column.counts_rows}
    return {**found, **(kinds if isinstance(kinds, Mapping) else {})}


def contenders(names: list[str], kinds: Any, rows: ArrowSource, seed: int = 0) -> dict[str, Any]:
    """{name: model} to compare on the same rows, under the same kinds but where a name stands for others."""
    found = {}
    for name in names:
        meant = find(name).stands_for
        settings = {} if "kinds" in meant and meant is not PARZEN_KINDS else {"kinds": kinds}
        if "random_state" in options_of(name):
            settings["random_state"] = seed
        found[name] = make(name, settings, rows)
    return found
