"""Legends that hide nothing that was drawn: in a corner that is free, else below the axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from likely.core.numerics import Floats

CORNERS = ("upper right", "upper left", "lower right", "lower left")
DOTS_APART = 3.0  # between the points at which lines are looked at
MARGIN = 4.0  # dots between a legend and what it must not hide
BACKGROUND = 2.0  # what is drawn below this zorder, as lines of guessing are, may be hidden
MOST_LEGEND_ENTRIES, SHOWN_OF_MANY = 42, 40  # of more, the first ones are named
_LEGEND_STYLE: dict[str, Any] = {"title_fontsize": 8.5, "alignment": "left"}
LINE = 0.2  # inches of an entry
_COLUMNS_APART = 1.2  # letters
_GAP_BELOW = 6.0  # dots between the label of the axis and a legend below it


def legend(ax: Any, handles: Sequence[Any] | None = None, *, corners: Sequence[str] = CORNERS, **options: Any) -> bool:
    """A legend in the first of these corners where it hides no curve, bar or mark, else below axes that are alone.

    Among other panels it stays in the corner where it hides least. Returns whether it hides nothing. Call it when all
    else is drawn: where things are is settled first.
    """
    figure: Any = ax.get_figure(root=True)
    look: dict[str, Any] = {**_LEGEND_STYLE, **_entries(ax, handles, options)}
    box = ax.legend(**look, loc=corners[0])
    box.set_in_layout(False)  # it is measured, and may be wider than all else
    lay_out(figure)
    frame, hidden = ax.get_window_extent(), _drawn(ax)
    inside = box.get_window_extent()
    wide, high = inside.width + 2 * MARGIN, inside.height + 2 * MARGIN
    covered = {}
    for corner in corners:
        left = frame.x1 - wide if "right" in corner else frame.x0
        low = frame.y1 - high if "upper" in corner else frame.y0
        within = (hidden > (left, low)).all(axis=1) & (hidden < (left + wide, low + high)).all(axis=1)
        covered[corner] = int(within.sum()) + (len(hidden) if wide > frame.width or high > frame.height else 0)
    best = min(corners, key=lambda corner: covered[corner])
    alone = len(figure.axes) == 1 and figure.get_layout_engine() is not None  # else there is no room to make
    if covered[best] and alone:
        _below(ax, look)
        return True
    ax.legend(**look, loc=best)
    return not covered[best]


def legend_of_figure(figure: Any, handles: Sequence[Any], labels: Sequence[str], title: str) -> None:
    """One legend for all panels, below them, in as many columns as fit; the figure grows by its height."""
    known, words = _first(handles, labels)
    box = figure.legend(known, words, loc="outside lower left", title=title, frameon=False, **_LEGEND_STYLE)
    each = box.get_window_extent().width
    box.remove()
    columns = max(1, min(len(words), int(figure.bbox.width // each)))
    look = {**_LEGEND_STYLE, "ncols": columns, "columnspacing": _COLUMNS_APART}
    figure.legend(known, words, loc="outside lower left", title=title, frameon=False, **look)
    figure.set_figheight(figure.get_figheight() + LINE * (1.5 + -(-len(words) // columns)))


def _entries(ax: Any, handles: Sequence[Any] | None, options: dict[str, Any]) -> dict[str, Any]:
    """The entries, the first ones of very many, and the other options."""
    known, labels = ax.get_legend_handles_labels() if handles is None else (list(handles), None)
    labels = options.get("labels", labels or [str(one.get_label()) for one in known])
    known, labels = _first(known, labels)
    return {**options, "handles": known, "labels": labels}


def _first(handles: Sequence[Any], labels: Sequence[str]) -> tuple[list[Any], list[str]]:
    """The entries; of very many the first ones, and how many more there are."""
    from matplotlib.lines import Line2D

    if len(handles) <= MOST_LEGEND_ENTRIES:
        return list(handles), list(labels)
    more = f"and {len(handles) - SHOWN_OF_MANY} more"
    return [*handles[:SHOWN_OF_MANY], Line2D([], [], linestyle="")], [*labels[:SHOWN_OF_MANY], more]


def lay_out(figure: Any) -> None:
    """Settle where the panels are, as drawing does."""
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)


def _below(ax: Any, options: dict[str, Any]) -> None:
    """Under the label of the axis, in as many columns as there is room for; the figure grows by what it needs."""
    from matplotlib.transforms import ScaledTranslation

    figure: Any = ax.get_figure(root=True)
    frame, labels = ax.get_window_extent(), ax.xaxis.get_tightbbox(figure.canvas.get_renderer())
    down = frame.y0 - (labels.y0 if labels is not None else frame.y0) + _GAP_BELOW
    place = ax.transAxes + ScaledTranslation(0, -down / figure.dpi, figure.dpi_scale_trans)
    look: dict[str, Any] = {"frameon": False, "borderaxespad": 0.0, "borderpad": 0.0, "columnspacing": _COLUMNS_APART}
    look |= {"bbox_to_anchor": (0.0, 0.0), "bbox_transform": place}
    options = {**options, "loc": "upper left", **look}
    single = ax.legend(**{**options, "ncols": 1})
    apart = _COLUMNS_APART * single.get_texts()[0].get_fontsize() * figure.dpi / 72
    each, entries = single.get_window_extent().width + apart, len(single.get_texts())
    rooms = [figure.bbox.x1 - frame.x0 - _GAP_BELOW, figure.bbox.width - 2 * _GAP_BELOW]
    below_panel, across_figure = (max(1, min(entries, int((room + apart) // each))) for room in rooms)
    if across_figure > below_panel or each > rooms[0]:  # under the names of levels, too
        aside = ScaledTranslation(-(frame.x0 - _GAP_BELOW) / figure.dpi, 0, figure.dpi_scale_trans)
        options["bbox_transform"] = place + aside
    box = ax.legend(**{**options, "ncols": across_figure})
    if ax.get_aspect() != "auto":  # a square is smaller than its room: what is left of that is below
        ax.set_anchor("N")
    tall = (box.get_window_extent().height + 2 * _GAP_BELOW) / figure.dpi
    figure.set_size_inches(figure.get_figwidth(), figure.get_figheight() + tall)


def _drawn(ax: Any) -> Floats:
    """(points, 2): dots along the lines, on the marks and on the edges of the bars, as they stand in the figure."""
    found = [np.empty((0, 2))]
    for line in ax.lines:
        if line.get_visible() and line.get_zorder() >= BACKGROUND:
            across, up = (np.asarray(values, dtype=np.float64) for values in line.get_data())
            corners = line.get_transform().transform(np.column_stack([across, up])) if len(across) else np.empty((0, 2))
            joined = line.get_linestyle() not in ("None", "", " ")
            found.append(_along(corners) if joined else corners)
    for marks in ax.collections:
        places = np.asarray(marks.get_offsets(), dtype=np.float64)
        if marks.get_zorder() >= BACKGROUND and len(places) and not np.ma.is_masked(marks.get_offsets()):
            found.append(marks.get_offset_transform().transform(places))
        if hasattr(marks, "get_segments") and marks.get_zorder() >= BACKGROUND:
            found += [_along(marks.get_transform().transform(segment)) for segment in marks.get_segments()]
    for bar in ax.patches:
        box = bar.get_window_extent()
        found.append(_along(np.array([(box.x0, box.y0), (box.x1, box.y0), (box.x1, box.y1), (box.x0, box.y1)])))
    points = np.concatenate(found)
    return points[np.isfinite(points).all(axis=1)]


def _along(corners: Floats) -> Floats:
    """(points, 2): corners, and points between them."""
    corners = corners[np.isfinite(corners).all(axis=1)]
    if len(corners) < 2:
        return corners
    far = np.append(0.0, np.cumsum(np.hypot(*np.diff(corners, axis=0).T)))
    stops = np.linspace(0.0, far[-1], int(min(far[-1] / DOTS_APART, 20_000)) + 2)
    return np.vstack([corners, np.column_stack([np.interp(stops, far, corners[:, axis]) for axis in (0, 1)])])
