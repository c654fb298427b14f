"""Seconds of the first use of each verb and model, nothing compiled yet, and of the second; `--kernels`: each function.

Cold is a fresh process with an empty folder of compiled code, warm the next process. CPU seconds stand beside wall
seconds, as machines are noisy; they count the processes that help.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from time import perf_counter

LIMIT, TOUR = 4.0, 35.0  # wall seconds that a first answer and the tour may take on two quiet cores
TABLE = """
import likely
import numpy as np, pandas as pd
rng = np.random.default_rng(0)
X = pd.DataFrame({"age": rng.normal(40, 9, 500), "port": rng.choice(["a", "b", None], 500)})
X["size"], X["member"] = rng.normal(size=500), rng.integers(0, 2, 500)
y = rng.choice(["no", "yes"], 500)
N = X[["age", "size"]].to_numpy()
"""
VERBS = {  # in a folder with the files of the tour
    "inspect": "inspect patients.csv --target diagnosis",
    "fit": "fit patients.csv --target diagnosis -o new.likely",
    **{
        f"fit {model}": f"fit patients.csv --target diagnosis --model {model} -o new.likely"
        for model in ("aode", "tan", "kdb", "forest", "gaussian", "parzen", "network", "logistic", "tree")
    },
    "evaluate": "evaluate patients.likely later.csv --positive malignant -o evaluation.png",
    "predict": "predict patients.likely later.csv -o scored.csv --proba",
    "explain": "explain patients.likely later.csv --row 3 -o why.png",
    "nomogram": "explain patients.likely --nomogram -o nomogram.png",
    "decide": "decide patients.likely later.csv --loss loss.csv --reject 0.3 -o decisions.csv",
    "merge": "merge north.likely south.likely -o both.likely",
    "forget": "forget both.likely gone.csv -o rest.likely",
    "compare": "compare patients.csv --target diagnosis --folds 5 -o comparison.png",
    "surface": "surface patients.csv --target diagnosis -f radius_mm,texture -o surface.png",
    "digits": "digits -o .",
    "network query": "network query asia.bif lung -e xray=yes,dysp=yes",
    "network show": "network show asia.bif",
    "network sample": "network sample asia.bif 1000 -o asia.csv",
    "network learn": "network learn asia.csv -o learnt.bif",
    "doctor": "doctor",
    "demo": "demo -o tour",
}
CALLS = {
    "NaiveBayes": "likely.NaiveBayes().fit(X, y).predict_proba(X)",
    **{
        f"{name}, leave one out": f"likely.{name}.fit(X, y).leave_one_out(X, y)"
        for name in ("NaiveBayes()", "SPODE()", "TAN()", "KDB(k=2)", "AODE()", "AnDE(order=2)")
    },
    **{
        f"{name}, leave one out": f"likely.{name}.fit(N, y).leave_one_out(N, y)"
        for name in ('GaussianBayes("full")', 'GaussianBayes("shared")', "ParzenBayes()")
    },
    "LinearDiscriminant": "likely.LinearDiscriminant().fit(N, y).predict_proba(N)",
    "DecisionTree": "likely.DecisionTree().fit(X, y).predict_proba(X)",
    "AdaBoost": "likely.AdaBoost(n_estimators=5).fit(X, y).predict_proba(X)",
    "Bagging": "likely.Bagging(n_estimators=5, random_state=0).fit(X, y).predict_proba(X)",
    "LogisticRegression": "likely.LogisticRegression().fit(X, y).predict_proba(X)",
    "LinearRegression": "likely.LinearRegression().fit(X, N[:, 0]).predict(X)",
    "most_probable": 'likely.networks.asia().most_probable({"xray": "yes"})',
    "query_many": 'likely.networks.asia().query_many([{"xray": "yes"}, {"smoke": "no"}], ["lung", "tub"])',
    "sensitivity": 'likely.networks.asia().sensitivity("lung", {"xray": "yes"})',
}
RECORDER = """
import atexit, json, os, time
from numba.core import event
class Recorder(event.Listener):
    def __init__(self): self.open, self.seen = [], []
    def on_start(self, e): self.open.append([time.process_time(), 0.0])
    def on_end(self, e):
        start, inner = self.open.pop()
        took = time.process_time() - start
        if self.open: self.open[-1][1] += took
        function = e.data["dispatcher"].py_func
        self.seen.append((function.__module__ + "." + function.__name__, str(e.data["args"]), took - inner))
recorder = Recorder()
event.register("numba:compile", recorder)
atexit.register(lambda: open(os.environ["LIKELY_FIRST_USE"], "w").write(json.dumps(recorder.seen)))
"""


def program(name: str) -> str:
    """The Python code of a use."""
    if name in VERBS:
        return f"import sys; from likely.cli import main; sys.argv[1:] = {VERBS[name].split()!r}; main()"
    return TABLE + CALLS[name]


def measure(
    code: str, folder: Path, cache: Path, recorded: bool = False
) -> tuple[float, float, list[tuple[str, str, float]]]:
    """Wall and CPU seconds of a fresh process, and what it compiled itself: function, arguments, CPU seconds.

    Recording imports the compiler at once, which a verb does while another process compiles already.
    """
    told = folder / ".compiled.json"
    told.unlink(missing_ok=True)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "LIKELY_FIRST_USE": str(told), "MPLBACKEND": "agg"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installation keeps what Python compiles
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    run = [sys.executable, "-c", RECORDER + code if recorded else code]
    done = subprocess.run(run, cwd=folder, env=environment, capture_output=True, text=True)
    wall, after = perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{code}\n{done.stdout}\n{done.stderr}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu, json.loads(told.read_text()) if recorded else []


def prepare(folder: Path) -> None:
    """The files that the verbs take, made by likely itself."""
    code = "from pathlib import Path; from likely.cli.demo import _prepare; _prepare(Path('.'), 0)\n"
    code += "import likely; from likely.cli.main import run\n"
    code += "likely.networks.asia().write('asia.bif')\n"
    names = ("fit", "merge", "network sample")
    code += "".join(f"assert not run({VERBS[name].replace('new.', 'patients.').split()!r})\n" for name in names)
    measure(code, folder, folder / "cache")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("uses", nargs="*", help="names of the table, or the beginnings of names; none: all")
    parser.add_argument("--kernels", action="store_true", help="also each compiled function: seconds, specialisations")
    parser.add_argument("--quick", action="store_true", help="two uses: a smoke test")
    given = parser.parse_args()
    names = ["merge", "NaiveBayes"] if given.quick else [*VERBS, *CALLS]
    if given.uses:
        names = [name for name in names if name.startswith(tuple(given.uses))]
    head = f"{'first use':32} {'cold s':>7} {'cpu':>6} {'warm s':>7} {'cpu':>6} {'functions':>9}"
    totals: dict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        prepare(folder)
        print(head)
        for name in names:
            cache = Path(tempfile.mkdtemp(dir=folder))
            cold, cold_cpu, compiled = measure(program(name), folder, cache, recorded=given.kernels)
            kept = sum(1 for _ in cache.rglob("*.nbc"))
            warm, warm_cpu, _ = measure(program(name), folder, cache)
            again = measure(program(name), folder, cache, recorded=True)[2]
            limit = TOUR if name == "demo" else LIMIT
            verdict = "" if cold <= limit else f"  more than {limit:g} s"
            if again:
                verdict += f"  compiled again: {', '.join(one for one, _, _ in again)}"
            print(
                f"{name:32} {cold:7.2f} {cold_cpu:6.2f} {warm:7.2f} {warm_cpu:6.2f} {kept:9}{verdict}",
                flush=True,
            )
            for function, _, took in compiled:
                totals[function].append(took)
            if given.kernels:
                show(compiled)
    if given.kernels and len(names) > 1:
        print("\nall uses: seconds, how often met, function")
        for function, times in sorted(totals.items(), key=lambda one: -sum(one[1]))[:80]:
            print(f"{sum(times):7.2f} {len(times):4}  {function}")


def show(compiled: list[tuple[str, str, float]]) -> None:
    """Each function: its own CPU seconds of compilation, and for how many kinds of arguments."""
    by_name: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for function, arguments, took in compiled:
        by_name[function].append((took, arguments))
    for function, times in sorted(by_name.items(), key=lambda one: -sum(took for took, _ in one[1])):
        print(f"    {sum(took for took, _ in times):6.2f} {len(times):3}  {function}")
        if len(times) > 1:
            for took, arguments in times:
                print(f"           {took:6.2f}  {arguments}")


if __name__ == "__main__":
    main()
