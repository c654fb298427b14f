"""Model files: nothing is lost on the way, and nothing in a damaged or hostile one does more than fail."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import likely

FRAME = pd.DataFrame({"note": ["a b", "b c", "a"], "port": ["S", "C", "S"], "age": [20.5, None, 41.0]})
KINDS = {"note": "text", "age": "parzen"}


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    likely.NaiveBayes(kinds=KINDS).fit(FRAME, ["no", "yes", "no"]).save(tmp_path / "m.likely")
    return tmp_path / "m.likely"


def rewritten(path: Path, change: Any) -> Path:
    """The file with its entries changed: change(name, bytes) -> bytes, or None to leave one out."""
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in entries.items():
            new = change(name, data)
            if new is not None:
                archive.writestr(name, new)
    return path


def page(**changes: Any) -> Any:
    def change(name: str, data: bytes) -> bytes:
        return json.dumps(json.loads(data) | changes).encode() if name == "model.json" else data

    return change


def array(values: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, values)
    return file.getvalue()


@pytest.mark.parametrize(
    "change",
    [
        page(format="something else"),
        page(version=0),
        page(version="1"),
        page(face=None),
        page(face={"estimator": "NaiveBayes", "params": {"unknown": 1}, "dtype": "U", "names": []}),
        page(setting={"estimate": "bayes", "colour": "red"}),
        page(answers=[]),
        lambda name, data: None if name == "0.npy" else data,
        lambda name, data: array(np.zeros((1, 1))) if name.endswith(".npy") else data,
        lambda name, data: array(np.full((2, 4), np.nan)) if name == "1.npy" else data,
        lambda name, data: array(np.array([[object()]])) if name == "1.npy" else data,
        lambda name, data: (
            b"\x93NUMPY\x01\x00" + data[8:].replace(b"(2,", b"(35184372088832,") if name == "0.npy" else data
        ),
        lambda name, data: b"[" * 100_000 if name == "model.json" else data,
    ],
)
def test_damaged_files_are_refused(saved: Path, change: Any) -> None:
    with pytest.raises(likely.LikelyError, match=r"F40[46]"):
        likely.load(rewritten(saved, change))


def test_any_byte_may_be_wrong(saved: Path) -> None:
    whole = saved.read_bytes()
    model = likely.load(saved)
    for at in range(0, len(whole), 23):
        saved.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        try:
            again = likely.load(saved)
        except likely.LikelyError:
            continue
        assert again.predict_proba(FRAME).shape == model.predict_proba(FRAME).shape


def test_a_newer_version_asks_for_an_upgrade(saved: Path) -> None:
    with pytest.raises(likely.LikelyError, match="upgrade"):
        likely.load(rewritten(saved, page(version=99)))


def test_what_is_still_open_stays_open(tmp_path: Path) -> None:
    """A column of zeros may turn out to be binary, also after a rest in a file."""
    likely.NaiveBayes().fit([[0], [0]], ["a", "b"]).save(tmp_path / "m.likely")
    again = likely.load(tmp_path / "m.likely").partial_fit([[0], [1]], ["a", "b"])
    assert again.model_.schema.columns[0].kind == "binary"


def test_options_of_numpy_types_are_saved(tmp_path: Path) -> None:
    kinds = likely.Parzen(bandwidth=np.float32(0.5))
    likely.NaiveBayes(kinds=kinds, smoothing=np.float64(2)).fit([[1.5], [2.5]], [0, 1]).save(tmp_path / "m.likely")
    assert likely.load(tmp_path / "m.likely").kinds.bandwidth == 0.5


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "m.likely")
    likely.NaiveBayes().fit([[1.5], [2.5]], [0, 1]).save(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert likely.load(tmp_path / "m.likely").classes_.tolist() == [0, 1]
