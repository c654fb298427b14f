"""The words of a command line about a network: its file, its nodes, and what is known about some of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

from likely.cli.options import argument, option
from likely.cli.terminal.failures import UsageError
from likely.cli.terminal.session import Session
from likely.errors import listed, nearest
from likely.output.phrases import plural

FILE_FORMATS = "bif, xmlbif, net (Hugin), xdsl (GeNIe) or json"
File = Annotated[str, argument("NETWORK", f"A file of a network: {FILE_FORMATS}, by its ending, also with .gz behind.")]
Form = Annotated[
    str | None, option("--format FORMAT", f"Format of NETWORK where its name does not tell: {FILE_FORMATS}.")
]
Evidence = Annotated[
    list[str] | None,
    option("--evidence -e NODE=LEVEL", "What is known; may be repeated, or several with commas between."),
]
Soft = Annotated[
    list[str] | None,
    option(
        "--soft NODE=LEVEL:L,...",
        "How likely each level makes what was seen, as in CO=LOW:0.7,HIGH:0.1; other levels 0; may be repeated.",
    ),
]
Plot = Annotated[Path | None, option("--plot FILE", "A picture: PNG, SVG or PDF.")]


def open_network(session: Session, path: str, form: str | None) -> Any:
    """The network of a file; what reading it had to say is noted."""
    from likely.networks import Network

    with session.watch("reading", unit=""):
        network = Network.read(path, format=form)
    more = len(network.notes) - 1
    for line in network.notes[:1]:
        session.note(line + (f" (and {plural(more, 'note')} more: likely network check {path})" if more else ""))
    return network


def node_of(network: Any, name: str, place: str) -> str:
    """A name that is a node; any other is refused."""
    if name not in network.nodes:
        hint = f"the nodes are {listed(network.nodes)}.{nearest(name, network.nodes)}"
        raise UsageError("U122", f"there is no node {name!r}", place=place, hint=hint)
    return name


def nodes_of(network: Any, words: Sequence[str] | None, place: str) -> list[str]:
    """The nodes that words name, each alone or several with commas between."""
    found = [name for word in words or () for name in ([word] if word in network.nodes else word.split(","))]
    return [node_of(network, name.strip(), place) for name in found]


def read_evidence(
    network: Any, words: Sequence[str] | None, soft: Sequence[str] | None = None, place: str = "--evidence"
) -> dict[str, Any]:
    """{node: level, or likelihoods by level} from the words of --evidence and --soft."""
    told = [pair for word in words or () for pair in _findings(network, word, place)]
    told += [_likelihoods(network, word) for word in soft or ()]
    found: dict[str, Any] = {}
    for node, finding in told:
        if node in found and found[node] != finding:
            hint = "say one thing of each node"
            raise UsageError("U124", f"two things are said of {node!r}", place=place, hint=hint)
        found[node] = finding
    return found


def _findings(network: Any, word: str, place: str) -> Iterator[tuple[str, Any]]:
    """(node, level) of each NODE=LEVEL in a word; commas and equal signs may be part of names."""
    node, value = _halves(network, word, place)
    cut = _end(network, network.levels(node), value)
    yield node, _level(network, node, value[:cut].strip(), place)
    if cut < len(value):
        yield from _findings(network, value[cut + 1 :], place)


def _end(network: Any, levels: Sequence[Any], value: str) -> int:
    """Where the level at the start of a text ends: at its end, or at a comma behind which another finding begins."""
    known = {str(level) for level in levels}
    commas = [at for at, sign in enumerate(value) if sign == "," and "=" in value[at:]]
    if value.strip() in known or not commas:
        return len(value)
    ends = [at for at in commas if value[:at].strip() in known]
    ends += [at for at in commas if _sign(network, value[at + 1 :])]
    return ends[0] if ends else len(value)


def _halves(network: Any, word: str, place: str) -> tuple[str, str]:
    """A word cut at the first = that has a node before it."""
    at = _sign(network, word) or word.find("=")
    name, value = word[:at].strip(), word[at + 1 :].strip()
    if at < 1 or not name or not value:
        hint = f"say it as in {place} NODE=LEVEL" + (":0.7,LEVEL:0.2" if place == "--soft" else "")
        raise UsageError("U121", f"{word!r} is no node=level", place=place, hint=hint)
    return node_of(network, name, place), value


def _sign(network: Any, word: str) -> int:
    """Where the first = is that has a node before it; 0 where there is none."""
    return next((at for at, sign in enumerate(word) if sign == "=" and word[:at].strip() in network.nodes), 0)


def _level(network: Any, node: str, text: str, place: str) -> Any:
    from likely.data.levels.level_text import place_of, spellings

    levels = network.levels(node)
    at = place_of(text, spellings(levels))
    if at < 0:
        hint = f"its levels are {listed(levels)}.{nearest(text, levels)}"
        raise UsageError("U123", f"{node!r} has no level {text!r}", place=place, hint=hint)
    return levels[at]


def _likelihoods(network: Any, word: str) -> tuple[str, dict[Any, float]]:
    """(node, likelihood of each level that is named) of NODE=LEVEL:L,LEVEL:L."""
    node, rest = _halves(network, word, "--soft")
    texts = sorted(map(str, network.levels(node)), key=len, reverse=True)  # a level may begin as another does
    found = {}
    while rest:
        text = next((text for text in texts if rest.startswith(f"{text}:")), rest.partition(":")[0])
        number, _, after = rest[len(text) + 1 :].partition(",")
        try:
            found[_level(network, node, text, "--soft")] = float(number)
        except ValueError:
            hint = f"say a number for each level, as in --soft {node}={text}:0.7"
            raise UsageError("U107", f"{number!r} is no number", place="--soft", hint=hint) from None
        rest = after.strip()
    return node, found
