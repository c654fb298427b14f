"""100,000 rows drawn from alarm and andes, beside pyAgrum's BNDatabaseGenerator.

pyAgrum's rows count as drawn when they are in its own database; ours are a frame of levels. The second line also asks
pyAgrum for the frame.
"""

from collections.abc import Iterator
from typing import Any

from _measure import Row, best, quick, show
from _networks import in_pyagrum, path, ready

from likely import Network

ROWS = 100_000
DEMANDED = 8


def measure(gum: Any, name: str, count: int) -> Iterator[Row]:
    net = Network.read(path(name))
    peer = in_pyagrum(gum, net)  # kept: the generator does not hold it
    drawer = gum.BNDatabaseGenerator(peer)
    net.sample(10, seed=0)  # compiled
    times = best({"pyAgrum": lambda: drawer.drawSamples(count), "likely": lambda: net.sample(count, seed=0)})
    framed = times["pyAgrum"] + best({"pyAgrum": drawer.to_pandas}, rounds=1)["pyAgrum"]
    yield Row(f"{name}, drawn", times["likely"], times["pyAgrum"], DEMANDED)
    yield Row(f"{name}, drawn and in a frame", times["likely"], framed)


def main() -> None:
    count = 2_000 if quick(__doc__) else ROWS
    if not ready():
        return
    import pyagrum as gum

    gum.initRandom(0)
    rows = [row for name in ("alarm", "andes") for row in measure(gum, name, count)]
    show(f"{count:,} rows drawn, pyAgrum {gum.__version__} and ours", rows)


if __name__ == "__main__":
    main()
