"""Kinds and levels of columns: told from values, matched by value or by text, intervals of numbers."""
