"""Compilation ahead of use: other processes fill the folder of compiled code, and nothing depends on them."""

import json
import os
import subprocess
import sys
import warnings
from importlib import import_module
from pathlib import Path
from queue import SimpleQueue

import pytest

from likely.cli.startup import warmup
from likely.cli.startup.loops import ARGUMENTS, LOOPS, loops_of

PREFACE = """
import sys
from contextlib import suppress
from likely.cli.startup import warmup
from likely.kernels.compiler import IMPORTED_KERNELS as KERNELS
warmup.tasks = lambda: ["digits"]
"""
INNER = ("scoring.log_loss._odds", "scoring.log_loss._add_slopes", "scoring.log_loss._add_bends")
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


@pytest.mark.slow
def test_two_warm_ups_at_once_leave_nothing_to_compile(tmp_path: Path) -> None:
    for process in [start(FILL, tmp_path) for _ in range(2)]:
        (told,) = said(process)
        assert told in ("1 []", "0 []")  # the other may have been through before this one looked
    assert said(start(USE, tmp_path)) == ["0"]
    assert not list(tmp_path.rglob(".part-*"))


def test_what_is_done_is_not_done_again_and_what_failed_is_not_done(tmp_path: Path) -> None:
    assert said(start(AHEAD, tmp_path)) == ["1", "[]", "1"]


@pytest.mark.parametrize(
    ("names", "loops"),
    [
        (["densities.student.add_student"], ["add_student"]),
        pytest.param(
            ["densities.leave_one_out.leave", "densities.student.add_student", "fit", *INNER, "logistic"],
            ["leave", "add_student", "_add_odds"],
            marks=pytest.mark.slow,
        ),
    ],
    ids=["few", "many"],
)
def test_what_is_compiled_ahead_is_what_is_used_and_no_loop_is_compiled_twice(
    names: list[str], loops: list[str], tmp_path: Path
) -> None:
    use = f"""
for name in {names}:
    warmup.do(name)
used = {{one.__name__: len(one.signatures) for one in KERNELS if one.signatures}}
print([name for name, kinds in used.items() if kinds > 1], {{*{loops}}} <= set(used))
"""
    assert said(start(PREFACE + use, tmp_path)) == ["[] True"]


VERBS = {  # a verb, and a model, as their loops are known by; how it is used
    "fit": "fit patients.csv --target diagnosis -o pool.likely",
    "fit naive": "fit patients.csv --target diagnosis -m naive -o patients.likely",
    **{
        f"fit {model}": f"fit patients.csv --target diagnosis -m {model}"
        for model in (
            *("aode", "tan", "kdb", "gaussian", "qda", "lda", "discriminant", "parzen", "network"),
            *("tree", "c4.5", "logistic", "forest"),
        )
    },
    "fit adaboost": "fit patients.csv --target diagnosis -m adaboost --set n_estimators=3",
    "fit bagging": "fit patients.csv --target diagnosis -m bagging --set n_estimators=3",
    "compare": "compare patients.csv --target diagnosis --model naive --folds 2",
    "surface": "surface patients.csv --target diagnosis -f radius_mm,texture -o surface.png",
    "predict": "predict patients.likely later.csv",
    "evaluate": "evaluate patients.likely later.csv --no-picture",
    "explain": "explain patients.likely later.csv --no-picture",
    "decide": "decide patients.likely later.csv --reject 0.3",
    "digits": "digits -o .",
    "doctor": "doctor",
    "network.query": "network query asia.bif lung -e xray=yes",
    "network.learn": "network learn asia.csv -o learnt.bif",
}
CALLED = """
import json, os, sys
from contextlib import redirect_stdout
from pathlib import Path
from likely.cli.demo import _prepare
from likely.cli.startup.loops import arguments_of, kernel_of, loops_of
from likely.cli.main import run
from likely.networks import asia
from likely.kernels import compiler
compiler.MOST_ENTRIES_INTERPRETED = 0  # as on tables that are not small
_prepare(Path("."), 0)
asia().write("asia.bif")
for verb, line in json.loads(sys.argv[1]).items():
    with redirect_stdout(open(os.devnull, "w")):
        if verb == "network.learn":
            assert not run("network sample asia.bif 500 -o asia.csv".split())
        assert not run(line.split()), line
    verb, _, model = verb.partition(" ")
    loops = loops_of(verb, {"model": model})
    # called by other loops alone, which hold them
    inner = {"scoring.log_loss._odds", "scoring.log_loss._add_slopes", "scoring.log_loss._add_bends"}
    odd = [loop for loop in loops if arguments_of(loop) not in kernel_of(loop).signatures and loop not in inner]
    assert loops and not odd, (verb, odd)
"""


def test_loops_compiled_ahead_are_those_that_the_verbs_call(tmp_path: Path) -> None:
    """Those of other arguments, of a table that may be written to, say, would be compiled for nobody."""
    use = [sys.executable, "-c", CALLED, json.dumps(VERBS)]
    done = subprocess.run(use, cwd=tmp_path, capture_output=True, text=True)
    assert not done.returncode, done.stderr


def test_a_verb_that_takes_no_rows_compiles_nothing() -> None:
    given = {"model": "patients.likely", "data": "later.csv"}
    assert loops_of("explain", given) == LOOPS["explain"]
    assert loops_of("explain", {**given, "data": None}) == loops_of("merge", {}) == ()


@pytest.mark.parametrize("verb", [verb for verb in LOOPS if " " not in verb and verb != "digits"])  # of several verbs
def test_a_verb_is_known_by_its_file(verb: str) -> None:
    assert import_module(f"likely.cli.{verb}").run.__module__ == f"likely.cli.{verb}"


def test_every_verb_with_loops_is_tried_and_every_loop_has_arguments() -> None:
    assert {verb for verb, loops in LOOPS.items() if loops} <= {*VERBS}
    assert {loop for loops in LOOPS.values() for loop in loops} == set(ARGUMENTS)


@pytest.mark.parametrize("name", [*ARGUMENTS, "fit", "large file", "naive-parzen", "aode", "linear", "network query"])
def test_work_done_ahead_is_work_that_can_be_done(name: str) -> None:
    """A failure there is told to nobody: the loops would be compiled when they are met, and nobody would know why."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warmup.do(name)


def test_a_helper_that_cannot_start_is_no_matter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As where no more processes may be had: the work within goes on, and those that could start end with it."""
    real, begun = subprocess.Popen, []

    def some(*given: object, **options: object) -> object:
        if begun:
            raise BlockingIOError("no more processes")
        begun.append(real(*given, **options))
        return begun[-1]

    monkeypatch.setattr(warmup, "pending", list)
    monkeypatch.setattr(warmup, "_mark", lambda name: None)
    monkeypatch.setattr(subprocess, "Popen", some)
    with warmup.ahead(["digits"], processes=2):
        done = True
    assert done
    assert begun[0].poll() is not None
    assert not warmup._started


def test_work_within_work_is_handed_to_those_that_compile_already(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Helper] = []

    def start(*given: object, **options: object) -> Helper:
        begun.append(Helper())
        return begun[-1]

    monkeypatch.setattr(warmup, "pending", list)
    monkeypatch.setattr(warmup, "_mark", lambda name: None)
    monkeypatch.setattr(subprocess, "Popen", start)
    with warmup.ahead(["first", "last"], processes=1):
        assert [begun[0].names.get() for _ in range(2)] == ["last\n", "first\n"]
        with warmup.ahead(["inner"], processes=1):
            assert begun[0].names.get() == "inner\n"
    assert len(begun) == 1
    assert not warmup._left


class Helper:
    """A process that does all it is told to at once, and keeps the names."""

    pid = -1

    def __init__(self) -> None:
        self.names: SimpleQueue[str] = SimpleQueue()
        self.stdin = self.stdout = self

    def write(self, name: str) -> None:
        self.names.put(name)

    def readline(self) -> str:
        return "done\n"

    def flush(self) -> None: ...

    def close(self) -> None: ...

    def kill(self) -> None: ...

    def wait(self) -> None: ...
