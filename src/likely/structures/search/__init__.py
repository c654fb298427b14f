"""Searches for the parents of each node: what they ask of the rows, what they must obey, and what they find."""
