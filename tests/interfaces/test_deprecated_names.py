"""Old spellings of public names: each warns, and is the same thing as the new one."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from likely import NaiveBayes
from likely.core.deprecated import RENAMED
from likely.estimators.inspection import inspect
from likely.evaluation import learning_curve

OLD = [(package, old, new) for package, names in RENAMED.items() for old, new in names.items()]


@pytest.mark.parametrize(("package", "old", "new"), OLD)
def test_an_old_name_warns_and_is_the_new_one(package: str, old: str, new: str) -> None:
    module = import_module(package)
    assert new in module.__all__
    assert old not in module.__all__
    with pytest.warns(DeprecationWarning, match=f"{package}.{old} is now {package}.{new}") as told:
        found = getattr(module, old)
    assert found is getattr(module, new)
    assert told[0].filename == __file__


def test_an_old_name_that_is_imported_warns_once() -> None:
    with pytest.warns(
        DeprecationWarning, match="evaluate_amounts is now likely.evaluation.evaluate_regression"
    ) as told:
        from likely.evaluation import evaluate_amounts  # noqa: F401
    assert len(told) == 1
    assert told[0].filename == __file__


@pytest.mark.parametrize("package", RENAMED)
def test_a_name_that_never_was_is_still_refused(package: str) -> None:
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing'"):
        import_module(package).nothing  # noqa: B018


def test_an_old_attribute_warns_and_is_the_new_one() -> None:
    X, y = np.arange(40.0)[:, None], np.arange(40) % 2
    curve: Any = learning_curve(NaiveBayes(), X, y, folds=2)
    with pytest.warns(DeprecationWarning, match=r"LearningCurve\.amounts is now LearningCurve\.regression"):
        assert curve.amounts is curve.regression
    (column,) = inspect(pa.table({"x": [1.0, None]})).columns
    with pytest.warns(DeprecationWarning, match=r"ColumnReport\.holes is now ColumnReport\.missing"):
        assert column.holes == column.missing == 1
