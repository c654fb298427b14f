"""Models of files that write a column in different ways: one reading where it does for both, else told or refused."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import likely
from likely.errors import SchemaError, SchemaWarning

ROWS = 60


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def model(name: str, cell: str, column: str = "x") -> likely.NaiveBayes:
    """A model of a file whose cells are a pattern with the row in it: {n} is a number, {day} a day of a month."""
    cells = [cell.format(n=10 + row, day=13 + row % 15, f=row % 90 + 10) for row in range(ROWS)]
    Path(name).write_text(f"{column}\ty\n" + "".join(f"{one}\t{'ab'[row % 2]}\n" for row, one in enumerate(cells)))
    return likely.fit(name, "y")


ONE_READING = [
    ("${n}.5", "{n}.5"),
    ("{n}.5", "${n}.5"),
    ("1,{n}0", "{n}.25"),
    ("{n},5 €", "€ {n}"),
    ("{n}", "1.{n}0,75"),
    ("{n} kg", "{n}"),
    ("{n} year", "{n} years"),
    ("$ {n}", "{n} $"),
]


@pytest.mark.parametrize(("one", "other"), ONE_READING)
def test_one_reading_does_for_both_where_it_can(one: str, other: str) -> None:
    here, there = model("one.tsv", one), model("other.tsv", other)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for merged in (here.merge(there), there.merge(here)):
            for name in ("one.tsv", "other.tsv"):
                assert len(merged.predict(name)) == ROWS


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ("1.{n}0,56 €", "€1,{n}0.56", "numbers (€ behind, thousands parted by '.', ',' before the fraction)"),
        ("{n},5", "{n}.5", "numbers (',' before the fraction)"),
        ("{day}/03/2024", "03/{day}/2024", "dates (d/m/y)"),
        ("{day}.03.2024", "2024-03-{day}", "dates (d.m.y)"),
    ],
)
def test_what_one_reading_cannot_do_is_told(one: str, other: str, told: str) -> None:
    here, there = model("one.tsv", one), model("other.tsv", other)
    with pytest.warns(SchemaWarning, match="column 'x' is .* in one model and .* in the other") as found:
        merged = here.merge(there)
    assert [f"later rows are read as {told}, and are to be written so" in str(each.message) for each in found] == [True]
    assert len(merged.predict("one.tsv")) == ROWS
    assert all(told in note.text for note in merged.notes_ if note.code == "read")


@pytest.mark.parametrize(
    ("one", "other", "code"),
    [
        ("{n} kg", "{n} lb", "S215"),
        ("{n}.5K", "{n}%", "S215"),
        ("{n} K", "{n}.5M", "S215"),
        ("{n} min", "2h {n}m", "S215"),
        ("${n}", "{n} kg", "S215"),
        ("${n}", "{n} €", "S215"),
    ],
)
def test_readings_of_other_things_are_refused(one: str, other: str, code: str) -> None:
    here, there = model("one.tsv", one), model("other.tsv", other)
    for left, right in ((here, there), (there, here)):
        with pytest.raises(SchemaError, match=code) as refused:
            left.merge(right)
        assert refused.value.place == "column 'x'"
        assert "kinds={'x': 'skip'}" in str(refused.value.hint)


def test_dates_and_numbers_are_no_column_of_both() -> None:
    with pytest.raises(SchemaError):
        model("one.tsv", "2024-03-{day}").merge(model("other.tsv", "{n}.5"))
