"""Pictures of answers show their numbers: bars, maps and the likeliest combinations."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure

from likely import plots
from likely.errors import LikelyError
from likely.networks.inference.evidence import Fixed
from likely.networks.methods.distribution import Distribution
from likely.plots.graphs.node_cards import percent


def made(*sizes: int, errors: bool = False, seed: int = 0, **options: Any) -> Distribution:
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.ones(int(np.prod(sizes)))).reshape(sizes)
    targets = ("纹理", "a node with a very long name indeed, $5", "c", "d")[: len(sizes)]
    levels = tuple(tuple(f"{'清晰' * (at % 2)}level {at}" for at in range(size)) for size in sizes)
    return Distribution(targets, levels, shares, 0.1 * shares if errors else None, **options)


def words(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


PICTURES = {
    "one": made(3),
    "many": made(45),
    "sampled": made(4, errors=True, method="gibbs"),
    "map": made(4, 3),
    "sampled map": made(2, 16, errors=True, method="weighting"),
    "too large a map": made(17, 3),
    "three": made(4, 3, 5, errors=True, method="gibbs"),
    "one level": made(1),
}


@pytest.mark.parametrize("name", PICTURES)
def test_title_labels_and_given_axes(name: str) -> None:
    before = dict(matplotlib.rcParams)
    own = PICTURES[name].plot()
    own.draw_without_rendering()
    ax = own.axes[0]
    assert ax.get_title().startswith("纹理")
    assert ax.get_xlabel()
    labels = [label.get_window_extent() for label in ax.get_yticklabels()]
    assert not any(one.shrunk(1, 0.8).overlaps(other.shrunk(1, 0.8)) for one, other in combinations(labels, 2))
    assert all(label.x0 >= 0 for label in labels)
    texts = [text.get_window_extent() for text in ax.texts]
    assert not any(one.shrunk(0.98, 0.8).overlaps(other.shrunk(0.98, 0.8)) for one, other in combinations(texts, 2))
    shared = Figure(figsize=(12, 5))
    left, right = shared.subplots(1, 2)
    assert plots.distribution(PICTURES[name], ax=right) is shared
    assert not left.has_data()
    shared.draw_without_rendering()
    assert dict(matplotlib.rcParams) == before


def test_bars_are_the_probabilities_in_the_order_of_the_levels() -> None:
    found = made(5)
    figure = found.plot()
    np.testing.assert_allclose([bar.get_width() for bar in figure.axes[0].patches], found.probabilities)
    assert words(figure) == [percent(share) for share in found.probabilities.tolist()]
    assert figure.axes[0].get_xlabel() == "probability"


def test_whiskers_are_the_errors() -> None:
    found = made(5, errors=True, method="gibbs")
    ax = found.plot().axes[0]
    whiskers = np.array([segment[:, 0] for segment in ax.collections[0].get_segments()])
    assert found.errors is not None
    np.testing.assert_allclose(whiskers[:, 0], found.probabilities - found.errors)
    np.testing.assert_allclose(whiskers[:, 1], found.probabilities + found.errors)
    assert ax.get_xlabel() == "probability, ± one standard error (gibbs)"


def test_whiskers_stay_within_what_can_be() -> None:
    found = Distribution(("a",), (("x", "y"),), np.array([0.99, 0.01]), np.array([0.02, 0.02]), "weighting")
    whiskers = np.array([segment[:, 0] for segment in found.plot().axes[0].collections[0].get_segments()])
    np.testing.assert_allclose(whiskers, [[0.97, 1.0], [0.0, 0.03]])


@pytest.mark.parametrize(("found", "most"), [(made(45), 30), (made(4, 3, 5), 20), (made(17, 3), 20)])
def test_of_many_the_likeliest(found: Distribution, most: int) -> None:
    ax = found.plot().axes[0]
    best = np.sort(found.probabilities, axis=None)[::-1][:most]
    np.testing.assert_allclose([bar.get_width() for bar in ax.patches], best)
    assert f"the likeliest {most} of {len(found)}, together {percent(best.sum())}" in ax.get_xlabel()
    label = ax.get_yticklabels()[0].get_text()
    assert label == (found.most_probable if isinstance(found.most_probable, str) else ", ".join(found.most_probable))


def test_a_map_has_the_first_target_down() -> None:
    found = made(4, 3, errors=True)
    figure = found.plot()
    ax = figure.axes[0]
    np.testing.assert_array_equal(ax.images[0].get_array(), found.probabilities)
    assert found.errors is not None
    assert words(figure)[1].split("\n")[0] == percent(found.probabilities[0, 1])
    assert len(words(figure)) == 12
    assert ax.get_ylabel() == "纹理"
    assert [len(ax.get_yticks()), len(ax.get_xticks())] == [4, 3]


def test_the_title_tells_what_is_known() -> None:
    known = {"a": "yes", "b": ["x", "y"], "c": {"x": 0.2}, "d": Fixed({"x": 1.0}), "e": 3}
    assert made(2, evidence=known).plot().axes[0].get_title() == (
        "纹理 given a = yes, b = x or y, c (likelihood), d (fixed), e = 3"
    )
    many = {f"n{at}": "yes" for at in range(9)}
    assert made(2, evidence=many).plot().axes[0].get_title().endswith("n3 = yes, 5 more findings")


def test_what_sampling_could_not_tell() -> None:
    found = Distribution(("a",), (("x", "y"),), np.array([np.nan, np.nan]), np.array([np.nan, np.nan]), "weighting")
    figure = found.plot()
    figure.draw_without_rendering()
    assert words(figure) == ["not known", "not known"]


def test_something_else_is_refused() -> None:
    with pytest.raises(LikelyError, match="O374"):
        plots.distribution({"yes": 0.5})
