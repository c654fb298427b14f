"""likely network strength: how often each arc comes back in bootstrap samples of the rows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from likely.cli import options
from likely.cli.network import arguments
from likely.cli.network.learn import To, check_outputs, is_output, keep_network, place_of
from likely.cli.network.search_options import SearchOptions, asking
from likely.cli.network.search_screen import interruptible
from likely.cli.options import option
from likely.cli.terminal.failures import StoppedError, UsageError
from likely.cli.terminal.pictures import keep_picture
from likely.cli.terminal.session import Session
from likely.output.phrases import plural

EXAMPLE = "likely network strength survey.csv --bootstrap 200 -o strength.csv --plot strength.svg"
DEFAULT_BOOTSTRAP = 200  # as networks/trust/bootstrap.py has it, which takes long to import


@asking
def run(
    session: Session,
    asked: SearchOptions,
    bootstrap: Annotated[int, option("--bootstrap N", "How many graphs to learn.", min=1)] = DEFAULT_BOOTSTRAP,
    threshold: Annotated[
        float | None,
        option(
            "--threshold SHARE",
            "Of the graphs must have an arc for it to be in the consensus; else found from the strengths.",
            min=0.0,
            max=1.0,
        ),
    ] = None,
    output: options.Output = None,
    consensus: Annotated[
        Path | None,
        option("--consensus FILE", f"The network of the arcs in most graphs: {arguments.FILE_FORMATS}, by its ending."),
    ] = None,
    to: To = None,
    plot: arguments.Plot = None,
) -> None:
    """Learn a graph again and again from bootstrap samples, and say how many of them have each arc; Ctrl-C ends it."""
    from likely.data.files.writer import check_writable
    from likely.networks.structure_learning import learn_network

    check_outputs(session, consensus, to, plot)
    if is_output(output) and is_output(consensus):
        hint = "name a file for one of them"
        raise UsageError("U110", "-o and --consensus both go to the output", place="--consensus", hint=hint)
    if is_output(output) and session.as_json:
        hint = "name a file for the strengths, or leave -o out: --json has them too"
        raise UsageError("U110", "both the strengths and --json go to the output", place="--json", hint=hint)
    if output is not None:
        check_writable(output)
    source, told = asked.read(session)
    with session.notes(), session.watch("learning", unit=""):
        first = learn_network(source, **told)
    with session.notes(), session.watch("learning", bootstrap, "graphs") as tick, interruptible():
        found = first.arc_strength(source, bootstrap, weights=asked.weight, seed=session.seed, tick=lambda now: tick(1))
    agreed = found.consensus(threshold)
    if output is not None:
        _write(found, output)
    if consensus is not None:
        with session.notes(), session.watch("learning tables", unit=""):
            keep_network(_tabled(first, agreed, source, asked.weight), consensus, to)
    plot = keep_picture(session, lambda: found.plot(threshold=threshold), plot)
    places = {"output": output, "consensus": consensus, "picture": plot}
    _answer(session, asked, found, agreed, threshold, places)
    if found.interrupted:
        kept = output or consensus
        where = "above" if kept is None else f"in {place_of(kept)}"
        raise StoppedError(f"what {plural(found.graphs, 'graph')} of {found.asked:,} tell is {where}")


def _tabled(first: Any, graph: Any, source: Any, weight: str | None) -> Any:
    """The network of a graph, whose tables are learnt as those of the first network were."""
    from likely.networks import Network

    how = first.learnt.setting
    parents = dict(zip(graph.nodes, graph.parents, strict=True))
    network = Network(parents, levels={node: first.levels(node) for node in first.nodes}, name=first.name)
    prior = dict(how.own) or how.prior
    return network.fit(source, weight, estimate=how.estimate, prior=prior, strength=how.strength, missing=how.missing)


def _write(found: Any, output: str) -> None:
    """One row a pair that some graph joins, as a data frame has them."""
    import pyarrow as pa

    from likely.data.files.writer import write_rows

    names, rows = ("from", "to", "strength", "direction"), list(zip(*found.rows, strict=True)) or [(), (), (), ()]
    kinds = (pa.string(), pa.string(), pa.float64(), pa.float64())
    arrays = [pa.array(column, kind) for column, kind in zip(rows, kinds, strict=True)]
    batch = pa.record_batch(arrays, names=list(names))
    write_rows(output, batch.schema, [batch])


def _answer(
    session: Session, asked: SearchOptions, found: Any, agreed: Any, threshold: float | None, places: dict[str, Any]
) -> None:
    least = {} if threshold is None else {"threshold": threshold}
    arcs = [list(arc) for arc in agreed.edges]
    session.answer({"data": asked.data, **found.to_dict(), **least, "agreed": arcs}, **places)
    if any(map(is_output, places.values())):
        return
    lines = [repr(found)]
    if threshold is not None:
        lines.append(f"above the threshold of {threshold:g} are {plural(len(arcs), 'arc')}")
    session.say(*lines)
    session.say_places(**places)
