"""likely belief: the numbers are those of scipy, in words, as JSON and as a picture."""

from __future__ import annotations

from pathlib import Path

import pytest
from scipy import optimize, stats

import likely
from tests.cli.conftest import Command


def test_a_coin(likely_says: Command, tmp_path: Path) -> None:
    words = ("belief", "coin", "--heads", 7, "--tails", 3, "--prior", "2,2", "-o", tmp_path / "coin.png")
    told = likely_says(*words, "--json").document
    known = stats.beta(9, 5)
    assert (told["mle"], told["map"], told["mean"]) == (0.7, pytest.approx(2 / 3), pytest.approx(known.mean()))
    assert told["interval"] == pytest.approx(known.interval(0.95))
    sequence = stats.betabinom(10, 2, 2).logpmf(7) - stats.binom(10, 0.5).logpmf(7) + 10 * stats.binom(1, 0.5).logpmf(1)
    assert told["log_evidence"] == pytest.approx(sequence)
    assert (tmp_path / "coin.png").stat().st_size
    said = likely_says(*words).out
    assert "Beta(a=9, b=5)" in said
    assert "heads with probability 0.6429" in said


def test_a_die(likely_says: Command) -> None:
    told = likely_says("belief", "dice", "--counts", "3,1,0", "--faces", "a,b,c", "--prior", "0.5", "--json").document
    assert told["mle"] == {"a": 0.75, "b": 0.25, "c": 0.0}
    assert told["mean"]["a"] == pytest.approx(3.5 / 5.5)
    assert told["interval"]["c"] == pytest.approx(stats.beta(0.5, 5.0).interval(0.95))


def test_a_normal_from_a_file_leaves_missing_values_out(likely_says: Command, tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("x,word\n4.1,a\n,b\n3.9,c\n5.0,d\n", encoding="utf-8")
    named = likely_says("belief", "normal", tmp_path / "rows.csv", "--column", "x", "--json")
    typed = likely_says("belief", "normal", "--values", "4.1,3.9,5.0", "--json")
    assert named.document["posterior"] == typed.document["posterior"]
    assert "1 missing value" in named.err
    assert named.document["mle"]["mean"] == pytest.approx(13 / 3)


def test_the_picture_of_a_normal_names_its_column(
    likely_says: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rows.csv").write_text("x\n4.1\n3.9\n5.0\n", encoding="utf-8")
    drawn, plot = [], likely.NormalInverseGamma.plot
    monkeypatch.setattr(
        likely.NormalInverseGamma, "plot", lambda self, **options: drawn.append(plot(self, **options)) or drawn[-1]
    )
    likely_says("belief", "normal", tmp_path / "rows.csv", "--column", "x", "-o", tmp_path / "named.png")
    likely_says("belief", "normal", "--values", "4.1,3.9,5.0", "-o", tmp_path / "typed.png")
    labels = [[ax.get_xlabel() for ax in figure.axes] for figure in drawn]
    assert labels == [["mean of x", "standard deviation of x"], ["mean", "standard deviation"]]


def test_a_rate_and_a_rule(likely_says: Command, tmp_path: Path) -> None:
    told = likely_says("belief", "rate", "--total", 12, "--exposure", 3, "--prior", "2,1", "--json").document
    assert told["interval"] == pytest.approx(stats.gamma(14, scale=0.25).interval(0.95))
    assert told["mle"] == 4.0
    words = ("--prior", "ill=0.004,well=0.996", "--likelihood", "ill=0.8,well=0.1", "-o", tmp_path / "rule.svg")
    told = likely_says("belief", "rule", *words, "--json").document
    assert told["posterior"]["ill"] == pytest.approx(0.0311284046692607)
    assert (tmp_path / "rule.svg").stat().st_size


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("coin --heads -1", "U141"),
        ("coin --heads 1 --prior 2", "U141"),
        ("coin --heads 1 --prior 2,x", "U107"),
        ("coin --heads 1 --prior 0,1", "O20"),
        ("coin --heads 1 --level 2", "O2"),
        ("dice --counts 1,2 --faces a", "U141"),
        ("normal", "U141"),
        ("normal --values 1,2 --column x", "U110"),
        ("rule --prior a=1 --likelihood b=1", "O211"),
        ("rule --prior a --likelihood a=1", "U106"),
        ("coin --heads 1 -o coin.txt", "O"),
    ],
)
def test_mistakes_are_answered_kindly(words: str, code: str, likely_says: Command) -> None:
    said = likely_says("belief", *words.split())
    assert said.exit in (2, 3, 4, 5)
    assert f"[{code}" in said.err
    assert "hint:" in said.err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("dice --counts 3,1,0 --faces a,a,b", "U141"),
        ("rate --total 12", "U141"),
        ("normal rows.csv --column x --values 3,4", "U110"),
    ],
)
def test_what_cannot_be_meant_is_refused(words: str, code: str, likely_says: Command) -> None:
    assert f"[{code}]" in likely_says("belief", *words.split()).err


def test_the_table_and_the_picture_of_a_normal_say_the_same(likely_says: Command) -> None:
    told = likely_says("belief", "normal", "--values", "4.1,nan,3.9,5.0", "--json").document
    page = told["posterior"]
    belief = likely.NormalInverseGamma(*(page[name] for name in ("mean", "strength", "shape", "rate")))
    known = stats.invgamma(belief.shape, scale=belief.rate)
    best = optimize.minimize_scalar(lambda s: -2 * s * known.pdf(s**2), bounds=(0.01, 9), method="bounded")
    assert told["map"]["standard deviation"] == pytest.approx(best.x, rel=1e-4)
    low, high = told["interval"]["standard deviation"]
    assert (low**2, high**2) == pytest.approx(known.interval(0.95))
