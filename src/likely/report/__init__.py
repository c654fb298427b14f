"""The report: rows, the models that were tried on them, and what the best one is worth, on one page."""

from likely.core.docstrings import describe_public
from likely.report.report import Report, report, report_model

__all__ = ["Report", "report", "report_model"]

describe_public(__name__)
