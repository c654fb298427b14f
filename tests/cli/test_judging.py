"""`likely fit` says what its score is worth: beside a baseline, on groups never seen, on the future, on a holdout."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import likely
from likely.errors import LikelyError, SchemaWarning
from likely.evaluation import cross_validate, evaluate_model
from tests.cli.conftest import Command


@pytest.fixture(scope="module")
def sales(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rows of customers who each churn or not; `customer` tells which, `x` a little, `seldom` is rare."""
    rng = np.random.default_rng(0)
    who = rng.integers(0, 30, 240)
    churn = (rng.random(30) < 0.4)[who]
    rows = pd.DataFrame(
        {
            "customer": [f"c{one}" for one in who],
            "signed_on": rng.permutation(240),
            "x": rng.normal(size=240) + churn,
            "seldom": np.where(rng.random(240) < 0.07, "yes", "no"),
            "price": rng.normal(size=240),
            "churn": np.where(churn, "yes", "no"),
        }
    )
    rows["price"] += 2 * rows["x"]
    place = tmp_path_factory.mktemp("sales") / "sales.csv"
    rows.to_csv(place, index=False)
    rows.iloc[:50].to_csv(place.with_name("later.csv"), index=False)
    rows.assign(churn="no").to_csv(place.with_name("one.csv"), index=False)
    return place


def test_the_baseline_stands_beside_the_score(sales: Path, likely_says: Command) -> None:
    told = likely_says("fit", sales, "-t", "churn", "-m", "naive", "--json").document["leave_one_out"]
    y = pd.read_csv(sales)["churn"]
    shares = y.value_counts(normalize=True)
    assert told["baseline"]["accuracy"] == pytest.approx(shares.max())
    assert told["baseline"]["log_loss"] == pytest.approx(-(shares * np.log(shares)).sum())
    assert told["skill"] == pytest.approx(1 - told["log_loss"] / told["baseline"]["log_loss"])
    said = likely_says("fit", sales, "-t", "churn", "-m", "naive").out
    assert f"\n  baseline accuracy {shares.max():.3f}, log loss" in said
    assert f"\n  skill    {told['skill']:.3g}" in said


def test_a_rare_class_comes_before_accuracy(sales: Path, likely_says: Command) -> None:
    said = likely_says("fit", sales, "-t", "seldom", "-m", "naive").out
    line = next(line for line in said.splitlines() if "held out" in line)
    assert line.index("average precision of yes") < line.index("recall") < line.index("accuracy")
    assert "  note     accuracy flatters here" in said
    assert (
        likely_says("fit", sales, "-t", "seldom", "-m", "naive", "--json").document["leave_one_out"]["positive"]
        == "yes"
    )


def test_numbers_have_the_mean_for_a_baseline(sales: Path, likely_says: Command) -> None:
    words = ("fit", sales, "-t", "price", "-m", "linear")
    told = likely_says(*words, "--json").document["cross_validation"]
    assert told["skill"] == pytest.approx(told["r2"])
    assert told["baseline"]["rmse"] > told["rmse"]
    assert "\n  baseline R² " in likely_says(*words).out


def test_a_model_is_judged_on_customers_that_it_never_saw(sales: Path, likely_says: Command, tmp_path: Path) -> None:
    kept = tmp_path / "m.likely"
    seen = likely_says("fit", sales, "-t", "churn", "-m", "naive", "--json").document["leave_one_out"]
    done = likely_says("fit", sales, "-t", "churn", "-m", "naive", "--groups", "customer", "--json", "-o", kept)
    told = done.document["cross_validation"]
    rows = pd.read_csv(sales)
    X = rows[["signed_on", "x", "seldom", "price"]]
    expected = cross_validate(likely.NaiveBayes(), X, rows["churn"], 10, groups=rows["customer"]).evaluate()
    assert told["log_loss"] == pytest.approx(expected.log_loss)
    assert seen["accuracy"] > told["accuracy"] + 0.1
    assert "'customer' says which rows belong together and is not learnt from" in done.err
    assert "--kind customer=category" in done.err
    model = likely.load(kept)
    assert model.feature_names_in_.tolist() == list(X.columns)
    use = likely_says(
        "fit", sales, "-t", "churn", "-m", "naive", "--groups", "customer", "-k", "customer=category", "--json"
    )
    assert "customer" in [column["name"] for column in use.document["columns"]]
    assert "'customer' says" not in use.err
    rows[X.columns].to_csv(tmp_path / "new.csv", index=False)  # without the customers
    assert likely_says("predict", kept, tmp_path / "new.csv", "--json").exit == 0


@pytest.mark.parametrize("model", ["naive", "tan", "tree", "bagging"])
def test_a_model_is_judged_on_the_future(sales: Path, likely_says: Command, model: str) -> None:
    done = likely_says("fit", sales, "-t", "churn", "-m", model, "--time", "signed_on")
    assert "200 rows of 240 judged, each by a model of the rows before it (5 blocks by 'signed_on')" in done.out
    assert "learns them afresh" not in done.out
    assert "'signed_on' says which rows are later and is not learnt from" in done.err


def test_a_share_or_a_file_is_held_out(sales: Path, likely_says: Command, tmp_path: Path) -> None:
    kept, words = tmp_path / "m.likely", ("fit", sales, "-t", "churn", "-m", "naive")
    said = likely_says(*words, "--holdout", "25%").out
    assert "60 rows held out, judged by a model of the other 180 rows; the model itself has learnt all rows" in said
    said = likely_says(*words, "--holdout", "0.25", "--time", "signed_on").out
    assert "the last 60 rows by 'signed_on', judged by a model of 180 rows before them" in said
    later = sales.with_name("later.csv")
    told = likely_says(*words, "--holdout", later, "--json", "-o", kept).document["holdout"]
    rows = pd.read_csv(later)
    expected = evaluate_model(likely.load(kept), rows.drop(columns="churn"), rows["churn"])
    assert told["log_loss"] == pytest.approx(expected.log_loss)
    assert told["rows"] == 50
    told = likely_says("fit", sales, "-t", "price", "-m", "linear", "--holdout", later, "--json").document["holdout"]
    mean = pd.read_csv(sales)["price"].mean()
    assert told["baseline"]["rmse"] == pytest.approx(np.sqrt(((rows["price"] - mean) ** 2).mean()))


def test_a_file_held_out_that_was_learnt_is_told(sales: Path, likely_says: Command, tmp_path: Path) -> None:
    rows = pd.read_csv(sales)
    rows.iloc[50:].to_csv(tmp_path / "others.csv", index=False)
    later, others = sales.with_name("later.csv"), tmp_path / "others.csv"
    said = likely_says("fit", others, "-t", "churn", "-m", "naive", "--holdout", later).out
    assert f"50 rows of {later}, which the model has not learnt" in said
    for target, model in (("churn", "naive"), ("price", "linear")):
        said = likely_says("fit", sales, "-t", target, "-m", model, "--holdout", later).out
        assert f"50 rows of {later}, of which all are in {sales} too" in said
    rows.iloc[40:60].to_csv(tmp_path / "both.csv", index=False)
    said = likely_says("fit", others, "-t", "churn", "-m", "naive", "--holdout", tmp_path / "both.csv").out
    assert f"both.csv, of which 10 are in {others} too" in said
    few = pd.DataFrame({"a": np.arange(40) % 2, "b": np.arange(40) % 3, "y": np.where(np.arange(40) % 4 < 2, "n", "y")})
    few.iloc[:20].to_csv(tmp_path / "few.csv", index=False)
    few.iloc[20:].to_csv(tmp_path / "more.csv", index=False)  # rows of few values are alike by chance
    said = likely_says("fit", tmp_path / "few.csv", "-t", "y", "-m", "naive", "--holdout", tmp_path / "more.csv").out
    assert "more.csv, which the model has not learnt" in said


@pytest.mark.parametrize(
    "words", [("--priors", "yes=0.1,no=0.9"), ("--class-weight", "yes=9,no=1"), ("--class-weight", "balanced")]
)
@pytest.mark.parametrize("more", [(), ("--holdout", "0.3"), ("--groups", "customer")])
def test_priors_that_were_said_are_no_fault_of_the_columns(
    sales: Path, likely_says: Command, words: tuple[str, ...], more: tuple[str, ...]
) -> None:
    said = likely_says("fit", sales, "-t", "seldom", "-m", "naive", *words, *more).out
    line = next(line for line in said.splitlines() if "skill" in line)
    assert f"{words[0]} speaks of rows with other shares of the classes than these have" in line
    assert "recalibrate" not in line
    assert "speaks of rows" not in likely_says("fit", sales, "-t", "seldom", "-m", "naive", *more).out


def test_models_are_compared_on_groups_and_on_the_future(sales: Path, likely_says: Command) -> None:
    words = ("compare", sales, "-t", "churn", "-m", "naive,prior", "--json")
    assert likely_says(*words, "--groups", "customer").document["best"] == "naive"
    assert likely_says(*words, "--time", "signed_on").document["folds"] == 5
    assert likely_says(*words, "--time", "signed_on", "--folds", 3).document["folds"] == 3
    alone = likely_says(*words, "--holdout", "0.3").document
    assert alone["folds"] == 1
    assert "one fold tells no spread" in alone["words"]
    assert likely_says(*words, "--groups", "customer", "--repeats", 2, "--folds", 3).document["repeats"] == 2


def test_a_comparison_says_where_accuracy_flatters(sales: Path, likely_says: Command) -> None:
    share = (pd.read_csv(sales)["seldom"] == "no").mean()
    done = likely_says("compare", sales, "-t", "seldom", "-m", "naive,prior", "--folds", "2")
    assert f"accuracy flatters here: {share:.1%} of the rows are 'no'" in done.err
    assert "log loss and AUC tell more" in done.err
    for target, models in (("churn", "naive,prior"), ("price", "linear,mean")):
        assert "flatters" not in likely_says("compare", sales, "-t", target, "-m", models, "--folds", "2").err


def test_maps_go_by_the_same_groups(sales: Path, likely_says: Command) -> None:
    words = ("fit", sales, "-t", "churn", "-m", "naive", "--groups", "customer", "--recalibrate", "platt", "--json")
    told = likely_says(*words).document
    assert told["recalibration"]["before"] == pytest.approx(told["cross_validation"]["log_loss"])


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("S207", ("--groups", "custmer")),
        ("U110", ("--groups", "churn")),
        ("U110", ("--match-labels",)),
        ("U146", ("--holdout", "1.5")),
        ("U110", ("--holdout", "later.csv", "--groups", "customer")),
        ("D202", ("--holdout", "nowhere.csv")),
        ("O702", ("--groups", "always")),
        ("D135", ("--time", "customer")),
    ],
)
def test_what_cannot_be_judged_so_is_refused(
    sales: Path, likely_says: Command, tmp_path: Path, code: str, words: tuple[str, ...]
) -> None:
    rows = pd.read_csv(sales).assign(always="a")
    rows.to_csv(tmp_path / "rows.csv", index=False)
    told = likely_says("fit", tmp_path / "rows.csv", "-t", "churn", "-m", "naive", *words)
    assert told.exit != 0
    assert f"[{code}]" in told.err
    assert "hint:" in told.err


def test_one_class_is_an_error(sales: Path, likely_says: Command) -> None:
    one = sales.with_name("one.csv")
    for verb in ("fit", "compare"):
        told = likely_says(verb, one, "-t", "churn")
        assert told.exit == 3
        assert "[D136] there is one class only, 'no'" in told.err
    few = one.with_name("few.csv")
    few.write_text("".join(one.read_text().splitlines(keepends=True)[:5]))
    for verb in ("fit", "compare"):  # before four rows are too few for ten folds
        told = likely_says(verb, few, "-t", "churn")
        assert (told.exit, "[D136] there is one class only, 'no'" in told.err) == (3, True)
        assert f"{few}, target" in told.err
    with pytest.raises(LikelyError, match="D136"):
        likely.fit(one, "churn")
    X, y = [[1.0], [2.0]], ["no", "no"]
    part = likely.NaiveBayes().fit(X, y)  # a part of the rows: other parts have other classes
    assert part.partial_fit([[3.0]], ["yes"]).classes_.tolist() == ["no", "yes"]


@pytest.fixture(scope="module")
def holes(sales: Path) -> Path:
    """Every tenth row has no label; and a file whose labels are written otherwise."""
    rows = pd.read_csv(sales).drop(columns="customer")
    rows.assign(churn=rows["churn"].str.title() + ".").to_csv(sales.with_name("dots.csv"), index=False)
    rows.loc[::10, ["churn", "price"]] = np.nan
    rows.to_csv(sales.with_name("holes.csv"), index=False)
    rows.dropna().to_csv(sales.with_name("whole.csv"), index=False)
    return sales.with_name("holes.csv")


def test_one_number_leaves_nothing_to_predict(sales: Path, likely_says: Command, tmp_path: Path) -> None:
    pd.read_csv(sales).assign(price=3.5).to_csv(tmp_path / "flat.csv", index=False)
    done = likely_says("fit", tmp_path / "flat.csv", "-t", "price", "-m", "linear")
    assert "'price' is one number in every row judged: there is nothing to predict" in done.err
    assert "nan" not in done.out


@pytest.mark.parametrize(("target", "model"), [("churn", "naive"), ("churn", "tan"), ("price", "linear")])
def test_rows_without_a_label_are_left_out(
    holes: Path, likely_says: Command, tmp_path: Path, target: str, model: str
) -> None:
    words = ("-t", target, "-m", model, "--json", "-k", f"{'price' if target == 'churn' else 'churn'}=skip")
    left, whole = (likely_says("fit", holes.with_name(f"{name}.csv"), *words) for name in ("holes", "whole"))
    assert "24 of 240 rows have no label" in left.err
    assert left.document == whole.document
    refused = likely_says("fit", holes, *words, "--strict")
    assert refused.exit == 3
    assert "no label in" not in refused.err
    kept = tmp_path / "m.likely"
    likely_says("fit", holes, "-t", target, "-m", model, "-o", kept)
    told = likely_says("evaluate", kept, holes, "--no-picture", "--json")
    assert told.document["rows"] == 216
    assert "24 of 240 rows have no label" in told.err
    assert likely_says("evaluate", kept, holes, "--no-picture", "--strict").exit == 3


def test_rows_without_a_label_are_left_out_everywhere(holes: Path, likely_says: Command, tmp_path: Path) -> None:
    told = likely_says("compare", holes, "-t", "churn", "-m", "prior", "--json")
    assert "24 of 240 rows have no label" in told.err
    seen = likely.inspect(holes, "churn")
    assert (seen.rows, seen.suspicions[0]) == (216, "24 of 240 rows have no label in 'churn' and are left out")
    with pytest.warns(SchemaWarning, match="24 of 240 rows have no label"):
        model = likely.fit(holes, "churn")
    rows = pd.read_csv(holes)
    with pytest.warns(SchemaWarning, match="24 of 240 rows have no label"):
        same = likely.fit(rows, "churn")
    np.testing.assert_array_equal(model.model_.rows, same.model_.rows)
    for refused in (
        lambda: likely.fit(rows, "churn", strict=True),
        lambda: likely.NaiveBayes().fit(rows, rows["churn"]),
    ):
        with pytest.raises(LikelyError, match="D105"):
            refused()
    rows.assign(churn=np.nan).to_csv(tmp_path / "none.csv", index=False)
    assert "[D105] no row has a label" in likely_says("fit", tmp_path / "none.csv", "-t", "churn", "-m", "naive").err
    model.save(tmp_path / "m.likely")
    gone = likely_says("forget", tmp_path / "m.likely", holes, "-o", tmp_path / "rest.likely", "--json").document
    assert (gone["forgotten"], gone["after"]) == (216, 0)


def test_labels_written_otherwise_are_named_with_the_way_out(holes: Path, likely_says: Command, tmp_path: Path) -> None:
    kept, dots = tmp_path / "m.likely", holes.with_name("dots.csv")
    likely_says("fit", holes.with_name("whole.csv"), "-t", "churn", "-m", "naive", "-o", kept)
    told = likely_says("evaluate", kept, dots, "--no-picture")
    assert told.exit == 4
    assert "is the class 'no' but for letter case and a trailing dot: say --match-labels" in told.err
    told = likely_says("evaluate", kept, dots, "--no-picture", "--match-labels", "--json")
    assert told.document["rows"] == 240
    assert "the label 'Yes.' is taken for the class 'yes'" in told.err
    words = ("fit", holes, "-t", "churn", "-m", "naive", "--holdout", dots)
    assert "--match-labels" in likely_says(*words).err
    assert likely_says(*words, "--match-labels", "--json").document["holdout"]["rows"] == 240
    with pytest.raises(LikelyError) as caught:
        evaluate_model(likely.load(kept), pd.read_csv(dots), pd.read_csv(dots)["churn"])
    assert "is the class 'no' but for letter case and a trailing dot" in caught.value.hint


def test_a_suggestion_says_that_it_needs_labels(tmp_path: Path, likely_says: Command) -> None:
    rows, kept = tmp_path / "rows.csv", tmp_path / "m.likely"
    rows.write_text("size,mark,class\n" + "1,u,p\n2,v,q\n1,v,p\n3,v,q\n" * 5)
    assert likely_says("fit", rows, "-t", "class", "-m", "naive", "-o", kept).exit == 0
    for name, text in (("none", "size,mark\n1,u\n"), ("empty", "size,mark,class\n1,u,\n")):
        new = tmp_path / f"{name}.csv"
        new.write_text(text)
        told = likely_says("decide", kept, new, "--suggest")
        assert told.exit == 3
        assert "--suggest needs rows whose classes are known" in told.err
        assert "--loss q=10,p=1" in told.err
        assert likely_says("decide", kept, new, "--loss", "q=10,p=1", "--json").document["decisions"][0]["decision"]
    (tmp_path / "odd.csv").write_text("size\n1\n")  # not for want of labels alone
    assert "the model expects" in likely_says("decide", kept, tmp_path / "odd.csv", "--suggest").err
