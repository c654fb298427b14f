"""The scores by the names that users type."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.errors import OptionError, nearest
from likely.structures.search.evidence import BayesianDirichletScore
from likely.structures.search.nml import FactorizedNML, QuotientNML
from likely.structures.search.scores import FamilyScore, LikelihoodScore

GRAPH_SCORES = ("bic", "aic", "mdl", "log-likelihood", "bdeu", "k2", "jeffreys", "dirichlet", "fnml", "qnml")
EXPERT = "bde"  # the score that needs a prior network


def read_score(score: str | FamilyScore, strength: float = 1.0, prior: Any = None) -> FamilyScore:
    """The score of that name. `strength` is for "bdeu", `prior` the pseudo-counts in each entry for "dirichlet".

    >>> read_score("k2")
    BayesianDirichletScore(name='k2', added=1.0, strength=1.0)
    """
    check_strength(strength)
    if prior is not None:
        _check_number(prior, "prior=")
        if canonical_name(score) != "dirichlet":
            hint = "say score='dirichlet', or leave prior= out"
            raise OptionError("O488", f"{score!r} takes no pseudo-counts", place="prior=", hint=hint)
    if isinstance(score, FamilyScore):
        return score
    score = canonical_name(score)
    if score == "log-likelihood":
        return LikelihoodScore(score, 0.0)
    if score == "aic":
        return LikelihoodScore(score, 1.0)
    if score in ("bic", "mdl"):
        return LikelihoodScore(score)
    if score == "bdeu":
        return BayesianDirichletScore(score, None, float(strength))
    if score in ("k2", "jeffreys", "dirichlet"):
        return BayesianDirichletScore(
            score, {"k2": 1.0, "jeffreys": 0.5}.get(score, 1.0 if prior is None else float(prior))
        )
    if score in ("fnml", "qnml"):
        return FactorizedNML() if score == "fnml" else QuotientNML()
    known = (*GRAPH_SCORES, EXPERT)
    hint = f"choose one of {', '.join(map(repr, known))}.{nearest(score, known)}"
    raise OptionError("O488", f"unknown score {score!r}", place="score=", hint=hint)


def canonical_name(name: Any) -> Any:
    """A name as it is written here: BDeu is bdeu, and log_likelihood log-likelihood."""
    return name.lower().replace("_", "-") if isinstance(name, str) else name


def check_strength(strength: Any) -> None:
    """An error unless it is a number of pseudo-counts."""
    _check_number(strength, "strength=")


def _check_number(value: Any, place: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 < value < np.inf:
        what, hint = f"{place[:-1]} is {value!r}", "say how many pseudo-counts, more than 0"
        raise OptionError("O488", what, place=place, hint=hint)
