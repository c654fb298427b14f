"""Pictures: whatever way a scan was saved, the ink is the same."""

from __future__ import annotations

import struct
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from PIL import Image

from likely.digits import open_images, read_pictures
from likely.errors import DataError

SEVEN = np.array(
    [[0, 0, 0, 0, 0], [0, 255, 255, 255, 0], [0, 0, 0, 200, 0], [0, 0, 90, 0, 0], [0, 0, 0, 0, 0]], dtype=np.uint8
)


def save(path: Path, grey: np.ndarray, **options: object) -> Path:
    Image.fromarray(grey).save(path, **options)
    return path


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(hnp.arrays(np.uint8, (4, 3)), st.sampled_from(["png", "pgm"]), st.booleans())
def test_grey_levels_come_back(tmp_path: Path, grey: np.ndarray, ending: str, dark: bool) -> None:
    images = read_pictures(save(tmp_path / f"x.{ending}", grey), 4, 3, dark_ink=dark)
    np.testing.assert_array_equal(images.grid[0], 255 - grey if dark else grey)
    assert images.darkest == 255


def test_a_pgm_written_by_hand(tmp_path: Path) -> None:
    rows = "\n".join(" ".join(str(15 - level // 17) for level in row) for row in SEVEN)
    (tmp_path / "x.pgm").write_text(f"P2\n# a comment\n5 5\n15\n{rows}\n")
    np.testing.assert_array_equal(read_pictures(tmp_path / "x.pgm", 5, 5).bits[0].reshape(5, 5), SEVEN >= 128)


def test_dark_ink_on_paper_and_light_ink_on_black_are_told_apart(tmp_path: Path) -> None:
    light, dark = save(tmp_path / "light.png", SEVEN), save(tmp_path / "dark.png", 255 - SEVEN)
    np.testing.assert_array_equal(read_pictures([light, dark], 5, 5).grid, [SEVEN, SEVEN])
    np.testing.assert_array_equal(read_pictures([light, dark], 5, 5, dark_ink=True).grid, [255 - SEVEN, SEVEN])


def test_colours_palettes_bits_and_transparency(tmp_path: Path) -> None:
    ink = np.where(SEVEN >= 128, 255, 0).astype(np.uint8)
    paper = 255 - ink
    clear = np.dstack([np.zeros((5, 5, 3), dtype=np.uint8), ink])  # black ink on nothing
    pictures = {
        "rgb": Image.fromarray(np.dstack([paper] * 3)),
        "palette": Image.fromarray(paper).convert("P"),
        "bits": Image.fromarray(paper).convert("1"),
        "clear": Image.fromarray(clear),
        "grey-clear": Image.fromarray(clear).convert("LA"),
        "deep": Image.fromarray(paper.astype(np.uint16) * 257),
    }
    for name, picture in pictures.items():
        picture.save(tmp_path / f"{name}.png")
        np.testing.assert_array_equal(read_pictures(tmp_path / f"{name}.png", 5, 5).grid[0], ink, err_msg=name)
    (tmp_path / "deep.pgm").write_bytes(b"P5 5 5 65535\n" + (paper.astype(">u2") * 257).tobytes())
    np.testing.assert_array_equal(read_pictures(tmp_path / "deep.pgm", 5, 5).grid[0], ink)


def test_a_pattern_gives_its_files_in_the_order_of_their_names(tmp_path: Path) -> None:
    for level in (2, 1, 3):
        save(tmp_path / f"{level}.png", np.full((2, 2), level, dtype=np.uint8))
    images = read_pictures(str(tmp_path / "*.png"), 2, 2, dark_ink=False)
    assert images.pixels[:, 0].tolist() == [1, 2, 3]
    assert open_images(str(tmp_path / "*.png"), 2, 2).pixels.shape == (3, 4)
    save(tmp_path / "[4].png", np.full((2, 2), 4, dtype=np.uint8))
    assert read_pictures(tmp_path / "[4].png", 2, 2, dark_ink=False).pixels[0, 0] == 4


@pytest.mark.parametrize("places", ["*.png", ["*.png", "*.pgm"], []])
def test_a_pattern_without_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, places: object) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DataError, match="D402"):
        read_pictures(places)  # type: ignore[arg-type]


def test_a_picture_of_another_size(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"D416.*3 × 2 \(height × width\), expected 28 × 28"):
        read_pictures(save(tmp_path / "x.png", np.zeros((3, 2), dtype=np.uint8)))


def test_a_huge_picture_is_refused_by_its_header(tmp_path: Path) -> None:
    header = b"IHDR" + struct.pack(">IIBBBBB", 20_000, 5_000, 8, 0, 0, 0, 0)
    chunk = struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))
    (tmp_path / "x.png").write_bytes(b"\x89PNG\r\n\x1a\n" + chunk + struct.pack(">I", 0) + b"IDAT")
    with pytest.raises(DataError, match=r"D416.*5000 × 20000"):
        read_pictures(tmp_path / "x.png")


def test_what_is_no_picture_or_a_damaged_one(tmp_path: Path) -> None:
    whole = save(tmp_path / "whole.png", np.arange(784, dtype=np.uint8).reshape(28, 28)).read_bytes()
    gif = save(tmp_path / "x.gif", np.zeros((28, 28), dtype=np.uint8)).read_bytes()
    for data in (b"", b"rubbish", b"\x89PNG\r\n\x1a\n", whole[: len(whole) // 2], b"P5 28 28 255\nabc", gif):
        (tmp_path / "x.png").write_bytes(data)
        with pytest.raises(DataError, match="D415"):
            read_pictures(tmp_path / "x.png")


def test_a_picture_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="D401"):
        read_pictures(tmp_path / "x.png")


def test_without_pillow_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = save(tmp_path / "x.png", SEVEN)
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(DataError, match=r"D420(.|\n)*pip install pillow"):
        read_pictures(path, 5, 5)
