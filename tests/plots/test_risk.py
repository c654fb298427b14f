"""Pictures of risks and residuals: titles, labels, given axes, odd values and refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from likely.errors import LikelyError
from likely.evaluation import Diagnosis, LearningCurve, StructuralRisk, evaluate_regression
from likely.evaluation.regression_scores import RegressionEvaluation
from likely.plots.curves.residuals import residuals
from likely.plots.curves.risk import diagnosis, structural_risk
from tests.plots.layout import hidden

RNG = np.random.default_rng(0)


def risks(values: tuple[Any, ...], penalty: Any = None, means: Any = None) -> StructuralRisk:
    count = len(values)
    expected = RNG.uniform(1, 2, (count, 4)) if means is None else np.asarray(means)
    return StructuralRisk("强度", values, "squared", np.linspace(1, 0, count), expected, penalty)


@pytest.mark.parametrize(
    "found",
    [
        risks((0.001, 0.1, 10.0), np.array([0.1, 0.2, 0.3])),
        risks((1, 2, 3)),
        risks((0, 5, 10)),
        risks(("full", "$5", None)),
        risks((1, 2), means=[[np.inf, 1.0], [2.0, 1.0]]),
    ],
)
def test_structural_risk(found: StructuralRisk) -> None:
    own = found.plot()
    own.draw_without_rendering()
    assert own.axes[0].get_title().startswith("Risk along 强度: least at")
    assert own.axes[0].get_xlabel() == "强度"
    shared = Figure(figsize=(12, 5))
    left, right = shared.subplots(1, 2)
    assert structural_risk(found, ax=right) is shared
    assert not left.has_data()
    names = [text.get_text() for text in own.axes[0].get_legend().get_texts()]
    assert ("structural" in names) == (found.penalty is not None)


def test_the_axis_is_logarithmic_where_values_are_far_apart() -> None:
    assert risks((0.001, 0.1, 10.0)).plot().axes[0].get_xscale() == "log"
    assert risks((1, 2, 3)).plot().axes[0].get_xscale() == "linear"


def test_diagnosis() -> None:
    held = RNG.uniform(0.9, 1.0, (2, 4))
    curve = LearningCurve(np.array([10, 20]), held / 9, held, "squared", 0.5, held[0], 2.0)
    figure = Diagnosis("Model", curve, ("lower 深度 (now 3)",), "深度").plot()
    figure.draw_without_rendering()
    curve_ax, fields = figure.axes
    assert curve_ax.get_title() == "Learning curve: over-fitting"
    assert fields.get_title() == "Model: over-fitting"
    assert "expected risk" in fields.get_xlabel()


@pytest.mark.parametrize("rows", [3, 200, 10_000])
def test_residuals(rows: int) -> None:
    from sklearn.linear_model import LinearRegression

    X = RNG.normal(size=(rows, 1))
    found = evaluate_regression(LinearRegression().fit(X, X[:, 0] ** 2), X, X[:, 0] ** 2)
    figure = found.plot()
    figure.draw_without_rendering()
    assert len(figure.axes) == 2
    assert ("drawn" in figure.axes[0].get_title()) == (rows > 4_000)
    shared = Figure()
    assert residuals(found, ax=shared.subplots()) is shared


def test_the_legends_of_residuals_hide_no_row() -> None:
    """Rows in all corners of both panels leave no room but below them."""
    y, predicted = RNG.uniform(size=(2, 4000))
    figure = RegressionEvaluation(y, predicted, 0.0, 1.0, 1.0, 1.0, 0.0).plot()
    assert [ax.get_legend() for ax in figure.axes] == [None, None]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["predicted = actual", "mean of neighbours"]
    along = np.linspace(0, 1, 40)
    actual = along + 0.2 * np.isin(np.arange(40), 20) - 0.2 * np.isin(np.arange(40), 19)
    free = RegressionEvaluation(actual, along, 1.0, 1.0, 1.0, 1.0, 0.0).plot()
    assert not free.legends
    assert hidden(free) == 0


@pytest.mark.parametrize("draw", [structural_risk, diagnosis, residuals])
def test_refusals(draw: Any) -> None:
    with pytest.raises(LikelyError) as error:
        draw(3)
    assert error.value.code == "O374"
