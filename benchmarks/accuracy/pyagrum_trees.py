"""The trees that pyAgrum's TAN finds on discrete tables: kept in tests/structures/golden_tan.json.

Needs pyAgrum and pandas, and not likely; run as

    python benchmarks/accuracy/pyagrum_trees.py ../shared/data/uci tests/structures/golden_tan.json

Rows with a missing value are left out, and so are columns with a single value. pyAgrum leaves out arcs of less than
half the mean conditional information of all pairs.
"""

import csv
import json
import re
import sys
from pathlib import Path

import pandas as pd
import pyagrum
from pyagrum.lib.discreteTypeProcessor import DiscreteTypeProcessor
from pyagrum.skbn import BNClassifier

TABLES = {
    "balance.scale": "class",
    "breast.cancer": "Class",
    "car": "class",
    "kr.vs.kp": "class",
    "lymph": "class",
    "mushroom": "class",
    "nursery": "class",
    "splice": "Class",
    "tic-tac-toe": "Class",
    "vote": "Class",
    "zoo": "type",
}
ASIDE = {"splice": "Instance_name", "zoo": "animal"}  # names of rows


def read(path: Path) -> pd.DataFrame:
    """The complete rows of an ARFF file, all values as words."""
    head, data = re.split(r"(?im)^@data.*$", path.read_text(encoding="utf-8"), maxsplit=1)
    names = [a or b for a, b in re.findall(r"(?im)^@attribute\s+(?:'([^']*)'|(\S+))", head)]
    lines = [line for line in data.splitlines() if line.strip() and not line.startswith("%")]
    rows = [[value.strip() for value in row] for row in csv.reader(lines, quotechar="'", skipinitialspace=True)]
    return pd.DataFrame([row for row in rows if "?" not in row], columns=names)


def parents(table: pd.DataFrame, target: str) -> dict[str, str]:
    """The parent of each column that has one beside the target."""
    y, X = table[target], table.drop(columns=target)
    X = X.loc[:, X.nunique() > 1]
    places = {f"c{at}": name for at, name in enumerate(X.columns)}  # pyAgrum reads some signs in names
    X.columns = list(places)
    # Without any smoothing it refuses parents that were never seen together with a class.
    processor = DiscreteTypeProcessor()
    model = BNClassifier(type_processor=processor, learningMethod="TAN", prior="Smoothing", priorWeight=1e-12)
    model.fit("is " + X, ("is " + y).rename("target"))  # words, even where they look like numbers
    named = [[model.bn_.variable(at).name() for at in arc] for arc in model.bn_.arcs()]
    return dict(sorted((places[child], places[parent]) for parent, child in named if parent != "target"))


def main(folder: str, out: str) -> None:
    found = {}
    for name, target in TABLES.items():
        table = read(Path(folder) / f"{name}.arff").drop(columns=ASIDE.get(name, []))
        found[name] = {"target": target, "rows": len(table), "aside": ASIDE.get(name)}
        found[name]["parents"] = parents(table, target)
        print(name, len(table), len(found[name]["parents"]))
    told = {"made by": f"pyagrum {pyagrum.__version__}, benchmarks/accuracy/pyagrum_trees.py", "tables": found}
    Path(out).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
