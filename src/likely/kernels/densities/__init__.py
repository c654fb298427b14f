"""Densities of numbers: normals, Student's t, sums of kernels."""
