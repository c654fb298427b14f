"""Modules that others import and the command line hardly uses: a third of the time that a short verb takes."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


def defer() -> None:
    """Import scipy.stats when something is asked of it, and pandas never; for a process of the command line alone."""
    # scikit-learn imports both, pyarrow the second; what is printed must not depend on pandas, which need not be there
    if "scipy.stats" not in sys.modules:
        sys.modules["scipy.stats"] = _Deferred("scipy.stats")
    if "pandas" not in sys.modules:
        sys.meta_path.insert(0, _Absent())


class _Deferred(ModuleType):
    """Stands in for a module until an attribute of it is asked for."""

    def __getattr__(self, name: str) -> Any:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


class _Absent:
    """Makes `import pandas` fail as it does where pandas is not installed."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name == "pandas":
            raise ModuleNotFoundError("No module named 'pandas'", name=name)
        return None
