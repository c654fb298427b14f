"""Missing values filled in by what a classifier expects of them: counts and tables by turns (EM)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from likely.core.numerics import Array, Floats
from likely.estimators.bayes.network_tables import network_of
from likely.models.network import NetworkModel
from likely.networks.learning.em import EMOptions, alternate, exact
from likely.networks.structure.row_codes import Coded
from likely.statistics import Bundle, Counts, Question, Statistic

TURNS = EMOptions(tolerance=1e-6, iterations=100)

Family = dict[int, Floats]  # (classes, levels of parents ..., own levels) of each column; the class is at -1


def fill_holes(model: NetworkModel, rows: Coded) -> NetworkModel:
    """The model with the counts that are expected of rows with missing values, whose classes are known.

    Numbers that have a density are described by the values that are there.
    """
    parts = _by_class(model, rows)

    def expect(model: NetworkModel) -> tuple[Family, float, float]:
        families, fit = _expected(model, rows.names[-1], parts)
        return families, fit, fit

    def improve(families: Family) -> NetworkModel:
        return replace(model, bundle=_counted(model, families), expected=True)

    families, report = alternate(model, expect, improve, rows.weight, TURNS)
    if report.interrupted:  # a classifier is fitted whole or not at all
        raise KeyboardInterrupt
    return improve(families)


def _by_class(model: NetworkModel, rows: Coded) -> list[tuple[Array, Floats]]:
    """The different rows of each class, -1 where one is missing, and their weights; columns as nodes of the model."""
    names = [*(model.schema.columns[at].name for at in model.nodes), rows.names[-1]]
    order = [rows.names.index(name) for name in names]
    found = [rows.take(np.flatnonzero(rows.codes[:, -1] == cell)).joined() for cell in range(len(model.rows))]
    return [(one.open_codes[:, order], one.each_weight) for one in found]


def _expected(model: NetworkModel, target: str, parts: Sequence[tuple[Array, Floats]]) -> tuple[Family, float]:
    """What is expected of every family by class, and the log likelihood of what is seen."""
    tables, fit, found = network_of(model, target).factored, 0.0, []
    for cell, (codes, weights) in enumerate(parts):
        counts, logs = exact(tables, codes, weights)
        fit += logs
        own = [mine if at in model.apart else mine[cell] for at, mine in zip(model.nodes, counts, strict=False)]
        found.append([*own, counts[-1][..., cell]])
    nodes = (*model.nodes, -1)
    return {at: np.stack([mine[place] for mine in found]) for place, at in enumerate(nodes)}, fit


def _counted(model: NetworkModel, families: Family) -> Bundle:
    """The answers to the model's questions that rows without missing values give which have these counts."""
    answers: dict[Question, Statistic] = dict(model.bundle)
    classes = len(model.rows)
    for question in model.bundle:
        if question.of != "counts":
            continue
        table = np.zeros((question.cells(model.schema), int(model.schema.offsets(question.columns)[-1])))
        rows = np.asarray(model.rows, dtype=np.float64)
        if question.by:
            below = families[question.columns[0]].sum(axis=-1) if question.columns else families[-1]
            rows = below.reshape(-1)
        for at, start in zip(question.columns, model.schema.offsets(question.columns), strict=False):
            mine = families[at].reshape(classes, -1, families[at].shape[-1])
            mine = mine if question.by else mine.sum(axis=1, keepdims=True)
            table[:, start : start + mine.shape[2]] = mine.reshape(len(table), -1)
        answers[question] = Counts(rows, table)
    return Bundle(answers)
