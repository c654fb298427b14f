"""The main job on embedded data, in a minute: fit, be honest about it, explain, decide, merge, forget, save."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from likely.estimators import NaiveBayes, load
from likely.numerics import Floats


def patients() -> tuple[Any, Any]:
    """Mixed data with holes, made from scikit-learn's breast cancer table: three measurements, a grade, a yes/no."""
    import pyarrow as pa
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer()
    column = dict(zip(data.feature_names, data.data.T, strict=True))
    rng = np.random.default_rng(0)
    holes = rng.random((2, len(data.target))) < 0.1
    grade = np.array(["low", "middle", "high"])[np.searchsorted([0.03, 0.1], column["mean concavity"])]
    rows = pa.table(
        {
            "radius": column["mean radius"],
            "texture": pa.array(column["mean texture"], mask=holes[0]),
            "smoothness": column["mean smoothness"],
            "concavity": pa.array(grade, mask=holes[1]),
            "symmetric": column["mean symmetry"] < 0.18,
        }
    )
    return rows, np.array(["malignant", "benign"])[data.target]


def log_loss(proba: Floats, classes: Any, y: Any) -> float:
    """Mean negative log probability of the true class."""
    at = np.searchsorted(classes, np.asarray(y))
    return float(-np.log(proba[np.arange(len(at)), at]).mean())


def main() -> None:
    """Print the tour."""
    rows, target = patients()
    say = print
    say("likely: a naive Bayes on mixed and missing data\n")
    say(f"{len(rows)} patients of scikit-learn's breast cancer table, with holes:")
    for row in rows.slice(0, 4).to_pylist():
        say("  " + ", ".join(f"{name} {'?' if value is None else value}" for name, value in row.items()))
    say()

    start = time.perf_counter()
    model = NaiveBayes().fit(rows, target)
    say(f"{model}\n  fitted in {1000 * (time.perf_counter() - start):.0f} ms, compilation included on the first run\n")

    seen, honest = model.predict_proba(rows), model.leave_one_out(rows, target)
    say("How good is it? Each patient judged by the model that never saw that patient (exact, without refitting):")
    say(f"  {'':14}{'accuracy':>10}{'log loss':>10}")
    for name, proba in (("training rows", seen), ("leave-one-out", honest)):
        right = (model.classes_[proba.argmax(axis=1)] == target).mean()
        say(f"  {name:14}{right:10.3f}{log_loss(proba, model.classes_, target):10.3f}")

    doubtful = int(np.abs(honest[:, 0] - 0.5).argmin())
    one = rows.slice(doubtful, 1)
    low, high = model.interval(one)[0, 1]
    say(f"\nWhy? The most doubtful patient, number {doubtful}:\n{model.explain(one)}")
    say(f"  The probability of {str(model.classes_[1])!r} lies in {low:.2f} to {high:.2f} with 95 % credibility.\n")

    missed = {("malignant", "benign"): 20}
    say("What to do?")
    say(f"  most likely:                                      {model.predict(one)[0]}")
    say(f"  a missed malignant tumour costs 20 false alarms:  {model.decide(one, loss=missed)[0]}")
    say(
        f"  and a second opinion costs 0.3 of one:            {model.decide(one, missed, reject=0.3)[0] or 'abstain'}\n"
    )

    north = NaiveBayes().fit(rows.slice(0, 300), target[:300])
    south = NaiveBayes().fit(rows.slice(300), target[300:])
    both = north.merge(south)
    say(f"Two hospitals merged = all rows at once: {np.allclose(both.predict_proba(rows), seen, atol=1e-12)}")
    both.forget(rows.slice(0, 100), target[:100])
    never = NaiveBayes().fit(rows.slice(100), target[100:])
    same = np.allclose(both.predict_proba(rows), never.predict_proba(rows), atol=1e-12)
    say(f"100 patients forgotten = never seen:     {same}")

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "patients.likely"
        model.save(path)
        say(f"Saved and loaded, to the last bit:       {np.array_equal(load(path).predict_proba(rows), seen)}")


if __name__ == "__main__":
    main()
