"""Options that several estimators have, each with its type, limits and words; defaults are those of the classes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from numpy import random

from likely.estimators.face.options import Limits, ShownType
from likely.statistics.sketch import MOST_DISTINCT_VALUES

MOST_SEED = 2**32 - 1  # of numpy.random.RandomState
Kinds = Annotated[
    Any,
    ShownType("str, kind or {column: kind}"),
    "'auto', one kind for all columns, or {column: kind}, where the rest is inferred. Kinds are 'real', 'binary',"
    " 'category', 'count', 'parzen', 'text' and 'skip'; a list of levels declares a category; likely.Parzen and"
    " likely.Text have options.",
]
NumericKinds = Annotated[Kinds, "As in NaiveBayes; numbers are always 'real' unless another kind is named."]
Estimate = Annotated[
    Literal["bayes", "map", "mle"],
    Limits("O114"),
    "'bayes' averages over what the rows leave open (the posterior predictive), 'map' takes the mode of the posterior,"
    " 'mle' the likeliest parameters.",
]
Smoothing = Annotated[
    float,
    Limits("O115", "say a number of pseudo-counts, from 0 on", least=0),
    "Pseudo-counts of each level, and pseudo-observations behind each real and count column.",
]
Shrinkage = Annotated[
    float | Literal["ledoit-wolf", "oas"] | None,
    Limits(least=0, most=1),
    "How far covariances are drawn to equal variances: a number, or a rule that finds one.",
]
Priors = Annotated[
    Any,
    ShownType("{'empirical', 'uniform'}, {class: probability}, one number a class or None"),
    "Probabilities of the classes; None: learnt, and smoothed like everything else.",
]
ClassWeight = Annotated[
    Any,
    ShownType("'balanced', {class: weight} or None"),
    "How much a row of each class counts. It multiplies the class priors, and leaves what each class looks like as it"
    " is; 'balanced' makes the classes equally probable. Not with `priors`.",
]
ClassWeightOfRows = Annotated[
    ClassWeight,
    "How much a row of each class counts: its weight is multiplied by that; 'balanced' gives every class the same"
    " weight in all. Probabilities are then those of a world with so many more of them.",
]
Missing = Annotated[
    Literal["ignore", "informative", "error"],
    Limits("O114"),
    "Missing values: 'ignore' sums them out, 'informative' takes it as evidence that a value is missing, 'error'"
    " refuses them.",
]

# columns that depend on each other
MinSupport = Annotated[
    float,
    Limits("O394", "say how many rows must share a value, from 0 on; 1 is usual", least=0),
    "Rows that must have a row's value of a super-parent for it to speak; where none has, naive Bayes does.",
]
CellSmoothing = Annotated[Smoothing, "Pseudo-counts and pseudo-observations behind every cell."]
Backoff = Annotated[
    Literal["class", "column", "even"],
    Limits("O114"),
    "What a thin cell leans on: 'class' (its class, and all levels a little), 'column', or 'even' (Laplace).",
]
Numbers = Annotated[
    Literal["auto", "density", "levels"],
    Limits("O385"),
    "In which form numbers speak: 'density', 'levels' (the bins between their cut points), or 'auto': for each column"
    " the one that loses less as the only column of a naive Bayes, leaving one out; of at most 20 different values each"
    " may be a part, beside those of 'frequency'.",
]
Cuts = Annotated[
    Any,
    ShownType("{'frequency', 'mdl', 'width'} or {column: edges or one of these}"),
    "Where numbers are binned: 'frequency' (parts of equally many rows), 'mdl' (where the classes are told apart best:"
    " Fayyad and Irani), 'width', or {column: edges or one of these}.",
]
Bins = Annotated[int, Limits(least=2, most=MOST_DISTINCT_VALUES), "Parts of 'frequency' and 'width'."]

# regressions
Penalty = Annotated[
    Literal["l1", "lasso", "l2", "ridge"] | None,
    Limits(),
    "What large coefficients cost: 'l2' ('ridge'), 'l1' ('lasso') or None.",
]
Coding = Annotated[
    Literal["treatment", "sum", "helmert"],
    Limits(),
    "Contrasts of categories; with 'treatment', the first level is what the others are held against.",
]
LearningRate = Annotated[float | None, Limits(above=0), "Step of method='descent'; None: one that cannot diverge."]
MaxIter = Annotated[int, Limits(least=1), "The most steps of a search for the best coefficients."]
MissingInDesign = Annotated[
    Missing,
    "Missing values: 'ignore' counts each as the mean of its column, 'informative' gives it a coefficient of its own,"
    " 'error' refuses them.",
]

# trees, and ensembles of them
MaxDepth = Annotated[int | None, Limits(least=1), "The most splits above a leaf; None for no limit."]
MinSamplesSplit = Annotated[int, Limits(least=2), "Rows that a node must hold to be split."]
MinSamplesLeaf = Annotated[
    int,
    Limits(least=1),
    "Rows that both sides of a threshold must hold, and at least two of the branches of a category, which has one for"
    " each level.",
]
MinGain = Annotated[float, Limits(least=0), "What a split must gain."]
Alpha = Annotated[
    float | Literal["cv"],
    Limits(least=0),
    "What a leaf costs under prune='cost-complexity'; 'cv' lets held-out rows choose it.",
]
MissingInTrees = Annotated[
    Missing,
    "Missing values: with 'ignore' a row goes down every branch, in parts; 'informative' gives them a branch of their"
    " own; 'error' refuses them.",
]
RandomState = Annotated[
    int | random.RandomState | None,
    Limits(
        "O651",
        f"say a whole number from 0 to {MOST_SEED}, a numpy.random.RandomState, or None",
        least=0,
        most=MOST_SEED,
    ),
    ShownType("int, RandomState or None"),
    "Seed of what is drawn at random: the same one gives the same model.",
]
Members = Annotated[
    int, Limits("O641", "say how many rounds: a whole number from 1 on", least=1), "How many members to learn."
]
