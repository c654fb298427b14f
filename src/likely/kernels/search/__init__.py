"""Searches over graphs: moves, sets of nodes, scores of families."""
