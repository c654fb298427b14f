"""Decision surfaces as geometry: where the best class changes, in one, two or three numbers of a model."""

from likely.core.docstrings import describe_public
from likely.surfaces.error import bayes_error
from likely.surfaces.rows import rows
from likely.surfaces.surface import Piece, Surface, surface

__all__ = ["Piece", "Surface", "bayes_error", "rows", "surface"]

describe_public(__name__)
