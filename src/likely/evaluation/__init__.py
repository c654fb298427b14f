"""How good predicted probabilities are: scores, curves, calibration, cross-validation, and reports of them."""

from typing import TYPE_CHECKING

from likely.core.deprecated import old_names
from likely.core.docstrings import describe_public
from likely.evaluation.comparisons.compare import compare
from likely.evaluation.comparisons.comparison import Comparison
from likely.evaluation.comparisons.rankings import Ranking, critical_difference, rank
from likely.evaluation.comparisons.significance import (
    CorrectedT,
    CorrelatedT,
    SignedRank,
    corrected_t,
    correlated_t,
    signed_rank,
)
from likely.evaluation.curves.calibration import Calibration, calibration
from likely.evaluation.curves.confusion import Confusion, confusion
from likely.evaluation.curves.precision_recall import PrecisionRecall, precision_recall
from likely.evaluation.curves.roc import Hull, Roc, Rocs, evidence, evidence_of, roc, roc_of, rocs
from likely.evaluation.folds.cross_validation import CrossValidation, RegressionCrossValidation, cross_validate
from likely.evaluation.folds.fold_assignment import split
from likely.evaluation.importance import FeatureImportance, feature_importance
from likely.evaluation.losses import absolute, empirical_risk, log, squared, zero_one
from likely.evaluation.recalibration.recalibrated_model import Recalibrated
from likely.evaluation.recalibration.recalibration import recalibrate
from likely.evaluation.regression_scores import Coverage, RegressionEvaluation, evaluate_regression
from likely.evaluation.report import Evaluation, evaluate, evaluate_model
from likely.evaluation.risks.cross_validated_risk import ExpectedRisk, cross_validated_risk
from likely.evaluation.risks.diagnosis import Diagnosis, diagnose
from likely.evaluation.risks.learning_curve import LearningCurve, learning_curve
from likely.evaluation.risks.structural_risk import StructuralRisk, structural_risk
from likely.evaluation.scores import Brier, accuracy, brier, brier_parts, log_loss, wilson

__all__ = [
    "Brier",
    "Calibration",
    "Comparison",
    "Confusion",
    "CorrectedT",
    "CorrelatedT",
    "Coverage",
    "CrossValidation",
    "Diagnosis",
    "Evaluation",
    "ExpectedRisk",
    "FeatureImportance",
    "Hull",
    "LearningCurve",
    "PrecisionRecall",
    "Ranking",
    "Recalibrated",
    "RegressionCrossValidation",
    "RegressionEvaluation",
    "Roc",
    "Rocs",
    "SignedRank",
    "StructuralRisk",
    "absolute",
    "accuracy",
    "brier",
    "brier_parts",
    "calibration",
    "compare",
    "confusion",
    "corrected_t",
    "correlated_t",
    "critical_difference",
    "cross_validate",
    "cross_validated_risk",
    "diagnose",
    "empirical_risk",
    "evaluate",
    "evaluate_model",
    "evaluate_regression",
    "evidence",
    "evidence_of",
    "feature_importance",
    "learning_curve",
    "log",
    "log_loss",
    "precision_recall",
    "rank",
    "recalibrate",
    "roc",
    "roc_of",
    "rocs",
    "signed_rank",
    "split",
    "squared",
    "structural_risk",
    "wilson",
    "zero_one",
]

describe_public(__name__)

if not TYPE_CHECKING:  # seeing it, a type checker would accept any name at all
    __getattr__ = old_names(__name__)
