"""`likely surface`: tables, pictures and pages of where the decision changes, from the command line."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import likely
from likely.surfaces import bayes_error, surface
from tests.cli.conftest import Command

LINE = ("--target", "sex", "--features", "height_cm,weight_kg", "--model", "qda,parzen", "--priors", "0.5,0.8")
BEGINS = {".png": b"\x89PNG", ".pdf": b"%PDF"}


def students(rows: int, seed: int) -> pd.DataFrame:
    """Three numbers that two classes differ in, some missing, a column of words and one without spread."""
    rng = np.random.default_rng(seed)
    male = rng.random(rows) < 0.6
    values = rng.normal(np.where(male[:, None], [175, 67, 42], [163, 54, 37.5]), [6, 7, 1.5]).round()
    frame = pd.DataFrame(values, columns=["height_cm", "weight_kg", "shoe_eu"])
    frame.loc[::17, "height_cm"] = np.nan
    return frame.assign(hair=np.where(rng.random(rows) < 0.5, "dark", "fair"), sex=np.where(male, "male", "female"))


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures that nobody names a place for land in a folder of their own."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with students.csv and later.csv, flowers.csv of three classes, and 学生.csv."""
    folder = tmp_path_factory.mktemp("school")
    seen = students(120, 0)
    seen.to_csv(folder / "students.csv", index=False)
    students(40, 1).to_csv(folder / "later.csv", index=False)
    seen.assign(same=5.0).to_csv(folder / "same.csv", index=False)
    seen[["hair", "sex"]].to_csv(folder / "words.csv", index=False)
    seen[seen["sex"] == "male"].to_csv(folder / "men.csv", index=False)
    names = {"height_cm": "身高", "weight_kg": "体重", "shoe_eu": "鞋码", "sex": "性别"}
    seen.rename(columns=names).replace({"male": "男", "female": "女"}).to_csv(folder / "学生.csv", index=False)
    rng = np.random.default_rng(2)
    kind = np.repeat(["iris", "lily", "rose"], 30)
    flowers = rng.normal(np.repeat([[0, 0, 0], [3, 1, 2], [1, 4, 3]], 30, axis=0), 1.0)
    pd.DataFrame(flowers, columns=["a", "b", "c"]).assign(d=1 + rng.random(90), kind=kind).to_csv(
        folder / "flowers.csv", index=False
    )
    return folder


def test_a_picture_and_a_table(school: Path, tmp_path: Path, likely_says: Command) -> None:
    said = likely_says("surface", school / "students.csv", *LINE, "-o", tmp_path / "surfaces.svg")
    assert (said.exit, said.err) == (0, "")
    lines = said.out.splitlines()
    assert all(len(line) <= 80 for line in lines if "/" not in line)
    rows = [line.split() for line in lines if line.split() and line.split()[0] in ("qda", "parzen")]
    assert [row[:3] for row in rows] == [
        ["qda", "0.5", "hyperbola"],
        ["qda", "0.8", "hyperbola"],
        ["parzen", "0.5", "contour"],
        ["parzen", "0.8", "contour"],
    ]
    drawn = (tmp_path / "surfaces.svg").read_text(encoding="utf-8")
    assert drawn.startswith("<?xml")
    assert drawn.count('id="boundary') >= 4


def test_the_document_says_what_the_library_says(school: Path, likely_says: Command) -> None:
    words = ("surface", school / "students.csv", *LINE, "--test", school / "later.csv", "--json")
    told = likely_says(*words).document
    assert (told["classes"], told["picture"], told["roc"]) == (["female", "male"], "students-surface.png", None)
    assert [(one["model"], one["priors"]["male"]) for one in told["surfaces"]] == [
        (name, pytest.approx(prior)) for name in ("qda", "parzen") for prior in (0.5, 0.8)
    ]
    rows, later = (pd.read_csv(school / name) for name in ("students.csv", "later.csv"))
    columns = ["height_cm", "weight_kg"]
    model = likely.GaussianBayes().fit(rows[columns], rows["sex"]).with_priors({"female": 0.2, "male": 0.8})
    one = told["surfaces"][1]
    assert one["boundary"] == surface(model, columns, X=rows).kind
    assert one["bayes_error"] == pytest.approx(bayes_error(model, columns)[0], abs=1e-12)
    assert (one["rows"], one["errors"]) == (120, int((model.predict(rows[columns]) != rows["sex"]).sum()))
    alone = model.classes_[model.leave_one_out(rows[columns], rows["sex"]).argmax(axis=1)]
    assert one["errors_left_out"] == int((alone != rows["sex"]).sum())
    assert (one["test_rows"], one["test_errors"]) == (40, int((model.predict(later[columns]) != later["sex"]).sum()))


def test_of_one_number_all_thresholds_are_told(school: Path, likely_says: Command) -> None:
    words = ("surface", school / "students.csv", "--target", "sex", "-f", "weight_kg", "-f", "weight_kg,shoe_eu")
    line, plane = likely_says(*words, "--json").document["surfaces"]
    rows = pd.read_csv(school / "students.csv")
    model = likely.GaussianBayes().fit(rows[["weight_kg"]], rows["sex"])
    at = model.predict_log_proba(pd.DataFrame({"weight_kg": line["thresholds"]}))
    np.testing.assert_allclose(at[:, 0], at[:, 1], atol=1e-8)
    assert line["boundary"] == f"{len(line['thresholds'])} points"
    assert "thresholds" not in plane
    said = likely_says(*words).out
    assert ", ".join(f"{place:.4g}" for place in line["thresholds"]) in said


@pytest.mark.parametrize("ending", BEGINS)
def test_forms_of_pictures_and_quiet(school: Path, tmp_path: Path, likely_says: Command, ending: str) -> None:
    place, curves = tmp_path / f"p{ending}", tmp_path / f"r{ending}"
    words = ("surface", school / "学生.csv", "-t", "性别", "-f", "身高,体重", "-o", place, "--roc", curves)
    assert likely_says(*words, "--quiet") == (0, "", "")
    for drawn in (place, curves):
        assert drawn.read_bytes().startswith(BEGINS[ending])


def test_a_page_to_turn_around(school: Path, tmp_path: Path, likely_says: Command) -> None:
    place = tmp_path / "turn.html"
    words = ("surface", school / "学生.csv", "-t", "性别", "-f", "身高,体重,鞋码", "-o", place)
    assert likely_says(*words, "--priors", "女=0.3,男=0.7").exit == 0  # one prior, said of both classes
    page = place.read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "身高" in page
    assert '"priors":[0.3' in page
    for more in (("--priors", "0.3,0.7"), ("--model", "qda,lda"), ("-f", "身高")):
        said = likely_says(*words, *more)
        assert (said.exit, said.err[:6]) == (2, "[U116]")
    assert place.read_text(encoding="utf-8") == page


def test_three_classes(school: Path, tmp_path: Path, likely_says: Command) -> None:
    place, curves = tmp_path / "f.png", tmp_path / "r.png"
    words = ("surface", school / "flowers.csv", "-t", "kind", "-f", "a,b")
    priors = ("--priors", "uniform", "--priors", "iris=.2,lily=.2,rose=.6")
    told = likely_says(*words, *priors, "-o", place, "--roc", curves, "--json").document
    assert [one["priors"]["rose"] for one in told["surfaces"]] == pytest.approx([1 / 3, 0.6])
    assert all(drawn.read_bytes().startswith(BEGINS[".png"]) for drawn in (place, curves))
    assert "0.333 each" in likely_says(*words, "--priors", "uniform").out
    said = likely_says(*words, "--priors", "0.5,0.8")
    assert (said.exit, said.err[:6]) == (2, "[U115]")
    assert "iris=0.33,lily=0.33,rose=0.33" in said.err


def test_priors_of_both_classes_are_marked_on_the_curve(school: Path, tmp_path: Path, likely_says: Command) -> None:
    place, drawn = tmp_path / "r.svg", []
    words = ("surface", school / "students.csv", "-t", "sex", "-f", "height_cm", "--roc", place)
    for priors in ("0.25", "female=0.75,male=0.25"):
        assert likely_says(*words, "--priors", priors).exit == 0
        drawn.append(place.read_bytes())
    assert drawn[0] == drawn[1]


REFUSED: list[tuple[str, str, tuple[str, ...], str]] = [
    ("students.csv", "U113", ("-f", "height_cm,weigth_kg"), "Did you mean 'weight_kg'?"),
    ("students.csv", "U113", ("-f", "height_cm,sex"), "is the target"),
    ("students.csv", "U112", ("-f", "height_cm,height_cm"), "different columns"),
    ("students.csv", "U112", ("-f", ""), "no column is named"),
    ("students.csv", "O422", ("-f", "height_cm,hair"), "the numbers are 'height_cm'"),
    ("students.csv", "O119", ("-f", "height_cm", "-m", "qdaa"), "Did you mean 'qda'?"),
    ("students.csv", "U114", ("-f", "height_cm", "-m", ","), "naive, naive-map"),
    ("students.csv", "O124", ("-f", "height_cm", "--set", "covarience=full"), "Did you mean 'covariance'?"),
    ("students.csv", "O426", ("-f", "height_cm", "--priors", "femal=.3,male=.7"), "Did you mean 'female'?"),
    ("students.csv", "U115", ("-f", "height_cm", "--priors", "1.5"), "female=0.5,male=0.5"),
    ("students.csv", "U107", ("-f", "height_cm", "--priors", "half"), "0.5,0.8"),
    ("students.csv", "U110", ("-f", "height_cm", "--roc", "old.png"), "another file"),
    ("same.csv", "O424", ("-f", "height_cm,same"), "leave it out"),
    ("flowers.csv", "U112", ("-t", "kind"), "'a', 'b', 'c', 'd'"),
    ("words.csv", "U112", (), "is this the right file?"),
    ("men.csv", "O428", ("-f", "height_cm"), "two classes or more"),
]


@pytest.mark.parametrize(
    ("file", "code", "words", "hint"), REFUSED, ids=[" ".join(one[1:2] + one[2]) for one in REFUSED]
)
def test_refusals_keep_the_old_file(
    school: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    likely_says: Command,
    file: str,
    code: str,
    words: tuple[str, ...],
    hint: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("old.png").write_text("old", encoding="utf-8")
    said = likely_says("surface", school / file, "-t", "sex", *words, "-o", "old.png")
    assert (said.exit, said.out) == (2, "")
    assert said.err.startswith(f"[{code}]")
    assert hint in said.err
    assert (Path("old.png").read_text(encoding="utf-8"), os.listdir()) == ("old", ["old.png"])


def test_places_that_cannot_be_written(school: Path, tmp_path: Path, likely_says: Command) -> None:
    words: tuple[Any, ...] = ("surface", school / "students.csv", "-t", "sex", "-f", "height_cm")
    for place, code in ((tmp_path / "no" / "p.png", "F401"), (tmp_path / "p.jpg", "O121")):
        assert likely_says(*words, "-o", place).err.startswith(f"[{code}]")
    assert likely_says(*words, "--roc", tmp_path / "p.html").err.startswith("[O121]")


def test_a_curve_that_cannot_be_drawn_takes_neither_the_answer_nor_the_other_picture(
    school: Path, tmp_path: Path, likely_says: Command
) -> None:
    place = tmp_path / "old.png"
    place.write_text("old", encoding="utf-8")
    words = ("-t", "sex", "-f", "height_cm", "--test", school / "men.csv", "-o", place, "--roc", tmp_path / "r.png")
    said = likely_says("surface", school / "students.csv", *words)
    assert (said.exit, said.err[:6]) == (2, "[O330]")
    assert place.read_bytes()[:4] == BEGINS[".png"]
    assert "height_cm" in said.out
    assert f"picture: {place}" in said.out
    assert "roc:" not in said.out


def test_a_picture_is_drawn_where_nobody_says_where(school: Path, tmp_path: Path, likely_says: Command) -> None:
    words = ("surface", school / "students.csv", "-t", "sex", "-f", "height_cm")
    assert "picture: students-surface.png" in likely_says(*words).out
    Path("students-surface.png").unlink()
    assert "picture:" not in likely_says(*words, "--no-picture").out
    assert not list(tmp_path.iterdir())
