"""Loops that run uncompiled where there is little to do say, to the last bit, what they say compiled."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from likely.kernels import compiler

TOLD = """
import hashlib, json, sys, warnings
import numpy as np, pyarrow as pa, likely
from likely.kernels import compiler
from likely.kernels.compiler import IMPORTED_KERNELS

compiler.MOST_ENTRIES_INTERPRETED, compiler.SECONDS_INTERPRETED = int(sys.argv[1]), np.inf
compiler._is_kept = lambda *given: False
warnings.simplefilter("error")
draw = np.random.default_rng(0)
y = draw.integers(0, 3, 150)
words = (y[:, None] + draw.integers(0, 4, (150, 3))) % 4
table = {f"w{at}": [None if draw.random() < .1 else f"l{one}" for one in words[:, at]] for at in range(3)}
numbers = np.where(draw.random((150, 3)) < .1, np.nan, np.round(draw.normal(size=(150, 3)) + y[:, None], 1))
table |= {f"n{at}": numbers[:, at].tolist() for at in range(3)}
table["yes"] = draw.integers(0, 2, 150).tolist()
weights = draw.integers(1, 4, 150) / 2
said = {}
for name, model in {
    "naive": likely.NaiveBayes(), "tan": likely.TAN(), "aode": likely.AODE(),
    "network": likely.NetworkClassifier(), "tree": likely.DecisionTree(min_samples_leaf=2),
    "entropy": likely.DecisionTree(criterion="entropy"), "c4.5": likely.DecisionTree(criterion="c4.5"),
    "boosted": likely.AdaBoost(n_estimators=3), "regression": likely.RegressionTree(),
}.items():
    rows, target, mass = pa.table(table), y, weights
    if name == "regression":
        known = ~np.isnan(numbers[:, 0])
        rows, target, mass = rows.drop_columns(["n0"]).filter(known), numbers[known, 0], weights[known]
    for weighed in (None, mass):
        model.fit(rows, target, sample_weight=weighed)
        found = model.predict(rows) if name == "regression" else model.predict_proba(rows)
        said[f"{name}, {'plain' if weighed is None else 'weighed'}"] = hashlib.sha256(found.tobytes()).hexdigest()
json.dump([said, sum(bool(one.signatures) for one in IMPORTED_KERNELS)], sys.stdout)
"""


def told(entries: int) -> tuple[dict[str, str], int]:
    run = [sys.executable, "-c", TOLD, str(entries)]
    return json.loads(subprocess.run(run, env=os.environ, capture_output=True, text=True, check=True).stdout)


def test_models_of_small_tables_are_the_same_to_the_last_bit_compiled_or_not():
    interpreted, fewer = told(10**9)
    compiled, more = told(0)
    assert interpreted == compiled
    assert fewer < more - 10


@pytest.fixture
def total():
    @compiler.interpreted_while_small
    @compiler.njit(cache=False)
    def total(values, out):
        for i in range(len(values)):
            out[0] += values[i]

    return total


def test_a_loop_is_compiled_once_there_is_much_to_do(total):
    out, kernel = np.zeros(1), compiler.IMPORTED_KERNELS[-1]
    total(np.ones(5), out)
    assert not kernel.signatures
    total(np.ones(compiler.MOST_ENTRIES_INTERPRETED + 1), out)
    assert len(kernel.signatures) == 1
    assert out[0] == compiler.MOST_ENTRIES_INTERPRETED + 6


def test_a_loop_is_compiled_once_it_has_taken_what_compiling_takes(total, monkeypatch):
    monkeypatch.setattr(compiler, "SECONDS_INTERPRETED", 0.0)
    out, kernel = np.zeros(1), compiler.IMPORTED_KERNELS[-1]
    for _ in range(2):
        total(np.ones(5), out)
    assert len(kernel.signatures) == 1
    assert out[0] == 10


def test_a_loop_that_was_compiled_before_is_not_run_uncompiled(total, tmp_path):
    kernel = compiler.IMPORTED_KERNELS[-1]
    out, function = np.zeros(1), kernel.py_func
    kernel._cache = compiler.CompiledForms(tmp_path, function, "sources")
    kernel(np.ones(5), out)
    again = compiler.njit(cache=False)(function)
    again._cache = compiler.CompiledForms(tmp_path, function, "sources")
    run = compiler.interpreted_while_small(again)
    run(np.ones(5), out)
    assert len(again.signatures) == 1
    other = compiler.njit(cache=False)(function)
    other._cache = compiler.CompiledForms(tmp_path, function, "sources")
    compiler.interpreted_while_small(other)(np.ones(5, dtype=np.float32), out)  # of another kind, which was not
    assert not other.signatures
    assert out[0] == 15
