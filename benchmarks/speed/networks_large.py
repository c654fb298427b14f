"""Structure learning of large tables: 1,000,000 × 50 within 4 GiB, and 5,000 × 200, with what each takes."""

from __future__ import annotations

import resource
from time import perf_counter
from typing import Any

import numpy as np
from _measure import quick
from _networks import BIF, path

import likely

GIB = 1 << 30


def random_network(nodes: int, seed: int) -> likely.Network:
    """A network of nodes with two to four levels and up to three parents each."""
    rng = np.random.default_rng(seed)
    names = [f"v{at}" for at in range(nodes)]
    levels = {name: [str(level) for level in range(rng.integers(2, 5))] for name in names}
    tables: dict[str, Any] = {}
    for at, name in enumerate(names):
        above = [names[one] for one in sorted(rng.choice(at, min(at, int(rng.integers(0, 4))), replace=False))]
        shape = tuple(len(levels[one]) for one in above)
        tables[name] = (above, rng.dirichlet(np.full(len(levels[name]), 0.6), size=shape))
    return likely.Network(tables, levels=levels)


def peak() -> float:
    """The most memory that this process has taken, in GiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / GIB


def learn(case: str, truth: likely.Network, frame: Any, search: str) -> None:
    start = perf_counter()
    found = likely.learn_network(frame, search=search)
    seconds = perf_counter() - start
    there = [arc for arc in truth.edges if {*arc} <= {*frame.columns}]
    nodes = {name: [parent for parent, child in there if child == name] for name in frame.columns}
    distance = likely.compare_structures(found, nodes).class_distance
    print(f"| {case} | {search} | {seconds:.1f} | {len(found.edges)} | {distance} | {peak():.2f} |", flush=True)


def main() -> None:
    small = quick(__doc__)
    print("| rows × columns | search | s | arcs | distance from the truth | peak GiB of the process |")
    print("|---|---|---|---|---|---|")
    if BIF.exists():
        andes = likely.Network.read(path("andes"))
        frame = andes.sample(500 if small else 5_000, seed=1)[list(andes.nodes[:200])]
        for search in ("hill-climb", "tabu", "mmhc", "pc", "forest"):
            learn("5,000 × 200", andes, frame, search)
    truth = random_network(50, 0)
    learn("1,000,000 × 50", truth, truth.sample(1_000 if small else 1_000_000, seed=1), "hill-climb")


if __name__ == "__main__":
    main()
