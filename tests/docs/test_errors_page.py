"""Every error code has a line in the docs, and every line a code."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
CODE = re.compile(r"\b[ODSMFUX][1-9]\d\d\b")


def test_the_errors_page_lists_exactly_the_codes_that_the_sources_raise() -> None:
    raised = {
        code
        for path in (ROOT / "src").rglob("*.py")
        for code in re.findall(r'"([ODSMFUX]\d{3})"', path.read_text("utf-8"))
    }
    told = set(CODE.findall((ROOT / "docs" / "errors.md").read_text("utf-8")))
    assert told == raised
