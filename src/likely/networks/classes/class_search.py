"""The parents of columns and class, looked for in rows; restricted to what bears on the class where that is wanted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from likely.core.block import coded
from likely.core.numerics import Array, Floats
from likely.core.schema import Column, Level, Schema
from likely.core.threads import in_threads
from likely.data import Source
from likely.data.blocks import ANY_ROWS, Task
from likely.data.levels.interval_levels import interval_levels
from likely.errors import OptionError
from likely.errors.advice import Advice, Option
from likely.networks.classes.class_score import Climb
from likely.networks.structure.plan import Plan
from likely.networks.structure.row_codes import Coded
from likely.structures.search.rules import Flags, Rules, read_rules
from likely.structures.search.score_names import canonical_name, check_strength
from likely.structures.search.scorer import Parents

TREE_SEARCHES = ("chow-liu", "forest", "tree")  # searches that give each node one parent at most


def code_rows(source: Source, schema: Schema, nodes: tuple[int, ...], target: str) -> Coded:
    """The columns that can be parents, by name, then the class: rows in memory, one byte a value."""
    order = sorted(nodes, key=lambda at: schema.columns[at].name)  # in whatever order columns come
    parts = schema.parts(order)
    most = max([*parts, len(schema.classes)])

    def work(task: Task) -> tuple[Array, Floats | None]:
        block = task()
        assert block.cells is not None, "the rows have classes"
        codes = np.empty((block.rows, len(order) + 1), dtype=np.uint8 if most < 256 else np.int32)
        codes[:, :-1] = np.minimum(coded(block, schema, order), parts)
        codes[:, -1] = block.cells
        return codes, block.weights

    found = list(in_threads(work, source.tasks(schema, target=True, rows=ANY_ROWS)))
    weights = None if found[0][1] is None else np.concatenate([weight for _, weight in found if weight is not None])
    names = tuple(schema.columns[at].name for at in order)
    levels = tuple(levels_of(schema.columns[at]) for at in order)
    codes = np.ascontiguousarray(np.concatenate([codes for codes, _ in found]))
    return Coded((*names, target), (*levels, tuple(schema.classes)), codes, weights)


def levels_of(column: Column) -> tuple[Level, ...]:
    """The levels of a column as a node; of numbers, the bins between their cut points."""
    return interval_levels(column.cuts) if column.cuts else tuple(column.levels)


def search_parents(options: Mapping[str, Any], rows: Coded) -> dict[str, list[str]]:
    """The parents of each node, by name."""
    _refuse_unreadable(options["options"])
    options = {**options, "score": canonical_name(options["score"]), "search": canonical_name(options["search"])}
    scope = options["scope"]
    told = (options[name] for name in ("required", "forbidden", "tiers", "max_parents"))
    rules = read_rules(rows.names, *told)
    if isinstance(options["score"], str) and options["score"] == "cll":
        parents = _told_apart(options, rows, _rooted(rules, scope))
    elif scope == "all":
        parents = _found(options, rows, rules)
    else:
        _refuse_trees(options)
        wider = _rooted(rules, scope)
        if scope == "blanket":
            wider = _below(wider, _payable(options, rows, wider))
        parents = _found(options, rows, wider)
    return {name: [rows.names[at] for at in mine] for name, mine in zip(rows.names, parents, strict=True)}


def _refuse_unreadable(told: Any) -> None:
    if told is not None and not (isinstance(told, Mapping) and all(isinstance(name, str) for name in told)):
        hint = 'give them by name, as in options={"restarts": 5}'
        raise OptionError("O558", f"options is {told!r}", place="options=", hint=hint)


def _told_apart(options: Mapping[str, Any], rows: Coded, rules: Rules) -> tuple[Parents, ...]:
    """By how well the class is told; a search of its own."""
    if options["search"] != "hill-climb" or options["options"]:
        hint = "leave search= and options= out, or choose another score"
        raise OptionError("O556", "score 'cll' has one search, which takes no options", place="search=", hint=hint)
    check_strength(options["strength"])
    return tuple(Climb(rows, rules, float(options["strength"])).run())


def _refuse_trees(options: Mapping[str, Any]) -> None:
    if options["search"] in TREE_SEARCHES:
        what = f"search {options['search']!r} gives each node one parent, and scope {options['scope']!r} the class too"
        hint = Advice("say ", Option("search", "hill-climb"), " and ", Option("max_parents", 2), "; or take TAN")
        raise OptionError("O554", what, place="search=", hint=hint)


def _rooted(rules: Rules, scope: str) -> Rules:
    """The rules under which the class depends on nothing but what it must; with "augmented", all that may on it."""
    allowed = rules.allowed.copy()
    allowed[:, -1] = rules.required[:, -1]
    rooted = Rules(allowed, rules.required, rules.most)
    return _below(rooted, allowed[-1]) if scope == "augmented" else rooted


def _below(rules: Rules, below: Flags) -> Rules:
    """The rules under which these nodes depend on the class, and arcs lead to them alone or are required."""
    required, allowed = rules.required.copy(), rules.allowed & below[None, :]
    full = required.sum(axis=0) >= rules.most
    required[-1] |= below & rules.allowed[-1] & ~full
    allowed[-1] = required[-1]
    allowed[:, -1] = required[:, -1]
    return Rules(allowed | required, required, rules.most)


def _payable(options: Mapping[str, Any], rows: Coded, rules: Rules) -> Flags:
    """(nodes,): the columns that the class tells enough about to pay, each by itself."""
    alone = np.zeros_like(rules.allowed)
    alone[-1] = True
    found = _found({**options, "search": "hill-climb", "options": None}, rows, rules.narrowed(alone))
    return np.array([len(rows.names) - 1 in mine for mine in found])


def _found(options: Mapping[str, Any], rows: Coded, rules: Rules) -> tuple[Parents, ...]:
    def named(arcs: Flags) -> list[tuple[str, str]]:
        return [(rows.names[parent], rows.names[child]) for parent, child in np.argwhere(arcs)]

    told = {name: options[name] for name in ("score", "search", "max_parents", "strength", "missing", "seed")}
    if told["missing"] == "informative":  # what a missing value tells is the tables' matter: arcs are between values
        told["missing"] = "ignore"
    banned = ~(rules.allowed | np.eye(rules.size, dtype=bool))
    plan = Plan(**told, required=named(rules.required), forbidden=named(banned), options=dict(options["options"] or {}))
    found = plan.find(rows)
    if found.interrupted:  # a classifier is fitted whole or not at all
        raise KeyboardInterrupt
    return found.parents
