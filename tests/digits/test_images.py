"""Images as values: what they hold, what they refuse, and how they are drawn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from likely.digits import Images, draw, draw_small
from likely.errors import DataError


@pytest.mark.parametrize(("darkest", "first_on"), [(1, 1), (2, 1), (16, 8), (255, 128)])
def test_a_pixel_is_on_from_half_of_full_ink_on(darkest: int, first_on: int) -> None:
    levels = np.arange(darkest + 1)[None, :]
    np.testing.assert_array_equal(Images(levels, 1, darkest + 1, darkest).bits[0], np.arange(darkest + 1) >= first_on)


def test_images_cannot_be_changed_and_leave_what_was_given_alone() -> None:
    given_pixels = np.zeros((1, 4), dtype=np.uint8)
    images = Images(given_pixels, 2, 2)
    with pytest.raises(ValueError, match="read-only"):
        images.pixels[0, 0] = 1
    given_pixels[0, 0] = 1  # still the caller's


def test_some_of_the_images() -> None:
    images = Images(np.eye(4, dtype=bool), 2, 2)
    assert images[1].pixels.tolist() == [[0, 1, 0, 0]]
    assert images[-1].pixels.tolist() == [[0, 0, 0, 1]]
    assert images[1:].pixels.tolist() == images[[1, 2, 3]].pixels.tolist()
    assert images[np.array([True, False, False, True])].grid.tolist() == [[[1, 0], [0, 0]], [[0, 0], [0, 1]]]
    assert [image.pixels.argmax() for image in images] == [0, 1, 2, 3]
    assert (repr(images[2]), repr(images)) == ("1 image of 2 × 2", "4 images of 2 × 2")


@pytest.mark.parametrize("row", [4, -5, [0, 9]])
def test_an_image_that_is_not_there(row: object) -> None:
    with pytest.raises(DataError, match=r"D412(.|\n)*from 0 to 3"):
        Images(np.eye(4, dtype=bool), 2, 2)[row]
    with pytest.raises(DataError, match="not a single one"):
        Images(np.zeros((0, 4), dtype=bool), 2, 2)[row]


@pytest.mark.parametrize(
    ("pixels", "darkest"),
    [
        ([[0, 1, 1]], 1),
        ([0, 1, 1, 0], 1),
        ([[[0, 1], [1, 0]]], 1),
        ([[0, 1, 2, 0]], 1),
        ([[0, -1, 1, 0]], 1),
        ([[0.0, 1.0, 0.5, 0.0]], 1),
        ([[0, np.nan, 1, 0]], 1),
        ([["0", "1", "1", "0"]], 1),
        ([[0, 1, 300, 0]], 300),
        ([[0, 0, 0, 0]], 0),
    ],
)
def test_pixels_that_are_no_images(pixels: object, darkest: int) -> None:
    with pytest.raises(DataError, match="D410"):
        Images(pixels, 2, 2, darkest)  # type: ignore[arg-type]


def test_several_images_side_by_side_in_bands() -> None:
    images = Images(np.ones((5, 2), dtype=np.uint8), 1, 2)
    assert draw(images, ink=" #", columns=10) == "##  ##  ##\n\n##  ##"
    assert draw(images, ink=" #", columns=1) == "\n\n".join(["##"] * 5)
    assert draw(images[:0]) == ""


def test_ink_goes_from_paper_to_full() -> None:
    assert draw(Images(np.arange(17)[None], 1, 17, darkest=16), ink="abcd") == "aaabbbbbccccccddd"
    assert draw(Images([[0, 1]], 1, 2), ink="abcd") == "ad"


@given(hnp.arrays(np.uint8, st.tuples(st.just(1), st.integers(1, 60)), elements=st.integers(0, 1)), st.integers(1, 7))
def test_half_blocks_show_every_bit(bits: np.ndarray, width: int) -> None:
    height = bits.shape[1] // width
    if not height:
        return
    grid = bits[0, : height * width].reshape(height, width)
    lines = draw_small(Images(grid.reshape(1, -1), height, width)).split("\n")
    seen = np.zeros((2 * len(lines), width), dtype=int)
    for y, line in enumerate(lines):
        for x, sign in enumerate(line):
            seen[2 * y, x], seen[2 * y + 1, x] = sign in "▀█", sign in "▄█"
    np.testing.assert_array_equal(seen[:height], grid)
    assert not seen[height:].any()
