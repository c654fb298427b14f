"""The sections whose charts can be moved: the threshold on the ROC curve, and the values of the nomogram."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from likely.report.page.sections import chart
from likely.report.page.tags import tag, text
from likely.report.page.words import Words

CURVE_ROWS = 60  # of a curve in its data table


def slider(key: str, label: str, **attributes: Any) -> str:
    """A slider with its label and what it says."""
    asked = tag("label", text("span", label), " ", text("output", "", id=f"{key}-says", for_=key), for_=key)
    given = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return tag("div", asked, f'<input type="range" id="{key}"{given}>', class_="slider")


def roc(told: Mapping[str, Any], words: Words) -> str:
    """The curve, a prior and a cost to drag, and what follows: threshold, confusion, expected cost."""
    curves = told["roc"]["classes"]
    if not curves:
        return text("p", words("none_curve"))
    options = [text("option", one["class"], value=at) for at, one in enumerate(curves)]
    asked = tag("select", *options, id="roc-class")
    choice = tag("label", text("span", words("roc_class")), " ", asked, for_="roc-class")
    sliders = [
        slider("roc-prior", words("roc_prior"), min=-600, max=600, step=1, value=0),
        slider("roc-cost", words("roc_cost"), min=-300, max=300, step=1, value=0),
    ]
    button = text("button", words("roc_reset"), type="button", id="roc-reset")
    says = tag("div", id="roc-says", class_="says", aria_live="polite")
    panel = tag("div", text("p", words("roc_hint")), choice, *sliders, button, says, class_="controls")
    rows = [row for one in curves for row in _points(one)]
    names = ("detected", "missed", "false_alarm", "left_alone")
    heads = [words("class"), f"{words('threshold')} ({words('amount')})", *(words(name) for name in names)]
    return text("p", words("roc_why")) + chart("roc", words("roc_caption"), words, heads, rows, panel)


def _points(one: Mapping[str, Any]) -> list[list[Any]]:
    """Some points of a curve: the threshold, and rows by truth and by answer."""
    found = []
    for at in range(0, len(one["log_odds"]), max(len(one["log_odds"]) // CURVE_ROWS, 1)):
        false, true, odds = one["false_positives"][at], one["true_positives"][at], one["log_odds"][at]
        rest = [true, one["positives"] - true, false, one["negatives"] - false]
        found.append([str(one["class"]), "inf" if odds is None else odds, *rest])
    return found


def nomogram(told: Mapping[str, Any], words: Words) -> str:
    """Points for values that can be dragged, and the probability that they add up to."""
    seen = told["nomogram"]
    if not seen.get("columns"):
        return text("p", words("not_drawn", why=seen.get("reason", "")))
    key = "nomogram_own" if seen["own"] else "nomogram_other"
    found = [text("p", words(key, model=seen["model"] if seen["own"] else told["model"], other=seen["model"]))]
    sides = {"for_": seen["for"], "against": seen["against"]}
    sliders = [
        slider(f"nomogram-{at}", one["name"], min=-1, max=len(one["values"]) - 1, step=1, value=-1)
        for at, one in enumerate(seen["columns"])
    ]
    button = text("button", words("set_missing"), type="button", id="nomogram-reset")
    says = tag(
        "p",
        text("span", words("nomogram_total", **sides)),
        " ",
        tag("output", id="nomogram-says"),
        class_="says",
        aria_live="polite",
    )
    panel = tag("div", says, *sliders, button, class_="controls")
    rows = [
        [one["name"], value, points]
        for one in seen["columns"]
        for value, points in list(zip(one["values"], one["points"], strict=True))[:: max(len(one["values"]) // 16, 1)]
    ]
    heads = [words("column"), words("value"), words("points")]
    found.append(chart("nomogram", words("nomogram_caption", **sides), words, heads, rows, panel))
    if seen["others"]:
        found.append(text("p", words("others", count=seen["others"])))
    return "".join(found)
