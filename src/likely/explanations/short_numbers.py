"""Numbers in few digits: rounded away from where they came from, so that what a change does stays done."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

import numpy as np

from likely.core.numerics import Floats

SHORT_DIGITS = 2  # of the smaller of how far it is and how far values spread
DOUBLE_DIGITS = 17  # digits that tell any two numbers apart


def rounded_away(number: float, start: float, spread: float, both: bool = False) -> Floats:
    """(tries,): the number in ever more digits, rounded away from the start; the last is the number itself, all digits.

    With `both` the number rounded towards the start follows each of them: where it may not be further away.

    >>> rounded_away(14.36961911717, 1e7, 15.2)[:3].tolist(), rounded_away(15.53785, 17.0, 5.9)[0].tolist()
    ([14.0, 14.3, 14.36], 15.5)
    >>> rounded_away(1.4e-06, 10.0, 1.1e-06).tolist(), rounded_away(-47.0, 0.0, 1e9).tolist()
    ([1.4e-06], [-47.0])
    """
    far = min((size for size in (abs(number - start), spread) if 0 < size < np.inf), default=1.0)
    last = int(np.floor(np.log10(abs(number) or far))) - DOUBLE_DIGITS + 1
    rounding = ROUND_CEILING if number > start else ROUND_FLOOR
    exact = Decimal(repr(float(number)))  # of its binary digits 1.4e-06 is 1.39999... e-06
    places = range(int(np.floor(np.log10(far))) - SHORT_DIGITS + 1, last, -1)
    ways = (rounding, ROUND_FLOOR if rounding == ROUND_CEILING else ROUND_CEILING)[: 1 + both]
    rounded = [float(exact.quantize(Decimal(1).scaleb(place), way)) for place in places for way in ways]
    shorter = [one for one in rounded if len(repr(one)) < len(repr(float(number)))]
    return np.array([*shorter, number]) + 0.0  # no minus zero
