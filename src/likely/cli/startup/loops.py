"""The longest loops of each verb, which another core compiles while this one imports and reads."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

_LEFT_OUT = ("scoring.posteriors.lower_by_largest", "densities.leave_one_out.peaks")
_SCATTERED = ("counting.scatter.add_about", "counting.scatter.add_rows")
_JUDGED = ("scoring.posteriors.lower_by_largest", "scoring.level_scores.add_codes", "densities.student.add_student")

# verb, or verb and model -> its loops, by module and name, as it meets them; of those that small tables do without, the
# longest. Another core begins with the last one and this one with the first, so they meet half-way; a long loop after
# another long one stands before it, and of the longest of all the loops within it are listed instead.
LOOPS: dict[str, tuple[str, ...]] = {
    "fit": (  # a pool: naive Bayes, AODE, normals of all numbers together, a forest
        "counting.moments.add_moments",
        "scoring.level_scores.add_codes",
        *_LEFT_OUT,
        "scoring.members.find_cells",
        "scoring.members.join",
        "densities.student.add_student",
        "densities.quadratic_forms.add_squares",
        "counting.forest.tell_about",
        "scoring.forest.weighed_loss",
        "scoring.forest.terms_without",
        "densities.leave_one_out.leave",
    ),
    "fit naive": (
        "counting.moments.add_moments",
        "scoring.level_scores.add_codes",
        *_LEFT_OUT,
        "densities.leave_one_out.leave",
    ),
    "fit aode": (
        "counting.moments.add_moments",
        "scoring.members.find_cells",
        "scoring.members.join",
        *_LEFT_OUT,
        "scoring.members.score_without",
        "densities.leave_one_out.leave",
    ),
    "fit forest": (
        "counting.moments.add_moments",
        *_LEFT_OUT,
        "counting.forest.tell_about",
        "scoring.forest.weighed_loss",
        "scoring.forest.terms_without",
        "densities.leave_one_out.leave",
    ),
    **dict.fromkeys(
        ("fit tree", "fit bagging", "fit adaboost"),
        ("counting.moments.add_moments", "trees.splits.scan_sums", "trees.splits.split_levels", "trees.traversal.walk"),
    ),
    "fit c4.5": ("counting.moments.add_moments", "trees.traversal.walk"),
    "fit logistic": (
        "counting.moments.add_moments",
        "scoring.log_loss._odds",
        "scoring.log_loss._add_slopes",
        "scoring.log_loss._add_bends",
    ),
    **dict.fromkeys(
        ("fit tan", "fit kdb"),
        (
            "counting.moments.add_moments",
            *_LEFT_OUT,
            "junction.elimination.sum_tasks",
            "densities.leave_one_out.leave",
        ),
    ),
    **dict.fromkeys(
        ("fit gaussian", "fit qda", "fit lda", "fit discriminant"),
        (*_SCATTERED, "scoring.level_scores.add_codes", "scoring.posteriors.lower_by_largest"),
    ),
    "fit parzen": (
        "scoring.level_scores.add_codes",
        "scoring.posteriors.lower_by_largest",
        "densities.radial.add_leaves",
    ),
    "fit network": (
        "counting.moments.add_moments",
        "search.moves.best_move",
        "search.moves.wander",
        *_LEFT_OUT,
        "junction.elimination.sum_tasks",
        "densities.leave_one_out.leave",
    ),
    **dict.fromkeys(("fit linear", "fit ridge", "fit lasso", "fit regression-tree"), ()),
    **dict.fromkeys(("predict", "evaluate", "explain", "decide", "doctor", "compare"), _JUDGED),
    "surface": (
        *_SCATTERED,
        "scoring.posteriors.lower_by_largest",
        "densities.quadratic_forms.add_squares",
        "scoring.posteriors.find_largest",
    ),
    "digits": ("scoring.posteriors.find_largest", "scoring.level_scores.add_codes"),
    "network.query": ("junction.propagation.marginals", "junction.propagation.distribute"),
    "network.learn": ("search.moves.wander", "search.moves.best_move"),
}
# the arguments that verbs call each with: numbers as NumPy names them, with ":" and the number of axes if an array,
# with "!" if one that cannot be written to; "-" is None
ARGUMENTS = {
    "junction.elimination.sum_tasks": "i8:1 i8:1 i8:1 i8:1 i8:2 i8:1 i8:2 f8:2"
    " i8 f8:2 f8:1 f8:2 i8:1 i8:1 i8:2 i8:2 ?:1",
    "densities.quadratic_forms.add_squares": "f8:2 f8:2 f8:3 f8:3 f8:2",
    "densities.leave_one_out.leave": "f8:2 i8:1 f8:1 i8:1 ?:1 f8:2 f8:3 f8:4 f8 f8:1 f8:1 f8:1 ?:2 f8:1",
    "densities.leave_one_out.peaks": "f8:1",
    "counting.forest.tell_about": "i4:2 i4:1 f8:1 i8 i8:1 i8:1 i8 f8:1 f8:1",
    "counting.moments.add_moments": "f8:1 i8 i4:1 - f8:1 f8:3",
    "scoring.forest.terms_without": "i4:2 i4:1 f8:1 i8:2 i8:1 f8:2 f8:2 i8:1 i8:1 f8:1 i8:1 f8 f8 f8:3",
    "scoring.forest.weighed_loss": "f8:3 f8:2 i4:1 f8:1 f8:1 f8:1",
    "scoring.log_loss._add_bends": "f8:2 f8:1 i8 f8:2 f8:2 f8:2",
    "scoring.log_loss._add_slopes": "f8:2 f8:1 i8 f8:1",
    "scoring.log_loss._odds": "f8:2 i4:1 f8:1 i8",
    "scoring.members.find_cells": "u1:2 i8:1 i8:1 f8:1 f8 f8:1 i8:1 ?:1",
    "scoring.members.join": "f8:1 f8 f8:1 f8:1",
    "scoring.members.score_without": "u1:2 i8:1 i8:1 f8:3 f8:3 i8:1 f8:3! f8:1 i8:1 f8:1 ?:1 f8:2",
    "search.moves.best_move": "f8:2 ?:2 ?:2 ?:2 ?:2 i8 i8:2 i8 f8",
    "search.moves.wander": "?:2 ?:2 ?:2 i8 u8",
    "junction.propagation.distribute": "i8:1 f8:1 -",
    "junction.propagation.marginals": "i8:1 f8:1 i8:1 -",
    "densities.radial.add_leaves": "f8:2 f8:2 i8:1 f8:2 f8:1 f8:2 f8:2 f8:1 i8 i8 f8 f8:1 i8:1 f8:1 f8:1",
    "scoring.posteriors.find_largest": "f8:2 i8 i8:1",
    "scoring.posteriors.lower_by_largest": "f8:2 f8:1",
    "counting.scatter.add_about": "f8:1 f8:2 f8:2 f8:2 f8:2 i8 f8:4",
    "counting.scatter.add_rows": "f8:2 i8:1 f8:1 f8:4",
    "scoring.level_scores.add_codes": "u1:2 i8:1 f8:1 i8 i8 f8:1 f8:2 i8:1",
    "trees.splits.scan_sums": "i4:1 i8:2 ?:2 i8 i8 i1:1 f8:1 f8:1 ? f8:1 f8:1 f8:1 f8 f8:1 i4:2 i4:1 ?:1 f8:3",
    "trees.splits.split_levels": "i4:1 i8:1 i8 i8 u1:2 i8:1 i1:1 f8:1 f8:1 f8:1 i8 i8 f8 ?:2 i4:1 f8:3",
    "densities.student.add_student": "f8:2 f8:2! f8:2 f8:2 f8:2 f8:2 ?:1 f8:2 i8:1 f8:1 f8:1 f8:2",
    "trees.traversal.walk": "u1:2 f8:2 i8:1 i8:1 f8:1 i4:1 i4:1 f8:1 f8:2 f8:2",
}


def loops_of(verb: str, given: Mapping[str, Any]) -> tuple[str, ...]:
    """The loops of a verb, as its file is called, given these options; none where it could take rows and takes none."""
    if given.get("data", "") is None:
        return ()
    return LOOPS.get(f"{verb} {given.get('model')}", LOOPS.get(verb, ()))


def kernel_of(loop: str) -> Any:
    """The loop itself."""
    module, _, name = loop.rpartition(".")
    found = getattr(import_module(f"likely.kernels.{module}"), name)
    return getattr(found, "kernel", found)


def arguments_of(loop: str) -> tuple[Any, ...]:
    """The types of its arguments, as Numba knows them."""
    return tuple(map(_type_of, ARGUMENTS[loop].split()))


def _type_of(word: str) -> Any:
    import numpy as np
    from numba import from_dtype, types

    if word == "-":
        return types.none
    number, _, axes = word.rstrip("!").partition(":")
    item = from_dtype(np.dtype(number))
    return types.Array(item, int(axes), "C", readonly=word.endswith("!")) if axes else item
