"""The largest loss of a held-out row of each table of ../shared/data, by each Bayes model that averages its parameters.

Each table is learnt from a few rows, from half of them and from nine tenths, and asked for the others whose class was
learnt; with --halves from one half alone. A table a line, a model a column: the largest -log P(class) of a row in nats;
`inf` where a row is held to be impossible, `0!` where its probability is no double though its logarithm is; - where the
table has no column that the model can take, the code of an error where the model refuses the table.
"""

from __future__ import annotations

import argparse
import csv
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from _tables import TARGETS
from sklearn.model_selection import ShuffleSplit

import likely
from likely.data.files.arff import read_arff

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data"
FEW_ROWS, SEED = 30, 0
MODELS: dict[str, Callable[[], Any]] = {
    "naive": likely.NaiveBayes,
    "informative": lambda: likely.NaiveBayes(missing="informative"),
    **{
        f"naive-{name}": lambda name=name: likely.NaiveBayes(descriptions=name)
        for name in ("normal", "log", "zeros", "parzen", "bins")
    },
    "spode": likely.SPODE,
    "tan": likely.TAN,
    "tan-density": lambda: likely.TAN(numbers="density"),
    "tan-levels": lambda: likely.TAN(numbers="levels"),
    "tan-bic": lambda: likely.TAN(arcs="bic"),
    "kdb": likely.KDB,
    "kdb-select": lambda: likely.KDB(select=True),
    "aode": likely.AODE,
    "aode-density": lambda: likely.AODE(numbers="density"),
    "aode-weights": lambda: likely.AODE(weights="loss", select=True),
    "a2de": likely.AnDE,
    "a2de-density": lambda: likely.AnDE(numbers="density"),
    "forest": likely.BayesForest,
    "forest-parts": lambda: likely.BayesForest(normals=False),
    "pool": likely.BayesClassifier,
    "network": likely.NetworkClassifier,
    "network-cll": lambda: likely.NetworkClassifier(score="cll"),
    **{
        f"gaussian-{name}": lambda name=name: likely.GaussianBayes(name, estimate="bayes")
        for name in ("full", "shared", "diagonal", "spherical", "tied-diagonal")
    },
    "parzen-bayes": lambda: likely.ParzenBayes(estimate="bayes"),
    "parzen-box": lambda: likely.ParzenBayes("box", estimate="bayes"),
}
OF_NUMBERS = ("gaussian", "parzen")  # models of these names take numbers alone


def tables() -> dict[str, Path]:
    """Every table of the folder by its name."""
    found = sorted(path for path in (FOLDER / "uci").glob("*.*") if path.suffix in (".arff", ".csv"))
    extra = [FOLDER / "gender" / "train.csv", FOLDER / "watermelon3.csv", FOLDER / "text" / "SMSSpamCollection"]
    return {path.stem if path.stem != "train" else "gender": path for path in [*found, *extra]}


def read(name: str, path: Path) -> tuple[pd.DataFrame, np.ndarray]:
    """All columns as they are, and the class of each row as text."""
    if path.suffix == ".arff":
        frame = read_arff(path).to_pandas()
    elif path.suffix == ".csv":
        frame = pd.read_csv(path)
    else:
        frame = pd.read_csv(path, sep="\t", header=None, names=["class", "text"], quoting=csv.QUOTE_NONE)
    target = "class" if path.suffix == "" else TARGETS.get(name, frame.columns[-1])
    return frame.drop(columns=target), frame[target].astype(str).to_numpy(dtype=object)


def splits(rows: int, most: int, halves: bool) -> list[tuple[np.ndarray, np.ndarray]]:
    """Rows to learn and rows to be asked for: few, half, nine tenths, and half the other way around; or two halves."""
    kept = np.random.default_rng(SEED).permutation(rows)[:most]
    if halves:
        return [(kept[: len(kept) // 2], kept[len(kept) // 2 :])]
    found = []
    for taught in (min(FEW_ROWS, len(kept) // 2), len(kept) // 2, max(len(kept) * 9 // 10, 1)):
        learnt, asked = next(ShuffleSplit(1, train_size=taught, random_state=SEED).split(kept))
        found.append((kept[learnt], kept[asked]))
    return [*found, found[1][::-1]]


def worst(make: Callable[[], Any], X: pd.DataFrame, y: np.ndarray, most: int, halves: bool) -> tuple[float, bool]:
    """The largest loss of a row in nats, and whether each probability is a double above zero."""
    largest, seen = 0.0, True
    for learnt, asked in splits(len(y), most, halves):
        if len(set(y[learnt])) < 2:
            continue
        model = make().fit(X.iloc[learnt], y[learnt])
        known = asked[np.isin(y[asked], model.classes_)]
        own = y[known][:, None] == model.classes_
        largest = float(np.maximum(largest, -model.predict_log_proba(X.iloc[known])[own].min()))  # NaN stays
        seen &= bool((model.predict_proba(X.iloc[known])[own] > 0).all())
    return largest, seen


def said(name: str, X: pd.DataFrame, y: np.ndarray, most: int, halves: bool) -> str:
    if name.startswith(OF_NUMBERS):
        X = X.select_dtypes("number").dropna(axis=1, how="all")
    if not X.shape[1]:
        return "-"
    try:
        largest, seen = worst(MODELS[name], X, y, most, halves)
    except likely.LikelyError as error:
        return error.code
    return f"{largest:.1f}{'' if seen else ' 0!'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="+", choices=list(MODELS), default=list(MODELS), metavar="MODEL")
    parser.add_argument("--tables", nargs="+", choices=list(tables()), default=list(tables()), metavar="TABLE")
    parser.add_argument("--rows", type=int, default=4000, help="rows of a table that are taken at most")
    parser.add_argument("--halves", action="store_true", help="one split of two halves, rather than four splits")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")  # of small classes, and of columns set aside
    widths = [max(len(name), 8) for name in asked.models]
    print(f"{'table':20}" + "".join(f" {name:>{width}}" for name, width in zip(asked.models, widths, strict=True)))
    for table in asked.tables:
        X, y = read(table, tables()[table])
        print(f"{table:20}", end="")
        for name, width in zip(asked.models, widths, strict=True):
            print(f" {said(name, X, y, asked.rows, asked.halves):>{width}}", end="", flush=True)
        print(flush=True)


if __name__ == "__main__":
    main()
