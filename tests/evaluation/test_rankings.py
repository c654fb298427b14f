"""Models over several tables: ranks and tests against Demšar (2006), scipy and counting by hand."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.dummy import DummyClassifier

import likely
from likely.errors import LikelyError
from likely.evaluation import Comparison, Ranking, compare, critical_difference, rank
from likely.evaluation.comparisons.comparison import ClassifierScores, FailedModel
from likely.evaluation.comparisons.measures import CLASS_MEASURES
from likely.evaluation.comparisons.rankings import friedman

# Demšar (2006), table 5: the quantiles of Nemenyi's test for 2 to 10 classifiers
NEMENYI = {
    0.05: [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164],
    0.10: [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920],
}
# Demšar (2006), table 6: the AUC of C4.5 with two of its options tuned or not, over 14 tables; of the two that the
# table shows as 0.975 but ranks apart, one is a little less
AUC = """
0.763 0.768 0.771 0.798
0.599 0.591 0.590 0.569
0.954 0.971 0.968 0.967
0.628 0.661 0.654 0.657
0.882 0.888 0.886 0.898
0.936 0.931 0.916 0.931
0.661 0.668 0.609 0.685
0.583 0.583 0.563 0.625
0.775 0.838 0.866 0.875
1.000 1.000 1.000 1.000
0.940 0.962 0.965 0.962
0.619 0.666 0.614 0.669
0.972 0.981 0.975 0.9749
0.957 0.978 0.946 0.970
"""


def compared(means: dict[str, float], measure: str = "auc", **more: object) -> Comparison:
    """A comparison in which models have these scores, and nothing is tested."""
    others = dict.fromkeys(CLASS_MEASURES, np.array([np.nan]))
    rows = [
        ClassifierScores(name, method="refit", **{**others, measure: np.array([mean])}) for name, mean in means.items()
    ]
    return Comparison(tuple(rows), rows[0].name, (), 10, 1, score=measure, **more)  # type: ignore[arg-type]


def of_scores(scores: list[list[float]], measure: str = "auc") -> Ranking:
    return rank(
        {
            f"t{at}": compared({f"m{place}": value for place, value in enumerate(row)}, measure)
            for at, row in enumerate(scores)
        }
    )


@pytest.mark.parametrize("level", NEMENYI)
def test_quantiles_are_those_of_the_published_table(level: float) -> None:
    found = [critical_difference(models, 1, level) / np.sqrt(models * (models + 1) / 6) for models in range(2, 11)]
    assert np.abs(np.array(found) - NEMENYI[level]).max() < 0.0015  # three digits are printed, not all rounded


def test_the_example_of_the_paper() -> None:
    scores = [[float(word) for word in line.split()] for line in AUC.strip().splitlines()]
    found = of_scores(scores)
    assert np.abs(found.mean_ranks - [3.143, 2.000, 2.893, 1.964]).max() < 5e-4
    assert np.isclose(found.critical_difference, 1.25, atol=0.01)  # 2.569 · sqrt(4 · 5 / (6 · 14))
    known = stats.friedmanchisquare(*np.array(scores).T)
    assert np.isclose(found.friedman.chi_squared, known.statistic)
    assert found.friedman.p_value < known.pvalue < 0.05
    assert (found.best, found.ranked) == ("m3", ["m3", "m1", "m2", "m0"])
    assert found.groups == (("m3", "m1", "m2", "m0"),)  # 3.143 - 1.964 = 1.18 < 1.25, as the paper says
    assert found.enough
    json.dumps(found.to_dict(), allow_nan=False)


@settings(deadline=None, derandomize=True)
@given(st.lists(st.lists(st.integers(0, 4), min_size=4, max_size=4), min_size=3, max_size=12))
def test_friedman_is_that_of_scipy(values: list[list[int]]) -> None:
    scores = np.array(values, dtype=float)
    ranks = stats.rankdata(scores, axis=1)
    if np.ptp(ranks, axis=1).any():
        assert np.isclose(friedman(ranks).chi_squared, stats.friedmanchisquare(*scores.T).statistic)
    else:
        assert friedman(ranks).p_value == 1.0
    assert np.array_equal(of_scores(values, "log_loss").ranks, ranks)  # type: ignore[arg-type]


def test_models_that_always_come_in_one_order_are_told_apart() -> None:
    found = of_scores([[0.9, 0.8, 0.7]] * 12)
    assert found.friedman.p_value == 0.0
    assert found.groups == ()  # 1 > 2.343 · sqrt(3 · 4 / (6 · 12)) = 0.957
    assert "better than all others" in found.words
    assert [row["mean_rank"] for row in found.frame().to_dict("records")] == [1.0, 2.0, 3.0]


def test_few_tables_tell_nothing_and_the_words_and_the_picture_say_so() -> None:
    found = of_scores([[0.9, 0.8, 0.7]] * 5)
    assert (found.enough, found.tables_needed, found.groups) == (False, 6, ())
    assert "5 tables are too few" in found.words
    shown = " ".join(text.get_text() for text in found.plot().axes[0].texts)
    assert "it takes 6" in shown.replace("\n", " ")
    assert "critical difference" not in shown


def test_equal_scores_share_a_rank_and_models_without_one_come_last() -> None:
    inf = float("inf")
    first = compared({"a": 0.5, "b": inf, "c": inf}, "log_loss", failed=(FailedModel("d", "D117", "no rows"),))
    found = rank({"one": first, "two": compared(dict.fromkeys("abcd", 0.5), "log_loss")})
    assert found.ranks.tolist() == [[1.0, 2.5, 2.5, 4.0], [2.5] * 4]
    assert "'d' could not be judged on 'one' and is ranked last there." in found.words
    assert found.wins[0].tolist() == [0, 1, 1, 1]
    assert found.draws[0].tolist() == [0, 1, 1, 1]
    assert "–" in repr(found)


def test_friedman_alone_decides_whether_any_are_told_apart() -> None:
    rng = np.random.default_rng(1)
    found = of_scores(rng.normal(size=(12, 5)).tolist())
    assert found.friedman.p_value > 0.05
    assert found.groups == (tuple(found.ranked),)
    assert "may be alike" in found.words


def test_a_bar_joins_each_group() -> None:
    rng = np.random.default_rng(0)
    found = of_scores((rng.normal(size=(20, 7)) * 0.1 - np.linspace(0.3, 0.6, 7)).tolist())
    of = dict(zip(found.models, found.mean_ranks, strict=True))
    near = {(a, b) for a in of for b in of if abs(of[a] - of[b]) < found.critical_difference}
    joined = {(a, b) for group in found.groups for a in group for b in group}
    assert joined | {(a, a) for a in of} == near
    bars = [line for line in found.plot().axes[0].lines if line.get_linewidth() == 3.5]
    assert len(bars) == len(found.groups)


def test_wins_and_draws_are_by_the_folds_spread() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    tables = {"far": (rng.normal(size=(60, 1)) + 6 * y[:, None], y), "none": (rng.normal(size=(60, 1)), y)}
    models = {"naive": likely.NaiveBayes(), "shares": DummyClassifier(strategy="prior")}
    found = likely.compare(tables, models=models, folds=5)
    assert isinstance(found, Ranking)
    alone = {name: compare(models, X, target, 5) for name, (X, target) in tables.items()}
    for at, name in enumerate(tables):
        assert found.scores[at].tolist() == [row.mean("log_loss") for row in alone[name].rows]
    wanted = sum(one.pairs[0].log_loss.p_value < 0.05 for one in alone.values())
    assert wanted == 1
    assert found.wins.tolist() == [[0, 1], [0, 0]]
    assert found.draws.tolist() == [[0, 1], [1, 0]]
    assert found.losses.tolist() == [[0, 0], [1, 0]]


@pytest.mark.parametrize(
    "comparisons",
    [
        {"one": compared({"a": 0.5, "b": 0.6})},
        {"one": compared({"a": 0.5}), "two": compared({"a": 0.6})},
        {"one": compared({"a": 0.5, "b": 0.6}), "two": compared({"a": 0.5, "b": 0.6}, "accuracy")},
    ],
)
def test_what_cannot_be_ranked(comparisons: dict[str, Comparison]) -> None:
    with pytest.raises(LikelyError) as error:
        rank(comparisons)
    assert error.value.code == "O340"
