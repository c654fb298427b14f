"""The laws of families under every estimate, treatment of missing values, kernel and bag."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from likely import checks
from likely.checks.runner import FAMILY_LAWS
from likely.core.schema import BAG_MODELS, KERNEL_NAMES, KINDS, Parzen, Text
from likely.families.predictor import ESTIMATES, Setting

PHASES = set(Phase) - {Phase.explain}  # explaining a failure takes minutes

# `cv` is no part of it: leaving a row out keeps its bandwidths, as ParzenWindow says.
FORMS = {
    "parzen": [Parzen(kernel, width) for kernel in KERNEL_NAMES for width in ("silverman", "scott", 0.7)],
    "text": [Text(bag) for bag in BAG_MODELS],
}
weights = st.sampled_from([None, (1, 2, 1), (0.5, 1.5, 0.1)])


@pytest.mark.parametrize("often", [1, pytest.param(4, marks=pytest.mark.slow)], ids=["few", "many"])
@pytest.mark.parametrize("estimate", ESTIMATES)
@pytest.mark.parametrize("law", FAMILY_LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("name", checks.families())
def test_families(name: str, law: Callable[..., None], estimate: str, often: int) -> None:
    family = checks.families()[name]
    slow = law in (checks.check_without_is_refit, checks.check_predictive_is_a_distribution)
    modes = ["ignore"] if law is checks.check_missing_says_nothing else ["ignore", "informative"]

    @settings(max_examples=often * (3 if slow else 6), deadline=None, derandomize=True, phases=PHASES)
    @given(
        st.integers(0, 10**6),
        st.integers(3, 14),
        st.sampled_from([0.0, 0.3]),
        st.sampled_from([0.0, 0.5, 1.0]),
        st.data(),
    )
    def holds(seed: int, rows: int, gone: float, smoothing: float, data: st.DataObject) -> None:
        table = checks.table(seed, rows, [kind for kind in family.kinds if kind in KINDS], gone)
        kinds = {name: data.draw(st.sampled_from(FORMS.get(kind, [kind]))) for name, kind in table.kinds.items()}
        share = data.draw(weights)
        if law is checks.check_predictive_is_a_distribution and smoothing == 0.0:
            share = None  # tenths of rows leave hardly a degree of freedom: no sum comes to the end of such tails
        encoded = replace(table, kinds=kinds).weighed(None if share is None else np.resize(share, rows)).encoded()
        law(family, encoded, Setting(estimate, smoothing, data.draw(st.sampled_from(modes))))

    holds()
