"""Tables are read, checked and shown; a noisy-or is what its causes do by themselves."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely.errors import LikelyError, OptionError
from likely.networks.tables.table import NoisyOr, ProbabilityTable, check_rows
from likely.output.display_width import display_width


def normalised(*shape, seed=0):
    values = np.random.default_rng(seed).random(shape)
    return values / values.sum(axis=-1, keepdims=True)


def table(values, levels=("yes", "no")):
    return ProbabilityTable("x", levels, ("p",), (("a", "b"),), values)


WET = ProbabilityTable("wet", ("yes", "no"), ("rain", "hose"), (("yes", "no"), (0, 1)), normalised(2, 2, 2))


def test_rows_are_found_by_the_levels_of_the_parents():
    assert list(WET["yes", 1].values()) == WET.values[0, 1].tolist()
    assert WET["no", "0"] == WET["no", 0.0] == dict(zip(("yes", "no"), WET.values[1, 0].tolist(), strict=True))
    root = ProbabilityTable("x", ("a", "b"), (), (), [0.25, 0.75])
    assert root[()] == {"a": 0.25, "b": 0.75}
    assert table([[1, 0], [0.5, 0.5]])["b"] == {"yes": 0.5, "no": 0.5}


@pytest.mark.parametrize("given", ["yes", ("yes", 1, 1), ("yess", 1), ("yes", 2), ()])
def test_other_levels_are_refused(given):
    with pytest.raises(OptionError, match="O484"):
        WET[given]


def test_values_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        WET.values[0] = 0


@pytest.mark.parametrize(
    ("values", "code", "said"),
    [
        ([[0.5, 0.4], [1, 0]], "O481", "row p = a"),
        ([[1, 0], [1.2, -0.2]], "O481", "row p = b"),
        ([[np.nan, 1], [1, 0]], "O481", "nan is no probability"),
        ([[np.inf, 0], [1, 0]], "O481", "inf"),
        ([[0, 0], [1, 0]], "O481", "sums to 0"),
        ([0.5, 0.5], "O483", "(2, 2)"),
        ([[0.5, 0.5], [1]], "O483", "no array of numbers"),
        ("words", "O483", "no array of numbers"),
    ],
)
def test_rows_that_are_no_probabilities_are_refused(values, code, said):
    with pytest.raises(LikelyError) as error:
        table(values)
    assert error.value.code == code
    assert said in str(error.value)


def test_levels_are_checked():
    for levels in (("a", "a"), (1, "1"), ()):
        with pytest.raises(OptionError, match="O482"):
            ProbabilityTable("x", levels, (), (), np.ones(len(levels)) / max(len(levels), 1))


def test_rounded_rows_are_scaled_and_that_is_said():
    exact = table([[1 / 3, 2 / 3], [0.1, 0.9]])
    assert exact.notes == ()
    within = table([[0.3, 0.7 + 5e-10], [1, 0]])
    assert within.notes == ()
    assert (within.values.sum(axis=1) == 1.0).all()
    rounded = table([[0.333, 0.666], [1, 0]])
    assert rounded.values.sum(axis=1) == pytest.approx(1, abs=1e-15)
    assert rounded.notes == ("1 of 2 rows of 'x' did not sum to 1 (off by up to 0.001) and were scaled",)
    assert repr(rounded).endswith(rounded.notes[0])
    assert check_rows(np.array([0.3, 0.7003]), "x")[0].sum() == pytest.approx(1, abs=1e-15)


def test_chinese_names_are_aligned():
    melon = ProbabilityTable(
        "好瓜", ("是", "否"), ("纹理", "x"), (("清晰", "稍糊"), ("a", "long")), normalised(2, 2, 2)
    )
    lines = repr(melon).splitlines()
    assert lines[0] == "P(好瓜 | 纹理, x)"
    assert len({display_width(line) for line in lines[1:]}) == 1
    assert len({display_width(line[: line.index("|")]) for line in lines[1:]}) == 1


def test_long_tables_are_cut_short():
    long = ProbabilityTable("x", tuple(range(15)), ("p",), (tuple(range(30)),), normalised(30, 15))
    assert repr(long).splitlines()[-2:] == ["... and 10 more rows", "... and 3 more levels"]
    assert len(repr(long).splitlines()) == 1 + 1 + 20 + 2


def test_html_is_well_formed_and_escaped():
    odd = ProbabilityTable("<b>", ("&", "<i>"), ("p",), (("a", "b"),), normalised(2, 2))
    html, tags = odd._repr_html_(), []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: tags.append(tag)
    parser.handle_endtag = lambda tag: tags.remove(tag)
    parser.feed(html)
    assert not tags
    assert "<i>" not in html
    assert "&lt;b&gt;" in html


def test_as_a_frame_and_as_json():
    frame = WET.frame()
    assert frame.loc[("no", 1), "yes"] == WET["no", 1]["yes"]
    assert frame.index.names == ["rain", "hose"]
    told = json.loads(json.dumps(WET.to_dict()))
    assert told["parents"] == {"rain": ["yes", "no"], "hose": [0, 1]}
    again = ProbabilityTable(
        told["node"], told["levels"], tuple(told["parents"]), tuple(told["parents"].values()), told["values"]
    )
    assert (again.values == WET.values).all()
    assert ProbabilityTable("x", ("a", "b"), (), (), [0.5, 0.5]).frame().shape == (1, 2)


def test_tables_with_zeros():
    assert table([[1, 0], [0, 1]]).has_zeros
    assert "a |   1   0" in repr(table([[1, 0], [0, 1]]))
    assert not WET.has_zeros


@settings(derandomize=True, deadline=None, max_examples=50)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=4), st.floats(0, 1))
def test_a_noisy_or_is_absent_only_if_every_cause_fails(links, leak):
    causes = {f"c{at}": link for at, link in enumerate(links)}
    found = NoisyOr(causes, leak).table("effect")
    for told in product(("no", "yes"), repeat=len(links)):
        fails = 1 - leak
        for link, level in zip(links, told, strict=True):
            fails *= 1 - link if level == "yes" else 1
        assert found[told]["no"] == pytest.approx(fails, abs=1e-12)


def test_a_noisy_or_takes_grades_and_the_levels_of_its_parents():
    graded = NoisyOr({"flu": {"none": 0, "mild": 0.3, "bad": 0.8}, "cold": 0.5}).table("fever")
    assert graded.parent_levels == (("none", "mild", "bad"), ("no", "yes"))
    assert graded["bad", "yes"]["no"] == pytest.approx(0.2 * 0.5)
    turned = NoisyOr({"flu": 0.6}).table("fever", {"flu": ("yes", "no")})
    assert turned["yes"]["yes"] == 0.6
    other = NoisyOr({"flu": {"on": 0.6}}, levels=(0, 1)).table("fever", {"flu": ("off", "on")})
    assert other["on"] == {0: 0.4, 1: 0.6}


@pytest.mark.parametrize(
    "make",
    [
        lambda: NoisyOr({"a": 1.5}),
        lambda: NoisyOr({"a": "x"}),
        lambda: NoisyOr({"a": 0.5}, leak=-1),
        lambda: NoisyOr({"a": 0.5}, levels=("a", "b", "c")),
        lambda: NoisyOr({"a": 0.5}).table("x", {"a": (1, 2, 3)}),
        lambda: NoisyOr({"a": 0.5}).table("x", {"a": ("present", "absent")}),
    ],
)
def test_a_noisy_or_refuses_what_is_no_probability(make):
    with pytest.raises(OptionError, match="O486"):
        make()
