"""The law of engines: whatever rows come from, they say the same. Each way to hand in a table is an opening."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from likely.checks.equality import check_same
from likely.checks.reference_counts import check_learnt_by_hand
from likely.checks.tables import Table
from likely.core.numerics import Array

TREE_COLUMN = "tree"
NUMERIC_KINDS = ("real", "binary", "count", "parzen")
SAID = ("count", "parzen", "text")  # kinds that a user has to name; the others are to be inferred


@dataclass(frozen=True)
class Opening:
    """A way to hand in a table: `open` gives what `likely.fit` takes or, without a target, what `fit(X, y)` takes.

    >>> from likely.checks import openings
    >>> rows = Table({"x": [1.5, None]}, ["no", "yes"], {"x": "real"})
    >>> openings()["pandas"].open(rows, Path())
         x tree
    0  1.5   no
    1  NaN  yes
    """

    open: Callable[[Table, Path], Any]
    kinds: tuple[str, ...] = (*NUMERIC_KINDS, "category", "text")
    target: bool = True
    by_class: bool = False  # the rows come sorted by class


def check_engine_agrees(opening: Opening, table: Table, folder: Path, model: Any = None) -> None:
    """Rows that come through an opening are learnt as counted by hand, and predicted as from an Arrow table.

    >>> from likely.checks import openings, table
    >>> check_engine_agrees(openings()["arrow"], table(rows=12, kinds=["real"]), Path())
    """
    from sklearn.base import clone

    from likely.estimators.bayes.naive import NaiveBayes
    from likely.estimators.fit_and_load import fit

    some = table.only([name for name, kind in table.kinds.items() if kind in opening.kinds])
    kinds = {name: kind for name, kind in some.kinds.items() if kind in SAID}
    plain = clone(NaiveBayes() if model is None else model).set_params(kinds=kinds)
    if opening.target:
        fitted = fit(opening.open(some, folder), target=TREE_COLUMN, model=plain)
        rows = opening.open(some, folder)
    else:
        places = {list(some.columns).index(name): kind for name, kind in kinds.items()}
        rows = opening.open(some, folder)
        fitted = clone(plain).set_params(kinds=places).fit(rows, some.y)
    check_learnt_by_hand(fitted, some)
    reference = clone(plain).fit(some.X, some.y)
    proba = fitted.predict_proba(_without_target(rows))
    order = np.argsort(some.y, kind="stable") if opening.by_class else np.arange(len(some))
    check_same(proba, reference.predict_proba(some.X)[order], "probabilities, and those from an Arrow table", 1e-9, 1.0)


def check_engines_agree(table: Table, folder: Path, openings: Iterable[Opening], model: Any = None) -> None:
    """All openings agree; see `check_engine_agrees`.

    >>> import tempfile
    >>> from likely.checks import openings, table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     some = [openings()[name] for name in ("arrow", "numpy numbers", "csv")]
    ...     check_engines_agree(table(rows=12, kinds=["real", "binary"]), Path(folder), some)
    """
    for at, opening in enumerate(openings):
        place = folder / str(at)
        place.mkdir()
        check_engine_agrees(opening, table, place, model)


def _without_target(rows: Any) -> Any:
    """What predict_proba takes: files and queries as they are, frames without the target."""
    if hasattr(rows, "drop") and hasattr(rows, "iloc"):
        return rows.drop(columns=TREE_COLUMN)
    if type(rows).__module__.startswith(("polars", "pyarrow")):
        return rows.drop(TREE_COLUMN) if hasattr(rows, "drop") else rows.drop_columns([TREE_COLUMN])
    return rows


def _whole(table: Table) -> dict[str, list[Any]]:
    return {name: list(values) for name, values in table.columns.items()} | {TREE_COLUMN: list(table.target)}


def _objects(table: Table, folder: Path) -> Array:
    return np.array([list(values) for values in table.columns.values()], dtype=object).T


def _numbers(table: Table, folder: Path) -> Array:
    return _objects(table, folder).astype(np.float64)


def _sparse(table: Table, folder: Path) -> Any:
    from scipy.sparse import csr_array

    return csr_array(_numbers(table, folder))


def _arrow(table: Table, folder: Path) -> Any:
    import pyarrow as pa

    return pa.table(_whole(table))


def _pandas(table: Table, folder: Path) -> Any:
    import pandas as pd

    return pd.DataFrame(_whole(table))


def _polars(table: Table, folder: Path) -> Any:
    import polars as pl

    return pl.DataFrame(_whole(table))


def _csv(table: Table, folder: Path, name: str = "rows.csv") -> Path:
    path, whole = folder / name, _whole(table)
    opened = gzip.open if name.endswith("gz") else open
    with opened(path, "wt", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(whole)
        writer.writerows(zip(*whole.values(), strict=True))
    return path


def _parquet(table: Table, folder: Path, name: str = "rows.parquet") -> Path:
    import pyarrow.parquet as pq

    pq.write_table(_arrow(table, folder), folder / name)
    return folder / name


def _parts(table: Table, folder: Path) -> str:
    """One Parquet file a class, each with a dictionary of its own, and one without rows."""
    import pyarrow.parquet as pq

    whole = _arrow(table, folder)
    for part, level in enumerate(sorted(set(table.target))):
        rows = whole.take([at for at, said in enumerate(table.target) if said == level])
        names = [name for name, kind in table.kinds.items() if kind == "category"]
        for at in [rows.column_names.index(name) for name in (*names, TREE_COLUMN)]:
            rows = rows.set_column(at, rows.column_names[at], rows.column(at).combine_chunks().dictionary_encode())
        pq.write_table(rows, folder / f"part{part}.parquet")
    pq.write_table(whole.slice(0, 0), folder / "part9.parquet")
    return str(folder / "part*.parquet")


def _relation(table: Table, folder: Path) -> Any:
    import duckdb

    return duckdb.connect().from_arrow(_arrow(table, folder))


def _arff(table: Table, folder: Path) -> Path:
    def quoted(word: object) -> str:
        return "'" + str(word).replace("\\", "\\\\").replace("'", "\\'") + "'"

    def described(name: str, values: list[Any]) -> str:
        if table.kinds.get(name, "category") == "category":
            return "{" + ", ".join(map(quoted, sorted({value for value in values if value is not None}))) + "}"
        return "string" if table.kinds[name] == "text" else "numeric"

    whole = _whole(table)
    head = [
        "@relation trees",
        *(f"@attribute {name} {described(name, values)}" for name, values in whole.items()),
        "@data",
    ]
    body = [
        ",".join("?" if value is None else quoted(value) if isinstance(value, str) else repr(value) for value in row)
        for row in zip(*whole.values(), strict=True)
    ]
    path = folder / "rows.arff"
    path.write_text("\n".join([*head, *body]) + "\n", encoding="utf-8")
    return path


OPENINGS: dict[str, Opening] = {
    "arff": Opening(_arff),
    "arrow": Opening(_arrow),
    "csv": Opening(_csv),
    "csv.gz": Opening(partial(_csv, name="rows.csv.gz")),
    "duckdb": Opening(_relation),
    "numpy numbers": Opening(_numbers, NUMERIC_KINDS, target=False),
    "numpy objects": Opening(_objects, target=False),
    "pandas": Opening(_pandas),
    "parquet": Opening(_parquet),
    "parquet parts": Opening(_parts, by_class=True),
    "polars": Opening(_polars),
    "sparse": Opening(_sparse, NUMERIC_KINDS, target=False),
}
