"""One exception root: every error carries a code, a place, a hint and, where one fits, the nearest valid name."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterable, Sequence


class LikelyError(Exception):
    """The root of every error that likely raises on purpose.

    Parameters
    ----------
    code : str
        Which error it is: `likely explain-error CODE` says what it means.
    message : str
        What is wrong.
    place : str, default=''
        Where: an option, a column, a row, a file.
    hint : str, default=''
        What to do about it.
    about : str, default=''
        The name that is wrong.

    Attributes
    ----------
    option : str or None
        The name of the option that is wrong, where the place is one.

    Examples
    --------
    >>> error = DataError("D104", "infinite value", place="column 'age', row 3", hint="mark it as missing")
    >>> print(error)
    [D104] infinite value
      at: column 'age', row 3
      hint: mark it as missing
    """

    def __init__(self, code: str, message: str, *, place: str = "", hint: str = "", about: str = "") -> None:
        self.code = code
        self.message = message
        self.place = place
        self.hint = hint
        self.about = about  # the name that is wrong, for programs: they never read the message
        super().__init__(code, message)

    @property
    def option(self) -> str | None:
        """The name of the option that is wrong, where the place is one: `name=`."""
        return self.place[:-1] if self.place[:-1].isidentifier() and self.place.endswith("=") else None

    def __str__(self) -> str:
        lines = [f"[{self.code}] {self.message}"]
        if self.place:
            lines.append(f"  at: {self.place}")
        if self.hint:
            lines.append(f"  hint: {self.hint}")
        return "\n".join(lines)


class OptionError(LikelyError, ValueError):
    """An option has a value that it cannot have (codes O...)."""


class MissingError(OptionError, KeyError):
    """An answer has no such level, node or target (code O464)."""

    __str__ = OptionError.__str__


class DataError(LikelyError, ValueError):
    """The rows cannot be used as they are (codes D...)."""


class TypeMixError(DataError, TypeError):
    """A column holds values of types that do not go together (codes D...)."""


class SchemaError(LikelyError, ValueError):
    """The columns do not fit the model (codes S...)."""


class NotLearntError(LikelyError, ValueError):
    """Rows are to be forgotten that the model never learnt (codes M...)."""


class ModelError(LikelyError, ValueError):
    """Two models do not fit together, or one cannot do what is asked (codes M...)."""


class StoreError(LikelyError, ValueError):
    """A model file cannot be read or written (codes F...)."""


class SchemaWarning(UserWarning):
    """The schema set something aside; the text says what and how to change it."""


class SingularWarning(UserWarning):
    """A covariance could not be inverted; the text says of which class, and what was done instead."""


class SeparationWarning(UserWarning):
    """Columns separate the classes, so that no coefficients are the likeliest; the text says which columns."""


class SamplingWarning(UserWarning):
    """A sampler cannot be trusted here; the text says why, and what to use instead."""


def outside() -> int:
    """The `stacklevel` of a warning that is to point at whoever called likely."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "likely":
        frame, level = frame.f_back, level + 1
    return level


def listed(names: Sequence[object], most: int = 20) -> str:
    """The first of some names, and how many more there are.

    >>> listed(["a", "b", "c"], 2)
    "'a', 'b' and 1 more"
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(repr, names[:most])) + more


def nearest(name: object, names: Iterable[object]) -> str:
    """' Did you mean ...?' for the closest of `names`, or '' where none is close.

    >>> nearest("surviveD", ["survived", "age"])
    " Did you mean 'survived'?"
    """
    by_lower = {str(known).lower(): str(known) for known in names}
    found = difflib.get_close_matches(str(name).lower(), by_lower, n=1, cutoff=0.6)
    return f" Did you mean {by_lower[found[0]]!r}?" if found else ""
