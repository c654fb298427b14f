"""The scores by the names that users type."""

from __future__ import annotations

from typing import Any

from likely.errors import OptionError
from likely.errors.advice import Advice, Option
from likely.errors.options import number, unknown
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
        _check_pseudo_counts(prior, "prior")
        if canonical_name(score) != "dirichlet":
            hint = Advice("say ", Option("score", "dirichlet"), ", or leave ", Option("prior"), " out")
            raise OptionError("O494", f"{score!r} takes no pseudo-counts", place="prior=", hint=hint)
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
    raise unknown(score, (*GRAPH_SCORES, EXPERT), "score", "O488")


def canonical_name(name: Any) -> Any:
    """A name as it is written here: BDeu is bdeu, and log_likelihood log-likelihood."""
    return name.lower().replace("_", "-") if isinstance(name, str) else name


def check_strength(strength: Any) -> None:
    """An error unless it is a number of pseudo-counts."""
    _check_pseudo_counts(strength, "strength")


def _check_pseudo_counts(value: Any, option: str) -> None:
    number(value, option, "O500", above=0, hint="say how many pseudo-counts, more than 0")
