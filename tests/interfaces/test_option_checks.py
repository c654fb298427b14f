"""Checks of options: what passes comes back as a plain value, all else is an error with code, place and hint."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely.errors import OptionError
from likely.errors.options import choose, is_number, is_whole, number, share, whole

ODD = (None, "1", [1], {}, object(), 1j, np.array([1, 2]), float("nan"), float("inf"), -float("inf"))
LAWS = settings(derandomize=True, deadline=None)


@pytest.mark.parametrize("value", [*ODD, True, np.bool_(True)])
def test_what_is_no_number_is_refused_by_all(value: Any) -> None:
    assert not is_whole(value)
    assert not is_number(value)
    for check in (whole, number, share):
        with pytest.raises(OptionError) as caught:
            check(value, "size", "O641")
        error = caught.value
        assert (error.code, error.place, error.message) == ("O641", "size=", f"size is {value!r}")
        assert error.hint


@LAWS
@given(st.integers(-5, 15), st.integers(-3, 3), st.integers(4, 12), st.sampled_from([int, np.int8, np.int64]))
def test_whole_numbers_pass_from_the_least_to_the_most(value: int, least: int, most: int, kind: Any) -> None:
    if least <= value <= most:
        found = whole(kind(value), "k", "O392", least=least, most=most)
        assert (found, type(found)) == (value, int)
    else:
        with pytest.raises(OptionError, match=f"from {least} to {most}"):
            whole(kind(value), "k", "O392", least=least, most=most)
    with pytest.raises(OptionError, match="O392"):
        whole(float(value), "k", "O392", least=least, most=most)


@LAWS
@given(st.floats(-2, 3), st.booleans(), st.booleans(), st.sampled_from([float, np.float32, np.float64]))
def test_shares_have_the_ends_that_they_are_given(value: float, zero: bool, one: bool, kind: Any) -> None:
    for said in (kind(value), 0, 1, 0.0, np.float32(1)):
        if 0 < said < 1 or (said == 0 and zero) or (said == 1 and one):
            found = share(said, "level", "O116", zero=zero, one=one)
            assert (found, type(found)) == (said, float)
        else:
            with pytest.raises(OptionError, match="O116"):
                share(said, "level", "O116", zero=zero, one=one)


@LAWS
@given(st.one_of(st.floats(-2, 3), st.integers(-2, 3), st.just(10**400)))
def test_numbers_are_from_the_least_on_or_above_it(value: float) -> None:
    for options, fits in (
        ({}, value >= 0),
        ({"above": 0}, value > 0),
        ({"most": 0.5}, 0 <= value <= 0.5),
        ({"above": 0, "most": 0.5}, 0 < value <= 0.5),
    ):
        if fits and value < 1e308:
            assert number(value, "strength", "O606", **options) == value
        else:
            with pytest.raises(OptionError, match="O606"):
                number(value, "strength", "O606", **options)


def test_a_hint_and_a_place_of_ones_own_are_kept() -> None:
    with pytest.raises(OptionError) as caught:
        whole(-1, "n", "O118", hint="say how many", place="sample(n)")
    assert (caught.value.place, caught.value.hint) == ("sample(n)", "say how many")


@pytest.mark.parametrize("value", ["gibs", "", None, 3, ["gibbs"], {"gibbs": 1}, np.array(["gibbs"])])
def test_names_are_chosen_or_the_nearest_is_told(value: Any) -> None:
    assert choose("gibbs", ("exact", "gibbs"), "method", "O467") == "gibbs"
    with pytest.raises(OptionError) as caught:
        choose(value, ("exact", "gibbs"), "method", "O467", what="way")
    assert caught.value.message == f"unknown way {value!r}"
    assert caught.value.hint.startswith("choose one of 'exact', 'gibbs'.")
    assert (value == "gibs" and "Did you mean 'gibbs'?" in caught.value.hint) or not isinstance(value, str) or not value
