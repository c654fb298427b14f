"""The models by name, for those who say a name: the command line."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from likely import estimators
from likely.core.schema import COUNTS_ROWS
from likely.data import ArrowSource
from likely.errors import OptionError, nearest

KERNELS = "parzen"  # the kind of a column of numbers whose density is a sum of kernels

# What a name stands for, the class by its name: other options can be added, and none of these be contradicted.
MODELS: dict[str, tuple[str, Mapping[str, Any]]] = {
    "naive": ("NaiveBayes", {}),
    "spode": ("SPODE", {}),
    "tan": ("TAN", {}),
    "kdb": ("KDB", {}),
    "aode": ("AODE", {}),
    "ande": ("AnDE", {}),
    "network": ("NetworkClassifier", {}),
    "gaussian": ("GaussianBayes", {}),
    "qda": ("GaussianBayes", {"covariance": "full"}),
    "lda": ("GaussianBayes", {"covariance": "shared"}),
    "discriminant": ("LinearDiscriminant", {}),
    "parzen": ("ParzenBayes", {}),
    "logistic": ("LogisticRegression", {}),
    "tree": ("DecisionTree", {}),
    "c4.5": ("DecisionTree", {"criterion": "c4.5"}),
    "adaboost": ("AdaBoost", {}),
    "bagging": ("Bagging", {}),
    "linear": ("LinearRegression", {}),
    "ridge": ("LinearRegression", {"penalty": "ridge"}),
    "lasso": ("LinearRegression", {"penalty": "lasso"}),
    "regression-tree": ("RegressionTree", {}),
}
USUAL: dict[str, Mapping[str, Any]] = {  # what a name begins with, where nothing else is said
    "c4.5": {"prune": "pessimistic", "min_samples_leaf": 2},
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
    "parzen-bayes": ("numbers by kernels on the rows, up to three together", "parzen", {"estimate": "bayes"}),
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


def settled(name: str) -> tuple[type[Any], Mapping[str, Any], Mapping[str, Any]]:
    """The class of the model of that name, the options that the name stands for, and those that it begins with."""
    known = {**CONTENDERS, **AMOUNTS}
    if name not in MODELS and name not in known:
        raise _unknown(name, {**MODELS, **known})
    model, own = (name, {}) if name in MODELS else known[name][1:]
    kind, meant = MODELS[model]
    return getattr(estimators, kind), {**meant, **own}, USUAL.get(model, {})


def options_of(name: str) -> list[str]:
    """The options that the model of that name has."""
    return list(inspect.signature(kind_of(name)).parameters)


def kind_of(name: str) -> type[Any]:
    """The class of the model of that name."""
    return settled(name)[0]


def make(name: str, settings: Mapping[str, Any], rows: ArrowSource | None = None) -> Any:
    """The model of that name under these options, to be fitted; on `rows`, if the name is about some columns only."""
    (kind, meant, usual), known = settled(name), options_of(name)
    odd = next((option for option in settings if option not in known), None)
    if odd is not None:
        hint = f"its options are {', '.join(known)}.{nearest(odd, known)}"
        raise OptionError("O119", f"{name} has no option {odd!r}", place=f"{odd}=", hint=hint)
    said = {**usual, **settings}
    if meant.get("kinds") == KERNELS and rows is not None and _by_column(said.get("kinds", "auto")):
        said["kinds"] = _by_kernels(rows, said.get("kinds", "auto"))
        meant = {option: value for option, value in meant.items() if option != "kinds"}
    clash = next((option for option in meant if said.get(option, meant[option]) != meant[option]), None)
    if clash is not None:
        what = f"{name} stands for {clash}={meant[clash]!r}, and {clash}={said[clash]!r} is said"
        hint = f"leave {clash} out, or choose another model than {name}"
        raise OptionError("O122", what, place=f"{clash}=", hint=hint)
    return kind(**{**said, **meant})


def _by_column(kinds: Any) -> bool:
    """Whether the kinds leave columns open that are not named."""
    return isinstance(kinds, Mapping) or kinds == "auto"


def _by_kernels(rows: ArrowSource, kinds: Any) -> dict[str, str]:
    """The kinds that were said, and for every other column of real numbers a kernel density."""
    open_ones = [column for column in rows.survey(kinds).columns if column.kind == "real"]
    found = {column.name: KERNELS for column in open_ones if COUNTS_ROWS not in column.hint}
    return {**found, **(kinds if isinstance(kinds, Mapping) else {})}


def contenders(names: list[str], kinds: Any, rows: ArrowSource, seed: int = 0) -> dict[str, Any]:
    """{name: model} to compare on the same rows, under the same kinds but where a name stands for others."""
    found = {}
    for name in names:
        _, meant, _ = settled(name)
        settings = {} if meant.get("kinds", KERNELS) != KERNELS else {"kinds": kinds}
        if "random_state" in options_of(name):
            settings["random_state"] = seed
        found[name] = make(name, settings, rows)
    return found


def _unknown(name: str, known: Mapping[str, Any]) -> OptionError:
    hint = f"the models are {', '.join(known)}.{nearest(name, known)}"
    return OptionError("O119", f"there is no model {name!r}", place="model=", hint=hint)
