"""The tables of benchmarks/README.md, as Markdown."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import numpy as np
from _models import OURS
from _results import package
from _summary import ALIKE, ALL_FOLDS, FIELDS, MEASURES, Summary

README = Path(__file__).resolve().parents[1] / "README.md"
BEGIN, END = "<!-- tables: begin, written by accuracy/uci.py --write -->", "<!-- tables: end -->"
SHOWN = ("auto", "auto-companions", "bayes-forest", "aode", "naive", "forest", "forest-calibrated", "hist-boosting")
SHOWN = (*SHOWN, "logistic", "catboost", "khiops")  # whose values are told for each table
# What `auto` tries on a table of numbers and words, as they are named here.
TRIED = ("naive", "aode", "gaussian-shared", "gaussian", "bayes-forest")


def page(models: list[str], tables: list[str], against: list[str]) -> str:
    """All tables."""
    seen = Summary(models, tables)
    parts = [_how(seen), _means(seen), _partly(seen, against[0])]
    parts += [_verdicts(seen, first) for first in against]
    parts += [_each(seen, field) for field in ("error", "log_loss", "calibration")]
    parts += [_times(seen), _failures(seen)]
    return "\n\n".join(part for part in parts if part) + "\n"


def write(text: str) -> None:
    """Put the tables between the marks of the page."""
    before, rest = README.read_text().split(BEGIN)
    README.write_text(f"{before}{BEGIN}\n\n{text}\n{END}{rest.split(END)[1]}")


def _grid(head: list[str], lines: list[list[str]]) -> str:
    def row(cells: list[str]) -> str:
        return f"| {' | '.join(cells)} |"

    return "\n".join([row(head), row(["---", *["---:"] * (len(head) - 1)]), *map(row, lines)])


def _number(value: float, signed: bool = False) -> str:
    """With no zero before the point: .123."""
    return f"{value:{'+' if signed else ''}.4f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.4f}"


def _seconds(value: float) -> str:
    return f"{value:.3g}" if value >= 0.001 else "< .001"


def _called(model: str) -> str:
    return f"**{model}**" if model in OURS else model


def _how(seen: Summary) -> str:
    days = sorted({one.day for one in seen.results()})
    states = sorted({one.state for one in seen.results() if one.state})
    versions = sorted({(package(model), one.version) for (model, _, _), one in seen.found.items()})
    folds = {name: len(seen.shared(seen.whole, name)) for name in seen.tables}
    counts = [
        f"{count} on {', '.join(name for name in seen.tables if folds[name] == count)}"
        for count in sorted(set(folds.values()), reverse=True)
    ]
    return "\n".join(
        [
            f"- Measured {' to '.join(dict.fromkeys([days[0], days[-1]]))} on {_machine()}, Python"
            f" {platform.python_version()}.",
            f"- Versions: {', '.join(f'{name} {number}' for name, number in versions)}; sources of likely:"
            f" {', '.join(states)} (`git rev-parse HEAD:src/likely`).",
            f"- Folds that the models of the first table share: {'; '.join(counts)}.",
        ]
    )


def _machine() -> str:
    told = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    names = [line.split(":")[1].strip() for line in told.splitlines() if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} cores of {names[0] if names else platform.machine()} with {memory:.0f} GiB"


def _means(seen: Summary) -> str:
    models = seen.whole
    if not models:
        return "No model has all the tables yet."
    values = {field: seen.values(models, field).mean(axis=0) for field in FIELDS}
    ranks = {field: seen.ranks(models, field) for field in ("error", "log_loss", "calibration")}
    lines = []
    for at in np.argsort(values["log_loss"]):
        cells = [_number(values[field][at]) for field in (*MEASURES, ALL_FOLDS)]
        cells += [f"{rank[at]:.1f}" for rank in ranks.values()]
        lines.append([_called(models[at]), *cells, _seconds(values["fit"][at]), _seconds(values["predict"][at])])
    head = ["model", "error", "log loss", "Brier", "calibration", "calibration, all folds"]
    head += ["rank by error", "by log loss", "by calibration", "fit s", "predict s"]
    return f"### Means over {len(seen.tables)} tables\n\n{_grid(head, lines)}"


def _partly(seen: Summary, against: str) -> str:
    """Models that have not all the tables, beside another one on those that they have."""
    lines = []
    for model in seen.part:
        pair = [model, against]
        values = {field: seen.values(pair, field) for field in FIELDS}
        if len(values["error"]):
            cells = [" / ".join(_number(x) for x in values[field].mean(axis=0)) for field in MEASURES]
            spent = [_seconds(values[field].mean(axis=0)[0]) for field in ("fit", "predict")]
            lines.append([_called(model), str(len(values["error"])), *cells, *spent])
    if not lines:
        return ""
    head = ["model", "tables", *MEASURES.values(), "fit s", "predict s"]
    return f"### Models that have not all the tables / {against} on the tables that they have\n\n{_grid(head, lines)}"


def _verdicts(seen: Summary, against: str) -> str:
    """A model beside each of the others, a cell a measure."""

    def told(model: str, field: str) -> str:
        pair = seen.pair(against, model, field)
        shares = " ".join(f"{share:.2f}" for share in (pair.better, pair.alike, pair.worse))
        return f"{_number(pair.difference, True)}, {pair.won}/{pair.drawn}/{pair.lost}, {shares}"

    others = [model for model in [*seen.whole, *seen.part] if model != against and seen.of_tables([against, model])]
    lines = []
    for model in others:
        tables = str(len(seen.of_tables([against, model])))
        lines.append([_called(model), tables, *(told(model, field) for field in MEASURES)])
    if not lines:
        return ""
    note = "Mean difference (below zero: the first is better), tables won/drawn/lost, P(better) P(alike) P(worse)."
    alike = ", ".join(f"{ALIKE[field]:g} of {name}" for field, name in MEASURES.items())
    grid = _grid(["beside", "tables", *MEASURES.values()], lines)
    return f"### {against} beside each other model\n\n{note}\nNo difference is less than {alike}.\n\n{grid}"


def _each(seen: Summary, field: str) -> str:
    models = [model for model in SHOWN if model in seen.whole]
    lines = []
    for name in seen.tables:
        places = seen.shared(models, name)
        if places:
            values = [seen.value(model, name, field, places) for model in models]
            best = min(round(value, 4) for value in values)
            cells = [f"**{_number(v)}**" if round(v, 4) == best else _number(v) for v in values]
            lines.append([name, str(len(places)), *cells])
    return f"### Each table: {MEASURES[field]}\n\n{_grid(['table', 'folds', *models], lines)}" if lines else ""


def _times(seen: Summary) -> str:
    """The fit of auto beside those of most models that it tries, each alone and once."""
    lines = []
    for name in seen.tables:
        tried = [model for model in TRIED if seen.shared([model], name)]
        places = seen.shared(["auto", *tried], name) if "auto" in seen.models else []
        if not places or "bayes-forest" not in tried:
            continue
        alone = sum(seen.value(model, name, "fit", places) for model in tried)
        spent = seen.value("auto", name, "fit", places)
        lines.append([name, _seconds(spent), _seconds(alone), f"{spent / alone:.1f}"])
    head = ["table", "auto", "its candidates alone, once each", "ratio"]
    note = (
        "`auto` fits each candidate in 5 folds (10 where rows are fewer than 250), asks it for the rows held out, and"
        " fits it to all rows: 6 (11) fits and 5 (10) predictions each. Of up to 9 columns AnDE, too, which is not in"
        " the sum."
    )
    return f"### Seconds of a fit\n\n{note}\n\n{_grid(head, lines)}" if lines else ""


def _failures(seen: Summary) -> str:
    told: dict[tuple[str, str], list[str]] = {}
    for (model, name, _), one in seen.failures.items():
        told.setdefault((model, one.failure.split(" (File")[0]), []).append(name)
    lines = [f"- {model} on {', '.join(dict.fromkeys(names))}: {why}" for (model, why), names in told.items()]
    return "### Not measured\n\n" + "\n".join(lines) if lines else ""
