"""Arcs around a class: which columns it needs, and which of them depend on which."""
