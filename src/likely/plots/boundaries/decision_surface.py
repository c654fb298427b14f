"""Decision surfaces: where a model changes its mind, in one, two or three columns, under one or several priors."""

from __future__ import annotations

from textwrap import fill
from typing import Any

from likely.errors import OptionError
from likely.output.display_width import display_width
from likely.plots.boundaries.arguments import boxes, read_columns, read_models, read_sets, scales_of
from likely.plots.boundaries.one_column import BOUNDARY_DASHES, draw_line, level
from likely.plots.boundaries.three_columns import draw_space
from likely.plots.boundaries.two_columns import draw_plane
from likely.plots.boundaries.view import SurfaceView
from likely.plots.points import read_points, ring_look
from likely.plots.style import FAINT, INK, Axes, Figure, line, marker, new_figure, picture, place

_DRAW: dict[int, Any] = {1: draw_line, 2: draw_plane, 3: draw_space}
_ALONE, _AMONG = 5.3, {1: 3.3, 2: 3.3, 3: 3.8}  # inches across of a panel that is alone, and of one of several
_PANEL_HEIGHT = {1: (0.62, 0.9), 2: (0.9, 0.9), 3: (1.0, -0.3)}  # of the width, and inches more for what is around it
_LEGEND_LINE = 0.2  # inches of a line of the legend
_HANDLE, _LETTER_INCHES = 0.55, 0.066  # inches: of a sign before a line of the legend, and of a letter
_LETTERS = 58  # that fit into two columns of a legend
_BELOW_AXES = {1: 0.48, 2: 0.48, 3: 0.0}  # inches from the axes to the legend
_BOUNDARY: dict[int, dict[str, Any]] = {
    1: {"color": INK, "linewidth": 1.4, "linestyle": BOUNDARY_DASHES},
    2: {"color": INK, "linewidth": 2.2},
    3: {"color": FAINT, "linewidth": 7, "alpha": 0.6},
}


@picture
def decision_surface(
    models: Any, X: Any = None, y: Any = None, features: Any = None, *, priors: Any = None, ax: Axes | None = None
) -> Figure:
    """Where models change their mind: a row of panels for each model, a column for each prior.

    `models`: a fitted model, several in a list or by name. `features`: one to three of their real columns, by name or
    number; all other columns are summed out. X and y: rows to show as points; those that are decided against their
    label are ringed. `priors`: None (those of the model), or one or several of: P(second class), {class: probability}.

    Columns that span powers of ten are drawn by them, with zero in a band apart. The errors on the points are those of
    the model in these columns; its own expected error is that of the best decisions if the model is right.

    >>> import likely
    >>> X, y = [[1.0, 5.0], [2.0, 4.0], [2.5, 6.0], [4.0, 8.0], [5.0, 7.0], [6.0, 9.0]], list("aaabbb")
    >>> figure = decision_surface(likely.NaiveBayes().fit(X, y), X, y, priors=[0.3, 0.7])
    >>> [panel.get_title() for panel in figure.axes]
    ['NaiveBayes\\nP(b) = 0.3', 'NaiveBayes\\nP(b) = 0.7']
    """
    rows = _views(models, X, y, features, priors)
    figure, panels = _panels(rows, ax)
    views = [view for row in rows for view in row]
    for view, panel in zip(views, panels, strict=True):
        _DRAW[len(view.features)](panel, view)
        _legend(panel, view, alone=len(views) == 1)
    for features in {view.features for view in views if len(view.features) == 1}:
        level([(panel, view) for panel, view in zip(panels, views, strict=True) if view.features == features])
    return figure


def _views(models: Any, X: Any, y: Any, features: Any, priors: Any) -> list[list[SurfaceView]]:
    """What the panels show, row by row."""
    pairs = read_models(models, "decision_surface(models)")
    sets = read_sets(priors, "decision_surface(priors=)")
    columns = [read_columns(model, features, "decision_surface(features=)") for _, model in pairs]
    shown = [(model, mine) for (_, model), mine in zip(pairs, columns, strict=True)]
    scales = scales_of(shown, X)
    seen = boxes(shown, X, scales)
    rows = []
    for (name, model), mine in zip(pairs, columns, strict=True):
        laid = tuple(scales[one] for one in mine)
        own = SurfaceView(model, name, mine, seen[mine], read_points(model, mine, X, y), laid)
        rows.append([own.under(prior) for prior in sets])
    return rows if len(sets) > 1 else _in_pairs([view for (view,) in rows])


def _in_pairs(views: list[SurfaceView]) -> list[list[SurfaceView]]:
    """Models under one prior, those of the same columns two in a row."""
    rows: list[list[SurfaceView]] = []
    for view in views:
        if rows and len(rows[-1]) == 1 and rows[-1][0].features == view.features:
            rows[-1].append(view)
        else:
            rows.append([view])
    return rows


def _panels(rows: list[list[SurfaceView]], ax: Axes | None) -> tuple[Figure, list[Axes]]:
    """An empty panel for each view."""
    sizes, across = [len(row[0].features) for row in rows], max(map(len, rows))
    if ax is not None:
        _check_axes(ax, sizes[0], len(rows) * across)
        figure, ax = place(ax)
        return figure, [ax]
    alone = len(rows) * across == 1
    heights = [max(_inches(view, alone) for view in row) for row in rows]
    wide = _ALONE if alone else max(_AMONG[size] for size in sizes)
    figure = new_figure(max(across * wide, _ALONE), sum(heights))
    cells = figure.add_gridspec(len(rows), across, height_ratios=heights)
    panels = []
    for at, size in enumerate(sizes):
        for number in range(len(rows[at])):
            panel = figure.add_subplot(cells[at, number], projection="3d" if size == 3 else None)
            panels.append(place(panel)[1])
    return figure, panels


def _inches(view: SurfaceView, alone: bool) -> float:
    """The height of a panel, with its legend."""
    share, more = _PANEL_HEIGHT[len(view.features)]
    across = _across(view, alone)
    lines = (
        -(-len(view.labels) // 2)
        if across == 2
        else sum(1 + label.count("\n") for label in _wrapped(view.labels, len(view.features), alone))
    )
    return share * (_ALONE if alone else _AMONG[len(view.features)]) + more + lines * _LEGEND_LINE


def _wrapped(labels: list[str], size: int, alone: bool) -> list[str]:
    """The lines of a legend in one column, each as wide as its panel at most."""
    return [fill(label, int(((_ALONE if alone else _AMONG[size]) - _HANDLE) / _LETTER_INCHES)) for label in labels]


def _across(view: SurfaceView, alone: bool) -> int:
    """The columns of a legend: two where they fit."""
    half = -(-len(view.labels) // 2)
    letters = sum(max(map(display_width, part)) for part in (view.labels[:half], view.labels[half:]))
    return 2 if alone and letters <= _LETTERS else 1


def _check_axes(ax: Axes, size: int, panels: int) -> None:
    if panels > 1:
        what, hint = f"{panels} panels do not fit into one", "leave ax= out, or give one model and one prior"
    elif (ax.name == "3d") != (size == 3):
        what = f"{size} columns cannot be drawn into axes of the projection {ax.name!r}"
        hint = "make the axes with figure.add_subplot(projection='3d')" if size == 3 else "give plain axes"
    else:
        return
    raise OptionError("O434", what, place="decision_surface(ax=)", hint=hint)


def _legend(ax: Axes, view: SurfaceView, alone: bool) -> None:
    """Below the panel, where it hides nothing."""
    from matplotlib.lines import Line2D
    from matplotlib.transforms import ScaledTranslation

    size, labelled = len(view.features), view.points.labelled
    looks: list[dict[str, Any]] = [
        {**line(at), "marker": marker(at) if labelled else "", "linewidth": 1.2 if size < 3 else 0}
        for at in range(len(view.classes))
    ]
    looks.append(_BOUNDARY[size])
    looks += [ring_look(0.8)] if labelled else []
    looks += [{"linestyle": ""}] if view.generative else []
    labels = view.labels if _across(view, alone) == 2 else _wrapped(view.labels, size, alone)
    handles = [Line2D([], [], label=label, **look) for label, look in zip(labels, looks, strict=True)]
    figure: Any = ax.get_figure(root=True)
    below = ax.transAxes + ScaledTranslation(0, -_BELOW_AXES[size], figure.dpi_scale_trans)
    ax.legend(
        handles=handles,
        loc="upper center",
        bbox_to_anchor=(0.5, 0.1 if size == 3 else 0.0),
        bbox_transform=below,
        ncols=_across(view, alone),
        frameon=False,
        borderaxespad=0,
    )
