"""Credible intervals of class probabilities: 400 draws of the parameters; 20 columns of levels, 10 numbers, or both.

No peer has them; `--before OLD/src` takes the same cases with another source tree, in a process of its own, in turns.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from time import perf_counter, process_time

ROUNDS, LONG = 3, 2.0  # how often a case is taken, unless it takes more than so many seconds
MODELS = {
    "NaiveBayes, levels": ("NaiveBayes()", "level"),
    "NaiveBayes, numbers": ("NaiveBayes()", "number"),
    "NaiveBayes": ("NaiveBayes()", ""),
    "GaussianBayes": ("GaussianBayes()", "number"),
    "TAN": ("TAN()", ""),
    "KDB": ("KDB()", ""),
    "SPODE": ("SPODE(parent='level3')", ""),
    "AODE": ("AODE()", ""),
    "ParzenBayes": ("ParzenBayes()", "number0 number1"),
    "BayesForest": ("BayesForest()", ""),
}
SIZES = (10, 1000, 10_000)


def take(name: str, sizes: list[int]) -> dict[int, list[float]]:
    """The least wall and CPU seconds of intervals of so many rows."""
    import warnings

    from cliffs_missing import table

    import likely

    tree = os.environ.get("PYTHONPATH", "").split(os.pathsep)[0]
    assert likely.__file__.startswith(tree), f"{likely.__file__} is not of {tree}"
    warnings.simplefilter("ignore")
    made, columns = MODELS[name]
    X, y = table(2000, 0.05, 0)
    asked, _ = table(max(sizes), 0.05, 1)
    kept = [column for column in X if any(column.startswith(word) for word in columns.split() or [""])]
    kept = [column for column in kept if columns.count(" ") == 0 or column in columns.split()]
    model = eval(f"likely.{made}").fit(X[kept], y)
    model.interval(asked[kept].head(2))
    found = {}
    for size in sizes:
        some, best = asked[kept].head(size), [float("inf")] * 2
        for _ in range(ROUNDS):
            wall, cpu = perf_counter(), process_time()
            model.interval(some)
            now = [perf_counter() - wall, process_time() - cpu]
            best = [min(pair) for pair in zip(best, now, strict=True)]
            if now[0] > LONG:
                break
        found[size] = best
    return found


def taken(name: str, sizes: list[int], source: Path) -> dict[str, list[float]]:
    """The same with a source tree; nothing of models that it does not have."""
    cache = os.environ.get("NUMBA_CACHE_DIR", "/tmp") + f"/compiled{str(source.resolve()).replace('/', '-')}"
    environment = {**os.environ, "PYTHONPATH": str(source.resolve()), "NUMBA_CACHE_DIR": cache}
    run = [sys.executable, __file__, "--take", name, "--sizes", *map(str, sizes)]
    done = subprocess.run(run, env=environment, stdout=subprocess.PIPE, text=True)
    return dict(json.loads(done.stdout.splitlines()[-1])) if done.returncode == 0 else {}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", help="beginnings of names; none: all")
    parser.add_argument("--before", type=Path, help="the folder src of an earlier tree")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--quick", action="store_true", help="small sizes: a smoke test, its times mean nothing")
    parser.add_argument("--take", help=argparse.SUPPRESS)
    said = parser.parse_args()
    if said.take:
        print(json.dumps(take(said.take, said.sizes)))
        return
    sizes = [1, 10] if said.quick else said.sizes
    print(f"{'intervals':<36}{'before s':>10}{'CPU':>9}{'now s':>10}{'CPU':>9}{'wall':>7}{'CPU':>7}")
    for name in MODELS:
        if said.models and not name.startswith(tuple(said.models)):
            continue
        now = taken(name, sizes, Path(__file__).parents[2] / "src")
        before = taken(name, sizes, said.before) if said.before else {}
        for size, (wall, cpu) in now.items():
            line = f"{name + f', {int(size):,} rows':<36}"
            if size in before:
                then = before[size]
                line += f"{then[0]:>10.4f}{then[1]:>9.4f}{wall:>10.4f}{cpu:>9.4f}"
                line += f"{then[0] / wall:>7.1f}{then[1] / cpu:>7.1f}"
            else:
                line += f"{'':>19}{wall:>10.4f}{cpu:>9.4f}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
