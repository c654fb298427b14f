"""Draw the pictures of the models' pages, each beside this file: python docs/assets/structures.py"""

from pathlib import Path

import numpy as np
import pyarrow as pa
from sklearn.datasets import load_digits, load_wine

import likely

PEOPLE = """first male child 5 0, second male child 11 0, third male child 13 35, first female child 1 0,
    second female child 13 0, third female child 14 17, first male adult 57 118, second male adult 14 154,
    third male adult 75 387, crew male adult 192 670, first female adult 140 4, second female adult 80 13,
    third female adult 76 89, crew female adult 20 3"""  # the Titanic: how many were saved, and how many lost


def titanic() -> pa.Table:
    """A row for each of the 2,201 people."""
    groups = [line.split() for line in PEOPLE.split(",")]
    rows = [
        [*who, fate]
        for *who, saved, lost in groups
        for fate, often in (("saved", saved), ("lost", lost))
        for _ in range(int(often))
    ]
    return pa.table([list(column) for column in zip(*rows, strict=True)], names=["cabin", "sex", "age", "fate"])


def wines() -> pa.Table:
    """178 wines of three cultivars."""
    wine = load_wine()
    names = [name.removesuffix("_of_diluted_wines") for name in wine.feature_names]
    return pa.table([*wine.data.T, wine.target_names[wine.target]], names=[*names, "cultivar"])


def orders() -> likely.evaluation.Comparison:
    """Order 0, 1 and 2 on scikit-learn's small digits, pixels dark or not."""
    digits = load_digits()
    models = {f"order {order}": likely.AnDE(order=order, kinds="binary") for order in (0, 1, 2)}
    return likely.evaluation.compare(models, (digits.data >= 8).astype(np.int8), digits.target, folds=5)


if __name__ == "__main__":
    people, wine = titanic(), wines()
    boy = pa.table({"cabin": ["third"], "sex": ["male"], "age": ["child"]})
    figures = {
        "naive-bayes": likely.fit(people, "fate").explain(boy).plot(),
        "spode": likely.fit(people, "fate", likely.SPODE()).structure_.plot(),
        "tan": likely.fit(wine, "cultivar", likely.TAN()).structure_.plot(),
        "kdb": likely.fit(wine, "cultivar", likely.KDB(k=2)).structure_.plot(),
        "aode": likely.fit(wine, "cultivar", likely.AODE(weights="loss")).structure_.plot(),
        "ande": orders().plot(),
    }
    for name, figure in figures.items():
        likely.plots.save(figure, Path(__file__).with_name(f"{name}.png"))
