"""AODE on 100,000 × 30 bytes of 5 levels in 5 classes, beside scikit-bayes' AnDE(n_dependence=1) and Weka's AODE."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
from _levels import CLASSES, COLUMNS, LEVELS, ROWS, call, missing, table
from _measure import Row, best, quick, show

from likely import AODE

JAR = Path("/usr/share/java/weka.jar")
DRIVER = Path(__file__).with_name("WekaAodeSpeed.java")
REPEATS = 8  # the first few warm the Java machine up
DEMANDED = {"fit": (60, 4), "predict_proba": (40, 4)}  # times scikit-bayes, times Weka


def weka_seconds(rows: int) -> dict[str, float]:
    """The least seconds of buildClassifier and of distributionForInstance for all rows."""
    sizes = map(str, (rows, COLUMNS, LEVELS, CLASSES, REPEATS))
    run = ["java", "-Xmx3g", "-Djava.awt.headless=true", "-cp", str(JAR), str(DRIVER), *sizes]
    out = subprocess.run(run, check=True, capture_output=True, text=True).stdout
    return dict(
        zip(DEMANDED, np.array([line.split() for line in out.splitlines()], dtype=float).min(axis=0), strict=True)
    )


def main() -> None:
    X, y = table(5_000 if quick(__doc__) else ROWS)
    even, default = AODE(kinds="category", backoff="even", smoothing=1.0), AODE(kinds="category")
    peers = {}
    if not missing("skbn", "scikit-bayes"):
        from skbn import AnDE

        peers["scikit-bayes"] = AnDE(n_dependence=1, categorical_features=range(COLUMNS))
    weka: dict[str, float] = {}
    if JAR.exists() and shutil.which("java") is not None:
        weka = weka_seconds(len(X))
    else:
        print(f"not compared: there is no {JAR} or no java here; `apt-get install weka` brings both")
    rows = []
    for method, (python, java) in DEMANDED.items():
        models = {**peers, "backoff='even'": even, "default": default}
        calls = {name: call(model, method, X, y) for name, model in models.items()}
        times = best(calls)
        for name in ("backoff='even'", "default"):
            first = name != "default"
            if peers:
                case = f"{method}, {name}, scikit-bayes"
                rows.append(Row(case, times[name], times["scikit-bayes"], python if first else None))
            if weka:
                rows.append(Row(f"{method}, {name}, Weka", times[name], weka[method], java if first else None))
    show(f"AODE, {X.shape[0]:,} × {COLUMNS}", rows)
    for name, peer in peers.items():
        apart = np.abs(peer.predict_proba(X[:1000]) - even.predict_proba(X[:1000])).max()
        print(f"{name}: probabilities at most {apart:.1e} apart")


if __name__ == "__main__":
    main()
