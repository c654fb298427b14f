"""Files of networks and tables that are damaged are refused in words, or read; never more than that."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from . import fuzz_networks, fuzz_tables
from .limited import FINE


@pytest.mark.parametrize("kind", [fuzz_networks, fuzz_tables])
def test_a_few_mutations(kind: ModuleType, tmp_path: Path) -> None:
    found = {number: kind.tried(number, tmp_path / "one.file") for number in range(45)}
    wrong = {number: result for number, result in found.items() if result not in FINE}
    assert not wrong, kind.told(wrong)


def test_a_damaged_page_of_arrow_in_a_footer_is_told(tmp_path: Path) -> None:
    for number in (60, 532):
        assert fuzz_tables.tried(number, tmp_path / "one.file") == "refused"


def test_a_number_that_was_taken_away_is_no_mark(tmp_path: Path) -> None:
    assert fuzz_networks.tried(458, tmp_path / "one.file") in FINE


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "many"), [(fuzz_networks, 4_000), (fuzz_tables, 1_000)])
def test_thousands_of_mutations(kind: ModuleType, many: int) -> None:
    """In processes that end beyond 2 s of the processor or 512 MB."""
    found = kind.fuzz(range(many))
    wrong = {number: result for number, result in found.items() if result not in FINE}
    assert len(found) == many
    assert not wrong, kind.told(wrong)
