"""The laws that likely keeps, as functions to run on anyone's statistics, families, models and engines.

Each raises AssertionError, saying what differs, where its law does not hold. `statistics()`, `beliefs()`, `families()`,
`engines()` and `classifiers()` are the members found by walking the package; `cases()` pairs laws with members, and
`run()` (or `python -m likely.checks`) tries them all.

>>> from likely import NaiveBayes
>>> rows = table(seed=1, rows=12)
>>> check_merge_is_batch(NaiveBayes(kinds=rows.kinds), rows)
"""

from likely.checks.belief_laws import (
    Experiment,
    check_evidence_is_chain_of_predictives,
    check_updates_add_up,
    experiment,
)
from likely.checks.classifier_laws import (
    check_column_order_is_irrelevant,
    check_explanation_sums_to_prediction,
    check_forget_undoes,
    check_leave_one_out_is_refit,
    check_merge_is_batch,
    check_other_priors_reweigh,
    check_partial_fit_is_fit,
    check_probabilities_sum_to_one,
    check_save_load,
    check_shift_and_scale_change_nothing,
)
from likely.checks.engine_laws import Opening, check_engine_agrees, check_engines_agree
from likely.checks.equality import check_same
from likely.checks.family_laws import (
    check_missing_says_nothing,
    check_predictive_is_a_distribution,
    check_terms_sum_to_score,
    check_without_is_refit,
)
from likely.checks.members import beliefs, classifiers, engines, families, openings, statistics, steady
from likely.checks.reference_counts import check_learnt_by_hand
from likely.checks.runner import Case, cases, run
from likely.checks.statistic_laws import (
    check_arrays_round_trip,
    check_growing_keeps_answers,
    check_identity,
    check_parts_add_up,
    check_row_order_is_irrelevant,
    check_scaling,
    check_strangers_are_noticed,
    check_subtraction_undoes,
    check_weight_two_is_row_twice,
    statistic_of,
)
from likely.checks.tables import Encoded, Table, few, table
from likely.core.docstrings import describe_public

__all__ = [
    "Case",
    "Encoded",
    "Experiment",
    "Opening",
    "Table",
    "beliefs",
    "cases",
    "check_arrays_round_trip",
    "check_column_order_is_irrelevant",
    "check_engine_agrees",
    "check_engines_agree",
    "check_evidence_is_chain_of_predictives",
    "check_explanation_sums_to_prediction",
    "check_forget_undoes",
    "check_growing_keeps_answers",
    "check_identity",
    "check_learnt_by_hand",
    "check_leave_one_out_is_refit",
    "check_merge_is_batch",
    "check_missing_says_nothing",
    "check_other_priors_reweigh",
    "check_partial_fit_is_fit",
    "check_parts_add_up",
    "check_predictive_is_a_distribution",
    "check_probabilities_sum_to_one",
    "check_row_order_is_irrelevant",
    "check_same",
    "check_save_load",
    "check_scaling",
    "check_shift_and_scale_change_nothing",
    "check_strangers_are_noticed",
    "check_subtraction_undoes",
    "check_terms_sum_to_score",
    "check_updates_add_up",
    "check_weight_two_is_row_twice",
    "check_without_is_refit",
    "classifiers",
    "engines",
    "experiment",
    "families",
    "few",
    "openings",
    "run",
    "statistic_of",
    "statistics",
    "steady",
    "table",
]

describe_public(__name__)
