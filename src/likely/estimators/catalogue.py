"""The models by name, for those who say a name: the command line."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from likely.errors import OptionError, nearest
from likely.estimators.averages import AODE, SPODE, AnDE
from likely.estimators.bagging import Bagging
from likely.estimators.boosting import AdaBoost
from likely.estimators.directed import KDB, TAN
from likely.estimators.discriminant import LinearDiscriminant
from likely.estimators.gaussian import GaussianBayes
from likely.estimators.linear import LinearRegression
from likely.estimators.logistic import LogisticRegression
from likely.estimators.naive import NaiveBayes
from likely.estimators.network import NetworkClassifier
from likely.estimators.tree import DecisionTree, RegressionTree
from likely.estimators.windows import ParzenBayes

QUINLAN = {"criterion": "c4.5", "prune": "pessimistic", "min_samples_leaf": 2}
MODELS: dict[str, tuple[type[Any], Mapping[str, Any]]] = {
    "naive": (NaiveBayes, {}),
    "spode": (SPODE, {}),
    "tan": (TAN, {}),
    "kdb": (KDB, {}),
    "aode": (AODE, {}),
    "ande": (AnDE, {}),
    "network": (NetworkClassifier, {}),
    "gaussian": (GaussianBayes, {}),
    "qda": (GaussianBayes, {"covariance": "full"}),
    "lda": (GaussianBayes, {"covariance": "shared"}),
    "discriminant": (LinearDiscriminant, {}),
    "parzen": (ParzenBayes, {}),
    "logistic": (LogisticRegression, {}),
    "tree": (DecisionTree, {}),
    "c4.5": (DecisionTree, QUINLAN),
    "adaboost": (AdaBoost, {}),
    "bagging": (Bagging, {}),
    "linear": (LinearRegression, {}),
    "ridge": (LinearRegression, {"penalty": "ridge"}),
    "lasso": (LinearRegression, {"penalty": "lasso"}),
    "regression-tree": (RegressionTree, {}),
}
# Each naive one differs from the first in one thing, so that a comparison says what that thing is worth.
CONTENDERS: dict[str, tuple[str, str, Mapping[str, Any]]] = {
    "naive": ("naive Bayes; probabilities averaged over what the rows leave open", "naive", {}),
    "naive-map": ("naive Bayes at the mode of the posterior", "naive", {"estimate": "map"}),
    "naive-mle": ("naive Bayes by maximum likelihood, nothing smoothed", "naive", {"estimate": "mle"}),
    "naive-parzen": ("naive Bayes; numbers by kernel density instead of a bell curve", "naive", {"kinds": "parzen"}),
    "naive-informative": ("naive Bayes; a missing value is evidence itself", "naive", {"missing": "informative"}),
    "spode": ("all columns depend on the class and on one of them, the best", "spode", {}),
    "tan": ("columns depend on the class and on one other each, along the best tree", "tan", {}),
    "kdb": ("columns depend on the class and on up to two others", "kdb", {}),
    "aode": ("the mean over all choices of the one column that the others depend on", "aode", {}),
    "ande": ("the mean over all choices of two such columns", "ande", {}),
    "network": ("columns and class as nodes of a Bayesian network, learnt by BIC", "network", {}),
    "network-class": ("arcs chosen by how well they tell the class, each row left out", "network", {"score": "cll"}),
    "qda": ("numbers together, a normal of its own in each class", "qda", {}),
    "lda": ("numbers together, normals of one shape in all classes", "lda", {}),
    "parzen": ("numbers by kernels on the rows, up to three of them together", "parzen", {"estimate": "bayes"}),
    "logistic": ("log odds as a sum of what each column adds, learnt as such", "logistic", {}),
    "tree": ("a decision tree, grown until its leaves are of one class", "tree", {}),
    "c4.5": ("a decision tree by gain ratio, pruned by pessimistic errors", "c4.5", {}),
    "adaboost": ("fifty trees of one split, each minding the errors of those before it", "adaboost", {}),
    "bagging": ("the mean of a hundred trees, each of rows drawn anew", "bagging", {}),
    "prior": ("the class priors alone: what knowing no column gives", "naive", {"kinds": "skip"}),
}
AMOUNTS: dict[str, tuple[str, str, Mapping[str, Any]]] = {
    "linear": ("a sum of what each column adds", "linear", {}),
    "ridge": ("the same, coefficients drawn towards zero", "ridge", {}),
    "lasso": ("the same, weak coefficients exactly zero", "lasso", {}),
    "regression-tree": ("the rows parted by one column after another, to the last one", "regression-tree", {}),
    "regression-tree-small": ("the same, three questions deep", "regression-tree", {"max_depth": 3}),
    "mean": ("the mean alone: what knowing no column gives", "linear", {"kinds": "skip"}),
}


def settled(name: str) -> tuple[str, Mapping[str, Any]]:
    """The model behind a name that is no model's own but a contender's, and the options that it stands for."""
    known = {**CONTENDERS, **AMOUNTS}
    if name in MODELS or name not in known:
        return name, {}
    _, model, own = known[name]
    return model, own


def options_of(name: str) -> list[str]:
    """The options that the model of that name has."""
    return list(inspect.signature(kind_of(name)).parameters)


def kind_of(name: str) -> type[Any]:
    """The class of the model of that name."""
    model, _ = settled(name)
    if model not in MODELS:
        raise _unknown(name, MODELS)
    return MODELS[model][0]


def make(name: str, settings: Mapping[str, Any]) -> Any:
    """The model of that name under these options, to be fitted."""
    name, more = settled(name)
    known = options_of(name)
    kind, own = MODELS[name]
    odd = next((option for option in settings if option not in known), None)
    if odd is not None:
        hint = f"its options are {', '.join(known)}.{nearest(odd, known)}"
        raise OptionError("O119", f"{name} has no option {odd!r}", place=f"{odd}=", hint=hint)
    return kind(**{**own, **settings, **more})


def contenders(names: list[str], kinds: Any, reals: list[str], seed: int = 0) -> dict[str, Any]:
    """{name: model} to compare on the same rows; `reals` are the columns that a kernel density would serve."""
    known, found = {**CONTENDERS, **AMOUNTS}, {}
    for name in names:
        if name not in known and name not in MODELS:
            raise _unknown(name, {**known, **MODELS})
        _, model, own = known.get(name, ("", name, {}))
        settings = {"kinds": kinds, **own}
        if settings["kinds"] == "parzen":
            settings["kinds"] = {**(kinds if isinstance(kinds, Mapping) else {}), **dict.fromkeys(reals, "parzen")}
        if "random_state" in options_of(model):
            settings["random_state"] = seed
        found[name] = make(model, settings)
    return found


def _unknown(name: str, known: Mapping[str, Any]) -> OptionError:
    hint = f"the models are {', '.join(known)}.{nearest(name, known)}"
    return OptionError("O119", f"there is no model {name!r}", place="model=", hint=hint)
