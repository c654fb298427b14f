"""Answers of a network by draws."""
