"""Statistics that can be added: counts, moments, scatter, totals, grid counts; the questions they answer; bundles."""

from likely.statistics.bundle import Bundle
from likely.statistics.counts import Counts, GridCounts, Pairs, Totals, Triples, triple_starts
from likely.statistics.moments import Moments
from likely.statistics.points import Points
from likely.statistics.quartics import Quartics
from likely.statistics.questions import STATISTICS, Question, answer
from likely.statistics.scatter import Scatter
from likely.statistics.statistic import Statistic

__all__ = [
    "STATISTICS",
    "Bundle",
    "Counts",
    "GridCounts",
    "Moments",
    "Pairs",
    "Points",
    "Quartics",
    "Question",
    "Scatter",
    "Statistic",
    "Totals",
    "Triples",
    "answer",
    "triple_starts",
]
