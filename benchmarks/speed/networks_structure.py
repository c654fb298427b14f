"""Structure learning on rows drawn from known networks, beside PyBNesian, pyAgrum and pgmpy: BIC and distance by time.

All graphs are scored by one scorer. Within the time of the fastest peer the default search should have a BIC at least
as good as that peer's; in the end, within ten times that time, a BIC and a distance from the truth (between equivalence
classes) at least as good as the best of all peers.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

from _levels import missing
from _networks import BIF, path

import likely

NETWORKS, SIZES = ("alarm", "insurance", "hailfinder", "andes"), (10_000, 100_000)
PATIENT = {"pgmpy": {"alarm", "insurance", "hailfinder"}}  # a peer that takes very long elsewhere
LONG = 5.0  # seconds of a run that is not repeated
SLACK = 1e-9  # of a score: rounding
HEAD = "| rows | | s | BIC | distance | demanded |\n|---|---|---|---|---|---|"


class Run(NamedTuple):
    """A graph that was learnt, and in what time."""

    seconds: float
    bic: float
    distance: int

    def line(self, case: str, name: str, goal: str = "") -> str:
        return f"| {case} | {name} | {self.seconds:.3f} | {self.bic:,.1f} | {self.distance} | {goal} |"


def pybnesian(frame: Any) -> list[tuple[str, str]]:
    import pybnesian

    kind = pybnesian.DiscreteBNType()
    return [tuple(arc) for arc in pybnesian.hc(frame, bn_type=kind, score="bic", operators=["arcs"]).arcs()]


def pyagrum(frame: Any) -> list[tuple[str, str]]:
    import pyagrum as gum

    learner = gum.BNLearner(frame)
    learner.useScoreBIC()
    learner.useNoPrior()
    learner.useGreedyHillClimbing()
    names = learner.names()
    return [(names[parent], names[child]) for parent, child in learner.learnDAG().arcs()]


def pgmpy(frame: Any) -> list[tuple[str, str]]:
    from pgmpy.estimators import BIC, HillClimbSearch

    found = HillClimbSearch(frame).estimate(scoring_method=BIC(frame), show_progress=False)
    return [tuple(arc) for arc in found.edges()]


PEERS: dict[str, Callable[[Any], list[tuple[str, str]]]] = {"pybnesian": pybnesian, "pyagrum": pyagrum, "pgmpy": pgmpy}


def judged(seconds: float, arcs: Any, truth: likely.Network, frame: Any) -> Run:
    """A run by its arcs, scored by one scorer."""
    parents: dict[str, list[str]] = {name: [] for name in truth.nodes}
    for parent, child in arcs:
        parents[child].append(parent)
    graph = likely.Network(parents, levels={name: truth.levels(name) for name in truth.nodes})
    return Run(seconds, graph.score(frame, "bic"), likely.compare_structures(graph, truth).class_distance)


def timed(call: Callable[[Any], Any], frame: Any, rounds: int) -> tuple[float, Any]:
    """The least seconds of several runs, and what they find."""
    least, found = float("inf"), None
    for _ in range(rounds):
        start = perf_counter()
        found = call(frame)
        least = min(least, perf_counter() - start)
        if least > LONG:
            break
    return least, found


class Ours(NamedTuple):
    """A run of ours: its seconds, what it found, and the best score after how many seconds."""

    seconds: float
    found: likely.Network
    way: list[tuple[float, float]]


def ours(frame: Any) -> Ours:
    way: list[tuple[float, float]] = []
    start = perf_counter()
    found = likely.learn_network(frame, tick=lambda now: way.append((perf_counter() - start, now.score)))
    return Ours(perf_counter() - start, found, way)


def compare(name: str, rows: int, seed: int, rounds: int) -> None:
    truth = likely.Network.read(path(name))
    frame = truth.sample(rows, seed=seed).astype({node: _category(truth, node) for node in truth.nodes})
    peers = {}
    for peer, call in PEERS.items():
        if missing(peer, peer) or (peer in PATIENT and name not in PATIENT[peer]):
            continue
        seconds, arcs = timed(call, frame, rounds)
        peers[peer] = judged(seconds, arcs, truth, frame)
    mine = min((ours(frame) for _ in range(rounds)), key=lambda run: run.seconds)
    last = judged(mine.seconds, mine.found.edges, truth, frame)
    case = f"{name} {rows:,}"
    for peer, run in peers.items():
        print(run.line(case, peer))
    if not peers:
        print(last.line(case, "likely, in the end"), flush=True)
        return
    fastest = min(peers, key=lambda peer: peers[peer].seconds)
    limit, goal = peers[fastest].seconds, peers[fastest].bic
    early = max((score for at, score in mine.way if at <= limit), default=-float("inf"))
    told = f"BIC ≥ {fastest}'s in its time: {_verdict(early >= goal - SLACK * abs(goal))}"
    print(f"| {case} | likely, after {fastest}'s time | {limit:.3f} | {early:,.1f} | | {told} |")
    good = last.bic >= max(run.bic for run in peers.values()) - SLACK * abs(goal)
    near = last.distance <= min(run.distance for run in peers.values())
    soon = mine.seconds <= 10 * limit
    told = f"within {10 * limit:.2f} s: {_verdict(soon)}, BIC {_verdict(good)}, distance {_verdict(near)}"
    print(last.line(case, "likely, in the end", told), flush=True)


def _category(truth: likely.Network, node: str) -> Any:
    import pandas as pd

    return pd.CategoricalDtype([str(level) for level in truth.levels(node)])


def _verdict(met: bool) -> str:
    return "ok" if met else "MISSED"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one small table: a smoke test, its verdicts mean nothing")
    parser.add_argument("--seed", type=int, default=1, help="of the rows that are drawn")
    parser.add_argument("--only", default="", help="one network")
    options = parser.parse_args()
    if not BIF.exists():
        print(f"not compared: there is no {BIF}")
        return
    warnings.filterwarnings("ignore", module="pgmpy")
    likely.learn_network(likely.networks.asia().sample(50_000, seed=0))  # what is compiled on first use
    print(HEAD)
    for name in [options.only] if options.only else NETWORKS[:1] if options.quick else NETWORKS:
        for rows in (500,) if options.quick else SIZES:
            compare(name, rows, options.seed, 1 if options.quick else 3)


if __name__ == "__main__":
    main()
