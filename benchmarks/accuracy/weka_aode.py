"""Write tests/golden/weka_aode.json: class probabilities of Weka's AODE and AODEsr (Debian's package `weka`, 3.6.14).

    python benchmarks/accuracy/weka_aode.py

Learnt from the rows whose number is no multiple of 3, asked for the first 60 others. `expected` says what Weka
computes, straight from the counts; the file is written only where it agrees with Weka to 1e-12.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from _tables import FOLDER

from likely.data.files.arff import read_arff

JAR = Path("/usr/share/java/weka.jar")
DRIVER = Path(__file__).with_name("WekaAode.java")
GOLDEN = Path(__file__).resolve().parents[2] / "tests" / "golden" / "weka_aode.json"
ASKED = 60
# Table, and whether the rows with a missing value are left out beforehand.
TABLES = (
    ("vote", True),
    ("car", False),
    ("tic-tac-toe", False),
    ("kr.vs.kp", False),
    ("breast.cancer", False),
    ("vote", False),
)
AODE, AODESR = "weka.classifiers.bayes.AODE", "weka.classifiers.bayes.AODEsr"
RUNS = (f"{AODE} -F 1", f"{AODE} -F 30", f"{AODE} -F 1 -M -W 1", f"{AODESR} -F 1 -L -C 50")


def codes(name: str, complete: bool) -> tuple[np.ndarray, list[list[str]]]:
    """(rows, columns) levels as numbers in the declared order, -1 where missing, class last; and the levels' names."""
    columns = [column.combine_chunks() for column in read_arff(FOLDER / f"{name}.arff").columns]
    table = np.column_stack([column.indices.fill_null(-1).to_numpy() for column in columns])
    levels = [column.dictionary.to_pylist() for column in columns]
    return table[(table >= 0).all(axis=1)] if complete else table, levels


def write_arff(path: Path, rows: np.ndarray, sizes: list[int]) -> None:
    """The codes as nominal values, the last column being the class."""
    head = [f"@attribute x{at} {{{','.join(map(str, range(size)))}}}" for at, size in enumerate(sizes)]
    body = [",".join("?" if code < 0 else str(code) for code in row) for row in rows.tolist()]
    path.write_text("\n".join(["@relation table", *head, "@data", *body]) + "\n")


def weka(run: str, train: np.ndarray, test: np.ndarray, sizes: list[int]) -> np.ndarray:
    """(test rows, classes) as Weka gives them."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / "train.arff", Path(folder) / "test.arff"]
        for path, rows in zip(files, (train, test), strict=True):
            write_arff(path, rows, sizes)
        command = ["java", "-Djava.awt.headless=true", "-cp", str(JAR), str(DRIVER), run, *map(str, files)]
        out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return np.array([[float(word) for word in line.split()] for line in out.splitlines()])


def expected(run: str, train: np.ndarray, test: np.ndarray, sizes: list[int]) -> np.ndarray:
    """The same from the counts. Logarithms are not needed at these sizes, and Weka takes none."""
    _, *words = run.split()
    option = {words[at]: words[at + 1 : at + 2] for at in range(len(words))}
    limit = int(option["-F"][0])
    *levels, classes = sizes
    y, X = train[:, -1], train[:, :-1]

    def estimate(count: float, total: float, cells: int) -> float:
        return (count + 1 / cells) / (total + 1) if "-M" in option else (count + 1) / (total + cells)

    proba = np.zeros((len(test), classes))
    for at, row in enumerate(test[:, :-1]):
        known = [j for j in range(len(levels)) if row[j] >= 0]
        equal = {j: X[:, j] == row[j] for j in known}
        gone = _generalisations(known, equal, int(option["-C"][0])) if "-C" in option else set()
        parents = [p for p in known if equal[p].sum() >= limit and p not in gone]
        for c in range(classes):
            of_class = y == c
            for p in parents:
                cell = of_class & equal[p]
                product = estimate(cell.sum(), (X[:, p] >= 0).sum(), classes * levels[p])
                for j in known:
                    if j != p and j not in gone:
                        product *= estimate((cell & equal[j]).sum(), (cell & (X[:, j] >= 0)).sum(), levels[j])
                proba[at, c] += product
            if not parents:  # naive Bayes, with every known column
                product = estimate(of_class.sum(), len(train), classes)
                for j in known:
                    product *= estimate((of_class & equal[j]).sum(), (of_class & (X[:, j] >= 0)).sum(), levels[j])
                proba[at, c] = product
    return proba / proba.sum(axis=1, keepdims=True)


def _generalisations(known: list[int], equal: dict[int, np.ndarray], critical: int) -> set[int]:
    """The columns whose value follows from another's; of two that follow from each other the later one goes."""
    follows: dict[int, int] = {}
    for i in known:
        for j in known:
            if i == j or follows.get(j) == i:
                continue
            many, both = equal[j].sum(), (equal[i] & equal[j]).sum()
            if many > critical and many == both and not (many == equal[i].sum() and i < j):
                follows[i] = j
                break
    return set(follows)


def cases() -> Iterable[dict[str, object]]:
    for name, complete in TABLES:
        table, levels = codes(name, complete)
        sizes = [len(words) for words in levels]
        at = np.arange(len(table))
        train, asked = table[at % 3 != 0], at[at % 3 == 0][:ASKED]
        for run in RUNS:
            proba = weka(run, train, table[asked], sizes)
            apart = float(np.abs(proba - expected(run, train, table[asked], sizes)).max())
            print(f"{name}{' without missing values' if complete else ''}: {run}: at most {apart:.1e} apart")
            if not apart < 1e-12:
                raise SystemExit("Weka computes something else than `expected` says")
            yield {
                "table": name,
                "without_missing": complete,
                "run": run,
                "classes": levels[-1],
                "asked": asked.tolist(),
                "proba": proba.tolist(),
            }


def main() -> None:
    if not JAR.exists() or shutil.which("java") is None:
        raise SystemExit(f"there is no {JAR} or no java here; `apt-get install weka` brings both")
    command = f"java -Djava.awt.headless=true -cp {JAR} {DRIVER.name} '<run>' train.arff test.arff"
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases())
    made = json.dumps({"by": "benchmarks/accuracy/weka_aode.py", "command": command, "learnt": "row % 3 != 0"})
    GOLDEN.write_text(f'{{"made":{made},\n"cases":[\n{lines}\n]}}\n')
    print(f"{GOLDEN}: {GOLDEN.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
