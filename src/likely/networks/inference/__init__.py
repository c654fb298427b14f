"""Answers of a network, exact."""
