"""Model files that are damaged or made to harm are refused, or answer with probabilities; never more than that."""

from __future__ import annotations

import io
import json
import os
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import likely

from .fuzz import NAMES, fuzz, told, tried
from .mutations import PAGE, packed, unpacked
from .specimens import written


@pytest.mark.parametrize("name", NAMES)
def test_a_few_mutations_of_every_model(name: str, tmp_path: Path) -> None:
    first = NAMES.index(name)
    wrong = {}
    for number in range(first, first + 6 * len(NAMES), len(NAMES)):
        result = tried(number, tmp_path / "one.likely")
        if result not in ("refused", "answered"):
            wrong[number] = result
    assert not wrong, told(wrong)


@pytest.mark.slow
def test_ten_thousand_mutations() -> None:
    """In processes that end beyond 2 s of the processor or 512 MB."""
    found = fuzz(range(10_000))
    wrong = {number: result for number, result in found.items() if result not in ("refused", "answered")}
    assert len(found) == 10_000
    assert not wrong, told(wrong)


def spoilt(name: str, place: Path, **changes: Any) -> Path:
    """The file of a model, with parts of its page changed: each where a path of keys leads."""
    members = unpacked(written(name))
    page = json.loads(members[PAGE])
    for path, value in changes.items():
        *way, last = [int(key) if key.isdigit() else key for key in path.split("__")]
        holder = page
        for key in way:
            holder = holder[key]
        holder[last] = value
    place.write_bytes(packed({**members, PAGE: json.dumps(page).encode()}))
    return place


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("naive", {"face__params": []}),  # a list where an object is expected
        ("naive", {"face__params__kinds": {"pairs": 3}}),
        ("naive", {"face__names": 7}),
        ("naive", {"face__dtype": {"a": 1}}),
        ("platt", {"face__recalibration": []}),
        ("platt", {"face__recalibration__maps": []}),
        ("temperature", {"face__recalibration__maps__0__temperature": 0.0}),
        ("isotonic", {"face__recalibration__maps__0__shares": [0.2]}),
        ("kdb", {"setting__backoff": "bayes"}),
        ("naive", {"setting__smoothing": 10**30}),
        ("naive", {"setting__smoothing": -1.0}),
        ("weighed naive", {"priors__0__1": float("nan")}),
        ("weighed naive", {"priors__0__1": -0.2}),
        ("texts", {"schema__columns__2__grid__high": 1e300}),
        ("levels tan", {"schema__columns__2__cuts": [3.0, 2.0]}),
        ("gaussian", {"structure__density__covariance": "round"}),
        ("parzen", {"face__estimator": "GaussianBayes"}),
    ],
)
def test_what_no_model_holds_is_refused(name: str, changes: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(likely.LikelyError, match="F404"):
        likely.load(spoilt(name, tmp_path / "one.likely", **changes))


@pytest.mark.parametrize("shape", ["(1000000000, 4)", "(3, 99999999)", "(0, 99999999999)"])
@pytest.mark.parametrize("name", ["parzen", "regression-tree", "aode"])
def test_a_header_is_held_against_the_bytes_that_there_are(name: str, shape: str, tmp_path: Path) -> None:
    members = unpacked(written(name))
    header, rest = members["0.npy"].split(b"'shape': ", 1)
    head = (b"'shape': " + shape.encode() + b", }").ljust(members["0.npy"].index(b"\n") - len(header)) + b"\n"
    members["0.npy"] = header + head + rest.partition(b"\n")[2]
    (tmp_path / "one.likely").write_bytes(packed(members))
    tracemalloc.start()
    try:
        with pytest.raises(likely.LikelyError, match="F404"):
            likely.load(tmp_path / "one.likely")
        assert tracemalloc.get_traced_memory()[1] < 1 << 25
    finally:
        tracemalloc.stop()


def test_many_levels_are_not_built_before_they_are_counted(tmp_path: Path) -> None:
    X = np.array([[1, 0, 2], [0, 1, 1], [2, 2, 0]])
    likely.NaiveBayes(kinds="text").fit(X, [0, 1, 1]).save(tmp_path / "one.likely")
    members = unpacked((tmp_path / "one.likely").read_bytes())
    page = json.loads(members[PAGE])
    assert page["schema"]["columns"][0]["levels"] == 3
    page["schema"]["columns"][0]["levels"] = 10**11
    (tmp_path / "one.likely").write_bytes(packed({**members, PAGE: json.dumps(page).encode()}))
    with pytest.raises(likely.LikelyError, match="F404"):
        likely.load(tmp_path / "one.likely")


def test_bombs_are_refused_unread(tmp_path: Path) -> None:
    members = unpacked(written("naive"))
    wordy = {**members, PAGE: members[PAGE] + b" " * (8 << 20)}
    for bomb in ({**members, "9.npy": bytes(70 << 20)}, wordy):
        (tmp_path / "one.likely").write_bytes(packed(bomb))
        with pytest.raises(likely.LikelyError, match="F405"):
            likely.load(tmp_path / "one.likely")
    (tmp_path / "one.likely").write_bytes(packed(members, {"0.npy": members["1.npy"]}))
    with pytest.raises(likely.LikelyError, match="two members"):
        likely.load(tmp_path / "one.likely")


def test_places_that_are_no_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    for name in ("", "pipe", "nowhere", "circle", "/dev/zero", "x" * 300, "a\0b"):
        with pytest.raises(likely.LikelyError, match="F403"):
            likely.load(tmp_path / name)


def test_numbers_that_give_no_probability_are_told() -> None:
    model = likely.NaiveBayes().fit([[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"])
    spoilt = model._copy(replace(model.model_, priors=(("a", float("nan")), ("b", 1.0))))
    with pytest.raises(likely.LikelyError, match="M315"):
        spoilt.predict_proba([[1.0]])


def test_branches_share_out_whole_rows(tmp_path: Path) -> None:
    """A row whose value is missing goes down every branch, by shares that are one together."""
    members = unpacked(written("tree"))
    key = json.loads(members[PAGE])["companion"]["of"]["tree"]["of"]["share"]["array"]
    share = np.load(io.BytesIO(members[key]))
    file = io.BytesIO()
    np.save(file, share * 0.9)
    (tmp_path / "one.likely").write_bytes(packed({**members, key: file.getvalue()}))
    with pytest.raises(likely.LikelyError, match="F404"):
        likely.load(tmp_path / "one.likely")
