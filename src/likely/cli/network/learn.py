"""likely network learn: a network from rows, arcs and tables."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Annotated, Any

from likely.cli.network import arguments
from likely.cli.network.search_options import SearchOptions, asking
from likely.cli.network.search_screen import score_of, searched
from likely.cli.options import option
from likely.cli.terminal.failures import StoppedError, UsageError
from likely.cli.terminal.pictures import check_pictures, keep_picture
from likely.cli.terminal.render import count
from likely.cli.terminal.session import Session
from likely.errors import nearest
from likely.output.phrases import plural

EXAMPLE = "likely network learn survey.csv -o survey.bif --score bdeu --required age:risk --progress"
To = Annotated[str | None, option("--to FORMAT", "Format of FILE where its name does not tell.")]
ARCS_SHOWN = 20  # arcs shown in a terminal


@asking
def run(
    session: Session,
    asked: SearchOptions,
    output: Annotated[
        Path | None,
        option("--output -o FILE", f"The file to write: {arguments.FILE_FORMATS}, by its ending; - is the output."),
    ] = None,
    to: To = None,
    progress: Annotated[
        bool, option("--progress", "Show the score from the first second on; in a pipe, line by line.")
    ] = False,
    plot: arguments.Plot = None,
    trace: Annotated[Path | None, option("--trace FILE", "A picture of the score against the seconds.")] = None,
) -> None:
    """Learn which column depends on which, and the tables; Ctrl-C ends the search and keeps the best so far."""
    from likely.networks.structure_learning import learn_network

    if progress and session.quiet:
        raise UsageError("U110", "--progress and --quiet exclude each other", place="--progress", hint="leave one out")
    check_outputs(session, output, to, plot, trace)
    source, told = asked.read(session)
    with session.notes(), searched(session, asked.search, progress) as tick:
        found = learn_network(source, **told, tick=tick)
    report = found.search_
    keep_network(found, output, to)
    plot, trace = keep_picture(session, found.plot, plot), keep_picture(session, report.plot, trace)
    places = {"output": output, "picture": plot, "trace": trace}
    session.answer(_document(asked, found, told), **places)
    if is_output(output):
        for line in report.notes:
            session.note(line)
    else:
        session.say(*_lines(session, asked, found))
        session.say_places(**places)
        session.say(_next(found, output, to))
    if report.interrupted:
        raise StoppedError(f"the best so far is {'above' if output is None else f'in {place_of(output)}'}")


def is_output(place: object) -> bool:
    """Whether a place is standard output."""
    return str(place) == "-"


def place_of(place: object) -> str:
    """A place in words."""
    return "the output" if is_output(place) else str(place)


def keep_network(network: Any, place: Path | None, to: str | None) -> None:
    """Write a network where that is asked for."""
    if is_output(place):
        print(network.dumps(to), end="")
    elif place is not None:
        network.write(place, format=to)


def check_outputs(session: Session, network: Path | None, to: str | None, *pictures: Path | None) -> None:
    """Places and formats that cannot be written are refused before the search."""
    from likely.networks.formats import FORMATS, file_endings
    from likely.output.atomic_write import check_place

    if is_output(network) and to is None:
        hint = "say --to bif, or another format, for what goes to the output"
        raise UsageError("U103", "--to is missing", place="--to", hint=hint)
    if is_output(network) and session.as_json:
        hint = "name a file for the network"
        raise UsageError("U110", "both a network and --json go to the output", place="--json", hint=hint)
    if network is None and to is not None:
        hint = "say where to save it too, or leave it out"
        raise UsageError("U110", "--to is for the file of a network", place="--to", hint=hint)
    if to is not None and to not in FORMATS:
        hint = f"the file formats are {', '.join(FORMATS)}.{nearest(to, FORMATS)}"
        raise UsageError("U127", f"there is no file format {to!r}", place="--to", hint=hint)
    if network is not None and not is_output(network):
        check_place(network, file_endings() if to is None else ())
    check_pictures(*pictures)


def _document(asked: SearchOptions, found: Any, given: dict[str, Any]) -> dict[str, Any]:
    report = found.search_
    return {
        "data": asked.data,
        "options": {**{name: value for name, value in given.items() if value != []}, "missing": report.plan.missing},
        "weight": found.learnt.weight,
        "nodes": [{"name": node, "levels": list(found.levels(node))} for node in found.nodes],
        "arcs": found.directions().to_dict(),
        "parameters": found.parameters,
        "score": report.score,
        "seconds": report.seconds,
        "steps": report.steps,
        "interrupted": report.interrupted,
        "notes": list(report.notes),
    }


def _lines(session: Session, asked: SearchOptions, found: Any) -> list[str]:
    from likely.networks.trust.arc_directions import in_lines

    report = found.search_
    counts = (len(found.nodes), "node"), (len(found.edges), "arc"), (found.parameters, "parameter")
    rows = count(round(found.learnt.weight, 6))  # missing values that were filled in leave parts of rows
    seen = f"{rows} rows" if asked.weight is None else f"rows of weight {rows}"
    way = f"by {asked.search}, {plural(report.steps, 'step')} in {report.seconds:.2g} s"
    return [
        f"{asked.data} ({seen}, {plural(len(found.nodes), 'column')}): {', '.join(plural(*one) for one in counts)}",
        *(f"note: {session.words(line)}" for line in report.notes),
        "",
        *in_lines(found.directions(), ARCS_SHOWN, " (--json has all)"),
        "",
        f"{report.plan.score} {score_of(report.score)} {way}{', stopped early' if report.interrupted else ''}",
    ]


def _next(found: Any, output: Path | None, to: str | None) -> str:
    if output is None:
        return "nothing is saved: add -o FILE to write the network"
    form = "" if to is None else f" --format {to}"
    return f"next: likely network query {quote(str(output))} {quote(found.nodes[-1])}{form}"
