"""Pictures of lines, of what columns add, and of descents."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from likely.errors import OptionError
from likely.estimators.companions.linear_regression import LinearRegression
from likely.plots.terms.regression import line

X = np.linspace(0, 5, 30)[:, None]
Y = 2 * X[:, 0] + np.random.default_rng(0).normal(size=30) + 1


def test_a_line_has_its_rows_and_both_bands() -> None:
    axes = LinearRegression().fit(X, Y).plot(X, Y).axes[0]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        "rows",
        "95 % of a single row",
        "95 % of the mean",
        "line",
    ]
    assert axes.get_title().startswith("y = ")
    assert "R²" in axes.get_title()
    assert len(LinearRegression(penalty="l1", strength=0.1).fit(X, Y).plot().axes[0].collections) == 0


def test_a_frame_is_drawn_under_its_names() -> None:
    frame, amounts = pd.DataFrame({"面积": X[:, 0]}), pd.Series(Y, name="价格")
    axes = LinearRegression().fit(frame, amounts).plot(frame, amounts).axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("面积", "价格")


def test_several_columns_have_no_line() -> None:
    with pytest.raises(OptionError, match="O610"):
        line(LinearRegression().fit(np.column_stack([X, X**2]), Y))


def test_what_columns_add_ends_at_the_prediction() -> None:
    rng = np.random.default_rng(1)
    many = rng.normal(size=(60, 18))
    model = LinearRegression().fit(many, many @ rng.normal(size=18))
    why = model.explain(many[:2])
    axes = why.plot(1, top=5).axes[0]
    labels = [text.get_text() for text in axes.get_yticklabels()]
    assert labels[0] == "average"
    assert labels[-2:] == ["13 more", "sum"]
    assert axes.lines[1].get_xdata()[0] == pytest.approx(model.predict(many[:2])[1])


def test_a_descent_of_two_parameters_is_drawn_on_its_slopes() -> None:
    walked = LinearRegression(method="descent", tol=1e-4).fit(X, Y)
    losses, slopes = walked.path_.plot().axes
    assert losses.get_title().startswith("Converged after")
    assert (slopes.get_xlabel(), slopes.get_ylabel()) == ("intercept", "x0")
    wide = LinearRegression(method="descent", tol=1e-2, max_iter=10**6).fit(np.column_stack([X, X[::-1] ** 2]), Y)
    assert len(wide.path_.plot().axes) == 1
