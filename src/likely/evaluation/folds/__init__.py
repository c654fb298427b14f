"""Rows dealt out to folds, and what models say of rows that they have not seen."""
