"""The answer to a query: how probable each level of a node is, or each combination of levels of several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import numpy as np

from likely.core.cache import cached_property
from likely.core.numerics import Floats
from likely.core.schema import Level
from likely.data.levels.level_text import place_of, spellings
from likely.errors import MissingError, nearest
from likely.networks.sampling.likelihood_weighting import Sampled
from likely.output.display_width import display_width, padded
from likely.output.draw import draw
from likely.output.frames import FrameResult
from likely.output.jsonable import to_jsonable
from likely.output.phrases import describe_evidence

LEVELS_PRINTED = 30  # that are printed
BAR_CHARACTERS = 24  # characters
FINDINGS_NAMED = 8  # findings that are named


@dataclass(frozen=True, eq=False, repr=False)
class Distribution(FrameResult, Mapping[Any, float]):
    """A mapping from levels to probabilities; from tuples of levels where there are several targets.

    `probabilities` has one axis a target. Sampled answers have standard `errors` of the same shape, the `effective`
    number of independent draws and, where there are chains, `rhat`: near one if they agree.

    >>> rain = Distribution(("rain",), (("yes", "no"),), np.array([0.25, 0.75]))
    >>> rain["yes"], rain.most_probable
    (0.25, 'no')
    >>> rain
    rain
      yes  0.250000  ██████
      no   0.750000  ██████████████████
    """

    targets: tuple[str, ...]
    levels: tuple[tuple[Level, ...], ...]
    probabilities: Floats
    errors: Floats | None = None
    method: str = "exact"
    evidence: Mapping[str, Any] = field(default_factory=dict)
    effective: float | None = None
    rhat: float | None = None
    notes: tuple[str, ...] = ()

    @cached_property
    def _keys(self) -> tuple[Any, ...]:
        return self.levels[0] if len(self.targets) == 1 else tuple(product(*self.levels))

    @cached_property
    def _spelt(self) -> tuple[dict[str, int], ...]:
        return tuple(map(spellings, self.levels))

    def __getitem__(self, key: Any) -> float:
        told = (key,) if len(self.targets) == 1 else key if isinstance(key, tuple) else ()
        places = tuple(map(place_of, told, self._spelt))
        if len(places) != len(self.targets) or min(places) < 0:
            what = self.targets[0] if len(self.targets) == 1 else f"({', '.join(self.targets)})"
            hint = f"levels are {', '.join(map(repr, self._keys[:20]))}.{nearest(key, self._keys)}"
            raise MissingError("O464", f"{what} has no level {key!r}", place="Distribution", hint=hint)
        return float(self.probabilities[places])

    def __iter__(self) -> Iterator[Any]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Floats:
        return np.array(self.probabilities, dtype=dtype)

    @property
    def most_probable(self) -> Any:
        """The level, or the combination of levels, that is most probable."""
        return self._keys[int(self.probabilities.argmax())]

    @property
    def entropy(self) -> float:
        """What is not known of the targets, in nats."""
        some = self.probabilities[self.probabilities > 0]
        return float(-(some * np.log(some)).sum()) + 0.0

    def marginal(self, target: str) -> Distribution:
        """The distribution of one of several targets.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> found = net.query(["lung", "tub"], {"xray": "yes"})
        >>> round(found.marginal("tub")["yes"], 4)
        0.0924
        """
        if target not in self.targets:
            hint = f"the targets are {', '.join(self.targets)}.{nearest(target, self.targets)}"
            raise MissingError("O464", f"{target!r} is none of the targets", place="marginal", hint=hint)
        at = self.targets.index(target)
        others = tuple(axis for axis in range(len(self.targets)) if axis != at)
        summed = self.probabilities.sum(axis=others)
        if self.effective is None:
            return replace(self, targets=(target,), levels=(self.levels[at],), probabilities=summed)
        errors = np.sqrt(summed * (1.0 - summed) / self.effective)  # of as many independent draws
        return replace(self, targets=(target,), levels=(self.levels[at],), probabilities=summed, errors=errors)

    def trusted(self, sampled: Sampled) -> Distribution:
        """The same, with what draws tell of how far to trust it.

        >>> from likely.networks import asia
        >>> found = asia().query("lung").trusted(Sampled(draws=1000, effective=250.0, notes=("few draws",)))
        >>> found.effective, found.notes
        (250.0, ('few draws',))
        """
        return replace(self, effective=sampled.effective, rhat=sampled.rhat, notes=sampled.notes)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers, as every JSON writer takes them.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> found = net.query("either")
        >>> found.to_dict()["levels"]
        [['yes', 'no']]
        """
        told: dict[str, Any] = {
            "targets": self.targets,
            "levels": self.levels,
            "probabilities": self.probabilities,
            "method": self.method,
            "evidence": {name: _plainly(value) for name, value in self.evidence.items()},
        }
        if self.errors is not None:
            told |= {"errors": self.errors, "effective": self.effective, "rhat": self.rhat}
        if self.notes:
            told["notes"] = self.notes
        return dict(to_jsonable(told))

    def _page(self) -> Any:
        """A row for each level, or each combination of levels of several targets."""
        errors = None if self.errors is None else self.errors.ravel().tolist()
        return [
            {**dict(zip(self.targets, levels, strict=True)), "probability": share}
            | ({} if errors is None else {"error": errors[at]})
            for at, (levels, share) in enumerate(
                zip(product(*self.levels), self.probabilities.ravel().tolist(), strict=True)
            )
        ]

    def plot(self, **options: Any) -> Any:
        """A matplotlib figure: bars of one target, a map of two.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> found = net.query(["lung", "tub"], {"xray": "yes"})
        >>> figure = found.plot()
        """
        return draw("distribution", self, **options)

    def __repr__(self) -> str:
        known = [f"{name} {describe_evidence(value)}" for name, value in self.evidence.items()]
        given = ", ".join(known[:FINDINGS_NAMED]) + (
            f" and {len(known) - FINDINGS_NAMED} more" if len(known) > FINDINGS_NAMED else ""
        )
        head = ", ".join(self.targets) + (f"   given {given}" if given else "")
        names = [str(key) if len(self.targets) == 1 else ", ".join(map(str, key)) for key in self._keys]
        order = (
            range(len(names))
            if len(names) <= LEVELS_PRINTED
            else np.argsort(-self.probabilities.reshape(-1))[:LEVELS_PRINTED]
        )
        wide = max(map(display_width, names), default=0)
        flat, errors = self.probabilities.reshape(-1), None if self.errors is None else self.errors.reshape(-1)
        lines = [head]
        for at in order:
            error = "" if errors is None else f" ± {errors[at]:.2g}".ljust(12)
            bar = "█" * round(BAR_CHARACTERS * float(flat[at])) if np.isfinite(flat[at]) else ""
            lines.append(f"  {padded(names[at], wide)}  {flat[at]:.6f}{error}  {bar}".rstrip())
        if len(names) > LEVELS_PRINTED:
            lines.append(f"  ... and {len(names) - LEVELS_PRINTED} less probable ones")
        if self.errors is not None:
            told = f"{self.method}, {self.effective:,.0f} effective draws" if self.effective else self.method
            lines.append(
                f"  {told}" + (f", R-hat {self.rhat:.3f}" if self.rhat is not None and np.isfinite(self.rhat) else "")
            )
        return "\n".join([*lines, *(f"  note: {note}" for note in self.notes)])


def _plainly(value: Any) -> Any:
    """What is known of a node, as JSON holds it; a mapping of numbers is likelihoods."""
    if hasattr(value, "probabilities"):
        return {"fixed": {str(level): share for level, share in value.probabilities.items()}}
    if isinstance(value, Mapping):
        return {str(level): likelihood for level, likelihood in value.items()}
    return list(value) if isinstance(value, tuple | set | frozenset) else value
