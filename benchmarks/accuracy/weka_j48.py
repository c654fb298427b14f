"""Write tests/golden/weka_j48.json: trees of Weka's J48, which is C4.5 (Debian's package `weka`, 3.6.14).

    python benchmarks/accuracy/weka_j48.py

Learnt from all rows of a table, and from nine of ten (row number modulo 10) to answer for the tenth.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from _tables import FOLDER

JAR = Path("/usr/share/java/weka.jar")
DRIVER = Path(__file__).with_name("WekaJ48.java")
GOLDEN = Path(__file__).resolve().parents[2] / "tests" / "golden" / "weka_j48.json"
TABLES = ("iris", "vote", "labor", "glass", "credit.a", "breast.cancer", "hepatitis", "lymph", "tic-tac-toe", "soybean")
USUAL, UNPRUNED = "-C 0.25 -M 2", "-U -M 2"
MORE = {"labor": ("-C 0.1 -M 2",), "credit.a": ("-C 0.05 -M 5",)}
FOLDS = 10


def case(table: str, run: str) -> dict[str, object]:
    """What Weka says: leaves, nodes, the classes of the rows as numbers, and the tree as text."""
    command = ["java", "-Djava.awt.headless=true", "-cp", str(JAR), str(DRIVER), run, str(FOLDER / f"{table}.arff")]
    told = subprocess.run([*command, str(FOLDS)], check=True, capture_output=True, text=True).stdout
    sizes, learnt, held, *text = told.splitlines()
    leaves, nodes = map(int, sizes.split())
    lines = [line for line in text[3:] if line.strip() and not line.startswith(("Number of", "Size of"))]
    print(f"{table} {run}: {leaves} leaves, {nodes} nodes")
    return {
        "table": table,
        "run": run,
        "leaves": leaves,
        "nodes": nodes,
        "learnt": learnt,
        "held": held,
        "text": lines,
    }


def cases() -> Iterable[dict[str, object]]:
    for table in TABLES:
        for run in (USUAL, UNPRUNED, *MORE.get(table, ())):
            yield case(table, run)


def main() -> None:
    if not JAR.exists() or shutil.which("java") is None:
        raise SystemExit(f"there is no {JAR} or no java here; `apt-get install weka` brings both")
    command = f"java -Djava.awt.headless=true -cp {JAR} {DRIVER.name} '<run>' table.arff {FOLDS}"
    lines = ",\n".join(json.dumps(one, separators=(",", ":"), ensure_ascii=False) for one in cases())
    made = json.dumps({"by": "benchmarks/accuracy/weka_j48.py", "command": command})
    GOLDEN.write_text(f'{{"made":{made},\n"cases":[\n{lines}\n]}}\n')
    print(f"{GOLDEN}: {GOLDEN.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
