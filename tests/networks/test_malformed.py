"""Files that were damaged: each is refused with a line, or still a network; nothing hangs, nothing else is raised."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from likely.errors import LikelyError
from likely.networks.formats import FORMATS, dumps, loads, read

BIF = Path(__file__).resolve().parents[3] / "shared" / "data" / "bif"
pytestmark = pytest.mark.skipif(not BIF.exists(), reason="the shared networks are not here")
SOURCES = [("asia", "bif"), ("cancer", "bif"), ("earthquake", "bif"), ("asia", "xmlbif")]
TOKEN = re.compile(r"\s+|[\w.+-]+|.", re.DOTALL)

Damage = Callable[[list[str], random.Random], list[str]]


def words(tokens: list[str]) -> list[int]:
    return [at for at, token in enumerate(tokens) if not token.isspace()]


def delete(tokens: list[str], rng: random.Random) -> list[str]:
    at = rng.choice(words(tokens))
    return tokens[:at] + tokens[at + 1 :]


def duplicate(tokens: list[str], rng: random.Random) -> list[str]:
    at = rng.choice(words(tokens))
    return [*tokens[:at], tokens[at], " ", *tokens[at:]]


def swap(tokens: list[str], rng: random.Random) -> list[str]:
    one, other = rng.sample(words(tokens), 2)
    changed = list(tokens)
    changed[one], changed[other] = tokens[other], tokens[one]
    return changed


def truncate(tokens: list[str], rng: random.Random) -> list[str]:
    return tokens[: rng.choice(words(tokens))]


def renumber(tokens: list[str], rng: random.Random) -> list[str]:
    at = rng.choice([at for at, token in enumerate(tokens) if re.fullmatch(r"\d+\.\d+", token)])
    new = rng.choice(
        ["-0.1", "nan", "inf", "1e400", "2.5", "0.1.2", "0,5", "x", "0x1", "1_0", "٣", "", "99999999999999"]
    )
    return [*tokens[:at], new, *tokens[at + 1 :]]


def unbalance(tokens: list[str], rng: random.Random) -> list[str]:
    at = rng.choice([at for at, token in enumerate(tokens) if token in "(){}[]<>"])
    return [*tokens[:at], rng.choice(["", "((", "}", "{", "<", "]"]), *tokens[at + 1 :]]


DAMAGES: list[Damage] = [delete, duplicate, swap, truncate, renumber, unbalance]


def text_of(name: str, form: str) -> str:
    return dumps(read(BIF / f"{name}.bif"), form)


def outcome(text: str, form: str) -> LikelyError | None:
    """What reading raises; anything but a LikelyError fails the test by itself."""
    try:
        loads(text, form)
    except LikelyError as error:
        return error
    return None


def malformed(name: str, form: str, damage: Damage, many: int) -> Iterator[tuple[str, LikelyError]]:
    """Damaged texts and what is said of them; where the damage leaves a network, another one is made."""
    rng = random.Random(f"{name} {form} {damage.__name__}")
    tokens = TOKEN.findall(text_of(name, form))
    found = 0
    for _ in range(60 * many):
        text = "".join(damage(tokens, rng))
        error = outcome(text, form)
        if error is not None:
            yield text, error
            found += 1
            if found == many:
                return
    raise AssertionError(f"{damage.__name__} leaves too many networks")


@pytest.mark.parametrize(("name", "form"), SOURCES)
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_malformed_files_are_refused_with_a_line(name: str, form: str, damage: Damage) -> None:
    for text, error in malformed(name, form, damage, 5):  # 4 sources x 6 damages x 5 = 120 files
        assert re.fullmatch(r"<text>, line \d+, column \d+", error.place)
        line, column = map(int, re.findall(r"\d+", error.place))
        assert 1 <= line <= text.count("\n") + 1
        assert column >= 1
        assert re.fullmatch(r"F4[12]\d", error.code)
        assert error.message


@pytest.mark.parametrize("form", FORMATS)
def test_any_bytes_are_read_or_refused(form: str, tmp_path: Path) -> None:
    rng = random.Random(form)
    path = tmp_path / "x"
    for name in ("asia", "cancer"):
        good = text_of(name, form).encode()
        for _ in range(60):
            data = bytearray(good)
            for _ in range(rng.choice([1, 1, 2, 5, 40])):
                at = rng.randrange(len(data))
                data[at : at + rng.choice([0, 1, 1, 9])] = rng.randbytes(rng.choice([0, 1, 1, 2]))
            path.write_bytes(bytes(data))
            try:
                parts = read(path, form)
            except LikelyError as error:
                assert error.code.startswith("F4")  # noqa: PT017
                assert "line " in error.place  # noqa: PT017
            else:
                assert all((abs(table.sum(axis=-1) - 1) < 1e-8).all() for table in parts.tables)
