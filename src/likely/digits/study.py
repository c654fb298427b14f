"""How well a model knows digits: by digit, what it takes for what, and which images look most and least like theirs."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

import numpy as np

from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.digits.images import Images, check_labels
from likely.digits.maps import check_pixels, shape_of
from likely.errors import DataError
from likely.evaluation.curves.confusion import Confusion, confusion
from likely.output.draw import draw
from likely.output.frames import FrameResult
from likely.output.jsonable import to_jsonable


@dataclass(frozen=True)
class Score:
    """How many images of a digit were right.

    >>> Score(digit=4, right=3, total=4).accuracy
    0.75
    """

    digit: int
    right: int
    total: int

    @property
    def accuracy(self) -> float:
        return self.right / self.total


@dataclass(frozen=True)
class Pair:
    """How many images of a digit were taken for another, and their share of all images of the digit.

    >>> import likely
    >>> images = likely.digits.Images([[1, 0], [1, 0], [0, 1], [1, 1]], height=1, width=2)
    >>> model = likely.digits.train(likely.NaiveBayes(kinds="binary"), images[:3], [4, 4, 9])
    >>> likely.digits.evaluate(model, images, [4, 9, 9, 9]).pairs
    (Pair(digit=9, taken_for=4, images=2, share=0.6666666666666666),)
    """

    digit: int
    taken_for: int
    images: int
    share: float


@dataclass(frozen=True)
class Typical:
    """The images (their rows) most and least like their digit, and log P(digit) + log P(image | digit) of each.

    >>> import likely
    >>> images = likely.digits.Images([[1, 0], [1, 0], [0, 1], [1, 1]], height=1, width=2)
    >>> model = likely.digits.train(likely.NaiveBayes(kinds="binary"), images[:3], [4, 4, 9])
    >>> found = likely.digits.typical(model, images, [4, 4, 9, 4])[0]
    >>> found.digit, found.most, found.least
    (4, 0, 3)
    """

    digit: int
    most: int
    least: int
    highest: float
    lowest: float


@dataclass(frozen=True)
class Study(FrameResult):
    """What `evaluate` found; `typical` is empty for a model that has no probabilities of images.

    >>> import likely
    >>> images = likely.digits.Images([[1, 0], [1, 0], [0, 1], [1, 1]], height=1, width=2)
    >>> model = likely.digits.train(likely.NaiveBayes(kinds="binary"), images[:3], [4, 4, 9])
    >>> print(likely.digits.evaluate(model, images, [4, 9, 9, 9]))
    2/4 right: 50.0%
    <BLANKLINE>
    digit  right     of  share
        4      1      1  100.0%
        9      1      3  33.3%
    <BLANKLINE>
    most often taken: 9 for 4 (66.7%)
    """

    _frame_of: ClassVar[str] = "digits"

    confusion: Confusion
    typical: tuple[Typical, ...]
    images: Images = field(repr=False)

    @property
    def right(self) -> int:
        return int(np.trace(self.confusion.matrix))

    @property
    def total(self) -> int:
        return len(self.images)

    @property
    def accuracy(self) -> float:
        return self.right / self.total

    @cached_property
    def digits(self) -> tuple[Score, ...]:
        """The scores of the digits, of those that have images."""
        rows = zip(
            self.confusion.classes, np.diag(self.confusion.matrix), self.confusion.matrix.sum(axis=1), strict=True
        )
        return tuple(Score(int(digit), int(right), int(total)) for digit, right, total in rows if total)

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Which digit is taken for which other, the largest share of a digit's images first."""
        matrix, names = self.confusion.matrix, self.confusion.classes
        found = [
            Pair(int(names[row]), int(names[at]), int(matrix[row, at]), float(matrix[row, at] / matrix[row].sum()))
            for row, at in np.argwhere(matrix > 0)
            if row != at
        ]
        return tuple(sorted(found, key=lambda pair: (-pair.share, -pair.images)))

    def to_dict(self) -> dict[str, Any]:
        """The study as plain lists and numbers.

        >>> import likely
        >>> images = likely.digits.Images([[1, 0], [1, 0], [0, 1], [1, 1]], height=1, width=2)
        >>> model = likely.digits.train(likely.NaiveBayes(kinds="binary"), images[:3], [4, 4, 9])
        >>> likely.digits.evaluate(model, images, [4, 9, 9, 9]).to_dict()["pairs"]
        [{'digit': 9, 'taken_for': 4, 'images': 2, 'share': 0.6666666666666666}]
        """
        return {
            "right": self.right,
            "total": self.total,
            "accuracy": self.accuracy,
            "digits": [asdict(score) | {"accuracy": score.accuracy} for score in self.digits],
            "confusion": self.confusion.to_dict(),
            "pairs": to_jsonable(self.pairs),
            "typical": to_jsonable(self.typical),
        }

    def plot(self, **options: Any) -> Any:
        """A figure of the confusion matrix.

        >>> import likely
        >>> images = likely.digits.Images([[1, 0], [1, 0], [0, 1], [1, 1]], height=1, width=2)
        >>> model = likely.digits.train(likely.NaiveBayes(kinds="binary"), images[:3], [4, 4, 9])
        >>> figure = likely.digits.evaluate(model, images, [4, 9, 9, 9]).plot()
        >>> figure.axes[0].get_xlabel()
        'predicted class'
        """
        return self.confusion.plot(**options)

    def plot_typical(self, **options: Any) -> Any:
        """A figure of the most typical image of each class, and below it the least typical one.

        >>> import likely
        >>> images = likely.digits.Images([[1, 0], [1, 0], [0, 1], [1, 1]], height=1, width=2)
        >>> model = likely.digits.train(likely.NaiveBayes(kinds="binary"), images[:3], [4, 4, 9])
        >>> figure = likely.digits.evaluate(model, images, [4, 9, 9, 9]).plot_typical()
        >>> [axes.get_title() for axes in figure.axes]
        ['4, most', '9, most', '4, least', '9, least']
        """
        rows = [one.most for one in self.typical] + [one.least for one in self.typical]
        labels = [f"{one.digit}, most" for one in self.typical] + [f"{one.digit}, least" for one in self.typical]
        said = {"title": "The most and the least typical image of each class"} | options
        return draw("images", self.images[rows].grid, labels=labels, columns=len(self.typical), **said)

    def __str__(self) -> str:
        lines = [f"{self.right}/{self.total} right: {self.accuracy:.1%}", "", "digit  right     of  share"]
        lines += [f"{one.digit:>5}  {one.right:>5}  {one.total:>5}  {one.accuracy:>5.1%}" for one in self.digits]
        worst = [f"{pair.digit} for {pair.taken_for} ({pair.share:.1%})" for pair in self.pairs[:4]]
        return "\n".join([*lines, *(["", f"most often taken: {', '.join(worst)}"] if worst else [])])


def train(model: Any, images: Images, labels: Any) -> Any:
    """The model itself, fitted to the bits of the images; it keeps their height and width, in its file too.

    >>> import likely
    >>> training, test = likely.digits.bundled()
    >>> model = train(likely.NaiveBayes(kinds="binary", priors="empirical"), *training)
    >>> model.predict(test[0].bits[:5]).tolist(), test[1][:5].tolist()
    ([7, 7, 7, 5, 1], [7, 7, 3, 5, 1])
    """
    fitted = model.fit(images.bits, check_labels(labels, len(images)))
    fitted.image_shape_ = (int(images.height), int(images.width))
    return fitted


def generate(model: Any, each: int = 5, seed: Any = 0) -> tuple[Images, Array]:
    """So many images of each class, drawn from what a fitted model believes of them; and (images,) their labels.

    >>> import likely
    >>> training, _ = likely.digits.bundled()
    >>> images, labels = generate(train(likely.NaiveBayes(kinds="binary"), *training), each=2)
    >>> images, labels[:4].tolist()
    (20 images of 8 × 8, [0, 0, 1, 1])
    """
    if not hasattr(model, "sample"):
        hint = "train a model that says how images come about: naive, tan, kdb, aode, ..."
        raise DataError("D419", f"{type(model).__name__} has nothing to draw images from", place="generate", hint=hint)
    if not isinstance(each, int | np.integer) or each < 1:
        raise DataError("D430", f"each is {each!r}", place="generate(each=)", hint="say a whole number from 1 on")
    height, width = shape_of(model)
    rng, drawn, classes = np.random.default_rng(seed), [], model.classes_.tolist()
    for level in classes:
        alone = model.with_priors({other: float(other == level) for other in classes})
        drawn.append(np.asarray(alone.sample(int(each), rng)[0]))
    bits = (np.concatenate(drawn).astype(np.float64) >= 0.5).astype(np.uint8)
    return Images(bits, height, width), np.repeat(model.classes_, each)


def evaluate(model: Any, images: Images, labels: Any) -> Study:
    """What a fitted model makes of labelled images: right ones by digit, confusions, most and least typical images.

    >>> import likely
    >>> images = likely.digits.Images([[1, 0], [1, 0], [0, 1], [1, 1]], height=1, width=2)
    >>> model = likely.digits.train(likely.NaiveBayes(kinds="binary"), images[:3], [4, 4, 9])
    >>> found = evaluate(model, images, [4, 9, 9, 9])
    >>> found.right, found.total, found.accuracy
    (2, 4, 0.5)
    """
    digits = check_labels(labels, len(images))
    check_pixels(model, images)
    if not len(images):
        raise DataError("D402", "there are no images", place="evaluate(images)", hint="give at least one")
    # a digit that the model never saw has a row too, and none of its images can be right
    classes = np.union1d(np.asarray(model.classes_), digits)
    found = confusion(digits, model.predict(images.bits), classes)
    likely_images = typical(model, images, digits) if hasattr(model, "log_likelihood") else ()
    return Study(found, likely_images, images)


def typical(model: Any, images: Images, labels: Any) -> tuple[Typical, ...]:
    """The most and the least typical image of each digit that the model knows.

    Images of a digit are ordered by log P(digit) + log P(image | digit), the number that classification compares. It is
    not divided by P(image): a probability of the digit that is one for hundreds of images could not tell them apart.

    >>> import likely
    >>> images = likely.digits.Images([[1, 0], [1, 0], [0, 1], [1, 1]], height=1, width=2)
    >>> model = likely.digits.train(likely.NaiveBayes(kinds="binary"), images[:3], [4, 4, 9])
    >>> [(one.digit, one.most, one.least) for one in typical(model, images, [4, 4, 9, 4])]
    [(4, 0, 3), (9, 2, 2)]
    """
    digits = check_labels(labels, len(images))
    check_pixels(model, images)
    joint = model.log_likelihood(images.bits) + model.model_.log_prior
    return tuple(
        _extremes(int(digit), np.flatnonzero(digits == digit), joint[:, at])
        for at, digit in enumerate(model.classes_)
        if (digits == digit).any()
    )


def _extremes(digit: int, rows: Array, joint: Floats) -> Typical:
    own = joint[rows]
    most, least = int(rows[own.argmax()]), int(rows[own.argmin()])
    return Typical(digit, most, least, float(joint[most]), float(joint[least]))
