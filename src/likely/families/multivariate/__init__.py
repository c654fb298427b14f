"""Normals of several columns together."""

from likely.families.multivariate.density import Multivariate, read

__all__ = ["Multivariate", "read"]
