"""Arcs that were learnt: how steady each is, and how they differ from those of a graph that is known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from likely.output.phrases import plural
from likely.plots.graphs.routes import MOST_ARCS_WITH_LABELS, Arc, LineStyle, draw_arcs, shown_nodes
from likely.plots.named_results import expect
from likely.plots.style import COLOURS, DASHES, INK, Axes, Figure, head, picture
from likely.structures.search.orientation import LEANING_DIRECTION

LEAST_STRENGTH_DRAWN = 0.25  # pairs that are joined in fewer samples, and not in the consensus, are not drawn
WIDEST_LINE = 3.2  # points: the line of a pair that is joined in every sample
STRONG_ARC, OPEN_ARC = "#00456f", "#8a8a8a"
STRENGTH_CAPTION = "wide: many of the graphs join the two{}; without a head: they point either way"
COMPARISON_STYLES = {
    "right": LineStyle(INK, 1.3),
    "reversed": LineStyle(COLOURS[3], 2.2, DASHES[3]),
    "missing": LineStyle(COLOURS[1], 1.6, DASHES[1]),
    "extra": LineStyle(COLOURS[0], 2.0, DASHES[2]),
}
COMPARISON_MEANINGS = {
    "right": "right",
    "reversed": "reversed (drawn as learnt)",
    "missing": "missing (in the truth alone)",
    "extra": "extra (learnt, not in the truth)",
}


@picture
def structure_comparison(found: Any, *, nodes: Iterable[str] | None = None, ax: Axes | None = None) -> Figure:
    """A learnt graph beside the truth: arcs that are right, reversed, missing and extra, by colour and by dashes.

    `nodes` draws these alone.

    >>> import likely
    >>> found = likely.compare_structures([("rain", "wet"), ("wet", "hose")], [("rain", "wet"), ("hose", "wet")])
    >>> structure_comparison(found).axes[0].get_title()
    '1 arc right, 1 reversed, 0 missing, 0 extra'
    """
    expect(found, "reversed", "structure_comparison(found)", "a StructureComparison: likely.compare_structures(a, b)")
    shown = shown_nodes(found.truth.nodes, nodes, "structure_comparison(nodes=)")
    groups = {name: [arc for arc in getattr(found, name) if set(arc) <= set(shown)] for name in COMPARISON_STYLES}
    arcs = [
        Arc(parent, child, COMPARISON_STYLES[name], full=f"{parent} -> {child}: {COMPARISON_MEANINGS[name]}")
        for name, group in groups.items()
        for parent, child in group
    ]
    legend = {f"{COMPARISON_MEANINGS[name]}: {len(group)}": COMPARISON_STYLES[name] for name, group in groups.items()}
    open_ = f"; {plural(len(found.open), 'reversed arc')} may point either way" if found.open else ""
    words = f"structural Hamming distance {found.distance}; of the equivalence classes {found.class_distance}{open_}"
    figure, ax = draw_arcs(shown, arcs, legend, words, ax)
    first = plural(len(groups["right"]), "arc") + " right"
    head(ax, ", ".join([first, *(f"{len(groups[name])} {name}" for name in ("reversed", "missing", "extra"))]))
    return figure


@picture
def arc_strength(
    found: Any, *, threshold: float | None = None, nodes: Iterable[str] | None = None, ax: Axes | None = None
) -> Figure:
    """How steady each arc is: the wider a line, the more of the graphs join its ends; the consensus is drawn solid.

    Pairs that fall short of the `threshold` of the consensus are dashed, and left out where fewer than a quarter of the
    graphs join them. A pair that points either way about equally often has no arrow head. `nodes` draws these alone.

    >>> import likely
    >>> rows = {"rain": ["no", "no", "yes", "yes"] * 9, "wet": ["no", "no", "yes", "yes"] * 9}
    >>> found = likely.learn_network(rows).arc_strength(rows, bootstrap=20)
    >>> arc_strength(found).axes[0].get_title()
    'Consensus of 20 graphs, each of a bootstrap sample: 1 arc'
    """
    expect(found, "consensus", "arc_strength(found)", "ArcStrengths: network.arc_strength(rows)")
    shown = shown_nodes(found.nodes, nodes, "arc_strength(nodes=)")
    agreed = [arc for arc in found.consensus(threshold).edges if set(arc) <= set(shown)]
    joined = set(map(frozenset, agreed))
    others = [(one.parent, one.child) for one in found.rows if one.strength >= LEAST_STRENGTH_DRAWN]
    doubted = [arc for arc in others if frozenset(arc) not in joined and set(arc) <= set(shown)]
    arcs = [_line(found, arc, STRONG_ARC, "-") for arc in agreed] + [
        _line(found, arc, OPEN_ARC, DASHES[1]) for arc in doubted
    ]
    legend = {f"in the consensus: {len(agreed)}": LineStyle(STRONG_ARC, WIDEST_LINE / 2)}
    if doubted:
        legend[f"below its threshold, {found.threshold if threshold is None else threshold:.3g}: {len(doubted)}"] = (
            LineStyle(OPEN_ARC, WIDEST_LINE / 2, DASHES[1])
        )
    share = " (the share is written on it)" if len(arcs) <= MOST_ARCS_WITH_LABELS else ""
    if all(found[arc.ends] == 1.0 for arc in arcs):
        arcs, share = [replace(arc, label="") for arc in arcs], " (here all of them)"
    words = STRENGTH_CAPTION.format(share) if arcs else ""
    figure, ax = draw_arcs(shown, arcs, legend, words, ax)
    head(ax, f"Consensus of {plural(found.graphs, 'graph')}, each of a bootstrap sample: {plural(len(agreed), 'arc')}")
    return figure


def _line(found: Any, arc: tuple[str, str], colour: str, dashes: Any) -> Arc:
    strength, direction = found[arc], found.direction(*arc)
    headed = max(direction, 1 - direction) >= LEANING_DIRECTION
    full = f"{' -> '.join(arc)}: strength {strength:.3f}, direction {direction:.3f}"
    return Arc(
        *arc, LineStyle(colour, 0.5 + (WIDEST_LINE - 0.5) * strength**2, dashes), f"{strength:.2f}", full, headed
    )
