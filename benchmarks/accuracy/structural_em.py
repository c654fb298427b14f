"""Graphs from rows with holes: structural EM beside counts of what is seen, and beside the same rows without holes.

Of each graph, in how many pairs of nodes its equivalence class differs from that of the rows without holes and from the
truth (structural Hamming distance), and the seconds; at the end, the peak of memory of the whole process.
"""

import argparse
import resource
from pathlib import Path
from time import perf_counter

import numpy as np

import likely
from likely.structures.graph import Graph

BIF = Path(__file__).resolve().parents[3] / "shared" / "data" / "bif"
NAMES = ("asia", "child", "insurance", "alarm")
HEAD = f"{'network':<10} {'rows':>9} {'holes':>6}  {'':<9} {'complete':>9} {'truth':>6} {'seconds':>8}"


def links(graph: Graph) -> dict[frozenset[str], tuple[str, str] | None]:
    """Pairs of nodes that are joined, and which way where that is the same in the whole class."""
    pattern = graph.equivalence_class()
    return {frozenset(pair): pair for pair in pattern.directed} | {frozenset(pair): None for pair in pattern.undirected}


def apart(one: Graph, other: Graph) -> int:
    mine, theirs = links(one), links(other)
    pairs = mine.keys() | theirs.keys()
    return sum(pair not in mine or pair not in theirs or mine[pair] != theirs[pair] for pair in pairs)


def measure(name: str, rows: int, share: float, seed: int = 0) -> None:
    truth = likely.Network.read(BIF / f"{name}.bif")
    frame = truth.sample(rows, seed=seed)
    holes = frame.mask(np.random.default_rng(seed).random(frame.shape) < share)
    complete: Graph | None = None
    for case, data, missing in (("complete", frame, "error"), ("ignore", holes, "ignore"), ("em", holes, "em")):
        start = perf_counter()
        graph = likely.learn_network(data, missing=missing, seed=seed).graph
        seconds, complete = perf_counter() - start, complete or graph
        distances = f"{apart(graph, complete):>9} {apart(graph, truth.graph):>6}"
        print(f"{name:<10} {rows:>9,} {share:>6.0%}  {case:<9} {distances} {seconds:>8.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--holes", type=float, default=0.2, help="the share of cells that are taken out, by chance")
    parser.add_argument("--network", choices=NAMES, action="append", help="of one network rather than of all")
    told = parser.parse_args()
    if not BIF.exists():
        print(f"not compared: there is no {BIF}")
        return
    print(HEAD)
    for name in told.network or NAMES:
        measure(name, told.rows, told.holes)
    print(f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB")


if __name__ == "__main__":
    main()
