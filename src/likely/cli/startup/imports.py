"""Modules that others import and the command line hardly uses: a third of the time that a short verb takes."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

NEW_OBJECTS_BETWEEN_COLLECTIONS = 100_000  # of garbage: hundreds of collections while modules are imported take a sixth


def defer() -> None:
    """Import some modules when they are asked for something, and pandas never; for processes of the command line."""
    gc.set_threshold(NEW_OBJECTS_BETWEEN_COLLECTIONS)
    # scikit-learn imports scipy.stats and pandas, pyarrow the latter, scipy.special numpy.f2py; what is printed must
    # not depend on pandas, which need not be there
    sys.meta_path.insert(0, _Later(name for name in ("scipy.stats", "numpy.f2py") if name not in sys.modules))
    if "pandas" not in sys.modules:
        sys.meta_path.insert(0, _Absent())


class _Later:
    """Finds a stand-in where a module is first imported, and the module itself when it is asked for."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = set(names)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        known = PathFinder.find_spec(name, path) if name in self.names else None
        if known is None:
            return None
        spec = ModuleSpec(name, self, origin=known.origin, is_package=True)  # type: ignore[arg-type]
        spec.submodule_search_locations = known.submodule_search_locations
        return spec

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        self.names.discard(spec.name)
        return _Deferred(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing yet; what is below the module is found once that is made."""
        vars(module).pop("__path__", None)


class _Deferred(ModuleType):
    """Stands in for a module until an attribute of it is asked for."""

    def __getattr__(self, name: str) -> Any:
        known = sys.modules.get(self.__name__)
        if known is None:  # it is being made: importlib looks at it
            raise AttributeError(name)
        if known is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


class _Absent:
    """Makes `import pandas` fail as it does where pandas is not installed."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name == "pandas":
            raise ModuleNotFoundError("No module named 'pandas'", name=name)
        return None
