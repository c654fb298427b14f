"""Every law on every member, as cases to be run one by one."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from likely.checks import chains, learners, predictors, sums
from likely.checks.handing import Opening, check_engine_agrees
from likely.checks.members import beliefs, classifiers, families, openings, statistics, steady
from likely.checks.tables import Table, few, table
from likely.families.predictor import ESTIMATES, Setting

STATISTIC_LAWS = (
    sums.check_parts_add_up,
    sums.check_subtraction_undoes,
    sums.check_strangers_are_noticed,
    sums.check_identity,
    sums.check_scaling,
    sums.check_arrays_round_trip,
    sums.check_growing_keeps_answers,
    sums.check_row_order_is_irrelevant,
    sums.check_weight_two_is_row_twice,
)
BELIEF_LAWS = (chains.check_evidence_is_chain_of_predictives, chains.check_updates_add_up)
FAMILY_LAWS = (
    predictors.check_terms_sum_to_score,
    predictors.check_without_is_refit,
    predictors.check_missing_says_nothing,
    predictors.check_predictive_is_a_distribution,
)
LEARNING_LAWS = (  # of (unfitted model, table)
    sums.check_row_order_is_irrelevant,
    sums.check_weight_two_is_row_twice,
    learners.check_merge_is_batch,
    learners.check_partial_fit_is_fit,
    learners.check_forget_undoes,
    learners.check_leave_one_out_is_refit,
    learners.check_column_order_is_irrelevant,
)
UNIT_LAWS = (learners.check_shift_and_scale_change_nothing,)  # of (unfitted model whose cuts are its own, table)
FITTED_LAWS = (  # of (fitted model, rows)
    learners.check_probabilities_sum_to_one,
    learners.check_explanation_sums_to_prediction,
    learners.check_other_priors_reweigh,
    learners.check_save_load,
)


class Case(NamedTuple):
    """A law on a member; calling `check` raises AssertionError where the law does not hold."""

    law: str
    member: str
    check: Callable[[], None]


def cases(seed: int = 0, rows: int = 24) -> Iterator[Case]:
    """Every law on every member that walking the package finds, on tables of this seed.

    >>> laws = {case.law for case in cases()}
    >>> {"check_parts_add_up", "check_merge_is_batch", "check_engine_agrees"} <= laws
    True
    """
    whole = table(seed, rows)
    encoded = whole.encoded()
    for name, kind in statistics().items():
        answer = sums.statistic_of(kind, encoded)
        yield from (Case(law.__name__, name, partial(law, answer, encoded)) for law in STATISTIC_LAWS)
    for name, belief in beliefs().items():
        trial = chains.experiment(belief, seed)
        yield from (Case(law.__name__, name, partial(law, trial)) for law in BELIEF_LAWS)
    for name, family in families().items():
        for estimate in ESTIMATES:
            setting = Setting(estimate)
            yield from (
                Case(law.__name__, f"{name} {estimate}", partial(law, family, encoded, setting)) for law in FAMILY_LAWS
            )
    for name, classifier in classifiers().items():
        some = whole if name == "NaiveBayes" else few(whole)
        model = steady(classifier, some.kinds)
        yield from (Case(law.__name__, name, partial(law, model, some)) for law in LEARNING_LAWS)
        free = classifier(kinds=dict(some.kinds))
        yield from (Case(law.__name__, name, partial(law, free, some)) for law in UNIT_LAWS)
        yield from (Case(law.__name__, name, partial(_fitted, law, model, some)) for law in FITTED_LAWS)
    for name, opening in openings().items():
        yield Case("check_engine_agrees", name, partial(_opened, opening, whole))


def run(seed: int = 0, rows: int = 24, verbose: bool = True) -> int:
    """Run every case, print one line a law, and say how many failed."""
    failed = 0
    started: dict[str, list[tuple[str, str]]] = {}
    begin = time.perf_counter()
    for case in cases(seed, rows):
        results = started.setdefault(case.law, [])
        try:
            case.check()
            results.append((case.member, ""))
        except Exception as error:  # a member that breaks down does not keep the law either
            failed += 1
            results.append((case.member, f"{type(error).__name__}: {error}"))
    for law, results in started.items() if verbose else ():
        wrong = [f"\n  {member}: {error}" for member, error in results if error]
        print(
            f"{'FAILS' if wrong else 'holds'}  {law.removeprefix('check_').replace('_', ' ')} ({len(results)})"
            + "".join(wrong)
        )
    if verbose:
        print(f"{failed} failed in {time.perf_counter() - begin:.1f} s")
    return failed


def _fitted(law: Callable[[Any, Any], None], model: Any, whole: Table) -> None:
    law(sums.learner(model)(whole), whole.X)


def _opened(opening: Opening, whole: Table) -> None:
    with tempfile.TemporaryDirectory() as folder:
        check_engine_agrees(opening, whole, Path(folder))
