"""ROC curves: detections against false alarms over every threshold, and the area under them; also class by class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import betaincinv, expit, logit, ndtri

from likely.core.numerics import Floats
from likely.core.schema import Level, plain
from likely.data.targets.class_lists import read_classes, read_positive
from likely.data.targets.label_codes import read_codes, read_hits
from likely.data.targets.probabilities import read_numbers, read_scores
from likely.data.weights import read_weights
from likely.errors import OptionError
from likely.evaluation.curves.thresholds import ThresholdCounts, pooled, walk
from likely.evaluation.log_odds import log_odds
from likely.evaluation.rows.evaluation_rows import log_probabilities, read_fitted
from likely.evaluation.scores import read_level
from likely.output.draw import Drawn
from likely.output.jsonable import Written

LEAST_STANDARD_ERROR = 1e-12  # below it the classes are fully apart: their weights do not add up exactly


@dataclass(frozen=True, eq=False)
class Hull:
    """The corners of the convex hull of a ROC curve: the thresholds that some loss and some priors ask for.

    >>> from likely.evaluation import roc
    >>> curve = roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], 1)
    >>> curve.convex_hull().thresholds.tolist(), curve.thresholds.tolist()
    ([inf, 0.8, 0.35, 0.1], [inf, 0.8, 0.4, 0.35, 0.1])
    """

    false_positive_rate: Floats
    true_positive_rate: Floats
    thresholds: Floats
    auc: float


@dataclass(frozen=True, eq=False, repr=False)
class Roc(Written, Drawn):
    """(points,) arrays: the rates of false and true positives where "score >= threshold" is called positive.

    The first point calls nothing positive, so its threshold is infinite; rows of equal scores share one point.
    `auc` is the chance that a positive row scores above a negative one, ties counting half (Mann-Whitney);
    `positives` and `negatives` are the rows (or weights) of each side.

    >>> from likely.evaluation import roc
    >>> found = roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], 1)
    >>> found.auc
    0.75
    """

    false_positive_rate: Floats
    true_positive_rate: Floats
    thresholds: Floats
    auc: float
    positive: Level
    positives: float
    negatives: float
    _picture = "roc"
    _written = ("auc", "positive", "positives", "negatives", "false_positive_rate", "true_positive_rate", "thresholds")

    @property
    def standard_error(self) -> float:
        """Of the area, after DeLong, DeLong and Clarke-Pearson (1988); NaN with one row on a side.

        Weights count as so many rows.
        """
        if min(self.positives, self.negatives) <= 1:
            return float("nan")
        up, along = self.true_positive_rate, self.false_positive_rate
        above = 1 - (along[1:] + along[:-1]) / 2  # share of the negatives below a positive of each group
        below = (up[1:] + up[:-1]) / 2  # share of the positives above a negative of each group
        of_positives = np.diff(up) @ (above - self.auc) ** 2 / (self.positives - 1)
        of_negatives = np.diff(along) @ (below - self.auc) ** 2 / (self.negatives - 1)
        return float(np.sqrt(of_positives + of_negatives))

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Confidence interval of the area: DeLong's standard error on the logit scale, so that it stays within 0..1.

        Where that error is zero or unknown (classes fully apart, one row on a side) it is the interval of
        Clopper and Pearson for as many independent pairs as the smaller side has rows, which is wide but safe.

        >>> from likely.evaluation import roc
        >>> found = roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], 1)
        >>> low, high = found.interval()
        >>> low <= found.auc <= high
        True
        """
        tail, error, auc = (1 - read_level(level)) / 2, self.standard_error, self.auc
        if error > LEAST_STANDARD_ERROR:
            half = -ndtri(tail) * error / (auc * (1 - auc))
            return float(expit(logit(auc) - half)), float(expit(logit(auc) + half))
        pairs = min(self.positives, self.negatives)
        won, lost = auc * pairs, (1 - auc) * pairs
        low = float(betaincinv(won, lost + 1, tail)) if won > 0 else 0.0
        high = float(betaincinv(won + 1, lost, 1 - tail)) if lost > 0 else 1.0
        return low, high

    def point(self, threshold: float) -> tuple[float, float]:
        """(false positive rate, true positive rate) where "score >= threshold" is called positive.

        >>> from likely.evaluation import roc
        >>> found = roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], 1)
        >>> found.point(0.35)
        (0.5, 1.0)
        """
        wanted = read_scores([threshold], (1,), "threshold")[0]
        at = int(np.searchsorted(-self.thresholds[1:], -wanted, side="right"))
        return float(self.false_positive_rate[at]), float(self.true_positive_rate[at])

    def convex_hull(self) -> Hull:
        """The least concave curve above this one: its corners are the blocks of the isotonic regression of hits.

        >>> from likely.evaluation import roc
        >>> found = roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], 1)
        >>> found.convex_hull().auc
        0.875
        """
        from scipy.optimize import isotonic_regression  # late: slow to import

        up = np.diff(self.true_positive_rate) * self.positives
        along = np.diff(self.false_positive_rate) * self.negatives
        steps = np.flatnonzero(up + along)  # a weight may be too small to move the curve
        rows = (up + along)[steps]
        blocks = isotonic_regression(up[steps] / rows, weights=rows, increasing=False).blocks
        corners = np.append(0, steps + 1)[blocks]
        x, y = self.false_positive_rate[corners], self.true_positive_rate[corners]
        return Hull(x, y, self.thresholds[corners], float(np.diff(x) @ (y[1:] + y[:-1]) / 2))

    def __repr__(self) -> str:
        low, high = self.interval()
        return (
            f"Roc(positive={self.positive!r}, auc={self.auc:.4f} [{low:.4f}, {high:.4f}], "
            f"positives={self.positives:g}, negatives={self.negatives:g}, points={len(self.thresholds)})"
        )


def roc(y: Any, scores: Any, positive: Any, weights: Any = None) -> Roc:
    """The ROC curve of scores (rows,): higher ones speak for the class `positive`, whatever else is in y is negative.

    >>> curve = roc(["n", "y", "n", "y"], [0.1, 0.4, 0.4, 0.8], "y")
    >>> curve.false_positive_rate.tolist(), curve.true_positive_rate.tolist(), curve.auc
    ([0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0], 0.875)
    """
    hits = read_hits(y, positive)
    steps = walk(hits, read_scores(scores, hits.shape), read_weights(weights, len(hits)))
    return roc_along(steps, plain(positive))


def roc_along(steps: ThresholdCounts, positive: Level) -> Roc:
    """The curve along a walk, which must have met both sides."""
    positives, negatives = steps.totals
    if not (positives and negatives):
        what = f"{'every' if positives else 'no'} row is {positive!r}"
        hint = "a ROC curve needs rows of the positive class and of another"
        raise OptionError("O330", what, place="y", hint=hint)
    up, along = steps.hits / positives, steps.alarms / negatives
    if steps.hits.dtype.kind == "f":  # weights: rates first, since products of tiny sums may vanish
        auc = min(float(np.diff(along) @ (up[1:] + up[:-1])) / 2, 1.0)
    else:
        doubled = int(np.diff(steps.alarms) @ (steps.hits[1:] + steps.hits[:-1]))
        auc = doubled / (2 * positives * negatives)
    return Roc(along, up, steps.thresholds, auc, positive, positives, negatives)


def evidence(model: Any, X: Any) -> Floats:
    """(rows, classes): log odds of each class against the rest, in log space, so that nothing piles up at 0 and 1.

    Of two classes it is the log likelihood ratio where the model has likelihoods, so that a ROC curve is the same
    under any priors; else the log odds of the model's probabilities.

    >>> import likely
    >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
    >>> model = likely.NaiveBayes().fit(X, y)
    >>> for priors in (None, {"a": 0.99, "b": 0.01}):
    ...     print(evidence(model.with_priors(priors), [[1.0], [6.0]])[:, 1].round(3).tolist())
    [-1.704, 3.451]
    [-1.704, 3.451]
    """
    found = prior_free(model, X)
    return log_odds(log_probabilities(model, X)) if found is None else found


def prior_free(model: Any, X: Any) -> Floats | None:
    """(rows, 2): the evidence of the likelihoods alone, where there are two classes and the model has them."""
    two = len(read_fitted(model)) == 2 and hasattr(model, "log_likelihood")
    return evidence_of(model.log_likelihood(X)) if two else None


def evidence_of(log_likelihood: Any) -> Floats:
    """(rows, 2): the log likelihood ratio of two classes, each against the other; 0 for a row that neither can have.

    >>> evidence_of([[-1.0, -3.0]]).tolist()
    [[2.0, -2.0]]
    """
    given = read_numbers(log_likelihood, "log_likelihood", "O325")
    if given.ndim != 2 or given.shape[1] != 2:
        hint = "of more classes priors change the curves: give evaluate log_proba= instead, or use evidence(model, X)"
        what = f"likelihoods of shape {given.shape} are not those of two classes"
        raise OptionError("O338", what, place="log_likelihood", hint=hint)
    read_scores(given, given.shape, "log_likelihood")
    even = given[:, :1] == given[:, 1:]  # also where both are infinite
    return np.where(even, 0.0, log_odds(np.where(even, 0.0, given)))


@dataclass(frozen=True, eq=False, repr=False)
class Rocs(Written, Drawn, Mapping[Level, Roc]):
    """One curve for each class against the rest, and averages of their areas.

    macro: the plain mean; weighted: by the rows of each class; micro: of all rows of all curves thrown together.
    `undefined` are the classes without a curve, as no row, or every row, is theirs; macro and weighted leave them out.

    >>> from likely.evaluation import rocs
    >>> scores = [[0.8, 0.1, 0.1], [0.2, 0.3, 0.5], [0.2, 0.4, 0.4], [0.3, 0.4, 0.3]]
    >>> found = rocs(["ash", "oak", "elm", "oak"], scores, ["ash", "elm", "oak"])
    >>> found
    Rocs({'ash': 1.0000, 'elm': 0.8333, 'oak': 0.7500}, macro=0.8611, weighted=0.8333, micro=0.8750)
    >>> found["elm"].auc
    0.8333333333333334
    """

    curves: Mapping[Level, Roc]
    macro: float
    weighted: float
    micro: float
    undefined: tuple[Level, ...] = ()
    _picture = "roc"
    _written = ("macro", "weighted", "micro", "undefined")

    def __getitem__(self, level: Level) -> Roc:
        return self.curves[level]

    def __iter__(self) -> Iterator[Level]:
        return iter(self.curves)

    def __len__(self) -> int:
        return len(self.curves)

    def to_dict(self) -> dict[str, Any]:
        """The averages and each curve, as plain data.

        >>> from likely.evaluation import rocs
        >>> scores = [[0.8, 0.1, 0.1], [0.2, 0.3, 0.5], [0.2, 0.4, 0.4], [0.3, 0.4, 0.3]]
        >>> found = rocs(["ash", "oak", "elm", "oak"], scores, ["ash", "elm", "oak"])
        >>> found.to_dict()["macro"], [curve["positive"] for curve in found.to_dict()["curves"]]
        (0.8611111111111112, ['ash', 'elm', 'oak'])
        """
        return {**super().to_dict(), "curves": [curve.to_dict() for curve in self.values()]}

    def __repr__(self) -> str:
        areas = ", ".join(f"{level!r}: {curve.auc:.4f}" for level, curve in self.items())
        means = f"macro={self.macro:.4f}, weighted={self.weighted:.4f}, micro={self.micro:.4f}"
        return f"Rocs({{{areas}}}, {means})"


def rocs(y: Any, scores: Any, classes: Any, weights: Any = None) -> Rocs:
    """The ROC curves of scores (rows, classes), each class against the rest.

    >>> curves = rocs(["a", "b", "c"], np.eye(3), ["a", "b", "c"])
    >>> curves["a"].auc, curves.macro
    (1.0, 1.0)
    """
    levels = read_classes(classes)
    codes = read_codes(y, levels)
    values, given = read_scores(scores, (len(codes), len(levels))), read_weights(weights, len(codes))
    steps = [walk(codes == at, values[:, at], given) for at in range(len(levels))]
    return rocs_along(steps, levels, pooled(codes, values, given))


def rocs_along(steps: Sequence[ThresholdCounts], classes: tuple[Level, ...], together: ThresholdCounts) -> Rocs:
    """The curves along the walks of each class and, for the micro average, of all classes together."""
    curves = {level: roc_along(one, level) for level, one in zip(classes, steps, strict=True) if all(one.totals)}
    if not curves:
        hint = "a ROC curve needs rows of at least two classes"
        raise OptionError("O330", "every row is of the same class", place="y", hint=hint)
    areas = np.array([curve.auc for curve in curves.values()])
    rows = np.array([curve.positives for curve in curves.values()])
    micro = roc_along(together, "any class").auc
    undefined = tuple(level for level in classes if level not in curves)
    return Rocs(curves, float(areas.mean()), float(areas @ (rows / rows.sum())), micro, undefined)


def roc_of(model: Any, X: Any, y: Any, positive: Any = None, weights: Any = None) -> Roc | Rocs:
    """The ROC curve of a fitted model on rows X of the classes y: of `positive`, else of the second class of two.

    With more classes and none named, each class against the rest.

    >>> import likely
    >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
    >>> model = likely.NaiveBayes().fit(X, y)
    >>> roc_of(model, X, y)
    Roc(positive='b', auc=0.8750 [0.3451, 0.9894], positives=4, negatives=4, points=9)
    """
    classes = read_fitted(model)
    scores = evidence(model, X)
    if positive is None and len(classes) != 2:
        return rocs(y, scores, classes, weights)
    at = read_positive(positive, classes)
    return roc(y, scores[:, at], classes[at], weights)
