"""The models by name, for those who say a name: the command line."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from likely.errors import OptionError, nearest
from likely.estimators.averages import AODE, SPODE, AnDE
from likely.estimators.directed import KDB, TAN
from likely.estimators.discriminant import LinearDiscriminant
from likely.estimators.gaussian import GaussianBayes
from likely.estimators.generative import GenerativeClassifier
from likely.estimators.naive import NaiveBayes
from likely.estimators.network import NetworkClassifier
from likely.estimators.windows import ParzenBayes

MODELS: dict[str, tuple[type[GenerativeClassifier], Mapping[str, Any]]] = {
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
    "prior": ("the class priors alone: what knowing no column gives", "naive", {"kinds": "skip"}),
}


def options_of(name: str) -> list[str]:
    """The options that the model of that name has."""
    if name not in MODELS:
        raise _unknown(name, MODELS)
    return list(inspect.signature(MODELS[name][0]).parameters)


def make(name: str, settings: Mapping[str, Any]) -> Any:
    """The model of that name under these options, to be fitted."""
    known = options_of(name)
    kind, own = MODELS[name]
    odd = next((option for option in settings if option not in known), None)
    if odd is not None:
        hint = f"its options are {', '.join(known)}.{nearest(odd, known)}"
        raise OptionError("O119", f"{name} has no option {odd!r}", place=f"{odd}=", hint=hint)
    return kind(**{**own, **settings})


def contenders(names: list[str] | None, kinds: Any, reals: list[str]) -> dict[str, Any]:
    """{name: model} to compare on the same rows; `reals` are the columns that a kernel density would serve."""
    found = {}
    for name in names or CONTENDERS:
        if name not in CONTENDERS and name not in MODELS:
            raise _unknown(name, {**CONTENDERS, **MODELS})
        _, model, own = CONTENDERS.get(name, ("", name, {}))
        settings = {"kinds": kinds, **own}
        if settings["kinds"] == "parzen":
            settings["kinds"] = {**(kinds if isinstance(kinds, Mapping) else {}), **dict.fromkeys(reals, "parzen")}
        found[name] = make(model, settings)
    return found


def _unknown(name: str, known: Mapping[str, Any]) -> OptionError:
    hint = f"the models are {', '.join(known)}.{nearest(name, known)}"
    return OptionError("O119", f"there is no model {name!r}", place="model=", hint=hint)
