"""The pages of regression and risk: their pictures are drawn by one script, shown, and small."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ASSETS = ROOT / "docs" / "assets"
SCRIPT = (ASSETS / "companions.py").read_text("utf-8")
NAMES = ("linear-regression", "logistic-regression", "risk", "generative-discriminative")
PAGES = [(ROOT / "docs" / f"{name}.md").read_text("utf-8") for name in NAMES]


def test_every_picture_is_drawn_by_its_script_shown_and_small() -> None:
    shown = {name for page in PAGES for name in re.findall(r"\(assets/([\w-]+)\.png\)", page)}
    assert shown == set(re.findall(r'^ {8}"([\w-]+)": ', SCRIPT[SCRIPT.index("def figures()") :], re.M))
    assert all((ASSETS / f"{name}.png").stat().st_size < 150_000 for name in shown)
