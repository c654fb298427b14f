"""AODE against Weka 3.6.14: probabilities that benchmarks/accuracy/weka_aode.py made, under the same estimates."""

import json
from pathlib import Path

import numpy as np
import pytest

import likely
from likely.data.files.arff import read_arff

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data" / "uci"
CASES = json.loads((Path(__file__).parent / "weka_aode.json").read_text())["cases"]
OPTIONS = {
    "weka.classifiers.bayes.AODE -F 1": {},
    "weka.classifiers.bayes.AODE -F 30": {"min_support": 30},
    "weka.classifiers.bayes.AODEsr -F 1 -L -C 50": {"subsumption": 51},  # Weka asks for more than 50
}

pytestmark = pytest.mark.skipif(not SHARED.exists(), reason="the shared tables are not here")


def name(case):
    which, run = " complete" if case["without_missing"] else "", case["run"].removeprefix("weka.classifiers.bayes.")
    return f"{case['table']}{which} {run}"


@pytest.mark.parametrize("case", [case for case in CASES if case["run"] in OPTIONS], ids=name)
def test_probabilities(case):
    columns = [column.combine_chunks() for column in read_arff(SHARED / f"{case['table']}.arff").columns]
    table = np.column_stack([column.indices.fill_null(-1).to_numpy() for column in columns]).astype(float)
    if case["without_missing"]:
        table = table[(table >= 0).all(axis=1)]
    table[table < 0] = np.nan
    X, y = table[:, :-1], table[:, -1].astype(int)
    kinds = {f"x{at}": list(range(len(column.dictionary))) for at, column in enumerate(columns[:-1])}
    learnt = np.arange(len(table)) % 3 != 0
    model = likely.AODE(kinds=kinds, backoff="even", **OPTIONS[case["run"]])
    model.partial_fit(X[learnt], y[learnt], classes=range(len(case["classes"])))
    # Weka leaves a super-parent out whose value is missing, which is not what summing it out gives
    whole = ~np.isnan(X[case["asked"]]).any(axis=1)
    proba = model.predict_proba(X[case["asked"]])
    assert whole.sum() > 20
    np.testing.assert_allclose(proba[whole], np.array(case["proba"])[whole], atol=1e-6)
    np.testing.assert_allclose(proba, case["proba"], atol=0.05)


TREES = json.loads((Path(__file__).parent / "weka_tan.json").read_text())["cases"]


@pytest.mark.parametrize("case", TREES, ids=lambda case: case["table"])
def test_trees(case):
    """Arcs of TAN without direction; where another tree is as heavy, the sum of the information on them."""
    columns = [column.combine_chunks() for column in read_arff(SHARED / f"{case['table']}.arff").columns]
    table = np.column_stack([column.indices.fill_null(-1).to_numpy() for column in columns])
    if case["without_missing"]:
        table = table[(table >= 0).all(axis=1)]
    model = likely.TAN(kinds="category").fit(table[:, case["first_column"] : -1], table[:, -1])
    found = model.structure_.arcs
    assert np.isclose(sum(nats for _, _, nats in found), sum(case["information"]), rtol=1e-9)
    ours = {tuple(sorted((int(one[1:]), int(other[1:])))) for one, other, _ in found}
    if case["table"] != "tic-tac-toe":  # where two trees weigh the same
        assert ours == {tuple(arc) for arc in case["arcs"]}
