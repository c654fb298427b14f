"""The map in CONTRIBUTING.md is true: every folder is on it, and a row goes the way that is drawn, never back up."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pandas as pd
import pytest

import likely

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SOURCES = ROOT / "src" / "likely"
MAP = re.search(r"```\nsrc/likely/\n(.*?)\n```", TEXT, re.DOTALL)[1]
ROWS = 40
RNG = np.random.default_rng(0)
TABLE = pd.DataFrame({"word": RNG.choice(["x", "y"], ROWS), "number": RNG.normal(size=ROWS)})
CLASSES = RNG.choice(["in", "out"], ROWS)


def test_the_map_fits_on_a_screen() -> None:
    assert MAP.count("\n") < 45


def test_every_folder_is_on_the_map_and_every_folder_of_the_map_is_there() -> None:
    folders = {path.parent for path in SOURCES.rglob("*.py")} - {SOURCES}
    rooms = {path.name for path in folders if path.parent != SOURCES}
    named = set(re.findall(r"([a-z_]+)/", MAP.partition("\ntests/")[0]))
    assert {path.name for path in folders if path.parent == SOURCES} <= named
    assert rooms - {"search", "kernel_density", "multivariate", "windows"} <= named  # of families: one family each
    assert named <= {path.name for path in folders}


def layers() -> dict[str, int]:
    """How deep each folder stands, by the walls that import-linter keeps."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found = next(one for one in settings["tool"]["importlinter"]["contracts"] if one["id"] == "layers")
    return {name: depth for depth, row in enumerate(found["layers"]) for name in row.split(" | ")}


Call = tuple[str, str]


def place(frame: FrameType) -> Call | None:
    """The file of likely and the function that a frame is in."""
    path = Path(frame.f_code.co_filename)
    if not path.is_relative_to(SOURCES):
        return None
    return str(path.relative_to(SOURCES)), frame.f_code.co_qualname


def calls(work: Callable[[], Any]) -> list[tuple[Call | None, Call]]:
    """Who called whom within likely, in order; None from without."""
    found = []

    def seen(frame: FrameType, event: str, _: Any) -> None:
        callee = place(frame) if event == "call" else None
        above = frame.f_back
        while callee and above is not None and (place(above) or ("core/",))[0].startswith("core/"):
            above = above.f_back  # a cache or a thread works for whoever filled it
        if callee:
            found.append((None if above is None else place(above), callee))

    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(None)
    return found


def ways(model: Any) -> dict[str, Callable[[], Any]]:
    fitted = type(model)().fit(TABLE, CLASSES)
    return {"fit": lambda: model.fit(TABLE, CLASSES), "predict_proba": lambda: fitted.predict_proba(TABLE)}


@pytest.fixture(autouse=True)
def one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """All calls are seen."""
    for file in ("blocks", "arrow"):
        monkeypatch.setattr(f"likely.data.{file}.in_threads", lambda work, tasks, _=None: map(work, tasks))


@pytest.mark.parametrize("way", ["fit", "predict_proba"])
def test_a_row_goes_the_way_that_is_drawn(way: str) -> None:
    lines = TEXT.partition("## The way of a row")[2].splitlines()
    at = {"fit": 0, "predict_proba": 2}[way]
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| `")][1:]
    drawn = [(row[at].strip("`"), row[at + 1].partition("`")[2].partition("`")[0]) for row in table]
    drawn = [hop for hop in drawn if hop[0]]
    assert len(drawn) > 5
    met = [callee for _, callee in calls(ways(likely.NaiveBayes())[way])]
    for file, function in drawn:
        here = next(
            (n for n, (path, name) in enumerate(met) if path == file and name.split(".")[-1].endswith(function)), None
        )
        assert here is not None, (file, function)
        met = met[here:]


@pytest.mark.parametrize("way", ["fit", "predict_proba"])
@pytest.mark.parametrize("name", ["NaiveBayes", "TAN", "AODE", "GaussianBayes", "DecisionTree", "LogisticRegression"])
def test_no_step_goes_back_up(name: str, way: str) -> None:
    """But for work that was handed down: a function within a function, called where its rows are."""
    depth = layers()
    up = {
        (caller, callee)
        for caller, callee in calls(ways(getattr(likely, name)())[way])
        if caller and depth[callee[0].split("/")[0]] < depth[caller[0].split("/")[0]] and "<" not in callee[1]
    }
    assert not up
