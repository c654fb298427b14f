"""Options of estimators, declared once: the constructor, the check at fit, `help` and the API page follow from that.

An option is an annotated attribute with a default, as in a dataclass; its type, limits and words stand together:

    k: Annotated[int, Limits("O392", "say how many parents", least=0), "The most parents of a column."] = 2

A constructor only stores what it is given, as scikit-learn wants it; `check_options` is for `fit`.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from types import MethodType, NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, dataclass_transform, get_args, get_origin

import numpy as np

from likely.core.cache import cached_property
from likely.errors import OptionError, nearest
from likely.errors.options import is_number, is_whole, unknown
from likely.estimators.face.docstrings import describe

C = TypeVar("C", bound=type[Any])


@dataclass(frozen=True)
class Limits:
    """The code and hint of a value that an option cannot have, and the range of a number.

    Without a code, the option is checked by what reads it: a density, a search, the growth of a tree. `spelling` is how
    a word is written here, where other spellings are taken too.
    """

    code: str = ""
    hint: str = ""
    least: float | None = None
    above: float | None = None
    most: float | None = None
    spelling: Callable[[str], str] = str

    def hold(self, value: Any) -> bool:
        """Whether a number is in the range."""
        low = -math.inf if self.least is None else self.least
        high = math.inf if self.most is None else self.most
        return bool(low <= value <= high and (self.above is None or value > self.above))

    def __str__(self) -> str:
        """The range in words, such as "from 0 to 1"."""
        words = [] if self.least is None else [f"from {self.least:g}"]
        words += [] if self.above is None else [f"above {self.above:g}"]
        return " ".join([*words, *([] if self.most is None else [f"to {self.most:g}"])])


@dataclass(frozen=True)
class ShownType:
    """How documentation shows a type that is too wide to be written down."""

    words: str


@dataclass(frozen=True)
class DeclaredOption:
    """An option of an estimator: its name, type, default, limits, and what it means."""

    name: str
    type: Any
    default: Any
    limits: Limits
    words: str
    shown: str = ""

    @cached_property
    def alternatives(self) -> tuple[Any, ...]:
        """The types that a value can have."""
        return get_args(self.type) if get_origin(self.type) in (Union, UnionType) else (self.type,)

    @cached_property
    def choices(self) -> tuple[str, ...]:
        """The words that can be said."""
        return tuple(word for one in self.alternatives if get_origin(one) is Literal for word in get_args(one))

    @property
    def type_words(self) -> str:
        """The type as numpydoc writes it, such as "{'gini', 'entropy'}" or "int from 1 or None"."""
        if self.shown:
            return self.shown
        return " or ".join(self._type_words(one) for one in self.alternatives)

    def _type_words(self, one: Any) -> str:
        if get_origin(one) is Literal:
            return f"{{{', '.join(map(repr, get_args(one)))}}}"
        if one in (int, float):
            return f"{one.__name__} {self.limits}".rstrip()
        return "None" if one is NoneType else str(one.__name__)

    def check(self, value: Any) -> None:
        """An error if the option cannot have that value."""
        limits, choices = self.limits, self.choices
        if not limits.code or any(self._fits(one, value) for one in self.alternatives):
            return
        worded = choices and not any(one in (int, float, bool) for one in self.alternatives)
        if worded and NoneType not in self.alternatives:
            raise unknown(value, choices, self.name, limits.code)
        what = f"unknown {self.name} {value!r}" if worded else f"{self.name} is {value!r}"
        hint = limits.hint + (nearest(value, choices) if choices else "")
        raise OptionError(limits.code, what, place=f"{self.name}=", hint=hint)

    def _fits(self, one: Any, value: Any) -> bool:
        if get_origin(one) is Literal:
            return isinstance(value, str) and self.limits.spelling(value) in get_args(one)
        if one is NoneType:
            return value is None
        if one is bool or isinstance(value, bool | np.bool_):
            return one is bool and isinstance(value, bool | np.bool_)
        if one not in (int, float):
            return isinstance(value, one)
        return (is_whole(value) if one is int else is_number(value)) and self.limits.hold(value)


class BesideMethod:
    """The default of an option that has the name of a method, such as `score`, which scikit-learn calls.

    Three things must hold at once: on the class the name is a function (scikit-learn's metadata routing looks for one),
    `model.score(X, y)` calls it, and `model.score = "aic"`, which is how scikit-learn sets options, does not hide it. A
    property fails the first, an option held under a private name the last.
    """

    def __init__(self, default: Any, method: Callable[..., Any]) -> None:
        self.default, self.method = default, method

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, model: Any, owner: type) -> Any:
        return self.method if model is None else MethodType(self.method, model)

    def __set__(self, model: Any, value: Any) -> None:
        vars(model)[self.name] = value


@dataclass_transform(eq_default=False, field_specifiers=(field,))
def declared(cls: C) -> C:
    """The class with the constructor and the documentation of the options that it declares, in their order.

    >>> @declared
    ... class Chain:
    ...     '''A chain.'''
    ...     k: Annotated[int, Limits("O392", "say how many parents", least=0), "The most parents of a column."] = 2
    >>> vars(Chain(3))
    {'k': 3}
    >>> print(Chain.__doc__)
    A chain.
    <BLANKLINE>
    Parameters
    ----------
    k : int from 0, default=2
        The most parents of a column.
    >>> check_options(Chain(-1))
    Traceback (most recent call last):
    likely.errors.OptionError: [O392] k is -1
      at: k=
      hint: say how many parents
    """
    hints = inspect.get_annotations(cls, eval_str=True)
    beside = {name: value for name, value in vars(cls).items() if isinstance(value, BesideMethod)}
    for name, value in beside.items():
        setattr(cls, name, value.default)
    dataclass(eq=False, repr=False, match_args=False)(cls)
    options = tuple(_option(one.name, hints[one.name], one.default) for one in fields(cls) if one.init)
    for option in options:
        delattr(cls, option.name)  # defaults are the constructor's
    for name, value in beside.items():
        setattr(cls, name, value)
    cls.__init__.__annotations__ = {**{option.name: option.type for option in options}, "return": None}
    cls._declared_options = options
    describe(cls, [(option.name, option.type_words, option.default, option.words) for option in options])
    return cls


SWITCH = Limits("O399", "say True or False")


def _option(name: str, hint: Any, default: Any) -> DeclaredOption:
    bare, *said = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    limits = next((one for one in reversed(said) if isinstance(one, Limits)), SWITCH if bare is bool else Limits())
    words = next((one for one in reversed(said) if isinstance(one, str)), "")
    shown = next((one.words for one in reversed(said) if isinstance(one, ShownType)), "")
    return DeclaredOption(name, bare, default, limits, words, shown)


def declared_options(kind: type[Any]) -> tuple[DeclaredOption, ...]:
    """The options that an estimator declares, in the order of its constructor."""
    return kind._declared_options  # type: ignore[no-any-return]


def check_options(model: Any) -> None:
    """An error if an option of the estimator has a value that it cannot have."""
    for option in declared_options(type(model)):
        option.check(getattr(model, option.name))
