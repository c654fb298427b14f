"""A constant says what it bounds: no two modules have one of the same name, which would mean something else in each."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
IN_EVERY_VERB = {"EXAMPLE"}  # of the command line


def constants(text: str) -> Iterator[str]:
    """Names in capitals that a module gives a value; type variables have one letter and are none."""
    for node in ast.parse(text).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            for one in target.elts if isinstance(target, ast.Tuple) else [target]:
                if isinstance(one, ast.Name) and one.id.strip("_").isupper() and len(one.id) > 1:
                    yield one.id


def test_constants_of_a_module_are_found() -> None:
    assert [*constants("T = 1\nMOST = 2\nLOW, _HIGH = 1, 2\nSIZE: int = 3\nname = 4\nNAMES[0] = 5")] == [
        "MOST",
        "LOW",
        "_HIGH",
        "SIZE",
    ]


def test_no_constant_has_the_name_of_another() -> None:
    places = defaultdict(list)
    for path in sorted((ROOT / "src" / "likely").rglob("*.py")):
        for name in {*constants(path.read_text(encoding="utf-8"))}:  # a module may add to its own
            places[name].append(str(path.relative_to(ROOT)))
    assert not {name: at for name, at in places.items() if len(at) > 1 and name not in IN_EVERY_VERB}
