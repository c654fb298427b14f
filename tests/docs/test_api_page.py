"""The page of estimators says what the classes declare."""

from pathlib import Path

from likely.estimators.api_page import page

PAGE = Path(__file__).parents[2] / "docs" / "api.md"


def test_the_page_is_the_one_that_the_declarations_give() -> None:
    """`python -m likely.estimators.api_page` writes it anew."""
    assert PAGE.read_text("utf-8") == page()
