"""Which family serves which kind; `groups` lays a schema out in families."""

from __future__ import annotations

from collections.abc import Iterator

from likely.core.schema import Schema
from likely.families.binned_numbers import BinnedNumbers
from likely.families.categorical import Categorical
from likely.families.gaussian import Gaussian
from likely.families.parzen import ParzenWindow
from likely.families.poisson import Poisson, PoissonNumbers
from likely.families.predictor import Family
from likely.families.text import BagOfWords
from likely.families.transformed import Transformed

FAMILIES: tuple[Family, ...] = (Categorical(), Gaussian(), Poisson(), ParzenWindow(), BagOfWords())
DESCRIBED: tuple[Family, ...] = (
    Transformed(("log",)),
    Transformed(("zeros",)),
    BinnedNumbers(),
    PoissonNumbers(),
)  # of real columns; Parzen is above


def groups(schema: Schema, density: Family | None = None) -> Iterator[tuple[Family, tuple[int, ...]]]:
    """Each family with the columns it serves; those that are not served together come one at a time.

    A density, where there is one, serves its kinds instead of the usual families.
    """
    usual = [
        family for family in (*FAMILIES, *DESCRIBED) if density is None or not set(family.kinds) & set(density.kinds)
    ]
    for family in [*usual, *([] if density is None else [density])]:
        columns = schema.served(*family.kinds)
        if family.together:
            if columns:
                yield family, columns
        else:
            for at in columns:
                yield family, (at,)
