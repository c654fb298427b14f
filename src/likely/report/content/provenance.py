"""How the report was made: the command, versions, the seed, and the hash of the data."""

from __future__ import annotations

import platform
from importlib import metadata
from typing import Any

import likely
from likely.report.content.subject import Subject

PACKAGES_TOLD = ("numpy", "scipy", "numba", "scikit-learn", "pyarrow")


def provenance(subject: Subject, command: str) -> dict[str, Any]:
    """What someone else needs to make the same report."""
    options = subject.model.get_params() if hasattr(subject.model, "get_params") else {}
    return {
        "command": command,
        "model": subject.name,
        "options": {name: _told(value) for name, value in options.items() if value is not None},
        "data": subject.place,
        "sha256": subject.digest,
        "seed": subject.seed,
        "python": platform.python_version(),
        "versions": {"likely": likely.__version__, **{name: metadata.version(name) for name in PACKAGES_TOLD}},
    }


def _told(value: Any) -> Any:
    text = value if isinstance(value, str | int | float | bool) else repr(value)
    return f"{text[:200]}…" if isinstance(text, str) and len(text) > 200 else text
