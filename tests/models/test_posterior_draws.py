"""Parameters drawn from their posterior: as if by hand, only where rows are, and the same whatever rows are beside."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.base import clone

import likely
from likely.data import open_source
from likely.estimators.face import generative
from likely.families.levels import Levels
from likely.models import posterior_draws
from likely.models.posterior_draws import Redrawn

FOREST = likely.BayesForest(n_estimators=3)
MODELS = [likely.NaiveBayes(), likely.TAN(), likely.KDB(k=2), likely.AODE(), likely.SPODE(), FOREST]


def table(rows: int = 60) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(0)
    y = np.array(["no", "yes"])[rng.integers(2, size=rows)]
    words = {f"word{at}": rng.choice(["a", "b", "c", None], size=rows) for at in range(3)}
    numbers = {f"number{at}": rng.normal(size=rows) + (y == "no") for at in range(2)}
    return pd.DataFrame(words | numbers), y


def two_words(rows: int = 40) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """A small table of two columns, and its counts (classes, levels of a, levels of b)."""
    rng = np.random.default_rng(1)
    y, a = rng.integers(2, size=rows), rng.integers(3, size=rows)
    b = np.where(rng.random(rows) < 0.6, a, rng.integers(3, size=rows))
    counts = np.zeros((2, 3, 3))
    np.add.at(counts, (y, a, b), 1)
    return pd.DataFrame({"a": np.array(list("pqr"))[a], "b": np.array(list("pqr"))[b]}), y, counts


def shares(counts: np.ndarray, rng: np.random.Generator, draws: int) -> np.ndarray:
    """(draws, classes, levels): drawn from Dirichlet posteriors under Laplace's prior."""
    return np.stack([rng.dirichlet(row + 1, draws) for row in counts], axis=1)


def drawn_by_hand(name: str, counts: np.ndarray, a: int, b: int | None, draws: int) -> np.ndarray:
    """(draws,): P(class 1 | row) under parameters drawn without likely; what is not seen is summed out."""
    rng = np.random.default_rng(2)
    prior = rng.dirichlet(counts.sum(axis=(1, 2)) + 1, draws)
    of_a, of_b = shares(counts.sum(axis=2), rng, draws), shares(counts.sum(axis=1), rng, draws)
    below_a, below_b = shares(counts[:, a], rng, draws), [shares(counts[:, :, at], rng, draws) for at in range(3)]
    if name == "naive":
        said = of_a[..., a] * (1 if b is None else of_b[..., b])
    elif name == "tree":  # b -> a, as a lost parent is what has to be summed out
        said = sum(of_b[..., at] * below_b[at][..., a] for at in (range(3) if b is None else [b]))
    else:
        said = of_a[..., a] * (1 if b is None else below_a[..., b])
        said = said + sum(of_b[..., at] * below_b[at][..., a] for at in (range(3) if b is None else [b]))
    joint = prior * said
    return joint[:, 1] / joint.sum(axis=1)


@pytest.mark.parametrize("held", [1 << 24, 3000], ids=["at once", "a few at a time"])
@pytest.mark.parametrize(("a", "b"), [("p", "p"), ("r", "p"), ("q", None)])
@pytest.mark.parametrize("name", ["naive", "tree", "average"])
def test_draws_are_from_the_posterior(
    name: str, a: str, b: str | None, held: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y, counts = two_words()
    plain = {"backoff": "even", "kinds": {"a": "category", "b": "category"}}
    model = {
        "naive": lambda: likely.NaiveBayes(),
        "tree": lambda: likely.TAN(root="b", **plain),
        "average": lambda: likely.AODE(min_support=0, **plain),
    }[name]()
    found = model.fit(X, y).model_
    for room in ("MOST_NUMBERS_KEPT", "NUMBERS_MADE_AT_A_TIME"):
        monkeypatch.setattr(posterior_draws, room, held)
    (task,) = open_source(pd.DataFrame({"a": [a], "b": [b]})).tasks(found.schema, False, 10)
    drawn = Redrawn.of(found, 5, 4000).proba(task())
    assert drawn.shape == (1, 4000, 2)
    np.testing.assert_allclose(drawn.sum(axis=2), 1.0, rtol=1e-12)
    wanted = drawn_by_hand(name, counts, "pqr".index(a), None if b is None else "pqr".index(b), 20_000)
    assert stats.ks_2samp(drawn[0, :, 1], wanted).pvalue > 1e-3


@pytest.mark.parametrize("model", [likely.TAN(), likely.KDB(k=2), likely.AODE()], ids=repr)
def test_only_cells_that_rows_are_in_are_drawn(model: likely.TAN, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({f"word{at}": rng.choice(list("abcde"), size=200) for at in range(4)})
    model.fit(X, rng.integers(2, size=200))
    cells, real = [], Levels.drawn_table
    monkeypatch.setattr(Levels, "drawn_table", lambda *given: (cells.append(len(given[2])), real(*given))[1])
    model.interval(X[:1])
    assert cells == [1] * 4


@pytest.mark.parametrize(
    ("model", "kind"),
    [
        *((likely.TAN(), kind) for kind in ("real", "count", "parzen")),
        *((likely.AODE(), kind) for kind in ("real", "count")),
        pytest.param(likely.AODE(), "parzen", marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_draws_of_numbers_below_parents_are_about_what_is_learnt(model: likely.TAN, kind: str) -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(2, size=2000)
    X = pd.DataFrame({"word": rng.choice(list("ab"), size=2000), "number": rng.poisson(3 + 2 * y).astype(float)})
    model = clone(model).set_params(kinds={"word": "category", "number": kind}, numbers="density").fit(X, y)
    some = pd.DataFrame({"word": ["a", "b", None, "a"], "number": [2.0, 6.0, 4.0, np.nan]})
    low, high = np.moveaxis(model.interval(some), 2, 0)
    proba = model.predict_proba(some)
    assert ((low <= proba) & (proba <= high)).all()
    assert (high - low).max() < 0.2


@pytest.mark.parametrize("model", [likely.TAN(), likely.KDB(k=2), likely.AODE()], ids=repr)
def test_what_is_drawn_from_is_found_once(model: likely.TAN, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = table()
    model.fit(X, y)
    calls, real = [], Levels.table
    monkeypatch.setattr(Levels, "table", lambda *given: (calls.append(1), real(*given))[1])
    counts = []
    for draws in (2, 20):
        monkeypatch.setattr(generative, "PARAMETER_DRAWS", draws)
        calls.clear()
        model.interval(X)
        counts.append(len(calls))
    assert counts[0] >= counts[1]


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_intervals_do_not_hang_on_the_rows_beside(model: likely.NaiveBayes, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = table()
    monkeypatch.setattr(generative, "PARAMETER_DRAWS", 20)
    together = model.fit(X, y).interval(X, seed=3)
    monkeypatch.setattr(posterior_draws, "MOST_ROWS_AT_A_TIME", 7)
    np.testing.assert_allclose(model.interval(X, seed=3), together, rtol=1e-9)


def test_the_room_of_drawn_windows_is_what_they_take() -> None:
    """It was that of the whole grid, however few of its nodes had values."""
    rng = np.random.default_rng(0)
    X, y = pd.DataFrame({f"x{at}": rng.normal(size=60) for at in range(3)}), np.arange(60) % 2
    model = likely.NaiveBayes(kinds="parzen").fit(X, y).model_
    (_, _, scorer), *_ = Redrawn.of(model, 0, 1)._made()
    held = sum(cell.shares.size for column in scorer.scorers for cell in column.tables.cells)
    nodes = sum(np.count_nonzero(column.classes.counts[:-1]) for _, column in model._predictors.parts)
    assert held <= model.drawn_size <= held + nodes
    assert model.drawn_size < 3 * 3 * 2048 / 3
