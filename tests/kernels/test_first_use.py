"""How much is compiled on first use, counted in a process of its own that has nothing compiled."""

import json
import os
import subprocess
import sys
from collections import Counter

import pytest

import likely
from likely.kernels.junction.propagation import collect

COUNT = """
import json, sys
from numba.core import event

class Heard(event.Listener):
    compiled = []
    def on_start(self, event): ...
    def on_end(self, event):
        self.compiled.append((event.data["dispatcher"].__name__, str(event.data["args"])))

import numpy as np, likely
event.register("numba:compile", Heard())
USE
json.dump(Heard.compiled, sys.stdout)
"""
ASIA = "net = likely.networks.asia(); seen = {'xray': 'yes', 'smoke': 'no'};"
ROWS = "g = np.random.default_rng(0); X = g.normal(size=(50, 3)); y = X[:, 0] + g.normal(size=50) > 0;"
USES = {  # and how many functions each may compile
    "query": (ASIA + "net.query('lung', seen)", 8),
    "single answers": (
        ASIA + "net.query('lung', seen); net.marginals({'xray': {'yes': .7, 'no': .2}}); net.probability(seen);"
        "net.most_probable(seen); net.sample(9, seed=0, given=seen); net.sensitivity('lung', seen)",
        12,
    ),
    "rows": (ASIA + "net.query_many([seen, {'dysp': 'yes'}], targets=['lung'])", 12),
    "logistic": (ROWS + "likely.LogisticRegression().fit(X, y).predict(X)", 24),
    "pruning": (ROWS + "likely.DecisionTree(criterion='c4.5').fit(X, y).predict(X)", 40),
}


def compiled(use: str, folder: str) -> list[list[str]]:
    known = os.environ | {"NUMBA_CACHE_DIR": folder}
    done = subprocess.run(
        [sys.executable, "-c", COUNT.replace("USE", use)], env=known, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("name", USES)
def test_few_functions_are_compiled_and_each_once(name, tmp_path):
    use, most = USES[name]
    found = compiled(use, str(tmp_path))
    assert len(found) <= most, Counter(name for name, _ in found)
    assert not [one for one in found if "unicode" in one[1]]  # the words of errors that cannot happen
    if name in ("query", "single answers", "rows"):
        # a plain number may be a type of its own, for which all is compiled again
        assert max(Counter(name for name, _ in found if name != "impl").values()) == 1
        assert not [one for one in found if "Literal" in one[1]]


def test_answers_for_one_row_share_one_form_of_the_messages():
    net, seen = likely.networks.asia(), {"xray": "yes"}
    net.query("lung", seen)
    net.marginals({"xray": {"yes": 0.5, "no": 1.0}})
    net.most_probable(seen)
    net.sample(5, seed=0, given=seen)
    net.probability(seen)
    assert len([form for form in collect.signatures if str(form[-1]) == "none"]) == 1
