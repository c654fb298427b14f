"""All that a report says, as plain data: the same that --json prints and the page draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from likely.output.jsonable import to_jsonable
from likely.report.content.boundary import boundary
from likely.report.content.columns import beliefs, chart_of_points
from likely.report.content.examples import examples
from likely.report.content.graph import graph
from likely.report.content.limits import limits
from likely.report.content.models_tried import models_tried
from likely.report.content.performance import (
    calibration,
    confusion,
    evaluation,
    performance,
    regression_performance,
    roc_curves,
)
from likely.report.content.provenance import provenance
from likely.report.content.subject import Subject


def content(subject: Subject, language: str, command: str, tick: Callable[[], object] | None) -> dict[str, Any]:
    """{section: plain data}; `tick` is called after each section."""
    told: dict[str, Any] = {
        "language": language,
        "target": subject.target,
        "numeric": subject.numeric,
        "model": subject.name,
    }
    steps: dict[str, Callable[[], Any]] = {"data": lambda: _data(subject), "models": lambda: models_tried(subject)}
    if subject.numeric:
        steps |= {"performance": lambda: regression_performance(subject)}
    else:
        seen = evaluation(subject)
        steps |= {
            "performance": lambda: performance(subject, seen),
            "roc": lambda: roc_curves(subject),
            "calibration": lambda: calibration(subject, seen),
            "confusion": lambda: confusion(seen),
            "nomogram": lambda: chart_of_points(subject),
            "beliefs": lambda: beliefs(subject),
        }
    steps |= {"examples": lambda: examples(subject), "graph": lambda: graph(subject)}
    if not subject.numeric:
        steps["boundary"] = lambda: boundary(subject, subject.seed)
    steps |= {"limits": lambda: limits(subject, told), "made": lambda: provenance(subject, command)}
    for name, work in steps.items():
        told[name] = work()
        if tick is not None:
            tick()
    return dict(to_jsonable(told))


def _data(subject: Subject) -> dict[str, Any]:
    if subject.inspection is None:
        return {"rows": len(subject.rows), "columns": [], "balance": [], "suspicions": []}
    told = subject.inspection.to_dict()
    numeric = f"{subject.target!r} is numeric"  # which it is meant to be
    for one in (told, *told["columns"]):
        one["suspicions"] = [subject.speak(line) for line in one["suspicions"] if not line.startswith(numeric)]
    return told
