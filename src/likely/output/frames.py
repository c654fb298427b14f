"""Results as data frames."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar

from likely.output.notebook import Shown

INFINITE = {"inf": float("inf"), "-inf": float("-inf")}


def framed(columns: Mapping[str, Any], index: Any = None) -> Any:
    """A pandas frame, or a table of Arrow where there is no pandas."""
    try:
        pandas = import_module("pandas")
    except ImportError:
        return import_module("pyarrow").table(dict(columns))
    return pandas.DataFrame(columns, index=index)


class FrameResult(Shown):
    """A result that is a data frame too: of what `to_dict` says, the part that `_frame_of` names, or all of it."""

    _frame_of: ClassVar[str] = ""

    def frame(self) -> Any:
        """The result as a pandas frame (a table of Arrow where there is no pandas): a row for each thing that it lists.

        >>> from likely.decisions import best_threshold
        >>> found = best_threshold([0, 0, 1, 1], [0.1, 0.4, 0.6, 0.8], 1).frame()
        >>> found["threshold"].tolist(), found["positive"].tolist()
        ([0.6], [1])
        """
        return framed(columns_of(self._page()))

    def _page(self) -> Any:
        page = self.to_dict()  # type: ignore[attr-defined]
        return page[self._frame_of] if self._frame_of else page


def columns_of(page: Any) -> dict[str, list[Any]]:
    """The columns of a table of plain data: a list of records, records by name, lists of one length, or one record.

    >>> columns_of([{"name": "age", "bits": 0.5}, {"name": "sex", "bits": "inf"}])
    {'name': ['age', 'sex'], 'bits': [0.5, inf]}
    >>> columns_of({"age": {"gain": 0.5}, "sex": {"gain": None}})
    {'name': ['age', 'sex'], 'gain': [0.5, None]}
    >>> columns_of({"loss": 0.2, "size": [10, 20], "error": [0.3, 0.2]})
    {'size': [10, 20], 'error': [0.3, 0.2]}
    >>> columns_of({"mean": 0.2, "interval": [0.1, 0.3], "words": None})
    {'mean': [0.2], 'interval_low': [0.1], 'interval_high': [0.3], 'words': [None]}
    """
    if isinstance(page, Mapping):
        if page and all(isinstance(one, Mapping) for one in page.values()):
            page = [{"name": name, **one} for name, one in page.items()]
        else:
            return _columns_of_lists(page)
    records = [_flat(one) if isinstance(one, Mapping) else {"value": one} for one in page]
    names = dict.fromkeys(name for one in records for name in one)
    return {name: _numbers([one.get(name) for one in records]) for name in names}


def _columns_of_lists(page: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The lists of the length that most have, else the values that stand alone, as one row."""
    lists = {name: one for name, one in page.items() if isinstance(one, list) and not name.endswith("interval")}
    sizes = [len(one) for one in lists.values()]
    if not any(size for size in sizes):
        return {name: _numbers([one]) for name, one in _flat(page).items()}
    size = max(set(sizes) - {0}, key=lambda one: (sizes.count(one), one))
    rows: list[dict[str, Any]] = [{} for _ in range(size)]
    for name, values in lists.items():
        if len(values) == size:
            for row, value in zip(rows, values, strict=True):
                row[name] = value
    return columns_of(rows)


def _flat(record: Mapping[str, Any], stem: str = "") -> dict[str, Any]:
    """A record without records or lists in it: their names are put together."""
    found: dict[str, Any] = {}
    for name, value in record.items():
        full = f"{stem}{name}"
        if isinstance(value, Mapping):
            found |= _flat(value, f"{full}_")
        elif isinstance(value, list) and len(value) == 2 and name.endswith("interval"):
            found |= {f"{full}_low": value[0], f"{full}_high": value[1]}
        elif isinstance(value, list):
            found |= _flat({str(at): one for at, one in enumerate(value)}, f"{full}_") if _short(value) else {}
        else:
            found[full] = value
    return found


def _short(values: list[Any]) -> bool:
    """Whether a list in a cell is told: one of plain values, such as a row of a matrix."""
    return not any(isinstance(one, list | Mapping) for one in values)


def _numbers(values: list[Any]) -> list[Any]:
    """Words of infinity among numbers as numbers again."""
    if any(isinstance(one, str) and one not in INFINITE for one in values):
        return values
    return [INFINITE[one] if isinstance(one, str) else one for one in values]
