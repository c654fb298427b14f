"""MNIST's files: written here byte by byte, read by the package."""

from __future__ import annotations

import gzip
import struct
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from likely.digits import open_digits, open_images, open_labels, read_idx_images, read_idx_labels
from likely.errors import DataError


def idx(values: np.ndarray) -> bytes:
    return bytes((0, 0, 8, values.ndim)) + struct.pack(f">{values.ndim}I", *values.shape) + values.tobytes()


def refused(code: str, data: bytes, path: Path) -> DataError:
    path.write_bytes(data)
    with pytest.raises(DataError) as caught:
        read_idx_images(path)
    assert caught.value.code == code
    return caught.value


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(hnp.arrays(np.uint8, hnp.array_shapes(min_dims=3, max_dims=3, max_side=6)), st.booleans())
def test_images_are_read_plain_and_packed(tmp_path: Path, grid: np.ndarray, packed: bool) -> None:
    path = tmp_path / ("images.gz" if packed else "images")
    path.write_bytes(gzip.compress(idx(grid), mtime=0) if packed else idx(grid))
    images = read_idx_images(path)
    np.testing.assert_array_equal(images.grid, grid)
    np.testing.assert_array_equal(images.bits, (grid >= 128).reshape(len(grid), -1))
    np.testing.assert_array_equal(open_images(path).grid, grid)


def test_labels_and_pairs_of_files(tmp_path: Path) -> None:
    labels = np.array([3, 0, 9], dtype=np.uint8)
    (tmp_path / "labels").write_bytes(gzip.compress(idx(labels), mtime=0))
    (tmp_path / "images").write_bytes(idx(np.zeros((3, 2, 2), dtype=np.uint8)))
    (tmp_path / "text").write_text("3\n0\n")
    assert read_idx_labels(tmp_path / "labels").tolist() == open_labels(tmp_path / "labels").tolist() == [3, 0, 9]
    images, found = open_digits(tmp_path / "images", tmp_path / "labels")
    assert (len(images), found.tolist()) == (3, [3, 0, 9])
    with pytest.raises(DataError, match=r"D408.*3 images and 2 labels"):
        open_digits(tmp_path / "images", tmp_path / "text")


def test_a_label_that_is_no_digit(tmp_path: Path) -> None:
    (tmp_path / "labels").write_bytes(idx(np.array([3, 26], dtype=np.uint8)))
    with pytest.raises(DataError, match=r"D407.*26"):
        read_idx_labels(tmp_path / "labels")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "nothing"),
        (b"\0\0\x08", "00 00 08"),
        (b"\0\0\x0d\x03" + bytes(12), "00 00 0d 03"),
        (b"   +##  ", "20 20 20 2b"),
        (b"\0\0\x08\x03\0\0\0\x01", "within its header"),
        (idx(np.array([1, 2], dtype=np.uint8)), "00 00 08 01"),
        (b"\x1f\x8b\x08\x00rubbish", "damaged"),
        (gzip.compress(idx(np.ones((9, 9, 9), dtype=np.uint8)), mtime=0)[:-20], "damaged"),
    ],
)
def test_what_is_no_file_of_images(tmp_path: Path, data: bytes, told: str) -> None:
    assert told in refused("D413", data, tmp_path / "f").message


def test_a_file_of_labels_is_told_so(tmp_path: Path) -> None:
    assert "it holds labels" in refused("D413", idx(np.array([1], dtype=np.uint8)), tmp_path / "f").hint


def test_cut_off_and_too_long(tmp_path: Path) -> None:
    whole = idx(np.ones((2, 3, 3), dtype=np.uint8))
    assert "only 17 bytes follow" in refused("D414", whole[:-1], tmp_path / "f").message
    assert "more bytes follow" in refused("D414", whole + b"x", tmp_path / "f").message
    assert "only 17 bytes follow" in refused("D414", gzip.compress(whole[:-1], mtime=0), tmp_path / "f").message


def test_sizes_that_cannot_be(tmp_path: Path) -> None:
    head = b"\0\0\x08\x03"
    refused("D402", head + struct.pack(">3I", 0, 28, 28), tmp_path / "f")
    refused("D411", head + struct.pack(">3I", 1, 0, 28), tmp_path / "f")
    refused("D411", head + struct.pack(">3I", 1, 28, 1 << 20), tmp_path / "f")
    refused("D414", head + struct.pack(">3I", 0xFFFFFFFF, 4096, 4096), tmp_path / "f")


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "packed"])
def test_a_file_that_lies_about_its_size_costs_no_memory(tmp_path: Path, pack: object) -> None:
    (tmp_path / "f").write_bytes(pack(b"\0\0\x08\x03" + struct.pack(">3I", 1000, 1000, 1000)))  # type: ignore[operator]
    tracemalloc.start()
    with pytest.raises(DataError, match="D414"):
        read_idx_images(tmp_path / "f")
    assert tracemalloc.get_traced_memory()[1] < 8 << 20
    tracemalloc.stop()


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for read in (read_idx_images, read_idx_labels, open_images, open_labels):
        with pytest.raises(DataError, match="D401"):
            read(tmp_path / "nothing")
        with pytest.raises(DataError, match="D401"):
            read(tmp_path)
