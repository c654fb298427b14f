"""The public names: sorted, complete, lazy."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import likely
from likely.estimators import registry

HEAVY = {"duckdb", "llvmlite", "narwhals", "numba", "numpy", "pandas", "polars", "pyarrow", "scipy", "sklearn"}


def python(program: str) -> str:
    """What a fresh interpreter prints."""
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_names_are_sorted_and_unique() -> None:
    assert likely.__all__ == sorted(set(likely.__all__))


@pytest.mark.parametrize("name", likely.__all__)
def test_every_name_resolves(name: str) -> None:
    assert getattr(likely, name).__name__.removeprefix("likely.") == name


def test_dir_lists_every_name() -> None:
    assert set(dir(likely)) >= {*likely.__all__, "__version__"}


def test_static_imports_are_the_lazy_names() -> None:
    """Type checkers read the `if TYPE_CHECKING:` block; it gives each name the home that `__getattr__` gives it."""
    tree = ast.parse(Path(likely.__file__).read_text(encoding="utf-8"))
    guarded = next(node for node in tree.body if isinstance(node, ast.If)).body
    static = {
        alias.asname: f"likely.{alias.name}" if node.module == "likely" else node.module
        for node in guarded
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert static == likely._HOMES


def test_a_model_brings_no_other_model_with_it() -> None:
    program = "import sys, likely; likely.NaiveBayes(), likely.fit, likely.load; print(*sys.modules)"
    others = (
        "likely.networks",
        "likely.companions.trees",
        "likely.explanations",
        "likely.evaluation",
        "sklearn.metrics",
    )
    assert not set(others) & set(python(program).split())


def test_import_is_lazy() -> None:
    loaded = python("import sys, likely; dir(likely); hasattr(likely, 'nothing'); print(*sys.modules)").split()
    assert not HEAVY & set(loaded)


def test_a_name_is_found_in_a_fresh_interpreter() -> None:
    assert python("import likely; print(likely.LikelyError.__name__, likely.checks.__name__)") == (
        "LikelyError likely.checks"
    )


def test_unknown_name_suggests_the_nearest_once() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'NaiveBays'\. Did you mean 'NaiveBayes'\?$"):
        _ = likely.NaiveBays
    printed = python("import likely, traceback\ntry: likely.NaiveBays\nexcept Exception: print(traceback.format_exc())")
    assert printed.count("Did you mean") == 1


def test_unlike_name_has_no_suggestion() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'quux'\.$"):
        _ = likely.quux


def test_every_estimator_is_public_and_named() -> None:
    """The registry is the one list of models: each has a public class that holds what it says, and a name to type."""
    from sklearn.base import is_regressor

    public = {name for name in likely.__all__ if hasattr(getattr(likely, name), "get_params")}
    assert public == set(registry.ESTIMATORS) == {preset.estimator for preset in registry.PRESETS.values()}
    assert all(is_regressor(getattr(likely, name)()) == told.numeric for name, told in registry.ESTIMATORS.items())
    for name, preset in registry.PRESETS.items():
        assert {*preset.stands_for, *preset.begins_with} <= set(registry.options_of(name))
        assert registry.make(name, {})
