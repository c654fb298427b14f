"""likely explain-error: every code told in words and as data; a wrong one names the nearest."""

from __future__ import annotations

import pytest

from likely.cli.terminal.failures import USAGE
from likely.errors.registry import registry
from tests.cli.conftest import Command


@pytest.mark.parametrize("said", ["O467", "o467", "[O467]", " o467 "])
def test_a_code_is_told_however_it_is_spelt(likely_says: Command, said: str) -> None:
    told = likely_says("explain-error", said)
    entry = registry()["O467"]
    assert told.exit == 0
    assert told.out.startswith(f"O467: {entry.meaning}\n")
    assert entry.cause in told.out
    assert entry.way_out in told.out


@pytest.mark.parametrize(
    ("code", "leaves"), [("O467", 2), ("D202", 3), ("M321", 4), ("F404", 4), ("F401", 5), ("X901", 70)]
)
def test_as_data_it_has_the_exit_code_too(likely_says: Command, code: str, leaves: int) -> None:
    told = likely_says("explain-error", code, "--json").document
    assert (told["code"], told["exit"]) == (code, leaves)
    assert {"meaning", "cause", "way_out", "section", "topic"} <= set(told)


@pytest.mark.parametrize(("said", "near"), [("D2022", "D2"), ("o46", "O"), ("U1101", "U11")])
def test_an_unknown_code_names_the_nearest(likely_says: Command, said: str, near: str) -> None:
    told = likely_says("explain-error", said)
    assert told.exit == USAGE
    assert told.err.startswith(f"[U117] there is no error code {said!r}")
    assert f"Did you mean '{near}" in told.err


@pytest.mark.parametrize("said", ["", "likely", "Ω", "\x1b[31m"])
def test_what_is_no_code_at_all_is_refused_kindly(likely_says: Command, said: str) -> None:
    told = likely_says("explain-error", said)
    assert told.exit == USAGE
    assert "[U117]" in told.err
    assert "\x1b" not in told.err
