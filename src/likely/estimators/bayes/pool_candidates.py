"""The models that a pool tries: which ones for which table, and how each is fitted to rows whose kinds are settled."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import inf, prod
from typing import Any

from sklearn.base import clone

from likely.core.schema import DISCRETE, NUMERIC, SKIP, Schema
from likely.errors import OptionError, nearest
from likely.estimators.bayes.encoded_rows import EncodedRows, SettledRows
from likely.estimators.registry import PRESETS, compared, find, make
from likely.models import Model

MOST_COLUMNS_TOGETHER = 200  # numbers that have one density together: beyond, it is larger than what it tells
MOST_PAIRED_COLUMNS = 400  # columns of which AODE counts every two
MOST_TRIPLED_COLUMNS, MOST_TRIPLED_CELLS = 9, 1_000_000  # of which AnDE counts every three in less time than a forest
PARTS_OF_A_NUMBER = 5  # where it is a parent
USUAL_MEMBERS, LEAST_MEMBERS = 32, 8  # of a forest; where columns are many, it has fewer
MOST_MEMBER_COLUMNS = 12_800  # columns times members, which a forest looks at one by one
COMPANIONS = ("logistic", "bagging")
# Averaged over what rows leave open: estimates of covariances are far too sure where rows are few or far from the rest.
AVERAGED = {"lda": {"estimate": "bayes"}, "qda": {"estimate": "bayes"}}


@dataclass(frozen=True, eq=False)
class Candidate:
    """A model that may be pooled: its name, and the estimator. `open_` are the numbers whose kind nobody said.

    Counts that would take more than `most_bytes` are refused before any row is counted.
    """

    name: str
    estimator: Any
    open_: frozenset[str] = frozenset()
    most_bytes: float = inf

    def fit(self, rows: EncodedRows | SettledRows) -> Any:
        """Its fitted value on rows, without the warnings that the pool has for all of them."""
        if self.name not in AVERAGED:  # which describes each number as loses least where nobody said how
            columns = (replace(one, fixed=one.name not in self.open_) for one in rows.schema.columns)
            rows = replace(rows, schema=replace(rows.schema, columns=tuple(columns)))
        fresh = clone(self.estimator)
        fresh._most_bytes = self.most_bytes
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fresh._learn_first(rows)
        model = fresh.model_
        if not isinstance(model, Model):
            return model
        settled = tuple(replace(one, fixed=True) for one in model.schema.columns)
        return replace(model, schema=replace(model.schema, columns=settled))

    def holding(self, model: Any) -> Any:
        """The estimator that holds a fitted value of its own."""
        return clone(self.estimator)._hold(model)


def candidates(
    names: Sequence[str], missing: str, seed: Any, open_: frozenset[str], columns: int = 0
) -> list[Candidate]:
    """The models of these names as a pool fits them to a table of so many columns."""
    found = []
    for name in names:
        if name not in PRESETS or PRESETS[name].numeric or PRESETS[name].estimator == "BayesClassifier":
            raise no_candidate(name)
        preset = find(name)
        settings: dict[str, Any] = dict(AVERAGED.get(name, {}))
        if missing != "auto" and "missing" not in preset.stands_for:
            settings["missing"] = missing
        made = make(name, settings)
        if "random_state" in made.get_params(deep=False):
            made.set_params(random_state=seed)
        if name == "forest":
            many = members_for(columns)
            made.set_params(n_estimators=many, normals=many == USUAL_MEMBERS)
        found.append(Candidate(name, made, open_))
    return found


def members_for(columns: int) -> int:
    """How many members a forest has in a pool: fewer on a wide table, whose forest is slow."""
    return min(USUAL_MEMBERS, max(LEAST_MEMBERS, MOST_MEMBER_COLUMNS // max(1, columns)))


def no_candidate(name: object) -> OptionError:
    """The refusal of what is no classifier to pool."""
    known = [one for one in compared(numeric=False) if one != "auto"]
    hint = f"the models to pool are {', '.join(known)}.{nearest(name, known)}"
    return OptionError("O577", f"{name!r} cannot be pooled", place="candidates=", hint=hint)


def names_for(schema: Schema, companions: bool) -> tuple[list[str], list[str]]:
    """The names of the models that are tried on such a table, quick ones first; and why others are not, in words."""
    numbers, columns = len(schema.of(*NUMERIC)), sum(one.kind != SKIP for one in schema.columns)
    if schema.columns and schema.columns[0].wide:
        return ["naive"], ["A matrix of words: naive Bayes is all that reads it."]
    if not columns:
        return ["naive"], ["No column to learn from: only the shares of the classes are known."]
    names, story = ["naive"], []
    if 2 <= columns <= MOST_PAIRED_COLUMNS:
        names.append("aode")
    elif columns > MOST_PAIRED_COLUMNS:
        story.append(f"{columns:,} columns: AODE, which counts every two of them, was not tried.")
    if 3 <= columns <= MOST_TRIPLED_COLUMNS and _cells_of_threes(schema) <= MOST_TRIPLED_CELLS:
        names.append("ande")
    if 2 <= numbers <= MOST_COLUMNS_TOGETHER:
        names += ["lda", "qda"]
    elif numbers > MOST_COLUMNS_TOGETHER:
        story.append(f"{numbers:,} numeric columns: a density of all of them together was not tried.")
    if members_for(columns) < USUAL_MEMBERS:
        story.append(
            f"{columns:,} columns: the forest has {members_for(columns)} members, not {USUAL_MEMBERS}, and no normals."
        )
    return [*names, "forest", *(COMPANIONS if companions else ())], story


def _cells_of_threes(schema: Schema) -> int:
    """How many numbers say how often every three columns have each of their values, by class."""
    parts = [
        len(one.levels) if one.kind in DISCRETE else PARTS_OF_A_NUMBER for one in schema.columns if one.kind != SKIP
    ]
    return len(schema.classes) * sum(prod(three) for three in combinations(parts, 3))
