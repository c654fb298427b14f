"""What notebooks show of models and results: small, escaped, and in the colours of the page."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pandas as pd
import pytest

import likely
from likely.evaluation import compare, cross_validate, evaluate_model, recalibrate
from likely.explanations import changes, nomogram, profile

NAME = "<img src=x onerror=alert(1)>"
RNG = np.random.default_rng(3)
ROWS = 60
Y = RNG.choice(["no", f"{NAME}&"], ROWS)
X = pd.DataFrame({NAME: RNG.normal(size=ROWS) + (Y == "no"), "word": RNG.choice([NAME, "b" * 5000], ROWS)})
MODEL = likely.NaiveBayes().fit(X, Y)
NET = likely.Network(
    {NAME: {"<b>": 0.3, "no": 0.7}, "wet": ([NAME], {"<b>": {"y": 1, "n": 0}, "no": {"y": 0, "n": 1}})}
)
SHOWN: dict[str, Callable[[], Any]] = {
    "estimator": lambda: MODEL,
    "companion": lambda: likely.DecisionTree(max_depth=2).fit(X, Y),
    "recalibrated": lambda: recalibrate(MODEL, X, Y),
    "evaluation": lambda: evaluate_model(MODEL, X, Y),
    "regression": lambda: likely.evaluation.evaluate_regression(
        likely.LinearRegression().fit(X[["word"]], X[NAME]), X[["word"]], X[NAME]
    ),
    "cross-validation": lambda: cross_validate(MODEL, X, Y, folds=3),
    "comparison": lambda: compare({NAME: MODEL, "other": likely.NaiveBayes(kinds="skip")}, X, Y, folds=3),
    "explanation": lambda: MODEL.explain(X),
    "amounts": lambda: likely.LinearRegression().fit(X[["word"]], X[NAME]).explain(X[["word"]]),
    "path": lambda: likely.DecisionTree(max_depth=2).fit(X, Y).explain(X),
    "profile": lambda: profile(MODEL),
    "nomogram": lambda: nomogram(MODEL),
    "changes": lambda: changes(MODEL, X[:1]),
    "inspection": lambda: likely.inspect(X.assign(y=Y), "y"),
    "structure": lambda: likely.TAN().fit(X, Y).structure_,
    "network": lambda: NET,
    "graph": lambda: likely.Network({"a": [], NAME: ["a"]}),
    "distribution": lambda: NET.query(NAME, {"wet": "y"}),
    "report": lambda: MODEL.report(X, Y),
}


class Balanced(HTMLParser):
    """HTML in which what is opened is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not any(name.startswith("on") for name, _ in attrs if tag == "img")
        assert tag != "img"
        if tag not in ("input", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("name", SHOWN)
def test_shown_small_and_escaped(name: str) -> None:
    text = SHOWN[name]()._repr_html_()
    own = text[text.rindex("</style>") :] if "</style>" in text else text  # scikit-learn's frame brings its style
    assert NAME not in text
    assert len(own) < 60_000
    Balanced(re.sub(r"<(style|script)\b.*?</\1>", "", text, flags=re.DOTALL))
    if own is text:
        assert "background:#" not in text
        assert not re.search(r"(?<!-)color:\s*(#|black|white)", text)


def test_a_long_table_is_cut() -> None:
    rows = likely.NaiveBayes(kinds="skip").fit(X, Y).decide(X)
    assert rows is not None
    many = likely.inspect(pd.DataFrame(np.arange(400.0).reshape(4, 100)).add_prefix("c").assign(y=list("abab")), "y")
    assert "and 80 more rows" in many._repr_html_()
