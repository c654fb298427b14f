"""All marginals given five findings, engine warm: alarm, insurance, win95pts and andes, beside pyAgrum's exact engines.

Both sides answer the same sets of findings one after the other, and hand out the posterior of every node. The fastest
of pyAgrum's engines counts.
"""

from typing import Any

import numpy as np
from _measure import Row, best, quick, show
from _networks import FINDINGS, apart, fastest, findings, in_pyagrum, path, posteriors, ready

from likely import Network

SETS = {"alarm": 200, "insurance": 200, "win95pts": 200, "andes": 40}
DEMANDED = 5


def measure(gum: Any, name: str, count: int) -> Row:
    net = Network.read(path(name))
    peer = in_pyagrum(gum, net)
    sets = findings(net, count)
    print(f"pyAgrum on {name}, {count} sets of {FINDINGS} findings")
    winner, theirs = fastest(gum, peer, sets, net.nodes, rounds=3)
    net.marginals(sets[0])  # warms the engine, as theirs is
    ours = best({"likely": lambda: [net.marginals(one) for one in sets]}, rounds=5)["likely"]
    said = [net.marginals(one) for one in sets[:20]]
    mine = {node: np.stack([one[node].probabilities for one in said]) for node in net.nodes}
    distance = apart(mine, posteriors(gum.LazyPropagation(peer), sets[:20], net.nodes))
    print(f"  probabilities at most {distance:.1e} apart")
    return Row(f"{name}, {count} sets, {winner}", ours, theirs, DEMANDED)


def main() -> None:
    few = quick(__doc__)
    if not ready():
        return
    import pyagrum as gum

    rows = [measure(gum, name, 5 if few else count) for name, count in SETS.items()]
    show(f"all marginals given {FINDINGS} findings, pyAgrum {gum.__version__} and ours", rows)


if __name__ == "__main__":
    main()
