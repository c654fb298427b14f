"""The picture of boosting and bagging as the rounds grow."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from likely.companions.ensembles.rounds import Rounds
from likely.errors import OptionError
from likely.estimators.companions.adaboost import AdaBoost
from likely.estimators.companions.bagging import Bagging
from likely.plots.curves.rounds import rounds

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 3))
Y = (X[:, 0] + X[:, 1] ** 2 + RNG.normal(size=120) > 0.7).astype(int)
BOOSTED = AdaBoost(n_estimators=12).fit(X[:80], Y[:80])
BAGGED = Bagging(n_estimators=10, random_state=0).fit(X[:80], Y[:80])


def labels(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.axes[0].get_legend().get_texts()]


def drawn(figure: Figure, label: str) -> np.ndarray:
    (line,) = [line for line in figure.axes[0].get_lines() if line.get_label() == label]
    return np.asarray(line.get_ydata(), dtype=float)


def test_one_model_shows_all_that_its_rounds_tell() -> None:
    figure = rounds(BOOSTED, X[80:], Y[80:])
    np.testing.assert_array_equal(drawn(figure, "rows learnt from"), BOOSTED.rounds_.training)
    held = [(stage != Y[80:]).mean() for stage in BOOSTED.staged_predict(X[80:])]
    np.testing.assert_allclose(drawn(figure, "rows held out"), held)
    bound = drawn(figure, "bound on rows learnt from")
    assert np.nanmax(bound) < 1
    assert "each round's learner, as weighted" in labels(figure)
    assert figure.axes[0].get_xlabel() == "rounds"
    assert "12 rounds" in figure.axes[0].texts[0].get_text()


def test_several_models_are_told_apart_by_name() -> None:
    figure = rounds({"提升": BOOSTED, "装袋": BAGGED}, X[80:], Y[80:])
    assert "提升: rows held out" in labels(figure)
    assert "装袋: rows out of the bag" in labels(figure)
    assert figure.axes[0].get_title() == "AdaBoost and Bagging as the rounds grow"
    twin = AdaBoost(n_estimators=3).fit(X, Y)
    assert labels(rounds([BOOSTED, twin]))[0].startswith("AdaBoost n_estimators=12: ")
    assert labels(rounds([BOOSTED.rounds_, twin.rounds_]))[0].startswith("AdaBoost 1: ")
    assert labels(rounds([BOOSTED, BAGGED]))[0].startswith("AdaBoost: ")


def test_a_table_draws_itself_without_rows() -> None:
    figure = BAGGED.rounds_.plot()
    assert labels(figure) == ["rows out of the bag", "rows learnt from"]
    shared = Figure()
    ax = shared.add_subplot()
    assert rounds([BOOSTED.rounds_, BAGGED.rounds_], ax=ax) is shared
    rounds(Rounds("AdaBoost", "nothing", training=np.array([]), bound=np.array([])))
    rounds(Rounds("AdaBoost", "one", error=np.array([0.0]), training=np.array([0.0]), bound=np.array([0.0])))


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(OptionError, match="O374"):
        rounds(3)
    with pytest.raises(OptionError, match="O648"):
        rounds([])
    with pytest.raises(OptionError, match="O649"):
        rounds(BOOSTED, X)
    with pytest.raises(OptionError, match="O649"):
        rounds(BOOSTED.rounds_, X, Y)


def test_a_long_table_is_cut_in_the_middle() -> None:
    many = np.linspace(0.5, 0.1, 40)
    lines = repr(Rounds("Bagging", "40 members", training=many, out_of_bag=many)).splitlines()
    assert lines[0].split() == ["round", "training", "error", "out-of-bag", "error"]
    assert lines[-1] == "40 members"
    assert "..." in lines[13]
    assert Rounds("Bagging", "", training=many).to_dict()["training"][0] == 0.5
