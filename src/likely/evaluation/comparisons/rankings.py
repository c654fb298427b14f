"""Models over several tables: their ranks, who wins where, and which the tables can tell apart (Demšar 2006)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.errors import OptionError
from likely.evaluation.comparisons.comparison import DECISIVE, Comparison, listed_names
from likely.evaluation.comparisons.measures import HIGHER_IS_BETTER, SENTENCE_NAMES
from likely.output.display_width import display_width, padded
from likely.output.draw import Drawn
from likely.output.frames import columns_of
from likely.output.jsonable import Written
from likely.output.notebook import html_table
from likely.output.phrases import duration, plural

LEAST_TABLES = 6  # of fewer, even a model that is always the better one of two is not told apart by a sign test at 5 %
TABLES_SHOWN = 5  # whose scores stand beside the ranks
NAMES_TOLD = 3  # of models that are worse
TABLE_LETTERS = 10  # of the name of a table


@dataclass(frozen=True)
class Friedman(Written):
    """Friedman's test of whether all models are alike: chi-squared, corrected for ties, and Iman and Davenport's F.

    `p_value` is that of F, of which chi-squared is too careful an approximation.
    """

    chi_squared: float
    f: float
    p_value: float


def friedman(ranks: Floats) -> Friedman:
    """The test of ranks (tables, models).

    >>> found = friedman(np.array([[1.0, 2.0, 3.0], [1.0, 3.0, 2.0], [1.0, 2.0, 3.0], [2.0, 1.0, 3.0]]))
    >>> round(found.chi_squared, 2), round(found.f, 2), round(found.p_value, 3)
    (4.5, 3.86, 0.084)
    """
    from scipy.special import fdtrc

    tables, models = ranks.shape
    ties = sum(float((counts**3 - counts).sum()) for counts in (np.unique(row, return_counts=True)[1] for row in ranks))
    free = 1.0 - ties / (tables * models * (models**2 - 1))
    spread = 12.0 * tables / (models * (models + 1)) * float(((ranks.mean(axis=0) - (models + 1) / 2) ** 2).sum())
    if free <= 0.0:  # all are equal everywhere
        return Friedman(0.0, 0.0, 1.0)
    chi = spread / free
    rest = tables * (models - 1) - chi
    f = (tables - 1) * chi / rest if rest > 1e-9 * chi else float("inf")
    below = 1.0 if np.isinf(f) else float(fdtrc(models - 1, (models - 1) * (tables - 1), f))
    return Friedman(chi, f, 0.0 if np.isinf(f) else below)


def critical_difference(models: int, tables: int, level: float = DECISIVE) -> float:
    """How far apart mean ranks must be to be more than chance, by Nemenyi's test of every two models.

    >>> round(critical_difference(4, 14), 2), round(critical_difference(2, 10), 3)
    (1.25, 0.62)
    """
    return _studentized(models, level) * float(np.sqrt(models * (models + 1) / (6.0 * tables)))


def _studentized(models: int, level: float = DECISIVE) -> float:
    """The quantile of the range of so many normals, divided by the root of 2."""
    from scipy.stats import studentized_range

    return float(studentized_range.ppf(1.0 - level, models, np.inf)) / float(np.sqrt(2.0))


@dataclass(frozen=True, eq=False, repr=False)
class Ranking(Written, Drawn):
    """Models ranked over tables: `scores` and `ranks` (tables, models), 1 the best and ties shared.

    `wins` (models, models) counts the tables on which the first is better than the second by more than the folds'
    spread (a corrected t test at 5 %); `draws` those on which neither is. A model that could not be judged on a table
    is ranked last there. `comparisons` are those of each table.

    >>> import likely
    >>> X, y = [[1.0], [2.0], [1.5], [5.0], [6.0], [5.5]], list("aaabbb")
    >>> found = likely.compare({"one": (X, y), "two": (X[::-1], y)}, models=["naive", "prior"], folds=3)
    >>> found.best, found.mean_ranks.tolist(), found.enough
    ('naive', [1.0, 2.0], False)
    """

    tables: tuple[str, ...]
    models: tuple[str, ...]
    measure: str
    scores: Floats
    ranks: Floats
    wins: Array
    draws: Array
    comparisons: tuple[Comparison, ...]
    _picture = "critical_difference"
    _written = (
        "best",
        "measure",
        "tables",
        "models",
        "mean_ranks",
        "ranks",
        "scores",
        "wins",
        "draws",
        "losses",
        "friedman",
        "critical_difference",
        "enough",
        "tables_needed",
        "groups",
        "words",
    )

    @cached_property
    def mean_ranks(self) -> Floats:
        """(models,): the mean of each model's ranks; the least is the best."""
        return np.asarray(self.ranks.mean(axis=0))

    @property
    def ranked(self) -> list[str]:
        """The models by mean rank, the best first; among equals the one of more wins."""
        won = self.wins.sum(axis=1)
        order = sorted(range(len(self.models)), key=lambda at: (round(float(self.mean_ranks[at]), 9), -won[at], at))
        return [self.models[at] for at in order]

    @property
    def best(self) -> str:
        """The model of the best mean rank."""
        return self.ranked[0]

    @property
    def losses(self) -> Array:
        """(models, models): on how many tables the first is worse than the second."""
        return self.wins.T

    @cached_property
    def friedman(self) -> Friedman:
        """Whether the models differ at all."""
        return friedman(self.ranks)

    @cached_property
    def critical_difference(self) -> float:
        """How far apart mean ranks must be to be more than chance (Nemenyi)."""
        return critical_difference(len(self.models), len(self.tables))

    @property
    def tables_needed(self) -> int:
        """How many tables it takes that models can be told apart at all."""
        models = len(self.models)
        least = (_studentized(models) / (models - 1)) ** 2 * models * (models + 1) / 6.0
        return max(LEAST_TABLES, int(least) + 1)

    @property
    def enough(self) -> bool:
        """Whether the tables are enough to tell models apart."""
        return len(self.tables) >= self.tables_needed

    @cached_property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The models that are not told apart, the largest groups of them; none where the tables are too few.

        Where Friedman's test finds no difference at all, that is all of them.
        """
        if not self.enough:
            return ()
        names, of = self.ranked, dict(zip(self.models, self.mean_ranks.tolist(), strict=True))
        if self.friedman.p_value >= DECISIVE:
            return (tuple(names),)
        ends = [
            max(at for at, other in enumerate(names) if of[other] - of[name] < self.critical_difference)
            for name in names
        ]
        runs = [(start, end) for start, end in enumerate(ends) if end > start]
        return tuple(
            tuple(names[start : end + 1])
            for start, end in runs
            if not any(first <= start and end <= last and (first, last) != (start, end) for first, last in runs)
        )

    @property
    def words(self) -> str:
        """Who is first, and from whom the tables can tell it apart."""
        of = dict(zip(self.models, self.mean_ranks.tolist(), strict=True))
        count, test = plural(len(self.tables), "table"), self.friedman
        lead = (
            f"{self.best!r} has the best mean rank by {SENTENCE_NAMES[self.measure]}, {of[self.best]:.3g} over {count}."
        )
        if not self.enough:
            why = f"{count} are too few to say that this is more than chance: it takes {self.tables_needed}"
            return " ".join([lead, f"{why} (Nemenyi's test).", *self._unjudged()])
        p = "p < 0.001" if test.p_value < 0.001 else f"p = {test.p_value:.3f}"
        if test.p_value >= DECISIVE:
            said = [f"The models may be alike: Friedman's test finds no difference ({p})."]
        else:
            near = [name for name in self.ranked if of[name] - of[self.best] < self.critical_difference]
            others = [name for name in near if name != self.best]
            far = [name for name in self.ranked if name not in near]
            said = [f"The models differ (Friedman's test, {p})."]
            nemenyi = f"By Nemenyi's test (critical difference {self.critical_difference:.3g})"
            better = f"it is better than {_few(far) if others else 'all others'}" if far else ""
            alike = f"it is not told apart from {listed_names(others)}" if others else ""
            told = " and ".join(part for part in (better, alike) if part)
            said.append(f"{nemenyi} {told.replace(' and it is', ' and')}.")
        return " ".join([lead, *said, *self._unjudged()])

    def _unjudged(self) -> list[str]:
        """A sentence for each model that is ranked last somewhere, as it could not be judged there."""
        out = []
        for at, model in enumerate(self.models):
            where = [name for name, row in zip(self.tables, self.scores, strict=True) if np.isnan(row[at])]
            if where:
                out.append(f"{model!r} could not be judged on {listed_names(where)} and is ranked last there.")
        return out

    def _page(self) -> Any:
        """A row for each model, the best first: its mean rank, wins, draws and losses, seconds, and all scores."""
        out = []
        for name in self.ranked:
            at = self.models.index(name)
            scores = dict(zip(self.tables, self.scores[:, at].tolist(), strict=True))
            seconds = [row.seconds for one in self.comparisons for row in one.rows if row.name == name]
            counts = {"wins": int(self.wins[at].sum()), "draws": int(self.draws[at].sum())}
            counts["losses"] = int(self.losses[at].sum())
            out.append(
                {"name": name, "mean_rank": float(self.mean_ranks[at]), **counts, "seconds": sum(seconds), **scores}
            )
        return out

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, with the comparison on each table.

        >>> import likely
        >>> X, y = [[1.0], [2.0], [1.5], [5.0], [6.0], [5.5]], list("aaabbb")
        >>> found = likely.compare({"one": (X, y), "other": (X[::-1], y)}, models=["naive", "prior"], folds=3)
        >>> sorted(found.to_dict()["comparisons"])
        ['one', 'other']
        """
        by_table = {name: one.to_dict() for name, one in zip(self.tables, self.comparisons, strict=True)}
        return super().to_dict() | {"comparisons": by_table}

    def _html(self) -> str:
        caption = f"Ranks over {plural(len(self.tables), 'table')}, and the {SENTENCE_NAMES[self.measure]} on each"
        return html_table(columns_of(self._page()), caption, [self.words])

    def __repr__(self) -> str:
        return f"{self.table()}\n{self.words}"

    def table(self) -> str:
        """A line for each model, the best first, with its scores on the first few tables.

        >>> import likely
        >>> X, y = [[1.0], [2.0], [1.5], [5.0], [6.0], [5.5]], list("aaabbb")
        >>> tables = {"one": (X, y), "other": (X[::-1], y)}
        >>> likely.compare(tables, models=["naive", "prior"], folds=3).table().splitlines()[0][:16]
        'model  mean rank'
        """
        page = self._page()
        wide = max(map(display_width, ("model", *self.models)))
        columns = [
            ("mean rank", 9, [f"{row['mean_rank']:.2f}" for row in page]),
            *((name, 6, [f"{row[name]}" for row in page]) for name in ("wins", "draws", "losses")),
            ("time", 7, [duration(row["seconds"]) for row in page]),
        ]
        for name, shown in zip(self.tables[:TABLES_SHOWN], _cut(self.tables), strict=False):
            columns.append((shown, max(6, display_width(shown)), [_score(row[name]) for row in page]))
        lines = [padded("model", wide) + "".join(f"  {padded(head, room, right=True)}" for head, room, _ in columns)]
        for at, row in enumerate(page):
            lines.append(padded(row["name"], wide) + "".join(f"  {cells[at]:>{room}}" for _, room, cells in columns))
        if len(self.tables) > TABLES_SHOWN:
            lines.append(f"{'':{wide}}  (scores on the first {TABLES_SHOWN} of {len(self.tables)} tables)")
        return "\n".join(lines)


def _few(names: Sequence[str]) -> str:
    """A few names, or how many there are."""
    return listed_names(names) if len(names) <= NAMES_TOLD else plural(len(names), "model")


def _cut(names: Sequence[str]) -> list[str]:
    """Names of tables, the long ones cut."""
    return [name if len(name) <= TABLE_LETTERS else name[: TABLE_LETTERS - 1] + "…" for name in names]


def _score(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.4f}" if abs(value) < 10 else f"{value:.4g}"


def rank(comparisons: Mapping[str, Comparison]) -> Ranking:
    """Comparisons of the same models by the same score, each of one table, as ranks over all of them.

    >>> import likely
    >>> X, y = [[1.0], [2.0], [1.5], [5.0], [6.0], [5.5]], list("aaabbb")
    >>> models = {"naive": likely.NaiveBayes(), "tree": likely.DecisionTree()}
    >>> tables = {"one": (X, y), "other": (X[::-1], y)}
    >>> rank({name: likely.evaluation.compare(models, *rows, folds=3) for name, rows in tables.items()}).tables
    ('one', 'other')
    """
    found = tuple(comparisons.values())
    if len(found) < 2:
        hint = "give two tables or more; one is compared by itself"
        raise OptionError("O340", "ranks are of several tables", place="tables", hint=hint)
    if len({one.measure for one in found}) > 1:
        hint = "compare tables with classes, and those with a numeric target, each among themselves"
        raise OptionError("O340", "the tables are not compared by the same score", place="tables", hint=hint)
    names = tuple(dict.fromkeys(name for one in found for name in _tried(one)))
    if len(names) < 2:
        raise OptionError("O340", "there is one model only", place="models", hint="name two models or more")
    measure = found[0].measure
    scores = np.array([[_mean(one, name, measure) for name in names] for one in found])
    won = np.array([[[_better(one, a, b, measure) for b in names] for a in names] for one in found])
    wins = won.sum(axis=0)
    draws = len(found) - wins - wins.T - len(found) * np.eye(len(names), dtype=int)
    return Ranking(tuple(comparisons), names, measure, scores, _ranks(scores, measure), wins, draws, found)


def _tried(one: Comparison) -> list[str]:
    return [*(row.name for row in one.rows), *(failed.name for failed in one.failed)]


def _mean(one: Comparison, name: str, measure: str) -> float:
    return next((row.mean(measure) for row in one.rows if row.name == name), float("nan"))


def _ranks(scores: Floats, measure: str) -> Floats:
    """(tables, models): 1 for the best of each table, equals sharing; those without a score are last."""
    from scipy.stats import rankdata

    turned = np.round(-scores if measure in HIGHER_IS_BETTER else scores, 12)
    keyed = np.empty_like(turned)
    for row, key in zip(turned, keyed, strict=True):
        known = np.unique(row[~np.isnan(row)])
        key[:] = np.where(np.isnan(row), len(known), np.searchsorted(known, row))
    return np.asarray(rankdata(keyed, axis=1), dtype=np.float64)


def _better(one: Comparison, first: str, second: str, measure: str) -> int:
    """1 where the first is better by more than the folds' spread."""
    mine, other = _mean(one, first, measure), _mean(one, second, measure)
    if first == second or np.isnan(mine):
        return 0
    ahead = np.isnan(other) or (mine > other if measure in HIGHER_IS_BETTER else mine < other)
    pair = next((pair for pair in one.pairs if {pair.first, pair.second} == {first, second}), None)
    test = None if pair is None else pair.chosen
    return int(ahead and (test is None or test.p_value < DECISIVE))
