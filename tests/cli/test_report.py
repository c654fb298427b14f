"""likely report: a page from a file, from a model file, as JSON, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from likely.cli.main import run
from tests.report.conftest import loans


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    loans(60).to_csv("loans.csv", index=False)
    return tmp_path / "loans.csv"


def test_a_page_named_after_its_rows(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["report", str(table), "-t", "default", "-m", "naive,tan"]) == 0
    told = capsys.readouterr().out
    assert "saved to loans-report.html" in told
    page = Path("loans-report.html").read_text("utf-8")
    assert "--target default --model naive,tan -o loans-report.html" in page


def test_json_is_the_content_of_the_page(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run(["report", str(table), "-t", "default", "-m", "naive", "-o", "a.html", "--json", "--language", "zh"]) == 0
    )
    told = json.loads(capsys.readouterr().out)
    assert told["output"] == "a.html"
    assert told["language"] == "zh"
    assert told["performance"]["rows"] == 60
    assert '<html lang="zh">' in Path("a.html").read_text("utf-8")


@pytest.mark.parametrize("recalibrate", [[], ["--recalibrate", "platt"]])
def test_a_model_file_is_judged_in_folds_of_its_own_rows(
    table: Path, capsys: pytest.CaptureFixture[str], recalibrate: list[str]
) -> None:
    assert run(["fit", str(table), "-t", "default", "-o", "m.likely", "-q", *recalibrate]) == 0
    assert run(["report", str(table), "-m", "m.likely", "-o", "m.html", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["performance"]["method"] == "cross_validation"
    loans(50).to_csv("later.csv", index=False)
    assert run(["report", "later.csv", "-m", "m.likely", "-o", "m.html", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["performance"]["method"] == "as they are"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("-t default -o page.pdf", "O121"),
        ("-t default --language fr", "O705"),
        ("-t defualt", "S207"),
        ("", "U103"),
        ("-t default -m m.likely", "U110"),
        ("-m m.likely,naive", "U110"),
        ("-t default -m naiv", "O119"),
    ],
)
def test_what_is_refused(table: Path, capsys: pytest.CaptureFixture[str], words: str, code: str) -> None:
    assert run(["report", str(table), *words.split()]) != 0
    assert f"[{code}]" in capsys.readouterr().err
    assert not list(table.parent.glob("*.html"))
