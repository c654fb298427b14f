"""Slow modules that a verb does not need are not imported by it, and work when they are needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

RUN = """
import atexit, sys
from likely.cli import main
slow = {"pandas", "scipy.stats._stats_py", "scipy.optimize", "numpy.f2py.crackfortran"}
atexit.register(lambda: print("MODULES", *sorted(slow & {*sys.modules})))
sys.argv[1:] = %r
main()
"""
VERBS = """
import sys
from likely.cli.main import run
from likely.cli.startup import warmup
from likely.cli.startup.imports import defer
defer()  # as `likely` does
warmup.HELPERS = 0
slow = {"pandas", "scipy.stats._stats_py", "scipy.optimize", "numpy.f2py.crackfortran"}
for words in %r:
    assert run(words) == 0, words
print("MODULES", *sorted(slow & {*sys.modules}))
"""


def run(code: str, folder: Path) -> str:
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_verbs_do_without_slow_modules(tmp_path: Path) -> None:
    rows = [f"{number},{'no' if number < 7 else 'yes'}" for number in range(16)]
    (tmp_path / "table.csv").write_text("\n".join(["size,big", *rows]))
    verbs = [
        ["inspect", "table.csv"],
        ["fit", "table.csv", "--target", "big", "-o", "m.likely"],
        ["predict", "m.likely", "table.csv", "-o", "out.csv"],
    ]
    assert run(VERBS % verbs, tmp_path).splitlines()[-1] == "MODULES"


def test_a_deferred_module_is_the_module_once_it_is_asked(tmp_path: Path) -> None:
    code = """
from likely.cli.startup.imports import defer
defer()
import sys, scipy.stats
import sklearn.base
assert "scipy.stats._stats_py" not in sys.modules
from scipy.stats import norm, qmc
assert scipy.stats.norm is norm and sys.modules["scipy.stats"].norm is norm and norm.cdf(0) == 0.5
import scipy.stats.mstats, scipy.special, numpy.f2py
assert "numpy.f2py.crackfortran" not in sys.modules
assert callable(numpy.f2py.get_include)
assert numpy.f2py is sys.modules["numpy.f2py"] and "numpy.f2py.crackfortran" in sys.modules
from scipy.stats import *
import pyarrow, numpy
assert pyarrow.array([1.5, None]).to_numpy(zero_copy_only=False)[0] == 1.5
"""
    run(code, tmp_path)


def test_a_deferred_module_is_found_before_and_after_it_is_imported(tmp_path: Path) -> None:
    code = """
from likely.cli.startup.imports import defer
defer()
import sys
from importlib.util import find_spec
names = ("scipy.stats", "numpy.f2py")
before = [find_spec(name) for name in names]
assert not {*names} & {*sys.modules}
import scipy.stats, numpy.f2py
for name, spec in zip(names, before):
    again = find_spec(name)
    assert again is sys.modules[name].__spec__ and again.origin == spec.origin and again.origin.endswith("__init__.py")
    assert again.submodule_search_locations == spec.submodule_search_locations != None
assert not {"scipy.stats._stats_py", "numpy.f2py.crackfortran"} & {*sys.modules}
assert find_spec("scipy.stats.mstats") is not None
assert scipy.stats.norm.cdf(0) == 0.5 and scipy.stats.__spec__.origin == before[0].origin
"""
    run(code, tmp_path)


def test_nothing_is_deferred_for_those_who_import_likely(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    code = """
import likely, sys
from likely.cli.main import run
run(["--version"])
import pandas, scipy.stats
assert "scipy.stats._stats_py" in sys.modules
"""
    run(code, tmp_path)


def test_missing_values_that_are_drawn_are_missing_in_files(tmp_path: Path) -> None:
    lines = [f"{number if number % 3 else ''},{'no' if number % 2 else 'yes'}" for number in range(40)]
    (tmp_path / "table.csv").write_text("\n".join(["size,big", *lines]))
    fit = ["fit", "table.csv", "--target", "big", "-o", "m.likely", "--missing", "informative"]
    run(VERBS % [fit, ["sample", "m.likely", "-n", "60", "-o", "drawn.csv"]], tmp_path)
    assert "nan" not in (tmp_path / "drawn.csv").read_text()


def test_nanoseconds_as_a_category_are_refused_in_words(tmp_path: Path) -> None:
    times = np.array([1_000_000_001, 2_000_000_003] * 12).astype("datetime64[ns]")
    table = pa.table({"when": times, "x": np.arange(24) * 1.5, "y": ["a", "b"] * 12})
    pyarrow.parquet.write_table(table, tmp_path / "times.parquet")
    code = RUN % ["fit", "times.parquet", "--target", "y", "--kind", "when=category"]
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert "[D114]" in done.stderr
