"""Every error code that the sources raise has one entry in the registry, and the page of errors is made from it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from likely.errors.page import page
from likely.errors.registry import registry

ROOT = Path(__file__).parents[2]
CODE = re.compile(r"[A-Z]\d{3}")


def codes_of(tree: ast.AST) -> Iterator[str]:
    """Codes that a source hands on: what it only compares with, or looks up by, is raised elsewhere."""
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            skipped |= {id(one) for side in (node.left, *node.comparators) for one in ast.walk(side)}
        if isinstance(node, ast.Dict):
            skipped |= {id(key) for key in node.keys}
    for node in ast.walk(tree):
        said = node.value if isinstance(node, ast.Constant) and id(node) not in skipped else None
        if isinstance(said, str) and CODE.fullmatch(said):
            yield said


def raised() -> set[str]:
    sources = (path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    return {code for source in sources for code in codes_of(ast.parse(source))}


def test_the_registry_has_exactly_the_codes_that_the_sources_raise() -> None:
    assert set(registry()) == raised()


def test_no_two_codes_have_the_same_meaning_and_every_entry_is_whole() -> None:
    entries = registry().values()
    assert len({entry.meaning for entry in entries}) == len(entries)
    for entry in entries:
        assert entry.meaning
        assert entry.meaning[-1] != "."
        assert entry.cause[-1] in ".?"
        assert entry.way_out[-1] == "."


def test_a_code_with_two_meanings_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    twice = {"Rows": {"Files": {"D202": ["a", "b", "c"]}, "Tables": {"D202": ["d", "e", "f"]}}}
    monkeypatch.setattr("likely.errors.registry.tomllib.loads", lambda text: twice)
    with pytest.raises(AssertionError, match="two meanings"):
        registry.__wrapped__()


def test_the_page_of_errors_is_what_the_registry_gives() -> None:
    """`python -m likely.errors.page` writes it anew."""
    text = (ROOT / "docs" / "errors.md").read_text("utf-8")
    assert text == page(text)
    for code in registry():
        assert len(re.findall(rf"^\| {code} \|", text, re.MULTILINE)) == 1
