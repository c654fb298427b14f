"""The page of errors, docs/errors.md, from the registry of codes: `python -m likely.errors.page` writes it anew."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from likely.errors.registry import registry

START = "## Command lines\n"  # what stands before is written by hand


def sections() -> str:
    """The sections of codes, in Markdown."""
    lines: list[str] = []
    for section, entries in groupby(registry().values(), lambda entry: entry.section):
        lines += [f"## {section}", ""]
        for topic, mine in groupby(entries, lambda entry: entry.topic):
            lines += [f"### {topic}", "", "| code | meaning | how it comes about | what to do |", "|---|---|---|---|"]
            lines += [_row(one.code, one.meaning, one.cause, one.way_out) for one in mine]
            lines.append("")
    return "\n".join(lines)


def _row(*words: str) -> str:
    return "| " + " | ".join(word.replace("|", "\\|") for word in words) + " |"


def page(text: str) -> str:
    """The page with its sections of codes as the registry has them."""
    return text[: text.index(START)] + sections()


if __name__ == "__main__":
    place = Path("docs/errors.md")
    place.write_text(page(place.read_text("utf-8")), "utf-8")
