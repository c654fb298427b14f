"""The page of estimators, docs/api.md, from what classes declare: `python -m likely.estimators.api_page` writes it."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from likely.estimators.face.docstrings import attributes, methods
from likely.estimators.face.generative import GenerativeClassifier
from likely.estimators.face.options import declared_options
from likely.estimators.registry import ESTIMATORS, estimator

HEAD = """# Estimators

Every estimator with its options, what it has once it is fitted, and what it can do. `help(likely.AODE)` says the same,
with examples. On the command line an option is said by `--set`, as in `likely fit rows.csv --model kdb --set k=1`.
"""


def page() -> str:
    """The page, in Markdown."""
    kinds = [estimator(name) for name in ESTIMATORS]
    return "\n".join([HEAD, *(line for kind in kinds for line in _estimator(kind)), *_methods(kinds)])


def _estimator(kind: type[Any]) -> Iterable[str]:
    options = [
        (f"`{one.name}`", f"`{one.type_words}`", f"`{one.default!r}`", one.words) for one in declared_options(kind)
    ]
    learnt = [(f"`{name}`", f"`{type_}`", words) for name, type_, words in attributes(kind)]
    yield from (f"## {kind.__name__}", "", _lead(kind.__doc__), "")
    yield from _table(("option", "values", "default", "meaning"), options)
    yield from _table(("once fitted", "type", "meaning"), learnt)


def _methods(kinds: Iterable[type[Any]]) -> Iterable[str]:
    """What each method does, and who has it: a method that says the same of several classes stands once."""
    owners: dict[tuple[str, str], list[str]] = {}
    for kind in kinds:
        for name, method in methods(kind).items():
            takes = [str(one.replace(annotation=one.empty)) for one in _arguments(method)]
            told = (f"{name}({', '.join(takes)})", inspect.cleandoc(method.__doc__ or "").partition("\n")[0])
            owners.setdefault(told, []).append(kind.__name__)
    rows = [(f"`{call}`", words, _group(names)) for (call, words), names in sorted(owners.items())]
    yield from ("## Methods", "", "`score`, `get_params`, `set_params` and the like are scikit-learn's.", "")
    yield from _table(("method", "what it gives", "of"), rows)


def _group(names: list[str]) -> str:
    """Who they are, in a word where there is one."""
    classifiers = [name for name, held in ESTIMATORS.items() if not held.numeric]
    groups = {
        "all": list(ESTIMATORS),
        "classifiers": classifiers,
        "Bayes classifiers": [name for name in classifiers if issubclass(estimator(name), GenerativeClassifier)],
    }
    return next((group for group, known in groups.items() if known == names), ", ".join(names))


def _arguments(method: Any) -> list[inspect.Parameter]:
    return [one for one in inspect.signature(method).parameters.values() if one.name not in ("self", "cls")]


def _lead(text: str | None) -> str:
    """What a docstring says before its sections."""
    return inspect.cleandoc(text or "").partition("\n\nParameters\n")[0]


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    cells = [head, ("---",) * len(head), *rows]
    return [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in cells] + [""]


if __name__ == "__main__":
    Path("docs/api.md").write_text(page(), "utf-8")
