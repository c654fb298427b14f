"""likely fit --like: a model of other rows that can be merged with one that there is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import likely
from likely.errors import LikelyError
from likely.estimators.registry import kind_of, make, models
from tests.cli.conftest import Command, loans

MERGED = [name for name in models(False) if hasattr(kind_of(name), "_learn_like")]


@pytest.mark.parametrize("name", MERGED)
def test_parts_learnt_alike_merge_into_what_all_rows_teach(name: str) -> None:
    """South has a level and a class more, and numbers of another shape."""
    table = loans(240, 3)
    table.loc[200:, "purpose"] = "boat"
    table.loc[230:, "default"] = "perhaps"
    if name in ("lda", "qda", "gaussian", "discriminant", "parzen"):
        table = table[["income", "age", "default"]]
    settings = {"relearn": True} if name == "tan" else {}  # as merging plants the tree anew
    north = likely.fit(table[:120], "default", make(name, settings))
    south, whole = (likely.fit(rows, "default", like=north) for rows in (table[120:], table))
    merged, asked = north.merge(south), table.drop(columns="default")[::7]
    assert merged.classes_.tolist() == whole.classes_.tolist() == ["no", "perhaps", "yes"]
    assert np.allclose(merged.predict_proba(asked), whole.predict_proba(asked), atol=1e-9)


@pytest.fixture
def parts(tmp_path: Path) -> tuple[Path, Path]:
    for name, rows in {"north": loans(150, 1), "south": loans(90, 2)}.items():
        rows.to_csv(tmp_path / f"{name}.csv", index=False)
    return tmp_path / "north.csv", tmp_path / "south.csv"


@pytest.mark.parametrize("words", [(), ("--model", "tan"), ("--model", "naive")])
def test_two_sites_on_the_command_line(
    likely_says: Command, parts: tuple[Path, Path], tmp_path: Path, words: tuple[str, ...]
) -> None:
    north, south = parts
    first, second, both = (tmp_path / f"{name}.likely" for name in ("first", "second", "both"))
    assert not likely_says("fit", north, "-t", "default", "-o", first, *words).exit
    assert not likely_says("fit", south, "--like", first, "-o", second).exit  # the target is that of the model
    done = likely_says("merge", first, second, "-o", both, "--json")
    assert done.document["total"] == 240


def test_pools_that_chose_for_themselves_say_how_to_be_merged(
    likely_says: Command, parts: tuple[Path, Path], tmp_path: Path
) -> None:
    files = [tmp_path / "a.likely", tmp_path / "b.likely"]
    for data, model in zip(parts, files, strict=True):
        assert not likely_says("fit", data, "-t", "default", "-o", model).exit
    told = likely_says("merge", *files, "-o", tmp_path / "c.likely")
    assert told.exit == 4
    assert "M310" in told.err
    assert "--like FIRST" in told.err
    assert not (tmp_path / "c.likely").exists()


def test_what_the_model_says_is_not_said_again(likely_says: Command, parts: tuple[Path, Path], tmp_path: Path) -> None:
    model = tmp_path / "m.likely"
    likely_says("fit", parts[0], "-t", "default", "--model", "naive", "-o", model)
    for words in (("--model", "tan"), ("--kind", "age=category"), ("--smoothing", "2"), ("--set", "smoothing=2")):
        told = likely_says("fit", parts[1], "--like", model, *words)
        assert told.exit == 2
        assert "U110" in told.err, words


def test_a_model_that_does_not_merge_is_no_example(
    likely_says: Command, parts: tuple[Path, Path], tmp_path: Path
) -> None:
    model = tmp_path / "m.likely"
    likely_says("fit", parts[0], "-t", "default", "--model", "tree", "-o", model)
    assert "U137" in likely_says("fit", parts[1], "--like", model).err
    with pytest.raises(LikelyError, match="no model that merges"):
        likely.fit(loans(30, 1), "default", like=likely.load(model))
    with pytest.raises(LikelyError, match="a model is said, too"):
        likely.fit(loans(30, 1), "default", likely.NaiveBayes(), like=likely.NaiveBayes().fit([[1.0], [2.0]], [0, 1]))


def test_a_numeric_target(likely_says: Command, parts: tuple[Path, Path], tmp_path: Path) -> None:
    first, second = tmp_path / "a.likely", tmp_path / "b.likely"
    assert not likely_says("fit", parts[0], "-t", "income", "-o", first).exit
    assert not likely_says("fit", parts[1], "--like", first, "-o", second).exit
    whole = likely_says("merge", first, second, "-o", tmp_path / "c.likely", "--json")
    assert whole.document["total"] == sum(loans(*part)["income"].notna().sum() for part in ((150, 1), (90, 2)))
    for words in (("--priors", "uniform"), ("--recalibrate", "platt")):  # which are about classes
        assert "U133" in likely_says("fit", parts[1], "--like", first, *words).err, words
    other = likely_says("fit", parts[1], "--like", first, "-t", "age")
    assert other.exit == 2
    assert "predicts 'income', and --target says 'age'" in other.err
