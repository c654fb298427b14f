"""What a panel of a decision surface shows: a model under its priors, seen in one to three columns, and the points."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely.core.cache import cached_property
from likely.core.numerics import Floats
from likely.core.schema import Level
from likely.data.targets.class_lists import read_classes
from likely.plots.boundaries.scaled_surface import asked, places_of, scaled_surface
from likely.plots.column_scale import ZERO_BAND, ColumnScale
from likely.plots.points import RowPoints
from likely.plots.typeface import short, shorts
from likely.surfaces import Surface, bayes_error, rows, surface
from likely.surfaces.features import with_priors

VIEW_GRID_NODES = {1: 1201, 2: 201}  # of the grid on each side, by the number of columns

_KINDS = {2: "conics", 3: "quadrics"}  # of more classes than two, each pair may have its own


@dataclass(frozen=True, eq=False)
class SurfaceView:
    """A model in some columns, all others summed out, within a box (columns, 2)."""

    model: Any
    name: str
    features: tuple[str, ...]
    box: Floats
    points: RowPoints
    scales: tuple[ColumnScale, ...]
    log_likelihoods: Floats | None = None  # of the nodes, for every panel of the model: no prior changes them

    def under(self, priors: Any) -> SurfaceView:
        """The same model under other priors."""
        return replace(self, model=with_priors(self.model, priors), log_likelihoods=self.log_densities)

    @property
    def classes(self) -> tuple[Level, ...]:
        return read_classes(self.model.classes_)

    @property
    def whole(self) -> list[bool]:
        """Of each column, whether its values are whole numbers, few enough to be ticks."""
        columns = {column.name: column for column in self.model.model_.schema.columns}
        return [bool(columns[name].whole) for name in self.features]

    @property
    def generative(self) -> bool:
        """Whether the model says how numbers come about in each class; else it has probabilities only."""
        return hasattr(self.model, "sample")

    @cached_property
    def dense(self) -> bool:
        """Whether densities are drawn along the axes: bins have none, nor have probabilities, nor zero apart."""
        if not self.generative or self.binned or any(scale.zero for scale in self.scales):
            return False
        return not np.allclose(np.exp(self.log_joints).sum(axis=-1), 1.0)  # some models know probabilities only

    @property
    def binned(self) -> bool:
        """Whether a column is drawn that the model has cut into parts."""
        told = getattr(self.model, "descriptions_", None) or {}
        return any(isinstance(told.get(name), tuple) for name in self.features)

    @cached_property
    def ends(self) -> Floats:
        """(columns, 2): where the box ends along the axes."""
        return places_of(self.scales, self.box.T).T

    @cached_property
    def nodes(self) -> list[Floats]:
        """The values along each column that make up the grid: even along the axes."""
        pairs = zip(self.scales, self.ends, strict=True)
        return [scale.values(np.linspace(low, high, VIEW_GRID_NODES[len(self.box)])) for scale, (low, high) in pairs]

    @cached_property
    def log_densities(self) -> Floats:
        """(nodes, ..., classes): log p(node | class) at each node of the grid; in three columns there is none."""
        if self.log_likelihoods is not None or len(self.features) not in VIEW_GRID_NODES:
            return np.zeros(0) if self.log_likelihoods is None else self.log_likelihoods
        where = asked(self.scales, np.stack(np.meshgrid(*self.nodes, indexing="ij"), axis=-1))
        found = self.model.log_likelihood(rows(self.model, self.features, where.reshape(-1, len(self.box))))
        return np.asarray(found).reshape(*where.shape[:-1], -1)

    @property
    def log_joints(self) -> Floats:
        """(nodes, ..., classes): log P(class) p(node | class)."""
        return np.asarray(self.log_densities + self.log_priors)

    @property
    def log_priors(self) -> Floats:
        """(classes,)"""
        return np.asarray(self.model.model_.log_prior)

    @cached_property
    def log_drawn(self) -> Floats:
        """(nodes, ..., classes): what is drawn of the classes: densities along the axes, or else probabilities."""
        if not self.dense:
            return self.log_joints if self.binned else self._log_shares
        slopes = [np.log(scale.slopes(nodes)) for scale, nodes in zip(self.scales, self.nodes, strict=True)]
        grown = sum(np.meshgrid(*slopes, indexing="ij"), np.zeros(()))
        return np.asarray(self.log_joints + grown[..., None])

    @property
    def _log_shares(self) -> Floats:
        joints = self.log_joints
        return np.asarray(joints - np.logaddexp.reduce(np.maximum(joints, -1e300), axis=-1, keepdims=True))

    @property
    def priors(self) -> Floats:
        """(classes,)"""
        return np.asarray(np.exp(self.log_priors))

    @cached_property
    def surface(self) -> Surface:
        found = scaled_surface(self.model, self.features, self.box, self.scales)
        return surface(self.model, self.features, self.box) if found is None else found

    @cached_property
    def judged(self) -> RowPoints:
        """The points, and which of them the model decides against their class."""
        if not self.points.labelled:
            return self.points
        said = self.model.predict(rows(self.model, self.features, self.points.values)).tolist()
        places = {level: place for place, level in enumerate(self.model.classes_.tolist())}
        return replace(self.points, wrong=np.array([places[level] for level in said]) != self.points.codes)

    @cached_property
    def marks(self) -> RowPoints:
        """The points as they are drawn: moved aside where they would hide each other."""
        found, shown, rng = self.judged.scattered(), self.judged.shown().values, np.random.default_rng(2)
        values = found.values.copy()
        for at, scale in enumerate(self.scales):
            if scale.zero:
                spots = scale.places(0.0) + ZERO_BAND * rng.uniform(-0.8, 0.8, len(values))
                values[:, at] = np.where(shown[:, at] == 0, scale.values(spots), values[:, at])
        return replace(found, values=values)

    @property
    def title(self) -> str:
        """The model's name, and below it the priors."""
        if len(self.classes) == 2:
            return f"{self.name}\nP({short(self.classes[1], 16)}) = {self.priors[1]:.3g}"
        return f"{self.name}\n{short('priors ' + ', '.join(f'{prior:.2g}' for prior in self.priors), 36)}"

    @cached_property
    def labels(self) -> list[str]:
        """The lines of the legend: each class with its prior, the boundary, the errors on the points and in general."""
        pairs = zip(shorts(self.classes, 18), self.priors, strict=True)
        found = [f"{name}, prior {prior:.2f}" for name, prior in pairs]
        found.append(self.boundary)
        if self.points.labelled:
            undrawn = len(self.points.codes) - len(self.points.kept)
            away = f" ({undrawn} not drawn)" if undrawn else ""
            found.append(f"errors {self.judged.wrong.sum()} of {len(self.points.codes)}{away}")
        return [*found, *([self.bayes_error] if self.generative else [])]

    @property
    def boundary(self) -> str:
        """What the boundary is."""
        vertices = self.surface.vertices
        outside = int(((vertices < self.box[:, 0]) | (vertices > self.box[:, 1])).sum()) if len(self.box) == 1 else 0
        away = f" ({outside} outside)" if outside else ""
        many = len({piece.kind for piece in self.surface.pieces}) > 2
        kind = _KINDS[len(self.box)] if many else self.surface.kind
        return f"boundary: {kind}{away}{', exact' if self.surface.exact else ''}"

    @property
    def bayes_error(self) -> str:
        """How often the best decisions are wrong if the model is right; how sure that is, where it is estimated."""
        error, deviation = bayes_error(self.model, self.features)
        share = f"{100 * error:.1f}" if error >= 0.001 else f"{100 * error:.2g}"
        # what is below the last digit is not told
        sure = f" ± {100 * deviation:.1g}" if deviation >= 5e-4 else ""
        return f"the model's own expected error {share}{sure} %"
