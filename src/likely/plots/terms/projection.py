"""Two ways to look at many columns at once: the directions that tell classes apart, and those of most variance."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.errors import OptionError
from likely.plots.legends import legend_of_figure
from likely.plots.named_results import expect
from likely.plots.points import MOST_LARGE_POINTS, drawn_rows, point_look, read_points
from likely.plots.style import Axes, Figure, head, label_levels, line, new_figure, picture, place
from likely.plots.typeface import shorts


@picture
def projection(model: Any, X: Any, y: Any) -> Figure:
    """Rows along the best two directions of a LinearDiscriminant, beside their first two principal components.

    The discriminant knows the classes and looks for what tells them apart; principal components of the standardised
    columns do not, and look for what varies most. Where there is one direction, the classes lie below one another.

    >>> import likely
    >>> X = [[1.0, 1.0], [2.0, 1.5], [1.5, 2.5], [4.0, 4.0], [6.0, 3.5], [5.0, 6.5]]
    >>> figure = projection(likely.LinearDiscriminant().fit(X, list("aaabbb")), X, list("aaabbb"))
    >>> figure.axes[0].get_title()
    'LinearDiscriminant: 100 % of what\\ntells the classes apart'
    """
    expect(model, "explained_variance_ratio_", "projection(model)", "a fitted LinearDiscriminant")
    schema = model.model_.schema
    names = [column.name for column in schema.columns if column.kind == "real"]
    if X is None or y is None:
        hint = "give X and y: the rows to project, and their classes"
        raise OptionError("O439", "there are no rows to project", place="projection(model, X, y)", hint=hint)
    points = read_points(model, names, X, y)
    shares = np.asarray(model.explained_variance_ratio_)
    apart = np.asarray(model.transform(X))[:, :2]
    spread, variances = _components(points.values)
    drawn, classes = drawn_rows(len(points.codes)), shorts(model.classes_)
    figure = new_figure(8.4, 4.6)
    left, right = (place(panel)[1] for panel in figure.subplots(1, 2))
    _draw(left, classes, apart[drawn], points.codes[drawn], "discriminant direction")
    _draw(right, classes, spread[drawn], points.codes[drawn], "principal component")
    head(left, f"{type(model).__name__}: {_told(shares[:2])} of what\ntells the classes apart")
    head(right, f"principal components: {_told(variances)}\nof the variance")
    legend_of_figure(figure, *left.get_legend_handles_labels(), "class")
    return figure


def _draw(ax: Axes, classes: list[str], places: Floats, codes: Array, name: str) -> None:
    """Two directions as a plane of points; one as a density for each class, the points below it."""
    rng, size = np.random.default_rng(0), 1.0 if len(places) <= MOST_LARGE_POINTS else 0.65
    for at, label in enumerate(classes):
        mine = places[codes == at]
        look = {**point_look(at, size), "label": label}
        if places.shape[1] == 2:
            ax.plot(*mine.T, **look)
        else:
            ax.plot(mine[:, 0], at + 0.1 + 0.2 * rng.random(len(mine)), **look)
            _density(ax, mine[:, 0], at, np.linspace(places.min(), places.max(), 300))
    ax.set_xlabel(f"first {name}")
    if places.shape[1] == 2:
        ax.set_ylabel(f"second {name}")
    else:
        label_levels(ax, classes)


def _density(ax: Axes, values: Floats, at: int, x: Floats) -> None:
    """A smooth curve over a class, by a normal kernel and Silverman's width; its height means nothing."""
    width = 1.06 * values.std() * max(len(values), 1) ** -0.2 if len(values) else 0.0
    if width > 0:
        heights = np.exp(-0.5 * ((x[:, None] - values) / width) ** 2).sum(axis=1)
        curve = at - 0.5 * heights / heights.max()
        ax.plot(x, curve, linewidth=1.2, gid="density", **line(at))
        ax.fill_between(x, curve, at, color=line(at)["color"], alpha=0.12, linewidth=0, gid="density")


def _told(shares: Floats) -> str:
    return " + ".join(f"{100 * share:.0f} %" for share in shares)


def _components(values: Floats) -> tuple[Floats, Floats]:
    """(rows, components) and their shares of the variance: at most two, of columns with mean 0 and deviation 1.

    A missing value is at the mean. The sign of a component is free: its weightiest column counts upwards.
    """
    means = np.nanmean(values, axis=0)
    centred = np.where(np.isnan(values), 0.0, values - means)
    deviation = np.sqrt((centred**2).mean(axis=0))
    scaled = np.divide(centred, deviation, out=np.zeros_like(centred), where=deviation > 0)
    _, sizes, axes = np.linalg.svd(scaled, full_matrices=False)
    axes = axes[:2] * np.sign(axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)])[:2, None]
    whole = (sizes**2).sum()
    return scaled @ axes.T, (sizes**2 / whole if whole > 0 else sizes)[:2]
