"""The sections of docstrings that follow from the code: parameters, attributes that fit brings, what comes back."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from likely.core.docstrings import insert, kind_given, returned, section

METHOD_ARGUMENTS = {  # of methods: the type, and what it means
    "X": (
        "rows",
        "A NumPy or sparse array, a data frame or a list of rows; once fitted, a file or DuckDB relation too.",
    ),
    "y": ("array or column", "What is to be predicted, one a row; left out where a file or relation holds it."),
    "sample_weight": ("array or None", "One weight a row; None: all rows count the same."),
    "classes": ("array or None", "All classes that there can be, those too that no row has yet."),
    "log": ("bool", "Whether to give log probabilities."),
    "level": ("float", "How much of the probability lies within the interval."),
    "of": ("{'amount', 'mean'}", "The interval of the target of each row, or of the mean of all rows like it."),
    "seed": ("int or None", "Seed of what is drawn at random: the same one gives the same answer."),
    "other": ("estimator", "A fitted estimator of the same class."),
    "priors": ("priors", "{class: probability}, one number a class, 'empirical' or 'uniform'."),
    "n": ("int", "How many rows to draw."),
    "loss": ("matrix or {(true, decided): loss}", "What a decision costs; None: one for each error."),
    "reject": ("float or None", "What it costs to abstain; None: a class is chosen whatever the risk."),
    "path": ("str or path", "Where the file is written."),
    "recalibration": ("dict or None", "What `likely.evaluation.recalibrate` found."),
    "features": ("sequence or None", "Some of the numeric columns, by name or position; None: all of them."),
    "origin": ("array or None", "The point that x is counted from; None: zero."),
    "network": ("Network", "A network with tables."),
    "target": ("str", "The node to predict."),
    "deep": ("bool", "Whether to name the options of estimators that are options, too."),
    "depth": ("int or None", "How far down to go; None: to the leaves."),
    "options": ("object", "Of the figure, as in likely.plots."),
}


def describe(cls: type[Any], parameters: Iterable[tuple[str, str, Any, str]]) -> None:
    """Put (name, type, default, meaning) of each parameter, and the attributes, into the docstring of a class."""
    if not cls.__doc__:  # python -OO
        return
    told = [(name, f"{kind}, default={default!r}", words) for name, kind, default, words in parameters]
    insert(cls, section("Parameters", told) + section("Attributes", attributes(cls)))
    for method in methods(cls).values():
        if not re.search(r"\n(Returns|Yields)\n---", method.__doc__ or ""):  # a base class is met more than once
            insert(method, section("Parameters", arguments(method)) + section(*returned(method)))


def attributes(cls: type[Any]) -> list[tuple[str, str, str]]:
    """(name, type, meaning) of what a fitted model has: properties, and annotations with words; its own first."""
    found: dict[str, tuple[str, str]] = {}
    for home in _homes(cls):
        for name, member in vars(home).items():
            if isinstance(member, property) and _learnt(name) and name not in found:
                found[name] = (kind_given(member.fget), (inspect.getdoc(member) or "").partition("\n")[0])
        for name, hint in inspect.get_annotations(home, eval_str=True).items():
            if _learnt(name) and hasattr(hint, "__metadata__") and name not in found:
                found[name] = hint.__metadata__
    return [(name, *told) for name, told in found.items()]


def methods(cls: type[Any]) -> dict[str, Callable[..., Any]]:
    """The public methods of an estimator that are not scikit-learn's, its own first."""
    found: dict[str, Callable[..., Any]] = {}
    for home in _homes(cls):
        for name, member in vars(home).items():
            function = getattr(member, "__func__", member)
            if not name.startswith("_") and inspect.isfunction(function):
                found.setdefault(name, function)
    return found


def arguments(method: Callable[..., Any]) -> list[tuple[str, str, str]]:
    """(name, type, meaning) of what a method takes."""
    told = []
    for one in inspect.signature(method).parameters.values():
        if one.name in ("self", "cls"):
            continue
        kind, words = METHOD_ARGUMENTS[one.name]
        usual = "" if one.default is one.empty else f", default={one.default!r}"
        told.append(("**options" if one.kind is one.VAR_KEYWORD else one.name, f"{kind}{usual}", words))
    return told


def _homes(cls: type[Any]) -> Iterator[type[Any]]:
    return (home for home in cls.__mro__ if home.__module__.startswith("likely."))


def _learnt(name: str) -> bool:
    return name.endswith("_") and not name.startswith("_")
