"""The Tab key: names of models, columns of the file, nodes and levels of the network that a command line names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import likely
from likely.cli.main import run
from likely.estimators.registry import PRESETS

Completed = Callable[..., list[str]]


@pytest.fixture
def tab(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Completed:
    """What the last of some words may become."""

    def press(*words: object) -> list[str]:
        monkeypatch.setenv("_LIKELY_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", " ".join(["likely", *map(str, words)]))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        capsys.readouterr()
        with pytest.raises(SystemExit):
            run([])
        return capsys.readouterr().out.split()

    return press


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "flowers.csv"
    path.write_text("species,bill_length,bill_depth,体重\na,1,2,3\nb,2,3,4\n")
    return path


@pytest.fixture
def network(tmp_path: Path) -> Path:
    path = tmp_path / "asia.bif"
    likely.networks.asia().write(path)
    return path


def test_models(tab: Completed, table: Path) -> None:
    assert tab("fit", table, "--model", "ta") == ["tan"]
    assert set(tab("compare", table, "-m", "")) >= {name for name in PRESETS if " " not in name}
    assert tab("compare", table, "-m", "tan,kd") == ["tan,kdb"]


def test_columns(tab: Completed, table: Path) -> None:
    assert tab("fit", table, "--target", "sp") == ["species"]
    assert tab("fit", table, "-t", "species", "--groups", "bill") == ["bill_length", "bill_depth"]
    assert tab("surface", table, "-f", "bill_length,") == [
        "bill_length,species",
        "bill_length,bill_depth",
        "bill_length,体重",
    ]
    assert tab("split", table, "bill_l") == ["bill_length"]


def test_kinds_and_options(tab: Completed, table: Path) -> None:
    assert tab("fit", table, "--kind", "bill_d") == ["bill_depth="]
    assert tab("fit", table, "--kind", "bill_depth=c") == ["bill_depth=category", "bill_depth=count"]
    assert tab("fit", table, "--model", "kdb", "--set", "k") == ["k=", "kinds="]


def test_nodes_and_levels(tab: Completed, network: Path) -> None:
    assert tab("network", "query", network, "dy") == ["dysp"]
    assert tab("network", "query", network, "dysp", "-e", "sm") == ["smoke="]
    assert tab("network", "query", network, "dysp", "-e", "smoke=") == ["smoke=yes", "smoke=no"]
    assert tab("network", "separated", network, "asia", "tu") == ["tub"]
    assert tab("network", "separated", network, "asia", "tub", "--given", "smoke,x") == ["smoke,xray"]


def test_bash_splits_words_at_the_sign(
    table: Path, network: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it is given stands behind the sign; names with blanks are escaped, as nothing quotes them."""
    table.write_text(table.read_text().replace("bill_depth", "bill depth"))

    def press(*words: object) -> list[str]:
        monkeypatch.setenv("_LIKELY_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", "\n".join(["likely", *map(str, words)]))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        with pytest.raises(SystemExit):
            run([])
        return capsys.readouterr().out.splitlines()

    assert press("fit", table, "--kind", "bill_length", "=", "c") == ["category", "count"]
    assert press("fit", table, "--kind", "bill_length", "=")[:2] == ["real", "binary"]
    assert press("fit", table, "--target", "=", "sp") == ["species"]
    assert press("fit", table, "--kind", "bill") == ["bill_length=", "bill\\ depth="]
    assert press("fit", table, "--kind", "bill\\ depth", "=", "ca") == ["category"]
    assert press("network", "query", network, "dysp", "-e", "smoke", "=", "y") == ["yes"]


@pytest.mark.parametrize("name", ["absent.csv", "."])
def test_a_file_that_cannot_be_read_completes_nothing_and_says_nothing(tab: Completed, name: str) -> None:
    assert tab("fit", name, "--target", "a") == []
    assert tab("network", "show", name, "--node", "a") == []
