"""Bayes' rule over named hypotheses."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import SupportsFloat, TypeVar

from likely.errors import OptionError, nearest

PRIOR_SUM_SLACK = 1e-3  # how far a prior may be from summing to one: probabilities are often written with few decimals
Hypothesis = TypeVar("Hypothesis", bound=Hashable)


def bayes_rule(
    prior: Mapping[Hypothesis, SupportsFloat], likelihood: Mapping[Hypothesis, SupportsFloat]
) -> dict[Hypothesis, float]:
    """The posterior of each hypothesis, in the order of the prior: prior × likelihood, normalised.

    The sum is taken in log space, so that evidence of 1e-300 is still evidence. A prior sums to one, within a
    thousandth, as probabilities are written with few decimals; or it is whole numbers, which are taken as odds, such as
    counts, 3 to 1. Of a likelihood only ratios matter: it may be a density.

    A mammogram: one woman in 250 is ill; of the ill 80 % test positive, of the healthy 10 %.

    >>> posterior = bayes_rule({"ill": 0.004, "healthy": 0.996}, {"ill": 0.8, "healthy": 0.1})
    >>> round(posterior["ill"], 6)
    0.031128

    >>> bayes_rule({"ill": 0.004, "healthy": 0.996}, {"ill": 0.8, "heathy": 0.1})
    Traceback (most recent call last):
    likely.errors.OptionError: [O211] the prior has no hypothesis 'heathy', which the likelihood names
      at: prior=
      hint: both must name the same hypotheses. Did you mean 'healthy'?
    """
    before, evidence = _mapping("prior", prior), _mapping("likelihood", likelihood)
    _same_names(before, evidence)
    logs = {name: (_log("prior", name, before[name]), _log("likelihood", name, evidence[name])) for name in before}
    _refuse_sum(before)
    joint = {name: prior + likelihood for name, (prior, likelihood) in logs.items()}
    top = max(joint.values())
    if top == -math.inf:
        what = "the evidence is impossible under every hypothesis with a positive prior"
        hint = "some hypothesis must have both its prior and its likelihood above zero"
        raise OptionError("O213", what, place="bayes_rule", hint=hint)
    log_total = top + math.log(math.fsum(math.exp(value - top) for value in joint.values()))
    return {name: math.exp(value - log_total) for name, value in joint.items()}


def _mapping(name: str, given: Mapping[Hypothesis, SupportsFloat]) -> dict[Hypothesis, SupportsFloat]:
    """A copy of the mapping, which must have something in it."""
    try:
        found = dict(given)
    except (TypeError, ValueError):
        what = f"the {name} must map hypotheses to numbers, not be a {type(given).__name__}"
        raise OptionError("O210", what, place=f"{name}=", hint="say {hypothesis: number, ...}") from None
    if not found:
        raise OptionError(
            "O210", f"the {name} names no hypothesis", place=f"{name}=", hint="say {hypothesis: number, ...}"
        )
    return found


def _same_names(prior: dict[Hypothesis, SupportsFloat], likelihood: dict[Hypothesis, SupportsFloat]) -> None:
    """Refuse a hypothesis that only one of the two knows."""
    # The likelihood's extra names first: a misspelt one is missing on both sides, and is the one to point at.
    for here, there, named, missing in (
        (likelihood, prior, "likelihood", "prior"),
        (prior, likelihood, "prior", "likelihood"),
    ):
        for name in here:
            if name not in there:
                what = f"the {missing} has no hypothesis {name!r}, which the {named} names"
                hint = f"both must name the same hypotheses.{nearest(name, there)}"
                raise OptionError("O211", what, place=f"{missing}=", hint=hint)


def _refuse_sum(prior: dict[Hypothesis, SupportsFloat]) -> None:
    """Refuse probabilities that do not sum to one: one of them is wrong, or a hypothesis is missing."""
    given = [float(value) for value in prior.values()]
    total = math.fsum(given)
    if abs(total - 1) > PRIOR_SUM_SLACK and not all(value.is_integer() for value in given):
        hint = "is a number wrong, or a hypothesis missing? Divide weights by their sum; whole numbers are odds"
        raise OptionError("O217", f"the prior sums to {total:.6g}, not to 1", place="prior=", hint=hint)


def _log(kind: str, name: object, value: SupportsFloat) -> float:
    """The logarithm of a prior or a likelihood; of zero, minus infinity."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0 <= number < math.inf:
        told = f"the {kind} of {name!r} must be a number of zero or more, not {value!r}"
        raise OptionError("O212", told, place=f"{kind}=", hint="give probabilities, or numbers in proportion to them")
    return math.log(number) if number else -math.inf
