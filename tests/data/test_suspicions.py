"""Columns that repeat others, tell the target by themselves, or number rows and people are named; others are not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import likely
from likely.cli.main import run
from likely.core.identifiers import named_as_identifier
from likely.errors import SchemaWarning
from likely.estimators.fit_and_load import columns_of
from likely.estimators.suspicions import suspicious_columns


def table(rows: int = 300) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    churn = rng.random(rows) < 0.3
    sex = rng.choice(["M", "F"], rows)
    return pd.DataFrame(
        {
            "member_id": rng.permutation(90_000)[:rows],
            "tally": np.cumsum(rng.integers(1, 5, rows)),
            "income": rng.normal(30_000, 9_000, rows).round(2),
            "paid": rng.integers(1_000, 90_000, rows),
            "paid again": 0,
            "sex": sex,
            "gender": np.where(sex == "M", "man", "woman"),
            "left_on": np.where(churn, rng.integers(1, 30, rows), 0),
            "score": np.where(churn, rng.normal(9, 1, rows), rng.normal(0, 1, rows)),
            "reason": np.where(churn, rng.choice(["price", "moved"], rows), "none"),
            "land": "NL",
            "email": [f"u{at}@example.org" for at in range(rows)],
            "seldom": np.where(np.arange(rows) % 100 == 7, "yes", "no"),
            "once more": np.where(np.arange(rows) % 100 == 7, 1, 0),
            "churn": np.where(churn, "yes", "no"),
        }
    ).assign(**{"paid again": lambda frame: frame["paid"]})


def doubts(frame: pd.DataFrame, target: str) -> dict[str, str]:
    return {column.name: " | ".join(column.suspicions) for column in likely.inspect(frame, target).columns}


def test_what_deserves_a_second_look_is_named_and_nothing_else() -> None:
    told = doubts(table(), "churn")
    for name, words in {
        "member_id": "named as an identifier",
        "tally": "rises from row to row",
        "paid again": "repeats 'paid', and counts twice; to leave it out, say kinds={'paid again': 'skip'}",
        "gender": "says the same as 'sex' in other words",
        "left_on": "tells 'churn' by itself",
        "score": "tells 'churn'",
        "reason": "tells 'churn' by itself",
        "land": "one value in every row",
        "email": "looks like an identifier",
    }.items():
        assert words in told[name], name
    for name in ("income", "paid", "sex", "seldom", "once more"):  # two flags of three rows may be equal by chance
        assert told[name] == "", name


def test_noise_is_not_suspected() -> None:
    rng = np.random.default_rng(1)
    for seed in range(5):
        frame = pd.DataFrame(rng.normal(size=(40, 8)).round(1), columns=list("abcdefgh"))
        frame["flag"] = rng.choice(["x", "y"], 40)
        frame["y"] = rng.choice(["p", "q", "r"], 40)
        assert not any("tells" in told or "repeats" in told for told in doubts(frame, "y").values()), seed


@pytest.mark.parametrize("classes", [2, 4])
def test_a_number_cut_into_the_classes_is_a_leak(classes: int) -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=400)
    y = np.digitize(x, np.quantile(x, np.arange(1, classes) / classes)).astype(str)
    told = doubts(pd.DataFrame({"x": x, "noisy": x + rng.normal(size=400), "y": y}), "y")
    assert "tells 'y'" in told["x"]
    assert told["noisy"] == ""


@pytest.mark.parametrize(
    ("name", "said"),
    [("customer_id", True), ("PassengerId", True), ("ID", True), ("Unnamed: 0", True), ("user uuid", True)]
    + [(name, True) for name in ("DocumentNo", "Invoice No.", "order_nr", "订单编号")]
    + [
        (name, False)
        for name in (
            "bid",
            "paid",
            "humidity",
            "body mass index",
            "acid",
            "identity",
            "grid",
            "x0",
            "",
            "mean NO",
            "casino",
        )
    ],
)
def test_names_of_identifiers(name: str, said: bool) -> None:
    assert named_as_identifier(name) is said


def test_fit_says_so_and_sets_identifiers_aside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame = table().assign(price=lambda rows: rows["income"] * 1.2)
    frame.to_csv(tmp_path / "d.csv", index=False)

    def said(*words: Any) -> Any:
        assert run([str(word) for word in words]) == 0
        return capsys.readouterr()

    told = said("fit", tmp_path / "d.csv", "-t", "churn")
    for words in (
        "'member_id' looks like an identifier and is set aside; to use it, say --kind member_id=real or category",
        "'paid again' repeats 'paid', and counts twice; to leave it out, say --kind 'paid again=skip'",
        "'left_on' tells 'churn' by itself: was it written down after 'churn' was known? if so, say --kind left_on=",
    ):
        assert words in told.err
    assert "2 set aside" in told.out
    assert "'price' tells" not in told.err
    assert "'left_on' tells" not in said("fit", tmp_path / "d.csv", "-t", "churn", "-k", "left_on=skip").err
    assert "'price' tells 'income' by itself" in said("fit", tmp_path / "d.csv", "-t", "income", "-m", "linear").err
    assert "look twice: 'price' tells 'income' by itself" in said("inspect", tmp_path / "d.csv", "-t", "income").out
    kept = said("fit", tmp_path / "d.csv", "-t", "churn", "-k", "member_id=category", "--json")
    assert "member_id" not in kept.err


@pytest.mark.parametrize("unit", [1e300, 1e-300, 1e-310])
def test_what_tells_an_amount_is_found_in_any_unit(unit: float) -> None:
    rng = np.random.default_rng(2)
    y, noise = rng.normal(size=(2, 200))
    some = np.where(np.arange(200) == 7, np.inf, unit * noise)
    source = columns_of(pa.table({"x": unit * y, "some": some, "all one": np.full(200, unit), "y": 1.2e250 * y}))
    assert [name for name, _ in suspicious_columns(source, "y")] == ["x"]


def test_words_named_as_identifiers_need_not_all_differ() -> None:
    rng = np.random.default_rng(3)
    who = [f"p{at}" for at in rng.integers(0, 100, 120)]
    y = rng.choice(["a", "b"], 120)
    with pytest.warns(SchemaWarning, match="'patient_id' looks like an identifier"):
        likely.fit(pd.DataFrame({"patient_id": who, "y": y}), "y")
    assert likely.fit(pd.DataFrame({"place": who, "y": y}), "y").notes_ == ()


@pytest.mark.parametrize(
    ("code", "rest", "said"), [(-99, 0, True), (-999, 0, True), (-98, 0, False), (-99, -30, False)]
)
def test_nines_below_zero_may_stand_for_no_value(code: int, rest: int, said: bool) -> None:
    rng = np.random.default_rng(0)
    age = np.where(np.arange(60) % 9 == 4, code, rng.integers(rest, 80, 60))
    told = doubts(pd.DataFrame({"age": age, "y": rng.choice(["u", "v"], 60)}), "y")["age"]
    assert (f"'age' is {code} in several rows and else never below 0" in told) is said


def _numbers(low: float, high: float, rows: int = 200) -> np.ndarray:
    return np.random.default_rng(0).integers(int(low), int(high), rows)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (_numbers(13e9, 19e9), True),  # phones
        (_numbers(1e10, 1e11), True),  # of people
        (_numbers(4e15, 5e15), True),  # cards
        (_numbers(1e17, 9e17), True),  # orders, longer than a double is exact
        (_numbers(4e15, 5e15).astype(float), True),  # as beside missing values
        (np.where(np.arange(200) % 40, _numbers(1e10, 1e11), np.nan), True),
        (_numbers(1e9, 9e9), False),  # ten digits
        (_numbers(1.6e12, 1.8e12), False),  # thousandths of seconds since 1970
        (np.tile(_numbers(1e10, 1e11, 20), 10), False),  # groups
        (10 ** np.random.default_rng(0).uniform(10, 15, 200) // 1, False),  # amounts
        (_numbers(1e10, 1e11) + 0.5, False),
        (np.random.default_rng(0).uniform(1e18, 9e18, 200), False),  # measured, and whole for want of digits
    ],
)
def test_long_whole_numbers_hardly_any_of_them_twice_may_be_identifiers(values: np.ndarray, said: bool) -> None:
    told = doubts(pd.DataFrame({"number": values, "y": ["a", "b"] * 100}), "y")["number"]
    assert ("'number' holds long whole numbers" in told and "kinds={'number': 'skip'}" in told) == said


@pytest.mark.parametrize(
    ("amounts", "told"),
    [
        (
            [f"{'$€'[at % 2]}{at},25" for at in range(60)],
            "several currencies ('$', '€'), which cannot be compared, and is",
        ),
        (
            ["5 USD", "7 EUR", "9 EUR"] * 20,
            "several currencies ('EUR', 'USD'), which cannot be compared, and is read as",
        ),
        ([f"{'AB'[at % 2]}{at}" for at in range(60)], "looks like an identifier"),
    ],
)
def test_amounts_in_several_currencies_are_called_so(amounts: list[str], told: str) -> None:
    found = doubts(pd.DataFrame({"price": amounts, "y": ["a", "b"] * 30}), "y")["price"]
    assert told in found
    assert ("identifier" in found) == ("identifier" in told)


def test_sizes_of_a_table_and_shares_are_said_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    file = Path("one.csv")
    file.write_text("month,y\n" + "".join(f"{'May' if row else 'June'},{'ab'[row % 2]}\n" for row in range(1000)))
    assert run(["inspect", str(file), "-t", "y"]) == 0
    told = capsys.readouterr().out
    assert "1,000 rows, 1 column " in told
    assert "May >99%, June <1% " in told
    file.write_text("n,m\n1,2\n")
    assert run(["inspect", str(file)]) == 0
    assert ": 1 row, 2 columns " in capsys.readouterr().out


def test_shares_count_the_levels_that_there_are() -> None:
    days = [f"2026-03-{1 + row % 28:02}" for row in range(60)]
    month = {one.name: one for one in likely.inspect(pd.DataFrame({"day": days, "y": ["a", "b"] * 30}), "y").columns}
    assert month["day.month"].values == "March 100%"
