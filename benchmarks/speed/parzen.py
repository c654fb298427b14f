"""Kernel densities of 100,000 points at 100,000 queries, beside SciPy's gaussian_kde and scikit-learn's KernelDensity.

The peers are asked for some of the queries: their times are scaled to all of them. Relative error at most 1e-6, also of
KernelDensity; what is shown below the tables is measured. Last, the factor on the bandwidths by cross-validation beside
ten times a rule of thumb with the density of all points under it.
"""

from collections.abc import Callable
from time import perf_counter

import numpy as np
from _measure import Row, best, quick, show
from scipy.stats import gaussian_kde
from sklearn.neighbors import KernelDensity

from likely.families.kernel_density import KernelSum
from likely.families.kernel_density.bandwidths import cross_validated, rule

POINTS, ASKED = 100_000, 2_000
PEERS = {"gaussian": "gaussian", "epanechnikov": "epanechnikov", "box": "tophat", "triangular": "linear"}
DEMANDED = {1: 500.0, 2: 50.0, 3: None}


def table(count: int, columns: int, seed: int) -> np.ndarray:
    """Two hills."""
    random = np.random.default_rng(seed)
    return np.where(random.random((count, 1)) < 0.3, 0.0, 3.0) + random.normal(size=(count, columns))


def seconds(call: Callable[..., object], *given: object) -> float:
    start = perf_counter()
    call(*given)
    return perf_counter() - start


def ours(points: np.ndarray, width: float, kernel: str, queries: np.ndarray, tolerance: float = 1e-6) -> np.ndarray:
    """Log densities, from nothing."""
    columns = points.shape[1]
    widths = np.full(columns, width)
    return KernelSum(points, np.ones(len(points)), widths, kernel, columns, tolerance).log_density(queries)


def densities(count: int, columns: int) -> list[Row]:
    """Each kernel beside KernelDensity, the Gaussian beside gaussian_kde too."""
    points, queries = table(count, columns, 0), table(count, columns, 1)
    asked = queries[: min(ASKED, count)]
    scale, rows = count / len(asked), []
    for kernel, name in PEERS.items():
        width = float(rule("scott", np.ones(1), float(count), columns, kernel)[0])
        ours(points, width, kernel, asked)  # compiles
        time = min(seconds(ours, points, width, kernel, queries) for _ in range(5))
        peer = KernelDensity(kernel=name, bandwidth=width, rtol=1e-6).fit(points)
        goal = DEMANDED[columns] if kernel == "gaussian" else None
        theirs = scale * min(seconds(peer.score_samples, asked) for _ in range(2))
        rows.append(Row(f"{columns}D {kernel}, KernelDensity", time, theirs, goal))
        if kernel == "gaussian":
            theirs = scale * min(seconds(gaussian_kde(points.T).evaluate, asked.T) for _ in range(2))
            rows.append(Row(f"{columns}D gaussian, gaussian_kde", time, theirs, goal))
            some = asked[:200]
            apart = np.expm1(ours(points, width, kernel, some) - ours(points, width, kernel, some, 0.0))
            print(f"{columns}D gaussian: relative error at most {np.abs(apart).max():.1e}")
    return rows


def searches(count: int, columns: int) -> Row:
    """Cross-validation beside ten times what a rule costs."""
    points, weights = table(count, columns, 0), np.ones(count)
    widths = rule("silverman", points.std(axis=0, ddof=1), float(count), columns, "gaussian")

    def plain() -> None:
        ordered = points[np.lexsort(points.T[::-1])]
        wide = rule("silverman", ordered.std(axis=0, ddof=1), float(count), columns, "gaussian")
        KernelSum(ordered, weights, wide, "gaussian", columns).log_density(ordered)

    times = best({"plain": plain, "cv": lambda: cross_validated([(points, weights, widths)], "gaussian")}, again=1)
    return Row(f"{columns}D cross-validation, ten plain fits", times["cv"], 10 * times["plain"], 1.0)


def main() -> None:
    count = 5_000 if quick(__doc__) else POINTS
    rows = [row for columns in (1, 2, 3) for row in densities(count, columns)]
    show(f"KernelSum, {count:,} points at {count:,} queries", rows)
    show("bandwidths", [searches(count, columns) for columns in (1, 2)])


if __name__ == "__main__":
    main()
