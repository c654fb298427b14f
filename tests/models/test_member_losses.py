"""Losses of members with each row left out: looked up in tables, they are those of rows taken out one by one."""

import numpy as np
import pandas as pd
import pytest

import likely
from likely.data import Labels, open_source
from likely.errors import NotLearntError
from likely.models.average import AverageModel

OPTIONS = [
    {},
    {"backoff": "column"},
    {"backoff": "even"},
    {"estimate": "mle"},
    {"smoothing": 0.0},
    {"missing": "informative"},
    {"numbers": "density", "min_support": 5},
    {"numbers": "levels", "subsumption": 3},
]


def table(seed: int, rows: int = 90) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = np.array(["no", "so", "yes"])[rng.integers(3, size=rows)]
    frame: dict[str, np.ndarray] = {}
    for at in range(3):
        words = np.array(["a", "b", "c", "d"], dtype=object)[(rng.integers(3, size=rows) + (y == "yes")) % 4]
        words[rng.random(rows) < 0.15] = None
        frame[f"word{at}"] = words
    for at in range(2):
        numbers = rng.normal(size=rows) + (y == "no")
        numbers[rng.random(rows) < 0.15] = np.nan
        frame[f"number{at}"] = numbers
    return pd.DataFrame(frame), y


def judged(model: likely.AODE, X: pd.DataFrame, y: np.ndarray, weights: np.ndarray | None, ranked: bool) -> np.ndarray:
    (task,) = open_source(X, labels=Labels.read(y), weights=weights).tasks(model.model_.schema, True, 10_000)
    return np.asarray(model.model_.losses(task(), ranked))


@pytest.mark.parametrize(
    ("weights", "ranked"),
    [
        (None, False),
        ((0.5, 1.0, 2.0), True),
        *(pytest.param(*one, marks=pytest.mark.slow) for one in ((None, True), ((0.5, 1.0, 2.0), False))),
    ],
    ids=["alike", "weighted-ranked", "alike-ranked", "weighted"],
)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_looked_up_or_taken_out_the_losses_are_the_same(
    options: dict[str, object], weights: tuple[float, ...] | None, ranked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = table(1)
    worth = None if weights is None else np.random.default_rng(0).choice(weights, size=len(y))
    model = likely.AODE(**options).fit(X, y, sample_weight=worth)
    found = judged(model, X, y, worth, ranked)
    monkeypatch.setattr(AverageModel, "_looked_up", AverageModel._left_out)
    np.testing.assert_allclose(found, judged(model, X, y, worth, ranked), rtol=1e-12)


def test_the_loss_of_a_super_parent_is_that_of_its_model() -> None:
    X, y = table(2)
    model = likely.AODE().fit(X, y)
    classes, own = model.classes_.tolist(), np.arange(len(y))
    for member, loss in zip(model.model_.members, judged(model, X, y, None, False), strict=True):
        alone = likely.SPODE(parent=member[0], cuts=model.cuts_).fit(X, y)
        said = alone.leave_one_out(X, y, log=True)
        assert loss == pytest.approx(-said[own, [classes.index(label) for label in y]].sum(), rel=1e-12)


def test_a_row_that_was_never_learnt_is_refused() -> None:
    X, y = table(3)
    model = likely.AODE(kinds={"number0": "skip", "number1": "skip"}).fit(X[y != "so"], y[y != "so"])
    odd = X[:1].assign(word0="a", word1="b", word2="d")
    learnt = model.model_.schema
    never = next(
        label
        for label in ("no", "yes")
        for word in learnt.columns[2].levels
        if not ((X.word2 == word) & (y == label)).any()
    )
    word = next(w for w in learnt.columns[2].levels if not ((X.word2 == w) & (y == never)).any())
    with pytest.raises(NotLearntError, match="no such value"):
        judged(model, odd.assign(word2=word), np.array([never]), None, False)
