"""Real columns together: normal vectors whose covariances are full, shared, diagonal, spherical or tied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from likely.errors import OptionError, nearest
from likely.errors.advice import Advice, Option
from likely.errors.options import choose, is_number
from likely.families.multivariate.covariances import CovarianceSettings
from likely.families.multivariate.diagonals import DiagonalPredictor
from likely.families.multivariate.vectors import VectorPredictor
from likely.families.predictor import Evidence
from likely.statistics import Question

COVARIANCES = ("full", "shared", "diagonal", "spherical", "tied-diagonal")
MULTIVARIATE_ESTIMATES = ("mle", "unbiased", "map", "bayes")
SHRINKAGES = ("ledoit-wolf", "oas")


@dataclass(frozen=True)
class Multivariate:
    """A normal vector in each cell, for all columns together; s is the prior's worth in rows, the setting's smoothing.

    `covariance`: "full", one a cell; "shared", one for all; "diagonal", columns independent in a cell; "spherical", one
    variance a cell; "tied-diagonal", independent columns whose variances the cells share.

    `estimate`: "mle", scatter / n; "unbiased", scatter / (n - 1), shared / (n - cells); "map", the mode under a prior
    worth s rows that expects the variances w found within cells and no covariance, and means about that of all rows;
    "bayes", the Student-t predictive under that prior. Without a prior (s = 0) "map" is "mle", and "bayes" loses a row
    for each mean and column. Where values are missing, each two columns count the rows that have both.

    `shrinkage`, of full and shared covariances other than "bayes", draws the covariance of each cell towards equal
    variances: by a number from 0 to 1, or by what "oas" (the oracle approximating share) or "ledoit-wolf" find; the
    latter draws columns divided by their deviation in the cell.

    A column without any spread says nothing. A covariance that cannot be inverted (in deviations within cells, an
    eigenvalue below 1e-9) gets the variances w, worth max(s, 1) rows: (n C + max(s, 1) w) / (n + max(s, 1)), after the
    negative part that missing values may give it is dropped; where columns are independent, only those without variance
    do.
    """

    covariance: str = "full"
    estimate: str = "mle"
    shrinkage: str | float | None = None
    kinds: tuple[str, ...] = ("real",)
    together: bool = True

    @property
    def tied(self) -> bool:
        """Whether all cells have the same covariance."""
        return self.covariance in ("shared", "tied-diagonal")

    def questions(self, columns: Sequence[int]) -> tuple[Question, ...]:
        if self.covariance not in ("full", "shared"):
            return (Question("moments", tuple(columns)),)
        if self.shrinkage == "ledoit-wolf":
            return Question("scatter", tuple(columns)), Question("quartics", tuple(columns))
        return (Question("scatter", tuple(columns)),)

    def predictor(self, evidence: Evidence) -> VectorPredictor | DiagonalPredictor:
        how = CovarianceSettings(self.covariance, self.estimate, self.shrinkage, evidence.setting.smoothing)
        if self.covariance in ("diagonal", "tied-diagonal"):
            return DiagonalPredictor.learnt(evidence, how)
        return VectorPredictor.of(evidence, how)


def read(covariance: object, estimate: object, shrinkage: object) -> Multivariate:
    """The density that options say.

    >>> read("shared", "mle", 0.5)
    Multivariate(covariance='shared', estimate='mle', shrinkage=0.5, kinds=('real',), together=True)
    >>> read("ful", "mle", None)
    Traceback (most recent call last):
    likely.errors.OptionError: [O401] unknown covariance 'ful'
      at: covariance=
      hint: choose one of 'full', 'shared', 'diagonal', 'spherical', 'tied-diagonal'. Did you mean 'full'?
    """
    form = choose(covariance, COVARIANCES, "covariance", "O401")
    how = choose(estimate, MULTIVARIATE_ESTIMATES, "estimate", "O402")
    share = _read_shrinkage(shrinkage)
    if share is not None and how == "bayes":
        raise OptionError(
            "O404",
            "estimate='bayes' averages over covariances: there is none to shrink",
            place="shrinkage=",
            hint=Advice(
                "leave shrinkage out, or say ",
                Option("estimate", "mle"),
                "; ",
                Option("smoothing"),
                " says what the prior is worth",
            ),
        )
    if share is not None and form not in ("full", "shared"):
        raise OptionError(
            "O405",
            f"a {form} covariance is not shrunk",
            place="shrinkage=",
            hint=Advice(
                "leave shrinkage out, or say ", Option("covariance", "full"), " or ", Option("covariance", "shared")
            ),
        )
    return Multivariate(form, how, share)


def _read_shrinkage(given: Any) -> str | float | None:
    if given is None or (isinstance(given, str) and given in SHRINKAGES):
        return given
    if is_number(given) and 0 <= given <= 1:
        return float(given)
    what = f"unknown shrinkage {given!r}" if isinstance(given, str) else f"shrinkage {given!r} is not from 0 to 1"
    hint = f"choose None, a number from 0 to 1, or one of {', '.join(SHRINKAGES)}.{nearest(given, SHRINKAGES)}"
    raise OptionError("O403", what, place="shrinkage=", hint=hint)
