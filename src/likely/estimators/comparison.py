"""Models of ours and of scikit-learn, named or made, compared on one table or over several."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from likely.core.docstrings import describe
from likely.data import open_source
from likely.data.origin import collected, is_elsewhere, is_frame, is_sparse
from likely.data.targets.label_rows import labelled
from likely.data.targets.numeric_target import is_numeric_target
from likely.errors import DataError, OptionError
from likely.estimators.fit_and_load import columns_of
from likely.estimators.registry import compared, contenders
from likely.estimators.scikit_learn.encoded_estimator import encoded
from likely.estimators.scikit_learn.names import is_scikit_name, make_scikit
from likely.evaluation.comparisons.compare import compare as compare_models
from likely.evaluation.comparisons.comparison import Comparison
from likely.evaluation.comparisons.rankings import Ranking, rank


@describe
def compare(
    X: Any,
    y: Any = None,
    models: Any = None,
    score: str | None = None,
    folds: Any = 10,
    repeats: int = 1,
    seed: int = 0,
    kinds: Any = "auto",
    weights: Any = None,
    cv: Any = None,
    groups: Any = None,
    times: Any = None,
    rope: float = 0.01,
    tick: Callable[[], object] | None = None,
) -> Comparison | Ranking:
    """Models of ours and of scikit-learn by cross-validation on the same folds, in the order of a score.

    `models` are names, estimators, a list of both or a mapping from names of your own to them; None: all that `likely
    compare` knows. A name is one of `likely fit --model` or of scikit-learn's classifiers and regressors. `X` is a
    table and `y` the target or the name of its column, also of a file; or X maps names to tables (X, y): then models
    are ranked over these. Estimators of scikit-learn that are given a table of other than numbers, and all that are
    named, get it encoded: learnt anew in every fold. Ctrl-C keeps the models, or the tables, that are done.

    >>> X, y = [[1.0, "a"], [2.0, None], [1.5, "b"], [5.0, "b"], [6.0, "c"], [5.5, "c"]] * 2, list("nnnyyy") * 2
    >>> from sklearn.linear_model import LogisticRegression
    >>> found = compare(X, y, ["naive", LogisticRegression(), "prior"], folds=3)
    >>> [row.name for row in found.rows], found["prior"].means["auc"]
    (['naive', 'LogisticRegression', 'prior'], 0.5)
    """
    if y is None and isinstance(X, Mapping):
        split = {"weights": weights, "groups": groups, "times": times}
        for name, given in split.items():
            if given is not None:
                hint = "it says something of each row of one table: compare that table alone"
                raise OptionError("O340", f"{name} is given for several tables", place=f"{name}=", hint=hint)
        tables = {str(name): table_and_target(*_pair(name, one)) for name, one in X.items()}
        found: dict[str, Comparison] = {}
        for name, (table, target) in tables.items():
            contest = made(models, table, target, kinds, seed)
            try:
                one = compare_models(
                    contest, table, target, folds, repeats, seed, None, tick, rope, None, cv, score=score
                )
            except KeyboardInterrupt:
                if len(found) < 2:
                    raise
                break
            if one.unjudged:
                if len(found) < 2:
                    raise KeyboardInterrupt
                break
            found[name] = one
        return rank(found)
    table, target = table_and_target(X, y)
    contest = made(models, table, target, kinds, seed)
    return compare_models(
        contest, table, target, folds, repeats, seed, weights, tick, rope, None, cv, groups, times, score
    )


def _pair(name: Any, table: Any) -> tuple[Any, Any]:
    if isinstance(table, tuple) and len(table) == 2:
        return table
    hint = 'give each table with its target, as in compare({"iris": (X, y), "loans": ("loans.csv", "default")})'
    raise OptionError("O340", f"table {name!r} is no pair (X, y)", place="X", hint=hint)


def table_and_target(X: Any, y: Any) -> tuple[Any, Any]:
    """A table in memory and what is to be predicted of each row; a column of the table that y names is taken out."""
    if y is None:
        hint = "give the target, or the name of its column: compare(X, y)"
        raise DataError("D119", "there is no target", place="y", hint=hint)
    if not isinstance(y, str) or not (is_elsewhere(X) or is_frame(collected(X))):
        return X, y
    import pyarrow as pa

    source = columns_of(X, y)
    rows, _ = labelled(source, y)
    table = pa.Table.from_batches(list(rows.read()))
    if not table.num_rows:
        raise DataError("D117", "there are no rows", place=source.place, hint="give at least one row")
    return table.drop_columns([y]), table.column(y).combine_chunks()


def made(models: Any, X: Any, y: Any, kinds: Any = "auto", seed: int = 0) -> dict[str, Any]:
    """{name: estimator} of what users say of models, for a table and its target."""
    if models is None:
        models = compared(numeric=_is_numeric(y))
    elif isinstance(models, str) or not isinstance(models, Mapping | Sequence):
        models = [models]
    named = dict(models) if isinstance(models, Mapping) else _called(models)
    ours = [model for model in named.values() if isinstance(model, str) and not is_scikit_name(model)]
    rows = open_source(np.array(X, dtype=object) if isinstance(X, list | tuple) else X, kinds=kinds)
    own = contenders([*dict.fromkeys(ours)], kinds, rows, seed)  # type: ignore[arg-type]
    found = {}
    for name, model in named.items():
        if isinstance(model, str):
            found[name] = own[model] if model in own else encoded(make_scikit(model, seed), kinds)
        else:
            found[name] = fitting(model, X, kinds)
    return found


def _called(models: Sequence[Any]) -> dict[str, Any]:
    """{name: model} of a list: names as they are, estimators by their class, numbered where it is there twice."""
    names = [model if isinstance(model, str) else type(model).__name__ for model in models]
    found: dict[str, Any] = {}
    for at, (name, model) in enumerate(zip(names, models, strict=True)):
        again = not isinstance(model, str) and names.count(name) > 1
        found[f"{name} {names[: at + 1].count(name)}" if again else name] = model
    return found


def _is_numeric(y: Any) -> bool:
    import pyarrow as pa

    try:
        column = y if isinstance(y, pa.Array | pa.ChunkedArray) else pa.array(np.asarray(y).tolist())
    except pa.ArrowException:  # labels of several types
        return False
    return is_numeric_target(pa.table({"y": column}).to_batches(), "y")


def fitting(model: Any, X: Any, kinds: Any = "auto") -> Any:
    """The estimator as it is, or one of scikit-learn that learns from this table encoded.

    What has steps or columns of its own is left alone: it encodes the table itself.
    """
    if not type(model).__module__.startswith("sklearn.") or _prepares(model) or _all_numbers(X):
        plain = not hasattr(model, "fit") or hasattr(model, "predict_proba") or not _is_classifier(model)
        return model if plain else encoded(model, kinds)
    return encoded(model, kinds) if hasattr(model, "fit") and not isinstance(model, type) else model


def _is_classifier(model: Any) -> bool:
    from sklearn.base import is_classifier

    return not isinstance(model, type) and hasattr(model, "__sklearn_tags__") and bool(is_classifier(model))


def _prepares(model: Any) -> bool:
    """Whether an estimator has steps of its own, or is a search among such."""
    inner = getattr(model, "estimator", None)
    return hasattr(model, "steps") or (inner is not None and not isinstance(inner, str) and _prepares(inner))


def _all_numbers(X: Any) -> bool:
    """Whether a table holds numbers alone, none of them missing."""
    if is_sparse(X):
        return True
    try:
        values = np.asarray(X, dtype=np.float64) if not is_frame(X) else _frame_numbers(X)
    except (TypeError, ValueError):
        return False
    return values is not None and bool(np.isfinite(values).all())


def _frame_numbers(X: Any) -> Any:
    import narwhals as nw

    frame = nw.from_native(X, eager_only=True)
    return frame.to_numpy().astype(np.float64) if all(one.is_numeric() for one in frame.schema.values()) else None
