"""Which models were tried on the same folds, and the one that lost least."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from likely.core.schema import plain
from likely.errors import LikelyError
from likely.estimators.registry import PRESETS, contenders, find
from likely.evaluation.comparisons.compare import SharedFolds, lay_out
from likely.evaluation.comparisons.comparison import Comparison
from likely.evaluation.comparisons.measures import MEASURE_OF_LOSS
from likely.evaluation.folds.cross_validation import CrossValidation
from likely.output.jsonable import to_jsonable
from likely.report.content.subject import Subject

POOL = "auto"  # the model that tries the others by itself
TRIED = ("naive", "tan", "aode", "forest", "lda", "logistic", "prior")
NUMERIC_TRIED = ("linear", "ridge", "regression-tree-small", "mean")
FOLDS = 10
FEWER_FOLDS = 5
MANY_ROWS = 1000  # rows
BASELINES = ("prior", "mean")  # which know no column, and win nothing


def folds_for(models: Mapping[str, Any], rows: int) -> int:
    """In how many folds models are judged: fewer where there are many rows, or where one tries many models itself."""
    slow = rows > MANY_ROWS or any(hasattr(type(one), "leaderboard_") for one in models.values())
    return min(FEWER_FOLDS if slow else FOLDS, rows)


def tried_by_default(numeric: bool) -> list[str]:
    """The names of the models that are tried where none is named."""
    if numeric:
        return [*NUMERIC_TRIED]
    return [POOL, "naive", "prior"] if POOL in PRESETS else [*TRIED]


def named_models(names: Sequence[str], kinds: Any, rows: Any, seed: int) -> dict[str, Any]:
    """{name: model}, to be fitted; a name that there is not is refused."""
    for name in names:
        find(name)
    return contenders([*dict.fromkeys(names)], kinds, rows, seed)


@dataclass(frozen=True)
class FittedPool:
    """A pool of all rows, and the seconds that it took."""

    model: Any
    seconds: float

    @property
    def held_out(self) -> Any:
        """What it says of rows that taught neither its members nor its weights."""
        return self.model.model_.held_out

    def run(self, rows: Any) -> CrossValidation:
        """The same as a cross-validation of these rows, its own."""
        held, places = self.held_out, {plain(level): at for at, level in enumerate(self.model.classes_)}
        said = held.under(self.model.model_.log_prior)[:, [places[level] for level in rows.classes]]
        why = "a pool is judged by the rows that it held out"
        return CrossValidation(said, held.fold, rows.classes, rows.y, rows.weights, tuple(range(held.folds)), why)


def fitted_pools(models: Mapping[str, Any], fit: Callable[[Any], Any]) -> dict[str, FittedPool]:
    """Those of the models that try others by themselves, fitted to all rows, where every row was held out meanwhile."""
    found = {}
    for name, model in models.items():
        if not hasattr(type(model), "leaderboard_"):
            continue
        began = perf_counter()
        with suppress(LikelyError):  # which is told where it is judged
            one = FittedPool(fit(model), perf_counter() - began)
            if one.held_out is not None and one.held_out.every and one.held_out.folds > 1:
                found[name] = one
    return found


def contest(
    models: Mapping[str, Any],
    X: Any,
    y: Any,
    folds: int,
    seed: int,
    tick: Callable[[], object] | None,
    pools: Mapping[str, FittedPool] = {},
) -> tuple[SharedFolds, Comparison, dict[str, Any], dict[str, str]]:
    """All models on the same folds, what each said of the rows, and why some were left out: they cannot learn these.

    Of `pools`, which are fitted to all rows, the first held these out in folds meanwhile: all are judged on its folds.
    """
    own = next(iter(pools), None)
    laid = lay_out(models, X, y, folds=folds if own is None else pools[own].held_out.fold, seed=seed)
    found: list[Any] = []
    runs: dict[str, Any] = {}
    left: dict[str, str] = {}
    for name, model in models.items():
        if name == own:
            runs[name] = pools[name].run(laid.rows)
            found.append((laid.row(name, runs[name], pools[name].seconds), runs[name].notes))
            continue
        try:
            row, notes, (runs[name],) = laid.examine(name, model, tick)
            found.append((row, notes))
        except LikelyError as error:
            if len(models) == 1:
                raise
            left[name] = error.message
            failed = error
    if not found:
        raise failed
    return laid, laid.settle(found), runs, left


def winner(comparison: Comparison) -> str:
    """The name of the best model that looks at columns, where there is one."""
    return next((row.name for row in comparison.ranked if row.name not in BASELINES), comparison.best)


def models_tried(subject: Subject) -> dict[str, Any]:
    """The scores of every model with the spread over folds, best first; a pool's own table and story."""
    found: dict[str, Any] = {"chosen": subject.name, "rows": [], "words": "", "left_out": dict(subject.left_out)}
    comparison = subject.comparison
    if comparison is not None:
        loss = MEASURE_OF_LOSS[comparison.loss]
        found |= {
            "chosen": winner(comparison),
            "loss": loss,
            "folds": comparison.folds,
            "baseline": comparison.baseline,
            "words": comparison.words,
            "rows": [_row(row, loss) for row in comparison.ranked],
        }
    board, story = getattr(subject.model, "leaderboard_", None), getattr(subject.model, "story_", None)
    found["leaderboard"] = [] if board is None else [_plain(one) for one in _records(board)]
    found["story"] = [] if story is None else [str(line) for line in story]
    return found


def _row(row: Any, loss: str) -> dict[str, Any]:
    folds = getattr(row, loss)
    known = folds[np.isfinite(folds)]
    error = float(known.std(ddof=1) / np.sqrt(len(known))) if len(known) == len(folds) > 1 else None
    about = PRESETS[row.name].compared if row.name in PRESETS else ""
    return {"name": row.name, "about": about, **row.means, "standard_error": error, "seconds": row.seconds}


def _records(board: Any) -> list[Any]:
    """The rows of a leaderboard, which may be a data frame."""
    return list(board.to_dict("records")) if hasattr(board, "to_dict") and hasattr(board, "columns") else list(board)


def _plain(row: Any) -> dict[str, Any]:
    return dict(to_jsonable(row._asdict() if hasattr(row, "_asdict") else row))
