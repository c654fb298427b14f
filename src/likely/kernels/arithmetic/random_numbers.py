"""Random numbers in compiled loops: a counter, scrambled (SplitMix64); any start gives a stream of its own."""

import numpy as np

from likely.kernels.compiler import njit

GOLDEN_GAMMA = np.uint64(0x9E3779B97F4A7C15)  # from one number of a stream to the next
FIRST_MULTIPLIER, SECOND_MULTIPLIER = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
UNIT = 2.0**-53


@njit(nogil=True, cache=True, inline="always")
def uniform(counter: np.uint64) -> float:
    """A number in [0, 1) that the counter stands for; 53 random bits."""
    mixed = (counter ^ (counter >> np.uint64(30))) * FIRST_MULTIPLIER
    mixed = (mixed ^ (mixed >> np.uint64(27))) * SECOND_MULTIPLIER
    return np.float64(np.int64((mixed ^ (mixed >> np.uint64(31))) >> np.uint64(11))) * UNIT
