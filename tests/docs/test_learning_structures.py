"""The page of learning structures: its commands run, and print what it shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import likely
from likely.cli.main import run

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "learning-structures.md").read_text("utf-8")
SESSION = re.compile(r"^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?", re.M | re.S)
TIME = re.compile(r"in \S+ s\b")


def words(text: str) -> list[str]:
    return TIME.sub("in some s", text).split()


def test_the_commands_run_and_print_what_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    likely.networks.asia().write("asia.bif")
    sessions = SESSION.findall(PAGE)
    assert len(sessions) == 3
    for commands, shown in sessions:
        for command in commands.splitlines():
            capsys.readouterr()
            assert run(shlex.split(command)[1:]) == 0
        if shown:
            assert words(capsys.readouterr().out) == words(shown)
    assert {"clinic.bif", "strength.csv", "sure.bif", "strength.svg"} <= {path.name for path in tmp_path.iterdir()}
