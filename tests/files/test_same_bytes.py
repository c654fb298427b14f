"""The same rows, options and seed give the same bytes, at any time and in any number of threads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import likely

from .specimens import table

ROOT = Path(__file__).parents[2]
PROGRAM = """
import hashlib, json, os, sys, warnings
os.sched_getaffinity = lambda _: set(range({threads}))  # as many threads as there are said to be
import numpy as np
import likely
from likely import plots
from sklearn.base import clone, is_regressor
from likely.estimators.registry import make, models
from tests.files.specimens import MADE, fitted, table

warnings.simplefilter("ignore")

def hashed(model):
    model.save("one.likely")
    with open("one.likely", "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()

found = {{name: hashed(fitted(name)) for name in MADE}}
rng = np.random.default_rng(3)
X = np.column_stack([rng.normal(0, 1, 3000), rng.gamma(2, 1, 3000), rng.normal(1e6, 1e-3, 3000)])
y = (X[:, 0] + rng.normal(0, 1, 3000) > 0).astype(int) + (X[:, 1] > 3)
weights = rng.uniform(0.1, 2.0, 3000)
words = rng.poisson(0.3, (3000, 40)) * rng.random((3000, 40))
for name in [*models(numeric=False), *models(numeric=True)]:
    few = {{"n_estimators": 3}} if name in ("adaboost", "bagging") else {{}}
    seed = {{"random_state": 0}} if name == "bagging" else {{}}
    model = make(name, {{**few, **seed}})
    target = X[:, 0] * 2 + y if is_regressor(model) else y
    for kind, given in {given}:
        try:
            found[f"{{kind}} matrix {{name}}"] = hashed(clone(model).fit(X, target, **given))
        except likely.LikelyError as error:
            found[f"{{kind}} matrix {{name}}"] = error.code
C = rng.integers(0, 4, (6000, 8)).astype(np.uint8)
fraction, classes = rng.uniform(0.1, 2.0, 6000), (C[:, 0] + rng.integers(0, 2, 6000)) % 3
for select in (False, True):
    found[f"losses, {{select}}"] = hashed(likely.AODE(weights="loss", select=select).fit(C, classes, fraction))
found["words"] = hashed(likely.NaiveBayes(kinds="text").fit(words, y))
frame, label, _ = table(600)
net = likely.learn_network(frame.assign(fate=label), missing="em")
net.write("net.bif")
plots.save(net.plot(), "net.svg")
for name in ("net.bif", "net.svg"):
    with open(name, "rb") as file:
        found[name] = hashlib.sha256(file.read()).hexdigest()
print(json.dumps(found))
"""


WEIGHED, PLAIN = '("weighed", {"sample_weight": weights})', '("plain", {})'


def hashes(folder: Path, threads: int, seed: str, *given: str) -> dict[str, str]:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    program = PROGRAM.format(threads=threads, given=f"[{', '.join(given)}]")
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, env=environment, capture_output=True, text=True)
    assert not done.returncode, done.stderr
    return json.loads(done.stdout)


def test_every_model_is_the_same_bytes_in_any_number_of_threads(tmp_path: Path) -> None:
    one, five = hashes(tmp_path, 1, "0", WEIGHED), hashes(tmp_path, 5, "1", WEIGHED)
    assert [name for name in one if one[name] != five[name]] == []


@pytest.mark.slow
@pytest.mark.parametrize("threads", [2, 3, 16])
def test_more_threads_and_other_hashes(threads: int, tmp_path: Path) -> None:
    one, other = (hashes(tmp_path, *how, WEIGHED, PLAIN) for how in ((1, "2"), (threads, "3")))
    assert [name for name in one if one[name] != other[name]] == []


def test_a_file_notes_no_time(tmp_path: Path) -> None:
    likely.NaiveBayes().fit(*table()[:2]).save(tmp_path / "one.likely")
    with zipfile.ZipFile(tmp_path / "one.likely") as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
