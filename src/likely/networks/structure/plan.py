"""How a graph is to be learnt: by which score and which search, under which rules. A plan can be carried out again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from inspect import signature
from typing import Any

import numpy as np

from likely.errors import DataError, OptionError, listed, nearest
from likely.errors.advice import Advice, InPython, Option
from likely.errors.options import choose
from likely.networks.sampling.likelihood_weighting import read_seed
from likely.networks.structure.row_codes import Coded
from likely.networks.structure.scorer import RowScorer
from likely.networks.structure.scores import score_of
from likely.networks.structure.streamed_rows import Streamed
from likely.networks.structure.structural_em import structural_em
from likely.networks.tables.estimation import MISSING_OPTIONS
from likely.structures.graph import Graph
from likely.structures.search.exact import exact
from likely.structures.search.hill_climbing import hill_climb, tabu_search
from likely.structures.search.hybrid import mmhc
from likely.structures.search.order_search import order
from likely.structures.search.orientation import class_of, extended
from likely.structures.search.pc import pc
from likely.structures.search.result import SearchResult, Tick, Track
from likely.structures.search.rules import Rules, read_rules
from likely.structures.search.score_names import canonical_name
from likely.structures.search.scores import FamilyScore
from likely.structures.search.trees import chow_liu, forest, tree

SEARCHES = {
    "hill-climb": hill_climb,
    "tabu": tabu_search,
    "order": order,
    "exact": exact,
    "tree": tree,
    "chow-liu": chow_liu,
    "forest": forest,
    "pc": pc,
    "mmhc": mmhc,
}
GIVEN_TO_EVERY_SEARCH = ("scorer", "rules", "track", "seed")  # what every search is given, and no option of its own


@dataclass(frozen=True)
class Plan:
    """Score, search and rules, as `learn_network` takes them; `options` are those of the search.

    >>> import likely
    >>> rows = {"rain": ["no", "yes"] * 30, "wet": ["no", "yes"] * 28 + ["yes", "no"] * 2}
    >>> likely.learn_network(rows, max_parents=1).search_.plan.max_parents
    1
    """

    score: str | FamilyScore = "bic"
    search: str = "hill-climb"
    required: Any = ()
    forbidden: Any = ()
    tiers: Any = None
    max_parents: int | None = None
    strength: float = 1.0
    prior: Any = None
    missing: str = "em"
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("required", "forbidden", "tiers"):
            object.__setattr__(self, name, _lasting(getattr(self, name)))
        object.__setattr__(self, "search", canonical_name(self.search))
        object.__setattr__(self, "score", canonical_name(self.score))
        choose(self.search, SEARCHES, "search", "O506")
        choose(self.missing, MISSING_OPTIONS, "missing", "O508", what="way with missing values")
        takes = [name for name in signature(SEARCHES[self.search]).parameters if name not in GIVEN_TO_EVERY_SEARCH]
        for name in self.options:
            if name not in takes:
                others = ["strength", "prior", "weights", "levels", "max_parents", "missing", "tick"]
                own = f"it takes {listed(takes, 12) if takes else 'no options'}"
                near = f".{nearest(name, [*takes, *others])}"
                hint = Advice(own, InPython(f"; learn_network takes {listed(others)}"), near)
                what = f"search {self.search!r} has no option {name!r}"
                raise OptionError("O507", what, place=f"{name}=", hint=hint)

    def rules(self, names: tuple[str, ...]) -> Rules:
        """What a graph of these nodes must obey.

        >>> import likely
        >>> plan = likely.networks.Plan(required=[("rain", "wet")], max_parents=2)
        >>> plan.rules(("rain", "wet", "cold")).start()
        [set(), {0}, set()]
        """
        return read_rules(names, self.required, self.forbidden, self.tiers, self.max_parents)

    def scorer(self, coded: Coded | Streamed) -> RowScorer:
        """The score of families of these rows.

        >>> import likely
        >>> from likely.networks.structure.row_codes import Coded
        >>> codes = np.array([[0, 0], [1, 1]] * 28 + [[0, 1], [1, 0]] * 2, dtype=np.int32)
        >>> coded = Coded(("rain", "wet"), (("no", "yes"), ("no", "yes")), codes)
        >>> apart, joined = likely.networks.Plan().scorer(coded).scores([(1, ()), (1, (0,))])
        >>> bool(joined > apart)
        True
        """
        return RowScorer(coded, self.kind(coded.names, coded.levels))

    def kind(self, names: Sequence[str], levels: Sequence[Sequence[Any]]) -> FamilyScore:
        """The score of families of nodes with these levels.

        >>> import likely
        >>> likely.networks.Plan(score="bdeu").kind(("rain",), (("no", "yes"),)).name
        'bdeu'
        """
        return score_of(self.score, self.strength, self.prior, names, levels)

    def find(self, coded: Coded | Streamed, tick: Tick | None = None) -> SearchResult:
        """The graph that the search finds. Ctrl-C ends it, and the best graph so far is what it found.

        >>> import likely
        >>> from likely.networks.structure.row_codes import Coded
        >>> codes = np.array([[0, 0], [1, 1]] * 28 + [[0, 1], [1, 0]] * 2, dtype=np.int32)
        >>> coded = Coded(("rain", "wet"), (("no", "yes"), ("no", "yes")), codes)
        >>> likely.networks.Plan().find(coded).parents
        ((), (0,))
        """
        if self.missing == "error" and coded.holes:
            raise _hole(coded)
        if self.missing != "em" or isinstance(coded, Streamed):  # which is not there to be filled in
            return self._find(coded, tick)
        forest = replace(self, search="forest", options={})
        found, report = structural_em(
            lambda rows: self._find(rows, tick),
            coded,
            self.kind(coded.names, coded.levels),
            simple=lambda rows: forest._find(rows, None),
            seed=read_seed(self.seed),
            tick=tick,
        )
        return replace(found, notes=(*found.notes, *([repr(report)] if report.turns else [])))

    def _find(self, coded: Coded | Streamed, tick: Tick | None) -> SearchResult:
        """By the rows that have what is counted."""
        track, rules, scorer = Track(tick), self.rules(coded.names), self.scorer(coded)
        _refuse_impossible(scorer, rules)
        try:
            SEARCHES[self.search](scorer, rules, track, seed=read_seed(self.seed), **self.options)
        except KeyboardInterrupt:
            if track.parents is None:
                raise
            return _settled(track.found(interrupted=True), coded.names, rules, scorer)
        return _settled(track.found(), coded.names, rules, scorer)


def _lasting(told: Any) -> Any:
    """Arcs or groups as tuples: an iterator is read once only, and a list may change."""
    if isinstance(told, str | Mapping) or hasattr(told, "edges") or not isinstance(told, Iterable):
        return told
    return tuple(one if isinstance(one, str) or not isinstance(one, Iterable) else tuple(one) for one in told)


def _settled(found: SearchResult, names: tuple[str, ...], rules: Rules, scorer: RowScorer) -> SearchResult:
    """The same graph whatever way a search came to its class: of equals, the one in the order of the columns."""
    if not scorer.equivalent:
        return found
    parents, exact = extended(class_of(Graph.placed(names, found.parents), rules))
    if not exact or max(map(len, parents), default=0) > rules.most:
        return found
    return replace(found, parents=tuple(tuple(sorted(mine)) for mine in parents))


def _refuse_impossible(scorer: RowScorer, rules: Rules) -> None:
    """An error where even the graph to begin with cannot be: a search would not know up from down."""
    start = [(node, tuple(sorted(mine))) for node, mine in enumerate(rules.start())]
    if not np.isfinite(scorer.scores(start)).all():
        what = "there are rows that the prior network holds impossible, or required parents make too large a table"
        hint = "give a prior network without zeros, or require fewer parents"
        raise OptionError("O569", what, place="prior=", hint=hint)


def _hole(coded: Coded | Streamed) -> DataError:
    place = "data"
    if isinstance(coded, Coded):
        row, column = np.argwhere(coded.codes >= np.array(coded.sizes))[0]
        place = f"column {coded.names[column]!r}, row {row}"
    hint = Advice("say ", Option("missing", "em"), " to fill missing values in, or ", Option("missing", "ignore"))
    return DataError("D428", "a value is missing", place=place, hint=hint)
