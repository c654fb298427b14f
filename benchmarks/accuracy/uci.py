"""Error, log loss, Brier score and calibration error over ../shared/data/uci: five times two folds, the same for all.

Each model and table is measured once and kept in a file of the cache: a later run measures what is not there. A peer's
probability counts as 1e-15 at least, or one row would make its log loss infinite; ours count as they are.
Encoders are fitted inside each fold (see _models.py). What takes longer than the limit is left out and named, and so is
a peer that is not installed; means and ranks are over the tables that every model of the run has. With `--against
MODEL`, each other model's tables won, drawn and lost, and the verdict of the Bayesian signed-rank test.
"""

from __future__ import annotations

import argparse
import csv
import multiprocessing
import os
import sys
import traceback
import warnings
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from _models import OURS, PEERS
from _tables import folds, names, table
from _verdict import mean_ranks, signed_rank

MEASURES = ("error", "log loss", "Brier score", "calibration error")
ALIKE = {
    "error": 0.005,
    "log loss": 0.01,
    "Brier score": 0.005,
    "calibration error": 0.005,
}  # no difference to speak of
BINS = 15  # of the probability of the predicted class, for the calibration error
FIELDS = (*MEASURES, "seconds")
LEAST = 1e-15
MODELS = OURS | PEERS


def scores(proba: np.ndarray, log_proba: np.ndarray, codes: np.ndarray) -> tuple[float, ...]:
    """One number for each of MEASURES.

    The share of wrong classes, the mean of -log p(class), the mean squared distance from the true corner, and the mean
    distance between how sure a bin of rows is of its predicted classes and how often these are right.
    """
    truth = np.eye(proba.shape[1])[codes]
    right = proba.argmax(axis=1) == codes
    loss = float(-np.mean(log_proba[np.arange(len(codes)), codes]))
    sure = proba.max(axis=1)
    bins = np.minimum((sure * BINS).astype(int), BINS - 1)
    calibration = np.abs(np.bincount(bins, weights=sure - right)).sum() / len(codes)
    return float(np.mean(~right)), loss, float(np.mean(((proba - truth) ** 2).sum(axis=1))), float(calibration)


def measure(model: str, name: str) -> list[tuple[float, ...]]:
    """The scores and seconds of each fold."""
    X, y = table(name)
    classes, codes = np.unique(y, return_inverse=True)
    rows = []
    for kept, asked in folds(X, y):
        start = perf_counter()
        fitted = MODELS[model](X).fit(X.iloc[kept], y[kept])
        if not np.array_equal(fitted.classes_, classes):
            raise ValueError(f"{name}: a fold has not all the classes")
        proba = np.asarray(fitted.predict_proba(X.iloc[asked]))
        log_proba = fitted.predict_log_proba(X.iloc[asked]) if model in OURS else np.log(np.maximum(proba, LEAST))
        seconds = perf_counter() - start
        rows.append((*scores(proba, np.asarray(log_proba), codes[asked]), seconds))
    return rows


def _work(model: str, name: str, target: Path) -> None:
    """In a process of its own: write the file of the cache, or beside it why there is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rows = measure(model, name)
    except Exception as failure:
        last = traceback.format_exc(limit=-1).splitlines()[1].strip()
        target.with_suffix(".skipped").write_text(f"{type(failure).__name__}: {failure} ({last})\n")
        return
    part = target.with_suffix(f".{os.getpid()}")
    with part.open("w", newline="") as file:
        csv.writer(file).writerows([FIELDS, *rows])
    part.replace(target)


def fill(cache: Path, models: list[str], tables: list[str], limit: float) -> None:
    """Measure what the cache has not, each model and table for `limit` seconds at most."""
    context = multiprocessing.get_context("fork")  # the imports are slow, and a process that is killed leaves no trace
    for name in tables:
        for model in models:
            target = cache / f"{model}--{name}.csv"
            if target.exists() or target.with_suffix(".skipped").exists():
                continue
            process = context.Process(target=_work, args=(model, name, target))
            process.start()
            process.join(limit)
            if process.is_alive():
                process.kill()
                process.join()
                target.with_suffix(".skipped").write_text(f"took longer than {limit:g} s\n")
            done = "measured" if target.exists() else "skipped"
            print(f"{name}: {model} {done}", file=sys.stderr, flush=True)


def load(cache: Path, models: list[str], tables: list[str]) -> dict[tuple[str, str], dict[str, float]]:
    """The mean over folds of each field, by model and table."""
    found = {}
    for model in models:
        for name in tables:
            path = cache / f"{model}--{name}.csv"
            if path.exists():
                rows = list(csv.DictReader(path.open()))
                found[model, name] = {field: float(np.mean([float(row[field]) for row in rows])) for field in FIELDS}
    return found


def show(title: str, head: list[str], lines: list[list[str]]) -> None:
    """Print an aligned table."""
    widths = [max(map(len, column)) for column in zip(head, *lines, strict=True)]
    print(f"\n{title}")
    for at, (first, *rest) in enumerate([head, *lines]):
        right = [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        print(" | ".join([first.ljust(widths[0]), *right]).rstrip())
        if at == 0:
            print("-|-".join("-" * width for width in widths))


def report(found: dict[tuple[str, str], dict[str, float]], models: list[str], tables: list[str]) -> None:
    """A table a measure, then the means."""
    whole = [name for name in tables if all((model, name) in found for model in models)]
    means: dict[tuple[str, str], Any] = {}
    for measure in MEASURES:
        lines = []
        for name in tables:
            values = [found.get((model, name), {}).get(measure) for model in models]
            lines.append([name, *("" if value is None else f"{value:.4f}" for value in values)])
        show(measure, ["table", *models], lines)
    for field in FIELDS:
        for model in models:
            means[model, field] = float(np.mean([found[model, name][field] for name in whole])) if whole else np.nan
    lines = []
    for model in models:
        line = [model, *(f"{means[model, field]:.4f}" for field in FIELDS)]
        if "forest" in models:
            line += [f"{means[model, field] - means['forest', field]:+.4f}" for field in MEASURES]
        lines.append(line)
    head = ["model", *MEASURES, "seconds a fold"]
    head += [f"{measure} - forest's" for measure in MEASURES] if "forest" in models else []
    show(f"means over the {len(whole)} tables that all of them have", head, lines)
    if whole:
        ranks = [
            mean_ranks(np.array([[found[model, name][measure] for model in models] for name in whole]))
            for measure in MEASURES
        ]
        lines = [[model, *(f"{rank[at]:.2f}" for rank in ranks)] for at, model in enumerate(models)]
        show("mean ranks, 1 being the best", ["model", *MEASURES], sorted(lines, key=lambda line: float(line[2])))


def verdicts(found: dict[tuple[str, str], dict[str, float]], first: str, models: list[str], tables: list[str]) -> None:
    """How the first model does beside each of the others, on the tables that both have."""
    for measure in MEASURES:
        lines = []
        for other in models:
            both = [name for name in tables if (first, name) in found and (other, name) in found]
            if other == first or not both:
                continue
            difference = np.array([found[first, name][measure] - found[other, name][measure] for name in both])
            won, lost = int((difference < -ALIKE[measure]).sum()), int((difference > ALIKE[measure]).sum())
            shares = signed_rank(difference, ALIKE[measure])
            lines.append(
                [
                    other,
                    f"{difference.mean():+.4f}",
                    f"{won}/{len(both) - won - lost}/{lost}",
                    *(f"{p:.2f}" for p in shares),
                ]
            )
        head = [f"{first} beside", "mean difference", "won/drawn/lost", "P(better)", "P(alike)", "P(worse)"]
        show(f"{measure}, {ALIKE[measure]} being no difference", head, lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, default=Path("build/uci"), help="folder of the results")
    parser.add_argument("--models", nargs="+", choices=list(MODELS), default=list(MODELS), metavar="MODEL")
    parser.add_argument("--tables", nargs="+", choices=names(), default=names(), metavar="TABLE")
    parser.add_argument("--against", choices=list(MODELS), metavar="MODEL", help="the model that others stand beside")
    parser.add_argument("--limit", type=float, default=180, help="seconds for one model on one table")
    parser.add_argument("--only-show", action="store_true", help="print what the cache has, measure nothing")
    asked = parser.parse_args()
    asked.cache.mkdir(parents=True, exist_ok=True)
    if not asked.only_show:
        fill(asked.cache, asked.models, asked.tables, asked.limit)
    found = load(asked.cache, asked.models, asked.tables)
    report(found, asked.models, asked.tables)
    if asked.against is not None:
        verdicts(found, asked.against, asked.models, asked.tables)
    for path in sorted(asked.cache.glob("*.skipped")):
        model, name = path.stem.split("--")
        if model in asked.models and name in asked.tables:
            print(f"skipped: {model} on {name}: {path.read_text().strip()}")


if __name__ == "__main__":
    main()
