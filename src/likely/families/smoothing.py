"""Smoothed shares of counts: by pseudo-counts (Laplace, Lidstone), or towards another share (m-estimates)."""

from __future__ import annotations

import numpy as np

from likely.core.numerics import Array, Floats


def share(count: Array, observed: Array, levels: Array, pseudo: float) -> Floats:
    """(n + s) / (N + s K), and 1 / K where there is neither a count nor a pseudo-count."""
    whole = np.asarray(observed + pseudo * levels, dtype=np.float64)
    even = np.broadcast_to(1.0 / np.maximum(levels, 1), np.broadcast_shapes(count.shape, whole.shape)).copy()
    return np.divide(count + pseudo, whole, out=even, where=whole > 0)


def smoothed_shares(count: Floats, observed: Floats, base: Floats, strength: Array | float) -> Floats:
    """(n + m P) / (N + m), and P where there is neither a count nor a pseudo-count."""
    whole = np.asarray(observed + strength, dtype=np.float64)
    shape = np.broadcast_shapes(np.shape(count), np.shape(base), np.shape(whole))
    return np.divide(
        count + strength * base, whole, out=np.broadcast_to(base, shape).astype(np.float64), where=whole > 0
    )
