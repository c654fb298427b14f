"""Forecasts as they are handed in: classes, labels, probabilities, scores and weights, read or refused."""
