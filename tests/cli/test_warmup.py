"""Compilation ahead of use: other processes fill the folder of compiled code, and nothing depends on them."""

import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from likely.cli import warmup

PREFACE = """
import sys
from contextlib import suppress
from likely.cli import warmup
from likely.kernels.cache import KERNELS
warmup.tasks = lambda: ["digits"]
"""
FILL = PREFACE + "print(warmup.compile_all(2), warmup.pending(['digits']))"
USE = PREFACE + "warmup._digits(); print(sum(sum(one.stats.cache_misses.values()) for one in KERNELS))"
AHEAD = (
    PREFACE
    + """
with warmup.ahead(["digits"], processes=1):
    with warmup.ahead(["digits"], processes=1):  # one set of helpers is enough
        print(len(warmup.pending(["digits"])))
print(warmup.pending(["digits"]))
with suppress(ZeroDivisionError), warmup.ahead(["nothing of that name"], processes=1):
    1 / 0
print(len(warmup.pending(["nothing of that name"])))
"""
)


def start(code: str, cache: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    return subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True)


def said(process: subprocess.Popen[str]) -> list[str]:
    out, _ = process.communicate()
    assert process.returncode == 0
    return out.split("\n")[:-1]


def test_two_warm_ups_at_once_leave_nothing_to_compile(tmp_path: Path) -> None:
    for process in [start(FILL, tmp_path) for _ in range(2)]:
        (told,) = said(process)
        assert told in ("1 []", "0 []")  # the other may have been through before this one looked
    assert said(start(USE, tmp_path)) == ["0"]
    assert not list(tmp_path.rglob(".part-*"))


def test_what_is_done_is_not_done_again_and_what_failed_is_not_done(tmp_path: Path) -> None:
    assert said(start(AHEAD, tmp_path)) == ["1", "[]", "1"]


def test_what_is_compiled_ahead_is_what_is_used_and_no_loop_is_compiled_twice(tmp_path: Path) -> None:
    use = """
for work in (warmup._leave, warmup._score, warmup._naive):
    work()
used = {one.__name__: len(one.signatures) for one in KERNELS if one.signatures}
print([name for name, kinds in used.items() if kinds > 1], {"leave", "add_student"} <= set(used))
"""
    assert said(start(PREFACE + use, tmp_path)) == ["[] True"]


@pytest.mark.parametrize("name", ["fit", "naive-parzen", "aode", "linear", "network query"])
def test_work_done_ahead_is_work_that_can_be_done(name: str) -> None:
    """A failure there is told to nobody: the loops would be compiled when they are met, and nobody would know why."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warmup._WORK.get(name, lambda: warmup._judge(name))()
