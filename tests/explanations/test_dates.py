"""Parts of dates in explanations: days are told as dates."""

from __future__ import annotations

import pandas as pd

import likely
from likely.explanations import changes


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
