"""Credible intervals of class probabilities: 400 draws of the parameters; 20 columns of levels and 10 numbers.

No peer has them.
"""

from functools import partial

from _measure import Row, best, quick, show
from cliffs_missing import table

from likely import AODE, KDB, TAN, GaussianBayes, NaiveBayes

MODELS = {"NaiveBayes": NaiveBayes(), "TAN": TAN(), "KDB": KDB(), "AODE": AODE(), "GaussianBayes": GaussianBayes()}


def main() -> None:
    sizes = (1, 10) if quick(__doc__) else (1, 100, 10_000)
    X, y = table(2000, 0.05, 0)
    asked, _ = table(max(sizes), 0.05, 1)
    rows = []
    for name, model in MODELS.items():
        columns = [column for column in X if name != "GaussianBayes" or column.startswith("number")]
        model.fit(X[columns], y)
        for size in sizes:
            some = asked[columns].head(size)
            time = best({"likely": partial(model.interval, some)}, 1)["likely"]
            rows.append(Row(f"{name}: interval of {size:,} rows", time))
    show("Intervals", rows)


if __name__ == "__main__":
    main()
