"""Estimators of scikit-learn beside ours: found by name, and given tables of words, numbers, dates and texts."""
