"""Rows explained: the most confident errors first, then the most doubtful row and the surest right one."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.data.origin import take
from likely.errors import LikelyError
from likely.report.content.subject import Subject

MOST_ERRORS = 5  # rows
MOST_REASONS = 10  # of a row
MOST_CHANCES = 6  # classes of a row


def examples(subject: Subject) -> dict[str, Any]:
    """Some rows, what was said of each unseen, and what its columns say to the model of all rows."""
    found = _numbers(subject) if subject.numeric else _classes(subject)
    at = np.array([one["row"] for one in found], dtype=np.intp)
    try:
        why: Any = subject.model.explain(take(subject.rows.X, at)) if len(at) else None
    except (LikelyError, AttributeError) as error:
        return {"rows": found, "reason": getattr(error, "message", "")}
    for place, one in enumerate(found):
        one["reasons"], one["sides"] = [], None
        if not subject.numeric:
            one["sides"] = [str(level) for level in why.rival(place)]
        reasons = [reason for reason in why.reasons(place) if reason[2]]
        for name, value, amount in reasons[:MOST_REASONS]:
            one["reasons"].append({"name": name, "value": value, "amount": amount})
        one["more"] = max(len(reasons) - MOST_REASONS, 0)
    return {"rows": found}


def _classes(subject: Subject) -> list[dict[str, Any]]:
    rows: Any = subject.rows
    proba = np.exp(subject.said)
    best, top = proba.argmax(axis=1), proba.max(axis=1)
    wrong, right = np.flatnonzero(best != rows.codes), np.flatnonzero(best == rows.codes)
    chosen = [(at, "error") for at in wrong[np.argsort(-top[wrong], kind="stable")][:MOST_ERRORS].tolist()]
    sorted_ = np.sort(proba, axis=1)
    gap = sorted_[:, -1] - sorted_[:, -2] if proba.shape[1] > 1 else np.ones(len(proba))
    known = {at for at, _ in chosen}
    doubtful = next((at for at in np.argsort(gap, kind="stable").tolist() if at not in known), None)
    if doubtful is not None:
        chosen.append((doubtful, "doubtful"))
    sure = [at for at in right[np.argsort(-top[right], kind="stable")].tolist() if at != doubtful]
    chosen += [(at, "right") for at in sure[:1]]
    return [_row(rows, proba, at, why) for at, why in chosen]


def _row(rows: Any, proba: Any, at: int, why: str) -> dict[str, Any]:
    order = np.argsort(-proba[at], kind="stable")[:MOST_CHANCES]
    return {
        "row": at,
        "why": why,
        "true": str(rows.classes[rows.codes[at]]),
        "predicted": str(rows.classes[order[0]]),
        "chances": [{"class": str(rows.classes[one]), "probability": float(proba[at, one])} for one in order],
    }


def _numbers(subject: Subject) -> list[dict[str, Any]]:
    off = np.abs(subject.said - subject.rows.y)
    worst = np.argsort(-off, kind="stable")[:MOST_ERRORS].tolist()
    chosen = [(at, "error") for at in worst] + [(int(at), "right") for at in np.argsort(off)[:1] if at not in worst]
    return [
        {"row": at, "why": why, "true": float(subject.rows.y[at]), "predicted": float(subject.said[at])}
        for at, why in chosen
    ]
