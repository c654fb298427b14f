"""Models measured in a process of their own, which is ended where it takes too long."""

from __future__ import annotations

import multiprocessing
import os
import resource
import sys
import traceback
import warnings
from collections.abc import Iterator
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from _models import OURS, PEERS
from _results import TOO_LONG, Result, failed, package, settings_of, state, version_of
from _tables import folds, table

BINS = 15  # of the probability of the predicted class, for the calibration error
LEAST = 1e-15
MODELS = OURS | PEERS
WARM = ("labor", "iris")  # fitted before the clock starts: what is imported and compiled once is no time of a fit


def scores(proba: np.ndarray, log_proba: np.ndarray, codes: np.ndarray) -> dict[str, Any]:
    """Of probabilities (rows, classes) and the codes of the true classes, the measures of a Result.

    The share of wrong classes, the mean of -log p(class), the mean squared distance from the true corner, and the mean
    distance between how sure a bin of rows is of its predicted classes and how often these are right.
    """
    truth = np.eye(proba.shape[1])[codes]
    right = proba.argmax(axis=1) == codes
    sure = proba.max(axis=1)
    bins = np.minimum((sure * BINS).astype(int), BINS - 1)
    gaps = np.bincount(bins, weights=sure - right, minlength=BINS)
    return {
        "error": float(np.mean(~right)),
        "log_loss": float(-np.mean(log_proba[np.arange(len(codes)), codes])),
        "brier": float(np.mean(((proba - truth) ** 2).sum(axis=1))),
        "calibration": float(np.abs(gaps).sum() / len(codes)),
        "gaps": tuple(gaps.tolist()),
        "rows": len(codes),
    }


def _seconds() -> float:
    """Of the processor, all threads and processes that have ended: what others do on the machine hardly matters."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def measure(model: str, name: str, places: list[int]) -> Iterator[Result]:
    """The results of some folds, one after the other."""
    X, y = table(name)
    classes, codes = np.unique(y, return_inverse=True)
    blank = _blank(model, name, 0)
    for place, (kept, asked) in enumerate(folds(X, y)):
        if place not in places:
            continue
        start = _seconds()
        fitted = MODELS[model](X).fit(X.iloc[kept], y[kept])
        done = _seconds()
        if not np.array_equal(fitted.classes_, classes):
            raise ValueError(f"{name}: a fold has not all the classes")
        proba = np.asarray(fitted.predict_proba(X.iloc[asked]))
        end = _seconds()
        log_proba = fitted.predict_log_proba(X.iloc[asked]) if model in OURS else np.log(np.maximum(proba, LEAST))
        found = scores(proba, np.asarray(log_proba), codes[asked])
        yield Result(**vars(blank) | found | {"fold": place, "fit": done - start, "predict": end - done})


def _serve(pipe: Connection) -> None:
    """Answer with results, then None; a failure is a Result that says why."""
    warnings.simplefilter("ignore")
    os.environ["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"  # where Khiops looks for its binaries
    warm: set[str] = set()
    while True:
        try:
            model, name, places = pipe.recv()
        except EOFError:  # all is measured
            return
        try:
            if model not in warm:
                _warm_up(model)
                warm.add(model)
            pipe.send("warm")
            for one in measure(model, name, places):
                pipe.send(one)
        except Exception as failure:
            at = traceback.format_exc(limit=-1).splitlines()[1].strip()
            pipe.send(failed(_blank(model, name, places[0]), f"{type(failure).__name__}: {failure} ({at})"))
        pipe.send(None)


def _blank(model: str, name: str, place: int) -> Result:
    """A result without measures."""
    return Result(
        name,
        place,
        settings=settings_of(MODELS[model](table(name)[0])),
        version=version_of(package(model)),
        state=state() if model in OURS else "",
        day=f"{datetime.now(UTC):%Y-%m-%d}",
    )


def _warm_up(model: str) -> None:
    for name in WARM:
        X, y = table(name)
        kept, asked = next(iter(folds(X, y)))
        try:
            MODELS[model](X).fit(X.iloc[kept], y[kept]).predict_proba(X.iloc[asked])
        except Exception:  # which the tables that are measured will tell
            continue


class Measurer:
    """A process that measures, and another one after it had to be ended."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, its = context.Pipe()
        self.process = context.Process(target=_serve, args=(its,), daemon=True)
        self.process.start()

    def results(self, model: str, name: str, places: list[int]) -> Iterator[Result]:
        """The results of some folds; each may take `limit` seconds."""
        self.pipe.send((model, name, places))
        last = places[0] - 1
        while True:
            if not self.pipe.poll(self.limit):
                self.process.kill()
                self.process.join()
                self._start()
                yield failed(_blank(model, name, last + 1), f"{TOO_LONG} {self.limit:g} s")
                return
            try:
                told = self.pipe.recv()
            except EOFError:
                self.process.join()
                code = self.process.exitcode
                self._start()
                yield failed(_blank(model, name, last + 1), f"its process ended with {code}")
                return
            if told is None:
                return
            if isinstance(told, Result):
                last = told.fold
                yield told
