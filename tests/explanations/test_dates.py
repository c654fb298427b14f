"""Parts of dates in explanations: days are told as dates."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import likely
from likely.explanations import axis, changes, nomogram
from likely.explanations.columns import possible_ranges


def test_days_are_told_as_dates() -> None:
    day = [f"2026-01-{at:02}" for at in range(1, 31)] + [f"2026-07-{at:02}" for at in range(1, 31)]
    rows = pd.DataFrame({"signed": day, "x": [str(at % 7) for at in range(60)]})
    model = likely.NaiveBayes(kinds={"signed": "real"}).fit(rows, ["early"] * 30 + ["late"] * 30)
    why = model.explain(rows[:1])
    assert why.value_at(0, 1) == "2026-01-01"
    assert float(why.values[0, 0]) == 20454.0
    (change,) = (one for one in changes(model, rows, 0).alone if one.name == "signed")
    assert change.before == "2026-01-01"
    assert "2026-03-01" < change.after < "2026-05-31"
    assert str(change) == f"signed: '2026-01-01' -> '{change.after}'"


@pytest.mark.parametrize("time", ["", " 13:30"])
def test_years_go_as_far_as_years_were_seen(time: str) -> None:
    """They went as far as the days: from the year 19723 on."""
    day = pd.date_range("2023-12-01", periods=60, freq="7D").strftime("%Y-%m-%d") + time
    rows = pd.DataFrame({"signed": day, "x": np.tile([0.0, 1.0, 2.5], 20)})
    y = np.repeat(["early", "late"], 30)
    model = likely.NaiveBayes().fit(rows, y)
    assert axis(model, "signed.year").values.tolist() == [2023, 2024, 2025]
    assert "signed.year" in str(nomogram(model))
    source = likely.data.open_source(rows)
    seen = dict(zip(source.names, source.look([None, None]), strict=True))
    within = possible_ranges(model, seen)
    assert within["signed.year"] == (2023, 2025)
    assert within["signed.days"] == pytest.approx((19692, 20105), abs=1)
    for change in changes(model, rows, 0, within=within).alone:
        assert change.name != "signed.year" or 2023 <= change.after <= 2025
    kernels = likely.NaiveBayes(kinds={"signed.year": "parzen"}).fit(rows, y)
    said = np.exp(axis(kernels, "signed.year").terms)
    assert said[0, 0] > said[2, 0]
    assert said[2, 1] > said[0, 1]
