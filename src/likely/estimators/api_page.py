"""The page of public names, docs/api.md, from what they declare: `python -m likely.estimators.api_page` writes it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from inspect import isfunction
from pathlib import Path
from types import ModuleType
from typing import Any

import likely
from likely.core.docstrings import attributes as held_by
from likely.core.docstrings import public_methods
from likely.estimators.face.docstrings import attributes, methods
from likely.estimators.face.generative import GenerativeClassifier
from likely.estimators.face.options import declared_options
from likely.estimators.registry import ESTIMATORS, estimator

PAGE_HEAD = """# Public names

First every estimator with its options, what it has once it is fitted, and what it can do; then beliefs, networks, and
what each package holds. `help(likely.AODE)` says the same, with parameters and examples. On the command line an option
is said by `--set`, as in `likely fit rows.csv --model kdb --set k=1`.
"""


def page() -> str:
    """The page, in Markdown."""
    kinds = [estimator(name) for name in ESTIMATORS]
    parts = [*map(_estimator, kinds), _methods(kinds), *_packages()]
    return "\n".join([PAGE_HEAD, *(line for part in parts for line in part)])


def _packages() -> Iterable[Iterable[str]]:
    """The names of `likely` that are no estimators, then those of its packages."""
    found = {name: getattr(likely, name) for name in likely.__all__}
    yield _names("likely", {name: one for name, one in found.items() if name not in ESTIMATORS})
    for package, module in found.items():
        if isinstance(module, ModuleType):
            yield _names(f"likely.{package}", {name: getattr(module, name) for name in sorted(module.__all__)})


def _names(package: str, found: dict[str, Any]) -> Iterable[str]:
    """The functions of a package in a table, then its classes with what they have and can do."""
    yield from (f"## {package}", "")
    functions = [(f"`{_call(name, one)}`", _first(one)) for name, one in found.items() if isfunction(one)]
    yield from _table(("function", "what it gives"), functions) if functions else ()
    for name, one in found.items():
        if (
            isinstance(one, type)
            and getattr(likely, name, one) is one
            and (package == "likely" or name not in likely.__all__)
        ):
            yield from (f"### {name}", "", _lead(one.__doc__).partition("\n\n")[0].replace("\n", " "), "")
            held = [(f"`{own}`", f"`{kind}`", words) for own, kind, words in held_by(one)]
            yield from _table(("attribute", "type", "meaning"), held) if held else ()
            able = dict(reversed([*public_methods(one)]))
            calls = [(f"`{_call(own, method)}`", _first(method)) for own, method in sorted(able.items())]
            yield from _table(("method", "what it gives"), calls) if calls else ()


def _call(name: str, function: Any) -> str:
    return f"{name}({', '.join(str(one.replace(annotation=one.empty)) for one in _arguments(function))})"


def _first(one: Any) -> str:
    return inspect.cleandoc(one.__doc__ or "").partition("\n")[0]


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
    return re.split(r"\n\n(?:Parameters|Attributes|Examples)\n--", inspect.cleandoc(text or ""))[0]


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    cells = [head, ("---",) * len(head), *rows]
    return [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in cells] + [""]


if __name__ == "__main__":
    Path("docs/api.md").write_text(page(), "utf-8")
