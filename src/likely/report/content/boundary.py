"""Where the best class changes over the two numbers that tell most, all other columns left out."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.core.schema import SKIP
from likely.errors import LikelyError
from likely.explanations import profile
from likely.report.content.subject import Subject
from likely.surfaces.features import NUMBER_KINDS
from likely.surfaces.rows import rows, values_of

SQUARES = 36  # along each side
MOST_BOUNDARY_ROWS = 400  # rows drawn
TAILS = 0.01  # of the rows on each side that need not be in the picture


def boundary(subject: Subject, seed: int = 0) -> dict[str, Any]:
    """The likeliest class and its probability on a grid of two numbers, and rows as points."""
    try:
        return _grid(subject, seed)
    except LikelyError as error:
        return {"reason": error.message}


def _grid(subject: Subject, seed: int) -> dict[str, Any]:
    columns = subject.model.model_.schema.columns
    numbers = {column.name: at for at, column in enumerate(columns) if column.kind in NUMBER_KINDS}
    telling = [one.name for one in profile(subject.model).columns if one.name in numbers and one.kind != SKIP][:2]
    if len(telling) < 2:
        return {"reason": "", "numbers": len(telling)}
    at = [numbers[name] for name in telling]
    values = values_of(subject.rows.X, subject.model, at)
    known = values[np.isfinite(values).all(axis=1)]
    if len(known) < 2:
        return {"reason": "", "numbers": len(telling)}
    low, high = np.quantile(known, [TAILS, 1 - TAILS], axis=0)
    room = np.where(high > low, 0.05 * (high - low), 0.5)
    low, high = low - room, high + room
    steps = [np.linspace(low[side], high[side], 2 * SQUARES + 1)[1::2] for side in (0, 1)]
    points = np.stack(np.meshgrid(*steps), axis=-1).reshape(-1, 2)
    proba = subject.model.predict_proba(rows(subject.model, at, points))
    held: Any = subject.rows
    inside = np.flatnonzero(((values >= low) & (values <= high)).all(axis=1))
    if len(inside) > MOST_BOUNDARY_ROWS:
        inside = np.sort(np.random.default_rng(seed).choice(inside, MOST_BOUNDARY_ROWS, replace=False))
    return {
        "features": telling,
        "classes": [str(level) for level in subject.model.classes_],
        "box": [[float(a), float(b)] for a, b in zip(low, high, strict=True)],
        "squares": SQUARES,
        "best": proba.argmax(axis=1).tolist(),
        "probability": np.round(proba.max(axis=1), 2).tolist(),
        "points": [[*np.round(values[row], 6).tolist(), int(held.codes[row])] for row in inside],
    }
