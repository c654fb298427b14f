"""The tables of ../shared/data/uci as data frames, and the folds that every model is measured on."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import RepeatedStratifiedKFold

from likely.data.files.arff import read_arff

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data" / "uci"
TARGETS = {"wine": "class", "penguins": "species", "titanic_raw_kaggle": "survived"}  # elsewhere it is the last
# Left out for every model: they name a row, so that they tell nothing of another.
NAMES = {"zoo": ["animal"], "splice": ["Instance_name"], "titanic_raw_kaggle": ["name", "ticket", "cabin"]}
REPEATS, FOLDS, SEED = 5, 2, 0


def names() -> list[str]:
    """Every table, in the order of the alphabet."""
    return sorted(path.stem for path in FOLDER.glob("*.*") if path.suffix in (".arff", ".csv"))


@cache
def table(name: str) -> tuple[pd.DataFrame, np.ndarray]:
    """The columns (levels as pandas categories, missing as NaN) and the class of each row as text."""
    path = FOLDER / f"{name}.arff"
    frame = read_arff(path).to_pandas() if path.exists() else _csv(FOLDER / f"{name}.csv")
    target = TARGETS.get(name, frame.columns[-1])
    X = frame.drop(columns=[target, *NAMES.get(name, [])])
    return X, frame[target].astype(str).to_numpy(dtype=object)


def cells(name: str) -> int:
    """How large a table is: rows times columns."""
    X, _ = table(name)
    return int(X.size)


def _csv(path: Path) -> pd.DataFrame:
    frame = pd.read_csv(path)
    words = [name for name in frame if not pd.api.types.is_numeric_dtype(frame[name])]
    return frame.astype(dict.fromkeys(words, "category"))


def folds(X: pd.DataFrame, y: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Rows to learn from and rows to be asked: five times two halves of equal class shares, the same for all models."""
    yield from RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=REPEATS, random_state=SEED).split(X, y)
