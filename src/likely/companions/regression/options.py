"""The options of regressions: penalty, contrasts and the way to the best coefficients; what users say, checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from likely.errors import OptionError, nearest
from likely.errors.advice import Advice, Option
from likely.errors.options import choose, number, whole

PENALTIES = {"l1": "l1", "lasso": "l1", "l2": "l2", "ridge": "l2"}
CODINGS = ("treatment", "sum", "helmert")
F = TypeVar("F", bound="Fitting")


@dataclass(frozen=True)
class Fitting:
    """How a line is fitted. `penalty` is None, 'l2' (ridge) or 'l1' (lasso); `method` is 'exact' or 'descent'.

    What users begin with is declared by estimators/companions/linear_regression.py.
    """

    penalty: str | None = None
    strength: float = 1.0
    coding: str = "treatment"
    missing: str = "ignore"
    method: str = "exact"
    learning_rate: float | None = None
    max_iter: int = 10_000
    tol: float = 1e-8  # of what does not descend, and so has none; as files have it

    def beside(self, other: Fitting) -> str:
        """What another does differently, in words."""
        mine, theirs = vars(self), vars(other)
        odd = [name for name in mine if mine[name] != theirs[name]]
        return ", ".join(f"{name} is {mine[name]!r} and {theirs[name]!r}" for name in odd)


@dataclass(frozen=True)
class LogisticOptions(Fitting):
    """How scores of classes are fitted: `strength` is 1 / C of scikit-learn."""

    penalty: str | None = "l2"
    method: str = "auto"
    tol: float = 1e-5


def read_options(options: F, methods: Sequence[str]) -> F:
    """The options, checked, each penalty by its one name."""
    penalty, strength = read_penalty(options.penalty, options.strength, options.method, methods)
    choose(options.coding, CODINGS, "coding", "O601")
    read_descent(options.learning_rate, options.max_iter, options.tol)
    rate = None if options.learning_rate is None else float(options.learning_rate)
    steps, tol = int(options.max_iter), float(options.tol)
    return replace(options, penalty=penalty, strength=strength, learning_rate=rate, max_iter=steps, tol=tol)


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


def read_descent(learning_rate: object, max_iter: object, tol: object) -> None:
    """An error if gradient descent cannot go on such terms; no learning rate at all means one that is safe."""
    if learning_rate is not None:
        hint = "say a positive number, or None for one that cannot diverge"
        number(learning_rate, "learning_rate", "O602", above=0, hint=hint)
    whole(max_iter, "max_iter", "O603", least=1, hint="say a whole number of steps, from 1 on")
    number(tol, "tol", "O604", hint="say a number from 0 on: the share of the first gradient at which to stop")
