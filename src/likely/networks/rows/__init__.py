"""Rows of any origin as levels of nodes."""
