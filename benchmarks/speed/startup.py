"""Seconds until likely is there: its import, and the first calls after a fresh install, compilation included."""

import os
import subprocess
import sys
import tempfile

from _measure import Row, quick, show

IMPORTS = {"import likely": 0.7, "from likely import NaiveBayes": None}
TABLES = {
    "mixed pandas table": """
import numpy as np, pandas as pd
rng = np.random.default_rng(0)
X = pd.DataFrame({"age": rng.normal(40, 9, 500), "port": rng.choice(["a", "b", None], 500)})
X["member"] = rng.integers(0, 2, 500)
y = rng.choice(["no", "yes"], 500)
""",
    "float array": """
import numpy as np
rng = np.random.default_rng(0)
X, y = rng.normal(size=(500, 4)), rng.integers(0, 3, 500)
""",
}
CALLS = """
def call():
    start = perf_counter()
    import likely
    likely.NaiveBayes().fit(X, y).predict_proba(X)
    print(perf_counter() - start)
call()
call()
"""
FIRST = 5.0  # seconds that the first call may take


def seconds(code: str, cache: str) -> list[float]:
    """What a fresh interpreter prints, kernels compiled into and read from the folder `cache`."""
    run = [sys.executable, "-c", f"from time import perf_counter\n{code}"]
    out = subprocess.run(run, env={**os.environ, "NUMBA_CACHE_DIR": cache}, check=True, capture_output=True, text=True)
    return [float(line) for line in out.stdout.split()]


def best(code: str, caches: list[str]) -> list[float]:
    """The least seconds of each printed line over one run a cache."""
    return [min(times) for times in zip(*(seconds(code, cache) for cache in caches), strict=True)]


def main() -> None:
    repeats = 1 if quick(__doc__) else 5
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for line, limit in IMPORTS.items():
            (time,) = best(f"start = perf_counter()\n{line}\nprint(perf_counter() - start)", [folder] * repeats)
            rows.append(Row(line, time, limit=limit))
        for name, table in TABLES.items():
            fresh = [tempfile.mkdtemp(dir=folder) for _ in range(repeats)]
            first, second = best(table + CALLS, fresh)
            rows.append(Row(f"{name}: import, fit, predict_proba, nothing compiled yet", first, limit=FIRST))
            rows.append(Row(f"{name}: again in the same process", second))
            rows.append(Row(f"{name}: in the next process", best(table + CALLS, [fresh[0]] * repeats)[0]))
    show("startup", rows)


if __name__ == "__main__":
    main()
