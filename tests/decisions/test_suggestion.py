"""A threshold is suggested: that of the costs, unless another one saves more than chance would."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import likely
from likely.cli.main import run
from likely.cli.options import read_loss
from likely.decisions import judge, suggest_threshold, thresholds
from likely.errors import LikelyError

LOSS = {("yes", "no"): 10.0, ("no", "yes"): 1.0}


def drawn(rows: int, power: float) -> tuple[np.ndarray, np.ndarray]:
    """Classes drawn by right probabilities, and these bent by a power of their odds."""
    rng = np.random.default_rng(0)
    share = rng.beta(0.5, 4, rows)
    y = np.where(rng.random(rows) < share, "yes", "no")
    bent = share**power / (share**power + (1 - share) ** power)
    return y, np.c_[1 - bent, bent]


def test_right_probabilities_need_no_other_threshold() -> None:
    y, proba = drawn(2000, 1.0)
    found = suggest_threshold(y, proba, ["no", "yes"], LOSS)
    assert found.threshold == found.by_costs == thresholds(LOSS, ["no", "yes"])[1] == pytest.approx(1 / 11)
    assert found.costs["on_rows"] <= found.costs["by_costs"] <= min(found.costs["half"], found.costs["always"])
    told = judge(proba, ["no", "yes"], LOSS, y=y)
    assert found.costs["by_costs"] == pytest.approx(told.risk)
    flagged = proba[:, 1] >= found.threshold
    assert found.recall == pytest.approx(flagged[y == "yes"].mean())
    assert found.precision == pytest.approx((y[flagged] == "yes").mean())
    assert "which follows from the costs" in found.words


def test_probabilities_that_are_off_have_one_that_saves() -> None:
    y, proba = drawn(2000, 3.0)
    found = suggest_threshold(y, proba, ["no", "yes"], LOSS)
    assert found.threshold == found.on_rows < found.by_costs / 3
    assert "recalibrate" in str(found)
    assert (found.share, found.expected) == pytest.approx(((y == "yes").mean(), proba[:, 1].mean()))
    assert f"({proba[:, 1].mean():.1%} of the rows should be 'yes', and {(y == 'yes').mean():.1%} are)" in found.words
    assert found.costs["on_rows"] == pytest.approx(found.costs["by_costs"] - found.saving)
    grid = [(10 * (proba[y == "yes", 1] < t).sum() + (proba[y == "no", 1] >= t).sum()) / 2000 for t in proba[:, 1]]
    assert found.costs["on_rows"] == pytest.approx(min(grid))


def test_never_is_a_threshold_too_and_weights_count_rows() -> None:
    y, proba = np.array(["no"] * 9 + ["yes"]), np.tile([0.4, 0.6], (10, 1))
    found = suggest_threshold(np.tile(y, 20), np.tile(proba, (20, 1)), ["no", "yes"])
    assert found.threshold == np.inf
    assert found.words.startswith("Never decide 'yes'")
    twice = suggest_threshold(y, proba, ["no", "yes"], weights=np.full(10, 2.0))
    assert twice.costs == suggest_threshold(y, proba, ["no", "yes"]).costs


def test_more_classes_have_no_threshold() -> None:
    with pytest.raises(LikelyError, match="O307"):
        suggest_threshold(["a"], [[1.0, 0.0, 0.0]], ["a", "b", "c"])


def test_costs_in_words_are_of_rows_of_a_class() -> None:
    assert read_loss("a=3,b=1", ["a", "b", "c"]) == {("a", "b"): 3, ("a", "c"): 3, ("b", "a"): 1, ("b", "c"): 1}
    assert (read_loss("costs=1.csv", ["a"]), read_loss("squared", ["a"]), read_loss(None, [])) == (
        "costs=1.csv",
        "squared",
        None,
    )


def test_the_command_line_suggests_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    y, proba = drawn(600, 1.0)
    frame = pd.DataFrame({"x": np.log(proba[:, 1]).round(3), "bad": y})
    frame[:400].to_csv(tmp_path / "a.csv", index=False)
    frame[400:].to_csv(tmp_path / "b.csv", index=False)
    model = tmp_path / "m.likely"
    likely.fit(str(tmp_path / "a.csv"), "bad").save(model)
    words = ["decide", str(model), str(tmp_path / "b.csv")]
    assert run([*words, "--suggest", "--loss", "yes=10,no=1"]) == 0
    told = capsys.readouterr().out
    assert "0.09091, by the costs" in told
    assert "next: likely decide" in told
    assert run([*words, "--suggest", "--loss", "yes=10,no=1", "--priors", "yes=0.1,no=0.9"]) == 0
    assert " NEW.csv --priors yes=0.1,no=0.9 --threshold " in capsys.readouterr().out  # the threshold is for these
    assert run([*words, "--suggest", "--loss", "yes=10,no=1", "--json"]) == 0
    assert '"by_costs": 0.0909090909' in capsys.readouterr().out
    assert run([*words, "--suggest", "--threshold", "0.3"]) == 2
    assert "[U110] --suggest and --threshold" in capsys.readouterr().err
    assert run([*words, "--loss", "ye=10"]) != 0
    assert "[O321] 'ye' is not a class" in capsys.readouterr().err
