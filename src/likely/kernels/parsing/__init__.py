"""Bytes of text as fields: where each begins and ends, numbers, words. What callers know of them needs no compiler."""

NO_NUMBER, FRACTION, UNGROUPED, MINUS_ZERO, MISSING = 1, 2, 4, 8, 16  # what some field of a column is
MISPLACED = -1  # a line has fewer or more fields
PLACES = 1024  # of a table of words, of which at most a quarter is taken
TOO_MANY_WORDS = -1  # words
