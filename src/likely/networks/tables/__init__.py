"""The tables of a network: probabilities of levels for every combination of parents' levels."""
