"""Losses: by name, matrix, mapping and file, and every way they can be wrong."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely.decisions import LOSSES, read_loss
from likely.errors import OptionError

WORDS = ["benign", "malignant", "unsure"]


def test_nothing_said_is_zero_one() -> None:
    assert read_loss(None, WORDS).tolist() == read_loss("zero-one", WORDS).tolist() == (1 - np.eye(3)).tolist()


@pytest.mark.parametrize(("name", "power"), [("absolute", 1), ("squared", 2)])
def test_named_losses_measure_values_or_places(name: str, power: int) -> None:
    assert read_loss(name, [1, 2, 5]).tolist() == [[abs(a - b) ** power for b in (1, 2, 5)] for a in (1, 2, 5)]
    assert read_loss(name, [0.5, 2.5]).tolist() == [[0, 2**power], [2**power, 0]]
    assert read_loss(name, [False, True]).tolist() == [[0, 1], [1, 0]]
    assert read_loss(name, WORDS).tolist() == [[abs(a - b) ** power for b in range(3)] for a in range(3)]


def test_every_name_is_a_loss_without_cost_for_the_truth() -> None:
    for name in LOSSES:
        assert (np.diag(read_loss(name, WORDS)) == 0).all()


def test_the_matrix_given_is_neither_kept_nor_changed() -> None:
    given_matrix = np.array([[0.0, 5.0], [1.0, 0.0]])
    found = read_loss(given_matrix, [0, 1])
    found[0, 0] = 9
    assert given_matrix[0, 0] == 0


def write(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "true\\decided,benign,malignant,unsure\nbenign,0,1,2\nmalignant,20,0,3\nunsure,4,5,0\n"),
        ("b.csv", "\ufeff,unsure,malignant,benign\r\nunsure,0,5,4\r\nmalignant,3,0,20\r\n\r\nbenign,2,1,0\r\n"),
        ("c.tsv", "\tbenign\tmalignant\tunsure\nmalignant\t20\t\t3\nbenign\t\t\t2\nunsure\t4\t5\t\n"),
        (
            "d.csv",
            "true,decided,cost\nmalignant,benign,20\nmalignant,unsure,3\nbenign,unsure,2\nunsure,benign,4\nunsure,malignant,5\n",
        ),
        (
            "e.CSV",
            'Cost,True,Decided\n20,"malignant",benign\n3, malignant ,unsure\n2,benign,unsure\n'
            "4,unsure,benign\n5,unsure,malignant",
        ),
        (
            "f.json",
            '{"malignant": {"benign": 20, "unsure": 3}, "benign": {"unsure": 2},\n'
            ' "unsure": {"benign": 4, "malignant": 5}}',
        ),
    ],
)
def test_files_of_every_form_say_the_same(tmp_path: Path, name: str, text: str) -> None:
    path = write(tmp_path, name, text)
    for given_path in (path, str(path)):
        assert read_loss(given_path, WORDS).tolist() == [[0, 1, 2], [20, 0, 3], [4, 5, 0]]


@pytest.mark.parametrize(
    ("classes", "labels"),
    [
        ([0, 1], ("0", "1")),
        ([0, 1], ("0.0", "1e0")),
        ([False, True], ("False", "True")),
        ([False, True], ("false", "TRUE")),
        ([0.5, 2], (".5", "2")),
        (["0", "1"], ("0", "1")),
        ([" a", "a"], (" a", "a")),
        (["好", "坏"], ("好", "坏")),
    ],
)
def test_labels_match_by_their_text(tmp_path: Path, classes: list[Any], labels: tuple[str, str]) -> None:
    no, yes = labels
    path = write(tmp_path, "loss.csv", f"true,decided,cost\n{yes},{no},7\n")
    assert read_loss(path, classes).tolist() == [[0, 1], [7, 0]]
    path = write(tmp_path, "loss.json", json.dumps({yes: {no: 7}}))
    assert read_loss(path, classes).tolist() == [[0, 1], [7, 0]]


REFUSED_FILES: dict[str, tuple[str, str | bytes, str, str, str]] = {
    "unknown class in a line": ("a.csv", "true,decided,cost\nbenign,malign,1\n", "O321", "a.csv, line 2", "malignant"),
    "unknown class in the header": ("a.csv", ",benign,unsur\nbenign,0,1\n", "O321", "a.csv, line 1", "unsure"),
    "unknown class in JSON": ("a.json", '{"benin": {"unsure": 1}}', "O321", "a.json, 'benin'", "benign"),
    "a cost that is a word": ("a.csv", "true,decided,cost\n\nbenign,unsure,lots\n", "O112", "a.csv, line 3", "0.5"),
    "an empty cost": ("a.csv", "true,decided,cost\nbenign,unsure,\n", "O112", "a.csv, line 2", ""),
    "a cost of nan": ("a.csv", ",benign\nunsure,nan\n", "O112", "a.csv, line 2", ""),
    "an infinite cost": ("a.json", '{"benign": {"unsure": Infinity}}', "O112", "a.json", ""),
    "a cost of true": ("a.json", '{"benign": {"unsure": true}}', "O112", "a.json", ""),
    "a cost of null": ("a.json", '{"benign": {"unsure": null}}', "O112", "a.json", ""),
    "a huge whole number": ("a.json", '{"benign": {"unsure": 1' + "0" * 400 + "}}", "O112", "a.json", ""),
    "an endless number": ("a.json", '{"benign": {"unsure": 1' + "0" * 9000 + "}}", "O303", "a.json", ""),
    "a pair twice": (
        "a.csv",
        "true,decided,cost\nbenign,unsure,1\nbenign,unsure,2\n",
        "O303",
        "a.csv, line 3",
        "once",
    ),
    "a row twice": ("a.csv", ",benign\nunsure,1\nunsure,1\n", "O303", "a.csv, line 3", ""),
    "a column twice": ("a.csv", ",benign,benign\nunsure,1,2\n", "O303", "a.csv, line 1", ""),
    "a JSON name twice": ("a.json", '{"benign": {"unsure": 1, "unsure": 2}}', "O303", "a.json", "once"),
    "a short line": ("a.csv", ",benign,unsure\nunsure,1\n", "O303", "a.csv, line 2", ""),
    "a long line": ("a.csv", "true,decided,cost\nbenign,unsure,1,2\n", "O303", "a.csv, line 2", ""),
    "semicolons": ("a.csv", ";benign;unsure\nbenign;0;1\n", "O303", "a.csv, line 1", "commas"),
    "commas in a TSV": ("a.tsv", ",benign,unsure\nbenign,0,1\n", "O303", "a.tsv, line 1", "tabs"),
    "an empty file": ("a.csv", "", "O303", "a.csv", ""),
    "only a header": ("a.csv", "true,decided,cost\n", "O303", "a.csv", ""),
    "an open quote": ("a.csv", 'true,decided,cost\n"benign,unsure,1\n', "O303", "a.csv, line 2", "quotes"),
    "a field without end": ("a.csv", ",benign\n" + "x" * 200_000 + ",1\n", "O303", "a.csv, line 2", ""),
    "zero bytes": ("a.csv", b"true,decided,cost\nben\x00ign,unsure,1\n", "O321", "a.csv, line 2", ""),
    "not text": ("a.csv", b"\xff\xfe,\x00b\x00", "O302", "a.csv", "UTF-8"),
    "too large": ("a.csv", b"x" * ((1 << 24) + 1), "O302", "a.csv", ""),
    "broken JSON": ("a.json", '{"benign":\n {"unsure": 1,}\n}', "O303", "a.json, line 2", ""),
    "empty JSON": ("a.json", "{}", "O303", "a.json", ""),
    "a JSON list": ("a.json", "[[0, 1], [1, 0]]", "O303", "a.json", "{true: {decided: cost}}"),
    "flat JSON": ("a.json", '{"benign": 1}', "O303", "a.json", ""),
    "deep JSON": ("a.json", "[" * 200_000, "O303", "a.json", ""),
}


@pytest.mark.parametrize("case", REFUSED_FILES)
@pytest.mark.parametrize("limit", [1 << 17, 1 << 30])
def test_a_bad_file_is_named_with_its_line(tmp_path: Path, case: str, limit: int, request: Any) -> None:
    """Whatever another part of the program takes for a long field."""
    before = csv.field_size_limit(limit)
    request.addfinalizer(lambda: csv.field_size_limit(before))
    name, text, code, place, hint = REFUSED_FILES[case]
    with pytest.raises(OptionError) as caught:
        read_loss(write(tmp_path, name, text), WORDS)
    error = caught.value
    assert (error.code, place in error.place, hint in error.hint) == (code, True, True), error
    assert error.hint


@pytest.mark.parametrize(
    ("loss", "code"),
    [
        ("nowhere.csv", "O302"),
        (Path("nowhere.json"), "O302"),
        ("\0.csv", "O302"),
        ("zero-oen", "O301"),
        ("loss.xlsx", "O301"),
        ("", "O301"),
        ([[0, 1], [1, 0]], "O111"),
        ([[0, 1, 2], [1, 0], [1]], "O311"),
        ([["a", "b", "c"]] * 3, "O311"),
        (7, "O111"),
        (np.full((3, 3), np.nan), "O112"),
        (np.full((3, 3), 1e200), "O112"),
        (object(), "O311"),
        ({("benign", "malign"): 1}, "O321"),
        ({"benign": {"malign": 1}}, "O321"),
        ({("benign", "unsure"): "x"}, "O112"),
        ({("benign", "unsure"): None}, "O112"),
        ({("benign", "unsure"): float("inf")}, "O112"),
        ({"ab": 1}, "O310"),
        ({("benign",): 1}, "O310"),
    ],
)
def test_refused(loss: Any, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OptionError) as caught:
        read_loss(loss, WORDS)
    assert caught.value.code == code
    assert caught.value.place
    assert caught.value.hint


def test_a_name_close_by_is_suggested() -> None:
    with pytest.raises(OptionError, match="Did you mean 'zero-one'"):
        read_loss("zero-oen", WORDS)


def test_class_values_that_overflow_are_refused() -> None:
    with pytest.raises(OptionError) as caught:
        read_loss("squared", [-1e200, 1.5])
    assert caught.value.code == "O112"


COSTS = st.floats(-1e6, 1e6)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.text(min_size=1, max_size=6), min_size=2, max_size=4, unique_by=str.strip), st.data())
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, classes: list[str], data: Any) -> None:
    size = len(classes)
    matrix = data.draw(st.lists(st.lists(COSTS, min_size=size, max_size=size), min_size=size, max_size=size))
    pairs = [(true, decided) for true in range(size) for decided in range(size)]
    folder = tmp_path_factory.mktemp("losses")
    long, nested = folder / "long.csv", folder / "nested.json"
    with open(long, "w", newline="", encoding="utf-8") as file:
        lines = [[classes[true], classes[decided], repr(matrix[true][decided])] for true, decided in pairs]
        csv.writer(file).writerows([["true", "decided", "cost"], *lines])
    nested.write_text(
        json.dumps({name: dict(zip(classes, row, strict=True)) for name, row in zip(classes, matrix, strict=True)}),
        encoding="utf-8",
    )
    mapping = {(classes[true], classes[decided]): matrix[true][decided] for true, decided in pairs}
    for loss in (matrix, mapping, long, nested):
        assert read_loss(loss, classes).tolist() == matrix


def test_classes_and_costs_without_end() -> None:
    assert read_loss(None, [0, 10**400]).tolist() == [[0, 1], [1, 0]]
    for call, code in (
        (lambda: read_loss("absolute", [0, 10**400]), "O112"),
        (lambda: read_loss("squared", [-(10**400), 0, 1]), "O112"),
        (lambda: read_loss([[0, 10**400], [1, 0]], ["a", "b"]), "O311"),
        (lambda: read_loss({("a", "b"): 10**400}, ["a", "b"]), "O112"),
    ):
        with pytest.raises(OptionError, match=code):
            call()
