"""Reports that several tests look at, and a browser where there is one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from likely.report import Report, report
from tests.report.browser import Browser, chromium

SCRIPT = "<img src=x onerror=alert(1)>"
LEVEL = "</script><script>alert(2)</script>"
ROWS = 120


def loans(rows: int = ROWS) -> pd.DataFrame:
    """Rows with two numbers and two words, all of which tell something of the class."""
    rng = np.random.default_rng(1)
    late = rng.random(rows) < 0.4
    return pd.DataFrame(
        {
            "income": np.round(rng.normal(30 - 8 * late, 6), 1),
            "age": np.round(rng.normal(40 - 5 * late, 9)),
            "home": np.where(rng.random(rows) < 0.3 + 0.4 * late, "rent", "own"),
            "purpose": rng.choice(["car", "house", "study"], rows),
            "default": np.where(late, "yes", "no"),
        }
    )


def hostile() -> pd.DataFrame:
    """The same rows with names, levels and classes that would be scripts in a careless page."""
    table = loans()
    table["home"] = table["home"].replace("rent", LEVEL)
    table["default"] = table["default"].replace("yes", f"{LEVEL}\u2028&amp;")
    return table.rename(columns={"income": SCRIPT, "age": '" onmouseover="alert(3)', "purpose": "{target} ${1}"})


@pytest.fixture(scope="session")
def told() -> Report:
    return report(loans(), "default", model=["naive", "tan", "prior"])


@pytest.fixture(scope="session")
def injected() -> Report:
    return report(hostile(), "default", model=["naive", "tan"])


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    found = chromium()
    if found is None:
        pytest.skip("there is no Chromium here: apt-get install chromium")
    opened = Browser(found, tmp_path_factory.mktemp("profile"))
    yield opened
    opened.close()


@pytest.fixture
def page(tmp_path: Path, told: Report) -> Path:
    told.save(tmp_path / "report.html")
    return tmp_path / "report.html"
