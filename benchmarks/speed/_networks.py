"""What the scripts of the networks share: the files, rows of findings that a network can give, pyAgrum's engines."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from _levels import missing

from likely import Network

BIF = Path(__file__).resolve().parents[3] / "shared" / "data" / "bif"
FINDINGS = 5
Finding = Mapping[str, str]


def ready() -> bool:
    """Whether there are files to read and pyAgrum is here; else what is missing."""
    if not BIF.exists():
        print(f"not compared: there is no {BIF}")
        return False
    return not missing("pyagrum", "pyagrum")


def path(name: str) -> str:
    return str(BIF / f"{name}.bif")


def findings(net: Network, rows: int, seed: int = 0) -> list[dict[str, str]]:
    """Rows that the network gave, of each five nodes chosen at random."""
    drawn, rng = net.sample(rows, seed=seed), np.random.default_rng(seed)
    columns = {node: np.asarray(drawn[node]) for node in net.nodes}
    chosen = (rng.choice(len(net.nodes), FINDINGS, replace=False) for _ in range(rows))
    return [{net.nodes[at]: str(columns[net.nodes[at]][row]) for at in five} for row, five in enumerate(chosen)]


def in_pyagrum(gum: Any, net: Network) -> Any:
    """The same network in pyAgrum, from its tables: its reader of BIF keeps seven digits."""
    peer, told = gum.BayesNet(), net.factored
    for node, levels in zip(net.nodes, told.levels, strict=True):
        peer.add(gum.LabelizedVariable(node, node, list(map(str, levels))))
    for parent, child in ((parent, node) for node in net.nodes for parent in net.parents(node)):
        peer.addArc(parent, child)
    for node, table in zip(net.nodes, told.tables, strict=True):
        last = table.ndim - 1
        peer.cpt(node)[:] = np.ascontiguousarray(table.transpose([*reversed(range(last)), last]))
    return peer


def posteriors(engine: Any, evidence: Sequence[Finding], nodes: Sequence[str]) -> list[dict[str, np.ndarray]]:
    """What a warm engine of pyAgrum says of the nodes, one row of findings after the other."""
    said = []
    for row in evidence:
        engine.setEvidence(row)
        engine.makeInference()
        said.append({node: engine.posterior(node).toarray() for node in nodes})
    return said


def fastest(gum: Any, peer: Any, evidence: Sequence[Finding], nodes: Sequence[str], rounds: int) -> tuple[str, float]:
    """The fastest of pyAgrum's exact engines, warm, and its least seconds for all rows of findings.

    Each is tried with one thread and with as many as it takes by itself: on a machine that has other work, threads wait
    for each other. One that is far behind after a round goes no further.
    """
    own, best, winner = gum.getNumberOfThreads(), np.inf, ""
    for threads in sorted({1, own}):
        gum.setNumberOfThreads(threads)
        for kind in (gum.LazyPropagation, gum.ShaferShenoyInference, gum.VariableElimination):
            engine, name, least = kind(peer), f"{kind.__name__}, {threads} thread{'s' * (threads > 1)}", np.inf
            engine.setTargets(set(nodes))
            posteriors(engine, evidence[:1], nodes)
            for _ in range(rounds):
                start = perf_counter()
                posteriors(engine, evidence, nodes)
                least = min(least, perf_counter() - start)
                if least > 2 * best:
                    break
            print(f"  {name}: {least:.4f} s")
            if least < best:
                best, winner = least, name
    gum.setNumberOfThreads(own)
    return winner, best


def apart(ours: Mapping[str, np.ndarray], theirs: Sequence[Mapping[str, np.ndarray]]) -> float:
    """How far (rows, levels) of ours are at most from the rows of theirs."""
    return max(
        float(np.abs(ours[node][row] - value).max()) for row, said in enumerate(theirs) for node, value in said.items()
    )
