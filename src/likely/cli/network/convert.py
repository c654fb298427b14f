"""likely network convert: a network from one file format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from likely.cli.network.arguments import FILE_FORMATS, File, Form, open_network
from likely.cli.options import argument, option
from likely.cli.terminal.failures import UsageError
from likely.cli.terminal.session import Session
from likely.output.phrases import plural

EXAMPLE = "likely network convert alarm.bif alarm.xdsl"


def run(
    session: Session,
    network: File,
    output: Annotated[Path, argument("OUTPUT", f"The file to write: {FILE_FORMATS}, by its ending.")],
    to: Annotated[str | None, option("--to FORMAT", "Format of OUTPUT where its name does not tell.")] = None,
    form: Form = None,
) -> None:
    """Write a network in another file format, - for standard output; an old file stays until the new is complete."""
    from likely.output.atomic_write import check_place

    if str(output) == "-":
        if to is None:
            hint = "say --to bif, or another format"
            raise UsageError("U103", "--to is missing", place="likely network convert", hint=hint)
        print(open_network(session, network, form).dumps(to), end="")
        return
    check_place(output)
    found = open_network(session, network, form)
    found.write(output, format=to)
    size = output.stat().st_size
    told = {"nodes": len(found.nodes), "arcs": len(found.edges), "bytes": size}
    session.answer({"network": network, "output": str(output), **told, "notes": list(found.notes)})
    counts = f"{plural(len(found.nodes), 'node')}, {plural(len(found.edges), 'arc')}"
    session.say(f"{network} ({counts}) -> {output} ({size:,} bytes)")
