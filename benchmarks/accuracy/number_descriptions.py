"""What descriptions of numbers are worth: naive Bayes with normals alone and as loses least, on ../shared/data/uci.

Error, log loss and Brier score of held-out rows, two folds of at most 4,000 rows of each table that has real columns;
of every description said for all of them, of what `NaiveBayes` chooses, and how often it chooses which.
"""

from __future__ import annotations

import argparse
import warnings
from collections import Counter

import numpy as np
from _tables import names, table
from sklearn.model_selection import StratifiedKFold

import likely
from likely.core.schema import DESCRIPTIONS

MOST_ROWS = 4000
MODELS = ("normal", "auto", "zeros", "parzen", "bins")


def scores(model: likely.NaiveBayes, X: object, y: np.ndarray) -> tuple[float, float, float]:
    """Error, log loss, Brier score."""
    log_proba = model.predict_log_proba(X)
    own = y[:, None] == model.classes_
    proba = np.exp(log_proba)
    wrong = (model.classes_[log_proba.argmax(axis=1)] != y).mean()
    return float(wrong), float(-log_proba[own].mean()), float(((proba - own) ** 2).sum(axis=1).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", default=names())
    rows: dict[str, list[np.ndarray]] = {model: [] for model in MODELS}
    chosen: Counter[str] = Counter()
    warnings.simplefilter("ignore")
    print(f"{'table':20} " + "  ".join(f"{model:>20}" for model in MODELS))
    for name in parser.parse_args().tables:
        X, y = table(name)
        kept = np.sort(np.random.default_rng(0).permutation(len(y))[:MOST_ROWS])
        X, y = X.iloc[kept].reset_index(drop=True), y[kept]
        found: dict[str, list[tuple[float, ...]]] = {model: [] for model in MODELS}
        for learnt, asked in StratifiedKFold(2, shuffle=True, random_state=0).split(X, y):
            for numbers in MODELS:
                model = likely.NaiveBayes(descriptions=numbers).fit(X.iloc[learnt], y[learnt])
                real = [column for column in model.model_.schema.columns if column.kind == "real"]
                if not real:
                    break
                if numbers == "auto":
                    chosen.update(column.described or "normal" for column in real)
                found[numbers].append(scores(model, X.iloc[asked], y[asked]))
        if found["auto"]:
            for model in MODELS:
                rows[model].append(np.mean(found[model], axis=0))
            print(f"{name:20} " + "  ".join(" ".join(f"{x:6.3f}" for x in rows[one][-1]) for one in MODELS), flush=True)
    print(f"{'mean':20} " + "  ".join(" ".join(f"{x:6.4f}" for x in np.mean(rows[one], axis=0)) for one in MODELS))
    print("chosen:", ", ".join(f"{name} {chosen[name]}" for name in ("normal", *DESCRIPTIONS)))


if __name__ == "__main__":
    main()
