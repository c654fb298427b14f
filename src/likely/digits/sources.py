"""Digits from any file, and the digits that come with scikit-learn."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from likely.core.numerics import Array
from likely.digits.files import Place, kind_of, read_head
from likely.digits.idx import read_idx_images, read_idx_labels
from likely.digits.images import Images, check_labels
from likely.digits.pictures import find_pictures, read_pictures
from likely.digits.text import read_images, read_labels

Labelled = tuple[Images, Array]  # images, and the label of each
TRAINING_IMAGES = 1200  # of scikit-learn's 1797 digits; the rest are for the test


def open_images(place: Place, height: int = 28, width: int = 28) -> Images:
    """The images of a file: text, MNIST's IDX, or a picture (also a pattern of them), as its first bytes say.

    An IDX file says its height and width itself.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from likely.digits import write_images
    >>> images = Images([[0, 2, 0, 0, 1, 0]], height=2, width=3, darkest=2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_images(Path(folder) / "ones.txt", images)
    ...     open_images(Path(folder) / "ones.txt", height=2, width=3)
    1 image of 2 × 3
    """
    kind = kind_of(read_head(find_pictures(place)[0]))
    if kind == "idx":
        return read_idx_images(place)
    return read_pictures(place, height, width) if kind == "picture" else read_images(place, height, width)


def open_labels(path: Place) -> Array:
    """(labels,): the digits of a file: text or MNIST's IDX, as its first bytes say.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from likely.digits import write_labels
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_labels(Path(folder) / "labels.txt", [3, 7])
    ...     open_labels(Path(folder) / "labels.txt")
    array([3, 7])
    """
    return read_idx_labels(path) if kind_of(read_head(path)) == "idx" else read_labels(path)


def open_digits(images: Place, labels: Place, height: int = 28, width: int = 28) -> Labelled:
    """Images and their labels from two files of any format, as many of one as of the other.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from likely.digits import write_images, write_labels
    >>> images = Images([[0, 2, 0, 0, 1, 0]], height=2, width=3, darkest=2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_images(Path(folder) / "ones.txt", images)
    ...     write_labels(Path(folder) / "labels.txt", [1])
    ...     open_digits(Path(folder) / "ones.txt", Path(folder) / "labels.txt", height=2, width=3)
    (1 image of 2 × 3, array([1]))
    """
    found = open_images(images, height, width)
    return found, check_labels(open_labels(labels), len(found), place=f"{images} and {labels}")


def bundled() -> tuple[Labelled, Labelled]:
    """Training and test part of scikit-learn's 1797 handwritten digits of 8 × 8 pixels, in grey levels up to 16.

    The first 1200 train and the last 597 test, in the order of the data set; a pixel is on from level 8 on.

    >>> (images, labels), test = bundled()
    >>> images, len(labels), test[0]
    (1200 images of 8 × 8, 1200, 597 images of 8 × 8)
    """
    import sklearn

    # as sklearn.datasets.load_digits reads it, which is slow to import
    place = Path(sklearn.__file__).parent / "datasets" / "data" / "digits.csv.gz"
    found = np.loadtxt(place, delimiter=",", dtype=np.uint8)
    images = Images(found[:, :-1], 8, 8, darkest=16)
    labels = check_labels(found[:, -1].astype(np.int64))
    return (images[:TRAINING_IMAGES], labels[:TRAINING_IMAGES]), (images[TRAINING_IMAGES:], labels[TRAINING_IMAGES:])
