"""Options are declared once: constructors, checks at fit and documentation agree with the declaration."""

from __future__ import annotations

import copy
import inspect
import pickle
from types import NoneType

import numpy as np
import pytest
from sklearn.base import clone

import likely
from likely.errors import OptionError
from likely.estimators.face.docstrings import methods
from likely.estimators.face.options import DeclaredOption, declared_options
from likely.estimators.registry import ESTIMATORS, estimator

KINDS = [estimator(name) for name in ESTIMATORS]
OPTIONS = [(kind, option) for kind in KINDS for option in declared_options(kind)]
NAMES = [f"{kind.__name__}.{option.name}" for kind, option in OPTIONS]
# what else must be said for an option to be read
NEEDED = {
    ("DecisionTree", "alpha"): {"prune": "cost-complexity"},
    ("RegressionTree", "alpha"): {"prune": "cost-complexity"},
    ("DecisionTree", "confidence"): {"prune": "pessimistic"},
    ("NetworkClassifier", "strength"): {"score": "bdeu"},
    ("NetworkClassifier", "bins"): {"kinds": "real"},
}
X = np.array([[0.0, 1.5, 0.2], [1.0, 2.5, 1.1], [2.0, 0.5, 0.3], [3.0, 1.0, 2.2], [4.0, 3.0, 0.7], [5.0, 2.0, 1.9]] * 4)


def fitted(kind, option, value):
    said = {**NEEDED.get((kind.__name__, option.name), {}), option.name: value}
    y = X[:, 0] + X[:, 1] if ESTIMATORS[kind.__name__].numeric else ["a", "b"] * 12
    return kind(**said).fit(X, y)


@pytest.mark.parametrize(("kind", "option"), OPTIONS, ids=NAMES)
def test_every_word_that_is_declared_is_taken_and_others_are_refused_by_naming_those(kind, option):
    if not option.choices:
        return
    for word in option.choices:
        fitted(kind, option, word)
    with pytest.raises(OptionError) as caught:
        fitted(kind, option, "nonsense")
    assert caught.value.place == f"{option.name}="
    said = set(option.choices) - {"ridge", "lasso"}  # names of 'l2' and 'l1' that the hint has beside them
    assert all(word in caught.value.hint for word in said)


def outside(option: DeclaredOption):
    """Numbers just outside the limits of an option, and what is no number."""
    limits = option.limits
    step = 1 if int in option.alternatives else 1e-9
    yield from [limits.least - step] if limits.least is not None else []
    yield from [limits.above] if limits.above is not None else []
    yield from [limits.most + step] if limits.most is not None else []
    yield float("nan")


@pytest.mark.parametrize(("kind", "option"), OPTIONS, ids=NAMES)
def test_numbers_outside_the_declared_limits_are_refused(kind, option):
    limits = option.limits
    if limits.least is limits.above is limits.most is None:
        return
    for number in outside(option):
        with pytest.raises(OptionError) as caught:
            fitted(kind, option, number)
        assert caught.value.place == f"{option.name}=", number
    if int in option.alternatives:
        with pytest.raises(OptionError):
            fitted(kind, option, 2.5)


@pytest.mark.parametrize(("kind", "option"), OPTIONS, ids=NAMES)
def test_declarations_hold_their_defaults_and_have_words(kind, option):
    assert option.words
    assert option.default is not None or NoneType in option.alternatives or option.shown
    option.check(option.default)
    if option.type is bool:
        with pytest.raises(OptionError):
            fitted(kind, option, "yes")


@pytest.mark.parametrize("kind", KINDS)
def test_constructors_and_docstrings_have_the_declared_options(kind):
    names = [option.name for option in declared_options(kind)]
    assert list(inspect.signature(kind).parameters) == names
    assert set(kind().get_params()) >= set(names)
    text = kind.__doc__
    start, end = text.index("Parameters\n----------\n"), text.index("Attributes\n----------\n")
    described = [line.split(" : ")[0] for line in text[start:end].splitlines()[2:] if line and line[0] != " "]
    assert described == names
    assert text.index("Examples\n--------\n>>> ") > end


@pytest.mark.parametrize("kind", KINDS)
def test_every_public_method_says_what_it_takes_and_gives_and_shows_it(kind):
    for name, method in methods(kind).items():
        text = method.__doc__
        takes = [one for one in inspect.signature(method).parameters if one not in ("self", "cls")]
        start = text.index("Parameters\n----------\n") if takes else 0
        end = text.index("Yields\n------\n" if "Yields\n" in text else "Returns\n-------\n")
        lines = text[start:end].splitlines()[2:] if takes else []
        described = [line.split(" : ")[0].strip("*") for line in lines if line and line[0] != " "]
        assert described == takes, name
        assert text.index("Examples\n--------\n>>> ") > end, name
    fit = kind.fit.__doc__
    assert fit.count("Parameters\n---") == fit.count("Returns\n---") == 1  # classes that share a method tell it once


@pytest.mark.parametrize("kind", KINDS)
def test_options_are_stored_as_they_are_given_and_nothing_else_is(kind):
    said = {option.name: object() for option in declared_options(kind)}
    model = kind(**said)
    assert vars(model) == said
    assert clone(kind()).get_params() == kind().get_params()
    for twin in (pickle.loads(pickle.dumps(kind())), copy.deepcopy(kind())):
        assert type(twin) is kind
        assert twin.get_params() == kind().get_params()
    assert repr(kind()) == f"{kind.__name__}()"
    with pytest.raises(TypeError, match="unexpected keyword argument 'nonsense'"):
        kind(nonsense=1)


class Own(likely.KDB):
    """A subclass with a constructor of its own."""

    def __init__(self, parents=1):
        self.parents = parents
        super().__init__(k=parents)


class Renamed(likely.KDB):
    """A subclass without one."""


def test_subclasses_of_users_keep_working():
    model = clone(Own(2)).fit(X, ["a", "b"] * 12)
    assert (model.get_params(), model.k) == ({"parents": 2}, 2)
    with pytest.raises(OptionError, match="O392"):
        Own(-1).fit(X, ["a", "b"] * 12)
    assert clone(Renamed(k=0)).fit(X, ["a", "b"] * 12).k == 0
