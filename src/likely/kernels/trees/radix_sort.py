"""The order of many numbers: sorted digit by digit, the number and its row in one word."""

import numpy as np

from likely.kernels.compiler import interpreted_while_small, njit

BITS_A_PASS = 11  # bits a pass
BUCKETS = 1 << BITS_A_PASS
# Bits of a number that are sorted by: four passes; the few that differ further down are put right afterwards
BITS_SORTED_BY = 44
ENTRIES_TRANSPOSED_TOGETHER = 32  # rows and columns turned at a time: they stay in the cache
MOST_MOVES_AN_ENTRY = 4  # how often an entry may be moved then, on average


@interpreted_while_small
@njit(nogil=True, cache=True)
def turn_rows(values, first, last, out):
    """out [column] [row] = values [row] [column], of the rows from first to last."""
    for row in range(first, last, ENTRIES_TRANSPOSED_TOGETHER):
        for column in range(0, values.shape[1], ENTRIES_TRANSPOSED_TOGETHER):
            for j in range(column, min(column + ENTRIES_TRANSPOSED_TOGETHER, values.shape[1])):
                for i in range(row, min(row + ENTRIES_TRANSPOSED_TOGETHER, last)):
                    out[j, i] = values[i, j]


@njit(nogil=True, cache=True)
def pack(values, room, keys):
    """How many numbers are known; keys = each as bits in rising order, the last `room` bits its row instead."""
    low = (np.uint64(1) << np.uint64(room)) - np.uint64(1)
    top = np.uint64(1) << np.uint64(63)
    known = 0
    for row in range(len(values)):
        x = values[row]
        if x != x:
            continue
        bits = np.float64(x + 0.0).view(np.uint64)  # of the two zeros, one
        bits = ~bits if bits & top else bits | top
        keys[known] = (bits & ~low) | np.uint64(row)
        known += 1
    return known


@njit(nogil=True, cache=True)
def sort_keys(keys, spare, room):
    """The keys in order of all but their last `room` bits, equal ones as they stood; in one of the two arrays."""
    passes = (64 - room + BITS_A_PASS - 1) // BITS_A_PASS
    counts = np.zeros((passes, BUCKETS), np.int64)
    last = np.uint64(BUCKETS - 1)
    for key in keys:
        for at in range(passes):
            counts[at, (key >> np.uint64(room + BITS_A_PASS * at)) & last] += 1
    for at in range(passes):
        shift = np.uint64(room + BITS_A_PASS * at)
        if counts[at, (keys[0] >> shift) & last] == len(keys):
            continue
        place = 0
        for bucket in range(BUCKETS):
            place, counts[at, bucket] = place + counts[at, bucket], place
        for key in keys:
            bucket = (key >> shift) & last
            spare[np.uint64(counts[at, bucket])] = key
            counts[at, bucket] += 1
        keys, spare = spare, keys
    return keys


@njit(nogil=True, cache=True)
def unpack(keys, values, room, out, ranks):
    """Whether some numbers are equal (1, 0), or -1 where too many were sorted too coarsely; out = the rows in order.

    Where some are equal, ranks [row] = how many different numbers are smaller.
    """
    low = (np.uint64(1) << np.uint64(room)) - np.uint64(1)
    tied, moves = 0, 0
    for i in range(len(keys)):
        row = np.int32(keys[i] & low)
        out[i] = row
        if i == 0 or (keys[i] ^ keys[i - 1]) > low:
            continue
        at = i
        while at > 0 and values[out[at - 1]] > values[row]:
            out[at] = out[at - 1]
            at -= 1
        out[at] = row
        moves += i - at
        if moves > MOST_MOVES_AN_ENTRY * len(keys):
            return -1
        if at > 0 and values[out[at - 1]] == values[row]:
            tied = 1
    rank, last = 0, values[out[0]]
    for row in out[: len(keys) if tied else 0]:
        if values[row] > last:
            rank, last = rank + 1, values[row]
        ranks[row] = rank
    return tied
