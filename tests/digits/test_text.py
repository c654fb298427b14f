"""The text format of digits: what is written is read back, and what does not fit is named by line."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from likely.digits import Images, read_images, read_labels, write_images, write_labels
from likely.errors import DataError, StoreError

ONE_FOLDER = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])


@st.composite
def some_images(draw: st.DrawFn, darkest: int | None = None) -> Images:
    count, height, width = draw(st.tuples(*[st.integers(1, 6)] * 3))
    top = darkest or draw(st.integers(1, 255))
    levels = hnp.arrays(np.uint8, (count, height * width), elements=st.integers(0, top))
    return Images(draw(levels), height, width, top)


def refused(code: str, text: bytes, path: Path, height: int = 2, width: int = 3) -> DataError:
    path.write_bytes(text)
    with pytest.raises(DataError) as caught:
        read_images(path, height, width)
    assert caught.value.code == code
    assert str(path) in caught.value.place
    assert caught.value.hint
    return caught.value


@ONE_FOLDER
@given(some_images(darkest=2))
def test_what_is_written_is_read_back(tmp_path: Path, images: Images) -> None:
    write_images(tmp_path / "images", images)
    again = read_images(tmp_path / "images", images.height, images.width)
    np.testing.assert_array_equal(again.pixels, images.pixels)
    assert (again.height, again.width, again.darkest) == (images.height, images.width, 2)


@ONE_FOLDER
@given(some_images())
def test_bits_of_any_grey_levels_survive_as_text(tmp_path: Path, images: Images) -> None:
    write_images(tmp_path / "images", images)
    np.testing.assert_array_equal(
        read_images(tmp_path / "images", images.height, images.width).bits, images.pixels >= images.darkest / 2
    )


@ONE_FOLDER
@given(some_images(darkest=2), st.sampled_from(["\n", "\r\n"]), st.integers(0, 3), st.booleans())
def test_line_ends_of_any_system(tmp_path: Path, images: Images, end: str, empty: int, mark: bool) -> None:
    lines = ["".join(" +#"[level] for level in line) for line in images.pixels.reshape(-1, images.width)]
    text = ("\ufeff" if mark else "") + end.join(lines) + empty * end
    (tmp_path / "images").write_bytes(text.encode())
    again = read_images(tmp_path / "images", images.height, images.width)
    np.testing.assert_array_equal(again.pixels, images.pixels)


@ONE_FOLDER
@given(st.lists(st.integers(0, 9), min_size=1))
def test_labels_are_read_back(tmp_path: Path, labels: list[int]) -> None:
    write_labels(tmp_path / "labels", labels)
    assert read_labels(tmp_path / "labels").tolist() == labels


@ONE_FOLDER
@given(st.binary(max_size=60))
def test_rubbish_is_read_or_refused_by_name(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "rubbish").write_bytes(data)
    for read in (read_labels, lambda path: read_images(path, 1, 2)):
        with contextlib.suppress(DataError):  # nothing else may be raised
            assert len(read(tmp_path / "rubbish")) > 0


def test_a_short_line_says_its_number_its_length_and_the_expected_one(tmp_path: Path) -> None:
    error = refused("D405", b" + \n##\n   \n   \n", tmp_path / "f")
    assert "a line of 2 characters, expected 3" in error.message
    assert error.place.endswith("line 2")
    assert "editor" in error.hint


def test_a_long_line(tmp_path: Path) -> None:
    error = refused("D405", b" + \n ## \n", tmp_path / "f")
    assert "a line of 4 characters, expected 3" in error.message
    assert "editor" not in error.hint


def test_an_empty_line_within_the_file_is_a_short_line(tmp_path: Path) -> None:
    assert refused("D405", b" + \n ##\n\n + \n ##\n", tmp_path / "f").place.endswith("line 3")


@pytest.mark.parametrize(
    ("text", "shown", "place"),
    [
        (b" + \n #x\n", "'x'", "line 2, column 3"),
        (b"\t+ \n ##\n", r"'\t'", "line 1, column 1"),
        (" +·\n ##\n".encode(), "'·'", "line 1, column 3"),
        (b" + \r ##\r", r"'\r'", "line 1, column 4"),
        (b" + \n \xff#\n", "\ufffd", "line 2, column 2"),
    ],
)
def test_an_odd_character_is_shown_with_its_line_and_column(
    tmp_path: Path, text: bytes, shown: str, place: str
) -> None:
    error = refused("D404", text, tmp_path / "f")
    assert shown in error.message
    assert error.place.endswith(place)


def test_lines_that_are_no_whole_images(tmp_path: Path) -> None:
    error = refused("D406", b" + \n ##\n # \n", tmp_path / "f")
    assert "3 lines are 1 images and 1 lines" in error.message
    assert error.place.endswith("line 3")


@pytest.mark.parametrize("text", [b"", b"\n", b"\r\n\r\n"])
def test_an_empty_file(tmp_path: Path, text: bytes) -> None:
    refused("D402", text, tmp_path / "f")
    with pytest.raises(DataError, match="D402"):
        read_labels(tmp_path / "f")


@pytest.mark.parametrize(
    ("data", "reader"),
    [
        (b"\x89PNG\r\n\x1a\n....", "read_pictures"),
        (b"P5 2 2 255 ....", "read_pictures"),
        (b"\x1f\x8b\x08\x00...", "read_idx_images"),
        (b"\0\0\x08\x03....", "read_idx_images"),
        (" + ".encode("utf-16"), "UTF-8"),
    ],
)
def test_other_files_are_recognised(tmp_path: Path, data: bytes, reader: str) -> None:
    assert reader in refused("D403", data, tmp_path / "f").hint


@pytest.mark.parametrize("label", ["x", "10", "-1", "1.0", "", "3 4", "５"])
def test_a_label_that_is_no_digit(tmp_path: Path, label: str) -> None:
    (tmp_path / "labels").write_text(f"1\n{label}\n2\n", encoding="utf-8")
    with pytest.raises(DataError, match="D407") as caught:
        read_labels(tmp_path / "labels")
    assert caught.value.place.endswith("line 2")
    assert repr(label) in caught.value.message


@pytest.mark.parametrize("labels", [[1, 10], [-1], ["a"], [1.5], [[1]], [True]])
def test_labels_that_cannot_be_written(tmp_path: Path, labels: list[object]) -> None:
    with pytest.raises(DataError, match=r"D40[78]"):
        write_labels(tmp_path / "labels", labels)
    assert not (tmp_path / "labels").exists()


def test_a_file_that_is_not_there_and_one_like_it(tmp_path: Path) -> None:
    (tmp_path / "testimages").write_text(" ")
    with pytest.raises(DataError, match=r"D401(.|\n)*Did you mean 'testimages'"):
        read_images(tmp_path / "testimage")
    with pytest.raises(DataError, match="D401"):
        read_labels(tmp_path / "nowhere" / "labels")
    with pytest.raises(DataError, match="D401"):
        read_images(tmp_path)
    with pytest.raises(DataError, match="D401"):
        read_images("a\0b")


@pytest.mark.parametrize(("height", "width"), [(0, 3), (2, -1), (2, 5000), (2.0, 3), ("2", 3)])
def test_sides_that_no_image_has(tmp_path: Path, height: int, width: int) -> None:
    with pytest.raises(DataError, match="D411"):
        read_images(tmp_path / "f", height, width)


def test_a_failed_write_leaves_what_was_there(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    for path in (tmp_path / "taken", tmp_path / "nowhere" / "labels"):
        with pytest.raises(StoreError, match="F401"):
            write_labels(path, [1, 2])
    assert os.listdir(tmp_path) == ["taken"]
    assert os.listdir(tmp_path / "taken") == []
