"""A threshold suggested by what mistakes cost, held against rows whose classes are known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.schema import Level
from likely.data.targets.class_lists import read_classes
from likely.data.targets.label_codes import read_codes
from likely.data.targets.probabilities import read_proba
from likely.data.weights import read_weights, weighted_mean
from likely.decisions.actions import thresholds, two_classes
from likely.decisions.losses import read_loss
from likely.decisions.operating_points import best_threshold
from likely.output.jsonable import Written

STANDARD_ERRORS_OF_DISAGREEMENT = 3.0  # beyond, rows have other shares of the classes than the model expects
STANDARD_ERRORS_OF_BEST_OF_MANY = 3.0  # the best of all thresholds saves two of them by chance too often


@dataclass(frozen=True, repr=False)
class SuggestedThreshold(Written):
    """Decide `positive` where its probability is at least `threshold`.

    `by_costs` is the threshold that follows from the costs if the probabilities are right, `on_rows` the one that costs
    least on the rows; the first is suggested unless the second saves more than chance would (`saving` a row, and its
    standard error `error`). `costs` are those of a row at each, at 0.5, and of deciding always and never; `recall` and
    `precision` are those at the suggested threshold, `decided` the share of rows that it decides positive; `share` of
    the rows are positive, `expected` by their probabilities; `shifted`: chance hardly makes these differ so.

    >>> from likely.decisions import suggest_threshold
    >>> y, proba = list("nnynyy"), [[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.6, 0.4], [0.2, 0.8], [0.1, 0.9]]
    >>> found = suggest_threshold(y, proba, ["n", "y"], {("y", "n"): 4})
    >>> found.threshold, found.recall
    (0.2, 1.0)
    """

    positive: Level
    threshold: float
    by_costs: float
    on_rows: float
    saving: float
    error: float
    costs: dict[str, float]
    recall: float
    precision: float
    decided: float
    share: float
    expected: float
    shifted: bool
    _written = (
        "positive", "threshold", "by_costs", "on_rows", "saving", "error", "costs", "recall", "precision", "decided",
        "share", "expected", "shifted", "words",
    )  # fmt: skip

    @property
    def words(self) -> str:
        """Which threshold to take, and why."""
        take = f"Take {self.threshold:.4g}" if 0 <= self.threshold <= 1 else f"Never decide {self.positive!r}"
        if self.threshold != self.by_costs:
            why = f"it saves {self.saving:.4g} a row, more than chance would: the probabilities are off"
            if not self.shifted:
                return f"{take}, which costs least on these rows: {why}, recalibrate them."
            means = f"{self.expected:.1%} of the rows should be {self.positive!r}, and {self.share:.1%} are"
            cure = "say the class priors of such rows, or recalibrate"
            return f"{take}, which costs least on these rows: {why} ({means}): {cure}."
        if self.saving <= 0:
            return f"{take}, which follows from the costs: no other costs less on these rows."
        other = f"{self.on_rows:.4g}" if self.on_rows <= 1 else "never deciding so"
        less = f"{other} costs {self.saving:.4g} a row less on these rows, which may be chance"
        return f"{take}, which follows from the costs: {less}."

    def __repr__(self) -> str:
        told = {
            f"{self.by_costs:.4g}, by the costs": "by_costs",
            f"{self.on_rows:.4g}, least on these rows"
            if self.on_rows <= 1
            else "never, least on these rows": "on_rows",
            "0.5, the likeliest class": "half",
            f"always {self.positive}": "always",
            f"never {self.positive}": "never",
        }
        wide = max(map(len, told))
        lines = [f"  {words:<{wide}}  {self.costs[name]:.4g} a row" for words, name in told.items()]
        found = f"It finds {self.recall:.1%} of {self.positive}, and {self.precision:.1%} of those decided so are."
        return "\n".join(["what a threshold costs:", *lines, self.words, *([found] if self.decided else [])])


def suggest_threshold(
    y: Any, proba: Any, classes: Any, loss: Any = None, positive: Any = None, weights: Any = None
) -> SuggestedThreshold:
    """The threshold on P(positive) for these costs, on rows of the classes y that the model has not learnt.

    `loss` is as of `decide`; `positive` is the second of two classes, if not said.

    >>> y, proba = list("nnynyy"), [[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.6, 0.4], [0.2, 0.8], [0.1, 0.9]]
    >>> found = suggest_threshold(y, proba, ["n", "y"])
    >>> found.threshold, round(found.costs["half"], 3)
    (0.5, 0.167)
    """
    known = read_classes(classes)
    at, other = two_classes(known, positive)
    matrix = read_loss(loss, known)
    codes = read_codes(y, known)
    given = read_weights(weights, len(codes))
    share = read_proba(proba, 2, len(codes))[:, at]
    by_costs = thresholds(matrix, known, known[at])[1]
    hits = codes == at
    point = best_threshold(hits.astype(int), share, 1, matrix[np.ix_([other, at], [other, at])], given)
    on_rows = _between(share, point.threshold)

    def paid(threshold: float) -> Floats:
        return np.asarray(matrix[codes, np.where(share >= threshold, at, other)])

    saved = paid(by_costs) - paid(on_rows)
    saving = weighted_mean(saved, given)
    spread = np.sqrt(weighted_mean((saved - saving) ** 2, given) / len(codes))
    threshold = on_rows if saving > STANDARD_ERRORS_OF_BEST_OF_MANY * spread else by_costs
    limits = {"by_costs": by_costs, "on_rows": on_rows, "half": 0.5, "always": -np.inf, "never": np.inf}
    flagged = share >= threshold
    positives, expected = weighted_mean(hits, given), weighted_mean(share, given)
    uncertainty = weighted_mean(share * (1.0 - share), given)
    return SuggestedThreshold(
        known[at],
        threshold,
        by_costs,
        on_rows,
        saving,
        float(spread),
        {name: weighted_mean(paid(limit), given) for name, limit in limits.items()},
        _share_of(flagged, hits, given),
        _share_of(hits, flagged, given),
        weighted_mean(flagged, given),
        positives,
        expected,
        abs(expected - positives) > STANDARD_ERRORS_OF_DISAGREEMENT * float(np.sqrt(uncertainty / len(codes))),
    )


def _between(share: Floats, threshold: float | None) -> float:
    """A threshold half-way to the next lower score: rounded, it parts the rows as it did."""
    if threshold is None:
        return float("inf")
    lower = share[share < threshold]
    return float((threshold + lower.max()) / 2) if len(lower) else float(threshold)


def _share_of(which: Array, among: Array, weights: Floats | None) -> float:
    """The share of rows among some; NaN where there are none."""
    if not among.any():
        return float("nan")
    return weighted_mean(which[among], None if weights is None else weights[among])
