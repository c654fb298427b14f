"""Options that make a model simpler or richer: which of them a model has, and what to do with them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.errors import OptionError
from likely.errors.options import is_number, unknown

# What to do with an option for a simpler model, the least value that it can have, and values to try.
_SCALE = tuple(float(value) for value in np.geomspace(1e-3, 1e3, 13))
_DOUBLED = (1, 2, 4, 8, 16, 32, 64, 128)
KNOWN_OPTIONS: dict[str, tuple[str, float, tuple[Any, ...]]] = {
    "strength": ("raise", 0, _SCALE),
    "alpha": ("raise", 0, _SCALE),
    "C": ("lower", 0, _SCALE),
    "degree": ("lower", 1, tuple(range(1, 9))),
    "max_depth": ("lower", 1, tuple(range(1, 11))),
    "min_samples_leaf": ("raise", 1, _DOUBLED[:7]),
    "n_neighbors": ("raise", 1, _DOUBLED[:6]),
    "n_estimators": ("lower", 1, _DOUBLED),
    "k": ("lower", 0, (0, 1, 2, 3)),
    "order": ("lower", 1, (1, 2)),
    "max_parents": ("lower", 1, (1, 2, 3, 4)),
    "bandwidth": ("raise", 0, ()),
    "smoothing": ("raise", 0, _SCALE),
    "var_smoothing": ("raise", 0, tuple(float(value) for value in np.geomspace(1e-9, 1.0, 10))),
}
SIMPLER = {"full": "shared", "shared": "diagonal", "diagonal": "spherical"}  # covariances
RICHER = {"spherical": "diagonal", "diagonal": "full", "shared": "full"}
# What an option of complexity needs before it has an effect.
NEEDED_SETTINGS = {
    "strength": "give the model penalty='l2' or 'l1', or vary another option",
    "alpha": "give the model prune='cost-complexity', or vary another option",
    "smoothing": "give the model estimate='bayes', or vary another option",
}


@dataclass(frozen=True)
class ComplexityOption:
    """An option of a model, or of a step within it as in `ridge__alpha`, and its value."""

    name: str
    value: Any

    @property
    def key(self) -> str:
        return self.name.rpartition("__")[2]

    def towards(self, simpler: bool) -> str:
        """What to do for a simpler model, or a richer one; '' where there is no way further."""
        verb, least, _ = KNOWN_OPTIONS[self.key]
        verb = verb if simpler else {"raise": "lower", "lower": "raise"}[verb]
        if self.value is None:  # no limit
            return f"set {self.name} (now None, no limit)" if verb == "lower" else ""
        if verb == "lower" and is_number(self.value) and self.value <= least:
            return ""
        return f"{verb} {self.name} (now {self.value!r})"


def options_of(model: Any) -> list[ComplexityOption]:
    """The options of complexity that have an effect as the model is set, its own before those of its steps."""
    given = _params(model)
    ranks = {key: rank for rank, key in enumerate(KNOWN_OPTIONS)}
    names = [name for name in given if name.rpartition("__")[2] in ranks and not _idle(name, given)]
    names.sort(key=lambda name: (name.count("__"), ranks[name.rpartition("__")[2]]))
    return [ComplexityOption(name, given[name]) for name in names]


def advice(model: Any, simpler: bool) -> tuple[str, ...]:
    """What to change for a simpler model, or a richer one: options by their names, and what helps any such model.

    >>> import likely
    >>> advice(likely.NaiveBayes(smoothing=0.5), simpler=True)
    ('raise smoothing (now 0.5)', 'learn from more rows or fewer columns')
    """
    given = _params(model)
    ways = [way for option in options_of(model) if (way := option.towards(simpler))][:2]
    if simpler and "strength" in given and given.get("penalty", "") is None:
        ways.append("give it a penalty (penalty='l2')")
    if simpler and given.get("estimate") == "mle":
        ways.append("smooth it (estimate='bayes')")
    turn = (SIMPLER if simpler else RICHER).get(given.get("covariance", ""))
    if turn is not None:
        ways.append(f"say covariance={turn!r}")
    if "prune" in given and (given["prune"] is None) == simpler:
        ways.append("prune it (prune='cost-complexity')" if simpler else f"do not prune it (now {given['prune']!r})")
    return (*ways, _anyway(given, simpler))


def _anyway(given: dict[str, Any], simpler: bool) -> str:
    """What helps whatever the options are."""
    if simpler:
        return "learn from more rows or fewer columns"
    if "estimate" in given:  # a Bayes classifier
        return "let columns depend on each other, choose other kinds, or recalibrate"
    return "give it columns that say more, as powers and products, or take a richer model"


def read_option(model: Any, option: Any) -> str:
    """The name of the option to vary: the one that is said, or the first of complexity that the model has."""
    given, kind = _params(model), type(model).__name__
    if option is None:
        found = [each.name for each in options_of(model) if KNOWN_OPTIONS[each.key][2]]
        if found:
            return found[0]
        idle = [NEEDED_SETTINGS[key] for name in given if (key := name.rpartition("__")[2]) in NEEDED_SETTINGS]
        hint = idle[0] if idle else "say option= and strengths=, the values to try"
        raise OptionError("O656", f"{kind} has no option known to make it simpler", place="option=", hint=hint)
    if option not in given:
        raise unknown(option, sorted(given), "option", "O656", what=f"option of {kind}:")
    if _idle(str(option), given):
        hint = NEEDED_SETTINGS.get(str(option).rpartition("__")[2], "vary another option")
        raise OptionError("O657", f"{option} makes this {kind} no simpler", place="option=", hint=hint)
    return str(option)


def read_values(option: str, values: Any) -> tuple[Any, ...]:
    """At least two different values to try: numbers from small to large, others in the order that is given.

    >>> read_values("max_depth", [5, 1]), read_values("max_depth", None)[:3]
    ((1, 5), (1, 2, 3))
    """
    key = option.rpartition("__")[2]
    if values is None and key in KNOWN_OPTIONS and KNOWN_OPTIONS[key][2]:
        return KNOWN_OPTIONS[key][2]
    given = list(values) if isinstance(values, Iterable) and not isinstance(values, str) else []
    tried = [value.item() if isinstance(value, np.generic) else value for value in given]
    if len({repr(value) for value in tried}) < max(2, len(tried)):
        what = "there are no values to try" if values is None else f"the values {values!r} cannot be tried"
        hint = f"say at least two different values of {option}, as in strengths=[0.1, 1, 10]"
        raise OptionError("O658", what, place="strengths=", hint=hint)
    return tuple(sorted(tried) if all(is_number(value) for value in tried) else tried)


def _idle(name: str, given: dict[str, Any]) -> bool:
    """Whether an option has no effect, as another one is set, or is none of complexity in such a model."""
    step, joint, key = name.rpartition("__")
    ahead = len(step + joint)
    beside = {other[ahead:]: value for other, value in given.items() if other.startswith(step + joint)}
    if key == "strength":  # of a prior where there is a score of structures
        return beside.get("penalty", "") is None or "score" in beside
    if key == "order":  # of an array in memory, where it is a word
        return isinstance(beside[key], str)
    if key == "smoothing":
        return bool(beside.get("estimate") == "mle")
    if key == "alpha" and "prune" in beside:
        return bool(beside["prune"] != "cost-complexity")
    return key == "n_estimators" and "learning_rate" not in beside  # more members of a bag make it no richer


def _params(model: Any) -> dict[str, Any]:
    return dict(model.get_params()) if hasattr(model, "get_params") and not isinstance(model, type) else {}
