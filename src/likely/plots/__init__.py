"""Pictures: plain functions from results to matplotlib figures; nothing is global and no window opens."""

from typing import TYPE_CHECKING

from likely.core.deprecated import old_names
from likely.core.docstrings import describe_public
from likely.plots.boundaries.decision_surface import decision_surface
from likely.plots.boundaries.interactive import interactive_surface
from likely.plots.curves.calibration import calibration
from likely.plots.curves.comparison import comparison
from likely.plots.curves.confusion import confusion
from likely.plots.curves.critical_difference import critical_difference
from likely.plots.curves.gradient_descent import descent
from likely.plots.curves.leaderboard import leaderboard
from likely.plots.curves.learning_curve import learning_curve
from likely.plots.curves.precision_recall import precision_recall
from likely.plots.curves.report import evaluation
from likely.plots.curves.residuals import residuals
from likely.plots.curves.risk import diagnosis, structural_risk
from likely.plots.curves.roc import roc
from likely.plots.curves.rounds import rounds
from likely.plots.fitted_model import fitted_model
from likely.plots.graphs.arcs import arc_strength, structure_comparison
from likely.plots.graphs.distribution import distribution
from likely.plots.graphs.network import network
from likely.plots.graphs.search_trace import trace
from likely.plots.graphs.sensitivity import sensitivity
from likely.plots.graphs.structure import structure
from likely.plots.graphs.tree import tree
from likely.plots.images import images
from likely.plots.picture_files import save, svg
from likely.plots.posteriors.beliefs import beliefs
from likely.plots.posteriors.hypotheses import hypotheses
from likely.plots.terms.densities import densities
from likely.plots.terms.explanation import explanation
from likely.plots.terms.importance import coefficients, importance, profile
from likely.plots.terms.nomogram import nomogram
from likely.plots.terms.projection import projection
from likely.plots.terms.regression import line, regression_explanation

__all__ = [
    "arc_strength",
    "beliefs",
    "calibration",
    "coefficients",
    "comparison",
    "confusion",
    "critical_difference",
    "decision_surface",
    "densities",
    "descent",
    "diagnosis",
    "distribution",
    "evaluation",
    "explanation",
    "fitted_model",
    "hypotheses",
    "images",
    "importance",
    "interactive_surface",
    "leaderboard",
    "learning_curve",
    "line",
    "network",
    "nomogram",
    "precision_recall",
    "profile",
    "projection",
    "regression_explanation",
    "residuals",
    "roc",
    "rounds",
    "save",
    "sensitivity",
    "structural_risk",
    "structure",
    "structure_comparison",
    "svg",
    "trace",
    "tree",
]

describe_public(__name__)

if not TYPE_CHECKING:  # seeing it, a type checker would accept any name at all
    __getattr__ = old_names(__name__)
