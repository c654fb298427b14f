"""Walking the package finds every member, and every law is tried on some of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from likely import checks
from likely.checks.runner import Case
from likely.core.schema import KINDS
from likely.data import Labels, open_source
from likely.data.files.formats import FORMAT_ENDINGS
from likely.families.defaults import FAMILIES
from likely.families.multivariate import Multivariate
from likely.families.windows import Windows
from likely.statistics import STATISTICS

CASES = list(checks.cases(seed=0, rows=12))
# AnDE counts columns three by three, which takes its time: its other laws are tried in test_classifiers.py, on fewer
ON_ALL_KINDS = ("check_leave_one_out_is_refit", "check_save_load", "check_explanation_sums_to_prediction")
TRIED = [
    pytest.param(
        case,
        id=f"{case.law}-{case.member}",
        marks=[pytest.mark.slow] if case.member == "AnDE" and case.law not in ON_ALL_KINDS else [],
    )
    for case in CASES
]


@pytest.mark.parametrize("case", TRIED)
def test_every_law_on_every_member(case: Case) -> None:
    case.check()


def test_every_statistic_is_asked_for() -> None:
    assert set(checks.statistics().values()) == set(STATISTICS.values())


def test_every_belief_is_public() -> None:
    import likely.beliefs

    assert set(checks.beliefs()) == set(likely.beliefs.__all__) - {"bayes_rule"}


def test_every_kind_has_one_family() -> None:
    kinds = sorted(kind for family in FAMILIES for kind in family.kinds)
    assert kinds == sorted([*KINDS, "cut"])  # which no user names: what models make of numbers
    densities = {Multivariate, Windows}  # which take the place of a family
    assert {type(family) for family in FAMILIES} | densities == {type(one) for one in checks.families().values()}


def test_every_engine_has_an_opening(tmp_path: Path) -> None:
    table = checks.table()
    reached = set()
    for name, opening in checks.openings().items():
        some = table.only([column for column, kind in table.kinds.items() if kind in opening.kinds])
        (tmp_path / name).mkdir()
        labels = None if opening.target else Labels.read(some.y)
        reached.add(type(open_source(opening.open(some, tmp_path / name), labels=labels)))
    assert reached == set(checks.engines().values())


def test_every_format_has_an_opening() -> None:
    assert {".csv", ".parquet", ".arff"} <= set(FORMAT_ENDINGS)
    assert {ending for ending in FORMAT_ENDINGS if ending.removeprefix(".") not in checks.openings()} == {
        ".tsv",
        ".txt",
        ".data",
        ".dat",
        ".test",
        ".tab",
        ".pq",
        ".jsonl",
        ".ndjson",
        ".json",
        ".xlsx",
        ".xlsm",
    }


def test_every_law_is_public_and_tried() -> None:
    public = {name for name in checks.__all__ if name.startswith("check_")}
    used_by_others = {"check_same", "check_learnt_by_hand", "check_engines_agree"}
    assert {case.law for case in CASES} | used_by_others == public
    assert checks.__all__ == sorted(set(checks.__all__))


def test_run_prints_a_line_a_law(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise AssertionError("it does not")

    made = [Case("check_peace", "dove", lambda: None), Case("check_peace", "hawk", broken)]
    monkeypatch.setattr("likely.checks.runner.cases", lambda seed, rows: made)
    assert checks.run() == 1
    printed = capsys.readouterr().out
    assert "FAILS  peace (2)\n  hawk: AssertionError: it does not" in printed
