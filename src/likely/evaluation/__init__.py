"""How good forecasts are: scores, curves, calibration, cross-validation, and reports of them."""

from likely.evaluation.amount_folds import AmountValidation
from likely.evaluation.amounts import AmountEvaluation, Coverage, evaluate_amounts
from likely.evaluation.calibration import Calibration, calibration
from likely.evaluation.compare import compare
from likely.evaluation.comparison import Comparison
from likely.evaluation.confusion import Confusion, confusion
from likely.evaluation.curves import learning_curve
from likely.evaluation.dealing import split
from likely.evaluation.diagnosis import Diagnosis, diagnose
from likely.evaluation.differences import CorrectedT, CorrelatedT, SignedRank, corrected_t, correlated_t, signed_rank
from likely.evaluation.folds import CrossValidation, cross_validate
from likely.evaluation.learning import LearningCurve
from likely.evaluation.losses import absolute, empirical_risk, log, squared, zero_one
from likely.evaluation.precision import PrecisionRecall, precision_recall
from likely.evaluation.recalibration import Recalibrated, recalibrate
from likely.evaluation.report import Evaluation, evaluate, evaluate_model
from likely.evaluation.risk import ExpectedRisk, expected_risk
from likely.evaluation.roc import Hull, Roc, evidence, evidence_of, roc
from likely.evaluation.rocs import Rocs, roc_of, rocs
from likely.evaluation.scores import Brier, accuracy, brier, brier_parts, log_loss, wilson
from likely.evaluation.structural import StructuralRisk, structural_risk

__all__ = [
    "AmountEvaluation",
    "AmountValidation",
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
    "Hull",
    "LearningCurve",
    "PrecisionRecall",
    "Recalibrated",
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
    "cross_validate",
    "diagnose",
    "empirical_risk",
    "evaluate",
    "evaluate_amounts",
    "evaluate_model",
    "evidence",
    "evidence_of",
    "expected_risk",
    "learning_curve",
    "log",
    "log_loss",
    "precision_recall",
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
