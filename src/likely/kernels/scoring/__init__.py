"""Log probabilities of rows, summed over columns."""
