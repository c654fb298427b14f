"""Decisions: actions taken on probabilities, which stay as they are."""

from likely.decisions.actions import decide, decide_above, thresholds
from likely.decisions.losses import NAMED_LOSSES, read_loss
from likely.decisions.operating_points import OperatingPoint, best_threshold, neyman_pearson
from likely.decisions.priors import reweigh
from likely.decisions.risk import Decisions, bayes_error, expected_risk, judge
from likely.decisions.shift import Shift, estimate_priors

__all__ = [
    "NAMED_LOSSES",
    "Decisions",
    "OperatingPoint",
    "Shift",
    "bayes_error",
    "best_threshold",
    "decide",
    "decide_above",
    "estimate_priors",
    "expected_risk",
    "judge",
    "neyman_pearson",
    "read_loss",
    "reweigh",
    "thresholds",
]
