"""Old spellings of public names: they work for one more release, with a warning that says the new one."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any

# package -> {old name: new name}
RENAMED = {
    "likely.decisions": {"bayes_error": "expected_error"},  # likely.surfaces.bayes_error is that of a model
    "likely.evaluation": {
        "AmountEvaluation": "RegressionEvaluation",
        "AmountValidation": "RegressionCrossValidation",
        "evaluate_amounts": "evaluate_regression",
        "expected_risk": "cross_validated_risk",  # likely.decisions.expected_risk is that of given probabilities
    },
    "likely.networks": {"Table": "ProbabilityTable"},  # likely.checks.Table holds rows
    "likely.plots": {"amounts": "regression_explanation"},
}


def old_names(package: str) -> Callable[[str], object]:
    """The `__getattr__` of a package: what an old name stands for, with a DeprecationWarning."""

    def renamed(name: str) -> object:
        new = RENAMED[package].get(name)
        if new is None:
            told = f"module {package!r} has no attribute {name!r}"
            raise AttributeError(told, name=name, obj=sys.modules[package])  # from which Python guesses what was meant
        if sys._getframe(1).f_globals["__name__"] != "importlib._bootstrap":  # `from package import name` asks it first
            warnings.warn(f"{package}.{name} is now {package}.{new}", DeprecationWarning, stacklevel=2)
        return getattr(sys.modules[package], new)

    return renamed


def old_attribute(old: str, new: str) -> Any:
    """The property of a class that gives what is called `new` now, with a DeprecationWarning."""

    def renamed(self: object) -> object:
        name = type(self).__name__
        warnings.warn(f"{name}.{old} is now {name}.{new}", DeprecationWarning, stacklevel=2)
        return getattr(self, new)

    return property(renamed)
