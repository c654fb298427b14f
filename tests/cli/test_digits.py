"""likely digits on images that are no squares and no digits: the size is in the model, whatever the model is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from likely.digits import Images, write_images, write_labels
from tests.cli.conftest import Command

HEIGHT, WIDTH = 7, 6


@pytest.fixture
def faces(tmp_path: Path) -> Path:
    """Ink above or below, with a little noise: files of images and of labels, two classes."""
    rng = np.random.default_rng(0)
    labels = np.arange(40) % 2
    above = (np.arange(HEIGHT * WIDTH) < HEIGHT * WIDTH // 2)[None] == labels[:, None].astype(bool)
    bits = rng.random(above.shape) < np.where(above, 0.8, 0.1)
    write_images(tmp_path / "images.txt", Images(bits.astype(np.uint8), HEIGHT, WIDTH))
    write_labels(tmp_path / "labels.txt", labels)
    return tmp_path


@pytest.mark.parametrize("model", ["naive", "tan", "aode", "logistic", "tree"])
def test_the_size_is_said_once(faces: Path, likely_says: Command, model: str) -> None:
    files = (faces / "images.txt", faces / "labels.txt")
    size = f"{HEIGHT}x{WIDTH}"
    trained = likely_says(
        "digits", "train", *files, "-o", faces / "m.likely", "--size", size, "--model", model, "--json"
    )
    assert trained.exit == 0, trained.err
    assert (trained.document["height"], trained.document["width"]) == (HEIGHT, WIDTH)
    judged = likely_says("digits", "evaluate", faces / "m.likely", *files, "-o", faces / "pictures", "--json")
    assert judged.exit == 0, judged.err
    assert judged.document["accuracy"] > 0.9
    assert all(Path(place).stat().st_size for place in judged.document["pictures"])
    told = likely_says("digits", "predict", faces / "m.likely", files[0], "--proba", "--json")
    assert told.exit == 0, told.err
    for one in told.document["digits"]:
        assert sum(one["probabilities"].values()) == pytest.approx(1.0)
        assert one["probabilities"][str(one["digit"])] == one["probability"] == max(one["probabilities"].values())
    drawn = likely_says("digits", "sample", faces / "m.likely", "-n", 2, "--json")
    if model in ("logistic", "tree"):
        assert drawn.exit == 3
        assert "D419" in drawn.err
    else:
        assert drawn.document["labels"] == [0, 0, 1, 1]
        assert np.shape(drawn.document["images"]) == (4, HEIGHT * WIDTH)


def test_generated_images_as_a_picture(faces: Path, likely_says: Command) -> None:
    files = (faces / "images.txt", faces / "labels.txt")
    assert likely_says("digits", "train", *files, "-o", faces / "m.likely", "--size", f"{HEIGHT}x{WIDTH}").exit == 0
    drawn = likely_says("digits", "sample", faces / "m.likely", "-n", 3, "-o", faces / "drawn.png")
    assert drawn.exit == 0
    assert (faces / "drawn.png").stat().st_size
    assert likely_says("digits", "sample", faces / "m.likely").out.count("\n") >= HEIGHT // 2


def test_a_model_of_amounts_knows_no_digits(faces: Path, likely_says: Command) -> None:
    words = ("digits", "train", faces / "images.txt", faces / "labels.txt", "-o", faces / "m.likely")
    said = likely_says(*words, "--size", f"{HEIGHT}x{WIDTH}", "--model", "linear")
    assert said.err.startswith("[U134]")
    said = likely_says(*words, "--size", f"{HEIGHT}x{WIDTH}", "--model", "tna")
    assert "'tan'" in said.err
