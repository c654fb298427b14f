"""The measures of the accuracy table as small text: a file a model, a line a fold, and what tells if it is stale."""

from __future__ import annotations

import csv
import hashlib
import inspect
import re
import subprocess
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import _models
from _models import OURS

FOLDER = Path(__file__).with_name("results")
ROOT = Path(__file__).resolve().parents[2]
TOO_LONG = "took longer than"
# The package of a peer, by how its name begins; scikit-learn elsewhere.
PACKAGES = {
    "skbn": "scikit-bayes",
    "agrum": "pyagrum",
    "khiops": "khiops",
    "lightgbm": "lightgbm",
    "xgboost": "xgboost",
    "catboost": "catboost",
    "tabpfn": "tabpfn",
}


@dataclass(frozen=True)
class Result:
    """One fold of a table under one model. `gaps` are sums of (how sure - right) in bins of how sure the model was.

    `state` names the sources of ours that were measured. Where `failure` says why, there are no measures.
    """

    table: str
    fold: int
    error: float = float("nan")
    log_loss: float = float("nan")
    brier: float = float("nan")
    calibration: float = float("nan")
    gaps: tuple[float, ...] = ()
    rows: int = 0
    fit: float = float("nan")
    predict: float = float("nan")
    settings: str = ""
    version: str = ""
    state: str = ""
    day: str = ""
    failure: str = ""


def package(model: str) -> str:
    """The package that a model is of."""
    found = [name for start, name in PACKAGES.items() if model.startswith(start)]
    return "likely" if model in OURS else found[0] if found else "scikit-learn"


@cache
def version_of(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


@cache
def state() -> str:
    """The name that git has for the content of src/likely; + where it has been changed since."""
    tree = _git("rev-parse", "--short=8", "HEAD:src/likely")
    return tree + ("+" if _git("status", "--porcelain", "src/likely") else "")


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout.strip()


def settings_of(estimator: Any) -> str:
    """A short hash of the parameters of an estimator, and of the adapter of this folder that it is, if it is one."""
    said = re.sub(r"\s+", " ", str(sorted((name, repr(value)) for name, value in estimator.get_params().items())))
    if type(estimator).__module__ == _models.__name__:
        said += inspect.getsource(type(estimator))
    return hashlib.sha256(said.encode()).hexdigest()[:8]


def read(model: str) -> dict[tuple[str, int], Result]:
    """What was measured of a model, by table and fold."""
    path = FOLDER / f"{model}.csv"
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        return {(one.table, one.fold): one for one in map(_parsed, csv.DictReader(file))}


def _parsed(line: dict[str, str]) -> Result:
    numbers = ("error", "log_loss", "brier", "calibration", "fit", "predict")
    given: dict[str, Any] = dict(line)
    given |= {name: float(line[name]) if line[name] else float("nan") for name in numbers}
    given |= {"fold": int(line["fold"]), "rows": int(line["rows"])}
    given["gaps"] = tuple(map(float, line["gaps"].split()))
    return Result(**given)


def add(model: str, found: Iterable[Result]) -> None:
    """Write results, each in the place of an older one of its table and fold."""
    every = read(model) | {(one.table, one.fold): one for one in found}
    FOLDER.mkdir(exist_ok=True)
    part = FOLDER / f"{model}.part"
    with part.open("w", newline="") as file:
        out = csv.DictWriter(file, [field.name for field in fields(Result)], lineterminator="\n")
        out.writeheader()
        out.writerows(_line(every[key]) for key in sorted(every))
    part.replace(FOLDER / f"{model}.csv")


def _line(one: Result) -> dict[str, Any]:
    line = asdict(one)
    for name, value in line.items():
        if isinstance(value, float):
            line[name] = "" if value != value else f"{value:.6g}"
    line["gaps"] = " ".join(f"{gap:.3f}".rstrip("0").rstrip(".") or "0" for gap in one.gaps)
    return line


def stale(one: Result, settings: str, model: str, limit: float, every_state: bool) -> bool:
    """Whether a result is of other settings, of another version, or ended by a shorter limit.

    With `every_state`, so is one of other sources of ours.
    """
    if (one.settings, one.version) != (settings, version_of(package(model))):
        return True
    if one.failure.startswith(TOO_LONG) and limit > float(one.failure.split()[-2]):
        return True
    return every_state and model in OURS and one.state != state()


def failed(one: Result, why: str) -> Result:
    return replace(one, failure=" ".join(why.split())[:300])
