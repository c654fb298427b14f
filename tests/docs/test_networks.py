"""The pages of networks: their pictures are there and small, and the commands print what the page shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import likely
from likely.cli.main import run

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "command-line.md").read_text("utf-8")
PAGES = [page.read_text("utf-8") for page in (ROOT / "docs").glob("*.md")]


def test_every_picture_is_drawn_by_its_script_shown_and_small() -> None:
    shown = {name for page in PAGES for name in re.findall(r"\(assets/networks-([\w-]+)\.png\)", page)}
    script = (ROOT / "docs" / "assets" / "networks.py").read_text("utf-8")
    assert set(re.findall(r'^ {8}"([\w-]+)":.*\.plot\(', script, re.M)) == shown
    assert all((ROOT / "docs" / "assets" / f"networks-{name}.png").stat().st_size < 150_000 for name in shown)


def test_the_commands_print_what_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    likely.networks.asia().write("asia.bif")
    sessions = re.findall(r"```sh\nlikely (network [^\n]*)\n```\n\n```text\n(.*?)```", PAGE, re.S)
    assert len(sessions) == 2
    for command, shown in sessions:
        assert run(shlex.split(command)) == 0
        assert capsys.readouterr().out.split() == shown.split()
