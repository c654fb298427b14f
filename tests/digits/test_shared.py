"""The digits of the source document: read by the package, and its published numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import likely
from likely import digits

FOLDER = Path(__file__).parents[3] / "shared/data/digits"
pytestmark = pytest.mark.skipif(not FOLDER.exists(), reason=f"the shared data are not there: {FOLDER}")

K_ROW = {0.1: 773, 0.5: 770, 1: 771, 2: 766, 5: 758, 10: 755}
PER_DIGIT = [84.4, 96.3, 77.7, 79.0, 76.6, 67.4, 75.8, 72.6, 60.2, 80.0]


def naive(k: float = 1) -> likely.NaiveBayes:
    return likely.NaiveBayes(kinds="binary", priors="empirical", smoothing=k)


@pytest.fixture(scope="module")
def parts() -> dict[str, tuple[digits.Images, np.ndarray]]:
    names = ("training", "validation", "test")
    return {name: digits.open_digits(FOLDER / f"{name}images", FOLDER / f"{name}labels") for name in names}


@pytest.fixture(scope="module")
def model(parts: dict[str, tuple[digits.Images, np.ndarray]]) -> likely.NaiveBayes:
    return digits.train(naive(), *parts["training"])


def test_every_file_is_read_and_written_back_byte_by_byte(
    parts: dict[str, tuple[digits.Images, np.ndarray]], tmp_path: Path
) -> None:
    for name, (images, labels) in parts.items():
        assert len(images) == len(labels) == (5000 if name == "training" else 1000)
        digits.write_images(tmp_path / "images", images)
        digits.write_labels(tmp_path / "labels", labels)
        assert (tmp_path / "images").read_bytes() + b"\n" == (FOLDER / f"{name}images").read_bytes()
        assert (tmp_path / "labels").read_bytes() == (FOLDER / f"{name}labels").read_bytes()


def test_an_image_is_drawn_as_it_stands_in_the_file(parts: dict[str, tuple[digits.Images, np.ndarray]]) -> None:
    lines = (FOLDER / "testimages").read_text().split("\n")[7 * 28 : 8 * 28]
    assert digits.draw(parts["test"][0][7]).split("\n") == [line.rstrip() for line in lines]


def test_the_study_at_k_1(model: likely.NaiveBayes, parts: dict[str, tuple[digits.Images, np.ndarray]]) -> None:
    study = digits.evaluate(model, *parts["test"])
    assert (study.right, study.total) == (771, 1000)
    assert [round(100 * score.accuracy, 1) for score in study.digits] == PER_DIGIT
    assert (study.pairs[0].digit, study.pairs[0].taken_for) == (4, 9)
    assert len(study.typical) == 10


def test_the_sweep(model: likely.NaiveBayes, parts: dict[str, tuple[digits.Images, np.ndarray]]) -> None:
    found = digits.sweep(naive, parts["training"], parts["test"])
    assert dict(zip(found.ks, found.right, strict=True)) == K_ROW
    assert found.total == 1000
    assert found.best == 0.1
    assert digits.sweep_trained(model, parts["test"]) == found
