"""Pictures: plain functions from results to matplotlib figures; nothing is global and no window opens."""

from likely.plots.arcs import arc_strength, structure_comparison
from likely.plots.beliefs import beliefs
from likely.plots.calibration import calibration
from likely.plots.comparison import comparison
from likely.plots.confusion import confusion
from likely.plots.curves import learning_curve
from likely.plots.densities import densities
from likely.plots.descent import descent
from likely.plots.distribution import distribution
from likely.plots.explanations import explanation
from likely.plots.hypotheses import hypotheses
from likely.plots.images import images
from likely.plots.interactive import interactive_surface
from likely.plots.line import amounts, line
from likely.plots.network import network
from likely.plots.nomogram import nomogram
from likely.plots.precision import precision_recall
from likely.plots.projection import projection
from likely.plots.report import evaluation
from likely.plots.residuals import residuals
from likely.plots.risk import diagnosis, structural_risk
from likely.plots.roc import roc
from likely.plots.rounds import rounds
from likely.plots.saving import save, svg
from likely.plots.sensitivity import sensitivity
from likely.plots.structure import structure
from likely.plots.surfaces import decision_surface
from likely.plots.trace import trace
from likely.plots.tree import tree

__all__ = [
    "amounts",
    "arc_strength",
    "beliefs",
    "calibration",
    "comparison",
    "confusion",
    "decision_surface",
    "densities",
    "descent",
    "diagnosis",
    "distribution",
    "evaluation",
    "explanation",
    "hypotheses",
    "images",
    "interactive_surface",
    "learning_curve",
    "line",
    "network",
    "nomogram",
    "precision_recall",
    "projection",
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
