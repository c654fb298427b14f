"""What a report says is plain data, and its page one file that holds nothing but that."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine
from sklearn.metrics import log_loss, roc_auc_score

import likely
from likely.errors import LikelyError
from likely.report import Report, report, report_model
from likely.report.page.page import SECTIONS
from likely.report.page.words import _words
from tests.report.conftest import LEVEL, SCRIPT, loans

VOID = {"meta", "input", "br", "img", "link", "hr"}


class Page(HTMLParser):
    """The elements of a page, in which everything that is opened is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.seen if name == tag]


def test_the_content_is_plain_json(told: Report) -> None:
    text = json.dumps(told.to_dict(), allow_nan=False)
    assert json.loads(text) == told.to_dict()
    assert {*SECTIONS} <= {*told.to_dict()}


def test_scores_are_those_of_the_rows_not_seen(told: Report) -> None:
    """The area is recounted by scikit-learn from the curve's own points, the log loss from folds learnt by hand."""
    curve = told.content["roc"]["classes"][0]
    hits = np.diff(curve["true_positives"]), np.diff(curve["false_positives"])
    y = np.concatenate([np.repeat([1, 0], [a, b]) for a, b in zip(*hits, strict=True)])
    places = np.repeat(-np.arange(len(hits[0])), np.add(*hits))
    assert roc_auc_score(y, places) == pytest.approx(curve["auc"], abs=1e-12)
    table = loans()
    X, y = table.drop(columns="default"), table["default"].to_numpy()
    found = report_model(likely.NaiveBayes().fit(X, y), X, y)
    said = likely.evaluation.cross_validate(likely.NaiveBayes(), X, y)
    scores = {one["name"]: one["value"] for one in found.content["performance"]["scores"]}
    assert scores["log_loss"] == pytest.approx(log_loss(y, said.proba, labels=["no", "yes"]), abs=1e-9)


def test_the_most_confident_errors_come_first(told: Report) -> None:
    rows = told.content["examples"]["rows"]
    errors = [one for one in rows if one["why"] == "error"]
    sure = [one["chances"][0]["probability"] for one in errors]
    assert rows[: len(errors)] == errors
    assert sure == sorted(sure, reverse=True)
    assert all(one["true"] != one["predicted"] for one in errors)


def test_the_page_is_one_valid_file_that_fetches_nothing(told: Report) -> None:
    text = told.to_html()
    page = Page(text)
    assert len(text.encode()) < 1_000_000
    assert page.seen[0][0] == "html"
    policy = next(one["content"] for one in page.all("meta") if one.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
    assert not [one for _, one in page.seen if any(name.startswith("on") or name in ("src", "style") for name in one)]
    assert all((one["href"] or "").startswith("#") for one in page.all("a"))
    named = [one["id"] for _, one in page.seen if one.get("id")]
    assert len(named) == len({*named})


def test_every_chart_has_a_name_and_a_table(told: Report) -> None:
    text = told.to_html()
    page = Page(text)
    charts = [one for one in page.all("div") if "data-chart" in one]
    assert all(one["role"] == "img" and one["aria-label"] for one in charts)
    beside = [one for one in charts if one["data-chart"] != "belief"]  # whose table is that of all beliefs
    assert text.count("<summary>Data table</summary>") == len(beside)
    sliders = [one["id"] for one in page.all("input")]
    assert {*sliders} <= {one.get("for") for one in page.all("label")}


def test_names_and_levels_stay_words(injected: Report) -> None:
    text = injected.to_html()
    Page(text)
    assert SCRIPT not in text
    assert LEVEL not in text
    assert "\u2028" not in re.search(r'<script type="application/json" id="content">(.*?)</script>', text)[1]
    again = json.loads(re.search(r'<script type="application/json" id="content">(.*?)</script>', text)[1])
    assert SCRIPT in [one["name"] for one in again["beliefs"]["columns"]]
    small = injected._repr_html_()
    assert SCRIPT not in small
    assert len(small) < 60_000


def test_every_word_is_in_both_languages() -> None:
    for key, said in _words().items():
        assert {*said} == {"en", "zh"}, key
        assert {*re.findall(r"{\w+}", said["zh"])} <= {*re.findall(r"{\w+}", said["en"])}, key


def test_chinese(told: Report) -> None:
    page = Report({**told.content, "language": "zh"}, "zh").to_html()
    assert '<html lang="zh">' in page
    assert "选择阈值" in page
    assert "{" not in re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.DOTALL)


def test_rows_that_the_model_has_not_learnt_are_judged_as_they_are() -> None:
    table = loans()
    X, y = table.drop(columns="default"), table["default"]
    found = likely.NaiveBayes().fit(X[:80], y[:80]).report(X[80:], y[80:])
    told = found.content["performance"]
    assert told["method"] == "as they are"
    assert told["rows"] == 40


@pytest.mark.parametrize("model", [likely.GaussianBayes(), likely.ParzenBayes(), likely.BayesForest(random_state=0)])
def test_arrays_have_reports_too(model: Any) -> None:
    table = loans()
    X, y = table[["income", "age"]].to_numpy(), table["default"].to_numpy()
    found = model.fit(X, y).report(X, y)
    assert len(found.content["data"]["columns"]) == 2
    Page(found.to_html())


def test_many_classes() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 30, 400)
    table = pd.DataFrame(
        {"x": y + rng.normal(size=400), "z": rng.normal(size=400), "kind": [f"k{one:02}" for one in y]}
    )
    found = report(table, "kind", model="naive")
    assert len(found.content["roc"]["classes"]) == 12
    assert len(found.to_html()) < 1_000_000


@dataclass(frozen=True)
class Tried:
    name: str
    log_loss: float


class Pooled(likely.NaiveBayes):
    """A model that has tried others by itself, and says so."""

    leaderboard_ = (Tried("<b>pool</b>", 0.3), Tried("tan", float("nan")))
    story_ = ("two models were tried",)
    weights_: ClassVar[dict[str, float]] = {"tan": 0.7, "naive": 0.4}


def test_a_model_that_tries_others_tells_of_them() -> None:
    table = loans()
    X, y = table.drop(columns="default"), table["default"]
    found = Pooled().fit(X, y).report(X, y)
    assert found.content["models"]["leaderboard"][1] == {"name": "tan", "log_loss": None}
    assert found.content["performance"]["folds"] == 5  # each of which tries all models again
    assert [one["name"] for one in found.content["graph"]["members"]] == ["tan", "naive"]
    text = found.to_html()
    Page(text)
    assert "two models were tried" in text
    assert "&lt;b&gt;pool&lt;/b&gt;" in text


def test_very_many_classes() -> None:
    """Of a class of three rows there is no matrix of confusion, and no cell for each class and column."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"x": rng.normal(size=600), "z": rng.normal(size=600), "kind": np.arange(600) % 200})
    found = report(table.assign(kind="k" + table["kind"].astype(str)), "kind", model="naive")
    assert "matrix" not in found.content["confusion"]
    assert len(found.to_html()) < 1_000_000


def test_words_as_long_as_books() -> None:
    table = loans()
    table["home"] = table["home"].map({"rent": "r" * 50_000, "own": "o" * 50_000})
    assert len(report(table, "default", model="naive").to_html()) < 1_000_000


def test_a_numeric_target() -> None:
    found = report(loans(), "income")
    assert found.content["numeric"]
    assert "roc" not in found.content
    Page(found.to_html())
    assert "explains" in found.to_html()


def test_a_model_that_knows_nothing_is_told_so() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"noise": rng.normal(size=60), "y": rng.choice(["a", "b"], 60)})
    codes = [one["code"] for one in report(table, "y", model="naive").content["limits"]]
    assert codes[0] == "no_skill"


@pytest.mark.parametrize("rows", [{"x": [1, 2], "y": ["a", "a"]}, {"x": [1.0], "y": ["a"]}])
def test_tables_without_two_classes_are_refused(rows: dict[str, list[Any]]) -> None:
    with pytest.raises(LikelyError, match="'a'") as caught:
        report(pd.DataFrame(rows), "y")
    assert caught.value.hint


def test_no_such_column_or_language() -> None:
    with pytest.raises(LikelyError, match=r"(?s)O706.*Did you mean 'default'"):
        report(loans(), "defualt")
    with pytest.raises(LikelyError, match="O705"):
        report(loans(), "default", language="fr")


def test_a_table_with_a_class_of_one_row_and_columns_without_values() -> None:
    table = loans(40).assign(empty=None, same="x")
    table.loc[0, "default"] = "once"
    found = report(table, "default", model=["naive", "logistic"])
    Page(found.to_html())


def test_a_report_ends_in_html(told: Report, tmp_path: Path) -> None:
    with pytest.raises(LikelyError, match="O121"):
        told.save(tmp_path / "report.pdf")


def test_a_pool_is_judged_by_the_rows_that_it_held_out_and_others_on_its_folds() -> None:
    data = load_wine(as_frame=True).frame.iloc[:, [0, 6, 9, 13]]
    told = report(data, "target", model=["auto", "naive"]).content
    X, y = data.drop(columns="target"), data["target"]
    pool = likely.fit(data, "target", likely.BayesClassifier())
    held = pool.model_.held_out
    assert held is not None
    loss = -held.under(pool.model_.log_prior)[np.arange(len(y)), y].mean()
    losses = {one["name"]: one["log_loss"] for one in told["models"]["rows"]}
    naive = likely.evaluation.cross_validate(likely.NaiveBayes(), X, y, folds=held.fold)
    assert losses["auto"] == pytest.approx(float(loss), abs=5e-3)  # the mean of folds, which are not of one size
    assert losses["naive"] == pytest.approx(naive.scores()["log_loss"].mean())
    assert told["performance"]["folds"] == held.folds
