"""The laws of beliefs: updates add up, and evidence is the chain of one-step predictives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from likely.beliefs import Beta, Dirichlet, Gamma, NormalInverseGamma, NormalInverseWishart
from likely.checks.equality import check_same


@dataclass(frozen=True)
class Experiment:
    """A prior and what is seen: step by step, and at once.

    `steps` are the arguments of one `update` each, `together` those of the one update by all, `sequence` those of
    `log_evidence`. `log_predictive(belief, step)` is the log probability that a belief's
    frozen distribution gives to a step before it is seen.

    >>> coin = experiment(Beta)
    >>> coin.steps[:3], coin.together
    ([(1, 0), (1, 0), (1, 0)], (3, 4))
    >>> coin.prior.update(*coin.together).mean > coin.prior.mean
    True
    """

    prior: Any
    steps: Sequence[tuple[Any, ...]]
    together: tuple[Any, ...]
    sequence: tuple[Any, ...]
    log_predictive: Callable[[Any, tuple[Any, ...]], float]


def experiment(belief: type, seed: int = 0, steps: int = 7) -> Experiment:
    """An experiment for a belief of likely's own.

    >>> len(experiment(Beta).steps)
    7
    """
    make = EXPERIMENTS.get(belief)
    assert make is not None, f"no experiment is known for {belief.__name__}: add it to likely.checks.belief_laws"
    return make(np.random.default_rng(seed), steps)


def check_evidence_is_chain_of_predictives(trial: Experiment, tolerance: float = 1e-8) -> None:
    """The log evidence of all that was seen is the sum of the log predictives of each step given those before it.

    >>> check_evidence_is_chain_of_predictives(experiment(Beta))
    """
    belief, total = trial.prior, 0.0
    for step in trial.steps:
        total += float(trial.log_predictive(belief, step))
        belief = belief.update(*step)
    at_once = float(trial.prior.log_evidence(*trial.sequence))
    near = abs(at_once - total) <= tolerance * max(1.0, abs(total))
    assert near, f"log evidence {at_once!r}, and the chain of predictives {total!r}"


def check_updates_add_up(trial: Experiment, tolerance: float = 1e-8) -> None:
    """Learning step by step, backwards, or all at once leads to the same belief; the prior stays what it was.

    >>> check_updates_add_up(experiment(Gamma))
    """
    before = repr(trial.prior)
    at_once = trial.prior.update(*trial.together)
    for order, steps in (("step by step", trial.steps), ("backwards", trial.steps[::-1])):
        belief = trial.prior
        for step in steps:
            belief = belief.update(*step)
        for field in fields(at_once):
            mine, theirs = np.asarray(getattr(belief, field.name)), np.asarray(getattr(at_once, field.name))
            check_same(mine.ravel(), theirs.ravel(), f"{order}, and at once: {field.name}", tolerance)
    assert repr(trial.prior) == before, "the prior was changed by an update"


def _beta(rng: np.random.Generator, steps: int) -> Experiment:
    won = rng.integers(0, 2, steps)
    wins = int(won.sum()), steps - int(won.sum())
    flips = [(int(one), 1 - int(one)) for one in won]
    return Experiment(Beta(*rng.gamma(2.0, size=2)), flips, wins, wins, lambda b, s: b.predictive().logpmf(s[0]))


def _dirichlet(rng: np.random.Generator, steps: int) -> Experiment:
    seen = np.eye(4)[rng.integers(0, 4, steps)]
    counts = (seen.sum(axis=0),)
    prior = Dirichlet(rng.gamma(2.0, size=4))
    return Experiment(prior, [(row,) for row in seen], counts, counts, lambda b, s: b.predictive().logpmf(s[0]))


def _gamma(rng: np.random.Generator, steps: int) -> Experiment:
    counts, exposures = rng.poisson(3.0, steps), rng.gamma(2.0, size=steps)
    return Experiment(
        Gamma(*rng.gamma(2.0, size=2)),
        list(zip(counts.tolist(), exposures.tolist(), strict=True)),
        (counts.sum(), exposures.sum()),
        (counts, exposures),
        lambda belief, step: belief.predictive(step[1]).logpmf(step[0]),
    )


def _normal(rng: np.random.Generator, steps: int) -> Experiment:
    values = rng.normal(5.0, 3.0, steps)
    prior = NormalInverseGamma(rng.normal(), *rng.gamma(2.0, size=3))
    return Experiment(
        prior, [([x],) for x in values], (values,), (values,), lambda b, s: float(b.predictive().logpdf(s[0][0]))
    )


def _wishart(rng: np.random.Generator, steps: int) -> Experiment:
    values, root = rng.normal(2.0, 3.0, (steps, 3)), rng.normal(size=(3, 3))
    prior = NormalInverseWishart(rng.normal(size=3), rng.gamma(2.0), 3.0 + rng.gamma(2.0), root @ root.T + np.eye(3))
    rows = [(row[None],) for row in values]
    return Experiment(prior, rows, (values,), (values,), lambda b, s: float(b.predictive().logpdf(s[0][0])))


EXPERIMENTS: dict[type, Callable[[np.random.Generator, int], Experiment]] = {
    Beta: _beta,
    Dirichlet: _dirichlet,
    Gamma: _gamma,
    NormalInverseGamma: _normal,
    NormalInverseWishart: _wishart,
}
