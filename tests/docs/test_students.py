"""The page of the students: its pictures are drawn by its own code, and its commands print what it shows."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from likely.cli.main import run

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "students.md").read_text("utf-8")
SHOWN = re.findall(r"!\[[^]]+\]\(assets/([\w-]+\.png)\)", PAGE)


def blocks(language: str, text: str = PAGE) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def test_every_picture_is_drawn_by_the_page_and_small() -> None:
    assert re.findall(r'save\(.*"([\w-]+\.png)"\)', PAGE) == SHOWN
    assert all((ROOT / "docs" / "assets" / name).stat().st_size < 150_000 for name in SHOWN)


def test_the_commands_run_and_print_what_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks("python", PAGE[: PAGE.index("## One number")]):  # which writes the files
        for example in doctest.DocTestParser().get_examples(block):
            exec(example.source, names)
    shown = []
    for command in "".join(blocks("sh")).replace("\\\n", "").splitlines():
        capsys.readouterr()
        assert run(shlex.split(command)[1:]) == 0
        shown.append(capsys.readouterr().out.split())
    assert shown[0] == blocks("text")[0].split()
    assert {"surfaces.svg", "roc.svg", "students.html"} <= {path.name for path in tmp_path.iterdir()}
