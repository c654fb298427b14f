"""How much a model hangs on each column: by how much its loss rises where the values of that column are shuffled.

FeatureImportance: names, means (columns,), sds (columns,), loss, baseline, repeats; the most important first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.data import column_names
from likely.data.origin import take_in_column
from likely.evaluation.rows.evaluation_rows import Judged, Labelled, Measured, read_fitted, read_loss_of
from likely.evaluation.rows.refit import predicts_numbers
from likely.output.display_width import padded
from likely.output.draw import Drawn
from likely.output.jsonable import Written

NAMES_PRINTED = 20


@dataclass(frozen=True, eq=False, repr=False)
class FeatureImportance(Written, Drawn):
    """names, means (columns,), sds (columns,): by how much the loss rises without what a column says, the most first.

    `baseline` is the loss of the rows as they are, `sds` is over the shuffles. A column that says nothing that others
    do not say as well has an importance near zero, or below it by chance.

    >>> found = FeatureImportance(("age", "port"), np.array([0.2, 0.0]), np.array([0.01, 0.0]), "log", 0.5, 5)
    >>> found
    log loss 0.5; shuffled, it rises by
      age    0.2 ± 0.01
      port     0 ± 0
    """

    names: tuple[str, ...]
    means: Floats
    sds: Floats
    loss: str
    baseline: float
    repeats: int
    _picture = "importance"

    def _page(self) -> Any:
        """A row for each column."""
        table = zip(self.names, self.means.tolist(), self.sds.tolist(), strict=True)
        return [{"name": name, "importance": mean, "sd": sd} for name, mean, sd in table]

    def __repr__(self) -> str:
        shown = list(zip(self.names, self.means, self.sds, strict=True))[:NAMES_PRINTED]
        wide = max((len(name) for name, _, _ in shown), default=0)
        rises = [f"{mean:.4g}" for _, mean, _ in shown]
        lines = [
            f"  {padded(name, wide)}  {rise:>{max(map(len, rises))}} ± {sd:.2g}"
            for (name, _, sd), rise in zip(shown, rises, strict=True)
        ]
        more = len(self.names) - len(shown)
        lines += [f"  and {more} more"] if more else []
        return "\n".join([f"{self.loss} loss {self.baseline:.4g}; shuffled, it rises by", *lines])


def feature_importance(
    model: Any, X: Any, y: Any, repeats: int = 5, seed: int = 0, loss: Any = None, weights: Any = None
) -> FeatureImportance:
    """By how much the loss of a fitted model rises where the values of a column are dealt out anew among the rows.

    Of rows that the model has not learnt this is what it hangs on in use. The loss is "log" of classifiers (of whom one
    row was impossible, "zero-one") and "squared" of regressors, unless `loss` says another.

    >>> import likely
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]] * 5, ["no", "no", "yes", "yes"] * 5
    >>> found = feature_importance(likely.NaiveBayes().fit(X, y), X, y)
    >>> found.names, found.means.round(1).tolist()
    (('x0', 'x1'), [1.2, 0.0])
    """
    rows: Judged = (
        Measured.read(X, y, weights)
        if predicts_numbers(model)
        else Labelled.read(X, y, weights).under(read_fitted(model))
    )
    said = rows.ask(model)
    measure = read_loss_of(rows, loss or rows.losses[0])
    if loss is None and not np.isfinite(rows.risk(said, measure)):
        measure = "zero-one"
    baseline, rng = rows.risk(said, measure), np.random.default_rng(seed)
    orders = [rng.permutation(len(rows)) for _ in range(repeats)]
    names = column_names(rows.X) or list(map(str, getattr(model, "feature_names_in_", ())))
    names = names or [f"x{at}" for at in range(np.shape(rows.X)[1])]
    found = {}
    for at, name in enumerate(names):
        others = (replace(rows, X=take_in_column(rows.X, at, order)) for order in orders)
        found[name] = np.array([rows.risk(other.ask(model), measure) - baseline for other in others])
    ranked = sorted(found, key=lambda name: -found[name].mean())
    means, sds = (np.array([of(found[name]) for name in ranked]) for of in (np.mean, np.std))
    return FeatureImportance(tuple(ranked), means, sds, measure, float(baseline), repeats)
