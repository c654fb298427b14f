"""Counts and sums of rows by cell."""
