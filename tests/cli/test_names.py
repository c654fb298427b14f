"""Names of models and their options: one name is one model for every verb, and nothing is said twice unheard."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import likely
from likely.cli import options
from likely.errors import LikelyError
from likely.estimators.fit_and_load import columns_of
from likely.estimators.registry import PRESETS, contenders, kind_of, make
from tests.cli.conftest import Command, loans

NAMES = list(PRESETS)
QUICK = ("--set", "n_estimators=3")
FIRST = {kind_of(name): name for name in reversed(NAMES)}  # of the names of a class
TRIED = [name if name in FIRST.values() else pytest.param(name, marks=pytest.mark.slow) for name in NAMES]


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table with classes and an amount."""
    place = tmp_path_factory.mktemp("names") / "few.csv"
    loans(80, 0).to_csv(place, index=False)
    return place


@pytest.mark.parametrize("name", TRIED)
def test_every_verb_takes_every_name(few: Path, tmp_path: Path, likely_says: Command, name: str) -> None:
    kept, amounts = tmp_path / "m.likely", not hasattr(kind_of(name), "decide")
    quick = QUICK if name in ("adaboost", "bagging") else ()
    target = "age" if amounts else "default"
    verbs = [("fit", few, "-t", target, "-m", name, "-o", kept, *quick), ("predict", kept, few), ("explain", kept)]
    verbs += [("evaluate", kept, few, "--no-picture"), ("explain", kept, few, "--no-picture")]
    verbs += [] if amounts else [("decide", kept, few, "--reject", 0.1)]
    verbs += [("compare", few, "-t", target, "-m", name, "--folds", 2)]
    for words in verbs:
        said = likely_says(*words, "--json")
        assert (said.exit, words[0]) == (0, words[0]), said.err
    assert isinstance(likely.fit(few, target, name), type(likely.load(kept)))


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_one_model_for_fit_and_for_compare(few: Path, name: str) -> None:
    rows = columns_of(pd.read_csv(few).drop(columns="default"))
    kinds = {"age": "real"}
    own = {} if name in ("prior", "mean") else {"kinds": kinds}
    compared, made = contenders([name], kinds, rows)[name], make(name, own, rows)
    assert type(compared) is type(made)
    differ = [option for option, value in made.get_params().items() if compared.get_params()[option] != value]
    assert set(differ) <= {"random_state"}


def test_kernels_are_for_numbers_that_nobody_spoke_of(few: Path, tmp_path: Path, likely_says: Command) -> None:
    words = ("fit", few, "-t", "default", "-m", "naive-parzen", "--json")
    kinds = {column["name"]: column["kind"] for column in likely_says(*words).document["columns"]}
    assert kinds["income"] == kinds["age"] == "parzen"
    assert kinds["purpose"] == "category"
    kinds = {column["name"]: column["kind"] for column in likely_says(*words, "-k", "age=real").document["columns"]}
    assert (kinds["income"], kinds["age"]) == ("parzen", "real")
    rows = columns_of(pd.read_csv(few).drop(columns="default"))
    assert contenders(["naive-parzen"], {"age": "real"}, rows)["naive-parzen"].kinds == {
        "income": "parzen",
        "age": "real",
    }
    counted = pd.read_csv(few).assign(id=range(80))
    counted.to_csv(tmp_path / "counted.csv", index=False)
    words = ("fit", tmp_path / "counted.csv", "-t", "default", "-m", "naive-parzen", "--weight", "age", "--json")
    kinds = {column["name"]: column["kind"] for column in likely_says(*words).document["columns"]}
    assert (kinds["income"], kinds["id"], "age" in kinds) == ("parzen", "skip", False)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("-m", "naive-mle", "--estimate", "bayes"), "O122"),
        (("-m", "naive-mle", "--set", "estimate=bayes"), "O122"),
        (("-m", "naive-map", "--estimate", "mle"), "O122"),
        (("-m", "parzen-bayes", "--estimate", "mle"), "O122"),
        (("-m", "naive-informative", "--missing", "ignore"), "O122"),
        (("-m", "naive-parzen", "--kind", "category"), "O122"),
        (("-m", "prior", "--kind", "age=real"), "O122"),
        (("-m", "network-class", "--set", "score=bic"), "O122"),
        (("-m", "lda", "--set", "covariance=full"), "O122"),
        (("-m", "qda", "--set", "covariance=shared"), "O122"),
        (("-m", "c4.5", "--set", "criterion=gini"), "O122"),
        (("-m", "ridge", "--set", "penalty=lasso"), "O122"),
        (("-m", "regression-tree-small", "--set", "max_depth=9"), "O122"),
        (("--kind", "age=real", "--set", 'kinds={"age": "count"}'), "U110"),
        (("--kind", "age=real", "--kind", "age=count"), "U110"),
        (("--estimate", "map", "--set", "estimate=mle"), "U110"),
        (("--smoothing", "2", "--set", "smoothing=3"), "U110"),
        (("--missing", "error", "--set", "missing=ignore"), "U110"),
        (("--priors", "uniform", "--set", "priors=empirical"), "U110"),
        (("--priors", "yes=0.1,no=0.9,yes=0.2"), "U110"),
        (("--set", "smoothing=2", "--set", "smoothing=3"), "U110"),
    ],
)
def test_options_that_contradict_each_other_are_refused(
    few: Path, likely_says: Command, words: tuple[str, ...], code: str
) -> None:
    amounts = words[1].startswith(("ridge", "regression"))
    said = likely_says("fit", few, "-t", "age" if amounts else "default", *words)
    assert (said.exit, said.out) == (2, "")
    assert said.err.startswith(f"[{code}]")
    assert "hint" in said.err


@pytest.mark.parametrize(
    ("words", "option", "value"),
    [
        (("-m", "naive-mle", "--estimate", "mle"), "estimate", "mle"),
        (("-m", "c4.5", "--set", "min_samples_leaf=5"), "min_samples_leaf", 5),
        (("-m", "parzen", "--estimate", "bayes"), "estimate", "bayes"),
        (("-m", "parzen-bayes"), "estimate", "bayes"),
        (("-m", "lda", "--set", "shrinkage=oas"), "covariance", "shared"),
        (("--set", "estimate=map"), "estimate", "map"),
    ],
)
def test_what_a_name_leaves_open_can_be_said(
    few: Path, tmp_path: Path, likely_says: Command, words: tuple[str, ...], option: str, value: object
) -> None:
    assert likely_says("fit", few, "-t", "default", *words, "-o", tmp_path / "m.likely").exit == 0
    assert likely.load(tmp_path / "m.likely").get_params()[option] == value


def test_an_unknown_name_is_told_all_names() -> None:
    with pytest.raises(LikelyError, match=r"Did you mean 'naive-mle'\?"):
        make("naive-mel", {})
    assert options.pairs(["a=1", "a=1"], "--kind") == {"a": "1"}
