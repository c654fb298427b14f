"""When an answer changes: how far it is from that, the nearest values that do it, the fewest columns that do it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.unusable_rows import LARGEST_NUMBER
from likely.explanations.columns import middle_and_spread
from likely.explanations.numeric_columns import described, grid_points
from likely.explanations.terms import difference, possible_or_priors
from likely.models import NaiveModel

Joints = Iterator[tuple[tuple[int, ...], int, Floats]]  # columns, first value, joint (values, columns, classes)
FLIP_DEVIATIONS = 10.0  # standard deviations from the mean within which values are looked for
EVENLY_SPACED_PLACES = 257  # places in between, whatever the classes look like
BEYOND_A_TIE = 1e-9  # of the size of the terms: how far beyond a tie an answer must be, so that rounding cannot undo it
MOST_PEAKS = 8  # places of a column where the answer almost changes, looked at more closely
ZOOMS, ZOOM = 12, 17
FLIP_HALVINGS = 80


@dataclass(frozen=True, eq=False)
class Flip:
    """The change that is asked for: away from the class `decided`, or to the class `to`."""

    decided: int
    to: int | None
    log_prior: Floats

    @property
    def goals(self) -> list[int]:
        """The classes that the answer may become."""
        return [self.to] if self.to is not None else [at for at in range(len(self.log_prior)) if at != self.decided]

    def rival(self, joint: Floats, goal: int) -> int:
        """The class that a goal has to overtake."""
        rivals = joint.copy()
        rivals[goal] = -np.inf
        return self.decided if self.to is None else int(rivals.argmax())

    def lead(self, joint: Floats) -> Floats:
        """(...): how far a joint (..., classes) is beyond the change, in log odds; above 0, the change is made."""
        known = possible_or_priors(joint, self.log_prior)
        rivals = known.copy()
        mine = self.decided if self.to is None else self.to
        rivals[..., mine] = -np.inf
        pro, con = known[..., mine], rivals.max(axis=-1)
        ahead = difference(pro, con)
        size = sum(np.abs(np.where(np.isfinite(side), side, 0.0)) for side in (pro, con))
        return np.asarray((-ahead if self.to is None else ahead) - BEYOND_A_TIE * (1.0 + size))


def without_each(terms: Floats) -> Floats:
    """(items, classes): the sum of all terms but each one; impossible terms are counted, not subtracted."""
    gone = np.isneginf(terms)
    finite = np.where(gone, 0.0, terms)
    left = gone.sum(axis=0) - gone
    return np.where(left > 0, -np.inf, finite.sum(axis=0) - finite)


@dataclass(frozen=True, eq=False)
class FlipSearch:
    """Numbers of columns, of all columns at once: `ask` gives the joint of the row for each value of each of them.

    The model is asked for where to look, and `edges` for the numbers of a column at which answers jump.
    """

    model: NaiveModel
    flip: Flip
    ask: Callable[[Mapping[int, Array]], Joints]
    edges: Callable[[int], Floats]

    def leads(self, values: Mapping[int, Array]) -> dict[int, Floats]:
        """For each column (values,): how far beyond the change the row is with that value."""
        out = {at: np.empty(len(mine)) for at, mine in values.items()}
        for columns, start, joints in self.ask(values):
            found = self.flip.lead(joints)
            for place, at in enumerate(columns):
                if at in out:
                    part = out[at][start : start + len(found)]
                    part[:] = found[: len(part), place]
        return out

    def nearest(
        self, now: Mapping[int, float], within: Mapping[int, tuple[float, float]]
    ) -> dict[int, tuple[float, float]]:
        """For each numeric column that can do it alone: the nearest number that makes the change, and how far it is.

        Distances are in standard deviations of the column, from where it is `now`, or from its mean where that is
        missing. Numbers are looked for `within` the least and the largest that there is; where these are infinite,
        within ten standard deviations of the mean.
        """
        about, start, spread, tried, among = described(self.model), {}, {}, {}, {}
        for at, (middle, deviation) in middle_and_spread(self.model, [*now]).items():
            if deviation > 0:
                missing = float(np.rint(middle)) if self._whole(at) else middle
                start[at], spread[at] = now[at] if np.isfinite(now[at]) else missing, deviation
                found = np.concatenate([grid_points(self.model, at, about[at]), self._beside(self.edges(at), at)])
                reach = (middle - FLIP_DEVIATIONS * deviation, middle + FLIP_DEVIATIONS * deviation)
                limits = [end if np.isfinite(end) else far for end, far in zip(within[at], reach, strict=True)]
                if self.model.schema.columns[at].kind == "count":
                    limits[0] = max(limits[0], 0.0)
                tried[at], among[at] = _tried(found, start[at], limits, self._whole(at)), limits
        # (ends,): the last number without the change, and the first with it, on each side of the start
        low, high = {}, {}
        for at, (numbers, lead) in self._peaked(tried, among).items():
            made, here = lead > 0, int(np.searchsorted(numbers, start[at]))
            left, right = np.flatnonzero(made[: here + 1]), here + np.flatnonzero(made[here:])
            ends = [(min(left[-1] + 1, here), left[-1])] if len(left) else []
            ends += [(max(right[0] - 1, here), right[0])] if len(right) else []
            if ends:
                low[at], high[at] = numbers[np.array(ends)].T
        # between a start beyond all numbers that there are and the first of them, there is none
        halved = {at: np.clip(ends, *within[at]) for at, ends in self._halved(low, high).items()}
        best = {at: ends[np.abs(ends - start[at]).argmin()] for at, ends in halved.items()}
        return {at: (float(end), float(abs(end - start[at]) / spread[at])) for at, end in best.items()}

    def _peaked(
        self, tried: Mapping[int, Floats], among: Mapping[int, Sequence[float]]
    ) -> dict[int, tuple[Floats, Floats]]:
        """For each column the numbers tried and their leads, with the peaks between them that almost make the change.

        These are looked at ever more closely, `among` the numbers that there are: a start may lie beyond them.
        """
        out = {at: (tried[at], lead) for at, lead in self.leads(tried).items()}
        windows = {
            at: np.clip(_windows(*pair), among[at][0], among[at][1]) for at, pair in out.items() if not self._whole(at)
        }
        windows = {at: window for at, window in windows.items() if len(window)}
        best: dict[int, tuple[Floats, Floats]] = {}
        for _ in range(ZOOMS if windows else 0):
            looked = {at: np.linspace(window[:, 0], window[:, 1], ZOOM) for at, window in windows.items()}
            seen = self.leads({at: numbers.ravel() for at, numbers in looked.items()})
            for at, numbers in looked.items():
                mine = seen[at].reshape(numbers.shape)
                top, each = mine.argmax(axis=0), np.arange(numbers.shape[1])
                best[at] = numbers[top, each], mine[top, each]
                ends = (np.maximum(top - 1, 0), np.minimum(top + 1, ZOOM - 1))
                windows[at] = np.column_stack([numbers[end, each] for end in ends])
        for at, pair in best.items():
            numbers, lead = (np.append(*both) for both in zip(out[at], pair, strict=True))
            every, first = np.unique(numbers, return_index=True)
            out[at] = every, lead[first]
        return out

    def _halved(self, low: dict[int, Floats], high: dict[int, Floats]) -> dict[int, Floats]:
        """The high ends once the two are brought together: no number, or no whole number, is between them."""
        for _ in range(FLIP_HALVINGS if low else 0):
            middle = {at: low[at] + (high[at] - low[at]) / 2.0 for at in low}
            middle = {at: np.floor(mine) if self._whole(at) else mine for at, mine in middle.items()}
            if all(((mine == low[at]) | (mine == high[at])).all() for at, mine in middle.items()):
                break
            lead = self.leads(middle)
            for at, mine in middle.items():
                low[at], high[at] = np.where(lead[at] > 0, low[at], mine), np.where(lead[at] > 0, mine, high[at])
        return high

    def _beside(self, edges: Floats, at: int) -> Floats:
        """The numbers on both sides of each edge."""
        below = np.floor(edges) if self._whole(at) else edges
        return np.concatenate([below, below + 1.0 if self._whole(at) else np.nextafter(below, np.inf)])

    def _whole(self, at: int) -> bool:
        """Whether all numbers of a column that were seen are whole, so that a change is to one that is."""
        column = self.model.schema.columns[at]
        return column.kind == "count" or column.whole


def _tried(found: Floats, start: float, limits: Sequence[float], whole: bool) -> Floats:
    """Sorted numbers between two limits, finely enough not to step over a change; and the start."""
    low, high = max(limits[0], -LARGEST_NUMBER), min(limits[1], LARGEST_NUMBER)
    if whole:
        low, high = np.ceil(low), np.floor(high)
        found = np.union1d(np.floor(found), np.ceil(found))
    even = np.linspace(low, high, EVENLY_SPACED_PLACES) if low <= high else np.empty(0)
    if whole:
        even = np.rint(even)
    inside = found[(found >= low) & (found <= high)]
    return np.unique(np.concatenate([inside, even, [start]]))


def _windows(numbers: Floats, lead: Floats) -> Floats:
    """(peaks, 2): the neighbours of the highest peaks that do not make the change."""
    peaks = 1 + np.flatnonzero((lead[1:-1] <= 0) & (lead[1:-1] >= lead[:-2]) & (lead[1:-1] >= lead[2:]))
    peaks = peaks[np.isfinite(lead[peaks])]
    peaks = peaks[np.argsort(-lead[peaks], kind="stable")[:MOST_PEAKS]]
    return np.column_stack([numbers[peaks - 1], numbers[peaks + 1]])


def fewest(flip: Flip, present: Floats, options: Sequence[Floats]) -> list[tuple[int, int]]:
    """(item, choice), ...: the fewest items that make the change; none if all together do not.

    `present` (1 + items, classes) is what the prior and each item say now, `options` what each item may say instead:
    (choices, classes). Against one rival, taking the largest gains first gives the fewest; against several it is a try.
    """
    plans = [plan for goal in flip.goals if (plan := _plan(flip, goal, present, options)) is not None]
    return min(plans, key=len, default=[])


def _plan(flip: Flip, goal: int, present: Floats, options: Sequence[Floats]) -> list[tuple[int, int]] | None:
    terms, used, plan = present.copy(), np.zeros(len(options), dtype=bool), []
    known: dict[int, tuple[Floats, Array]] = {}
    while not used.all():
        rival = flip.rival(possible_or_priors(terms.sum(axis=0), flip.log_prior), goal)
        if rival not in known:
            known[rival] = _gains(present[1:], options, goal, rival)
        gains, choices = known[rival]
        item = int(np.where(used, -np.inf, gains).argmax())
        if not gains[item] > 0 or used[item]:
            return None
        terms[1 + item], used[item] = options[item][choices[item]], True
        plan.append((item, int(choices[item])))
        if flip.lead(terms.sum(axis=0)) > 0:
            return plan
    return None


def _gains(now: Floats, options: Sequence[Floats], goal: int, rival: int) -> tuple[Floats, Array]:
    """(items,): what the best choice of each adds to the log odds of the goal against its rival, and which it is."""
    before = difference(now[:, goal], now[:, rival])
    gains, choices = np.full(len(options), -np.inf), np.zeros(len(options), dtype=np.int64)
    for item, each in enumerate(options):
        if len(each):
            odds = difference(each[:, goal], each[:, rival])
            choices[item] = odds.argmax()
            best = odds[choices[item]]
            gains[item] = 0.0 if best == before[item] else best - before[item]
    return gains, choices
