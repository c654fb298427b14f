"""Every public name with its signature is as written down; `python -m tests.golden.test_public_names` writes it anew.

A name or an option that goes away breaks somebody's program: such a change is made on purpose, and told in the
changelog.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import likely
from likely.core.deprecated import RENAMED

WRITTEN = Path(__file__).parent / "public_names.txt"


def names() -> str:
    lines = [line for name in likely.__all__ for line in described(f"likely.{name}", getattr(likely, name))]
    lines += [f"{home}.{old} -> {new}" for home, names in RENAMED.items() for old, new in names.items()]
    return "\n".join(lines) + "\n"


def described(name: str, thing: object) -> Iterator[str]:
    """A line for each name that one can use: of a module its names, of a class its methods and properties."""
    if isinstance(thing, ModuleType):
        for own in sorted(thing.__all__):
            yield from described(f"{name}.{own}", getattr(thing, own))
    elif inspect.isclass(thing):
        yield f"{name}{signature(thing)}"
        for own, member in inspect.getmembers(thing):
            if own.startswith("_") or getattr(member, "__module__", "likely").partition(".")[0] != "likely":
                continue
            yield f"{name}.{own}{signature(member) if callable(member) else ''}"
    else:
        yield f"{name}{signature(thing) if callable(thing) else f': {type(thing).__name__}'}"


def signature(thing: object) -> str:
    """Names, kinds and defaults of the parameters; annotations are for the type checker."""
    try:
        known = inspect.signature(thing)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return ""
    bare = [one.replace(annotation=one.empty) for one in known.parameters.values()]
    return str(known.replace(parameters=bare, return_annotation=known.empty))


def test_public_names_and_signatures_are_as_written_down() -> None:
    assert names().splitlines() == WRITTEN.read_text().splitlines()


if __name__ == "__main__":
    sys.stdout.write(str(WRITTEN.write_text(names())))
