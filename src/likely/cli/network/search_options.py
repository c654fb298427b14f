"""The words of a command line that learns arcs: how to score, how to search, and what is known of the graph before."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, Field, dataclass, fields, replace
from typing import Annotated, Any, get_type_hints

from likely.cli import options
from likely.cli.options import option
from likely.cli.terminal.failures import UsageError
from likely.cli.terminal.session import Session
from likely.errors import listed, nearest

SCORES_TOLD = "bic, aic, mdl, log-likelihood, bdeu, k2, jeffreys, dirichlet (--set prior=0.2), fnml or qnml"
SEARCHES_TOLD = "hill-climb, tabu, chow-liu, forest, tree, order, exact, pc or mmhc"
SETTINGS = (
    "hill-climb, tabu: restarts, tabu; order: restarts; pc: alpha, test, max_given; "
    "mmhc: alpha, test, max_given, restarts, tabu"
)
ARROW = "->"  # as arcs are shown
Missing = Annotated[
    str | None,
    option("--missing HOW", "Missing values: em (the default: fill them in), ignore (count what is there) or error."),
]
SAME_AS_PYTHON = ("score", "search", "max_parents", "strength", "missing")  # said in the same words as in Python


@dataclass(frozen=True)
class SearchOptions:
    """Rows, and how to learn arcs from them, as a command line says it; each field is an option."""

    data: options.Data
    score: Annotated[str, option("--score SCORE", f"{SCORES_TOLD}; higher is better.")] = "bic"
    search: Annotated[str, option("--search HOW", f"{SEARCHES_TOLD}.")] = "hill-climb"
    required: Annotated[
        list[str] | None,
        option(
            "--required PARENT:CHILD",
            "An arc that must be there, also as 'PARENT->CHILD' in quotes; repeated, or several with commas.",
        ),
    ] = None
    forbidden: Annotated[
        list[str] | None,
        option(
            "--forbidden PARENT:CHILD",
            "An arc that must not be there, said in the same way; repeated, or several with commas.",
        ),
    ] = None
    tiers: Annotated[
        list[str] | None,
        option(
            "--tiers A,B:C:D,E",
            "Columns in groups, the earliest first: no arc leads to an earlier group. Repeated, groups follow; "
            "columns that are not named are free, and one group alone rules nothing out.",
        ),
    ] = None
    max_parents: Annotated[int | None, option("--max-parents N", "How many parents a node has at most.", min=0)] = None
    strength: Annotated[
        float, option("--strength S", "The weight of the prior, in rows: for --score bdeu, and its tables.")
    ] = 1.0
    missing: Missing = None
    skip: Annotated[
        list[str] | None, option("--skip COLUMN", "A column that is no node; repeated, or several with commas.")
    ] = None
    weight: options.Weight = None
    settings: Annotated[
        list[str] | None, option("--set NAME=VALUE", f"An option of the search; may be repeated. {SETTINGS}.")
    ] = None
    form: options.Format = None

    def read(self, session: Session) -> tuple[Any, dict[str, Any]]:
        """(the rows, the options of `learn_network`); columns that are not there are refused before a row is read."""
        from likely.cli.inputs import open_rows

        source = open_rows(session, self.data, self.form, named=(self.weight, *(self.skip or ())))
        left = {name for word in self.skip or () for name, _ in columns_in(word, source.columns, ",", "--skip")}
        kept = tuple(name for name in source.columns if name not in left)
        if self.weight is not None:
            column_of(self.weight, kept, "--weight")
        nodes = [name for name in kept if name != self.weight]
        told = {
            "required": [arc for word in self.required or () for arc in read_arcs(word, nodes, "--required")],
            "forbidden": [arc for word in self.forbidden or () for arc in read_arcs(word, nodes, "--forbidden")],
            "tiers": self._tiers(nodes),
            "weights": self.weight,
            "seed": session.seed,
            **{name: getattr(self, name) for name in SAME_AS_PYTHON},
            "score": _score(self.score),
        }
        own = _own(self.settings, told)
        said = {name: value for name, value in told.items() if value is not None}  # the library knows the others
        return replace(source, columns=kept), said | own

    def _tiers(self, nodes: Sequence[str]) -> list[list[str]] | None:
        groups = [group for word in self.tiers or () for group in read_tiers(word, nodes)]
        if len(groups) == 1:
            hint = "say the group before or after it too, as in --tiers A,B:C or --tiers A,B --tiers C"
            raise UsageError("U129", "one group alone rules no arc out", place="--tiers", hint=hint)
        return groups or None


def asking(work: Callable[..., None]) -> Callable[..., None]:
    """A verb that takes a session and what is `Asked` first: the options of the latter come before its own."""
    hints, spoken = get_type_hints(work, include_extras=True), get_type_hints(SearchOptions, include_extras=True)
    session, _, *own = inspect.signature(work).parameters.values()
    shared = [
        inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=_default(one), annotation=spoken[one.name])
        for one in fields(SearchOptions)
    ]
    own = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[one.name]) for one in own]

    def run(session: Session, **given: Any) -> None:
        asked = SearchOptions(**{one.name: given.pop(one.name) for one in fields(SearchOptions)})
        work(session, asked, **given)

    run.__name__, run.__doc__, run.__module__ = work.__name__, work.__doc__, work.__module__
    run.__signature__ = inspect.Signature([session, *shared, *own])  # type: ignore[attr-defined]
    run.__annotations__ = {"session": Session} | {one.name: one.annotation for one in (*shared, *own)}
    return run


def _default(field: Field[Any]) -> Any:
    return inspect.Parameter.empty if field.default is MISSING else field.default


def _score(name: str) -> str:
    """The name of a score, which may be said in capital letters."""
    if name.lower() == "bde":
        hint = "only Python can give one; say --score bdeu, which needs none"
        raise UsageError("U130", "bde needs a network as its prior", place="--score", hint=hint)
    return name.lower()


def _own(settings: Sequence[str] | None, told: Iterable[str]) -> dict[str, Any]:
    """The options of --set; those that have a word of their own are refused."""
    own = options.read_settings(settings)
    clash = next((name for name in own if name in (*told, "tick", "data")), None)
    if clash is not None:
        hint = "it has an option of its own: see --help"
        raise UsageError("U128", f"--set {clash}= is not for this", place="--set", hint=hint)
    return own


def read_arcs(word: str, columns: Sequence[str], place: str) -> list[tuple[str, str]]:
    """The arcs in words like parent:child or parent->child, or several with commas between.

    >>> read_arcs("age->risk,a:b:risk", ["age", "risk", "a:b"], "--required")
    [('age', 'risk'), ('a:b', 'risk')]
    """
    names = columns_in(word, columns, (ARROW, ":", ","), place)
    signs = [":" if sign == ARROW else sign for _, sign in names]
    if len(names) % 2 or signs != [":", ","] * (len(names) // 2 - 1) + [":", ""]:
        hint = f"say it as in {place} PARENT:CHILD"
        raise UsageError("U125", f"{word!r} is no parent:child", place=place, hint=hint)
    return [(names[at][0], names[at + 1][0]) for at in range(0, len(names), 2)]


def read_tiers(word: str, columns: Sequence[str]) -> list[list[str]]:
    """The groups in a word like a,b:c.

    >>> read_tiers("age,sex:risk", ["age", "sex", "risk"])
    [['age', 'sex'], ['risk']]
    """
    groups: list[list[str]] = [[]]
    for name, sign in columns_in(word, columns, ":,", "--tiers"):
        groups[-1].append(name)
        if sign == ":":
            groups.append([])
    return groups


def columns_in(word: str, columns: Sequence[str], signs: Sequence[str], place: str) -> list[tuple[str, str]]:
    """(column, the sign behind it) of all that a word names; the signs between them may be part of a name too.

    >>> columns_in("a:b,c", ["a", "b", "b,c"], ":,", "--tiers")
    [('a', ':'), ('b,c', '')]
    """
    ends = [(at, sign) for at in range(len(word)) for sign in signs if word.startswith(sign, at)] + [(len(word), "")]
    known = [end for end in ends if word[: end[0]].strip() in columns]
    at, sign = known[-1] if known else ends[0]  # the longest that is a column
    name = column_of(word[:at].strip(), columns, place)
    rest = columns_in(word[at + len(sign) :], columns, signs, place) if sign else []
    return [(name, sign), *rest]


def column_of(name: str, columns: Sequence[str], place: str) -> str:
    """A name that is a column; any other is refused."""
    if name not in columns:
        hint = f"the columns are {listed(columns)}.{nearest(name, columns)}"
        raise UsageError("U126", f"there is no column {name!r}", place=place, hint=hint)
    return name
