"""1,000 rows of five findings each, at random places: alarm and insurance, beside pyAgrum and pgmpy in a loop.

Ours is one call on a data frame with holes, whose reading is in the time. pyAgrum's fastest engine counts, told of its
target where there is but one. pgmpy answers a few of the rows, one query a node, and its time is scaled.
"""

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
from _levels import missing
from _measure import Row, best, quick, show
from _networks import FINDINGS, Finding, apart, fastest, findings, in_pyagrum, path, posteriors, ready

from likely import Network

ROWS, ASKED = 1_000, 40
TARGETS = {"alarm": "LVFAILURE", "insurance": "PropCost"}
PYAGRUM, PGMPY = 30, 300


def pgmpy_seconds(engine: Any, evidence: Sequence[Finding], nodes: Sequence[str]) -> float:
    """Seconds a row, one query after the other; what was found is not asked for."""
    start = perf_counter()
    for row in evidence:
        for node in nodes:
            if node not in row:
                engine.query([node], evidence=row, show_progress=False)
    return (perf_counter() - start) / len(evidence)


def pgmpy_engine(name: str) -> Any:
    """None where pgmpy is not here."""
    if missing("pgmpy", "pgmpy"):
        return None
    from pgmpy.inference import VariableElimination
    from pgmpy.readwrite import BIFReader

    return VariableElimination(BIFReader(path(name)).get_model())


def measure(gum: Any, name: str, target: str, count: int) -> Iterator[Row]:
    net, pgmpy = Network.read(path(name)), pgmpy_engine(name)
    peer = in_pyagrum(gum, net)
    sets = findings(net, count)
    frame = pd.DataFrame(sets, columns=list(net.nodes))
    for targets in (list(net.nodes), [target]):
        case = f"{name}, {target if len(targets) == 1 else 'all marginals'}"
        print(f"pyAgrum on {case}, {count} rows")
        winner, theirs = fastest(gum, peer, sets, targets, rounds=2)
        ours = best({"likely": lambda targets=targets: net.query_many(frame, targets=targets)}, rounds=5)["likely"]
        yield Row(f"{case}, {winner}", ours, theirs, PYAGRUM)
        if pgmpy is not None:
            pgmpy_seconds(pgmpy, sets[:2], targets)
            yield Row(f"{case}, pgmpy", ours, count * pgmpy_seconds(pgmpy, sets[:ASKED], targets), PGMPY)
    answers = net.query_many(frame)
    mine = {node: np.asarray(answers[node]) for node in net.nodes}
    distance = apart(mine, posteriors(gum.LazyPropagation(peer), sets[:100], net.nodes))
    print(f"  probabilities at most {distance:.1e} apart")


def main() -> None:
    count = 50 if quick(__doc__) else ROWS
    if not ready():
        return
    import pyagrum as gum

    rows = [row for name, target in TARGETS.items() for row in measure(gum, name, target, count)]
    show(f"{count:,} rows of {FINDINGS} findings, pyAgrum {gum.__version__} and pgmpy in a loop, ours in a batch", rows)


if __name__ == "__main__":
    main()
