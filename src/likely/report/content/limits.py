"""When the model should not be trusted: what the rows and the scores give reason to say."""

from __future__ import annotations

from typing import Any

from likely.report.content.subject import Subject

FEW_JUDGED_ROWS = 200
RARE = 0.1  # of the rows
BADLY_CALIBRATED = 0.05  # mean distance of predicted and observed shares
WIDE_INTERVAL = 0.08  # of the interval of accuracy
MANY_MISSING = 0.3
SHOWN = 4  # names in a sentence
NO_SKILL = 0.02


def limits(subject: Subject, told: dict[str, Any]) -> list[dict[str, Any]]:
    """[{code, and what its sentence names}], what weighs most first."""
    found: list[dict[str, Any]] = []
    score = told["performance"]
    scores = {one["name"]: one for one in score["scores"]}
    skill = score["skill"]
    if skill != skill or skill < NO_SKILL:
        found.append({"code": "no_skill", "skill": skill if skill == skill else 0.0})
    if score.get("impossible"):
        found.append({"code": "impossible", "rows": score["impossible"]})
    if score["rows"] < FEW_JUDGED_ROWS:
        found.append({"code": "few_rows", "rows": score["rows"]})
    interval = scores.get("accuracy", {}).get("interval")
    if interval and interval[1] - interval[0] > WIDE_INTERVAL:
        found.append({"code": "wide", "low": interval[0], "high": interval[1]})
    if scores.get("calibration_error", {}).get("value", 0.0) > BADLY_CALIBRATED:
        found.append({"code": "calibration", "error": scores["calibration_error"]["value"]})
    found += _of_data(told["data"])
    if not subject.numeric:
        found.append({"code": "priors"})
    if subject.method == "cross_validation":
        found.append({"code": "alike"})
    if score["chosen_among"] > 2:
        found.append({"code": "chosen", "models": score["chosen_among"]})
    return [*found, {"code": "causes"}]


def _of_data(data: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    rows = max(data.get("rows", 0), 1)
    rare = [str(one["class"]) for one in data.get("balance", []) if one["rows"] < RARE * rows]
    if rare:
        found.append({"code": "rare", "classes": rare[:SHOWN]})
    columns = data.get("columns", [])
    missing = [one["name"] for one in columns if one["missing"] > MANY_MISSING * rows]
    if missing:
        found.append({"code": "missing", "columns": missing[:SHOWN]})
    ranges = [
        (one["name"], one["low"], one["high"])
        for one in columns
        if one["low"] is not None and one["kind"] != "skip" and one["high"] > one["low"]
    ]
    if ranges:
        told = [f"{name} {low:.4g} – {high:.4g}" for name, low, high in ranges[:SHOWN]]
        found.append({"code": "ranges", "ranges": told})
    if any(one["levels"] for one in columns):
        found.append({"code": "levels"})
    return found
