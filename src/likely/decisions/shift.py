"""Prior shift: the class priors of new rows without labels, by maximum likelihood."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.special import chdtrc, gammaincinv

from likely.core.numerics import Floats, log
from likely.core.schema import Level
from likely.data.targets.class_lists import read_classes
from likely.data.targets.probabilities import read_proba, refuse_no_rows
from likely.data.weights import row_weights
from likely.decisions.mixture import Mixture, maximise_likelihood
from likely.decisions.priors import read_log_prior
from likely.errors import OptionError
from likely.errors.options import share, whole
from likely.output.display_width import display_width, padded
from likely.output.frames import FrameResult

SURELY_OUT = 1e3  # stands for an infinite distance while a root is searched


@dataclass(frozen=True, repr=False, eq=False)
class Shift(FrameResult):
    """priors (classes,): the class priors under which the new rows are likeliest; old (classes,): those before.

    `log_likelihood` is counted from the old priors: 0 says that nothing is gained by moving. `converged` says that no
    other priors are better by more than 1e-10 a row.

    >>> from likely.decisions import estimate_priors
    >>> found = estimate_priors([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.1, 0.9]], [0.5, 0.5])
    >>> found.priors.round(2).tolist()
    [0.56, 0.44]
    """

    priors: Floats
    old: Floats
    classes: tuple[Level, ...]
    rows: int
    iterations: int
    converged: bool
    log_likelihood: float
    mixture: Mixture = field(repr=False)

    @property
    def p_value(self) -> float:
        """How often priors that did not move would look as moved as this (likelihood ratio against chi-squared)."""
        freedom = int(np.count_nonzero(self.old)) - 1
        return float(chdtrc(freedom, max(0.0, 2 * self.log_likelihood))) if freedom else 1.0

    def interval(self, level: float = 0.95) -> Floats:
        """(classes, 2): the values of each prior that the rows do not speak against, by profile likelihood.

        >>> from likely.decisions import estimate_priors
        >>> found = estimate_priors([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.1, 0.9]], [0.5, 0.5])
        >>> found.interval().shape
        (2, 2)
        """
        share(level, "level", "O316")
        out = np.zeros((len(self.priors), 2))
        possible = np.flatnonzero(self.old)
        for column, at in enumerate(possible):
            out[at] = self._limits(column, self.priors[possible], 2 * float(gammaincinv(0.5, level)))
        return out

    def _limits(self, column: int, priors: Floats, cut: float) -> tuple[float, float]:
        from scipy.optimize import brentq  # late: slow to import

        if len(priors) == 1:
            return 1.0, 1.0
        best = float(priors[column])
        others = np.delete(priors, column) + 1 / len(priors)  # no share begins at zero, which EM cannot leave

        def beyond(share: float) -> float:
            peak = maximise_likelihood(self.mixture.held(column, share), (1 - share) * others / others.sum())
            return float(min(2 * (self.log_likelihood - peak.log_likelihood), SURELY_OUT)) - cut

        if beyond(best) >= 0:  # so heavy rows that rounding is more than what the limits stand for
            return best, best
        low = 0.0 if beyond(0.0) <= 0 else float(brentq(beyond, 0.0, best, xtol=1e-7))
        high = 1.0 if beyond(1.0) <= 0 else float(brentq(beyond, best, 1.0, xtol=1e-7))
        return low, high

    def _page(self) -> Any:
        """A row for each class: its prior among the rows, and the one before."""
        pairs = zip(self.classes, self.priors.tolist(), self.old.tolist(), strict=True)
        return [{"class": level, "prior": prior, "before": old} for level, prior, old in pairs]

    def to_dict(self) -> dict[str, Any]:
        """Plain Python; the priors by the text of their class.

        >>> from likely.decisions import estimate_priors
        >>> found = estimate_priors([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.1, 0.9]], [0.5, 0.5])
        >>> found.to_dict()["rows"]
        4
        """
        names = list(map(str, self.classes))
        return {
            "priors": dict(zip(names, self.priors.tolist(), strict=True)),
            "old": dict(zip(names, self.old.tolist(), strict=True)),
            "rows": self.rows,
            "iterations": self.iterations,
            "converged": self.converged,
            "log_likelihood": self.log_likelihood,
            "p_value": self.p_value,
        }

    def __repr__(self) -> str:
        wide = max(display_width(str(level)) for level in self.classes)
        triples = zip(self.classes, self.old, self.priors, strict=True)
        lines = [f"  {padded(str(level), wide)}  {before:.4f} -> {after:.4f}" for level, before, after in triples]
        ended = "" if self.converged else f"  not converged after {self.iterations} iterations"
        head = f"class priors of {self.rows} rows; had they not moved, p = {self.p_value:.3g}"
        return "\n".join(filter(None, [head, *lines, ended]))


def estimate_priors(proba: Any, old: Any, classes: Any = None, weights: Any = None, iterations: int = 1000) -> Shift:
    """The class priors of rows without labels, from probabilities that rest on the priors `old`.

    Each class is taken to look as it did, only its share may differ: then the likelihood of the rows has one peak over
    the priors, which the EM algorithm of Saerens, Latinne & Decaestecker (2002) climbs. `weights` count rows.

    A test that is right nine times in ten, judged where half are ill, says "ill" of 26 in 100: so 20 are.

    >>> rows = np.repeat([[0.9, 0.1], [0.1, 0.9]], [26, 74], axis=0)
    >>> estimate_priors(rows, [0.5, 0.5], ["ill", "well"])
    class priors of 100 rows; had they not moved, p = 9.54e-07
      ill   0.5000 -> 0.2000
      well  0.5000 -> 0.8000
    """
    levels = None if classes is None else read_classes(classes)
    found = read_proba(proba, None if levels is None else len(levels))
    refuse_no_rows(len(found))
    whole(iterations, "iterations", "O319", least=1)
    names = tuple(range(found.shape[1])) if levels is None else levels
    before = read_log_prior(old, names, "old=", named=levels is not None)
    ruled_out = np.isneginf(before)
    if found[:, ruled_out].any():
        odd = names[int(np.flatnonzero(ruled_out)[found[:, ruled_out].any(axis=0)][0])]
        told = f"class {odd!r} had a prior of zero and has a probability above zero"
        raise OptionError("O306", told, place="old=", hint="give the priors that are behind the probabilities")
    start = np.exp(before[~ruled_out])
    log_ratios = log(found[:, ~ruled_out]) - before[~ruled_out]
    mixture = Mixture.of(log_ratios, row_weights(weights, len(found)), start)
    peak = maximise_likelihood(mixture, start, int(iterations))
    priors = np.zeros(len(names))
    priors[~ruled_out] = peak.shares
    return Shift(
        priors=priors,
        old=np.exp(before),
        classes=names,
        rows=len(found),
        iterations=peak.iterations,
        converged=peak.converged,
        log_likelihood=peak.log_likelihood,
        mixture=mixture,
    )
