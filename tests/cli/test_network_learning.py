"""`likely network learn`, `strength` and `compare`: arcs from rows, how sure they are, and how far from the truth."""

from __future__ import annotations

import json
import signal
from inspect import signature
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest

import likely
from likely.cli import EXIT_INTERRUPTED
from likely.cli.network import search_screen
from likely.cli.network.learn import ARCS_SHOWN
from likely.cli.network.search_options import SETTINGS, Missing, columns_in, read_arcs, read_tiers
from likely.cli.terminal.advice import speak
from likely.cli.terminal.failures import DATA, MODEL, OUTPUT, USAGE
from likely.errors.advice import Advice, InPython, LeaveOut, Option
from likely.networks import Network
from likely.networks.structure.plan import GIVEN_TO_EVERY_SEARCH, SEARCHES, Plan
from likely.networks.trust.arc_directions import ASSUMED, CAUSES, Directions, in_lines
from likely.structures.graph import Graph
from likely.structures.search.result import Progress
from tests.cli.conftest import Command

WET = {("yes", "on"): [0.95, 0.05], ("yes", "off"): [0.9, 0.1], ("no", "on"): [0.85, 0.15], ("no", "off"): [0.05, 0.95]}


def garden() -> Network:
    """Rain and hose make grass wet, which makes it slippery; a name with signs of its own."""
    levels = {"rain": ["yes", "no"], "hose": ["on", "off"], "wet": ["yes", "no"], "a:b,c": ["yes", "no"]}
    wet = np.array([[WET[rain, hose] for hose in levels["hose"]] for rain in levels["rain"]])
    nodes = {
        "rain": ((), [0.3, 0.7]),
        "hose": ((), [0.4, 0.6]),
        "wet": (["rain", "hose"], wet),
        "a:b,c": (["wet"], [[0.7, 0.3], [0.1, 0.9]]),
    }
    return Network(nodes, levels=levels, name="garden")


@pytest.fixture(scope="module")
def shed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with truth.bif, rows.csv of it, and holes.csv; tests must not write into it."""
    folder = tmp_path_factory.mktemp("shed")
    garden().write(folder / "truth.bif")
    frame = garden().sample(2000, seed=1)
    frame["day"] = np.arange(len(frame)).astype(str)
    frame["often"] = 2
    frame.to_csv(folder / "rows.csv", index=False)
    holes = frame[["rain", "hose", "wet"]].astype(object)
    holes.iloc[::9, 1] = None
    holes.to_csv(folder / "holes.csv", index=False)
    return folder


def learn(shed: Path, *more: object) -> tuple[object, ...]:
    return ("network", "learn", shed / "rows.csv", "--skip", "day,often", *more)


def pairs(arcs: Any) -> set[frozenset[str]]:
    return set(map(frozenset, arcs))


def test_learn_writes_the_network_and_tells_its_arcs(shed: Path, tmp_path: Path, likely_says: Command) -> None:
    said = likely_says(*learn(shed, "-o", tmp_path / "new.bif"))
    assert (said.exit, said.err) == (0, "")
    found = Network.read(tmp_path / "new.bif")
    assert pairs(found.edges) == pairs(garden().edges)
    assert "(2,000 rows, 4 columns): 4 nodes, 3 arcs, 8 parameters" in said.out
    assert "an arrow is not a cause" in said.out
    assert "rain and hose meet in wet" in said.out or "hose and rain meet in wet" in said.out
    last = said.out.splitlines()[-3:]
    assert last[0].startswith("bic -")
    assert last[1:] == [f"output: {tmp_path / 'new.bif'}", f"next: likely network query {tmp_path / 'new.bif'} a:b,c"]


def test_learn_is_what_python_learns(shed: Path, likely_says: Command) -> None:
    told = likely_says(*learn(shed, "--score", "BDeu", "--strength", "2", "--seed", "3", "--json")).document
    rows = pd.read_csv(shed / "rows.csv")[["rain", "hose", "wet", "a:b,c"]]
    same = likely.learn_network(rows, score="bdeu", strength=2.0, seed=3)
    assert [(arc["from"], arc["to"]) for arc in told["arcs"]] == list(same.directions())
    assert told["score"] == pytest.approx(same.search_.score, abs=1e-9)
    assert (told["interrupted"], told["output"], told["parameters"]) == (False, None, same.parameters)
    assert [one["name"] for one in told["nodes"]] == list(same.nodes)
    assert (told["options"]["score"], told["options"]["missing"]) == ("bdeu", Plan().missing)
    assert told["weight"] == len(rows)


def test_rules_are_obeyed(shed: Path, likely_says: Command) -> None:
    words = ("--required", "wet -> rain,hose:rain", "--forbidden", "hose:wet", "--forbidden", "wet:hose", "--json")
    arcs = [(arc["from"], arc["to"]) for arc in likely_says(*learn(shed, *words)).document["arcs"]]
    assert {("wet", "rain"), ("hose", "rain")} <= set(arcs)
    assert frozenset(("wet", "hose")) not in pairs(arcs)
    tiers = ("--tiers", "a:b,c:wet", "--tiers", "hose,rain", "--max-parents", "1", "--json")
    arcs = [(arc["from"], arc["to"]) for arc in likely_says(*learn(shed, *tiers)).document["arcs"]]
    assert ("a:b,c", "wet") in arcs
    assert max(sum(child == node for _, child in arcs) for node in ("wet", "hose", "rain")) == 1


def test_weights_holes_and_searches(shed: Path, likely_says: Command) -> None:
    once = likely_says(*learn(shed, "--score", "log-likelihood", "--search", "chow-liu", "--json")).document
    words = ("network", "learn", shed / "rows.csv", "--skip", "day", "--weight", "often", "--score", "log-likelihood")
    twice = likely_says(*words, "--search", "chow-liu", "--json").document
    assert twice["score"] == pytest.approx(2 * once["score"])
    assert len(once["arcs"]) == 3
    holes = ("network", "learn", shed / "holes.csv", "--json")
    assert pairs((arc["from"], arc["to"]) for arc in likely_says(*holes).document["arcs"]) == {
        frozenset(("rain", "wet")),
        frozenset(("hose", "wet")),
    }
    assert likely_says(*holes, "--missing", "ignore").exit == 0
    refused = likely_says(*holes, "--missing", "error")
    assert refused.exit == DATA
    assert "--missing em" in json.loads(refused.err)["error"]["hint"]


def test_pictures_and_other_forms(shed: Path, tmp_path: Path, likely_says: Command) -> None:
    files = [tmp_path / name for name in ("net", "net.svg", "trace.png")]
    said = likely_says(*learn(shed, "-o", files[0], "--to", "xdsl", "--plot", files[1], "--trace", files[2]))
    assert said.exit == 0
    assert Network.read(files[0], format="xdsl").nodes == ("rain", "hose", "wet", "a:b,c")
    assert files[1].read_text(encoding="utf-8").startswith("<?xml")
    assert files[2].read_bytes().startswith(b"\x89PNG")
    assert said.out.endswith("--format xdsl\n")


def test_a_network_on_the_output(shed: Path, likely_says: Command) -> None:
    said = likely_says(*learn(shed, "-o", "-", "--to", "bif"))
    assert (said.exit, said.err) == (0, "")
    assert pairs(Network.loads(said.out, "bif").edges) == pairs(garden().edges)
    assert not Path("-").exists()
    assert likely_says(*learn(shed, "-o", "-", "--to", "bif", "--json")).exit == USAGE


def test_progress_in_a_pipe_is_lines_of_the_error_stream(shed: Path, likely_says: Command) -> None:
    said = likely_says(*learn(shed, "--progress", "--json"))
    assert said.document["score"] < 0
    lines = said.err.splitlines()
    assert lines[0].startswith("hill-climb: -")
    scores = [float(line.split()[1].replace(",", "")) for line in lines]
    assert scores == sorted(scores)
    assert scores[-1] == pytest.approx(said.document["score"], abs=0.01)
    said = likely_says(*learn(shed))
    assert said.err == ""
    assert said.out.endswith("nothing is saved: add -o FILE to write the network\n")


def test_a_search_that_begins_anew_is_told_on_the_same_clock(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_screen, "time", SimpleNamespace(perf_counter=lambda: 105.5))  # a clock that stands still
    lines, live = search_screen._Lines("tabu"), search_screen._Live("tabu", 600.0)
    lines.started = 100.0
    assert "Ctrl-C" not in live._line().plain
    for steps, score in ((1, -9.0), (2, -8.0), (1, -30.0), (2, -20.0)):
        now = Progress(0.01, score, steps, 1, "climbing")
        lines.tick(now)
        live.tick(now)
    lines.close()
    live.close()
    assert "Ctrl-C keeps this" in live._line().plain
    told = capsys.readouterr().err.splitlines()
    assert [line.partition(" with")[0] for line in told] == ["tabu: -9.00", "tabu: -8.00", "tabu, search 2: -20.00"]
    assert all("after 5.5 s" in line for line in told)


@pytest.mark.parametrize(
    ("words", "code", "exit"),
    [
        (["-o", "-"], "U103", USAGE),
        (["--tiers", "rain,wet"], "U129", USAGE),
        (["--score", "BDe"], "U130", USAGE),
        (["--required", "rain->"], "U126", USAGE),
        (["--required", "rain"], "U125", USAGE),
        (["--required", "rain:wet:hose"], "U125", USAGE),
        (["--required", "rain,wet"], "U125", USAGE),
        (["--required", "rain:wett"], "U126", USAGE),
        (["--forbidden", ":wet"], "U126", USAGE),
        (["--tiers", "rain:day"], "U126", USAGE),
        (["--skip", "dayy"], "U126", USAGE),
        (["--weight", "day"], "U126", USAGE),
        (["--required", "rain:wet", "--forbidden", "rain:wet"], "O502", USAGE),
        (["--required", "rain:wet", "--tiers", "wet:rain"], "O513", USAGE),
        (["--tiers", "rain:rain"], "O503", USAGE),
        (["--search", "hillclimb"], "O506", USAGE),
        (["--set", "restart=3"], "O507", USAGE),
        (["--set", "seed=3"], "U128", USAGE),
        (["--missing", "skip"], "O508", USAGE),
        (["--score", "bicc"], "O", USAGE),
        (["--to", "bif"], "U110", USAGE),
        (["--progress", "--quiet"], "U110", USAGE),
        (["-o", "x.biff"], "O121", USAGE),
        (["-o", "x", "--to", "biff"], "U127", USAGE),
        (["-o", "none/x.bif"], "F401", OUTPUT),
        (["--plot", "x.gif"], "O121", USAGE),
        (["--max-parents", "-1"], "U104", USAGE),
    ],
)
def test_what_cannot_be_is_refused_before_the_search(
    shed: Path, likely_says: Command, words: list[str], code: str, exit: int
) -> None:
    said = likely_says(*learn(shed, *words))
    assert said.err.startswith(f"[{code}")
    assert (said.exit, said.out) == (exit, "")
    assert "hint:" in said.err
    assert "=\n" not in said.err  # options are named as they are said here


@pytest.mark.parametrize(
    ("place", "hint", "spoken"),
    [
        (
            Advice(Option("search", "exact")),
            Advice("take ", Option("search", "order"), ", or ", Option("max_parents", 4)),
            "--search exact: take --search order, or --max-parents 4",
        ),
        (
            Advice(Option("missing", "em")),
            Advice("say ", Option("max_parents"), ", or ", Option("test", "g2")),
            "--missing em: say --max-parents, or --set test=g2",
        ),
        (
            "column 'a b'",
            Advice(LeaveOut("a b"), InPython(", or declare levels={'a b': [...]}")),
            "column 'a b': leave it out (--skip 'a b')",
        ),
        ("weights=", Advice("say ", Option("threshold", 0.5), "."), "--weight: say --threshold 0.5."),
        (
            "restart=",
            Advice("it takes 'tabu'", InPython("; learn_network takes 'tick'"), ". Ah"),
            "--set restart: it takes 'tabu'. Ah",
        ),
        (Advice(InPython("learn_network(data)", "DATA")), "say missing='em'", "DATA: say missing='em'"),
    ],
)
def test_advice_is_in_the_words_of_the_command_line(place: str, hint: str, spoken: str) -> None:
    error = likely.LikelyError("O500", "wrong", place=place, hint=hint)
    speak(error, {"--search", "--max-parents", "--missing", "--skip", "--weight", "--threshold", "--set"})
    assert f"{error.place}: {error.hint}" == spoken


def test_help_names_defaults_and_the_options_of_each_search() -> None:
    assert f"{Plan().missing} (the default" in get_args(Missing)[1].help
    told = dict(one.split(": ") for one in SETTINGS.split("; "))
    told |= {"tabu": told.pop("hill-climb, tabu")} | {"hill-climb": "restarts, tabu"}
    for name, search in SEARCHES.items():
        assert {*signature(search).parameters} - {*GIVEN_TO_EVERY_SEARCH} == {
            *filter(None, told.get(name, "").split(", "))
        }


def test_a_file_that_is_not_there(shed: Path, likely_says: Command) -> None:
    assert likely_says("network", "learn", shed / "row.csv").exit == DATA
    assert likely_says("network", "learn", shed / "truth.bif").exit in (DATA, USAGE)


def test_words_with_signs_of_their_own() -> None:
    columns = ["a", "b", "a:b", "b,c", "城市"]
    assert read_arcs("a:b:b,c", columns, "--required") == [("a:b", "b,c")]
    assert read_arcs("x->y->b,a:x->y", [*columns, "x->y"], "--required") == [("x->y", "b"), ("a", "x->y")]
    assert read_arcs(" a : 城市 ", columns, "--required") == [("a", "城市")]
    assert read_tiers("a,城市:b,c", columns) == [["a", "城市"], ["b,c"]]
    assert columns_in("a:b", ["a", "b"], ":", "x") == [("a", ":"), ("b", "")]


class Impatient:
    """A screen whose reader presses Ctrl-C when the search has reached some arcs."""

    def __init__(self, what: str) -> None:
        self.pressed = False

    def tick(self, now: Any) -> None:
        if now.arcs >= 2 and not self.pressed:
            self.pressed = True
            signal.raise_signal(signal.SIGINT)

    def close(self) -> None:
        assert self.pressed


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_keeps_the_best_network_so_far(
    shed: Path, tmp_path: Path, likely_says: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_screen, "_Lines", Impatient)
    before = signal.getsignal(signal.SIGINT)
    files = tmp_path / "best.bif", tmp_path / "trace.svg"
    said = likely_says(*learn(shed, "-o", files[0], "--trace", files[1], "--progress"))
    assert said.exit == EXIT_INTERRUPTED
    assert said.err == f"stopped early: the best so far is in {files[0]}\n"
    assert len(Network.read(files[0]).edges) == 2
    assert files[1].exists()
    assert likely_says(*learn(shed, "--progress", "--json")).document["interrupted"]
    with pytest.raises(KeyboardInterrupt), search_screen.interruptible():
        raise RuntimeError("Query interrupted")
    assert signal.getsignal(signal.SIGINT) is before


def test_many_arcs_are_cut() -> None:
    names = [f"n{at}" for at in range(30)]
    beyond = " (--json has all)"
    lines = in_lines(Directions(Graph.of(list(pairwise(names)))), ARCS_SHOWN, beyond)
    assert len(lines) == ARCS_SHOWN + 3
    assert lines[-2:] == ["  ... and 9 more (--json has all)", CAUSES]
    met = in_lines(Directions(Graph.of([("a", "z"), ("b", "z"), *pairwise(["z", *names])])), ARCS_SHOWN, beyond)
    assert met[-3:] == ["  ... and 12 more (--json has all)", ASSUMED, CAUSES]


def test_strength_tells_how_sure_each_arc_is(shed: Path, tmp_path: Path, likely_says: Command) -> None:
    files = [tmp_path / name for name in ("arcs.csv", "agreed.bif", "arcs.svg")]
    words = ("network", "strength", shed / "rows.csv", "--skip", "day,often", "--bootstrap", "8")
    said = likely_says(*words, "-o", files[0], "--consensus", files[1], "--plot", files[2])
    assert (said.exit, said.err) == (0, "")
    table = pd.read_csv(files[0])
    assert list(table.columns) == ["from", "to", "strength", "direction"]
    sure = table[table.strength > 0.9]
    assert pairs(sure[["from", "to"]].to_numpy().tolist()) == pairs(garden().edges)
    agreed = Network.read(files[1])
    assert pairs(agreed.edges) == pairs(garden().edges)
    assert agreed.has_tables
    assert "8 graphs" in said.out
    told = likely_says(*words, "--threshold", "0.99", "--json").document
    assert told["arcs"] == table.to_dict("records")
    assert told["graphs"] == 8
    assert told["threshold"] == 0.99
    assert likely_says(*words, "--threshold", "2").err.startswith("[U104] --threshold")
    assert likely_says(*words, "--consensus", "-").err.startswith("[U103]")
    assert likely_says(*words, "-o", "-", "--json").err.startswith('{"error": {"code": "U110"')
    assert likely_says(*words, "-o", "x.doc").exit == USAGE


def test_compare_with_the_truth(shed: Path, tmp_path: Path, likely_says: Command) -> None:
    turned = {"rain": [], "hose": [], "wet": ["rain", "a:b,c"], "a:b,c": []}
    Network(turned).fit(pd.read_csv(shed / "rows.csv")[list(turned)]).write(tmp_path / "mine.xdsl")
    words = ("network", "compare", tmp_path / "mine.xdsl", shed / "truth.bif")
    told = likely_says(*words, "--json", "--plot", tmp_path / "both.png").document
    assert (told["right"], told["reversed"]) == ([["rain", "wet"]], [["a:b,c", "wet"]])
    assert (told["missing"], told["extra"], told["distance"]) == ([["hose", "wet"]], [], 2)
    assert told["picture"] == str(tmp_path / "both.png")
    assert "structural Hamming distance: 2" in likely_says(*words).out
    garden().write(tmp_path / "same.bif")
    assert "0 of the graphs" in likely_says("network", "compare", tmp_path / "same.bif", shed / "truth.bif").out


def test_networks_of_other_nodes_are_not_compared(shed: Path, tmp_path: Path, likely_says: Command) -> None:
    Network({"rain": {"yes": 0.5, "no": 0.5}}).write(tmp_path / "small.bif")
    said = likely_says("network", "compare", tmp_path / "small.bif", shed / "truth.bif")
    assert (said.exit, said.err[:6]) == (USAGE, "[O541]")
    assert likely_says("network", "compare", shed / "rows.csv", shed / "truth.bif").exit == MODEL
