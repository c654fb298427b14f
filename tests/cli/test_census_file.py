"""A file with the habits of a census of 1994: every Bayes model makes of it what it makes of the table cleaned."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.conftest import Command

NAMES = ["age", "work", "weight", "school", "years", "sex", "gain", "loss", "hours", "land", "income"]
WORSE = 1.05  # the most that the raw file's log loss may be of the clean one's


def people(rows: int, seed: int) -> list[list[Any]]:
    """True values: a gain that is zero for 92 % and has a long tail up to 99,999, two columns with missing values."""
    rng = np.random.default_rng(seed)
    found = []
    for rich in rng.random(rows) < 0.24:
        gain = 0 if rng.random() < (0.8 if rich else 0.96) else int(np.exp(rng.normal(8 + rich, 0.8)))
        school = int(rng.integers(2, 5) if rich else rng.integers(0, 4))
        found.append(
            [
                int(np.clip(rng.normal(36 + 8 * rich, 12), 17, 90)),
                None if rng.random() < 0.06 else str(rng.choice(["Private", "Self-emp-not-inc", "State-gov"])),
                int(np.exp(rng.normal(12, 0.5))),
                ["11th", "HS-grad", "Some-college", "Bachelors", "Masters"][school],
                [7, 9, 10, 13, 14][school],
                str(rng.choice(["Male", "Female"], p=[0.85, 0.15] if rich else [0.6, 0.4])),
                99_999 if rich and rng.random() < 0.02 else gain,
                0 if gain or rng.random() < 0.95 else int(rng.normal(1800, 250)),
                40 if rng.random() < 0.5 else int(np.clip(rng.normal(38 + 8 * rich, 12), 1, 99)),
                None if rng.random() < 0.02 else str(rng.choice(["United-States", "Mexico"], p=[0.95, 0.05])),
                ">50K" if rich else "<=50K",
            ]
        )
    return found


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The raw files, as the archive has them, and the same rows as a careful person writes them."""
    folder = tmp_path_factory.mktemp("census")
    for name, rows, dot in (("data", people(900, 1), ""), ("test", people(450, 2), ".")):
        raw = "".join(", ".join("?" if cell is None else str(cell) for cell in row) + dot + "\n" for row in rows)
        (folder / f"raw.{name}").write_text(("|1x3 Cross validator\n" if dot else "") + raw + "\n", encoding="utf-8")
        clean = [NAMES, *(["" if cell is None else str(cell) for cell in row] for row in rows)]
        (folder / f"{name}.csv").write_text("".join(",".join(row) + "\n" for row in clean), encoding="utf-8")
    return folder


def test_the_table_is_as_described() -> None:
    gains = [row[NAMES.index("gain")] for row in people(4000, 1)]
    assert 0.91 < sum(gain == 0 for gain in gains) / len(gains) < 0.93
    assert max(gains) == 99_999


@pytest.mark.parametrize(
    "model",
    [None, "naive", "spode", "tan", "kdb", "aode", "ande", "forest", "gaussian", "lda", "qda", "parzen", "network"],
)
def test_every_bayes_model_learns_it_as_the_clean_table(files: Path, likely_says: Command, model: str | None) -> None:
    said = ("--json", *(("-m", model) if model else ()))
    raw = likely_says("fit", files / "raw.data", "--no-header", "-t", 11, *said).document
    held = likely_says(
        "fit", files / "raw.data", "--no-header", "-t", 11, "--holdout", files / "raw.test", "--match-labels", *said
    ).document
    hand = likely_says("fit", files / "data.csv", "-t", "income", "--holdout", files / "test.csv", *said).document
    own = next(score for key in ("leave_one_out", "cross_validation") if (score := raw.get(key)))
    assert math.isfinite(own["log_loss"])
    assert (held["holdout"]["rows"], hand["holdout"]["rows"]) == (450, 450)
    assert math.isfinite(held["holdout"]["log_loss"])
    assert held["holdout"]["log_loss"] <= WORSE * hand["holdout"]["log_loss"]
    assert [column["kind"] for column in raw["columns"]] == [column["kind"] for column in hand["columns"]]
