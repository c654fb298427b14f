"""A class that many columns speak against, in a row with a missing value: hardly possible, and not impossible."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.special import logsumexp

from likely import Network
from likely.evaluation import evaluate_model


def test_a_missing_value_does_not_make_a_class_impossible() -> None:
    names, y = [f"x{at}" for at in range(300)], np.array(["a", "b"] * 30)
    table = pd.DataFrame({name: np.where(y == "a", "u", "v") for name in names})
    table["h"] = np.where(np.arange(60) % 5 == 0, "u", table["x0"])
    table["g"] = np.where(np.arange(60) % 7 == 0, "v", table["h"])
    data = table.assign(c=y)
    net = Network([*(("c", name) for name in names), ("c", "h"), ("h", "g")]).fit(data)
    row = table.iloc[[0]].assign(h=None)
    said = net.classifier("c").predict_log_proba(row)[0]
    filled = pd.concat([row.assign(h=h, c=c) for c in "ab" for h in "uv"])  # everything that it may have been
    joint = logsumexp(net.log_likelihood(filled).reshape(2, 2), axis=1)
    assert said == pytest.approx(joint - logsumexp(joint), rel=1e-12)
    assert said[1] < -750  # P(b) itself is zero as a double
    assert np.isfinite(evaluate_model(net.classifier("c"), row, ["b"]).log_loss)
