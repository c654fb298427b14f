"""Files of companions that hold anything: they are refused, or what they hold can be asked."""

from __future__ import annotations

import io
import json
import warnings
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import is_regressor

import likely
from likely.errors import StoreError

MODELS = {
    "linear": likely.LinearRegression(),
    "descent": likely.LinearRegression(method="descent", max_iter=30),
    "logistic": likely.LogisticRegression(missing="informative"),
    "tree": likely.DecisionTree(missing="informative", max_depth=2),
    "steps": likely.RegressionTree(max_depth=2),
    "boosted": likely.AdaBoost(n_estimators=3),
    "bagged": likely.Bagging(likely.DecisionTree(max_depth=2), n_estimators=2, random_state=0),
    "shifted": likely.DecisionTree(max_depth=2),
}
PRIORS = {"found": 0.2, "kept": 0.3, "lost": 0.5}
Page, Arrays = dict[str, Any], dict[str, np.ndarray]


def table(rows: int = 80) -> tuple[pd.DataFrame, pd.Series, pd.Series]:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"port": rng.choice(["Hull", "Kiel", "Nice"], rows), "age": rng.normal(40, 12, rows).round()})
    pull = 0.08 * (frame["age"] - 40) + (frame["port"] == "Kiel") + rng.normal(0, 0.3, rows)
    frame = frame.where(rng.random(frame.shape) > 0.15)
    return frame, pd.Series(np.select([pull < -0.5, pull < 0.8], ["lost", "found"], "kept")), pull


ASKED = pd.DataFrame({"port": ["Hull", None, "Oslo"], "age": [30.0, 50.0, None]})


@cache
def saved(name: str) -> tuple[Page, Arrays]:
    """The page of a file, and its arrays."""
    import tempfile

    frame, label, pull = table()
    model = MODELS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a path that is cut short says so
        model = model.fit(frame, pull if is_regressor(model) else label)
    model = model.with_priors(PRIORS) if name == "shifted" else model
    with tempfile.TemporaryDirectory() as folder:
        model.save(Path(folder) / "one.likely")
        with zipfile.ZipFile(Path(folder) / "one.likely") as archive:
            page = json.loads(archive.read("model.json"))
            names = [one for one in archive.namelist() if one.endswith(".npy")]
            page.pop("by_class", None)  # tested with the models that it is of
            return page, {one: np.load(io.BytesIO(archive.read(one))) for one in names}


def written(page: Page, arrays: Arrays, place: Path) -> Path:
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr("model.json", json.dumps(page))
        for key, array in arrays.items():
            with archive.open(key, "w") as entry:
                np.lib.format.write_array(entry, array)
    return place


def asked(page: Page, arrays: Arrays, place: Path) -> bool:
    """Whether it was loaded; then it was asked everything, too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numbers that mean nothing may overflow
        try:
            model = likely.load(written(page, arrays, place))
            model.predict(ASKED)
            model.explain(ASKED)
            repr(model)
        except likely.LikelyError:
            return False
    return True


def own(page: Page, arrays: Arrays) -> Arrays:
    """The arrays of the companion itself."""
    return {key: array for key, array in arrays.items() if f'"array": "{key}"' in json.dumps(page["companion"])}


def lengths(array: np.ndarray) -> Iterator[np.ndarray]:
    yield array[:-1]
    yield np.concatenate([array, array[-1:]])
    yield array[:0]
    yield array.reshape(-1)[0]
    yield array[..., None]
    yield array[None]


def types(array: np.ndarray) -> Iterator[np.ndarray]:
    for kind in ("int64", "float32", "float64"):
        if array.dtype != kind:
            yield array.astype(kind)
    yield array.astype(array.dtype.newbyteorder(">"))


def values(array: np.ndarray) -> Iterator[np.ndarray]:
    whole = array.dtype.kind in "iub"
    last = np.iinfo(array.dtype).max if whole else 0
    for value in (-1, 1, last, last - 3) if whole else (np.nan, np.inf, -1.0, 0.0):
        other = array.copy()
        other.flat[array.size // 2] = value
        yield from (other, np.full_like(array, value))
    yield array[::-1].copy()


@pytest.mark.parametrize("spoilt", [lengths, types, values])
@pytest.mark.parametrize("name", ["descent", "logistic", "tree", "steps", "boosted"])  # others are made of the same
def test_an_array_that_is_spoilt(name: str, spoilt: Callable[[np.ndarray], Iterator[np.ndarray]], tmp_path: Path):
    page, arrays = saved(name)
    assert asked(page, arrays, tmp_path / "one.likely")
    with np.errstate(all="ignore"):
        for key, array in own(page, arrays).items():
            if array.size:
                for other in spoilt(array):
                    asked(page, {**arrays, key: other}, tmp_path / "one.likely")


@pytest.mark.parametrize("name", MODELS)
def test_arrays_that_are_swapped(name: str, tmp_path: Path) -> None:
    page, arrays = saved(name)
    keys = list(own(page, arrays))
    for at, one in enumerate(keys):
        for other in keys[max(0, at - 3) : at]:
            asked(page, {**arrays, one: arrays[other], other: arrays[one]}, tmp_path / "one.likely")


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    """All that a page holds, from the outside in."""
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from nodes(part)


def schemas(page: Page) -> Iterator[Page]:
    """The page, each of its schemas changed in each way, the others as they were."""
    text = json.dumps(page)
    many = sum("columns" in node for node in nodes(page["companion"]))
    for at in range(many):
        for change in range(9):
            other = json.loads(text)
            schema = [node for node in nodes(other["companion"]) if "columns" in node][at]
            columns, target = schema["columns"], schema["target"]
            if change == 0:
                columns.pop()
            elif change == 1:
                columns.reverse()
            elif change == 2:
                columns.append({"name": "more", "kind": "real"})
            elif change == 3:
                columns[0]["levels"] = columns[0]["levels"][:-1]
            elif change == 4:
                columns[0]["levels"] = [*columns[0]["levels"], "Zürich"]
            elif change == 5:
                columns[1]["kind"] = "skip"
            elif change == 6:
                columns[1].update(kind="category", levels=["a", "b"])
            elif change == 7:
                target["levels"] = [*target["levels"], "zzz"]
            elif change == 8:
                target["kind"] = "category" if target["kind"] == "real" else "real"
            yield other


@pytest.mark.parametrize("name", MODELS)
def test_another_schema(name: str, tmp_path: Path) -> None:
    page, arrays = saved(name)
    for other in schemas(page):
        asked(other, arrays, tmp_path / "one.likely")


@pytest.mark.parametrize("name", MODELS)
def test_parts_that_are_something_else(name: str, tmp_path: Path) -> None:
    page, arrays = saved(name)
    text = json.dumps(page["companion"])
    for at in range(sum(1 for _ in nodes(page["companion"]))):
        for value in (None, -1):
            other = json.loads(text)
            node = list(nodes(other))[at]
            for key in list(node):
                before, node[key] = node[key], value
                asked({**page, "companion": other}, arrays, tmp_path / "one.likely")
                node[key] = before


def test_a_node_has_one_parent(tmp_path: Path) -> None:
    """Branches that meet again are walked more often than there are nodes: stacks would run over, or for ever."""
    page, arrays = saved("tree")
    tree, many = page["companion"]["of"]["tree"]["of"], 400
    inner = many - 2
    made = {
        "column": np.where(np.arange(many) < inner, 1, -1).astype(np.int32),
        "threshold": np.where(np.arange(many) < inner, 40.0, np.nan),
        "first": np.where(np.arange(many) < inner, np.arange(many) + 1, -1).astype(np.int32),
        "children": np.where(np.arange(many) < inner, 2, 0).astype(np.int32),
        "counts": np.ones((many, 3)),
        "gain": np.zeros(many),
        "share": np.full(many, 0.5),
    }
    arrays = {**arrays, **{tree[name]["array"]: array for name, array in made.items()}}
    with pytest.raises(StoreError, match="F404"):
        likely.load(written(page, arrays, tmp_path / "one.likely"))


@pytest.mark.parametrize("name", ["linear", "tree", "steps", "boosted", "logistic"])
def test_a_face_over_another_model(name: str, tmp_path: Path) -> None:
    page, arrays = saved(name)
    for other in ("NaiveBayes", "RegressionTree", "DecisionTree", "Bagging", "LogisticRegression", "LinearRegression"):
        if other != page["face"]["estimator"]:
            face = {**page["face"], "estimator": other, "params": {}}
            with pytest.raises(StoreError, match="F404"):
                likely.load(written({**page, "face": face}, arrays, tmp_path / "one.likely"))
