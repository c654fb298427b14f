"""Handwritten digits: read them, train, tune, and look at what a model makes of them."""

from likely.core.docstrings import describe_public
from likely.digits.characters import draw, draw_small
from likely.digits.idx import read_idx_images, read_idx_labels
from likely.digits.images import Images
from likely.digits.maps import log_odds_map, shape_of
from likely.digits.pictures import read_pictures
from likely.digits.smoothing_sweep import KS, Sweep, sweep, sweep_trained, with_smoothing
from likely.digits.sources import bundled, open_digits, open_images, open_labels
from likely.digits.study import Pair, Score, Study, Typical, evaluate, generate, train, typical
from likely.digits.text import read_images, read_labels, write_images, write_labels

__all__ = [
    "KS",
    "Images",
    "Pair",
    "Score",
    "Study",
    "Sweep",
    "Typical",
    "bundled",
    "draw",
    "draw_small",
    "evaluate",
    "generate",
    "log_odds_map",
    "open_digits",
    "open_images",
    "open_labels",
    "read_idx_images",
    "read_idx_labels",
    "read_images",
    "read_labels",
    "read_pictures",
    "shape_of",
    "sweep",
    "sweep_trained",
    "train",
    "typical",
    "with_smoothing",
    "write_images",
    "write_labels",
]

describe_public(__name__)
