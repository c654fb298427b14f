"""How often a fit reads its file: bytes read over the size of a CSV that fits into memory, by model and by verb.

`file_reads.py [SRC]`; needs strace (Debian: apt install strace), as no hook of Python's sees Arrow's readers. The first
64 KiB and the first MiB, looked at for the format and the delimiter, are among the bytes.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROWS = 60_000
SETUP = """
import contextlib, io, os, sys, warnings
sys.path.insert(0, sys.argv[1])
os.chdir(sys.argv[2])
import likely
from likely.cli.main import run
warnings.simplefilter("ignore")
def at(name, work):
    with contextlib.suppress(OSError):
        open(f"/mark/{name}")  # seen by strace, nothing else
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            work()
    except SystemExit:
        pass
    except Exception as error:
        print(name, repr(error)[:100], file=sys.stderr)
def verb(*words):
    named = " ".join(words[: 2 if words[0] == "network" else 1])
    at(f"likely {named}", lambda: run(list(words)))
"""
WORK = """
MODELS = [
    "NaiveBayes()", "NaiveBayes(estimate='map')", "NaiveBayes(estimate='mle')", "NaiveBayes(kinds={'n0': 'parzen'})",
    "NaiveBayes(missing='informative')", "SPODE()", "TAN()", "KDB()", "AODE()", "AODE(weights='loss')", "AnDE()",
    "BayesForest(n_estimators=3)", "NetworkClassifier()", "NetworkClassifier(score='cll')", "GaussianBayes('full')",
    "GaussianBayes('shared')", "LinearDiscriminant()", "ParzenBayes()", "ParzenBayes(estimate='bayes')",
    "LogisticRegression()", "DecisionTree()", "DecisionTree(criterion='c4.5', prune='pessimistic')",
    "AdaBoost(n_estimators=3)", "Bagging(n_estimators=3)", "NaiveBayes(kinds='skip')", "LinearRegression()",
    "LinearRegression(penalty='ridge')", "LinearRegression(penalty='lasso')", "RegressionTree()",
]
for name in MODELS:
    target = "amount" if name.startswith(("Linear", "Regr")) and "Disc" not in name else "y"
    at(f"fit {name}", lambda: likely.fit("table.csv", target=target, model=eval("likely." + name)))
at("likely.fit", lambda: likely.fit("table.csv", target="y").save("naive.likely"))
saved = likely.load("naive.likely")
at("predict_proba", lambda: saved.predict_proba("table.csv"))
at("partial_fit", lambda: saved.partial_fit("table.csv"))
at("learn_network", lambda: likely.learn_network("table.csv"))
verb("inspect", "table.csv", "-t", "y")
verb("fit", "table.csv", "-t", "y", "-o", "a.likely")
verb("evaluate", "naive.likely", "table.csv")
verb("predict", "naive.likely", "table.csv", "-o", "predicted.csv")
verb("compare", "table.csv", "-t", "y", "-m", "naive,tan,aode")
verb("network", "learn", "table.csv", "-o", "net.bif")
"""
TABLE = """
import sys
import numpy as np
import pandas as pd
rng, rows = np.random.default_rng(0), int(sys.argv[2])
y = rng.integers(0, 3, rows)
columns = {f"c{i}": (y + rng.integers(0, 5, rows)) % 5 for i in range(6)}
columns |= {f"n{i}": (rng.normal(size=rows) + y).round(3) for i in range(3)}
columns |= {"word": np.array(["red", "green", "blue"])[(y + (rng.random(rows) < 0.2)) % 3]}
columns |= {"y": np.array(["a", "b", "c"])[y], "amount": (y + rng.normal(size=rows)).round(4)}
pd.DataFrame(columns).to_csv(sys.argv[1], index=False)
"""


def main() -> None:
    source = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1] / "src").resolve()
    with tempfile.TemporaryDirectory() as folder:
        table, log = Path(folder, "table.csv"), Path(folder, "calls")
        subprocess.run([sys.executable, "-c", TABLE, str(table), str(ROWS)], check=True)
        size = table.stat().st_size
        seen = "trace=openat,read,pread64,readv,preadv,mmap"
        run = [
            "strace",
            "--seccomp-bpf",
            "-f",
            "-y",
            "-s",
            "0",
            "-e",
            seen,
            "-o",
            str(log),
            sys.executable,
            "-c",
            SETUP + WORK,
        ]
        subprocess.run([*run, str(source), folder], check=True)
        opened, given, order, now = Counter[str](), Counter[str](), [], ""
        for line in log.read_text(errors="replace").splitlines():
            if mark := re.search(r'"/mark/([^"]*)"', line):
                now = mark[1]
                order.append(now)
            elif re.search(r'openat\(.*/?table\.csv"', line):
                opened[now] += 1
            elif "table.csv>" in line:
                size_of_map = re.search(r"mmap\(\w+, (\d+)", line)
                got = size_of_map or re.search(r"= (\d+)$", line)
                given[now] += int(got[1]) if got else 0
    print(f"| {'work':<64} | opened | bytes read / size of the file |")
    for name in order:
        print(f"| {name:<64} | {opened[name]:>6} | {given[name] / size:>6.2f} |")


if __name__ == "__main__":
    main()
