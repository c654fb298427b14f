"""The whole page: one file, which asks the network for nothing and runs no script but its own."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from likely.report.page import sections
from likely.report.page.controls import nomogram, roc
from likely.report.page.sections import Section
from likely.report.page.tags import as_script, cut, number, percent, tag, text
from likely.report.page.words import Words

SECTIONS: dict[str, Section] = {
    "data": sections.data,
    "models": sections.models,
    "performance": sections.performance,
    "roc": roc,
    "calibration": sections.calibration,
    "confusion": sections.confusion,
    "nomogram": nomogram,
    "beliefs": sections.beliefs,
    "examples": sections.examples,
    "graph": sections.graph,
    "boundary": sections.boundary,
    "limits": sections.limits,
    "made": sections.made,
}
DRAWN = (
    "data",
    "models",
    "performance",
    "roc",
    "calibration",
    "confusion",
    "nomogram",
    "beliefs",
    "examples",
    "graph",
    "boundary",
)
SCRIPT_WORDS = (
    "predicted", "observed", "true", "before", "after", "detected", "missed", "false_alarm", "left_alone", "threshold",
    "roc_threshold", "roc_cases", "roc_expected", "roc_always", "points", "total", "left_blank", "bits", "log_loss",
    "squared", "probability", "rows", "weight", "share",
)  # fmt: skip


def page(told: Mapping[str, Any]) -> str:
    """The HTML of a report's content."""
    words = Words(told["language"])
    style, script = _part("report.css"), _part("charts.js")
    names = [name for name in SECTIONS if name in told]
    title = words("title", target=cut(told["target"], 80), model=told["model"])
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    head = "".join(
        [
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            '<meta name="generator" content="likely">',
            text("title", title),
            f"<style>{style}</style>",
        ]
    )
    listed = [tag("li", text("a", words(name), href=f"#{name}")) for name in names]
    nav = tag("nav", text("h2", words("contents")), tag("ol", *listed), aria_label=words("contents"))
    body = [_section(name, told, words) for name in names]
    drawn = {name: told[name] for name in DRAWN if name in told}
    drawn["data"] = {"rows": told["data"]["rows"], "balance": told["data"]["balance"]}
    drawn = shortened(drawn)
    drawn["words"] = words.some(SCRIPT_WORDS)
    return "".join(
        [
            f'<!doctype html>\n<html lang="{words.language}">',
            tag("head", head),
            "<body>",
            text("a", words("skip"), href="#main", class_="skip"),
            tag("header", text("h1", title), text("p", lead(told, words), class_="lead")),
            nav,
            tag("main", tag("noscript", text("p", words("no_script"))), *body, id="main"),
            tag("footer", text("p", f"likely {told['made']['versions']['likely']}")),
            f'<script type="application/json" id="content">{as_script(drawn)}</script>',
            f"<script>{script}</script>",
            "</body></html>\n",
        ]
    )


def _section(name: str, told: Mapping[str, Any], words: Words) -> str:
    heading = f"{name}-heading"
    inside = SECTIONS[name](told, words)
    return tag("section", text("h2", words(name), id=heading), inside, id=name, aria_labelledby=heading)


def shortened(value: Any) -> Any:
    """What a chart draws: a name that is as long as a book is cut."""
    if isinstance(value, dict):
        return {name: shortened(one) for name, one in value.items()}
    if isinstance(value, list):
        return [shortened(one) for one in value]
    return cut(value) if isinstance(value, str) else value


def lead(told: Mapping[str, Any], words: Words) -> str:
    """The report in a sentence or two."""
    seen = told["performance"]
    scores = {one["name"]: one for one in seen["scores"]}
    said = {"model": told["model"], "target": cut(told["target"], 80), "rows": number(seen["rows"])}
    if told["numeric"]:
        return words("lead_number", **said, r2=percent(scores["r2"]["value"]), mae=number(scores["mae"]["value"]))
    right = scores["accuracy"]
    low, high = map(percent, right["interval"])
    key = "lead" if seen["method"] == "cross_validation" else "lead_shown"
    return words(key, **said, accuracy=percent(right["value"]), low=low, high=high, baseline=percent(right["baseline"]))


@cache
def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(part: str) -> str:
    """The source of a policy that lets in this very part."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()}'"
