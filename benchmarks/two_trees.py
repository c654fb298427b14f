"""The same work by two source trees: `two_trees.py OLD/src [NEW/src]`, their processes in turns, the least seconds.

Ratios above 1 are slower in the new tree. A row is told to be slower only where wall and CPU seconds agree, as machines
are noisy. A tree of an earlier commit: `git worktree add /tmp/old COMMIT`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT = 1.05  # a row above it is told
SETUP = """
import json, sys, warnings
from time import perf_counter, process_time
import numpy as np, pandas as pd
warnings.simplefilter("ignore")
sys.path.insert(0, sys.argv[1])  # before an installed one, whatever the environment
import likely
assert likely.__file__.startswith(sys.argv[1])
rows, folder = int(sys.argv[2]), sys.argv[3]
rng = np.random.default_rng(0)
y = rng.integers(0, 3, rows)
C = np.array([(y + rng.integers(0, 8, rows)) % 8 for _ in range(12)]).T
N = rng.normal(size=(rows, 8)) + y[:, None] * .4
P = np.where(rng.random((rows, 12)) < .1, None, C.astype(str).astype(object))
few = slice(0, rows // 20)
words = pd.DataFrame(C.astype(str), columns=[f"c{i}" for i in range(12)])
M = pd.DataFrame(N, columns=[f"n{i}" for i in range(8)]).join(words)
csv = f"{folder}/table.csv"
M.assign(y=y).to_csv(csv, index=False)
net = likely.networks.asia()
frame = net.sample(rows // 2, seed=0)
F = pd.DataFrame(frame)
"""
MODELS = {
    "NaiveBayes": ("likely.NaiveBayes()", "M"),
    "NaiveBayes, levels": ("likely.NaiveBayes(kinds='category')", "C"),
    "NaiveBayes, missing": ("likely.NaiveBayes()", "P"),
    "NaiveBayes, parzen": ("likely.NaiveBayes(kinds='parzen')", "N"),
    "SPODE": ("likely.SPODE(parent='c0')", "M"),
    "TAN": ("likely.TAN()", "M"),
    "TAN, missing": ("likely.TAN()", "P[few]"),
    "KDB": ("likely.KDB(k=2)", "M"),
    "AODE": ("likely.AODE()", "M"),
    "AODE, levels": ("likely.AODE(kinds='category')", "C"),
    "GaussianBayes, full": ("likely.GaussianBayes('full')", "N"),
    "GaussianBayes, shared": ("likely.GaussianBayes('shared')", "N"),
    "ParzenBayes": ("likely.ParzenBayes()", "N[:, :2]"),
}
COMPANIONS = {
    "LogisticRegression": ("likely.LogisticRegression()", "N"),
    "DecisionTree": ("likely.DecisionTree(max_depth=8)", "M"),
    "AdaBoost": ("likely.AdaBoost(n_estimators=10)", "N"),
}
OTHERS = {
    "LinearRegression fit": "likely.LinearRegression().fit(N, N[:, 0])",
    "fit from CSV": "likely.fit(csv, target='y')",
    "TAN fit from CSV": "likely.fit(csv, target='y', model=likely.TAN())",
    "KDB fit from CSV": "likely.fit(csv, target='y', model=likely.KDB(k=2))",
    "network: tables": "likely.Network.of(net.graph).fit(F)",
    "network: structure": "likely.learn_network(F, seed=0)",
    "network: 200 queries": "[net.query('lung', {'xray': 'yes', 'dysp': v}) for v in ('yes', 'no') * 100]",
    "network: query_many": "net.query_many(F[['xray', 'dysp']], ['lung', 'tub'])",
    "network: most probable, 50": "[net.most_probable({'xray': 'yes'}) for _ in range(50)]",
    "network: sample": "net.sample(rows, seed=1)",
}
RUN = """
def least(work):
    work()
    best = [np.inf, np.inf]
    for _ in range(5):
        wall, cpu = perf_counter(), process_time()
        work()
        best = [min(best[0], perf_counter() - wall), min(best[1], process_time() - cpu)]
    return best
times = {}
for name, (model, table) in json.loads(sys.argv[4]).items():
    X = eval(table)
    labels = y[:len(X)]
    fitted = eval(model).fit(X, labels)
    times[f"{name}: fit"] = least(lambda: eval(model).fit(X, labels))
    times[f"{name}: predict_proba"] = least(lambda: fitted.predict_proba(X))
    if name in json.loads(sys.argv[5]):
        times[f"{name}: leave one out"] = least(lambda: fitted.leave_one_out(X, labels))
    small = X.iloc[:5] if hasattr(X, "iloc") else X[:5]
    times[f"{name}: 100 small predictions"] = least(lambda: [fitted.predict_proba(small) for _ in range(100)])
for name, code in json.loads(sys.argv[6]).items():
    times[name] = least(lambda: eval(code))
print(json.dumps(times))
"""


def times(source: Path, rows: int, folder: str) -> dict[str, list[float]]:
    """The least wall and CPU seconds of each case in a fresh process that imports likely from `source`."""
    cache = Path(folder, f"compiled-{abs(hash(source))}")
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    given = [
        str(source),
        str(rows),
        folder,
        json.dumps(MODELS | COMPANIONS),
        json.dumps(list(MODELS)),
        json.dumps(OTHERS),
    ]
    run = [sys.executable, "-c", SETUP + RUN, *given]
    out = subprocess.run(run, env=environment, check=True, capture_output=True, text=True).stdout
    found: dict[str, list[float]] = json.loads(out.splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path, help="the folder src of the old tree")
    parser.add_argument("new", type=Path, nargs="?", default=Path(__file__).parents[1] / "src")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    said = parser.parse_args()
    best: list[dict[str, list[float]]] = [{}, {}]
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(said.rounds):
            for kept, source in zip(best, (said.old, said.new), strict=True):
                for name, now in times(source.resolve(), said.rows, folder).items():
                    kept[name] = [min(pair) for pair in zip(now, kept.get(name, now), strict=True)]
    print(f"{'case':<40}{'old s':>9}{'new s':>9}{'wall':>7}{'CPU':>7}")
    for name, (wall, cpu) in best[0].items():
        ratios = best[1][name][0] / wall, best[1][name][1] / cpu
        word = "  slower" if min(ratios) > LIMIT else ""
        print(f"{name:<40}{wall:>9.4f}{best[1][name][0]:>9.4f}{ratios[0]:>7.2f}{ratios[1]:>7.2f}{word}")


if __name__ == "__main__":
    main()
