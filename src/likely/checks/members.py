"""Who the laws hold for: the members of likely, found by walking its packages."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from inspect import isabstract, signature
from itertools import pairwise
from typing import Any

from likely.beliefs.belief import Belief
from likely.checks.engine_laws import OPENINGS, Opening
from likely.core.schema import DISCRETE, KINDS, Text
from likely.families.predictor import Family
from likely.statistics import Statistic


def walk(package: str, wanted: Callable[[type], bool]) -> Iterator[type]:
    """The classes of a package, each in the module that defines it, that are wanted; protocols are no members.

    >>> [found.__name__ for found in walk("likely.beliefs", lambda one: one.__name__.startswith("Normal"))]
    ['NormalInverseGamma', 'NormalInverseWishart']
    """
    return (one for one in _classes(package) if not getattr(one, "_is_protocol", False) and wanted(one))


@cache
def _classes(package: str) -> tuple[type, ...]:
    root = import_module(package)
    names = [package, *(found.name for found in pkgutil.walk_packages(root.__path__, f"{package}."))]
    return tuple(
        found
        for module in map(import_module, names)
        for found in vars(module).values()
        if isinstance(found, type) and found.__module__ == module.__name__
    )


def statistics() -> dict[str, type[Statistic]]:
    """Every statistic.

    >>> sorted(statistics())
    ['Counts', 'GridCounts', 'Moments', 'Pairs', 'Points', 'Quartics', 'Scatter', 'Totals', 'Triples']
    """
    found = walk(
        "likely.statistics", lambda one: issubclass(one, Statistic) and one is not Statistic and not isabstract(one)
    )
    return {one.__name__: one for one in found}


def beliefs() -> dict[str, type[Belief]]:
    """Every belief.

    >>> sorted(beliefs())
    ['Beta', 'Dirichlet', 'Gamma', 'NormalInverseGamma', 'NormalInverseWishart']
    """
    found = walk("likely.beliefs", lambda one: issubclass(one, Belief) and one is not Belief)
    return {one.__name__: one for one in found}


def families() -> dict[str, Family]:
    """Every family of a kind of column: what has questions and a predictor.

    >>> sorted(families())
    ['BagOfWords', 'Categorical', 'Gaussian', 'Multivariate', 'ParzenWindow', 'Poisson', 'Windows']
    """
    found: Iterator[Any] = walk("likely.families", lambda one: hasattr(one, "questions") and hasattr(one, "predictor"))
    made = [one() for one in found]  # those of descriptions serve columns of no kind of their own
    return {type(one).__name__: one for one in made if {*one.kinds} <= {*KINDS, *DISCRETE}}


def engines() -> dict[str, type]:
    """Every engine: what surveys rows and hands them out in tasks.

    >>> sorted(engines())
    ['ArraySource', 'ArrowSource']
    """
    found = walk("likely.data", lambda one: hasattr(one, "survey") and hasattr(one, "tasks"))
    return {one.__name__: one for one in found}


def openings() -> dict[str, Opening]:
    """The ways to hand in a table whose libraries are installed.

    >>> "csv" in openings()
    True
    """
    return {name: opening for name, opening in OPENINGS.items() if name not in ("pandas", "polars") or find_spec(name)}


def classifiers() -> dict[str, type]:
    """Every generative classifier.

    >>> sorted(classifiers())
    ['AODE', 'AnDE', 'BayesClassifier', 'BayesForest', 'GaussianBayes', 'KDB', 'LinearDiscriminant', 'NaiveBayes',
     'NetworkClassifier', 'ParzenBayes', 'SPODE', 'TAN']
    """
    from likely.estimators.face.generative import GenerativeClassifier

    found = walk("likely.estimators", lambda one: issubclass(one, GenerativeClassifier) and "__init__" in vars(one))
    return {one.__name__: one for one in found}


def steady(classifier: type, kinds: Mapping[str, Any], **options: Any) -> Any:
    """A classifier that learns nothing but counts from rows of these kinds: what it learns of parts then adds up.

    Numbers are binned at given cut points, and which column depends on which is given, or learnt again from all counts.

    >>> steady(classifiers()["SPODE"], {"x": "real", "n": "category"}).parent
    'n'
    """
    from likely.structures import Structure
    from likely.structures.forest import ForestMember, ForestStructure

    names, able = list(kinds), [name for name, kind in kinds.items() if kind in DISCRETE]
    texts = {name for name, kind in kinds.items() if kind == "text" or isinstance(kind, Text)}
    before = {name: [other for other in able if names.index(other) < at] for at, name in enumerate(names)}
    parents = tuple(tuple(before[name][-2:]) if name not in texts else () for name in names)
    weights = tuple((0.0,) * len(mine) for mine in parents)
    numbers = [name for name in names if name not in {*able, *texts}]
    halves = [
        ForestMember(
            tuple(mine[:many] for mine in parents),
            tuple(edges if name in numbers else () for name in names),
            tuple(0.5 + many * (at % 3) / 4 for at in range(len(names))),
            tuple(0.75 if name in texts else 0.25 * many if name in numbers else 0.0 for name in names),
            informed=many == 1,
        )
        for many, edges in ((1, (0.5, 2.5)), (2, (1.5,)))
    ]
    forest = ForestStructure(tuple(names), tuple(name for name in names if name not in able), "y", tuple(halves))
    structure: Any = Structure(tuple(names), parents, weights, "y", "k-dependence")
    if classifier.__name__ in ("BayesForest", "BayesClassifier"):
        structure = forest if classifier.__name__ == "BayesForest" else _pool(kinds, options)
    known = {
        "numbers": "density",
        "cuts": {name: (0.5, 2.5) for name in names if name not in {*able, *texts}},
        "parent": able[0] if able else "auto",
        "relearn": classifier.__name__ == "TAN",
        "structure": structure,
        "network": _network([name for name in names if name not in texts], able),
    }
    accepted = set(signature(classifier).parameters)
    return classifier(
        kinds=dict(kinds), **{name: value for name, value in known.items() if name in accepted}, **options
    )


def _pool(kinds: Mapping[str, Any], options: Mapping[str, Any]) -> Any:
    """The structure of a pool of two models, which other rows with such columns taught."""
    from likely.checks.tables import table
    from likely.estimators.bayes.bayes_classifier import BayesClassifier

    rows = table(seed=1, rows=40, missing=0.0).only(list(kinds))
    missing = "informative" if options.get("missing") == "informative" else "ignore"  # empty texts are missing
    taught = BayesClassifier(candidates=["naive", "aode"], kinds=dict(kinds), missing=missing)
    return taught.fit(rows.X, rows.y).structure_


def _network(names: Sequence[str], able: Sequence[str]) -> dict[str, list[str]]:
    """Arcs of every sort, by child: to the class, from it, and between columns below it and apart from it."""
    before = {name: [other] for other, name in pairwise(able)}
    parents = {name: before.get(name, list(able[:1])) for name in names if name not in able[:1]}
    for name in list(parents)[::3]:
        parents[name] = [*parents[name], "y"]
    return {**{name: [] for name in able[:1]}, **parents, "y": list(able[:1])}
