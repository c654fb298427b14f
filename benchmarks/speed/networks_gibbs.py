"""Gibbs sweeps over all hidden nodes given five findings: alarm and andes, beside pyAgrum's GibbsSampling.

An iteration of pyAgrum draws as many nodes as it is told to: told of all hidden nodes, one is a sweep. It runs until
its largest number of iterations, its other rules of stopping set aside, and says how many it did. One chain of ours
counts, as pyAgrum has one; the second line has the four chains that are the default.
"""

import warnings
from collections.abc import Iterator
from time import perf_counter
from typing import Any

from _measure import Row, best, quick, show
from _networks import FINDINGS, Finding, findings, in_pyagrum, path, ready

from likely import Network
from likely.errors import SamplingWarning

SWEEPS = {"alarm": (2_000, 200_000), "andes": (300, 60_000)}  # theirs, ours
UNIT = 10_000  # sweeps that the table tells the seconds of
DEMANDED = 100


def peer_seconds(gum: Any, peer: Any, evidence: Finding, hidden: int, sweeps: int, at_random: bool) -> float:
    """Seconds a sweep."""
    engine = gum.GibbsSampling(peer)
    engine.setEvidence(evidence)
    engine.setNbrDrawnVar(hidden)
    engine.setDrawnAtRandom(at_random)
    engine.setBurnIn(0)
    engine.setPeriodSize(sweeps)
    engine.setEpsilon(1e-300)
    engine.setMinEpsilonRate(1e-300)
    engine.setMaxIter(sweeps)
    start = perf_counter()
    engine.makeInference()
    return (perf_counter() - start) / engine.nbrIterations()


def measure(gum: Any, name: str, theirs: int, ours: int) -> Iterator[Row]:
    net = Network.read(path(name))
    peer = in_pyagrum(gum, net)
    evidence, hidden = findings(net, 1)[0], len(net.nodes) - FINDINGS
    seconds = min(
        peer_seconds(gum, peer, evidence, hidden, theirs, at_random) for at_random in (False, True) for _ in range(3)
    )
    for chains in (1, 4):
        options = {"method": "gibbs", "draws": ours, "chains": chains, "burn_in": 0, "seed": 0}
        mine = best({"likely": lambda options=options: net.marginals(evidence, **options)})["likely"] / ours
        case = f"{name}, {chains} chain{'s' * (chains > 1)}"
        print(f"{case}: {1 / seconds:,.0f} sweeps a second of pyAgrum, {1 / mine:,.0f} of ours")
        yield Row(case, UNIT * mine, UNIT * seconds, DEMANDED if chains == 1 else None)


def main() -> None:
    few = quick(__doc__)
    if not ready():
        return
    import pyagrum as gum

    warnings.simplefilter("ignore", SamplingWarning)  # zeros in the tables make Gibbs doubtful here, on both sides
    sweeps = {name: (50, 1_000) if few else counts for name, counts in SWEEPS.items()}
    rows = [row for name, counts in sweeps.items() for row in measure(gum, name, *counts)]
    show(f"{UNIT:,} Gibbs sweeps given {FINDINGS} findings, pyAgrum {gum.__version__} and ours", rows)


if __name__ == "__main__":
    main()
