"""The classifiers and regressors of scikit-learn by name, from its own list of them alone."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

from likely.errors import OptionError, nearest
from likely.estimators.registry import PRESETS

OF_OTHERS = ("SelfTrainingClassifier",)  # which says only when it is fitted that it needs another one


@cache
def scikit_estimators() -> dict[str, tuple[str, type[Any], bool]]:
    """name -> where users import it from, its class, and whether it predicts numbers: all that need no other model."""
    from sklearn.utils import all_estimators

    found = {}
    for kind in ("classifier", "regressor"):
        for name, made in all_estimators(type_filter=kind):
            if not _needs_more(made):
                home = ".".join(part for part in made.__module__.split(".") if not part.startswith("_"))
                found[name] = (home, made, kind == "regressor")
    return found


@cache
def _of_other_models() -> set[str]:
    from sklearn.utils import all_estimators

    every = {name for kind in ("classifier", "regressor") for name, _ in all_estimators(type_filter=kind)}
    return every - {*scikit_estimators()}


def _needs_more(made: type[Any]) -> bool:
    """Whether it is made of other estimators, or predicts several targets at once."""
    options = inspect.signature(made).parameters.values()
    several = made.__name__.startswith("MultiTask")
    open_ = any(one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD) for one in options)
    return several or open_ or made.__name__ in OF_OTHERS


def is_scikit_name(name: str) -> bool:
    """Whether a name may be one of scikit-learn's: ours have small letters alone."""
    return name not in PRESETS and (name.startswith("sklearn.") or name[:1].isupper())


def find_scikit(name: str) -> tuple[type[Any], bool]:
    """The class of a name such as SVC or sklearn.svm.SVC, and whether it predicts numbers.

    >>> find_scikit("sklearn.svm.SVC")[0].__name__, find_scikit("Ridge")[1]
    ('SVC', True)
    """
    known = scikit_estimators()
    home, _, last = name.rpartition(".")
    if last in known and home in ("", known[last][0]):
        return known[last][1:]
    if last in _of_other_models():
        what = f"{last} is made of other models, or predicts several targets"
        hint = "make one in Python, and compare it by likely.compare(X, y, [model])"
        raise OptionError("O119", what, place="model=", hint=hint)
    paths = {f"{place}.{one}": one for one, (place, *_) in known.items()}
    close = nearest(name, [*paths] if home else [*known, *PRESETS])
    hint = f"name a classifier or regressor as scikit-learn does, such as RandomForestClassifier, or a model.{close}"
    raise OptionError("O119", f"there is no model {name!r}", place="model=", hint=hint)


def make_scikit(name: str, seed: int) -> Any:
    """The estimator of that name with the options it comes with; what it draws is drawn by the seed."""
    made = find_scikit(name)[0]
    return made(**({"random_state": seed} if "random_state" in inspect.signature(made).parameters else {}))
