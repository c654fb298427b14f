"""`likely network`: networks shown, asked, drawn from, converted and checked, from the command line."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from likely.cli.terminal.failures import DATA, MODEL, OUTPUT, USAGE
from likely.networks import Network
from tests.cli.conftest import Command

# P(rain) = 0.2; the hose is out where it does not rain; grass is wet by either; three levels of slip.
GARDEN = """network garden { }
variable rain { type discrete [ 2 ] { yes, no }; }
variable hose { type discrete [ 2 ] { on, off }; }
variable wet { type discrete [ 2 ] { yes, no }; }
variable slip { type discrete [ 3 ] { none, some, fall }; }
probability ( rain ) { table 0.2, 0.8; }
probability ( hose | rain ) { (yes) 0.01, 0.99; (no) 0.4, 0.6; }
probability ( wet | rain, hose ) { (yes, on) 1.0, 0.0; (yes, off) 0.8, 0.2; (no, on) 0.9, 0.1; (no, off) 0.0, 1.0; }
probability ( slip | wet ) { (yes) 0.5, 0.3, 0.2; (no) 0.9, 0.09, 0.0099997; }
"""
ODD = """network "odd = names" { }
variable "a=b" { type discrete [ 2 ] { "x,y=z", "w:1" }; }
variable 城市 { type discrete [ 2 ] { 上海, 北京 }; }
variable alone { type discrete [ 1 ] { "only" }; }
probability ( "a=b" ) { table 0.25, 0.75; }
probability ( 城市 | "a=b" ) { ("x,y=z") 0.1, 0.9; ("w:1") 0.6, 0.4; }
probability ( alone ) { table 1.0; }
"""
OLD = "what was there before\n"


@pytest.fixture(scope="module")
def shed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with garden.bif, odd.bif, broken.bif and cases.csv of the garden; tests must not write into it."""
    folder = tmp_path_factory.mktemp("shed")
    (folder / "garden.bif").write_text(GARDEN, encoding="utf-8")
    (folder / "odd.bif").write_text(ODD, encoding="utf-8")
    (folder / "broken.bif").write_text(GARDEN.replace("(yes) 0.01", "(yess) 0.01"), encoding="utf-8")
    rows = {"rain": ["yes", None, "no"], "slip": ["fall", "none", None], "day": [1, 2, 3]}
    pd.DataFrame(rows).to_csv(folder / "cases.csv", index=False)
    return folder


@pytest.fixture(scope="module")
def garden() -> dict[tuple[str, ...], float]:
    """The joint distribution of the garden by hand: (rain, hose, wet, slip) -> probability."""
    hose = {"yes": (0.01, 0.99), "no": (0.4, 0.6)}
    wet = {("yes", "on"): 1.0, ("yes", "off"): 0.8, ("no", "on"): 0.9, ("no", "off"): 0.0}
    slip = {"yes": (0.5, 0.3, 0.2), "no": tuple(np.array([0.9, 0.09, 0.0099997]) / 0.9999997)}
    return {
        (r, h, w, s): pr * ph * (wet[r, h] if w == "yes" else 1 - wet[r, h]) * ps
        for r, pr in (("yes", 0.2), ("no", 0.8))
        for h, ph in zip(("on", "off"), hose[r], strict=True)
        for w in ("yes", "no")
        for s, ps in zip(("none", "some", "fall"), slip[w], strict=True)
    }


def chance(joint: dict[tuple[str, ...], float], **levels: str) -> float:
    names = ("rain", "hose", "wet", "slip")
    return sum(p for key, p in joint.items() if all(key[names.index(name)] == said for name, said in levels.items()))


def test_show_counts_what_is_there(shed: Path, likely_says: Command) -> None:
    told = likely_says("network", "show", shed / "garden.bif", "--json").document
    assert [one["name"] for one in told["nodes"]] == ["rain", "hose", "wet", "slip"]
    assert told["arcs"] == [["rain", "hose"], ["rain", "wet"], ["hose", "wet"], ["wet", "slip"]]
    assert (told["roots"], told["leaves"], told["largest_table"]) == (["rain"], ["slip"], "wet")
    assert (told["parameters"], told["entries"]) == (1 + 2 + 4 + 2 * 2, 2 + 4 + 8 + 6)
    assert (told["exact"]["width"], told["exact"]["feasible"]) == (2, True)
    assert "slip" in told["notes"][0]  # a row was scaled
    said = likely_says("network", "show", shed / "garden.bif", "--tables")
    assert said.exit == 0
    assert "P(wet | rain, hose)" in said.out
    assert "11 of them independent" in said.out
    assert "slip" in said.err


def test_show_a_node(shed: Path, likely_says: Command, garden: dict[tuple[str, ...], float]) -> None:
    words = ("network", "show", shed / "garden.bif", "--node", "hose", "-e", "wet=yes")
    told = likely_says(*words, "--json").document
    assert (told["parents"], told["children"], told["markov_blanket"]) == (["rain"], ["wet"], ["rain", "wet"])
    expected = chance(garden, hose="on", wet="yes") / chance(garden, wet="yes")
    assert told["belief"]["probabilities"][0] == pytest.approx(expected, abs=1e-12)
    assert told["table"]["values"] == [[0.01, 0.99], [0.4, 0.6]]
    said = likely_says(*words).out
    assert "P(hose | rain)" in said
    assert "blanket   rain, wet" in said


@pytest.mark.parametrize(("ending", "begins"), [(".svg", b"<?xml"), (".png", b"\x89PNG")])
def test_pictures(shed: Path, tmp_path: Path, likely_says: Command, ending: str, begins: bytes) -> None:
    net, bars = tmp_path / f"网{ending}", tmp_path / f"bars{ending}"
    assert likely_says("network", "show", shed / "odd.bif", "--plot", net, "-e", "城市=上海", "-q") == (0, "", "")
    told = likely_says("network", "query", shed / "odd.bif", "城市", "--plot", bars, "--json").document
    assert told["picture"] == str(bars)
    assert all(place.read_bytes().startswith(begins) for place in (net, bars))


def test_query_agrees_with_enumeration(shed: Path, likely_says: Command, garden: dict[tuple[str, ...], float]) -> None:
    words = ("network", "query", shed / "garden.bif")
    told = likely_says(*words, "rain", "-e", "slip=fall", "--evidence", "hose=off", "--json").document
    both = chance(garden, slip="fall", hose="off")
    expected = [chance(garden, rain=level, slip="fall", hose="off") / both for level in ("yes", "no")]
    np.testing.assert_allclose(told["distribution"]["probabilities"], expected, rtol=0, atol=1e-12)
    assert told["log_probability_of_evidence"] == pytest.approx(np.log(both), abs=1e-12)
    assert told["evidence"] == {"slip": "fall", "hose": "off"}
    again = likely_says(*words, "rain", "-e", "slip=fall,hose=off", "--json").document
    assert again == told
    joint = likely_says(*words, "wet", "rain", "-e", "slip=fall", "--json").document["distribution"]
    expected = [
        [chance(garden, wet=w, rain=r, slip="fall") / chance(garden, slip="fall") for r in ("yes", "no")]
        for w in ("yes", "no")
    ]
    np.testing.assert_allclose(joint["probabilities"], expected, rtol=0, atol=1e-12)
    said = likely_says(*words, "rain", "-e", "slip=fall")
    assert "█" in said.out
    assert f"probability of the evidence: {chance(garden, slip='fall'):.5g}" in said.out


def test_soft_evidence(shed: Path, likely_says: Command, garden: dict[tuple[str, ...], float]) -> None:
    words = ("network", "query", shed / "garden.bif", "rain", "--soft", "slip=fall:0.7,some:0.2", "--json")
    told = likely_says(*words).document["distribution"]["probabilities"]
    weights = [
        0.7 * chance(garden, rain=level, slip="fall") + 0.2 * chance(garden, rain=level, slip="some")
        for level in ("yes", "no")
    ]
    np.testing.assert_allclose(told, np.array(weights) / sum(weights), rtol=0, atol=1e-12)


def test_everything_at_once(shed: Path, likely_says: Command, garden: dict[tuple[str, ...], float]) -> None:
    words = ("network", "query", shed / "garden.bif", "rain", "-e", "slip=fall")
    asked = ("--all", "--most-probable", "--sensitivity")
    told = likely_says(*words, *asked, "--json").document
    assert set(told["marginals"]) == {"rain", "hose", "wet", "slip"}
    assert told["marginals"]["slip"]["probabilities"] == [0, 0, 1]
    seen = {key: p for key, p in garden.items() if key[3] == "fall"}
    best = max(seen, key=seen.__getitem__)
    assert tuple(told["most_probable"]["levels"].values()) == best
    assert told["sensitivity"]["target"] == "rain"
    assert len(told["sensitivity"]["findings"]) == 1
    said = likely_says(*words, *asked)
    assert said.exit == 0
    assert "most probable together" in said.out


@pytest.mark.parametrize("method", ["gibbs", "weighting"])
def test_sampled_answers_have_errors_and_seeds(
    shed: Path, likely_says: Command, garden: dict[tuple[str, ...], float], method: str
) -> None:
    words = ("network", "query", shed / "garden.bif", "rain", "-e", "slip=some", "--method", method, "--draws", 4000)
    told, again, other = (likely_says(*words, "--seed", seed, "--json") for seed in (1, 1, 2))
    assert told == again
    assert told.document["distribution"]["probabilities"] != other.document["distribution"]["probabilities"]
    found = told.document["distribution"]
    expected = chance(garden, rain="yes", slip="some") / chance(garden, slip="some")
    assert abs(found["probabilities"][0] - expected) < 4 * found["errors"][0]
    assert found["effective"] > 50
    if method == "gibbs":  # grass that nothing wets is dry: moves of single nodes do not lead everywhere
        assert "note: " in told.err
        assert "--method exact" in told.err
        assert "R-hat" in likely_says(*words, "--chains", 2, "--burn-in", 50).out


def test_rows_of_evidence(shed: Path, tmp_path: Path, likely_says: Command) -> None:
    words = ("network", "query", shed / "garden.bif", "wet", "hose", "--rows", shed / "cases.csv")
    net = Network.read(shed / "garden.bif")
    known: list[dict[str, Any]] = [{"rain": "yes", "slip": "fall"}, {"slip": "none"}, {"rain": "no"}]
    place = tmp_path / "out.csv"
    place.write_text(OLD, encoding="utf-8")
    assert likely_says(*words, "-o", place).exit == 0
    found = pd.read_csv(place)
    assert list(found)[:3] == ["rain", "slip", "day"]
    for node, level in (("wet", "yes"), ("hose", "off")):
        expected = [net.query(node, one)[level] for one in known]
        np.testing.assert_allclose(found[f"{node}={level}"], expected, rtol=0, atol=1e-12)
    told = likely_says(*words, "--json").document
    assert told["rows"] == 3
    assert told["answers"][1]["wet=yes"] == pytest.approx(net.query("wet", known[1])["yes"], abs=1e-12)
    assert likely_says(*words, "--only").out.splitlines()[0].startswith("wet=yes,")


def test_rows_that_are_impossible_have_no_answer(shed: Path, tmp_path: Path, likely_says: Command) -> None:
    rows = "rain,hose,wet\nno,off,yes\n,on,yes\n"
    (tmp_path / "rows.csv").write_text(rows, encoding="utf-8")
    said = likely_says("network", "query", shed / "garden.bif", "slip", "--rows", tmp_path / "rows.csv", "--json")
    assert said.exit == 0
    assert set(said.document["answers"][0].values()) == {None}
    assert list(said.document["answers"][1].values()) == pytest.approx([0.5, 0.3, 0.2])
    assert "note: impossible under the network, and so without an answer: row 0\n" in said.err


def test_targets_that_are_columns_are_told_of_in_order(shed: Path, tmp_path: Path, likely_says: Command) -> None:
    (tmp_path / "rows.csv").write_text("hose,rain,slip,wet\n,no,fall,\n", encoding="utf-8")
    targets = ["slip", "hose", "wet", "rain"]
    said = likely_says("network", "query", shed / "garden.bif", *targets, "--rows", tmp_path / "rows.csv")
    assert re.findall(r"'(\w+)' is a column of the rows too", said.err) == targets  # whatever PYTHONHASHSEED is


def test_odd_names_in_evidence(shed: Path, likely_says: Command) -> None:
    words = ("network", "query", shed / "odd.bif", "城市", "--json")
    for said in (("-e", "a=b=x,y=z"), ("-e", "a=b=x,y=z,alone=only"), ("--soft", "a=b=x,y=z:2")):
        assert likely_says(*words, *said).document["distribution"]["probabilities"] == pytest.approx([0.1, 0.9])
    told = likely_says(*words, "--soft", "a=b=w:1:0.5,x,y=z:0.5").document["distribution"]
    assert told["probabilities"] == pytest.approx([0.25 * 0.1 + 0.75 * 0.6, 0.25 * 0.9 + 0.75 * 0.4])
    told = likely_says("network", "query", shed / "odd.bif", "a=b", "-e", "城市=上海,alone=only", "--json").document
    assert told["evidence"] == {"城市": "上海", "alone": "only"}


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_samples(shed: Path, tmp_path: Path, likely_says: Command, ending: str) -> None:
    words = ("network", "sample", shed / "garden.bif", 2000)
    places = [tmp_path / f"{name}.{ending}" for name in ("a", "b")]
    for place in places:
        assert likely_says(*words, "-o", place, "--seed", 3, "--json").document["rows"] == 2000
    assert places[0].read_bytes() == places[1].read_bytes()
    read = {"csv": pd.read_csv, "parquet": pd.read_parquet, "jsonl": lambda path: pd.read_json(path, lines=True)}
    found = read[ending](places[0]).astype(str)
    assert list(found) == ["rain", "hose", "wet", "slip"]
    assert (found["rain"] == "yes").mean() == pytest.approx(0.2, abs=0.04)
    assert not ((found["rain"] == "no") & (found["hose"] == "off") & (found["wet"] == "yes")).any()
    expected = Network.read(shed / "garden.bif").sample(2000, seed=3)
    pd.testing.assert_frame_equal(found, pd.DataFrame(expected).astype(str))


def test_samples_under_findings(shed: Path, likely_says: Command, garden: dict[tuple[str, ...], float]) -> None:
    words = ("network", "sample", shed / "garden.bif", 3000, "--given", "slip=fall", "--json")
    found = pd.DataFrame(likely_says(*words).document["cases"])
    assert set(found["slip"]) == {"fall"}
    expected = chance(garden, rain="yes", slip="fall") / chance(garden, slip="fall")
    assert (found["rain"] == "yes").mean() == pytest.approx(expected, abs=0.05)
    assert likely_says("network", "sample", shed / "odd.bif", 3).out.splitlines()[0] == "a=b,城市,alone"


@pytest.mark.parametrize("ending", ["xmlbif", "net", "xdsl", "json", "bif"])
def test_convert_there_and_back(shed: Path, tmp_path: Path, likely_says: Command, ending: str) -> None:
    for name in ("garden", "odd"):
        there = tmp_path / f"{name}.{ending}"
        there.write_text(OLD, encoding="utf-8")
        told = likely_says("network", "convert", shed / f"{name}.bif", there, "--json").document
        assert (told["bytes"], os.listdir(tmp_path)) == (there.stat().st_size, [there.name])
        one, other = Network.read(shed / f"{name}.bif"), Network.read(there)
        assert len(one.nodes) == len(other.nodes)
        for mine, theirs in zip(one.factored.tables, other.factored.tables, strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=0, atol=1e-12)
        there.unlink()
    plain = tmp_path / "plain.txt"
    assert likely_says("network", "convert", shed / "garden.bif", plain, "--to", ending).exit == 0
    assert likely_says("network", "show", plain, "--format", ending, "--json").document["parameters"] == 11


def test_check_says_what_is_odd(shed: Path, likely_says: Command) -> None:
    told = likely_says("network", "check", shed / "garden.bif", "--json").document
    odd = {one["about"]: one["nodes"] for one in told["suspicions"]}
    assert odd == {"reading": [], "zeros": ["wet"], "ties": ["wet"]}
    assert told["fine"]
    odd = {
        one["about"]: one["nodes"]
        for one in likely_says("network", "check", shed / "odd.bif", "--json").document["suspicions"]
    }
    assert odd == {"one level": ["alone"], "alone": ["alone"], "parts": ["a=b", "alone"]}
    assert (
        "look twice: a single level, which says nothing: 'alone'"
        in likely_says("network", "check", shed / "odd.bif").out
    )


def test_check_of_functions_and_levels_that_never_occur(tmp_path: Path, likely_says: Command) -> None:
    text = GARDEN.replace("table 0.2, 0.8", "table 0.0, 1.0").replace("(yes) 0.01, 0.99", "(yes) 0.4, 0.6")
    (tmp_path / "n.bif").write_text(text, encoding="utf-8")
    told = likely_says("network", "check", tmp_path / "n.bif", "--json").document["suspicions"]
    odd = {one["about"]: one["nodes"] for one in told}
    assert odd["function"] == ["rain"]
    assert odd["impossible level"] == ["rain=yes"]
    assert odd["idle arc"] == ["rain -> hose"]


def test_check_of_rows(shed: Path, tmp_path: Path, likely_says: Command, garden: dict[tuple[str, ...], float]) -> None:
    words = ("network", "check", shed / "garden.bif", "--data")
    told = likely_says(*words, shed / "cases.csv", "--json")
    data = told.document["data"]
    assert (told.exit, data["rows"], data["missing"]) == (0, 3, 2)
    assert (data["columns_that_are_no_nodes"], data["nodes_without_a_column"]) == (["day"], ["hose", "wet"])
    chances = [chance(garden, rain="yes", slip="fall"), chance(garden, slip="none"), chance(garden, rain="no")]
    assert data["log_likelihood"] == pytest.approx(np.log(chances).sum(), abs=1e-9)
    rows = "rain,hose,wet\nyes,on,yes\nmaybe,on,yes\nno,off,yes\nno,off,no\n"
    (tmp_path / "bad.csv").write_text(rows, encoding="utf-8")
    told = likely_says(*words, tmp_path / "bad.csv", "--json")
    assert told.exit == DATA
    data = told.document["data"]
    assert data["unknown_levels"] == [{"column": "rain", "value": "maybe", "rows": 1}]
    assert (data["rows_with_unknown_levels"], data["impossible_rows"]) == ([1], [2])
    said = likely_says(*words, tmp_path / "bad.csv").out
    assert "does not fit: 'rain' has no level 'maybe'" in said
    assert "impossible: 1 row, such as 2" in said


def test_separated(shed: Path, likely_says: Command) -> None:
    words = ("network", "separated", shed / "garden.bif", "rain", "slip")
    assert likely_says(*words, "--given", "wet", "--json").document["separated"]
    told = likely_says(*words, "--json").document
    assert (told["separated"], told["trail"]["nodes"]) == (False, ["rain", "wet", "slip"])
    assert "no trail between them is active" in likely_says(*words, "-g", "wet,hose").out
    said = likely_says("network", "separated", shed / "garden.bif", "rain", "hose", "--given", "slip").out
    assert said.startswith("rain and hose are not d-separated given slip; a shortest active trail:\n  rain -> hose")
    assert "(chain)" in likely_says(*words).out


@pytest.mark.parametrize("verb", ["show", "query", "sample", "convert", "check", "separated"])
def test_every_verb_has_help_with_an_example(likely_says: Command, verb: str) -> None:
    told = likely_says("network", verb, "--help")
    assert told.exit == 0
    assert f"Example: likely network {verb}" in " ".join(told.out.split())
    assert all(option in told.out for option in ("--json", "--quiet", "--seed", "--format"))


def test_a_failure_keeps_the_old_file(shed: Path, tmp_path: Path, likely_says: Command) -> None:
    net, rows, picture = tmp_path / "old.net", tmp_path / "old.csv", tmp_path / "old.svg"
    (tmp_path / "bad.csv").write_text("wet\nyes\nperhaps\n", encoding="utf-8")
    impossible = "rain=no,hose=off,wet=yes"
    for place, words in (
        (net, ("convert", shed / "broken.bif", net)),
        (rows, ("sample", shed / "garden.bif", 9, "-o", rows, "--given", impossible)),
        (rows, ("query", shed / "garden.bif", "rain", "--rows", tmp_path / "bad.csv", "-o", rows)),
        (picture, ("query", shed / "garden.bif", "slip", "--plot", picture, "-e", impossible)),
        (picture, ("show", shed / "garden.bif", "--plot", picture, "-e", impossible)),
    ):
        place.write_text(OLD, encoding="utf-8")
        said = likely_says("network", *words)
        assert said.exit in (DATA, MODEL)
        assert "hint: " in said.err
        assert place.read_text(encoding="utf-8") == OLD
        assert not list(tmp_path.glob(".likely*"))


REFUSED: list[tuple[int, str, str, str]] = [
    (USAGE, "U101", "shwo garden.bif", "Did you mean 'show'?"),
    (USAGE, "U103", "query garden.bif", "'rain', 'hose', 'wet', 'slip'"),
    (USAGE, "U122", "query garden.bif rian", "Did you mean 'rain'?"),
    (USAGE, "U122", "query garden.bif rain -e weet=yes", "Did you mean 'wet'?"),
    (USAGE, "U122", "query garden.bif rain -e wet=yes,hoes=on", "Did you mean 'hose'?"),
    (USAGE, "U123", "query garden.bif rain -e wet=yess", "Did you mean 'yes'?"),
    (USAGE, "U123", "query garden.bif rain -e wet=yess,hose=on", "has no level 'yess'"),
    (USAGE, "U121", "query garden.bif rain -e wet", "--evidence NODE=LEVEL"),
    (USAGE, "U121", "query garden.bif rain -e wet=", "--evidence NODE=LEVEL"),
    (USAGE, "U121", "query garden.bif rain --soft wet", "NODE=LEVEL:0.7"),
    (USAGE, "U123", "query garden.bif rain --soft slip=fal:0.7", "Did you mean 'fall'?"),
    (USAGE, "U107", "query garden.bif rain --soft slip=fall:much", "--soft slip=fall:0.7"),
    (USAGE, "U107", "query garden.bif rain --soft slip=fall", "is no number"),
    (USAGE, "O463", "query garden.bif rain --soft slip=fall:-1", "not negative"),
    (USAGE, "U124", "query garden.bif rain -e wet=yes -e wet=no", "one thing of each node"),
    (USAGE, "U110", "query garden.bif rain --draws 100", "--method gibbs"),
    (USAGE, "U110", "query garden.bif rain -o out.csv", "--plot"),
    (USAGE, "U110", "query garden.bif rain --rows cases.csv -e wet=yes", "leave it out"),
    (USAGE, "U103", "query garden.bif --rows cases.csv", "name the nodes"),
    (USAGE, "U110", "show garden.bif -e wet=yes", "--plot or --node"),
    (USAGE, "U122", "show garden.bif --node wett", "Did you mean 'wet'?"),
    (USAGE, "O121", "show garden.bif --plot p.jpg", ".svg"),
    (USAGE, "U122", "separated garden.bif rain slop", "Did you mean 'slip'?"),
    (USAGE, "U122", "separated garden.bif rain slip -g wett", "Did you mean 'wet'?"),
    (USAGE, "U104", "sample garden.bif 0", ""),
    (USAGE, "U104", "sample garden.bif many", ""),
    (USAGE, "O121", "sample garden.bif 5 -o rows.xls", ".csv"),
    (OUTPUT, "F401", "sample garden.bif 5 -o no/rows.csv", "mkdir"),
    (OUTPUT, "F401", "convert garden.bif no/garden.xdsl", "mkdir"),
    (MODEL, "F411", "show gardn.bif", "Did you mean 'garden.bif'?"),
    (MODEL, "F412", "convert garden.bif garden.doc", ".xdsl"),
    (MODEL, "F412", "convert garden.bif garden.txt --to xdls", "Did you mean 'xdsl'?"),
    (MODEL, "F417", "check broken.bif", "line 7"),
    (USAGE, "O467", "query garden.bif rain --method gibs", "Did you mean 'gibbs'?"),
    (MODEL, "M321", "query garden.bif slip -e rain=no,hose=off -e wet=yes", "correct a finding"),
    (MODEL, "M321", "sample garden.bif 5 -g rain=no,hose=off,wet=yes", "correct a finding"),
    (MODEL, "M331", "query garden.bif slip -e rain=no,hose=off,wet=yes --method weighting", "exact"),
    (DATA, "D421", "query garden.bif rain --rows other.csv", "at: other.csv"),
    (DATA, "D421", "check garden.bif --data other.csv", "the nodes are"),
]


@pytest.mark.parametrize(("code", "name", "line", "hint"), REFUSED, ids=[one[2] for one in REFUSED])
def test_refusals(
    shed: Path, monkeypatch: pytest.MonkeyPatch, likely_says: Command, code: int, name: str, line: str, hint: str
) -> None:
    monkeypatch.chdir(shed)
    (shed / "other.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    said = likely_says("network", *line.split())
    assert (said.exit, said.out) == (code, "")
    told = "\n".join(line for line in said.err.splitlines() if not line.startswith("note: "))
    assert told.startswith(f"[{name}]")
    assert hint in told
    assert "Traceback" not in said.err


def test_a_level_that_looks_missing_is_evidence_in_a_file(tmp_path: Path, likely_says: Command) -> None:
    wind, rain = ["None"] * 20 + ["Strong"] * 20, (["no"] * 9 + ["yes"]) * 2 + (["no"] * 2 + ["yes"] * 8) * 2
    levels = {"wind": ["None", "Strong"], "rain": ["no", "yes"]}
    net = Network({"wind": [], "rain": ["wind"]}, levels=levels).fit({"wind": wind, "rain": rain})
    net.write(tmp_path / "net.bif")
    rows = pd.DataFrame({"wind": ["None", "Strong"]})
    rows.to_csv(tmp_path / "rows.csv", index=False)
    known = [[net.query("rain", {"wind": level})[word] for word in ("no", "yes")] for level in levels["wind"]]
    for source in (rows, tmp_path / "rows.csv"):
        np.testing.assert_allclose(net.query_many(source, targets="rain")["rain"], known)
    words = ("network", "query", tmp_path / "net.bif", "rain", "--rows", tmp_path / "rows.csv", "--json")
    told = likely_says(*words)
    assert (told.exit, f"{known[0][0]:.6f}"[:6] in told.out) == (0, True)
