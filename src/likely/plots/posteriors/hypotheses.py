"""Bayes' rule over named hypotheses: what was believed of each before and after the evidence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from likely.beliefs import bayes_rule
from likely.plots.posteriors.predictive import bar_look
from likely.plots.style import Figure, head, label_levels, picture, place
from likely.plots.typeface import short


@picture
def hypotheses(prior: Mapping[Any, float], likelihood: Mapping[Any, float], *, ax: Any = None) -> Figure:
    """Bars of the probability of each hypothesis before and after the evidence, with what the evidence says of each.

    >>> figure = hypotheses({"ill": 0.004, "well": 0.996}, {"ill": 0.8, "well": 0.1})
    >>> figure.axes[0].get_title()
    'ill: 0.4 % before, 3.1 % after the evidence'
    """
    after, whole = bayes_rule(prior, likelihood), sum(map(float, prior.values()))
    before = {name: float(prior[name]) / whole for name in after}
    figure, ax = place(ax, height=1.7 + 0.55 * len(after))
    for at, (when, shares) in enumerate((("before", before), ("after", after))):
        spots = np.arange(len(after)) - 0.2 + 0.4 * at
        ax.barh(spots, list(shares.values()), 0.37, label=when, **bar_look(when))
        for spot, share in zip(spots, shares.values(), strict=True):
            ax.annotate(_percent(share), (share, spot), (3, 0), textcoords="offset points", va="center", fontsize=8)
    label_levels(ax, [f"{name} ({float(likelihood[name]):.3g})" for name in after], room=0.9)
    ax.set(
        xlim=(0, 1.18 * max(*before.values(), *after.values())), xlabel="probability", ylabel="hypothesis (likelihood)"
    )
    ax.legend(loc="lower right", ncols=2)
    most = max(after, key=lambda name: after[name] / before[name] if before[name] else 0.0)
    head(ax, f"{short(most, 40)}: {_percent(before[most])} before, {_percent(after[most])} after the evidence")
    return figure


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %" if share >= 0.001 else f"{100 * share:.2g} %"
