"""What likely inspect shows of very many columns."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from likely.cli import inspect


def test_of_very_many_columns_the_first_are_shown(
    tmp_path: Path, likely_says: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inspect, "MOST_LINES_SHOWN", 3)
    path = tmp_path / "rows.csv"
    path.write_text("a,b,c,d,e\n" + "1,2,1,2,1\n2,1,2,1,2\n" * 10)
    said = likely_says("inspect", path).out
    assert "2 further columns not shown here: --json has all" in said
    assert said.count("look twice") == 3
    assert "suspicions not shown here: --json has all" in said
    assert [one["name"] for one in likely_says("inspect", path, "--json").document["columns"]] == list("abcde")
    monkeypatch.setattr(inspect, "MOST_LINES_SHOWN", 50)
    assert "not shown here" not in likely_says("inspect", path).out
