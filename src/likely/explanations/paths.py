"""Why, of a tree: the path of a row from the root to its leaf, beside what each column adds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Self

from likely.companions.trees.row_explanation import RowPath, heaviest_route
from likely.companions.trees.tree import Tree
from likely.core.block import Block
from likely.core.schema import Schema
from likely.explanations.regression import AmountExplanation
from likely.explanations.terms import Explanation, RowTerms
from likely.output.jsonable import to_jsonable


@dataclass(frozen=True, eq=False, repr=False)
class Routed(RowTerms):
    """An explanation whose rows went through a tree: `path(row)` says what was asked on the way."""

    tree: Tree = field(kw_only=True)
    schema: Schema = field(kw_only=True)
    block: Block = field(kw_only=True)

    @classmethod
    def of(cls, why: RowTerms, tree: Tree, schema: Schema, block: Block) -> Self:
        """The same explanation with the paths of its rows."""
        told = {one.name: getattr(why, one.name) for one in fields(why)}  # type: ignore[arg-type]
        return cls(**told, tree=tree, schema=schema, block=block)

    def path(self, row: int = 0) -> RowPath:
        """The steps of a row: the test, the value, and the learnt rows that took the same way."""
        return heaviest_route(self.tree, self.schema, self.block, self._row(row))


@dataclass(frozen=True, eq=False, repr=False)
class PathExplanation(Routed, Explanation):
    """An Explanation whose rows went through a tree: `path(row)` says what was asked on the way."""

    def to_dict(self, row: int = 0, unit: str = "nats", for_: Any = None, against: Any = None) -> dict[str, Any]:
        """The answer of a row and its terms, and the steps of its path, as plain data."""
        steps = _steps(self.path(row), list(map(str, self.classes)))
        return {**super().to_dict(row, unit, for_, against), "path": steps}

    def _paragraph(self, row: int) -> str:
        best, _ = self.rival(row)
        share = self.proba[row, self.classes.index(best)]
        return f"row {row}: {best!r} with probability {share:.3f}; the path:\n{self.path(row).words}"


@dataclass(frozen=True, eq=False, repr=False)
class AmountPathExplanation(Routed, AmountExplanation):
    """An AmountExplanation whose rows went through a tree: `path(row)` says what was asked on the way."""

    def to_dict(self, row: int = 0) -> dict[str, Any]:
        """The prediction of a row and its terms, and the steps of its path, as plain data."""
        return {**super().to_dict(row), "path": _steps(self.path(row), ("rows", "value", "loss"))}

    def _paragraph(self, row: int) -> str:
        return f"row {row}: {self.target} {self.prediction[row]:.6g}; the path:\n{self.path(row).words}"


def _steps(passed: RowPath, names: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {"test": step.test, "value": step.value, "part": step.part, "counts": dict(zip(names, counts, strict=True))}
        for step, counts in ((step, to_jsonable(step.counts)) for step in passed.steps)
    ]
