"""What is handed in to be compared, as pairs of a name and a thing."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from likely.errors import OptionError
from likely.plots.typeface import short, shorts


def named(given: Any, field: str, place: str, title: Callable[[Any], str], most: int = 24) -> list[tuple[str, Any]]:
    """(name, thing) for one thing with that field, a sequence of them, or a mapping from names to them.

    >>> named({"red": 1j, "blue": 2j}, "real", "x", str)
    [('red', 1j), ('blue', 2j)]
    """
    if hasattr(given, field):
        return [(title(given), given)]
    if isinstance(given, Mapping) and given:
        pairs = list(given.items())
    elif isinstance(given, Sequence) and not isinstance(given, str) and given:
        pairs = [(at, thing) for at, thing in enumerate(given, start=1)]
    else:
        pairs = [("", given)]
    for _, thing in pairs:
        expect(thing, field, place, "a result of likely.evaluation, or several by name")
    names = [f"{name}: {title(thing)}" if isinstance(given, Sequence) else name for name, thing in pairs]
    return list(zip(shorts(names, most), (thing for _, thing in pairs), strict=True))


def model_names(models: Sequence[Any]) -> list[str]:
    """A name for each model: its class, and those of its settings that tell it from the others or are not the usual.

    Models that are the same in all of them are numbered.

    >>> import likely
    >>> model_names([likely.NaiveBayes(), likely.NaiveBayes(estimate="mle"), likely.TAN(), likely.TAN()])
    ['NaiveBayes bayes', 'NaiveBayes mle', 'TAN 1', 'TAN 2']
    """
    names = []
    for model in models:
        alike = [_settings(other) for other in models if type(other) is type(model)]
        mine = _settings(model)
        told = (_setting(name, mine[name]) for name in mine if _telling(name, type(model), alike))
        names.append(" ".join([type(model).__name__, *filter(None, told)]))
    return [f"{name} {names[: at + 1].count(name)}" if names.count(name) > 1 else name for at, name in enumerate(names)]


def _settings(model: Any) -> dict[str, Any]:
    """The settings of a model, in the order in which they are given to its class."""
    if not hasattr(model, "get_params"):
        return {}
    given = model.get_params(deep=False)
    return {name: given[name] for name in inspect.signature(type(model)).parameters if name in given}


def _telling(name: str, kind: type, alike: list[dict[str, Any]]) -> bool:
    """Whether a setting differs among models of a class, or is the same word or number in all, but not the usual."""
    values = [settings[name] for settings in alike if name in settings]
    if len(set(map(repr, values))) > 1:
        return True
    usual = inspect.signature(kind).parameters[name].default
    return isinstance(values[0], str | int | float) and values[0] != usual


def _setting(name: str, value: Any) -> str:
    if value is None or value is False:
        return ""
    return value if isinstance(value, str) else name if value is True else f"{name}={short(value, 12)}"


def expect(thing: Any, field: str, place: str, wanted: str) -> None:
    """An error unless the thing has the field that makes it what is wanted."""
    if not hasattr(thing, field):
        what = f"{type(thing).__name__} is not what is drawn or saved here: it has no {field}"
        raise OptionError("O374", what, place=place, hint=f"give {wanted}")
