"""A decision surface in three columns as a page to turn around: one file, which asks nothing of any network."""

from __future__ import annotations

import json
import os
from base64 import b64encode
from dataclasses import dataclass
from html import escape
from pathlib import Path
from string import Template
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.errors import OptionError
from likely.output.atomic_write import atomic_write, check_place
from likely.plots.boundaries.arguments import boxes, read_columns, read_models, scales_of
from likely.plots.boundaries.scaled_surface import asked, places_of, values_at
from likely.plots.boundaries.view import SurfaceView
from likely.plots.points import read_points
from likely.plots.style import COLOURS
from likely.plots.typeface import number, short, shorts
from likely.surfaces import rows
from likely.surfaces.features import read_features, with_priors
from likely.surfaces.scores import NormalScores, scores_of

_NODES = 33  # of the grid on each side
_REACH = (_NODES - 1) / (_NODES - 6)  # two and a half cells beyond the box, to whose sides the mesh is cut
_LOG_OF_ZERO = 1e30  # stands for the log of zero
_SCRIPTS = ("boundary.js", "drawing.js", "controls.js")


@dataclass(frozen=True)
class Page:
    """A page of HTML that holds all it needs; a notebook shows it where it is."""

    html: str

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a .html file; an old file stays until the new one is complete."""
        check_place(path, [".html", ".htm"])
        with atomic_write(path) as part:
            Path(part).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        look = 'style="width: 100%; height: 860px; border: 0"'
        return f'<iframe sandbox="allow-scripts" {look} srcdoc="{escape(self.html)}"></iframe>'


def interactive_surface(model: Any, X: Any = None, y: Any = None, features: Any = None, *, priors: Any = None) -> Page:
    """A page that shows where a model changes its mind in three columns: to turn, to come close, to ask points.

    `features`: three real columns, by name or number; all other columns are summed out. X and y: rows to show as
    points. `priors`: None (those of the model), P(second class) or {class: probability}; of two classes the page has a
    slider of them. The boundary of a normal model is solved exactly, in the page; that of others on a grid.

    >>> import likely
    >>> X = [[1.0, 5.0, 0.0], [2.0, 4.0, 1.0], [2.5, 6.0, 0.5], [4.0, 8.0, 3.0], [5.0, 7.0, 2.0], [6.0, 9.0, 2.5]]
    >>> page = interactive_surface(likely.NaiveBayes().fit(X, list("aaabbb")), X, list("aaabbb"))
    >>> page.html[:15], "http://" in page.html
    ('<!DOCTYPE html>', False)
    """
    ((name, own),) = read_models([model], "interactive_surface(model)")
    columns = read_columns(own, features, "interactive_surface(features=)")
    if len(columns) != 3:
        what = f"a page shows three columns, not {len(columns)}"
        hint = "name three, or draw one or two with decision_surface"
        raise OptionError("O431", what, place="interactive_surface(features=)", hint=hint)
    scales = scales_of([(own, columns)], X)
    box = boxes([(own, columns)], X, scales)[columns]
    laid = tuple(scales[one] for one in columns)
    view = SurfaceView(with_priors(own, priors), name, columns, box, read_points(own, columns, X, y), laid)
    parts = {
        "title": escape(_title(view)),
        "data": _embedded({**_words(view), **_scores(view), **_points(view)}),
        "script": "\n".join(map(_part, _SCRIPTS)),
    }
    return Page(Template(_part("page.html")).substitute(parts))


def _part(name: str) -> str:
    return (Path(__file__).parent.parent / "page" / name).read_text(encoding="utf-8")


def _title(view: SurfaceView) -> str:
    return f"Decision surface of {view.name}"


def _words(view: SurfaceView) -> dict[str, Any]:
    from matplotlib.ticker import MaxNLocator

    ticks = []
    for scale, (low, high), (first, last) in zip(view.scales, view.box, view.ends, strict=True):
        if scale.even:
            round_ones = MaxNLocator(6, steps=[1, 2, 5, 10]).tick_values(low, high)
            found = [(value, number(value, 8)) for value in round_ones if low <= value <= high]
        else:
            found = [(value, number(value)) for value in scale.ticks(low, high)]
        ticks.append([{"at": float(2 * (scale.places(at) - first) / (last - first) - 1), "text": t} for at, t in found])
    return {
        "title": _title(view),
        "features": [short(name, 32) for name in view.features],
        "classes": shorts(view.classes, 32),
        "colours": [COLOURS[at % len(COLOURS)] for at in range(len(view.classes))],
        "priors": view.priors.tolist(),
        "ticks": ticks,
        "about": [view.boundary, *([view.bayes_error] if view.generative else [])],
    }


def _scores(view: SurfaceView) -> dict[str, Any]:
    """What the page makes the boundary of: the quadratic of each class within -1 .. 1, or log densities on a grid."""
    middle, half = view.ends.mean(axis=1), np.diff(view.ends, axis=1)[:, 0] / 2
    size = {"nodes": _NODES, "reach": _REACH, "nothing": _LOG_OF_ZERO}
    at = read_features(view.model, view.features)
    even = view.model.with_priors(dict.fromkeys(view.classes, 1.0))  # the page adds the priors itself
    found = scores_of(even, at, np.arange(len(view.classes)), middle)
    if isinstance(found, NormalScores) and all(scale.even for scale in view.scales):
        quadratic, linear = found.quadratic * half * half[:, None], found.linear * half
        # What the classes have in common moves no boundary.
        return {
            **size,
            "quadratic": (quadratic - quadratic[0]).tolist(),
            "linear": (linear - linear[0]).tolist(),
            "constant": (found.constant - found.constant[0]).tolist(),
        }
    side = np.linspace(-_REACH, _REACH, _NODES)
    cube = np.stack(np.meshgrid(side, side, side, indexing="ij"), axis=-1).reshape(-1, 3)
    asked_of = asked(view.scales, values_at(view.scales, middle + half * cube))
    logs = np.maximum(_log_likelihoods(view, asked_of), -_LOG_OF_ZERO)
    return {**size, "grid": b64encode(logs.astype("<f4").tobytes()).decode()}


def _points(view: SurfaceView) -> dict[str, Any]:
    points, low, high = view.points, view.ends[:, 0], view.ends[:, 1]
    kept = points.kept
    values = points.values[kept]
    places = places_of(view.scales, view.marks.values if any(scale.zero for scale in view.scales) else values)
    return {
        "rows": kept.tolist(),
        "values": _short(values),
        "points": _short(2 * (places - low) / (high - low) - 1),
        "logs": _short(_log_likelihoods(view, values)) if len(kept) else [],
        "codes": points.codes[kept].tolist() if points.labelled else None,
        "undrawn": _undrawn(view),
    }


def _undrawn(view: SurfaceView) -> dict[str, Any]:
    """The rows that are no points, and the errors on them: under the priors given, then at each of the slider."""
    judged = view.judged
    rest = np.delete(np.arange(len(judged.codes)), judged.kept)
    errors = [int(judged.wrong[rest].sum())]
    if len(view.classes) == 2 and judged.labelled:
        logs = _log_likelihoods(view, judged.values[rest]) if len(rest) else np.zeros((0, 2))
        for prior in np.arange(1, 100) / 100:
            joint = np.log([1 - prior, prior]) + logs
            never = np.isneginf(joint).all(axis=1)
            said = np.where(never, prior > 0.5, joint[:, 1] > joint[:, 0])
            errors.append(int((said != judged.codes[rest]).sum()))
    return {"rows": len(rest), "errors": errors}


def _log_likelihoods(view: SurfaceView, values: Floats) -> Floats:
    return np.asarray(view.model.log_likelihood(rows(view.model, view.features, values)))


def _short(values: Array) -> list[list[float | None]]:
    """Numbers in few digits; None for the log of zero, which JSON does not have."""
    return [[float(f"{value:.7g}") if np.isfinite(value) else None for value in row] for row in values.tolist()]


def _embedded(data: dict[str, Any]) -> str:
    """JSON that no text in it can end: a class may be called </script>."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
