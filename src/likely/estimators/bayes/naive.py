"""NaiveBayes: every kind of column in one model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from likely.core.schema import DESCRIPTIONS, Schema
from likely.data import Source
from likely.estimators.bayes.described_numbers import with_descriptions
from likely.estimators.face.generative import GenerativeClassifier
from likely.estimators.face.options import ShownType, declared
from likely.estimators.face.rows import fitted_now
from likely.estimators.face.shared_options import ClassWeight, Estimate, Kinds, Missing, Priors, Smoothing
from likely.families.predictor import Setting

Descriptions = Annotated[
    Any,
    ShownType("{'auto', 'normal', 'log', 'zeros', 'poisson', 'parzen', 'bins'} or {column: one, or edges of bins}"),
    "How real columns are described in each class: 'normal', 'log' (log-normal above zero), 'zeros' (normal, zeros"
    " apart), 'poisson', 'parzen' (kernel densities), 'bins'; 'auto': under estimate='bayes' the one that loses least,"
    " leaving one out, for each column whose kind is inferred and that has 50 values; else normal.",
]


@declared
class NaiveBayes(GenerativeClassifier):
    """Naive Bayes on mixed and missing data: numbers, categories, counts, densities and text in one model.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([["sun", 21.0], ["sun", 25.0], ["rain", 12.0], ["rain", None]], dtype=object)
    >>> model = NaiveBayes().fit(X, ["out", "out", "in", "in"])
    >>> model.predict([["rain", 11.0], ["snow", 24.0]]).tolist()
    ['in', 'out']
    >>> model.explain([["rain", 11.0]]).log_odds("in", "out").round(3).tolist()
    [[0.0, 1.099, 2.725]]
    """

    kinds: Kinds = "auto"
    estimate: Estimate = "bayes"
    smoothing: Smoothing = 1.0
    priors: Priors = None
    missing: Missing = "ignore"
    class_weight: ClassWeight = None
    descriptions: Descriptions = "auto"

    _beside_counts = "descriptions of numbers"

    @property
    def descriptions_(self) -> dict[str, str | tuple[float, ...]]:
        """How each real column is described, as `descriptions=` takes it: models of one description merge exactly.

        Examples
        --------
        >>> import likely
        >>> model = likely.NaiveBayes(descriptions="log").fit([[1.0], [2.0], [40.0], [50.0]], ["a", "a", "b", "b"])
        >>> model.descriptions_
        {'x0': 'log'}
        """
        self._refuse_unfitted()
        columns = (column for column in self.model_.schema.columns if column.kind == "real")
        return {
            column.name: column.cuts if column.described == "bins" and column.cuts is not None
            else column.described if column.described in DESCRIPTIONS else "normal"
            for column in columns
        }  # fmt: skip

    @property
    def _learns_structure(self) -> bool:
        """Whether the rows chose how a column is described."""
        columns = fitted_now(self).model_.schema.columns
        said = self.descriptions if isinstance(self.descriptions, Mapping) else {}
        others = "auto" if said or not isinstance(self.descriptions, str) else self.descriptions
        ways = (said.get(column.name, others) for column in columns if column.described)
        return any(isinstance(way, str) and way in ("auto", "bins") for way in ways)

    def _survey(self, source: Source, kinds: Any, classes: tuple[Any, ...]) -> Schema:
        """A column with a description of its own is real, whatever its first values are."""
        if isinstance(self.descriptions, Mapping) and (isinstance(kinds, Mapping) or kinds == "auto"):
            known, names = {} if kinds == "auto" else dict(kinds), set(source.names)
            said = (name for name in self.descriptions if name in names and name not in known)
            kinds = {**known, **dict.fromkeys(said, "real")}
        return super()._survey(source, kinds, classes)

    def _settled(self, source: Source, schema: Schema, setting: Setting) -> Schema:
        return with_descriptions(source, schema, setting, self.descriptions)
