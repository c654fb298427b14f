"""Beliefs about unknown parameters: immutable, vectorised over leading axes, updated by adding.

Every conjugate belief answers the same few questions by the same names: `update` (a new belief), `interval`,
`predictive` (a frozen scipy.stats distribution), `log_evidence` (of the sequence seen), `log_density`, `sample`.

>>> coin = Beta(2, 2).update(successes=3, failures=0)
>>> coin
Beta(a=5.0, b=2.0)
>>> round(coin.mode, 6), round(coin.mean, 6), round(coin.variance, 6)
(0.8, 0.714286, 0.02551)
"""

from likely.beliefs.beta import Beta
from likely.beliefs.dirichlet import Dirichlet
from likely.beliefs.gamma import Gamma
from likely.beliefs.gaussian import NormalInverseGamma
from likely.beliefs.rule import bayes_rule
from likely.beliefs.wishart import NormalInverseWishart
from likely.core.docstrings import describe_public

__all__ = ["Beta", "Dirichlet", "Gamma", "NormalInverseGamma", "NormalInverseWishart", "bayes_rule"]

describe_public(__name__)
