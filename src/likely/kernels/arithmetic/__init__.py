"""Numbers that kernels reckon with: pairs of doubles, logarithms, lanes, random numbers."""
