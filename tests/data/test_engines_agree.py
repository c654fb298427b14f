"""One suite on every way to hand in a table: counts exactly as by hand, moments to 1e-9, the same probabilities."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import likely
from likely import checks
from likely.checks import Opening, Table
from likely.checks.engine_laws import TREE_COLUMN, _without_target

OPENINGS = checks.openings()


@pytest.fixture(params=OPENINGS)
def opening(request: pytest.FixtureRequest) -> Opening:
    return OPENINGS[request.param]


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_every_kind(opening: Opening, seed: int, tmp_path: Path) -> None:
    checks.check_engine_agrees(opening, checks.table(seed, 60), tmp_path)


def test_many_blocks(opening: Opening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks and batches of a few rows, in threads, add up to the same."""
    monkeypatch.setattr("likely.data.arrow.ROWS_OF_A_BLOCK", 7)
    monkeypatch.setattr("likely.data.files.source.ROWS_OF_A_BLOCK", 7)
    monkeypatch.setattr("likely.data.arrays.BYTES_OF_A_COPIED_BLOCK", 256)
    monkeypatch.setattr("likely.data.blocks.SCORED_ROWS", 5)
    checks.check_engine_agrees(opening, checks.table(4, 100), tmp_path)


def test_nothing_missing(opening: Opening, tmp_path: Path) -> None:
    checks.check_engine_agrees(opening, checks.table(5, 40, missing=0.0), tmp_path)


def test_other_options(opening: Opening, tmp_path: Path) -> None:
    model = likely.NaiveBayes(estimate="map", smoothing=0.5, missing="informative", priors="uniform")
    checks.check_engine_agrees(opening, checks.table(6, 40), tmp_path, model)


def test_far_from_zero(opening: Opening, tmp_path: Path) -> None:
    table = checks.table(7, 50, ["real", "binary"])
    far = {name: [x if x is None or name[0] == "b" else x + 1e8 for x in table.columns[name]] for name in table.columns}
    checks.check_engine_agrees(opening, replace(table, columns=far), tmp_path)


def test_few_rows(opening: Opening, tmp_path: Path) -> None:
    table = checks.table(8, 40, missing=0.0)
    first = [table.target.index(level) for level in sorted(set(table.target))]
    one_each = table.take([*first, *range(10)])
    checks.check_engine_agrees(opening, one_each, tmp_path)


def test_awkward_words(opening: Opening, tmp_path: Path) -> None:
    if "category" not in opening.kinds:
        pytest.skip("numbers only")
    words = ["it's", 'say "so"', "in between", "a;b", "tab\there", "back\\slash", "%", "{x}", "null?", "No"]
    some = [words[at % len(words)] for at in range(40)]
    table = Table({"w": some}, [f"c{at % 3}" for at in range(40)], {"w": "category"})
    checks.check_engine_agrees(opening, table, tmp_path)


def test_declared_levels_stay(opening: Opening, tmp_path: Path) -> None:
    if "category" not in opening.kinds:
        pytest.skip("numbers only")
    table = checks.table(9, 30, ["category"])
    levels = ["blue, pale", "dark green", "red", "violet", "青"]
    place: Any = "category1" if opening.target else 0
    model = likely.NaiveBayes(kinds={place: levels})
    rows = opening.open(table, tmp_path)
    fitted = likely.fit(rows, target=TREE_COLUMN, model=model) if opening.target else model.fit(rows, table.y)
    assert list(fitted.model_.schema.columns[0].levels) == levels
    proba = fitted.predict_proba(_without_target(opening.open(table, tmp_path)))
    expected = likely.NaiveBayes(kinds={"category1": levels}).fit(table.X, table.y).predict_proba(table.X)
    order = np.argsort(table.y, kind="stable") if opening.by_class else slice(None)
    assert np.allclose(proba, expected[order], atol=1e-9)


def test_all_together(tmp_path: Path) -> None:
    checks.check_engines_agree(checks.table(10, 30), tmp_path, OPENINGS.values())


def test_sparse_words_are_dense_words() -> None:
    """A matrix of word counts says the same, sparse or dense, and as texts of those words."""
    sparse = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(0)
    counts, y = rng.poisson(0.7, (40, 6)), rng.integers(0, 3, 40)
    texts = np.array(
        [[" ".join(f"w{word}" for word in range(6) for _ in range(n[word]))] for n in counts], dtype=object
    )
    dense = likely.NaiveBayes(kinds="text").fit(counts, y)
    thin = likely.NaiveBayes().fit(sparse.csr_array(counts), y)
    said = likely.NaiveBayes(kinds={0: "text"}).fit(texts, y)
    for model, rows in ((thin, sparse.csr_array(counts)), (thin, sparse.csr_matrix(counts)), (said, texts)):
        assert np.allclose(model.predict_proba(rows), dense.predict_proba(counts), atol=1e-12)


@pytest.mark.parametrize("kind", ["int8", "uint8", "int32", "int64", "float32", "float64", "bool"])
@pytest.mark.parametrize("layout", ["C", "F"])
def test_types_and_layouts_of_numbers(kind: str, layout: Any) -> None:
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (80, 4)).astype(kind)
    X[:3] = [[0, 1, 0, 1], [1, 0, 1, 0], [0, 0, 1, 1]]
    y = rng.integers(0, 3, 80)
    expected = likely.NaiveBayes().fit(X.astype(object).astype(float), y)
    model = likely.NaiveBayes().fit(np.asarray(X, order=layout), y)
    assert {column.kind for column in model.model_.schema.columns} == {"binary"}
    assert np.array_equal(model.predict_proba(X), expected.predict_proba(X.astype(float)))
    strided = np.repeat(X, 2, axis=1)[:, ::2]
    assert np.array_equal(likely.NaiveBayes().fit(strided, y).predict_proba(strided), model.predict_proba(X))
