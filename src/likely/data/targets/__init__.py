"""Targets beside rows: classes, labels, numbers, and the probabilities that they are judged by."""
