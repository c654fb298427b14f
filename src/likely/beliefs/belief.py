"""What every belief shares: value semantics, and leading axes that can be indexed."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, ClassVar, Self

import numpy as np

from likely.beliefs.forms import Array, leading_axes, stored
from likely.errors import OptionError
from likely.output.draw import draw


class Belief:
    """A frozen dataclass of hyperparameters; two beliefs are equal when all their numbers are.

    A belief that came about by updates knows the one that it started from, as `prior`.

    >>> from likely.beliefs import Beta
    >>> cells = Beta([1, 2, 3], 1)
    >>> cells.leading, cells[1], cells == Beta([1, 2, 3], [1, 1, 1])
    ((3,), Beta(a=2.0, b=1.0), True)
    >>> Beta(2, 2).update(3, 0).update(4, 3).prior
    Beta(a=2.0, b=2.0)
    """

    # How many trailing axes of each field belong to one single belief; the axes before them are the leading ones.
    _own_axes: ClassVar[tuple[int, ...]]

    @property
    def leading(self) -> tuple[int, ...]:
        """The leading axes: () for a single belief, (cells, ...) for many."""
        full: tuple[int, ...] = np.shape(self._values()[0])
        return full[: len(full) - self._own_axes[0]]

    def __getitem__(self, index: Any) -> Self:
        """The belief, or beliefs, at `index` of the leading axes."""
        if not self.leading:
            what = f"a single {type(self).__name__} has no leading axes to index"
            raise OptionError("O209", what, place="belief[i]", hint="give the parameters as arrays")
        # The fields are indexed as if they had the leading axes alone, so that an index never reaches their own axes.
        rows = np.arange(int(np.prod(self.leading))).reshape(self.leading)[index]
        flat = [
            value.reshape(-1, *value.shape[value.ndim - own :])
            for value, own in zip(self._values(), self._own_axes, strict=True)
        ]
        found = type(self)(*(value[rows] for value in flat))
        before = self.prior
        if before is None or (before.leading and before.leading != self.leading):
            return found
        return found._after(before[index] if before.leading else before)

    @property
    def prior(self) -> Self | None:
        """The belief before all the updates that led to this one; None where there were none."""
        before: Self | None = self.__dict__.get("_prior")
        return before

    def plot(self, **options: Any) -> Any:
        """A figure: the belief before the data, what the data say by themselves, and the belief after them.

        Where the likelihood is highest (MLE) and where the belief is (MAP) are marked. The options are those of
        `likely.plots.beliefs`: observed=, about=, levels=, predictive=, ax=.

        >>> from likely.beliefs import Beta
        >>> Beta(2, 2).update(7, 3).plot(observed="7 heads in 10 tosses").axes[0].get_title()
        'Belief after 7 heads in 10 tosses'
        """
        return draw("beliefs", self, **options) if self.prior is None else draw("beliefs", self.prior, self, **options)

    def _after(self, before: Self) -> Self:
        """This belief, as what updates made of another; for `update` alone."""
        object.__setattr__(self, "_prior", before if before.prior is None else before.prior)
        return self

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        pairs = zip(self._values(), other._values(), strict=True)
        return all(np.array_equal(mine, theirs) for mine, theirs in pairs)

    def __hash__(self) -> int:
        # Adding 0.0 turns -0.0 into 0.0: equal numbers must hash alike.
        return hash((type(self), self.leading, *((np.asarray(value) + 0.0).tobytes() for value in self._values())))

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, field.name) for field in fields(self))  # type: ignore[arg-type]

    def _keep(self, **checked: Array) -> None:
        """Store the checked fields, given in their order, with one shape of leading axes; for `__post_init__` alone."""
        own = dict(zip(checked, self._own_axes, strict=True))
        ends = {name: value.ndim - own[name] for name, value in checked.items()}
        leading = leading_axes(**{name: value.shape[: ends[name]] for name, value in checked.items()})
        for name, value in checked.items():
            full = np.broadcast_to(value, (*leading, *value.shape[ends[name] :]))
            object.__setattr__(self, name, stored(full))
