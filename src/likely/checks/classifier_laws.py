"""The laws of classifiers: probabilities, merging, forgetting, leaving out, explaining, saving."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from likely.checks.equality import check_same, check_same_schema
from likely.checks.statistic_laws import learner
from likely.checks.tables import Table
from likely.core.numerics import log
from likely.data import Labels, open_source
from likely.kernels.scoring.posteriors import log_normalise


def check_probabilities_sum_to_one(fitted: Any, X: Any) -> None:
    """Probabilities lie between 0 and 1 and sum to one; their logarithms and the predicted class go with them.

    >>> from likely import NaiveBayes
    >>> fitted = NaiveBayes().fit([[0.0], [1.0], [4.0], [6.0]], ["no", "no", "yes", "yes"])
    >>> check_probabilities_sum_to_one(fitted, [[2.5]])
    """
    proba = fitted.predict_proba(X)
    assert proba.shape[1] == len(fitted.classes_), f"{proba.shape[1]} columns for {len(fitted.classes_)} classes"
    assert ((proba >= 0) & (proba <= 1)).all(), "a probability is below 0, above 1 or not a number"
    check_same(proba.sum(axis=1), np.ones(len(proba)), "the sum of each row, and one", 1e-12)
    check_same(np.exp(fitted.predict_log_proba(X)), proba, "exp of the log probabilities, and the probabilities", 1e-12)
    chosen = proba[np.arange(len(proba)), np.searchsorted(fitted.classes_, fitted.predict(X))]
    check_same(chosen, proba.max(axis=1), "the probability of the predicted class, and the largest", 1e-12)


def check_merge_is_batch(model: Any, table: Table, cut: int | None = None) -> None:
    """Two models, each fitted on its part and merged, are the model of all rows; neither of them changes.

    >>> from likely import NaiveBayes
    >>> check_merge_is_batch(NaiveBayes(), Table({"x": [0.0, 1.5, 4.0, 6.5]}, ["no", "yes", "no", "yes"], {}), cut=2)
    """
    learn = learner(model)
    first, second = _parts(table, cut)
    one, other = learn(first), learn(second)
    whole, before = learn(table), one.predict_proba(table.X)
    for merged, what in ((one.merge(other), "merged"), (other.merge(one), "merged the other way round")):
        check_same(merged, whole, f"{what}, and fitted on all")
        check_same(merged.predict_proba(table.X), whole.predict_proba(table.X), f"{what}: probabilities")
    check_same(one.predict_proba(table.X), before, "a model after it was merged, and before", 0.0)


def check_partial_fit_is_fit(model: Any, table: Table, cuts: Sequence[int] = ()) -> None:
    """Rows learnt in parts, cut at these places (one by one at first, if none are given), are rows learnt at once.

    >>> from likely import NaiveBayes
    >>> rows = Table({"x": ["a", "b", "b", "c"]}, ["no", "yes", "no", "yes"], {"x": "category"})
    >>> check_partial_fit_is_fit(NaiveBayes(kinds=rows.kinds), rows, cuts=[2])
    """
    from sklearn.base import clone

    parts = np.split(np.arange(len(table)), sorted(cuts or (1, 2, 3, len(table) // 2)))
    grown = clone(model)
    for part in [table.take(at) for at in parts if len(at)]:
        grown.partial_fit(part.X, part.y, sample_weight=part.weights)
    whole = learner(model)(table)
    check_same(grown, whole, "learnt in parts, and at once")
    check_same(
        grown.predict_proba(table.X), whole.predict_proba(table.X), "learnt in parts, and at once: probabilities"
    )


def check_forget_undoes(model: Any, table: Table, cut: int | None = None, tolerance: float = 1e-9) -> None:
    """A model that learnt all rows and forgot some is the model of the others; learning them again brings it back.

    Probabilities are compared under one schema: the grid of a parzen column does not shrink.

    >>> from likely import NaiveBayes
    >>> rows = Table({"x": [0.5, 1.5, 4.0, 6.5, 2.0, 3.5]}, ["no", "yes"] * 3, {"x": "real"})
    >>> check_forget_undoes(NaiveBayes(kinds=rows.kinds), rows)
    """
    learn = learner(model)
    first, second = _parts(table, cut)
    forgetful, never = learn(table), learn(first)
    whole = learn(table)
    forgetful.forget(second.X, second.y, second.weights)
    check_same(forgetful, never, "forgotten, and never seen", tolerance)
    again = _under_schema_of(forgetful, first)
    check_same(
        forgetful.predict_proba(table.X),
        again.predict_proba(table.X),
        "forgotten, and never seen: probabilities",
        tolerance,
    )
    forgetful.partial_fit(second.X, second.y, sample_weight=second.weights)
    check_same(forgetful, whole, "forgotten and learnt again, and as before", tolerance)


def check_leave_one_out_is_refit(model: Any, table: Table, tolerance: float = 1e-7) -> None:
    """What is said of each training row, had it not been seen, is what a refit without it says (same schema).

    >>> from likely import NaiveBayes
    >>> rows = Table({"x": [0.5, 1.5, 4.0, 6.5, 2.0, 3.5]}, ["no", "yes"] * 3, {"x": "real"})
    >>> check_leave_one_out_is_refit(NaiveBayes(kinds=rows.kinds), rows)
    """
    fitted = learner(model)(table)
    apart = fitted.leave_one_out(table.X, table.y, table.weights)
    every = np.arange(len(table))
    for row in every:
        refit = _under_schema_of(fitted, table.take(every[every != row]))
        expected = refit.predict_proba(table.take([row]).X)[0]
        check_same(apart[row], expected, f"row {row} left out, and refitted without it", tolerance, 1.0)


def check_column_order_is_irrelevant(model: Any, table: Table, order: Sequence[int] | None = None) -> None:
    """With its columns in another order (backwards if none is given) a model says the same.

    >>> from likely import NaiveBayes
    >>> columns = {"x": [0.5, 1.5, 4.0, 6.5], "word": ["a", "b", "b", "c"]}
    >>> rows = Table(columns, ["no", "yes"] * 2, {"x": "real", "word": "category"})
    >>> check_column_order_is_irrelevant(NaiveBayes(kinds=rows.kinds), rows)
    """
    learn, names = learner(model), list(table.columns)
    at = list(range(len(names)))[::-1] if order is None else list(order)
    moved = table.only([names[place] for place in at])
    one, other = learn(table), learn(moved)
    check_same(
        other.predict_proba(moved.X), one.predict_proba(table.X), "in another order, and in the first", 1e-9, 1.0
    )
    mine, theirs = one.explain(table.X).terms, other.explain(moved.X).terms
    if mine.shape[1] == len(names) + 1:
        check_same(theirs[:, 1:], mine[:, 1:][:, at], "terms in another order, and in the first", 1e-9, 1.0)


def check_shift_and_scale_change_nothing(
    model: Any, table: Table, shift: float = 1000.0, scale: float = 0.25, tolerance: float = 1e-7
) -> None:
    """Real columns in other units, scale * x + shift, give the same probabilities.

    Degrees Fahrenheit and Celsius say the same:

    >>> from likely import NaiveBayes
    >>> rows = Table({"celsius": [0.5, 1.5, 4.0, 6.5, 2.0, 3.5]}, ["ice", "rain"] * 3, {"celsius": "real"})
    >>> check_shift_and_scale_change_nothing(NaiveBayes(kinds=rows.kinds), rows, shift=32.0, scale=1.8)
    """
    learn = learner(model)
    real = [name for name, kind in table.kinds.items() if kind == "real"]
    moved = {name: [None if x is None else scale * x + shift for x in table.columns[name]] for name in real}
    other = replace(table, columns={**table.columns, **moved})
    before, after = learn(table).predict_proba(table.X), learn(other).predict_proba(other.X)
    check_same(after, before, "in other units, and in the first", tolerance, 1.0)


def check_explanation_sums_to_prediction(fitted: Any, X: Any) -> None:
    """The terms of an explanation, prior first, sum to the joint log probabilities behind the prediction.

    >>> from likely import NaiveBayes
    >>> fitted = NaiveBayes().fit([[0.0], [1.0], [4.0], [6.0]], ["no", "no", "yes", "yes"])
    >>> check_explanation_sums_to_prediction(fitted, [[2.5], [5.0]])
    """
    terms = fitted.explain(X).terms
    assert not np.isnan(terms).any(), "a term is not a number"
    joint, prior = terms.sum(axis=1), fitted.model_.log_prior
    check_same(terms[:, 0], np.broadcast_to(prior, joint.shape), "the first term, and the log prior", 1e-12)
    size = np.where(np.isfinite(terms), np.abs(terms), 0.0).sum(axis=1).max()
    said = fitted.predict_log_proba(X)
    check_same(log_normalise(joint.copy(), prior), said, "the terms summed, and the prediction", 1e-12, size)


def check_other_priors_reweigh(fitted: Any, X: Any) -> None:
    """Under other priors the odds change by the ratio of the priors, and by nothing else; the model itself stays.

    >>> from likely import NaiveBayes
    >>> fitted = NaiveBayes().fit([[0.0], [1.0], [4.0], [6.0]], ["no", "no", "yes", "yes"])
    >>> check_other_priors_reweigh(fitted, [[2.5], [5.0]])
    """
    share = np.arange(1.0, len(fitted.classes_) + 1)
    share /= share.sum()
    before = fitted.predict_log_proba(X)
    changed = fitted.with_priors(dict(zip(fitted.classes_.tolist(), share.tolist(), strict=True)))
    terms = fitted.explain(X).terms[:, 1:].sum(axis=1)
    expected = log_normalise(terms + log(share), log(share))
    check_same(np.exp(changed.predict_log_proba(X)), np.exp(expected), "under other priors, and the odds reweighed")
    check_same(fitted.predict_log_proba(X), before, "the model after with_priors, and before", 0.0)


def check_save_load(fitted: Any, X: Any, folder: str | os.PathLike[str] | None = None) -> None:
    """Saved and loaded, a model has the same domains and statistics, predicts the same bits, and merges with itself.

    >>> from likely import NaiveBayes
    >>> fitted = NaiveBayes().fit([[0.0], [1.0], [4.0], [6.0]], ["no", "no", "yes", "yes"])
    >>> check_save_load(fitted, [[2.5], [5.0]])
    """
    from likely.estimators.fit_and_load import load

    with tempfile.TemporaryDirectory(dir=folder) as place:
        path = os.path.join(place, "saved.likely")
        fitted.save(path)
        again = load(path)
    assert type(again) is type(fitted), f"a {type(fitted).__name__} was saved, a {type(again).__name__} loaded"
    check_same_schema(again.model_.schema, fitted.model_.schema, "loaded, and saved")
    for question, answer in fitted.model_.bundle.items():
        assert again.model_.bundle[question] == answer, f"loaded, and saved: {question} differs"
    assert again.classes_.tolist() == fitted.classes_.tolist(), "loaded, and saved: classes differ"
    assert again.classes_.dtype.kind == fitted.classes_.dtype.kind, "loaded, and saved: classes of another type"
    check_same(again.predict_proba(X), fitted.predict_proba(X), "loaded, and saved: probabilities", 0.0)
    check_same(again.merge(fitted), fitted.merge(fitted), "merged with what was loaded, and with itself", 0.0)


def _parts(table: Table, cut: int | None) -> tuple[Table, Table]:
    at = 2 * len(table) // 3 if cut is None else cut
    return table.take(np.arange(at)), table.take(np.arange(at, len(table)))


def _under_schema_of(fitted: Any, table: Table) -> Any:
    """The classifier that these rows alone give, under the schema of a fitted one."""
    weights = None if table.weights is None else np.array(table.weights, dtype=np.float64)
    source = open_source(table.X, labels=Labels.read(table.y), weights=weights)
    return fitted._copy(fitted.model_.of_rows(fitted._ask_again(source)))
