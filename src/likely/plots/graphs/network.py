"""Networks: nodes in layers with what is believed of each, what is known highlighted, and the arcs between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from likely.errors import OptionError
from likely.errors.advice import Advice, InPython
from likely.output.phrases import from_log, plural
from likely.plots.graphs.boxes import arrange, arrow, centred, page
from likely.plots.graphs.node_cards import Card, card, finding, legend_columns, paint, sample
from likely.plots.named_results import expect
from likely.plots.style import FIGURE_WIDTH, Axes, Figure, head, picture
from likely.plots.typeface import short, shorts

MOST_NODES_WITH_BARS, MOST_NODES_DRAWN = 60, 400  # nodes: of more only names are drawn, and still more are not drawn
# Entries of tables: beliefs of what costs more, seconds, are drawn only where they are asked for
MOST_ENTRIES_UNASKED = 2.0**24
NODE_NAME_LETTERS = 24  # of a name
ARC_COLOUR = "#4d5a66"
NETWORK_LEGEND_LINE = 0.24  # inches of a line of the legend
EITHER = "may point either way"
LEGEND = {
    "seen": "seen",
    "likelihood": "known with doubt (× likelihood)",
    "fixed": "held fixed",
    "target": "asked for",
}


@picture
def network(
    net: Any,
    evidence: Mapping[str, Any] | None = None,
    *,
    beliefs: bool | None = None,
    targets: str | Iterable[str] | None = None,
    nodes: Iterable[str] | None = None,
    ax: Axes | None = None,
) -> Figure:
    """A network as boxes in layers with an arc from each node to its children, given what is known.

    A box holds a bar for each level of its node, which is as long as the level is probable given the evidence. Nodes of
    which something is known are orange, `targets` green. `nodes` draws these alone, `beliefs=False` only names; names
    alone are also drawn of more than 60 nodes, of a network without tables, and where exact answers cost too much.
    Arcs that were learnt have no head where rows and rules cannot tell which way they point.

    >>> import likely
    >>> wet = (["rain"], {"yes": {"yes": 0.9, "no": 0.1}, "no": {"yes": 0.1, "no": 0.9}})
    >>> net = likely.Network({"rain": {"yes": 0.2, "no": 0.8}, "wet": wet}, name="garden")
    >>> network(net, {"wet": "yes"}).axes[0].get_title()
    'garden: 2 nodes given 1 finding, P(evidence) = 0.26'
    """
    expect(net, "graph", "network(net)", "a likely.Network")
    shown, asked, known = _shown(net, nodes), _named(net, () if targets is None else targets), _known(evidence)
    bars = (
        beliefs
        if beliefs is not None
        else len(shown) <= MOST_NODES_WITH_BARS and _affordable(net, None if nodes is None else shown, evidence)
    )
    if bars and nodes is not None and not _affordable(net):
        marginals = {node: net.query(node, evidence) for node in shown}  # a few answers cost less than all of them
    else:
        marginals = net.marginals(evidence) if bars else {}
    found = {
        net.nodes[net.graph.at(node)]: finding(net.levels(node) if net.has_tables else (), told)
        for node, told in known.items()
    }
    cards = [
        card(node, name, marginals.get(node), found.get(node), node in asked)
        for node, name in zip(shown, shorts(shown, NODE_NAME_LETTERS), strict=True)
    ]
    at = {node: place for place, node in enumerate(shown)}
    either = _either(net)
    arcs = {(at[arc[0]], at[arc[1]]): arc not in either for arc in net.edges if at.keys() >= set(arc)}
    figure, ax = _draw(cards, arcs, ax)
    looks = {one.look for one in found.values()}
    # What is held fixed was not seen, and has no probability of its own.
    telling = looks and "fixed" not in looks and (bars or _affordable(net))
    head(ax, _title(net, len(shown), len(found), net.log_probability(evidence) if telling else None))
    return figure


def _shown(net: Any, nodes: Iterable[str] | None) -> list[str]:
    wanted = set(net.nodes) if nodes is None else _named(net, nodes)
    shown = [node for node in net.nodes if node in wanted]
    if len(shown) > MOST_NODES_DRAWN:
        what = f"a picture of {len(shown)} nodes could not be read: at most {MOST_NODES_DRAWN} are drawn"
        shell = "draw a node and those around it: likely network show FILE --node NODE --plot PICTURE"
        hint = Advice(InPython("draw a part: nodes=[...], such as [node, *net.markov_blanket(node)]", shell))
        raise OptionError("O491", what, place=Advice(InPython("network(nodes=)", "--plot")), hint=hint)
    return shown


def _either(net: Any) -> set[tuple[str, str]]:
    """Arcs of a learnt network that may point either way; whoever wrote a network meant its arrows."""
    return set() if getattr(net, "_search", None) is None else set(net.directions().reversible)


def _named(net: Any, names: Any) -> set[str]:
    """Nodes that are given by name: one, or several."""
    several = isinstance(names, Iterable) and not isinstance(names, str)
    return {net.nodes[net.graph.at(name)] for name in (names if several else [names])}


def _known(evidence: Any) -> Mapping[str, Any]:
    if evidence is not None and not hasattr(evidence, "items"):
        hint = "say {node: level}, as in {'rain': 'yes'}"
        what = f"evidence is a {type(evidence).__name__}"
        raise OptionError("O492", what, place="network(evidence=)", hint=hint)
    return {
        node: told
        for node, told in ({} if evidence is None else evidence).items()
        if told is not None and not _missing(told)
    }


def _missing(told: Any) -> bool:
    return isinstance(told, float) and told != told


def _affordable(net: Any, nodes: list[str] | None = None, evidence: Any = None) -> bool:
    """Whether beliefs in all nodes cost little, or at least those in some."""
    if not net.has_tables:
        return False
    whole = bool(net.cost().entries <= MOST_ENTRIES_UNASKED)
    return whole or (
        bool(nodes) and all(net.cost(node, evidence).entries <= MOST_ENTRIES_UNASKED for node in nodes or ())
    )


def _draw(cards: list[Card], arcs: dict[tuple[int, int], bool], ax: Axes | None) -> tuple[Figure, Axes]:
    """Cards with arcs, each with a head or without, in layers, and below them those without arcs."""
    ends = {end for arc in arcs for end in arc}
    linked, lone = ([at for at in range(len(cards)) if (at in ends) is with_arcs] for with_arcs in (True, False))
    spot = {at: place for place, at in enumerate(linked)}
    drawing = arrange([cards[at].size for at in linked], [(spot[a], spot[b]) for a, b in arcs])
    wide = max([drawing.wide, FIGURE_WIDTH - 0.4, *(cards[at].size[0] for at in lone)])
    drawing = centred(drawing, wide)
    legend = _legend(cards, all(arcs.values()))
    columns = legend_columns([entry.get_label() for entry in legend], wide)
    room = 1.0 + NETWORK_LEGEND_LINE * (-(-len(legend) // max(columns, 1)) - 1 if legend else 0)
    figure, ax, boxes, scale = page(ax, drawing, [cards[at].size for at in lone], wide, 0.4, room, "C")
    for (parent, child), headed in arcs.items():
        line: dict[str, Any] = {"color": ARC_COLOUR, "linewidth": scale, "joinstyle": "miter"}
        arrow(ax, drawing.arcs[spot[parent], spot[child]], "-|>" if headed else "-", 9 * scale, **line)
    for at, box in zip([*linked, *lone], boxes, strict=True):
        paint(ax, cards[at], box, scale)
    if legend:
        ax.legend(handles=legend, loc="upper left", bbox_to_anchor=(0, 0), ncols=columns, frameon=False)
    return figure, ax


def _title(net: Any, shown: int, findings: int, log: float | None) -> str:
    name = short(net.name, 40) or "Network"
    nodes = f"{shown} of {len(net.nodes)} nodes" if shown < len(net.nodes) else plural(shown, "node")
    if not findings:
        return f"{name}: {nodes}" + (f", {plural(len(net.edges), 'arc')}" if shown == len(net.nodes) else "")
    said = f"{name}: {nodes} given {plural(findings, 'finding')}"
    return said if log is None else f"{said}, P(evidence) = {from_log(log, 3)}"


def _legend(cards: list[Card], headed: bool) -> list[Any]:
    """An entry for each look of a card, and for arcs without a head where there are any."""
    from matplotlib.lines import Line2D

    looks = {card.look for card in cards}
    either = [] if headed else [Line2D([], [], color=ARC_COLOUR, linewidth=1.0, label=EITHER)]
    return [sample(look, words) for look, words in LEGEND.items() if look in looks] + either
