"""The penalties of regressions, and the ways to a minimum: what users say, checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from likely.errors import OptionError, nearest
from likely.errors.advice import Advice, Option
from likely.errors.options import choose, number

PENALTIES = {"l1": "l1", "lasso": "l1", "l2": "l2", "ridge": "l2"}


def read_penalty(penalty: Any, strength: Any, method: Any, methods: Sequence[str]) -> tuple[str | None, float]:
    """The penalty by its one name, None where there is none, and its strength; the method is one that can reach it.

    >>> read_penalty("ridge", 2, "exact", ["exact", "descent"]), read_penalty("l1", 0, "exact", ["exact"])
    (('l2', 2.0), (None, 0.0))
    """
    if penalty is not None and (not isinstance(penalty, str) or penalty not in PENALTIES):
        hint = f"choose None, 'l1' (lasso) or 'l2' (ridge).{nearest(penalty, PENALTIES)}"
        raise OptionError("O605", f"unknown penalty {penalty!r}", place="penalty=", hint=hint)
    number(strength, "strength", "O606", hint="say a number from 0 on; 0 is no penalty")
    choose(method, methods, "method", "O607")
    kept = PENALTIES[penalty] if penalty is not None and strength > 0 else None
    if kept == "l1" and method == "descent":
        hint = Advice(
            "use ", Option("method", methods[0]), ", which deals with it exactly, or ", Option("penalty", "l2")
        )
        raise OptionError("O608", "a lasso has no gradient at zero to descend along", place="method=", hint=hint)
    return kept, float(strength) if kept else 0.0
