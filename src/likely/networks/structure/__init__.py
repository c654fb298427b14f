"""Arcs from rows: scores, searches, cuts, and missing values."""
