"""likely network query: what is believed of some nodes, given what is known of others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from likely.cli import options
from likely.cli.network import arguments
from likely.cli.network.arguments import node_of, open_network, read_evidence
from likely.cli.options import argument, option
from likely.cli.terminal.failures import UsageError
from likely.cli.terminal.pictures import check_pictures, keep_picture
from likely.cli.terminal.session import Session
from likely.errors import listed, nearest
from likely.output.phrases import from_log

SAMPLED = ("gibbs", "weighting")
EXAMPLE = "likely network query alarm.bif LVFAILURE -e HRBP=HIGH -e CO=LOW"


def run(
    session: Session,
    network: arguments.File,
    targets: Annotated[
        list[str] | None, argument("TARGET", "The node to ask about; of several, their joint distribution.")
    ] = None,
    evidence: arguments.Evidence = None,
    soft: arguments.Soft = None,
    method: Annotated[str, option("--method HOW", "exact, gibbs or weighting (both by sampling).")] = "exact",
    draws: Annotated[int | None, option("--draws N", "Samples that are kept.", min=1)] = None,
    chains: Annotated[int | None, option("--chains N", "Chains of Gibbs.", min=1)] = None,
    burn_in: Annotated[int | None, option("--burn-in N", "Sweeps of each chain that are not kept.", min=0)] = None,
    everything: Annotated[bool, option("--all", "Also what is believed of every node.")] = False,
    most_probable: Annotated[
        bool, option("--most-probable", "Also the likeliest levels of all nodes together.")
    ] = False,
    sensitivity: Annotated[
        bool, option("--sensitivity", "Also what the answer hangs on: findings, and entries of tables.")
    ] = False,
    level: Annotated[str | None, option("--level LEVEL", "Of TARGET, for --sensitivity; else the likeliest.")] = None,
    rows: Annotated[
        str | None, option("--rows DATA", f"Evidence by rows, missing values are unknown: {options.READS}.")
    ] = None,
    output: options.Output = None,
    only: options.Only = False,
    plot: arguments.Plot = None,
    form: arguments.Form = None,
) -> None:
    """Ask a network: the distribution of TARGET given evidence; for every row of a file with --rows."""
    sampling = {"draws": draws, "chains": chains, "burn_in": burn_in}
    said = {name: value for name, value in sampling.items() if value is not None}
    asked = {"--all": everything, "--most-probable": most_probable, "--sensitivity": sensitivity, "--level": level}
    beside = {"--evidence": evidence, "--soft": soft, "--plot": plot, **asked}
    _refuse_mixtures(method, said, len(targets or ()), rows, beside, output)
    check_pictures(plot)
    found = open_network(session, network, form)
    wanted = [node_of(found, name, "TARGET") for name in targets or ()]
    if rows is not None:
        answer_rows(session, found, network, wanted, rows, output, only)
        return
    if not wanted and (sensitivity or not (everything or most_probable)):
        hint = f"name a node, or say --all; the nodes are {listed(found.nodes)}"
        raise UsageError("U103", "TARGET is missing", place="likely network query", hint=hint)
    known = read_evidence(found, evidence, soft)
    how: dict[str, Any] = {"method": method}
    if method in SAMPLED:
        how |= {"seed": session.seed, **said}
    with session.notes(), session.watch("asking", unit="draws" if method in SAMPLED else "") as tick:
        told = _told(found, wanted, known, {**how, "tick": tick} if method in SAMPLED else how, asked)
    plot = keep_picture(session, lambda: _drawn(found, told, known), plot)
    _answer(session, network, known, how, told, plot)


def _refuse_mixtures(
    method: str, said: dict[str, int], targets: int, rows: str | None, beside: dict[str, Any], output: str | None
) -> None:
    """Options that would not be heeded are refused."""
    place = "likely network query"
    if method not in SAMPLED and said:
        option = f"--{next(iter(said)).replace('_', '-')}"
        hint = "say --method gibbs or --method weighting, or leave it out"
        raise UsageError("U110", f"{option} is for sampling, and exact answers need none", place=place, hint=hint)
    if method == "weighting" and {"chains", "burn_in"} & set(said):
        hint = "say --method gibbs, or leave it out"
        raise UsageError("U110", "--chains and --burn-in are for --method gibbs", place=place, hint=hint)
    if rows is None and output is not None:
        raise UsageError("U110", "-o is for the answers to --rows", place=place, hint="say --plot FILE for a picture")
    if beside["--level"] is not None and not beside["--sensitivity"]:
        raise UsageError("U110", "--level is for --sensitivity", place=place, hint="say --sensitivity, or leave it out")
    if beside["--sensitivity"] and targets > 1:
        raise UsageError("U110", "--sensitivity is of one TARGET", place=place, hint="name one node, or leave it out")
    other = next((name for name, one in {**beside, "--method": method != "exact"}.items() if one), None)
    if rows is not None and other is not None:
        hint = "the rows are the evidence, and answers to them are exact: leave it out, or ask without --rows"
        raise UsageError("U110", f"--rows and {other} exclude each other", place=place, hint=hint)


def _told(
    network: Any, wanted: list[str], known: dict[str, Any], how: dict[str, Any], asked: dict[str, Any]
) -> dict[str, Any]:
    """Whatever was asked for, by name."""
    told: dict[str, Any] = {}
    if wanted:
        told["distribution"] = network.query(wanted if len(wanted) > 1 else wanted[0], known, **how)
    if asked["--all"]:
        told["marginals"] = network.marginals(known, **how)
    if asked["--most-probable"]:
        told["most_probable"] = network.most_probable(known)
    if asked["--sensitivity"]:
        told["sensitivity"] = network.sensitivity(wanted[0], known, asked["--level"])
    if known and how["method"] not in SAMPLED:
        told["log_probability"] = network.log_probability(known)
    return told


def _drawn(network: Any, told: dict[str, Any], known: dict[str, Any]) -> Any:
    """The distribution, or the network with what is believed of every node."""
    return told["distribution"].plot() if "distribution" in told else network.plot(evidence=known)


def _answer(
    session: Session, network: str, known: dict[str, Any], how: dict[str, Any], told: dict[str, Any], plot: Path | None
) -> None:
    document: dict[str, Any] = {"network": network, "evidence": known, **how}
    lines: list[Any] = []
    if "distribution" in told:
        document["distribution"] = told["distribution"].to_dict()
        lines.append(_bars(told["distribution"]))
    if "marginals" in told:
        document["marginals"] = {node: one.to_dict() for node, one in told["marginals"].items()}
        lines += [_bars(replace(one, evidence={})) for one in told["marginals"].values()]
    if "most_probable" in told:
        document["most_probable"] = told["most_probable"].to_dict()
        lines += _explanation(told["most_probable"], known)
    if "sensitivity" in told:
        document["sensitivity"] = told["sensitivity"].to_dict()
        lines.append(repr(told["sensitivity"]))
    if "log_probability" in told:
        document["log_probability_of_evidence"] = told["log_probability"]
        lines.append(f"probability of the evidence: {from_log(told['log_probability'])}")
    session.answer(document, picture=plot)
    session.say(*lines)
    session.say_places(picture=plot)


def _bars(distribution: Any) -> str:
    """Labelled bars; warnings of a sampler have been told as notes."""
    return repr(replace(distribution, notes=()))


def _explanation(best: Any, known: dict[str, Any]) -> list[Any]:
    """The likeliest levels of all nodes together, as a head and a table."""
    from likely.cli.terminal.render import table

    title = f"most probable together: {from_log(best.log_probability)}"
    title += f", given the evidence {best.posterior:.4g}" if known else ""
    shown = table("", "node", "level", "")
    for node, level in best.items():
        shown.add_row(node, str(level), "known" if node in known else "")
    return [title, shown]


def answer_rows(
    session: Session, network: Any, name: str, targets: list[str], data: str, output: str | None, only: bool
) -> None:
    """Ask for every row of a file, and send the rows with the probabilities of each target beside them."""
    from likely.cli.inputs import open_rows
    from likely.cli.terminal.output_rows import send
    from likely.data.files.writer import check_writable
    from likely.data.tables import open_rows as opened
    from likely.estimators.streams import watched

    if not targets:
        hint = "name the nodes to ask about: likely network query alarm.bif LVFAILURE --rows cases.csv"
        raise UsageError("U103", "TARGET is missing", place="likely network query", hint=hint)
    if output is not None:
        check_writable(output)
    source = open_rows(session, data, None, levels={node: network.levels(node) for node in network.nodes})
    opened(source, network.nodes, place=data, strangers="ignore")  # refused where no column is a node
    for target in dict.fromkeys(one for one in targets if one in source.columns):
        session.note(f"{target!r} is a column of the rows too: where it is known, the answer is what the row says")
    others = [name for name in source.columns if name not in network.nodes]
    if others:
        near = next((found for name in others if (found := nearest(name, network.nodes))), "")
        session.note(f"not nodes, and so not used as evidence: {listed(others, 5)}.{near}")
    impossible: list[int] = []
    with session.notes(), session.watch("asking") as tick:
        answers = _beside(network, targets, watched(source, tick), only, impossible)
        rows = send(session, answers, output, "answers", {"network": name, "targets": targets})
    _note_impossible(session, impossible)
    if output is not None:
        session.say(f"{rows:,} rows of {source.place} answered, written to {output}")


def _note_impossible(session: Session, bad: list[int]) -> None:
    if bad:
        some = ", ".join(map(str, bad[:5])) + (f" and {len(bad) - 5:,} more" if len(bad) > 5 else "")
        which = f"row {some}" if len(bad) == 1 else f"rows {some}"
        session.note(f"impossible under the network, and so without an answer: {which}")


def _beside(
    network: Any, targets: list[str], source: Any, only: bool, impossible: list[int]
) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The rows, each batch with its probabilities; rows without an answer have none, and are named in `impossible`."""
    import numpy as np
    import pyarrow as pa

    nodes, start = [name for name in source.columns if name in network.nodes], 0
    for batch in source.read():
        answers = network.query_many(pa.Table.from_batches([batch.select(nodes)]), targets, impossible="nan")
        impossible += (start + np.flatnonzero(np.isneginf(answers.log_evidence))).tolist()
        shares = {
            name: pa.array(column, from_pandas=True)
            for name, column in zip(answers.columns, np.asarray(answers).T, strict=True)
        }
        yield (batch.select([]) if only else batch), shares
        start += batch.num_rows
