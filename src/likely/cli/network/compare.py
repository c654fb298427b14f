"""likely network compare: how far a learnt network is from a known one."""

from __future__ import annotations

from typing import Annotated

from likely.cli.network import arguments
from likely.cli.network.arguments import open_network
from likely.cli.options import argument, option
from likely.cli.terminal.pictures import check_pictures, keep_picture
from likely.cli.terminal.session import Session

EXAMPLE = "likely network compare learnt.bif truth.bif --plot compared.svg"


def run(
    session: Session,
    learnt: Annotated[str, argument("LEARNT", f"A file of a network: {arguments.FILE_FORMATS}.")],
    truth: Annotated[str, argument("TRUTH", "A file of another one, with the same nodes.")],
    plot: arguments.Plot = None,
    form: Annotated[
        str | None, option("--format FORMAT", "Format of both files where their names do not tell.")
    ] = None,
) -> None:
    """Compare the arcs of two networks: right, reversed, missing, extra; how far the graphs are from each other."""
    from likely.networks.trust.structure_comparison import compare_structures

    check_pictures(plot)
    both = [open_network(session, path, form) for path in (learnt, truth)]
    told = compare_structures(*both)
    plot = keep_picture(session, told.plot, plot)
    session.answer({"learnt": learnt, "truth": truth, **told.to_dict()}, picture=plot)
    session.say(repr(told))
    session.say_places(picture=plot)
