"""The options of a classifier, written down in a model file and read back as they were given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.random import RandomState

from likely.core.schema import Parzen, Text, plain
from likely.errors import ModelError
from likely.estimators.face.pool_structure import PoolStructure
from likely.estimators.registry import ESTIMATORS, estimator
from likely.structures import Structure
from likely.structures.forest import ForestStructure
from likely.structures.graph import Graph
from likely.structures.search.evidence import BayesianDirichletScore
from likely.structures.search.nml import FactorizedNML, QuotientNML
from likely.structures.search.scores import FamilyScore, LikelihoodScore

SCORES_BY_NAME: dict[str, Any] = {
    "likelihood": LikelihoodScore,
    "dirichlet": BayesianDirichletScore,
    "fnml": FactorizedNML,
    "qnml": QuotientNML,
}


def write_params(params: Mapping[str, Any]) -> dict[str, Any]:
    """Options as JSON."""
    for name, value in params.items():
        if isinstance(value, RandomState):
            hint = f"set_params({name}=0) before saving: a model that is learnt needs it no more"
            raise ModelError(
                "M372", f"the RandomState of {name}= cannot be written down", place="save(path)", hint=hint
            )
    return {name: _write(value) for name, value in params.items()}


def read_params(page: Mapping[str, Any]) -> dict[str, Any]:
    """Options from JSON.

    >>> read_params(write_params({"kinds": {"x": Parzen("box"), 1: ["a", "b"]}, "smoothing": 1.0}))
    {'kinds': {'x': Parzen(kernel='box', bandwidth='silverman'), 1: ['a', 'b']}, 'smoothing': 1.0}
    """
    return {name: _read(value) for name, value in page.items()}


def _write(value: Any) -> Any:
    if isinstance(value, Parzen):
        return {"parzen": [value.kernel, value.bandwidth]}
    if isinstance(value, Text):
        return {"text": [value.bag]}
    if isinstance(value, Structure):
        return {"structure": value.to_dict()}
    if isinstance(value, PoolStructure):
        return None  # it is the model itself, which the file holds anyway
    if isinstance(value, ForestStructure):
        return {"forest": value.to_dict()}
    if hasattr(value, "nodes") and hasattr(value, "edges"):  # of a network the arcs; its tables were learnt anew
        graph = Graph.of(getattr(value, "graph", None) or value)
        return {"graph": [list(graph.nodes), [list(mine) for mine in graph.parents]]}
    if hasattr(value, "get_params"):
        return {"estimator": [_own(value), write_params(value.get_params(deep=False))]}
    if isinstance(value, FamilyScore):
        return {"score": [_score(value), asdict(value)]}
    if isinstance(value, Mapping):
        return {"pairs": [[plain(key), _write(item)] for key, item in value.items()]}
    if isinstance(value, list | tuple | np.ndarray):
        return [_write(item) if isinstance(item, list | tuple) else plain(item) for item in value]
    return None if value is None else plain(value) if isinstance(value, np.generic) else value


def _own(given: Any) -> str:
    """The name of an estimator of likely: of others nothing is known."""
    name = type(given).__name__
    if name not in ESTIMATORS or estimator(name) is not type(given):
        hint = "boost or bag an estimator of likely, such as DecisionTree, to save it to a file"
        raise ModelError("M372", f"a {name} of another package cannot be written down", place="save(path)", hint=hint)
    return name


def _score(value: FamilyScore) -> str:
    found = next((name for name, kind in SCORES_BY_NAME.items() if type(value) is kind), None)
    if found is None:
        hint = "set_params(score='bic') before saving: a model that is learnt needs it no more"
        raise ModelError("M365", f"the score {value.name!r} cannot be written down", place="save(path)", hint=hint)
    return found


def _read(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if "pairs" in value:
        return {key: _read(item) for key, item in value["pairs"]}
    if "estimator" in value:
        name, params = value["estimator"]
        return estimator(name)(**read_params(params))
    if "score" in value:
        kind, fields = value["score"]
        return SCORES_BY_NAME[kind](**fields)
    if "graph" in value:
        nodes, parents = value["graph"]
        return Graph(tuple(nodes), tuple(map(tuple, parents)))
    if "forest" in value:
        return ForestStructure.from_dict(value["forest"])
    if "structure" in value:
        return Structure.from_dict(value["structure"])
    return Parzen(*value["parzen"]) if "parzen" in value else Text(*value["text"])
