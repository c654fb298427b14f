"""Fit the table of categorical.py beside Weka's NaiveBayes (Debian's package `weka`), rows in memory on both sides."""

import shutil
import subprocess
from pathlib import Path

from _measure import Row, best, quick, show
from categorical import CLASSES, COLUMNS, LEVELS, table

from likely import NaiveBayes

JAR = Path("/usr/share/java/weka.jar")
DRIVER = Path(__file__).with_name("WekaNaiveBayes.java")
REPEATS = 10  # the first few warm the Java machine up
DEMANDED = 5


def weka_seconds(rows: int) -> float:
    """The least seconds of buildClassifier on as large a table."""
    sizes = map(str, (rows, COLUMNS, LEVELS, CLASSES, REPEATS))
    run = ["java", "-Xmx3g", "-Djava.awt.headless=true", "-cp", str(JAR), str(DRIVER), *sizes]
    out = subprocess.run(run, check=True, capture_output=True, text=True)
    return min(map(float, out.stdout.split()))


def main() -> None:
    X, y = table(20_000 if quick(__doc__) else 1_000_000)
    if not JAR.exists() or shutil.which("java") is None:
        print(f"not compared: there is no {JAR} or no java here; `apt-get install weka` brings both")
        return
    model = NaiveBayes(kinds="category")
    ours = best({"likely": lambda: model.fit(X, y)}, rounds=REPEATS)["likely"]
    show(f"Weka's NaiveBayes and ours, {X.shape[0]:,} × {COLUMNS}", [Row("fit", ours, weka_seconds(len(X)), DEMANDED)])


if __name__ == "__main__":
    main()
