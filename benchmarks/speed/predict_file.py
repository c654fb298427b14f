"""`likely predict` on a CSV of 1,000,000 mixed rows: model time, the whole command, and memory as the file grows."""

import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import numpy as np
import pandas as pd
from _measure import quick

import likely
from likely.data import open_source
from likely.estimators.streams import scored

WORDS = [f"w{at}" for at in range(12)]
DEMANDED = 500_000  # rows a second of model time


def table(rows: int, seed: int) -> pd.DataFrame:
    """Ten numbers, eight words and two yes/no, one cell in twenty missing; two classes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, rows)
    frame = pd.DataFrame({f"real {at}": np.round(rng.normal(y * 0.3, 1, rows), 3) for at in range(10)})
    for at in range(8):
        frame[f"word {at}"] = pd.Categorical.from_codes((rng.integers(0, 12, rows) + y) % 12, WORDS)
    for at in range(2):
        frame[f"flag {at}"] = np.where(rng.random(rows) < 0.4 + 0.2 * y, "true", "false")
    holes = frame.mask(rng.random(frame.shape) < 0.05)
    return holes.assign(y=np.where(y == 1, "yes", "no"))


def command(model: Path, rows: Path, out: Path) -> tuple[float, float]:
    """Seconds of the whole command and its peak memory in MiB."""
    words = ["predict", str(model), str(rows), "-o", str(out), "--proba", "--quiet"]
    script = (  # the peak since its start: that of getrusage would begin with ours
        "import sys; from likely.cli.main import run; code = run(sys.argv[1:]);"
        " print(*(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM'))); sys.exit(code)"
    )
    start = perf_counter()
    done = subprocess.run([sys.executable, "-c", script, *words], check=True, capture_output=True, text=True)
    return perf_counter() - start, int(done.stdout) / 1024


if __name__ == "__main__":
    unit = 10_000 if quick(__doc__) else 250_000
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        table(50_000, 0).to_csv(place / "train.csv", index=False)
        model = likely.fit(place / "train.csv", target="y")
        model.save(place / "m.likely")
        print(f"{'rows':>10}{'CSV MiB':>9}{'model s':>9}{'rows/s of model time':>22}{'command s':>11}{'peak MiB':>10}")
        for times in (1, 4, 16):
            path = place / f"{times}.csv"
            part = table(unit, 1)
            part.to_csv(path, index=False)
            with open(path, "ab") as file:
                body = part.to_csv(index=False, header=False).encode()
                for _ in range(times - 1):
                    file.write(body)
            rows, best = times * unit, np.inf
            source = open_source(path)
            batches = list(source.read())  # as DuckDB gives them: what is left is encoding and scoring
            for _ in range(3):
                source = replace(source, read=lambda held=batches: held)
                start = perf_counter()
                for _ in scored(model, source):
                    pass
                best = min(best, perf_counter() - start)
            seconds, peak = min(command(place / "m.likely", path, place / "out.csv") for _ in range(2))
            size = os.path.getsize(path) / 2**20
            print(f"{rows:>10,}{size:>9.0f}{best:>9.3f}{rows / best:>22,.0f}{seconds:>11.2f}{peak:>10.0f}")
        print(f"demanded: {DEMANDED:,} rows a second of model time at 1,000,000 rows, and memory that does not grow")
