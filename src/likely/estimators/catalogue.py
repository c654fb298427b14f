"""The models by name, for those who say a name: the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from likely.errors import OptionError, nearest
from likely.estimators.naive import NaiveBayes

MODELS: dict[str, Callable[..., Any]] = {"naive": NaiveBayes}

# Each differs from the first in one thing, so that a comparison says what that thing is worth.
CONTENDERS: dict[str, tuple[str, Mapping[str, Any]]] = {
    "naive": ("naive Bayes; probabilities averaged over what the rows leave open", {}),
    "naive-map": ("naive Bayes at the mode of the posterior", {"estimate": "map"}),
    "naive-mle": ("naive Bayes by maximum likelihood, nothing smoothed", {"estimate": "mle"}),
    "naive-parzen": ("naive Bayes; numbers by kernel density instead of a bell curve", {"kinds": "parzen"}),
    "naive-informative": ("naive Bayes; a missing value is evidence itself", {"missing": "informative"}),
    "prior": ("the class priors alone: what knowing no column gives", {"kinds": "skip"}),
}


def make(name: str, settings: Mapping[str, Any]) -> Any:
    """The model of that name under these options, to be fitted."""
    if name not in MODELS:
        hint = f"the models are {', '.join(MODELS)}.{nearest(name, MODELS)}"
        raise OptionError("O119", f"there is no model {name!r}", place="model=", hint=hint)
    return MODELS[name](**settings)


def contenders(names: list[str] | None, kinds: Any, reals: list[str]) -> dict[str, Any]:
    """{name: model} to compare on the same rows; `reals` are the columns that a kernel density would serve."""
    found = {}
    for name in names or CONTENDERS:
        if name not in CONTENDERS:
            hint = f"the models are {', '.join(CONTENDERS)}.{nearest(name, CONTENDERS)}"
            raise OptionError("O119", f"there is no model {name!r}", place="model=", hint=hint)
        settings = {"kinds": kinds, **CONTENDERS[name][1]}
        if settings["kinds"] == "parzen":
            settings["kinds"] = {**(kinds if isinstance(kinds, Mapping) else {}), **dict.fromkeys(reals, "parzen")}
        found[name] = NaiveBayes(**settings)
    return found
