"""What a fitted model looks like: its structure, its nomogram, its regions, or what its columns tell."""

from __future__ import annotations

from typing import Any

from likely.core.schema import SKIP
from likely.errors import LikelyError
from likely.explanations import nomogram as chart_of
from likely.explanations import profile as profile_of
from likely.models import JointModel
from likely.plots.boundaries.decision_surface import decision_surface
from likely.plots.curves.leaderboard import leaderboard
from likely.plots.graphs.structure import structure
from likely.plots.named_results import expect
from likely.plots.style import Figure
from likely.plots.terms.importance import profile
from likely.plots.terms.nomogram import nomogram
from likely.surfaces.features import MOST_DIMENSIONS, NUMBER_KINDS


def fitted_model(model: Any, X: Any = None, y: Any = None, **options: Any) -> Figure:
    """The picture that says most of a classifier: of a pool what each model is worth; the arcs of what depends on what;
    the regions of one to three numbers together, with the rows that are given; a nomogram where columns are
    independent; else what each column tells.

    The options are those of `leaderboard`, `structure`, `decision_surface`, `nomogram` or `profile`.

    >>> import likely
    >>> rows, y = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"]], ["out", "out", "in", "in"]
    >>> fitted_model(likely.NaiveBayes().fit(rows, y)).axes[0].get_title()
    'Points for out against in'
    """
    expect(model, "classes_", "fitted_model(model)", "a fitted classifier")
    if hasattr(model, "leaderboard_"):
        return leaderboard(model.leaderboard_, **options)
    if hasattr(model, "structure_"):
        return structure(model.structure_, **options)
    columns = [column for column in model.model_.schema.columns if column.kind != SKIP]
    drawn = 1 <= len(columns) <= MOST_DIMENSIONS and all(column.kind in NUMBER_KINDS for column in columns)
    try:
        if isinstance(model.model_, JointModel) and drawn:
            return decision_surface(model, X, y, features=[column.name for column in columns], **options)
        chart = chart_of(model)
    except LikelyError:  # one class, columns that speak together, or no rows to tell how far they go
        return profile(profile_of(model), **options)
    return nomogram(chart, **options)
