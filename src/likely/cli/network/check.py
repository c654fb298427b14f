"""likely network check: is a file of a network sound, and do rows fit it?"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from likely.cli.network import arguments
from likely.cli.network.cases import check_cases
from likely.cli.network.show import describe
from likely.cli.network.suspicions import suspicions
from likely.cli.terminal.failures import DATA
from likely.cli.terminal.session import Session
from likely.output.phrases import plural

EXAMPLE = "likely network check alarm.bif --data cases.csv"


def run(
    session: Session,
    network: arguments.File,
    data: Annotated[
        str | None,
        typer.Option("--data", metavar="DATA", help="Rows to hold against the network; values may be missing."),
    ] = None,
    form: arguments.Form = None,
) -> None:
    """Read a network and say what is odd; with --data, which rows do not fit (exit code 3) and how likely they are."""
    from likely.networks import Network

    with session.watch("reading", unit=""):
        found = Network.read(network, format=form)
    with session.watch("checking", unit=""):
        odd, facts = list(suspicions(found)), describe(found)
    told: tuple[dict[str, Any] | None, list[str], bool] = (None, [], True)
    if data is not None:
        told = check_cases(session, found, data)
    document, lines, fine = told
    exact = facts["exact"]
    counts = (len(found.nodes), "node"), (len(found.edges), "arc"), (facts["parameters"], "parameter")
    session.answer({"network": network, "fine": fine, "exact": exact, "suspicions": odd, "data": document})
    session.say(
        f"{network}: {', '.join(plural(*one) for one in counts)}",
        f"exact answers: {exact['told']}",
        *(f"look twice: {one['told']}" for one in odd),
        *([] if odd else ["nothing is odd"]),
        *lines,
    )
    if not fine:
        raise typer.Exit(DATA)
