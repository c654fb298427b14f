"""Write the TAN trees of Weka's BayesNet (Debian's package `weka`, 3.6.14) as a golden file.

    python benchmarks/accuracy/weka_tan.py tests/golden/weka_tan.json

Learnt from all rows of nominal tables without missing values. With -S ENTROPY an arc weighs the rows times the mutual
information of its two columns given the class. Arcs go to the file without direction, with their information in
nats; where another tree is as heavy (a tie), the weight of the whole is what can be compared.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from _tables import NAMES
from weka_aode import JAR, codes, write_arff

DRIVER = Path(__file__).with_name("WekaTan.java")
TABLES = (
    ("vote", True),
    ("car", False),
    ("tic-tac-toe", False),
    ("kr.vs.kp", False),
    ("nursery", False),
    ("splice", False),
)
SEARCH = "weka.classifiers.bayes.net.search.local.TAN"
OPTIONS = ["-D", "-Q", SEARCH, "--", "-S", "ENTROPY", "-E", "weka.classifiers.bayes.net.estimate.SimpleEstimator"]


def information(a: np.ndarray, b: np.ndarray, y: np.ndarray) -> float:
    """I(a; b | y) in nats, from the counts."""
    joint = np.zeros((y.max() + 1, a.max() + 1, b.max() + 1))
    np.add.at(joint, (y, a, b), 1 / len(y))
    apart = joint.sum(axis=2, keepdims=True) * joint.sum(axis=1, keepdims=True)
    seen = joint > 0
    ratio = (joint * joint.sum(axis=(1, 2), keepdims=True))[seen] / apart[seen]
    return float((joint[seen] * np.log(ratio)).sum())


def main() -> None:
    cases = []
    for name, complete in TABLES:
        table, levels = codes(name, complete)
        first = len(NAMES.get(name, []))  # what names a row comes first
        table, sizes = table[:, first:], [len(words) for words in levels[first:]]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "table.arff"
            write_arff(path, table, sizes)
            command = ["java", "-Djava.awt.headless=true", "-cp", str(JAR), str(DRIVER), str(path), *OPTIONS]
            out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        arcs = sorted(tuple(sorted((j, parent))) for j, parent in enumerate(map(int, out.split())) if parent >= 0)
        weights = [information(table[:, a], table[:, b], table[:, -1]) for a, b in arcs]
        case = {"table": name, "without_missing": complete, "first_column": first, "arcs": arcs, "information": weights}
        cases.append(json.dumps(case, separators=(",", ":")))
        print(f"{name}: {len(arcs)} arcs, {sum(weights):.6f} nats")
    made = json.dumps(
        {"by": "benchmarks/accuracy/weka_tan.py", "command": " ".join([DRIVER.name, "table.arff", *OPTIONS])}
    )
    lines = ",\n".join(cases)
    Path(sys.argv[1]).write_text(f'{{"made":{made},\n"cases":[\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
