"""Rows drawn from a network classifier whose class depends on columns: of the class's own rows, or none."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import likely
from likely.errors import ModelError
from likely.models import network

ARCS = [("season", "sky"), ("sky", "play"), ("height", "play"), ("play", "wind")]


def rare(rows: int, storms: int) -> likely.NetworkClassifier:
    """Nobody is in but when it storms, which it hardly ever does; priors say that half are in."""
    rng = np.random.default_rng(0)
    storm = np.arange(rows) < storms
    frame = pd.DataFrame(
        {
            "season": np.where(storm, "winter", rng.choice(["winter", "summer"], rows)),
            "sky": np.where(storm, "storm", "clear"),
            "height": rng.normal(size=rows),
            "wind": rng.choice(["weak", "strong"], rows),
        }
    )
    model = likely.NetworkClassifier(
        network=ARCS, target="play", estimate="mle", priors="uniform", cuts={"height": [0.0]}
    )
    return model.fit(frame, np.where(storm, "in", "out"))


@pytest.mark.parametrize("storms", [2, 2000])
def test_what_the_class_depends_on_goes_with_the_class(storms: int) -> None:
    rows, classes = rare(40_000, storms).sample(200, seed=1)
    assert 60 < (classes == "in").sum() < 140
    assert set(rows["sky"][classes == "in"]) == {"storm"}
    assert set(rows["season"][classes == "in"]) == {"winter"}
    assert set(rows["sky"][classes == "out"]) == {"clear"}


def test_drawn_rows_follow_the_exact_conditional() -> None:
    rng = np.random.default_rng(3)
    sky = rng.choice(["clear", "grey", "storm"], 600, p=[0.6, 0.36, 0.04])
    play = np.where(rng.random(600) < np.select([sky == "clear", sky == "grey"], [0.02, 0.2], 0.9), "in", "out")
    frame = pd.DataFrame({"sky": sky, "wind": rng.choice(["weak", "strong"], 600)})
    model = likely.NetworkClassifier(network=[("sky", "play"), ("play", "wind")], target="play").fit(frame, play)
    rows, classes = model.with_priors("uniform").sample(20_000, seed=2)
    for level in ("in", "out"):
        wanted = model.network_.query("sky", {"play": level})
        found = rows["sky"][classes == level].value_counts(normalize=True)
        for name in ("clear", "grey", "storm"):
            assert found[name] == pytest.approx(wanted[name], abs=0.02)


def test_rows_that_cannot_be_drawn_are_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    model = rare(40_000, 2)
    monkeypatch.setattr(network, "MOST_ROWS_DRAWN_IN_ALL", 1 << 10)
    with pytest.raises(ModelError, match=r"\[M366\] hardly any row has 'sky', 'height' such that the class is 'in'"):
        model.sample(200, seed=1)
