"""A report in a few lines, for notebooks: the page itself is too large for an answer."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from likely.output.notebook import html_table
from likely.report.page.page import lead
from likely.report.page.sections import SHARES
from likely.report.page.tags import number, percent
from likely.report.page.words import Words

LIMITS_SHOWN = 6


def summary(told: Mapping[str, Any]) -> str:
    """The lead, the scores, and when not to trust them."""
    from likely.report.page.sections import limits

    words = Words(told["language"])
    scores = [one for one in told["performance"]["scores"] if one["value"] is not None]

    def say(name: str, value: Any) -> str:
        return percent(value) if name in SHARES else number(value)

    columns = {
        words("score"): [words(one["name"]) for one in scores],
        words("value"): [say(one["name"], one["value"]) for one in scores],
        words("interval"): [" – ".join(say(one["name"], end) for end in one["interval"] or ()) for one in scores],
        words("baseline"): [say(one["name"], one["baseline"]) for one in scores],
    }
    some = {**told, "limits": told["limits"][:LIMITS_SHOWN]}
    return "".join(
        [
            f"<div><p>{escape(lead(told, words))}</p>",
            html_table(columns),
            f"<p><b>{escape(words('limits'))}</b></p>{limits(some, words)}",
            f"<p>{escape(words('saved'))}</p></div>",
        ]
    )
