"""Decisions: actions taken on probabilities, which stay as they are."""

from typing import TYPE_CHECKING

from likely.core.deprecated import old_names
from likely.core.docstrings import describe_public
from likely.decisions.actions import decide, decide_above, thresholds
from likely.decisions.losses import LOSSES, read_loss
from likely.decisions.operating_points import OperatingPoint, best_threshold, neyman_pearson
from likely.decisions.priors import reweigh
from likely.decisions.risk import Decisions, expected_error, expected_risk, judge
from likely.decisions.shift import Shift, estimate_priors
from likely.decisions.threshold_suggestion import SuggestedThreshold, suggest_threshold

__all__ = [
    "LOSSES",
    "Decisions",
    "OperatingPoint",
    "Shift",
    "SuggestedThreshold",
    "best_threshold",
    "decide",
    "decide_above",
    "estimate_priors",
    "expected_error",
    "expected_risk",
    "judge",
    "neyman_pearson",
    "read_loss",
    "reweigh",
    "suggest_threshold",
    "thresholds",
]

describe_public(__name__)

if not TYPE_CHECKING:  # seeing it, a type checker would accept any name at all
    __getattr__ = old_names(__name__)
