"""The laws of classifiers under every option, on tables of every kind, cut anywhere, with and without weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import likely
from likely import checks
from likely.checks import Table
from likely.checks.runner import FITTED_LAWS, LEARNING_LAWS
from likely.checks.statistic_laws import learner
from likely.core.schema import Parzen, Text

PHASES = set(Phase) - {Phase.explain}  # explaining a failure takes minutes

FORMS = {"parzen1": Parzen("box", "scott"), "text1": Text("complement")}
SOME_ROWS = checks.table()
NAMED = {**SOME_ROWS.kinds, **FORMS}

POOLS = ("BayesForest", "BayesClassifier")
SMOOTHING = {"BayesForest": (1.0, 0.5, 2.5)}
DENSITIES = ("GaussianBayes", "LinearDiscriminant", "ParzenBayes")

pytestmark = pytest.mark.filterwarnings("ignore::likely.errors.SchemaWarning")


def laid(name: str, table: Table) -> Table:
    """The table, or a narrower one for models that count columns together; all kinds meet AnDE in test_members.py."""
    if name == "NaiveBayes":
        return table
    some = checks.few(table)
    return some.only([one for one in some.columns if one not in ("binary1", "count1")]) if name == "AnDE" else some


MANY = pytest.mark.parametrize("often", [1, pytest.param(4, marks=pytest.mark.slow)], ids=["few", "many"])


def examples(name: str, slow: bool) -> int:
    """How many tables to try: counting columns three by three takes its time."""
    if slow or name == "AnDE":
        return 2 if name == "AnDE" else 3
    return 5 if name in DENSITIES or name == "NaiveBayes" else 4


@st.composite
def densities(draw: st.DrawFn, name: str) -> dict[str, Any]:
    """The options of a classifier that describes numbers together."""
    if name == "ParzenBayes":
        return {
            "estimate": draw(st.sampled_from(["mle", "bayes"])),
            "kernel": draw(st.sampled_from(["gaussian", "box", "triangular", "epanechnikov", "biweight"])),
            "bandwidth": draw(st.sampled_from(["silverman", "scott", 0.7])),
            "shared": draw(st.booleans()),
            "joint": draw(st.sampled_from(["auto", False])),
        }
    estimates = ["mle", "unbiased", "map", *(["bayes"] if name == "GaussianBayes" else [])]
    own: dict[str, Any] = {"estimate": draw(st.sampled_from(estimates))}
    if name == "GaussianBayes":
        own["covariance"] = draw(st.sampled_from(["full", "shared", "diagonal", "spherical", "tied-diagonal"]))
    if own["estimate"] != "bayes" and own.get("covariance", "shared") in ("full", "shared"):
        own["shrinkage"] = draw(st.sampled_from([None, "ledoit-wolf", "oas", 0.2]))
    return own


@st.composite
def models(draw: st.DrawFn, name: str) -> Any:
    own: dict[str, Any] = {"estimate": draw(st.sampled_from(["bayes", "map", "mle"]))}
    if name in DENSITIES:
        own = draw(densities(name))
    elif name in POOLS:  # which always smooth: weights of what is impossible mean nothing
        own = {}
    elif name != "NaiveBayes":
        own["backoff"] = draw(st.sampled_from(["class", "column", "even"]))
    return checks.steady(
        checks.classifiers()[name],
        {column: NAMED[column] for column in laid(name, SOME_ROWS).columns},
        **own,
        **(
            {}
            if name == "BayesClassifier"
            else {"smoothing": draw(st.sampled_from(SMOOTHING.get(name, (1.0, 0.5, 0.0))))}
        ),
        priors=draw(st.sampled_from([None, "empirical", "uniform"])),
        missing=draw(st.sampled_from(["ignore", "informative"])),
    )


@st.composite
def tables(draw: st.DrawFn) -> Table:
    rows = draw(st.integers(3, 18))
    table = checks.table(draw(st.integers(0, 10**6)), rows, missing=draw(st.sampled_from([0.0, 0.15, 0.5])))
    weights = draw(st.sampled_from([None, (1.0, 2.0, 3.0), (0.5, 1.25, 0.1)]))
    return table.weighed(None if weights is None else np.resize(weights, rows))


def learning_laws(name: str) -> list[Callable[..., None]]:
    """Those of a classifier: the structure of a pool is of columns in one order, and refuses another."""
    return [law for law in LEARNING_LAWS if (name, law) != ("BayesClassifier", checks.check_column_order_is_irrelevant)]


@MANY
@pytest.mark.parametrize(
    ("name", "law"),
    [
        pytest.param(name, law, id=f"{name}-{law.__name__}")
        for name in checks.classifiers()
        for law in learning_laws(name)
    ],
)
def test_learning(name: str, law: Callable[..., None], often: int) -> None:
    cuts, slow = "cut" in law.__annotations__, law is checks.check_leave_one_out_is_refit

    @settings(max_examples=often * examples(name, slow), deadline=None, derandomize=True, phases=PHASES)
    @given(models(name), tables(), st.data())
    def holds(model: Any, table: Table, data: st.DataObject) -> None:
        if law is checks.check_weight_two_is_row_twice:
            table = table.weighed(None)
        law(model, laid(name, table), **({"cut": data.draw(st.integers(1, len(table) - 1))} if cuts else {}))

    holds()


@MANY
@pytest.mark.parametrize("law", FITTED_LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("name", checks.classifiers())
def test_fitted(name: str, law: Callable[..., None], often: int) -> None:
    @settings(max_examples=often * examples(name, False), deadline=None, derandomize=True, phases=PHASES)
    @given(models(name), tables(), tables())
    def holds(model: Any, table: Table, strangers: Table) -> None:
        law(
            learner(model)(laid(name, table)), laid(name, strangers).X
        )  # levels and words that were never seen among them

    holds()


@pytest.mark.parametrize("name", checks.classifiers())
@pytest.mark.parametrize(
    ("shift", "scale"),
    [(1e8, 1.0), (0.0, 1e-6), *(pytest.param(*units, marks=pytest.mark.slow) for units in ((-5e6, 3.0), (1e-3, 1e9)))],
)
def test_units_far_from_home(name: str, shift: float, scale: float) -> None:
    table = laid(name, checks.table(5, 30))
    model = checks.classifiers()[name](kinds={column: NAMED[column] for column in table.columns})
    checks.check_shift_and_scale_change_nothing(model, table, shift, scale, tolerance=1e-5)


@pytest.mark.parametrize("name", checks.classifiers())
def test_nothing_missing_under_error(name: str) -> None:
    table = laid(name, checks.table(3, 9, missing=0.0))  # no text of it is empty, which is missing, too
    kinds = {column: NAMED[column] for column in table.columns}
    model = checks.steady(checks.classifiers()[name], kinds, missing="error")
    for law in learning_laws(name):
        law(model, table)


@pytest.mark.parametrize("name", checks.classifiers())
def test_classes_of_numbers(name: str) -> None:
    table = checks.table(3, 9).only(["real1", "category1", "category2"])  # whatever the columns are
    kinds = {column: NAMED[column] for column in table.columns}
    numbered = replace(table, target=[("ash", "oak", "樹").index(tree) - 1 for tree in table.target])
    for law in learning_laws(name):
        law(checks.steady(checks.classifiers()[name], kinds), numbered)
    fitted = learner(checks.classifiers()[name](kinds=kinds))(numbered)
    for law in FITTED_LAWS:
        law(fitted, table.X)


def test_kinds_inferred_in_parts() -> None:
    """Later rows widen a kind of naive Bayes: a 0/1 column is binary also if its first parts held zeros, or nothing."""
    values = {"late": [0, 0, 1, 1, 0, 1], "later": [None, 1, 1, 1, 0, 0], "words": ["x", None, "y", "x", "z", "y"]}
    table = Table(values, list("abbaab"), dict.fromkeys(values, "auto"))
    checks.check_partial_fit_is_fit(likely.NaiveBayes(), table)
    checks.check_merge_is_batch(likely.NaiveBayes(), table, cut=2)
