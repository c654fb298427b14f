"""A law that nothing can break proves nothing: each of them notices a member that was made wrong on purpose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest

from likely import NaiveBayes, checks
from likely.checks import Encoded, Opening, Table
from likely.checks.statistic_laws import learner
from likely.core.block import Block
from likely.explanations import Explanation
from likely.families.categorical import Categorical, CategoricalPredictor
from likely.statistics import Statistic

TABLE = checks.table(0, 24)
ROWS = TABLE.encoded()


@dataclass(frozen=True, eq=False)
class Tally(Statistic):
    """(cells,): the weight of the rows, kept well; what is below breaks one thing each."""

    rows: Any

    @classmethod
    def of(cls, rows: Encoded) -> Self:
        return cls(np.bincount(rows.block.cells, rows.block.weights, 3).astype(np.int64)[:, None])  # type: ignore[arg-type]


class DropsARow(Tally):
    def __add__(self, other: Self) -> Self:
        return type(self)(self.rows + np.maximum(other.rows - 1, 0))


class TurnsIntoFloats(Tally):
    def __add__(self, other: Self) -> Self:
        return type(self)((self.rows + other.rows).astype(np.float64))


class KeepsAll(Tally):
    def __sub__(self, other: Self) -> Self:
        return self


class TakesTooMuch(Tally):
    def __sub__(self, other: Self) -> Self:
        return type(self)(self.rows - 2 * other.rows)


class SeesNoWrong(Tally):
    def possible(self) -> bool:
        return True


class SeesWrongEverywhere(Tally):
    def possible(self) -> bool:
        return False


class BeginsWithOne(Tally):
    def empty(self) -> Self:
        return type(self)(np.ones_like(self.rows))


class NeverScales(Tally):
    def __mul__(self, factor: float) -> Self:
        return self


class ForgetsItsType(Tally):
    def __init__(self, rows: Any) -> None:
        object.__setattr__(self, "rows", np.asarray(rows) * 1.5)


class GrowsInPlace(Tally):
    def embed(self, cells: Any, columns: Any, shape: tuple[int, int]) -> Self:
        out = np.zeros(shape, dtype=np.int64)
        out[: len(cells), : len(columns)] = self.rows
        return type(self)(out)


def first_row_counts_twice(rows: Encoded) -> Tally:
    whole = Tally.of(rows)
    return whole + Tally.of(rows.take([0])) if len(rows) else whole


def deaf_to_weights(rows: Encoded) -> Tally:
    return Tally.of(rows.weighed(None))


BROKEN_STATISTICS: list[tuple[Callable[..., None], Callable[[Encoded], Statistic]]] = [
    (checks.check_parts_add_up, DropsARow.of),
    (checks.check_parts_add_up, TurnsIntoFloats.of),
    (checks.check_subtraction_undoes, KeepsAll.of),
    (checks.check_subtraction_undoes, TakesTooMuch.of),
    (checks.check_subtraction_undoes, SeesWrongEverywhere.of),
    (checks.check_strangers_are_noticed, SeesNoWrong.of),
    (checks.check_identity, BeginsWithOne.of),
    (checks.check_identity, SeesWrongEverywhere.of),
    (checks.check_scaling, NeverScales.of),
    (checks.check_arrays_round_trip, ForgetsItsType.of),
    (checks.check_growing_keeps_answers, GrowsInPlace.of),
    (checks.check_row_order_is_irrelevant, first_row_counts_twice),
    (checks.check_weight_two_is_row_twice, deaf_to_weights),
]


@pytest.mark.parametrize(("law", "broken"), BROKEN_STATISTICS)
def test_statistics(law: Callable[..., None], broken: Callable[[Encoded], Statistic]) -> None:
    law(Tally.of, ROWS)
    with pytest.raises(AssertionError):
        law(broken, ROWS)


def test_beliefs() -> None:
    trial = checks.experiment(checks.beliefs()["Beta"])
    with pytest.raises(AssertionError, match="chain of predictives"):
        checks.check_evidence_is_chain_of_predictives(replace(trial, sequence=(1, 1)))
    with pytest.raises(AssertionError, match="step by step"):
        checks.check_updates_add_up(replace(trial, together=(1, 1)))


@dataclass(frozen=True)
class Altered(Categorical):
    """A family whose predictor is changed."""

    change: Any = None

    def predictor(self, *given: Any) -> Any:
        return self.change(super().predictor(*given))


@dataclass(frozen=True)
class Loud(CategoricalPredictor):
    """Every term is too large."""

    def terms(self, block: Block) -> Any:
        return super().terms(block) + 0.1


@dataclass(frozen=True)
class Unforgetting(CategoricalPredictor):
    """Leaving a row out changes nothing."""

    def without(self, block: Block) -> Any:
        return super().terms(block).sum(axis=1)


def altered(kind: type[CategoricalPredictor]) -> Altered:
    return Altered(change=lambda old: kind(old.counts, old.rows, old.levels, old.setting, old.aside))


@pytest.mark.parametrize(
    ("law", "broken"),
    [
        (checks.check_terms_sum_to_score, Loud),
        (checks.check_missing_says_nothing, Loud),
        (checks.check_predictive_is_a_distribution, Loud),
        (checks.check_without_is_refit, Unforgetting),
    ],
)
def test_families(law: Callable[..., None], broken: type[CategoricalPredictor]) -> None:
    law(altered(CategoricalPredictor), ROWS)
    with pytest.raises(AssertionError):
        law(altered(broken), ROWS)


class RemembersOrder(NaiveBayes):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        weights = np.ones(len(y)) if sample_weight is None else np.array(sample_weight, dtype=float)
        weights[0] += 1
        return super().fit(X, y, weights)


class DeafToWeights(NaiveBayes):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        return super().fit(X, y)


class KeepsToItself(NaiveBayes):
    def merge(self, other: Self) -> Self:
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        return self if hasattr(self, "model_") else super().partial_fit(X, y, classes, sample_weight)

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        return self

    def leave_one_out(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        return self.predict_proba(X)


class LovesTheFirstColumn(NaiveBayes):
    def predict_proba(self, X: Any) -> Any:
        first = self.explain(X).terms[:, 1]
        joint = np.exp(first - first.max(axis=1, keepdims=True))
        return joint / joint.sum(axis=1, keepdims=True)


class LovesMetres(NaiveBayes):
    """Real columns are cut at one metre."""

    def predict_proba(self, X: Any) -> Any:
        tall = np.array(X["real1"].fill_null(0).to_pylist()) > 1
        return np.where(tall[:, None], super().predict_proba(X), 1 / 3)


@pytest.mark.parametrize(
    ("law", "broken"),
    [
        (checks.check_row_order_is_irrelevant, RemembersOrder),
        (checks.check_weight_two_is_row_twice, DeafToWeights),
        (checks.check_merge_is_batch, KeepsToItself),
        (checks.check_partial_fit_is_fit, KeepsToItself),
        (checks.check_forget_undoes, KeepsToItself),
        (checks.check_leave_one_out_is_refit, KeepsToItself),
        (checks.check_column_order_is_irrelevant, LovesTheFirstColumn),
        (checks.check_shift_and_scale_change_nothing, LovesMetres),
    ],
)
def test_classifiers(law: Callable[..., None], broken: type[NaiveBayes]) -> None:
    with pytest.raises(AssertionError):
        law(broken(kinds=TABLE.kinds), TABLE)


class Overconfident(NaiveBayes):
    def predict_proba(self, X: Any) -> Any:
        return super().predict_proba(X) * 1.01

    def explain(self, X: Any) -> Explanation:
        said = super().explain(X)
        terms = said.terms.copy()
        terms[:, 1, 0] += 0.5
        return replace(said, terms=terms)

    def with_priors(self, priors: Any) -> Self:
        return self

    def save(self, path: Any) -> None:
        learner(NaiveBayes(kinds=TABLE.kinds))(TABLE.take(np.arange(9))).save(path)


@pytest.mark.parametrize(
    "law",
    [
        checks.check_probabilities_sum_to_one,
        checks.check_explanation_sums_to_prediction,
        checks.check_other_priors_reweigh,
        checks.check_save_load,
    ],
)
def test_fitted(law: Callable[..., None]) -> None:
    with pytest.raises(AssertionError):
        law(learner(Overconfident(kinds=TABLE.kinds))(TABLE), TABLE.X)


def test_engines(tmp_path: Path) -> None:
    arrow = checks.openings()["arrow"].open

    def drops_a_row(table: Table, folder: Path) -> Any:
        return arrow(table.take(np.arange(len(table) - 1)), folder)

    def turns_a_value(table: Table, folder: Path) -> Any:
        values = list(table.columns["real1"])
        at = next(row for row, value in enumerate(values) if value is not None)
        values[at] += 1e-6
        return arrow(replace(table, columns={**table.columns, "real1": values}), folder)

    def shuffles(table: Table, folder: Path) -> Any:
        return arrow(table.take(np.arange(len(table))[::-1]), folder)

    for broken in (drops_a_row, turns_a_value, shuffles):
        with pytest.raises(AssertionError):
            checks.check_engine_agrees(Opening(broken), TABLE, tmp_path)
    with pytest.raises(AssertionError):
        checks.check_engines_agree(TABLE, tmp_path, [Opening(arrow), Opening(drops_a_row)])
    with pytest.raises(AssertionError):
        checks.check_learnt_by_hand(learner(NaiveBayes(kinds=TABLE.kinds))(TABLE), TABLE.take(np.arange(20)))


def test_every_law_is_broken_here() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    assert [name for name in checks.__all__ if name.startswith("check_") and f"checks.{name}" not in text] == []


def test_sameness() -> None:
    checks.check_same(np.array([1.0, np.inf]), np.array([1.0, np.inf]))
    for one, other in (([1.0], [1.1]), ([1], [2]), ([1.0], [np.nan]), ([1.0], [np.inf]), ([1.0], [1.0, 1.0])):
        with pytest.raises(AssertionError):
            checks.check_same(np.array(one), np.array(other))
