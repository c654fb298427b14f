"""Mutations of network files in all formats, under limits: python -m tests.files.fuzz_networks 4000 (first)."""

from __future__ import annotations

import gzip
import random
import re
import sys
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import numpy as np

import likely
from likely.networks.formats import FORMATS

from . import limited

TOKEN = re.compile(r"\s+|[\w.+-]+|.", re.DOTALL)
NUMBERS = (
    "-0.1",
    "nan",
    "inf",
    "1e400",
    "2.5",
    "0.1.2",
    "0,5",
    "x",
    "0x1",
    "٣",
    "",
    "9" * 5000,
    "0.9999999999",
    "1e-320",
)
MARKS = ("", "((", "}", "{{{{", "<", "]", '"', "&x;", "/*", "<!--", "<![CDATA[", "<!DOCTYPE a [", "\0", "é")


@cache
def networks() -> tuple[likely.Network, ...]:
    """Small networks: hidden causes, many parents, names and levels with marks, one node alone."""
    rng = np.random.default_rng(0)
    asia = likely.networks.asia()
    odd = {'a "b"': ["<1>", "x;y", "ü|{}"], "c,d": ["0.5", "1e3", "True"], "e": ["", " f", "g\\"]}
    arcs = [('a "b"', "c,d"), ("c,d", "e"), ('a "b"', "e")]
    rows = {name: rng.choice(np.array(levels, dtype=object), 60) for name, levels in odd.items()}
    named = likely.Network(arcs).fit({name: [value or "none" for value in values] for name, values in rows.items()})
    wide = {f"x{at}": rng.integers(0, 2, 50) for at in range(7)}
    many = likely.Network([(f"x{at}", "x6") for at in range(6)]).fit(wide)
    return asia, named, many


@cache
def texts() -> tuple[tuple[str, str], ...]:
    """(format, text) of every network in every format that can hold it."""
    found = []
    for network in networks():
        for form in FORMATS:
            try:
                found.append((form, network.dumps(form)))
            except likely.LikelyError:
                continue  # a name that the format has no way to write
    return tuple(found)


def damaged(text: str, rng: random.Random) -> str:
    """The text with one to three things changed: a word, a number, a mark, a piece."""
    tokens = TOKEN.findall(text)
    for _ in range(rng.choice((1, 1, 2, 3))):
        words = [at for at, token in enumerate(tokens) if not token.isspace()]
        if len(words) < 2:
            break
        at, other, what = rng.choice(words), rng.choice(words), rng.randrange(9)
        numbers = [at for at in words if re.fullmatch(r"\d+(\.\d+)?(e-?\d+)?", tokens[at])]
        marks = [at for at in words if not tokens[at][:1].isalnum()]
        if what == 0:
            del tokens[at]
        elif what == 1:
            tokens[at : at + 1] = [tokens[at], " ", tokens[at]]
        elif what == 2:
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif what == 3:
            del tokens[at:]
        elif what == 4 and numbers:
            tokens[rng.choice(numbers)] = rng.choice((*NUMBERS, str(rng.randrange(10**9))))
        elif what == 5 and marks:
            tokens[rng.choice(marks)] = rng.choice(MARKS)
        elif what == 6:
            low, high = sorted((at, other))
            tokens[other:other] = tokens[low : min(high, low + 300)] * rng.choice((1, 2, 40))
        elif what == 7:
            tokens[at] = rng.choice(("[", "{", "<a>", "(", "/*", '"a":')) * rng.choice((50, 5000))
        else:  # another name wherever it stands
            new = rng.choice((tokens[other], f"{tokens[at]}_", "ß", "0", "1e3", "true", "x" * 500))
            tokens = [new if token == tokens[at] else token for token in tokens]
    return "".join(tokens)


def case(number: int) -> tuple[str, bytes]:
    """The ending and the mutated file of a number, the same ever after."""
    rng = random.Random(number)
    form, text = texts()[number % len(texts())]
    ending = FORMATS[form].endings[0]
    if rng.random() < 0.7:
        data = damaged(text, rng).encode("utf-8", "replace")
    else:
        spoilt = bytearray(text.encode())
        for _ in range(rng.choice((1, 1, 2, 5, 40))):
            at = rng.randrange(len(spoilt))
            spoilt[at : at + rng.choice((0, 1, 1, 9))] = rng.randbytes(rng.choice((0, 1, 1, 2)))
        data = bytes(spoilt)
    if rng.random() < 0.15:
        packed = bytearray(gzip.compress(data, mtime=0))
        if rng.random() < 0.7:
            packed[rng.randrange(len(packed))] ^= 1 << rng.randrange(8)
        return f"{ending}.gz", bytes(packed)
    return ending, data


def _asked(place: Path) -> str:
    network = likely.Network.read(place)
    repr(network)
    for table in network.tables.values():
        if not (np.isfinite(table.values).all() and np.allclose(table.values.sum(axis=-1), 1, rtol=0, atol=1e-8)):
            return f"a table that is none: {table!r}"
    for name, belief in network.marginals().items():
        total = sum(belief.values())
        if not abs(total - 1) < 1e-9:
            return f"{name} has probabilities that sum to {total}"
    network.sample(5, seed=0)
    again = likely.Network.loads(network.dumps("json"), "json")
    return "answered" if again == network or again.nodes == network.nodes else "comes back as another"


def tried(number: int, place: Path) -> str:
    """What came of it: 'refused', 'answered', or what is wrong."""
    ending, data = case(number)
    place = place.with_suffix(ending)
    place.write_bytes(data)
    return limited.measured(lambda: _asked(place))


def fuzz(numbers: Iterable[int]) -> dict[int, str]:
    """What came of the mutations of these numbers."""
    with tempfile.TemporaryDirectory() as folder:  # compiled before the clock runs
        for at, (form, text) in enumerate(texts()):
            place = Path(folder) / f"{at}{FORMATS[form].endings[0]}"
            place.write_text(text, encoding="utf-8")
            assert limited.measured(lambda place=place: _asked(place)) == "answered", text
    return limited.outcomes(tried, numbers)


def told(found: dict[int, str]) -> str:
    """How many were refused, answered or wrong, and the first of each kind that is wrong."""
    return limited.told(found, lambda number: texts()[number % len(texts())][0])


if __name__ == "__main__":
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 4_000
    start = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    print(told(fuzz(range(start, start + many))))
