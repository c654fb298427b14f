"""The sections of the page: headings, sentences, places for charts, and the tables that say the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from likely.report.page.tags import cut, details, number, percent, table, tag, text
from likely.report.page.words import Words

Told = Mapping[str, Any]
Section = Callable[[Told, Words], str]
COLUMNS_SHOWN = 12  # in a first look at the data; more are in the data table
SCORES_OF_MODELS = ("log_loss", "accuracy", "brier", "auc", "squared", "rmse", "absolute", "r2", "seconds")
SHARES = ("accuracy", "calibration_error")  # told in per cent


def chart(name: str, caption: str, words: Words, heads: list[str], rows: list[Any], inside: str = "") -> str:
    """A place where a chart is drawn, with what controls it, and its data table."""
    drawn = tag("div", class_="chart", data_chart=name, role="img", aria_label=caption)
    said = text("figcaption", caption)
    return tag("figure", said, drawn, inside, details(words("table"), table(heads, rows, caption)), id=f"{name}-figure")


def data(told: Told, words: Words) -> str:
    """Alerts first, then classes and columns."""
    seen = told["data"]
    alerts = [*seen["suspicions"], *(line for one in seen["columns"] for line in one["suspicions"])]
    listed = tag("ul", *(text("li", line, lang="en") for line in alerts[:40]), class_="alerts")
    found = [text("p", words("data_lead", rows=number(seen["rows"]), columns=number(len(seen["columns"]))))]
    found += [text("h3", words("alerts")), listed] if alerts else [text("p", words("no_alerts"))]
    if seen["balance"]:
        rows = [
            [str(one["class"]), one["rows"], percent(one["rows"] / max(seen["rows"], 1))] for one in seen["balance"]
        ]
        heads = [words("class"), words("rows"), words("share")]
        found.append(chart("balance", words("balance"), words, heads, rows))
    heads = [words("column"), words("kind"), words("values"), words("missing")]
    columns = [[one["name"], one["kind"], one["values"], one["missing"]] for one in seen["columns"]]
    if columns:
        found.append(table(heads, columns[:COLUMNS_SHOWN], words("columns")))
    if len(columns) > COLUMNS_SHOWN:
        more = words("more_columns", count=len(columns) - COLUMNS_SHOWN)
        found.append(details(more, table(heads, columns[COLUMNS_SHOWN:], words("columns"))))
    return "".join(found)


def models(told: Told, words: Words) -> str:
    """Which models were tried, as a picture and a table; then what a pool says of itself."""
    tried = told["models"]
    found = []
    if tried["rows"]:
        key = "models_lead_number" if told["numeric"] else "models_lead"
        found.append(text("p", words(key, folds=tried["folds"], chosen=tried["chosen"])))
        names = [name for name in SCORES_OF_MODELS if name in tried["rows"][0]]
        rows = [[one["name"], *(one[name] for name in names), one["about"]] for one in tried["rows"]]
        caption = words("models_chart", loss=words(tried["loss"]))
        heads = [words("model"), *(words(name) for name in names), words("about")]
        found += [chart("models", caption, words, heads, rows), text("p", tried["words"], lang="en")]
    elif not tried["leaderboard"]:
        found.append(text("p", words("one_model", model=tried["chosen"])))
    found += [text("p", words("left_out", name=name, why=why)) for name, why in tried["left_out"].items()]
    if tried["leaderboard"] or tried["story"]:
        found.append(text("h3", words("leaderboard")))
    if tried["leaderboard"]:
        names = [*dict.fromkeys(name for one in tried["leaderboard"] for name in one)]
        rows = [[one.get(name) for name in names] for one in tried["leaderboard"]]
        found.append(table([name.replace("_", " ") for name in names], rows, words("leaderboard")))
    if tried["story"]:
        found.append(tag("ul", *(text("li", line, lang="en") for line in tried["story"])))
    return "".join(found)


def performance(told: Told, words: Words) -> str:
    """How it was judged, and the scores with their intervals."""
    seen = told["performance"]
    key = "cross_validation" if seen["method"] == "cross_validation" else "as_they_are"
    found = [text("p", words(key, folds=seen["folds"], rows=number(seen["rows"])))]
    if seen["chosen_among"] > 2:
        found.append(text("p", words("selection", models=seen["chosen_among"])))
    rows = [
        [
            words(one["name"]),
            _told(one["name"], one["value"]),
            " – ".join(_told(one["name"], end) for end in one["interval"]) if one["interval"] else "",
            _told(one["name"], one["baseline"]),
        ]
        for one in seen["scores"]
        if one["value"] is not None
    ]
    heads = [words(name) for name in ("score", "value", "interval", "baseline")]
    found.append(table(heads, rows, words("performance")))
    found.append(text("p", words("baseline_note", skill=percent(seen["skill"]) or number(seen["skill"]) or "?")))
    found += [text("p", note, lang="en") for note in seen["notes"]]
    if told["numeric"]:
        found.append(chart("scatter", words("scatter"), words, [words("true"), words("predicted")], seen["points"]))
    return "".join(found)


def _told(name: str, value: Any) -> str:
    return percent(value) if name in SHARES else number(value)


def calibration(told: Told, words: Words) -> str:
    """Predicted against observed, before and after."""
    seen = told["calibration"]
    found = []
    if seen.get("after"):
        said = {
            "before": percent(seen["before"]["ece"]),
            "after": percent(seen["after"]["ece"]),
            "loss_before": number(seen["log_loss_before"]),
            "loss_after": number(seen["log_loss_after"]),
        }
        found.append(text("p", words("calibration_words", **said)))
    elif seen.get("reason"):
        found.append(text("p", words("not_drawn", why=seen["reason"])))
    rows = [
        [words(when), *(seen[when][name][at] for name in ("forecast", "observed", "low", "high", "rows"))]
        for when in ("before", "after")
        if seen.get(when)
        for at in range(len(seen[when]["forecast"]))
    ]
    heads = ["", words("predicted"), words("observed"), "2.5 %", "97.5 %", words("rows")]
    return "".join([*found, chart("calibration", words("calibration_caption"), words, heads, rows)])


def confusion(told: Told, words: Words) -> str:
    """Rows by true and predicted class."""
    seen = told["confusion"]
    if "pairs" in seen:
        rows = [[one["true"], one["predicted"], one["rows"]] for one in seen["pairs"]]
        return table([words("true"), words("predicted"), words("rows")], rows, words("confusion_pairs"))
    classes = [str(level) for level in seen["classes"]]
    trios = zip(classes, seen["matrix"], seen["recall"], seen["precision"], strict=True)
    rows = [[name, *line[: len(classes)], percent(recall), percent(right)] for name, line, recall, right in trios]
    heads = [f"{words('true')} ↓ {words('predicted')} →", *classes, words("recall"), words("precision")]
    return chart("confusion", words("confusion_caption"), words, heads, rows)


def beliefs(told: Told, words: Words) -> str:
    """The most telling columns, and what they look like in each class."""
    seen = told["beliefs"]
    if not seen["columns"]:
        return text("p", words("not_drawn", why=seen.get("reason", "")))
    classes = [str(level) for level in seen["classes"]]
    rows = [[one["name"], one["bits"], *map(cut, one["cells"][:8])] for one in seen["columns"]]
    heads = [words("column"), words("bits"), *classes[: max(len(row) for row in rows) - 2]]
    rows = [[*row, *[""] * (len(heads) - len(row))] for row in rows]
    found = [text("p", words("beliefs_lead", target=told["target"]))]
    found.append(chart("beliefs", words("beliefs_caption", target=told["target"]), words, heads, rows))
    small = [_belief(one["name"], at, words) for at, one in enumerate(seen["columns"]) if {"means", "levels"} & {*one}]
    return "".join([*found, tag("div", *small, class_="small")])


def _belief(name: str, at: int, words: Words) -> str:
    caption = words("belief_caption", name=name)
    drawn = tag("div", class_="chart", data_chart="belief", data_at=at, role="img", aria_label=caption)
    return tag("figure", text("figcaption", caption), drawn)


def examples(told: Told, words: Words) -> str:
    """Rows with their reasons."""
    seen = told["examples"]
    lead = words("examples_lead_number") if told["numeric"] else words("examples_lead").split(" To the right")[0]
    found = [text("p", lead), text("p", words("rows_from_zero"))]
    for at, one in enumerate(seen["rows"]):
        said = {name: number(one[name]) if told["numeric"] else one[name] for name in ("predicted", "true")}
        body = [text("h3", words(one["why"], row=one["row"], **said))]
        if not told["numeric"]:
            chances = ", ".join(f"{one_['class']} {percent(one_['probability'])}" for one_ in one["chances"])
            body.append(text("p", f"{words('probability')}: {chances}"))
        if one.get("reasons"):
            sides = one["sides"]
            key = "adds_caption" if sides is None else "reasons_caption"
            caption = words(key) if sides is None else words(key, for_=sides[0], against=sides[1])
            rows = [[reason["name"], reason["value"], reason["amount"]] for reason in one["reasons"]]
            heads = [words("reason"), words("value"), words("adds" if sides is None else "amount")]
            place = tag("div", class_="chart", data_chart="reasons", data_at=at, role="img", aria_label=caption)
            tail = details(words("table"), table(heads, rows, caption))
            body.append(tag("figure", text("figcaption", caption), place, tail))
        found.append(tag("article", *body))
    if seen.get("reason"):
        found.append(text("p", words("not_drawn", why=seen["reason"])))
    return "".join(found)


def graph(told: Told, words: Words) -> str:
    """Arcs, members or a tree."""
    seen = told["graph"]
    form = seen["form"]
    if form in ("joint", "sum", "mixed"):
        return text("p", words(f"graph_{form}", target=seen["target"]))
    if form == "star":
        rows = [[seen["target"], name] for name in seen["names"]]
        return chart("graph", words("graph_none", target=seen["target"]), words, [words("from"), words("to")], rows)
    if form == "tree":
        rows = [[one["test"] or "–", one["says"], one["rows"]] for one in seen["nodes"]]
        caption = words("graph_tree", leaves=seen["leaves"])
        return chart("graph", caption, words, [words("test"), words("says"), words("rows")], rows)
    if form in ("average", "pool"):
        rows = [[one["name"], one["weight"]] for one in seen["members"]]
        caption = words(f"graph_{form}", target=seen["target"])
        return chart("graph", caption, words, [words("column"), words("weight")], rows)
    unit = words("members") if seen["kind"] == "forest" else words("nats")
    rows = [[one["from"], one["to"], one["weight"]] for one in seen["arcs"]]
    if not rows:
        return text("p", words("graph_none", target=seen["target"]))
    found = chart("graph", words("graph_arcs", target=seen["target"]), words, [words("from"), words("to"), unit], rows)
    more = text("p", words("graph_omitted", count=seen["omitted"])) if seen["omitted"] else ""
    return found + more


def boundary(told: Told, words: Words) -> str:
    """The likeliest class over two numbers."""
    seen = told["boundary"]
    if "features" not in seen:
        return text("p", words("not_drawn", why=seen["reason"]) if seen["reason"] else words("boundary_none"))
    a, b = seen["features"]
    side = seen["squares"]
    step = max(side // 8, 1)
    rows = [
        [
            number(_middle(seen, 0, column)),
            _middle(seen, 1, line),
            seen["classes"][seen["best"][line * side + column]],
            percent(seen["probability"][line * side + column]),
        ]
        for line in range(step // 2, side, step)
        for column in range(step // 2, side, step)
    ]
    return chart(
        "boundary", words("boundary_caption", a=a, b=b), words, [a, b, words("class"), words("probability")], rows
    )


def _middle(seen: Told, axis: int, at: int) -> float:
    low, high = seen["box"][axis]
    return float(low + (high - low) * (at + 0.5) / seen["squares"])


def limits(told: Told, words: Words) -> str:
    """When not to trust it."""
    lines = []
    for one in told["limits"]:
        said = {name: _said(name, value) for name, value in one.items() if name != "code"}
        lines.append(text("li", words(f"limit_{one['code']}", target=told["target"], **said)))
    return tag("ul", *lines)


def _said(name: str, value: Any) -> Any:
    return (
        percent(value)
        if name in ("skill", "low", "high", "error")
        else value
        if isinstance(value, list)
        else number(value)
    )


def made(told: Told, words: Words) -> str:
    """The command, versions, seed and hash."""
    seen = told["made"]
    pairs = [
        (words("command"), seen["command"]),
        (words("source"), seen["data"]),
        (words("hash"), seen["sha256"]),
        (words("seed"), seen["seed"]),
        (words("model"), seen["model"]),
        (words("options"), ", ".join(f"{name}={value}" for name, value in seen["options"].items())),
        (words("versions"), f"python {seen['python']}, " + ", ".join(f"{a} {b}" for a, b in seen["versions"].items())),
    ]
    return tag("dl", *(text("dt", name) + tag("dd", text("code", value)) for name, value in pairs if str(value)))
