"""likely network separated: can knowing one node say anything about another?"""

from __future__ import annotations

from typing import Annotated

from likely.cli.network.arguments import File, Form, node_of, nodes_of, open_network
from likely.cli.options import argument, option
from likely.cli.terminal.session import Session

EXAMPLE = "likely network separated alarm.bif HRBP LVFAILURE --given CO,STROKEVOLUME"


def run(
    session: Session,
    network: File,
    first: Annotated[str, argument("NODE", "A node.")],
    second: Annotated[str, argument("OTHER", "Another one.")],
    given: Annotated[list[str] | None, option("--given -g NODE,...", "Nodes that are known; may be repeated.")] = None,
    form: Form = None,
) -> None:
    """Say whether two nodes are d-separated, given others; if not, show a shortest trail that is active."""
    found = open_network(session, network, form)
    pair = [node_of(found, name, "NODE" if name is first else "OTHER") for name in (first, second)]
    known = nodes_of(found, given, "--given")
    trail = found.active_trail(*pair, known)
    document = {"network": network, "nodes": pair, "given": known, "separated": trail is None}
    way = None if trail is None else {"nodes": trail.nodes, "arrows": trail.arrows, "reasons": trail.reasons}
    session.answer({**document, "trail": way})
    behind = f" given {', '.join(known)}" if known else ""
    if trail is None:
        session.say(f"{first} and {second} are d-separated{behind}: no trail between them is active")
        return
    session.say(f"{first} and {second} are not d-separated{behind}; a shortest active trail:", f"  {trail!r}")
    session.say(*(f"  {reason}" for reason in trail.reasons))
