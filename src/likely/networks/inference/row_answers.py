"""What a network says of many rows of evidence at once, and of its most probable whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.schema import Level
from likely.errors import MissingError, ModelError, listed, nearest
from likely.output.display_width import display_width
from likely.output.frames import FrameResult, framed
from likely.output.jsonable import to_jsonable

ANSWERS_PRINTED, TARGETS_PRINTED = 8, 8  # of answers that are printed


@dataclass(frozen=True, eq=False, repr=False)
class Answers(Mapping[str, Floats]):
    """A mapping from each target to P(level | row), (rows, levels); rows that are impossible are NaN.

    `log_evidence` (rows,) is the log probability of what is known in each row.

    >>> from likely.networks import asia
    >>> net = asia()
    >>> found = net.query_many({"xray": ["yes", "no"]}, ["lung", "tub"])
    >>> found["tub"].round(4).tolist()
    [[0.0924, 0.9076], [0.0002, 0.9998]]
    """

    targets: tuple[str, ...]
    levels: tuple[tuple[Level, ...], ...]
    tables: tuple[Floats, ...]
    log_evidence: Floats
    index: Any = None  # that of a pandas frame, which answers are joined with by it

    def __getitem__(self, target: str) -> Floats:
        if target not in self.targets:
            hint = f"the targets are {listed(self.targets)}.{nearest(target, self.targets)}"
            raise MissingError("O464", f"{target!r} is none of the targets", place="query_many", hint=hint)
        return self.tables[self.targets.index(target)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.targets)

    def __len__(self) -> int:
        return len(self.targets)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Floats:
        return np.asarray(np.concatenate(self.tables, axis=1), dtype=dtype)

    @property
    def columns(self) -> list[str]:
        """'target=level' for each column of the frame."""
        pairs = zip(self.targets, self.levels, strict=True)
        return [f"{target}={level}" for target, mine in pairs for level in mine]

    def most_probable(self, target: str) -> Array:
        """(rows,): the most probable level of a target; None where the row is impossible.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> found = net.query_many({"xray": ["yes", "no"]}, ["lung", "tub"])
        >>> list(found.most_probable("lung"))
        ['no', 'no']
        """
        table = self[target]
        names = np.array([*self.levels[self.targets.index(target)], None], dtype=object)
        return np.asarray(names[np.where(np.isnan(table[:, 0]), -1, np.nan_to_num(table).argmax(axis=1))])

    def frame(self) -> Any:
        """A frame with a column for each level of each target, 'target=level', and the index of the evidence.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> found = net.query_many({"xray": ["yes", "no"]}, ["lung"])
        >>> list(found.frame().columns)
        ['lung=yes', 'lung=no']
        """
        return framed(dict(zip(self.columns, np.asarray(self).T, strict=True)), self.index)

    def __repr__(self) -> str:
        rows = f"{len(self.log_evidence):,} rows of evidence"
        head = f"{rows}: P({'), P('.join(self.targets[:5])}){', ...' if len(self.targets) > 5 else ''}"
        names, table = self.columns[:TARGETS_PRINTED], np.asarray(self)[:ANSWERS_PRINTED, :TARGETS_PRINTED]
        wide = list(map(display_width, names))
        lines = ["  ".join(f"{share:>{size}.4f}" for share, size in zip(row, wide, strict=True)) for row in table]
        more = (
            [f"... and {len(self.log_evidence) - ANSWERS_PRINTED:,} more"]
            if len(self.log_evidence) > ANSWERS_PRINTED
            else []
        )
        return "\n".join([head, "  ".join(names), *lines, *more])


@dataclass(frozen=True, eq=False, repr=False)
class Assignment(FrameResult, Mapping[str, Level]):
    """A level for every node; `log_probability` is that of all of them together.

    >>> from likely.networks import asia
    >>> net = asia()
    >>> found = net.most_probable({"dysp": "yes"})
    >>> found["smoke"], round(found.probability, 4)
    ('yes', 0.2011)
    """

    levels: Mapping[str, Level]
    log_probability: float
    log_evidence: float

    def __getitem__(self, node: str) -> Level:
        if node not in self.levels:
            hint = f"name one of the nodes.{nearest(node, self.levels)}"
            raise MissingError("O464", f"there is no node {node!r}", place="Assignment", hint=hint)
        return self.levels[node]

    def __iter__(self) -> Iterator[str]:
        return iter(self.levels)

    def __len__(self) -> int:
        return len(self.levels)

    @property
    def probability(self) -> float:
        """P(all of it)."""
        return float(np.exp(self.log_probability))

    @property
    def posterior(self) -> float:
        """P(all of it | evidence)."""
        return float(np.exp(min(self.log_probability - self.log_evidence, 0.0)))

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as every JSON writer takes them.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> net.most_probable({"dysp": "yes"}).to_dict()["levels"]["bronc"]
        'yes'
        """
        told = {"levels": dict(self.levels), "probability": self.probability, "posterior": self.posterior}
        return dict(to_jsonable({**told, "log_probability": self.log_probability}))

    def _page(self) -> Any:
        """A row for each node."""
        return [{"node": node, "level": level} for node, level in self.levels.items()]

    def __repr__(self) -> str:
        lines = [f"{node} = {level}" for node, level in self.levels.items()]
        return "\n".join([*lines, f"probability {self.probability:.4g}, given the evidence {self.posterior:.4g}"])


def refuse_impossible(log_evidence: Floats) -> None:
    """An error that names the rows whose evidence has no probability."""
    bad = np.flatnonzero(np.isneginf(log_evidence))
    if len(bad):
        rows = ", ".join(map(str, bad[:5])) + (f" and {len(bad) - 5} more" if len(bad) > 5 else "")
        hint = "correct them, or say impossible='nan' to have NaN in these rows"
        what = f"the evidence of {len(bad)} of {len(log_evidence)} rows is impossible"
        raise ModelError("M321", what, place=f"row {rows}" if len(bad) == 1 else f"rows {rows}", hint=hint)


def labelled(codes: Array, levels: tuple[Level, ...]) -> Any:
    """A column of levels from their places, without a copy of the text for each row."""
    try:
        import pandas as pd
    except ImportError:
        import pyarrow as pa

        return pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32)), pa.array(list(levels)))
    return pd.Categorical.from_codes(codes, categories=pd.Index(levels))
