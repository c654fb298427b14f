"""Options that several verbs share, and how their words are read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from likely.cli.terminal.failures import UsageError
from likely.estimators.registry import models

READS = "CSV, TSV, Parquet, ARFF or JSON lines, also with .gz behind; a pattern in quotes; - is standard input"
CLASSIFIERS, REGRESSORS = (" or ".join(", ".join(models(numeric)).rsplit(", ", 1)) for numeric in (False, True))
Data = Annotated[str, typer.Argument(metavar="DATA", help=f"Rows: {READS}.")]
Model = Annotated[str, typer.Argument(metavar="MODEL", help="A model file, as `likely fit` writes it.")]
Json = Annotated[bool, typer.Option("--json", help="Answer with one JSON document.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show nothing but errors.")]
Seed = Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Seed of everything drawn at random.")]
Output = Annotated[
    str | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="CSV, TSV, Parquet or JSON lines by its ending; - is the output."
    ),
]
ModelOutput = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where to save the new model.")]
Format = Annotated[
    str | None,
    typer.Option("--format", metavar="FORMAT", help="Format of DATA where its name does not tell: csv, tsv, jsonl ..."),
]
Target = Annotated[str | None, typer.Option("--target", "-t", metavar="COLUMN", help="The column to predict.")]
Kind = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        "-k",
        metavar="COLUMN=KIND",
        help="real, binary, category, count, parzen, text or skip; may be repeated; one KIND alone is for all columns.",
    ),
]
Priors = Annotated[
    str | None,
    typer.Option("--priors", metavar="CLASS=P,...", help="Class priors: uniform, empirical, or as in yes=0.1,no=0.9."),
]
Positive = Annotated[
    str | None, typer.Option("--positive", metavar="CLASS", help="The class to detect; by default the second of two.")
]
Loss = Annotated[
    str | None,
    typer.Option(
        "--loss", metavar="LOSS", help="What mistakes cost: a CSV or JSON file, or zero-one, absolute, squared."
    ),
]
Reject = Annotated[
    float | None,
    typer.Option("--reject", metavar="COST", help="What abstaining costs: rows may then be left undecided."),
]
Only = Annotated[bool, typer.Option("--only", help="Leave out the columns of DATA.")]
Picture = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="A picture: PNG, SVG or PDF.")]
Drawn = Annotated[bool, typer.Option("--picture/--no-picture", help="Whether to draw one.", show_default=False)]
Estimate = Annotated[
    str | None,
    typer.Option(
        "--estimate", metavar="HOW", help="bayes (averaged over what is uncertain), map (smoothed) or mle (as counted)."
    ),
]
Smoothing = Annotated[
    float | None, typer.Option("--smoothing", metavar="S", help="Pseudo-counts of each level. [default: 1]")
]
Missing = Annotated[
    str | None,
    typer.Option(
        "--missing", metavar="HOW", help="ignore, informative (a missing value is evidence) or error. [default: ignore]"
    ),
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="An option of the model, as in Python: k=2, max_depth=3, cuts=frequency ...; may be repeated.",
    ),
]
Weight = Annotated[str | None, typer.Option("--weight", metavar="COLUMN", help="The column that holds weights.")]


def pairs(words: Sequence[str], option: str) -> dict[str, str]:
    """{name: value} of words like name=value; names may hold a = of their own."""
    found: dict[str, str] = {}
    for word in words:
        name, sign, value = word.rpartition("=")
        if not (sign and name.strip() and value.strip()):
            hint = f"say it as in {option} NAME=VALUE"
            raise UsageError("U106", f"{word!r} is no name=value", place=option, hint=hint)
        _once(found, name.strip(), value.strip(), option)
    return found


def _once(found: dict[str, Any], name: str, value: Any, option: str) -> None:
    """Take a value by its name; another one that was said before is not forgotten without a word."""
    if found.setdefault(name, value) != value:
        what = f"{option} says two things of {name!r}: {found[name]!r} and {value!r}"
        raise UsageError("U110", what, place=option, hint="say one of them")


def read_kinds(words: Sequence[str] | None) -> Any:
    """What `kinds=` takes, from the words of --kind."""
    if not words:
        return "auto"
    if len(words) == 1 and "=" not in words[0]:
        return words[0]
    return pairs(words, "--kind")


def read_settings(words: Sequence[str] | None) -> dict[str, Any]:
    """{option: value} from the words of --set; values are JSON where they can be, else words.

    >>> read_settings(["k=2", "select=true", "parent=age", 'cuts={"age": [20, 40]}'])
    {'k': 2, 'select': True, 'parent': 'age', 'cuts': {'age': [20, 40]}}
    """
    found: dict[str, Any] = {}
    for word in words or ():
        name, _, value = word.partition("=")
        if not (name.strip() and value.strip()):
            hint = "say it as in --set NAME=VALUE"
            raise UsageError("U106", f"{word!r} is no name=value", place="--set", hint=hint)
        try:
            read = json.loads({"True": "true", "False": "false", "None": "null"}.get(value, value))
        except ValueError:
            read = value.strip()
        _once(found, name.strip(), read, "--set")
    return found


def read_priors(text: str | None, classes: Sequence[Any] | None = None) -> Any:
    """What `priors=` takes, from the words of --priors; names are matched with the text of the classes."""
    if text is None or "=" not in text:
        return text
    found = {}
    for name, value in pairs(text.split(","), "--priors").items():
        try:
            found[one_of(name, classes or ())] = float(value)
        except ValueError:
            hint = "say a probability for each class, as in --priors yes=0.1,no=0.9"
            raise UsageError("U107", f"{value!r} is no number", place="--priors", hint=hint) from None
    return found


def one_of(text: str | None, classes: Sequence[Any]) -> Any:
    """The class of that text, whatever its type; the text itself where there is none, for an error further on."""
    for level in classes:
        if str(level) == text or (isinstance(level, bool) and str(level).lower() == str(text).lower()):
            return level
    return text
