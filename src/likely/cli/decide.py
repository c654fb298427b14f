"""likely decide: from probabilities and what mistakes cost to actions."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from shlex import quote
from typing import Annotated, Any

from likely.cli import options
from likely.cli.options import option
from likely.cli.terminal.failures import UsageError
from likely.cli.terminal.session import Session
from likely.errors import LikelyError, nearest

EXAMPLE = "likely decide loans.likely new.csv --loss loss.csv --reject 0.5 -o decisions.csv"
DECISION, COST = "decision", "expected_loss"


def run(
    session: Session,
    model: options.Model,
    data: options.Data,
    loss: options.Loss = None,
    reject: options.Reject = None,
    priors: Annotated[
        str | None,
        option(
            "--priors CLASS=P,...",
            "Class priors where the decisions are made: yes=0.1,no=0.9; or estimate: from DATA itself, by EM.",
        ),
    ] = None,
    threshold: Annotated[
        float | None,
        option(
            "--threshold P", "Decide --positive (else the second class) from this probability on.", min=0.0, max=1.0
        ),
    ] = None,
    positive: options.Positive = None,
    false_alarms: Annotated[
        float | None,
        option(
            "--false-alarms RATE",
            "Detect all that is possible with at most this rate of false positives on the rows of --labelled.",
        ),
    ] = None,
    labelled: Annotated[str | None, option("--labelled FILE", "Rows with their classes, for --false-alarms.")] = None,
    suggest: Annotated[
        bool,
        option(
            "--suggest", "Decide nothing: say from which probability on to decide, given --loss; DATA has the classes."
        ),
    ] = False,
    match_labels: options.MatchLabels = False,
    output: options.Output = None,
    only: options.Only = False,
    form: options.Format = None,
) -> None:
    """Decide what to do with every row: the least expected loss, abstaining where that is cheaper."""
    from likely.cli.inputs import open_model, open_rows, refuse_amounts
    from likely.cli.terminal.output_rows import send
    from likely.estimators.streams import scored, watched

    _refuse_mixtures(loss, reject, threshold, false_alarms, labelled)
    if suggest:
        said = {"--reject": reject, "--threshold": threshold, "--false-alarms": false_alarms, "--output": output}
        said |= {"--only": only or None, "--priors estimate": True if priors == "estimate" else None}
        _suggest(
            session,
            model,
            data,
            (loss, priors, positive, form, match_labels),
            [name for name, one in said.items() if one is not None],
        )
        return
    if match_labels and labelled is None:
        hint = "leave it out, or say --suggest, or --false-alarms with --labelled: nothing else looks at labels"
        raise UsageError("U110", "--match-labels without labels", place="likely decide", hint=hint)
    estimated = priors == "estimate"
    found = open_model(model, None if estimated else priors)
    refuse_amounts(found, model, "decide between")
    source = open_rows(session, data, form, model=found)
    head: dict[str, Any] = {"model": model, "classes": found.classes_.tolist()}
    if estimated:
        found, head["shift"] = _moved(found, source, session)
    rule = _rule(found, loss, reject, threshold, options.one_of(positive, found.classes_.tolist()))
    if false_alarms is not None:
        rule, head["operating_point"] = _bounded(found, labelled, false_alarms, positive, session, match_labels)
    tally: Counter[Any] = Counter()
    total = [0.0]

    def answered(tick: Any) -> Iterator[tuple[Any, dict[str, Any]]]:
        import pyarrow as pa

        what = "proba" if false_alarms is None else "log_likelihood"
        for batch, table in scored(found, watched(source, tick), what):
            actions, costs = rule(table)
            tally.update(actions)
            total[0] += 0.0 if costs is None else float(costs.sum())
            beside = {} if costs is None else {COST: pa.array(costs)}
            kinds = pa.array(found.classes_.tolist()).type
            yield (batch.select([]) if only else batch), {DECISION: pa.array(actions, type=kinds), **beside}

    with session.watch("deciding") as tick:
        rows = send(session, answered(tick), output, "decisions", head)
    if output != "-" and (output is not None or sys.stdout.isatty()):
        session.say(*_lines(tally, total[0], rows, source.place, output, head))


def _suggest(
    session: Session,
    model: str,
    data: str,
    asked: tuple[str | None, str | None, str | None, str | None, bool],
    odd: list[str],
) -> None:
    """Say from which probability on to decide, given what mistakes cost, on rows whose classes are known."""
    from likely.cli.evaluate import note_flattery
    from likely.cli.inputs import open_model, open_rows, refuse_amounts, rows_to_judge
    from likely.decisions import suggest_threshold
    from likely.estimators.streams import judged, watched

    if odd:
        hint = f"leave {odd[0]} out: --suggest decides nothing, it looks for a threshold"
        raise UsageError("U110", f"--suggest and {odd[0]}", place="likely decide", hint=hint)
    loss, priors, positive, form, match_labels = asked
    found = open_model(model, priors)
    refuse_amounts(found, model, "decide between")
    classes = found.classes_.tolist()
    source = open_rows(session, data, form, model=found)
    known = rows_to_judge(session, found, source, match_labels)
    with _labels_wanted(found, source.columns), known as rows, session.watch("judging") as tick:
        seen = judged(found, watched(rows, tick))
    note_flattery(session, found, len(seen.cells))
    judged_class = None if positive is None else options.one_of(positive, classes)
    costs = options.read_loss(loss, classes)
    if loss is None:
        session.note("every mistake costs 1; to say what each costs: --loss yes=10,no=1, or a file")
    told = suggest_threshold(found.classes_[seen.cells], seen.proba, found.classes_, costs, judged_class, seen.weights)
    session.answer({"model": model, **told.to_dict()})
    session.say(f"{model} on {data}, {len(seen.cells):,} rows", repr(told))
    if 0 <= told.threshold <= 1:
        said = {"--priors": priors, "--threshold": f"{told.threshold:.4g}", "--positive": str(told.positive)}
        words = " ".join(f"{name} {quote(word)}" for name, word in said.items() if word is not None)
        session.say(f"next: likely decide {quote(model)} NEW.csv {words}")


@contextmanager
def _labels_wanted(model: Any, columns: Sequence[str]) -> Iterator[None]:
    """Rows without labels suggest nothing: the error says what does without them."""
    from likely.cli.inputs import inner
    from likely.data.files.column_numbers import are_without_target

    try:
        yield
    except LikelyError as error:
        schema, classes = inner(model).model_.schema, model.classes_.tolist()
        unnamed = are_without_target(columns, schema.origins)
        if error.code == "D105" or (error.code == "S211" and (unnamed or {*schema.origins} <= {*columns})):
            near = nearest(schema.target.name, columns) if schema.target.name not in columns else ""
            costs = quote(
                ",".join(f"{name}={cost}" for name, cost in zip(classes[::-1], (10, *[1] * len(classes)), strict=False))
            )
            error.hint = (
                f"--suggest needs rows whose classes are known.{near} Without them, leave --suggest out and say what"
                f" mistakes cost, as in --loss {costs}: that decides by the costs alone"
            )
        raise


def _refuse_mixtures(
    loss: str | None, reject: float | None, threshold: float | None, false_alarms: float | None, labelled: str | None
) -> None:
    """A loss, a threshold and a rate of false alarms are three ways to say one thing."""
    said = {"--loss or --reject": loss is not None or reject is not None}
    said |= {"--threshold": threshold is not None, "--false-alarms": false_alarms is not None}
    ways = [name for name, one in said.items() if one]
    if len(ways) > 1:
        message = f"{' and '.join(ways)} both say how to decide"
        raise UsageError("U110", message, place="likely decide", hint="say one of them")
    if (false_alarms is None) != (labelled is None):
        hint = "say both: --false-alarms 0.05 --labelled held-out.csv"
        raise UsageError("U110", "--false-alarms needs --labelled, and the reverse", place="likely decide", hint=hint)


def _rule(model: Any, loss: str | None, reject: float | None, threshold: float | None, positive: Any) -> Any:
    """probabilities (rows, classes) -> actions and, where they are known, expected losses (rows,)."""
    from likely.decisions import decide_above, judge
    from likely.decisions.losses import read_loss

    classes = model.classes_
    if threshold is not None:
        return lambda proba: (decide_above(proba, classes, positive, threshold).tolist(), None)
    matrix = read_loss(options.read_loss(loss, classes.tolist()), classes.tolist())

    def least(proba: Any) -> tuple[list[Any], Any]:
        if not len(proba):
            return [], proba[:, 0]
        told = judge(proba, classes, matrix, reject)
        return told.actions.tolist(), told.expected

    return least


def _moved(model: Any, source: Any, session: Session) -> tuple[Any, dict[str, Any]]:
    """The model under the class priors that the rows themselves speak for."""
    import numpy as np

    from likely.decisions import estimate_priors
    from likely.estimators.streams import scored, watched
    from likely.evaluation import Recalibrated

    with session.watch("estimating the class priors") as tick:
        proba = np.concatenate([part for _, part in scored(model, watched(source, tick))])
    before = model.priors if isinstance(model, Recalibrated) else np.exp(model.model_.log_prior)
    shift = estimate_priors(proba, before, model.classes_)
    session.say(repr(shift))
    return model.with_priors(dict(zip(model.classes_.tolist(), shift.priors.tolist(), strict=True))), shift.to_dict()


def _bounded(
    model: Any, labelled: str | None, rate: float, positive: str | None, session: Session, match_labels: bool
) -> Any:
    """A rule with a bounded rate of false alarms on labelled rows, and where it operates."""
    from likely.cli.inputs import open_rows, rows_to_judge
    from likely.decisions import neyman_pearson
    from likely.decisions.actions import two_classes
    from likely.estimators.streams import judged, watched

    classes = model.classes_.tolist()
    at, other = two_classes(classes, None if positive is None else options.one_of(positive, classes))
    assert labelled is not None, "checked before"
    source = open_rows(session, labelled, None, model=model)
    with rows_to_judge(session, model, source, match_labels) as known, session.watch("finding the threshold") as tick:
        seen = judged(model, watched(known, tick))
    ratio = seen.log_likelihood[:, at] - seen.log_likelihood[:, other]
    point = neyman_pearson(model.classes_[seen.cells], ratio, classes[at], rate)

    def rule(evidence: Any) -> tuple[list[Any], None]:
        far = point.flags(evidence[:, at] - evidence[:, other])
        return [classes[at] if yes else classes[other] for yes in far], None

    return rule, point.to_dict()


def _lines(
    tally: Counter[Any], total: float, rows: int, place: str, output: str | None, head: dict[str, Any]
) -> list[str]:
    shown = ", ".join(f"{'abstain' if action is None else action} {count:,}" for action, count in tally.most_common())
    lines = [f"{rows:,} rows of {place} decided: {shown}"]
    if "operating_point" in head:
        point = head["operating_point"]
        lines.append(
            f"on the labelled rows: {point['false_positive_rate']:.1%} false alarms ({point['false_positives']} of"
            f" {point['negatives']}), {point['true_positive_rate']:.1%} detected ({point['true_positives']} of"
            f" {point['positives']})"
        )
    elif rows and total:
        lines.append(f"expected loss: {total / rows:.4g} a row, {total:,.4g} in all")
    return lines if output is None else [*lines, f"written to {output}"]
