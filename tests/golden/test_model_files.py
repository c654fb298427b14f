"""Model files of earlier versions load, and say what they said; `python -m tests.golden.test_model_files` adds some.

A file that is there is never written anew: it stands for those that people have.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

import likely
from likely.estimators.registry import find, models

MODELS = [*models(numeric=False), *models(numeric=True)]
FOLDER = Path(__file__).parent / "models"
ROWS, SAID = FOLDER / "rows.csv", FOLDER / "said.json"
TARGETS = {"linear": "length", "ridge": "length", "lasso": "length", "regression-tree": "length"}
OPTIONS: dict[str, dict[str, Any]] = {
    "adaboost": {"n_estimators": 5},
    "auto": {"candidates": ["naive", "aode"]},
    "bagging": {"n_estimators": 3, "random_state": 0},
    "forest": {"n_estimators": 2, "max_parents": 2},
}
NUMERIC = ("gaussian", "qda", "lda", "discriminant", "parzen")  # models of numbers alone
FIRST, DIGITS = 15, 10  # of what is said
FILES = sorted(FOLDER.glob("*.likely"))


def read_rows() -> pa.Table:
    """The rows, an empty word being a missing value."""
    return pyarrow.csv.read_csv(ROWS, convert_options=pyarrow.csv.ConvertOptions(strings_can_be_null=True))


def said(path: Path) -> list[Any]:
    """What a model says of the rows."""
    model = likely.load(path)
    rows = read_rows().slice(0, FIRST)
    rows = rows.drop_columns([name for name in ("kind", "length") if name not in model.feature_names_in_])
    if path.stem in NUMERIC:
        rows = rows.select(list(model.feature_names_in_))
    told = model.predict(rows) if path.stem in TARGETS else model.predict_log_proba(rows)
    return np.asarray(told).round(DIGITS).tolist()


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_model_file_says_what_it_said(path: Path) -> None:
    np.testing.assert_allclose(said(path), json.loads(SAID.read_text())[path.stem], rtol=1e-9, atol=2.0 * 10.0**-DIGITS)


def test_every_model_has_a_file() -> None:
    assert {path.stem for path in FILES} >= {*MODELS}


def made(name: str) -> None:
    model = getattr(likely, find(name).estimator)(**{**find(name).stands_for, **OPTIONS.get(name, {})})
    rows = read_rows()
    if name in NUMERIC:
        rows = rows.select(["size", "kind"])
    target = TARGETS.get(name, "kind")
    other = {"kind", "length"} - {target}
    likely.fit(rows.drop_columns([one for one in other if one in rows.column_names]), target, model).save(
        FOLDER / f"{name}.likely"
    )


def main() -> None:
    told = json.loads(SAID.read_text()) if SAID.exists() else {}
    for name in MODELS:
        if not (FOLDER / f"{name}.likely").exists():
            made(name)
        path = FOLDER / f"{name}.likely"
        told.setdefault(name, said(path))
    SAID.write_text(json.dumps(told) + "\n")


if __name__ == "__main__":
    main()
