"""How a graph was found, to be read and drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from likely.networks.structure.plan import Plan
from likely.output.draw import draw
from likely.output.frames import FrameResult
from likely.structures.search.result import Progress


@dataclass(frozen=True)
class SearchReport(FrameResult):
    """How a graph was found: the plan, its score, and how that rose.

    >>> import likely
    >>> rows = {"rain": ["no", "yes"] * 30, "wet": ["no", "yes"] * 28 + ["yes", "no"] * 2}
    >>> report = likely.learn_network(rows).search_
    >>> report.plan.search, report.arcs
    ('hill-climb', 1)
    """

    plan: Plan
    score: float
    arcs: int
    seconds: float
    steps: int
    trace: tuple[Progress, ...]
    interrupted: bool
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        kind = self.plan.score if isinstance(self.plan.score, str) else self.plan.score.name
        how = "interrupted" if self.interrupted else f"{self.steps:,} steps"
        lines = [f"{self.plan.search}: {kind} {self.score:,.4f}, {self.arcs} arcs, {self.seconds:.2f} s, {how}"]
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])

    def _page(self) -> Any:
        """A row for each better graph that was found."""
        return [step._asdict() for step in self.trace]

    def plot(self, **options: Any) -> Any:
        """A matplotlib figure: the score of each better graph, and what was still to gain by the time.

        >>> import likely
        >>> rows = {"rain": ["no", "yes"] * 30, "wet": ["no", "yes"] * 28 + ["yes", "no"] * 2}
        >>> figure = likely.learn_network(rows).search_.plot()
        >>> [axes.get_ylabel() for axes in figure.axes]
        ['score (higher is better)']
        """
        return draw("trace", self, **options)
