"""Dates that are dates when they are learnt, and ISO text in later rows: of Parquet or JSON lines, then of a CSV."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import likely
from likely.errors import SchemaError, SchemaWarning


def frame() -> pd.DataFrame:
    day = pd.Series(pd.date_range("2024-01-01", periods=60, freq="19h"))
    late = np.where((day.dt.month > 1) ^ (np.arange(60) % 9 == 0), "yes", "no")
    return pd.DataFrame({"day": day, "late": late})


def as_text(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.assign(day=rows["day"].astype(str))


def test_text_of_later_rows_says_the_same(tmp_path: Path) -> None:
    rows = frame()
    model = likely.NaiveBayes().fit(rows[["day"]], rows["late"])
    said = model.predict_proba(rows[["day"]])
    assert (model.predict_proba(as_text(rows)[["day"]]) == said).all()
    assert (model.predict_proba(as_text(rows)[["day"]][:1]) == said[:1]).all()
    as_text(rows).to_csv(tmp_path / "rows.csv", index=False)
    as_text(rows).to_json(tmp_path / "rows.jsonl", orient="records", lines=True)
    rows.to_parquet(tmp_path / "rows.parquet")
    for learnt in ("jsonl", "parquet"):
        likely.fit(tmp_path / f"rows.{learnt}", "late", model=likely.NaiveBayes()).save(tmp_path / "one.likely")
        kept = likely.load(tmp_path / "one.likely")
        for asked in (pd.read_csv(tmp_path / "rows.csv"), rows):
            assert (kept.predict_proba(asked[["day"]]) == said).all()


def test_text_that_is_no_iso_date_is_missing_or_refused() -> None:
    rows = frame()
    model = likely.NaiveBayes().fit(rows[["day"]], rows["late"])
    with pytest.warns(SchemaWarning, match="'oops' in row 1"):
        model.predict(pd.DataFrame({"day": ["2024-01-05", "oops"]}))
    with pytest.raises(SchemaError, match=r"S208.*'01/02/2024'"):
        model.predict(pd.DataFrame({"day": ["01/02/2024", "03/02/2024"]}))


def test_parts_of_dates_and_of_text_are_one_model() -> None:
    rows, columns = frame(), ["day"]
    first, rest = rows[:40], rows[40:]
    typed = likely.NaiveBayes().fit(first[columns], first["late"])
    text = likely.NaiveBayes().fit(as_text(rest)[columns], rest["late"])
    wanted = typed.merge(likely.NaiveBayes().fit(rest[columns], rest["late"])).predict_proba(rows[columns])
    assert (typed.merge(text).predict_proba(rows[columns]) == wanted).all()
    assert (text.merge(typed).predict_proba(as_text(rows)[columns]) == wanted).all()
    taught = likely.NaiveBayes().fit(first[columns], first["late"])
    taught.partial_fit(as_text(rest)[columns], rest["late"])
    assert np.allclose(taught.predict_proba(rows[columns]), wanted, rtol=0, atol=1e-12)
