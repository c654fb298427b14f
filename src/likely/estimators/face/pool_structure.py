"""What a pool is made of, without the rows, and what was seen of the models that were tried for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from likely.models.pool import PoolModel, Trial
from likely.output.draw import draw
from likely.output.jsonable import Written


@dataclass(frozen=True, repr=False)
class PoolStructure:
    """What a pool is made of, without the rows: hand it to others as `structure=`, and the models can be merged.

    >>> import likely
    >>> rows, y = [[1.0], [2.0], [4.0], [5.0]], ["a", "a", "b", "b"]
    >>> here = likely.BayesClassifier().fit(rows, y)
    >>> there = likely.BayesClassifier(structure=here.structure_).fit([[1.5], [4.5]], ["a", "b"])
    >>> here.merge(there).model_.rows.tolist()
    [3, 3]
    """

    model: PoolModel

    def to_dict(self) -> dict[str, Any]:
        """The members and their weights as plain data."""
        return {"kind": "pool", "members": dict(zip(self.model.names, self.model.mixing.weights, strict=True))}

    def plot(self, **options: Any) -> Any:
        """A matplotlib figure: what was seen of the members, and what they weigh."""
        return draw("leaderboard", Leaderboard(self.model.trials), **options)

    def __repr__(self) -> str:
        pairs = zip(self.model.names, self.model.mixing.weights, strict=True)
        return f"pool of {', '.join(f'{weight:.2f} {name}' for name, weight in pairs)}"


@dataclass(frozen=True, repr=False)
class Leaderboard(Written):
    """The models that were tried, the best first, by their log loss on rows that had not taught them.

    `pool` is the model that all of them make together, its weights learnt on other rows than it is judged by.

    >>> Leaderboard((Trial("pool", 0.25, 0.1, 1.0, 2.0), Trial("naive", 0.3, 0.1, 0.4, 0.5)))
    model  log loss   error  weight  seconds
    pool     0.2500  0.1000               2.0
    naive    0.3000  0.1000    0.40      0.5
    """

    trials: tuple[Trial, ...]
    _frame_of = "trials"

    def plot(self, **options: Any) -> Any:
        """A matplotlib figure: likely.plots.leaderboard."""
        return draw("leaderboard", self, **options)

    def __len__(self) -> int:
        return len(self.trials)

    def __getitem__(self, at: int) -> Trial:
        return self.trials[at]

    def __repr__(self) -> str:
        width = max(5, *(len(one.name) for one in self.trials))
        lines = [f"{'model':<{width}}  log loss   error  weight  seconds"]
        for one in self.trials:
            weight = "" if one.name == "pool" else f"{one.weight:.2f}"
            scores = f"{one.log_loss:>8.4f}  {one.error:.4f}" if one.judged else f"{'':8}  {'':6}"
            seconds = "" if one.seconds is None else f"{one.seconds:7.1f}"
            lines.append(f"{one.name:<{width}}  {scores}  {weight:>6}  {seconds}".rstrip())
        return "\n".join(lines)
