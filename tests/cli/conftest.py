"""Command lines run in this process: what they print, and the code they leave with."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest

from likely.cli.main import run
from likely.cli.startup import warmup


class Result(NamedTuple):
    exit: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        return json.loads(self.out)


Command = Callable[..., Result]


@pytest.fixture(scope="session", autouse=True)
def alone() -> Iterator[None]:
    """No command line begins helpers that compile ahead: the other cores have tests to run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(warmup, "HELPERS", 0)
        yield


@pytest.fixture
def likely_says(capsys: pytest.CaptureFixture[str]) -> Command:
    """Run `likely` with these words."""

    def say(*words: object) -> Result:
        capsys.readouterr()
        code = run([str(word) for word in words])
        return Result(code, *capsys.readouterr())

    return say


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Ctrl-C interrupts, here and in processes begun here, even where a shell lets background jobs ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def loans(rows: int, seed: int) -> pd.DataFrame:
    """Mixed columns with holes, Chinese names and a class that they tell of."""
    rng = np.random.default_rng(seed)
    bad = rng.random(rows) < 0.3
    frame = pd.DataFrame(
        {
            "income": np.round(rng.normal(np.where(bad, 30, 45), 9), 2),
            "age": rng.integers(18, 80, rows).astype(float),
            "purpose": rng.choice(["car", "house", "other, mixed"], rows),
            "城市": np.where(rng.random(rows) < np.where(bad, 0.7, 0.2), "上海", "北京"),
            "employed": np.where(rng.random(rows) < 0.5, "true", "false"),
            "default": np.where(bad, "yes", "no"),
        }
    )
    for column in ("income", "purpose", "城市"):
        frame.loc[rng.random(rows) < 0.1, column] = None
    return frame


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with loans.csv, new.csv, loss.csv and loans.likely; tests must not write into it."""
    folder = tmp_path_factory.mktemp("shop")
    loans(300, 0).to_csv(folder / "loans.csv", index=False)
    loans(40, 1).to_csv(folder / "new.csv", index=False)
    (folder / "loss.csv").write_text("true,no,yes\nno,0,1\nyes,5,0\n", encoding="utf-8")
    words = ["fit", folder / "loans.csv", "--target", "default", "-m", "naive", "-o", folder / "loans.likely", "-q"]
    assert run([str(word) for word in words]) == 0
    return folder
