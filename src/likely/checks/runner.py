"""Every law on every member, as cases to be run one by one."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from likely.checks import belief_laws, classifier_laws, family_laws, statistic_laws
from likely.checks.engine_laws import Opening, check_engine_agrees
from likely.checks.members import beliefs, classifiers, families, openings, statistics, steady
from likely.checks.tables import Table, few, table
from likely.families.predictor import ESTIMATES, Setting

STATISTIC_LAWS = (
    statistic_laws.check_parts_add_up,
    statistic_laws.check_subtraction_undoes,
    statistic_laws.check_strangers_are_noticed,
    statistic_laws.check_identity,
    statistic_laws.check_scaling,
    statistic_laws.check_arrays_round_trip,
    statistic_laws.check_growing_keeps_answers,
    statistic_laws.check_row_order_is_irrelevant,
    statistic_laws.check_weight_two_is_row_twice,
)
BELIEF_LAWS = (belief_laws.check_evidence_is_chain_of_predictives, belief_laws.check_updates_add_up)
FAMILY_LAWS = (
    family_laws.check_terms_sum_to_score,
    family_laws.check_without_is_refit,
    family_laws.check_missing_says_nothing,
    family_laws.check_predictive_is_a_distribution,
)
LEARNING_LAWS = (  # of (unfitted model, table)
    statistic_laws.check_row_order_is_irrelevant,
    statistic_laws.check_weight_two_is_row_twice,
    classifier_laws.check_merge_is_batch,
    classifier_laws.check_partial_fit_is_fit,
    classifier_laws.check_forget_undoes,
    classifier_laws.check_leave_one_out_is_refit,
    classifier_laws.check_column_order_is_irrelevant,
)
UNIT_LAWS = (classifier_laws.check_shift_and_scale_change_nothing,)  # of (unfitted model whose cuts are its own, table)
FITTED_LAWS = (  # of (fitted model, rows)
    classifier_laws.check_probabilities_sum_to_one,
    classifier_laws.check_explanation_sums_to_prediction,
    classifier_laws.check_other_priors_reweigh,
    classifier_laws.check_save_load,
)


class Case(NamedTuple):
    """A law on a member; calling `check` raises AssertionError where the law does not hold.

    >>> def check_nothing_is_less() -> None:
    ...     assert sum([]) == 0
    >>> case = Case("check_nothing_is_less", "sum", check_nothing_is_less)
    >>> case.check()
    """

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
        answer = statistic_laws.statistic_of(kind, encoded)
        yield from (Case(law.__name__, name, partial(law, answer, encoded)) for law in STATISTIC_LAWS)
    for name, belief in beliefs().items():
        trial = belief_laws.experiment(belief, seed)
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
        yield from (Case(law.__name__, name, partial(law, model, some)) for law in learning_laws(name))
        free = classifier(kinds=dict(some.kinds))
        yield from (Case(law.__name__, name, partial(law, free, some)) for law in UNIT_LAWS)
        yield from (Case(law.__name__, name, partial(_fitted, law, model, some)) for law in FITTED_LAWS)
    for name, opening in openings().items():
        yield Case("check_engine_agrees", name, partial(_opened, opening, whole))


def learning_laws(name: str) -> tuple[Callable[..., None], ...]:
    """The laws of learning of a classifier: the structure of a pool is of columns in one order, and refuses another.

    >>> len(learning_laws("BayesClassifier")) == len(learning_laws("TAN")) - 1
    True
    """
    another = classifier_laws.check_column_order_is_irrelevant
    return tuple(law for law in LEARNING_LAWS if (name, law) != ("BayesClassifier", another))


def run(seed: int = 0, rows: int = 24, verbose: bool = True) -> int:
    """Run every case, print one line a law, and say how many failed.

    >>> run(seed=1)  # doctest: +SKIP
    holds  parts add up (9)
    holds  subtraction undoes (9)
    ...
    0 failed in 21.4 s
    0

    It takes a while; one case of it does not:

    >>> next(case for case in cases(rows=12) if case.member == "Beta").check()
    """
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
    law(statistic_laws.learner(model)(whole), whole.X)


def _opened(opening: Opening, whole: Table) -> None:
    with tempfile.TemporaryDirectory() as folder:
        check_engine_agrees(opening, whole, Path(folder))
