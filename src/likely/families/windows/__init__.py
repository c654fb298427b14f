"""Kernels laid on the rows themselves."""

from likely.families.windows.density import Windows, read

__all__ = ["Windows", "read"]
