"""Options that several verbs share, and how their words are read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from likely.cli.startup.completion import completer
from likely.cli.terminal.failures import UsageError
from likely.errors import OptionError, listed, nearest
from likely.estimators.registry import models


def option(said: str, told: str, **more: Any) -> Any:
    """An option as help shows it, its names and what it takes, as in "--output -o FILE"; and what it is for."""
    names = [word for word in said.split() if word.startswith("-")]
    # A flag takes nothing, and shows no type; what stands in brackets is no markup.
    takes = said.removeprefix(" ".join(names)).strip() or " "
    return typer.Option(
        *names, metavar=takes, help=told.replace("[", r"\["), autocompletion=completer(names, takes), **more
    )


def argument(metavar: str, told: str, **more: Any) -> Any:
    """What stands on a command line without a name, and what it is."""
    return typer.Argument(metavar=metavar, help=told, autocompletion=completer((), metavar), **more)


READS = "CSV, TSV, Excel, Parquet, ARFF or JSON lines, also .gz or .zip; a pattern in quotes; - is standard input"
CLASSIFIERS, REGRESSORS = (" or ".join(", ".join(models(numeric)).rsplit(", ", 1)) for numeric in (False, True))
Data = Annotated[str, argument("DATA", f"Rows: {READS}.")]
Model = Annotated[str, argument("MODEL", "A model file, as `likely fit` writes it.")]
Json = Annotated[bool, option("--json", "Answer with one JSON document.")]
Quiet = Annotated[bool, option("--quiet -q", "Show nothing but errors.")]
Seed = Annotated[int, option("--seed N", "Seed of everything drawn at random.", min=0)]
Output = Annotated[
    str | None, option("--output -o FILE", "CSV, TSV, Parquet or JSON lines by its ending; - is the output.")
]
ModelOutput = Annotated[Path, option("--output -o FILE", "Where to save the new model.")]
Format = Annotated[
    str | None, option("--format FORMAT", "Format of DATA where its name does not tell: csv, tsv, jsonl ...")
]
NoHeader = Annotated[
    bool, option("--no-header", "The first line of DATA is a row: columns are c1, c2, ..., or said by number.")
]
Sheet = Annotated[str | None, option("--sheet NAME", "The sheet of an Excel file. [default: the first with a table]")]
MissingMark = Annotated[
    list[str] | None,
    option("--missing-mark MARK", "What stands for a missing value in DATA, beside ?, NA and such; may be repeated."),
]
Strict = Annotated[bool, option("--strict", "Refuse rows without a label, and cells unlike their column.")]
Target = Annotated[str | None, option("--target -t COLUMN", "The column to predict, or its number from 1.")]
Kind = Annotated[
    list[str] | None,
    option(
        "--kind -k COLUMN=KIND",
        "real, binary, category, count, parzen, text or skip; may be repeated; one KIND alone is for all columns.",
    ),
]
Priors = Annotated[
    str | None, option("--priors CLASS=P,...", "Class priors: uniform, empirical, or as in yes=0.1,no=0.9.")
]
ClassWeight = Annotated[
    str | None,
    option("--class-weight CLASS=W,...", "How much a row of each class counts: balanced, or as in yes=5,no=1."),
]
Positive = Annotated[str | None, option("--positive CLASS", "The class to detect; by default the second of two.")]
Loss = Annotated[
    str | None,
    option(
        "--loss LOSS",
        "What mistakes cost: yes=10,no=1 (of rows of each class), a CSV or JSON file, or zero-one, absolute, squared.",
    ),
]
Reject = Annotated[float | None, option("--reject COST", "What abstaining costs: rows may then be left undecided.")]
Only = Annotated[bool, option("--only", "Leave out the columns of DATA.")]
Picture = Annotated[Path | None, option("--output -o FILE", "A picture: PNG, SVG or PDF.")]
Drawn = Annotated[bool, option("--picture/--no-picture", "Whether to draw one.", show_default=False)]
Estimate = Annotated[
    str | None, option("--estimate HOW", "bayes (averaged over what is uncertain), map (smoothed) or mle (as counted).")
]
Smoothing = Annotated[float | None, option("--smoothing S", "Pseudo-counts of each level. [default: 1]")]
Missing = Annotated[
    str | None, option("--missing HOW", "ignore, informative (a missing value is evidence) or error. [default: ignore]")
]
Set = Annotated[
    list[str] | None,
    option(
        "--set NAME=VALUE",
        "An option of the model, as in Python: k=2, max_depth=3, cuts=frequency ...; may be repeated.",
    ),
]
Weight = Annotated[str | None, option("--weight COLUMN", "The column that holds weights.")]
MatchLabels = Annotated[
    bool,
    option("--match-labels", "Take labels for classes that differ by letter case, blanks or a trailing dot alone."),
]
Groups = Annotated[
    str | None,
    option("--groups COLUMN", "Judge on groups never seen, such as customers: rows of one value stay together."),
]
Time = Annotated[
    str | None, option("--time COLUMN", "Judge on the future: rows by models of those before them, by this column.")
]
Holdout = Annotated[
    str | None,
    option("--holdout FILE|SHARE", "Judge on these rows alone: a file, or a share of DATA not learnt, as 0.2."),
]
HoldoutShare = Annotated[
    str | None, option("--holdout SHARE", "Judge on one share of DATA alone, by models of the rest, as 0.2.")
]


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


def columns_of_kinds(words: Sequence[str] | None) -> list[str]:
    """The columns that the words of --kind name."""
    return [name.strip() for name, equals, _ in (word.rpartition("=") for word in words or ()) if equals]


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
    """What `priors=` takes, from the words of --priors."""
    if text is None or "=" not in text:
        return text
    return _by_class(text, classes or (), "--priors", "say a probability for each class, as in --priors yes=0.1,no=0.9")


def read_class_weight(text: str, classes: Sequence[Any]) -> Any:
    """What `class_weight=` takes, from the words of --class-weight.

    >>> read_class_weight("1=5", [0, 1])
    {1: 5.0}
    """
    if text == "balanced":
        return text
    if "=" not in text:
        near = nearest(text, ["balanced"])
        hint = f"say balanced, or a number for each class, as in --class-weight yes=5,no=1.{near}"
        raise UsageError("U107", f"{text!r} says no class", place="--class-weight", hint=hint)
    return _by_class(text, classes, "--class-weight", "say a number for each class, as in --class-weight yes=5,no=1")


def read_loss(text: str | None, classes: Sequence[Any]) -> Any:
    """What `loss=` takes, from the words of --loss; yes=10 is the cost of taking a row of that class for any other.

    >>> read_loss("yes=10", ["no", "yes"])
    {('yes', 'no'): 10.0}
    """
    if text is None or "=" not in text or text.lower().endswith((".csv", ".tsv", ".json")):
        return text
    found = {}
    costs = _by_class(text, classes, "--loss", "say what a mistake about each class costs, as in --loss yes=10,no=1")
    for true, cost in costs.items():
        found.update({(true, decided): cost for decided in classes if decided != true} or {(true, true): cost})
    return found


def _by_class(text: str, classes: Sequence[Any], option: str, hint: str) -> dict[Any, float]:
    """{class: number} of words like yes=0.1,no=0.9; names are matched with the text of the classes."""
    found = {}
    for name, value in pairs(text.split(","), option).items():
        try:
            found[one_of(name, classes)] = float(value)
        except ValueError:
            raise UsageError("U107", f"{value!r} is no number", place=option, hint=hint) from None
    return found


def class_of(text: str, classes: Sequence[Any], place: str) -> Any:
    """The class of that text, or an error that names the option that says it."""
    found = one_of(text, classes)
    if found not in classes:
        hint = f"the classes are {listed(classes)}.{nearest(text, classes)}"
        raise OptionError("O110", f"{text!r} is not a class", place=place, hint=hint)
    return found


def one_of(text: str | None, classes: Sequence[Any]) -> Any:
    """The class of that text, whatever its type; the text itself where there is none, for an error further on."""
    for level in classes:
        if str(level) == text or (isinstance(level, bool) and str(level).lower() == str(text).lower()):
            return level
    return text
