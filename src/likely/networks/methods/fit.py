"""Tables that are learnt from rows: added, taken back and merged, and how well they fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from likely.core.numerics import Array, Floats
from likely.core.state import in_turn, still
from likely.data.level_rows import code_rows
from likely.errors import ModelError
from likely.networks.content import NetworkContent
from likely.networks.learning import learnt_tables
from likely.networks.learning.em import GAIN_TO_GO_ON, ITERATIONS, EMReport
from likely.networks.learning.learnt_tables import LearntTables
from likely.networks.structure import scores
from likely.structures.search.scores import FamilyScore


class LearningMethods(NetworkContent):
    """What follows from counts."""

    @in_turn
    def fit(
        self,
        data: Any,
        weights: Any = None,
        *,
        estimate: str = "bayes",
        prior: Any = "uniform",
        strength: float = 1.0,
        missing: str = "em",
        seed: int = 0,
        tolerance: float = GAIN_TO_GO_ON,
        iterations: int = ITERATIONS,
        tick: Callable[[], object] | None = None,
    ) -> Self:
        """Learn the tables from rows of any origin; in place. The graph stays, and levels that are known.

        `estimate` is "bayes" or "mle"; `prior` "uniform" (`strength` pseudo-counts in each cell), "bdeu" (`strength` in
        the whole table), "backoff" (towards the table with a parent fewer), or {node: pseudo-counts}. Missing values
        are filled in by expectation (`missing` "em"; `em_report_` tells how it went), left out ("ignore") or refused
        ("error"). EM stops when a turn gains less than `tolerance` nats a row, or after so many `iterations`; `seed` is
        for nodes that are never observed, and `tick` is called after each turn.

        >>> from likely import Network
        >>> rows = {"rain": ["no", "no", "yes", "yes"], "wet": ["no", "no", "yes", "no"]}
        >>> net = Network([("rain", "wet")]).fit(rows)
        >>> net.table("wet")
        P(wet | rain)
        rain |   no   yes
        no   | 0.75  0.25
        yes  |  0.5   0.5
        """
        learnt = learnt_tables.fit(
            self.graph,
            self._said,
            data,
            weights,
            estimate,
            prior,
            strength,
            missing,
            tick,
            seed=seed,
            tolerance=tolerance,
            iterations=iterations,
        )
        return self._take(learnt)

    @in_turn
    def partial_fit(self, data: Any, weights: Any = None) -> Self:
        """Learn more rows, with the options of the last `fit`; in place.

        In whatever parts rows without missing values come, the tables are those of all at once.

        >>> from likely import Network
        >>> rows = {"rain": ["no", "no", "yes", "yes"], "wet": ["no", "no", "yes", "no"]}
        >>> net = Network([("rain", "wet")]).fit(rows)
        >>> net.partial_fit(rows).counts_["rain"].tolist()
        [4, 4]
        """
        if self._learnt is None:
            return self.fit(data, weights)
        return self._take(self._learnt.partial_fit(data, weights))

    @in_turn
    def forget(self, data: Any, weights: Any = None) -> Self:
        """Take learnt rows back; in place. A failure changes nothing.

        >>> from likely import Network
        >>> rows = {"rain": ["no", "no", "yes", "yes"], "wet": ["no", "no", "yes", "no"]}
        >>> net = Network([("rain", "wet")]).fit(rows)
        >>> less = net.forget({"rain": ["yes"], "wet": ["yes"]})
        >>> less.counts_["rain"].tolist()
        [2, 1]
        """
        return self._take(self.learnt.forget(data, weights))

    def merge(self, other: LearningMethods) -> Self:
        """A new network, as if learnt from the rows of both.

        >>> from likely import Network
        >>> rows = {"rain": ["no", "no", "yes", "yes"], "wet": ["no", "no", "yes", "no"]}
        >>> net = Network([("rain", "wet")]).fit(rows)
        >>> both = net.merge(Network([("rain", "wet")]).fit(rows))
        >>> both.counts_["rain"].tolist()
        [4, 4]
        """
        self = still(self)
        if not isinstance(other, LearningMethods):
            hint = "give a network that has learnt rows under the same graph"
            raise ModelError("M346", f"a {type(other).__name__} is no network", place="merge(other)", hint=hint)
        return type(self).of(self.learnt.merge(other.learnt), name=self.name)

    @property
    def counts_(self) -> dict[str, Array]:
        """(levels of parents ..., own levels) for each node: how often the rows had them; expected ones after EM."""
        self = still(self)
        return dict(zip(self.nodes, self.learnt.counts, strict=True))

    @property
    def em_report_(self) -> EMReport | None:
        """How the likelihood rose while missing values were filled in; None where there were none."""
        return self.learnt.report

    def _take(self, learnt: LearntTables) -> Self:
        return self._hold(learnt.graph, learnt.factored(), learnt.notes, self.name, self._said, learnt)

    def log_likelihood(self, data: Any) -> Floats:
        """(rows,): log P(row), what is missing summed over; -inf where a row is impossible.

        >>> from likely import Network
        >>> rows = {"rain": ["no", "no", "yes", "yes"], "wet": ["no", "no", "yes", "no"]}
        >>> net = Network([("rain", "wet")]).fit(rows)
        >>> net.log_likelihood(rows).round(3).tolist()
        [-0.981, -0.981, -1.386, -1.386]
        """
        self = still(self)
        codes = code_rows(data, self.nodes, self.factored.levels)
        return scores.log_likelihood(self.exact, codes)

    def score(
        self,
        data: Any,
        kind: str | FamilyScore = "bic",
        *,
        weights: Any = None,
        strength: float = 1.0,
        prior: Any = None,
        target: str | None = None,
    ) -> float:
        """How well the graph fits rows, whatever its tables; higher is better.

        `kind` is "bic", "aic", "mdl", "log-likelihood", "bdeu", "k2", "jeffreys", "fnml", "qnml"; "bde" under a network
        as `prior`; or "cll", how well the other nodes tell the `target`, each row left out.

        >>> from likely import Network
        >>> rows = {"rain": ["no", "no", "yes", "yes"], "wet": ["no", "no", "yes", "no"]}
        >>> net = Network([("rain", "wet")]).fit(rows)
        >>> round(net.score(rows, "bic"), 3)
        -6.238
        """
        self = still(self)
        return scores.score(
            self.graph, data, kind, levels=self._known, weights=weights, strength=strength, prior=prior, target=target
        )
