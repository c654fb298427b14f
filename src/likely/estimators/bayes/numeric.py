"""What the classifiers share that describe numbers together: all of them are reals, whatever values they have."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Self

from likely.core.schema import Schema
from likely.data import Source
from likely.estimators.face.generative import GenerativeClassifier
from likely.families.predictor import Setting
from likely.models import JointModel, Model
from likely.models.priors import weighted_priors
from likely.statistics import Bundle


class DensityClassifier(GenerativeClassifier, ABC):
    """Methods of the classifiers whose real columns have one density in each class."""

    model_: JointModel

    @abstractmethod
    def _density(self) -> Any:
        """The density that the options say, checked."""

    def _model(self, source: Source, classes: tuple[Any, ...]) -> Model:
        density = self._density()
        setting = Setting("bayes", float(self.smoothing), self.missing)  # of what stands beside the numbers
        schema = self._survey(source, self.kinds, classes)
        priors = weighted_priors(self.priors, self.class_weight, self.estimate, schema.classes)
        return self._taught(source, JointModel(schema, setting, priors, Bundle({}), density))

    def _hold(self, model: Model, **more: Any) -> Self:
        assert isinstance(model, JointModel), "densities have joint models"
        model.dense  # noqa: B018  made now: options that do not fit the columns or classes are named before anything changes
        return super()._hold(model, **more)

    def _survey(self, source: Source, kinds: Any, classes: tuple[Any, ...]) -> Schema:
        """Numbers are reals here, 0 and 1 too, and a sparse matrix holds numbers; words stand beside them."""
        kinds = {} if isinstance(kinds, str) and kinds == "auto" else kinds
        schema = source.survey(kinds, classes)
        if not isinstance(kinds, Mapping):
            return schema
        numbers = [c.name for c in schema.columns if c.kind == "binary" and not c.fixed and c.levels == (0, 1)]
        return source.survey({**kinds, **dict.fromkeys(numbers, "real")}, classes) if numbers else schema
