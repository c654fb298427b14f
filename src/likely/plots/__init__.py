"""Pictures: plain functions from results to matplotlib figures; nothing is global and no window opens."""

from likely.plots.beliefs import beliefs
from likely.plots.calibration import calibration
from likely.plots.comparison import comparison
from likely.plots.confusion import confusion
from likely.plots.curves import learning_curve
from likely.plots.densities import densities
from likely.plots.explanations import explanation
from likely.plots.images import images
from likely.plots.nomogram import nomogram
from likely.plots.precision import precision_recall
from likely.plots.report import evaluation
from likely.plots.roc import roc
from likely.plots.saving import save
from likely.plots.structure import structure

__all__ = [
    "beliefs",
    "calibration",
    "comparison",
    "confusion",
    "densities",
    "evaluation",
    "explanation",
    "images",
    "learning_curve",
    "nomogram",
    "precision_recall",
    "roc",
    "save",
    "structure",
]
