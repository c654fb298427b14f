"""What depends on what in the model, as nodes and arcs that are laid out; or its tree."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from likely.companions.trees.rules import node_tests, short_weight
from likely.companions.trees.tree import Tree
from likely.core.schema import NUMERIC, SKIP, Schema
from likely.models import JointModel, NaiveModel
from likely.report.content.subject import Subject
from likely.structures.layout import layered

MOST_GRAPH_COLUMNS = 30  # columns drawn
MOST_ARCS = 60
GRAPH_BOX_GAP = 0.2  # between boxes, where one is some units wide
MOST_MEMBERS = 20  # of an average
DEEPEST = 4  # levels of splits of a tree
MOST_TREE_NODES = 40


def graph(subject: Subject) -> dict[str, Any]:
    """The arcs of the model, its tree, or that no column depends on another."""
    structure: Any = getattr(subject.model, "structure_", None)
    held: Any = getattr(subject.model, "model_", None)
    if isinstance(getattr(held, "tree", None), Tree):
        return _tree(held.tree, held.schema)
    if hasattr(subject.model, "weights_") and hasattr(subject.model, "leaderboard_"):
        return _members("pool", subject.target, subject.model.weights_.items())
    if not hasattr(structure, "kind"):
        aside = {note.column for note in getattr(subject.model, "notes_", ()) if note.code == "skipped"}
        return _without_arcs(held, subject.target, aside)
    if structure.kind == "average":
        names = (" & ".join(some) or "-" for some in structure.members)
        return _members("average", subject.target, zip(names, structure.member_weights, strict=True))
    return _arcs(structure)


def _members(form: str, target: str, weights: Iterable[tuple[str, float]]) -> dict[str, Any]:
    """What a model is the sum or the mean of, the heaviest first."""
    ranked = sorted(weights, key=lambda pair: -pair[1])
    members = [{"name": name, "weight": float(weight)} for name, weight in ranked[:MOST_MEMBERS]]
    return {"form": form, "target": target, "members": members, "omitted": max(len(ranked) - MOST_MEMBERS, 0)}


def _arcs(structure: Any) -> dict[str, Any]:
    """Columns below what they depend on; of many arcs the strongest, and never a circle."""
    ranked = sorted(structure.arcs, key=lambda arc: -arc[2])
    children = {name for parent, child, _ in ranked for name in (parent, child)}
    names = [name for name in structure.columns if name in children][:MOST_GRAPH_COLUMNS]
    place = {name: at for at, name in enumerate(names)}
    most = min(len(names), MOST_ARCS) if structure.kind == "forest" else MOST_ARCS  # of a forest hardly one lacks
    parents: list[list[int]] = [[] for _ in names]
    kept = []
    for parent, child, weight in ranked[:most]:
        if parent in place and child in place and not _leads(parents, place[parent], place[child]):
            parents[place[child]].append(place[parent])
            kept.append({"from": parent, "to": child, "weight": weight})
    sizes = [GRAPH_BOX_GAP + 0.5 + 0.09 * min(len(name), 18) for name in names]
    laid = layered(parents, sizes, 0.2, most=9.0) if names else None
    nodes = [] if laid is None else zip(names, laid.across, laid.layers, sizes, strict=True)
    return {
        "form": "arcs",
        "kind": structure.kind,
        "unit": "share of members" if structure.kind == "forest" else "nats",
        "target": structure.target,
        "nodes": [{"name": name, "x": x, "y": y, "width": size - GRAPH_BOX_GAP} for name, x, y, size in nodes],
        "arcs": kept,
        "omitted": len(structure.arcs) - len(kept),
        "alone": [name for name in structure.columns if name not in children][:MOST_GRAPH_COLUMNS],
    }


def _without_arcs(held: Any, target: str, aside: set[str]) -> dict[str, Any]:
    """Columns that depend on the class alone, as a star; or why nothing is drawn: they hang together, or are many."""
    used = (column.name for column in held.schema.columns if column.kind != SKIP)
    names = [name for name in used if name not in aside]
    if isinstance(held, NaiveModel):
        return {
            "form": "star",
            "target": target,
            "names": names[:MOST_GRAPH_COLUMNS],
            "omitted": max(len(names) - MOST_GRAPH_COLUMNS, 0),
        }
    joint = isinstance(held, JointModel)
    return {"form": "joint" if joint else "sum" if getattr(held, "additive", False) else "mixed", "target": target}


def _leads(parents: list[list[int]], start: int, end: int) -> bool:
    """Whether `end` is above `start` already, so that an arc from `start` to it would close a circle."""
    waiting, met = [start], set()
    while waiting:
        at = waiting.pop()
        if at == end:
            return True
        if at not in met:
            met.add(at)
            waiting += parents[at]
    return False


def _tree(grown: Tree, schema: Schema) -> dict[str, Any]:
    """The upper levels of a tree: what leads to each node, and what its rows say."""
    tests, numeric = node_tests(grown, schema), schema.target.kind in NUMERIC
    shown = np.flatnonzero(grown.level <= DEEPEST)[:MOST_TREE_NODES].tolist()
    drawn = set(shown)
    nodes = []
    for node in shown:
        weight = float(grown.counts[node, 0] if numeric else grown.counts[node].sum())
        says = f"{grown.counts[node, 1]:.4g}" if numeric else str(schema.classes[int(grown.evidence[node].argmax())])
        below = grown.children[node] > 0
        whole = below and all(son in drawn for son in grown.sons(np.array([node])).tolist())
        nodes.append(
            {
                "id": node,
                "parent": int(grown.parent[node]) if node else None,
                "level": int(grown.level[node]),
                "test": tests[node],
                "says": says,
                "rows": short_weight(weight),
                "more": bool(below and not whole),
            }
        )
    return {
        "form": "tree",
        "target": schema.target.name,
        "leaves": int(grown.leaves),
        "depth": int(grown.depth),
        "nodes": nodes,
    }
