"""Columns below cells of parents: counts, what they say, and sums over parents that are missing."""
