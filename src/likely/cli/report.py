"""likely report: one page about a table and the model that suits it best."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from likely.cli import options
from likely.cli.options import option
from likely.cli.terminal.failures import UsageError, hinted
from likely.cli.terminal.session import Session

EXAMPLE = "likely report loans.csv --target default -o loans.html"
MODEL_ENDING = ".likely"


def run(
    session: Session,
    data: options.Data,
    target: options.Target = None,
    output: Annotated[Path | None, option("--output -o FILE", "The page. [default: DATA-report.html]")] = None,
    model: Annotated[
        list[str] | None,
        option(
            "--model -m NAME",
            "A model, or several with commas of which the best is shown; or a model file. [default: some that suit]",
        ),
    ] = None,
    language: Annotated[str, option("--language LANGUAGE", "en or zh: the words of the page.")] = "en",
    kind: options.Kind = None,
    form: options.Format = None,
) -> None:
    """Write one page about DATA and the model that suits it: data, models tried, honest scores, reasons, limits.

    The page is one HTML file that needs no network. Its charts can be moved: another prior, other costs, other values.
    """
    from likely.errors.options import choose
    from likely.output.atomic_write import check_place
    from likely.report.report import ENDINGS, LANGUAGES

    choose(language, LANGUAGES, "language", "O705", place="--language")
    place = output or Path(f"{_stem(data)}-report.html")
    check_place(place, ENDINGS)
    named = [name for words in model or () for name in map(str.strip, words.split(","))]
    files = [name for name in named if name.lower().endswith(MODEL_ENDING)]
    if files and len(named) > 1:
        hint = "name the file alone, or several models by name"
        raise UsageError("U110", "--model names a file beside others", place="likely report", hint=hint)
    with session.notes(), hinted():
        made = (_of_model if files else _of_table)(session, data, target, named, language, kind, form, place)
    made.save(place)
    session.answer({**made.to_dict(), "output": str(place)})
    session.say(*_lines(made.content))
    session.say(f"saved to {place}")


def _stem(data: str) -> str:
    """What the page is called after."""
    stem = Path(data).name.split(".")[0]
    return stem if stem.replace("-", "").replace("_", "").isalnum() else "likely"


def _of_table(
    session: Session, data: str, target: str | None, named: list[str], language: str, kind: Any, form: Any, place: Path
) -> Any:
    from likely.cli.inputs import open_rows, open_table, target_missing
    from likely.report.report import report_table

    if target is None:
        raise target_missing(open_rows(session, data, form), "likely report")
    kinds = options.read_kinds(kind)
    X, y, target = open_table(data, form, target, session, options.columns_of_kinds(kind), kinds)
    words = ["likely report", data, "--target", target, *(["--model", ",".join(named)] if named else [])]
    command = " ".join([*words, *_said(session, kind, language), "-o", str(place)])
    with session.watch("reporting", unit="steps") as tick:
        return report_table(
            X, y, target, named or None, kinds, language, session.seed, data, command, lambda: tick(1), session.words
        )


def _of_model(
    session: Session, data: str, target: str | None, named: list[str], language: str, kind: Any, form: Any, place: Path
) -> Any:
    from likely.cli.inputs import inner, open_model, open_rows, rows_to_judge, table_of
    from likely.report.report import report_fitted

    for word, value in (("--target", target), ("--kind", kind)):
        if value is not None:
            hint = f"leave {word} out: the file knows it"
            raise UsageError("U110", f"{word} beside a model file", place="likely report", hint=hint)
    found = open_model(named[0])
    source = open_rows(session, data, form, model=found)
    with rows_to_judge(session, found, source) as known:
        X, y, _ = table_of(known, inner(found).model_.schema.target.name, None)
    words = ["likely report", data, "--model", named[0]]
    command = " ".join([*words, *_said(session, kind, language), "-o", str(place)])
    with session.watch("reporting", unit=""):
        rows = X.select(list(inner(found).model_.schema.origins))
        return report_fitted(found, rows, y, language, session.seed, data, command, session.words)


def _said(session: Session, kind: Any, language: str) -> list[str]:
    """The other options that were said."""
    found = [word for one in kind or () for word in ("--kind", one)]
    found += ["--language", language] if language != "en" else []
    return [*found, *(["--seed", str(session.seed)] if session.seed else [])]


def _lines(told: Any) -> list[str]:
    """What the page begins with, and the models that were tried."""
    from likely.report.page.page import lead
    from likely.report.page.tags import number
    from likely.report.page.words import Words

    words = Words("en")
    found = [lead(told, words)]
    loss = told["models"].get("loss")
    tried = ", ".join(f"{one['name']} {number(one[loss])}" for one in told["models"]["rows"])
    if tried:
        found.append(f"tried, by {words(loss)}: {tried}")
    found += [f"look twice: {line}" for line in told["data"]["suspicions"]]
    return found
