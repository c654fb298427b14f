"""Pictures of decision surfaces show what the models say, in every number of columns, classes and panels."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from scipy.stats import multivariate_normal
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

import likely
from likely import plots
from likely.errors import LikelyError
from likely.plots.named_results import model_names

NAMES = ["身高 (cm)", "weight, $ or kg", "a column with a very long name indeed"]
CLASSES = np.array(["好瓜（清晰）", "坏瓜", "a rather long name of a class", "d"])


def table(classes: int, rows: int = 40) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(classes)
    y = np.repeat(CLASSES[:classes], rows)
    middles = np.array([[0, 0, 0], [2, 1, 2], [0, 4, -1], [4, 4, 1]])[np.repeat(np.arange(classes), rows)]
    spread = rng.normal(size=(len(y), 3)) * (1 + 0.4 * np.repeat(np.arange(classes), rows))[:, None]
    return pd.DataFrame(middles + spread @ [[1, 0.4, 0], [0, 1, 0.3], [0, 0, 1]], columns=NAMES), y


X, Y = table(2)
MANY, LABELS = table(4)
QDA = likely.GaussianBayes().fit(X, Y)
LDA = likely.GaussianBayes("shared").fit(X, Y)
NAIVE = likely.NaiveBayes(kinds="real").fit(X, Y)
FOUR = likely.GaussianBayes().fit(MANY, LABELS)


def artists(figure: Figure, gid: str, panel: int = 0) -> list[Any]:
    return [one for one in figure.axes[panel].get_children() if one.get_gid() == gid]


def legend(figure: Figure, panel: int = 0) -> list[str]:
    return [text.get_text() for text in figure.axes[panel].get_legend().get_texts()]


def log_joints(points: np.ndarray, columns: list[int], prior: float) -> np.ndarray:
    """scipy's log densities of the two classes of Y, and the log priors."""
    both = []
    for level, share in zip(QDA.classes_, (1 - prior, prior), strict=True):
        rows = X[level == Y].to_numpy()[:, columns]
        normal = multivariate_normal(rows.mean(axis=0), np.cov(rows.T, bias=True))
        both.append(normal.logpdf(points) + np.log(share))
    return np.stack(both, axis=-1)


@pytest.mark.parametrize("prior", [0.3, 0.8])
def test_lines_stand_where_two_densities_cross(prior: float) -> None:
    figure = plots.decision_surface(QDA, X, Y, 0, priors=prior)
    drawn = [one.get_xdata()[0] for one in artists(figure, "boundary")]
    assert drawn
    joints = log_joints(np.array(drawn), [0], prior)
    np.testing.assert_allclose(joints[..., 0], joints[..., 1], atol=1e-8)
    values = {text.get_text().replace("−", "-") for text in figure.axes[0].texts}
    assert {round(float(value), 2) for value in values} == {round(value, 2) for value in drawn}
    curves = [one for one in artists(figure, "density") if hasattr(one, "get_xdata")]
    for at, curve in enumerate(curves):
        expected = np.exp(log_joints(curve.get_xdata(), [0], prior)[:, at])
        np.testing.assert_allclose(curve.get_ydata(), expected, atol=1e-12)


@pytest.mark.parametrize("prior", [0.3, 0.8])
def test_the_line_of_two_columns_is_the_boundary(prior: float) -> None:
    figure = plots.decision_surface(QDA, X, Y, NAMES[:2], priors=prior)
    segments = np.concatenate([np.concatenate(one.get_segments()) for one in artists(figure, "boundary")])
    joints = log_joints(segments, [0, 1], prior)
    assert np.abs(joints[:, 0] - joints[:, 1]).max() < 1e-8


@pytest.mark.parametrize("model", [QDA, NAIVE])
def test_regions_are_the_decisions(model: Any) -> None:
    figure = plots.decision_surface(model, X, Y, [0, 1], priors=0.6)
    rng = np.random.default_rng(1)
    (left, right), (low, high) = figure.axes[0].get_xlim(), figure.axes[0].get_ylim()
    spots = rng.uniform([left, low], [right, high], size=(200, 2))
    rows = pd.DataFrame(np.column_stack([spots, np.full(200, np.nan)]), columns=NAMES)
    other = model.with_priors(dict(zip(model.classes_, (0.4, 0.6), strict=True)))
    proba = other.predict_proba(rows)
    for at, fill in enumerate(artists(figure, "regions")):
        inside = np.array([any(path.contains_point(spot) for path in fill.get_paths()) for spot in spots])
        clear = np.abs(proba[:, 0] - 0.5) > 0.05
        np.testing.assert_array_equal(inside[clear], (proba.argmax(axis=1) == at)[clear])


def test_three_columns_have_a_mesh_and_points() -> None:
    figure = plots.decision_surface(QDA, X, Y)
    (mesh,) = artists(figure, "boundary")
    assert len(mesh.get_facecolor()) > 100
    assert sum(len(one.get_data_3d()[0]) for one in artists(figure, "points")) == len(X)
    assert figure.axes[0].get_zlabel().startswith("a column with")


@pytest.mark.parametrize("columns", [[0], [0, 1], [2, 1, 0]])
def test_the_legend_tells_priors_errors_and_rings_them(columns: list[int]) -> None:
    """The errors are those of a model of these columns alone: a marginal normal is the normal of the columns."""
    figure = plots.decision_surface(QDA, X, Y, columns, priors={CLASSES[0]: 1, CLASSES[1]: 3})
    alone = likely.GaussianBayes(priors={CLASSES[0]: 0.25, CLASSES[1]: 0.75}).fit(X.iloc[:, columns], Y)
    errors = int((alone.predict(X.iloc[:, columns]) != Y).sum())
    said = legend(figure)
    assert said[:2] == [f"{QDA.classes_[0]}, prior 0.75", f"{QDA.classes_[1]}, prior 0.25"]
    assert said[2].startswith("boundary: ")
    assert said[2].endswith(", exact")
    assert said[3] == f"errors {errors} of {len(Y)}"
    assert said[4].startswith("the model's own expected error ")
    (rings,) = artists(figure, "errors")
    assert len(rings.get_xdata()) == errors
    assert figure.axes[0].get_title() == f"GaussianBayes\nP({QDA.classes_[1]}) = 0.25"


def test_a_row_for_each_model_and_a_column_for_each_prior() -> None:
    figure = plots.decision_surface({"二次": QDA, "naive": NAIVE}, X, Y, [0, 1], priors=[None, 0.3, 0.9])
    assert [panel.get_title().partition("\n")[0] for panel in figure.axes] == ["二次"] * 3 + ["naive"] * 3
    assert len({(panel.get_xlim(), panel.get_ylim()) for panel in figure.axes}) == 1
    places = [panel.get_subplotspec() for panel in figure.axes]
    assert [(place.rowspan.start, place.colspan.start) for place in places] == list(product(range(2), range(3)))
    assert "exact" not in legend(figure, 3)[2]


def test_panels_of_one_column_share_their_heights() -> None:
    figure = plots.decision_surface([QDA, LDA], X, Y, 0, priors=[0.2, 0.8])
    assert len({panel.get_ylim() for panel in figure.axes}) == 1
    assert min(figure.axes[0].get_yticks()) >= 0


def test_models_of_other_columns_in_one_picture() -> None:
    """Each model has its own columns where none are named, as `likely surface --features a --features a,b` draws."""
    models = {f"{size} D": likely.GaussianBayes().fit(X.iloc[:, :size], Y) for size in (1, 2, 3)}
    figure = plots.decision_surface(models, X, Y, priors=[0.4, 0.6])
    assert [panel.name for panel in figure.axes] == ["rectilinear"] * 4 + ["3d"] * 2


@pytest.mark.parametrize("columns", [[0], [0, 1], [0, 1, 2]])
def test_many_classes_and_nothing_outside_or_upon_another(columns: list[int]) -> None:
    for model, rows, labels in ((FOUR, MANY, LABELS), (QDA, X, Y)):
        figure = plots.decision_surface(model, rows, labels, columns)
        figure.draw_without_rendering()
        ax, renderer = figure.axes[0], figure.canvas.get_renderer()  # type: ignore[attr-defined]
        labelled = [ax.title, ax.get_legend(), ax.xaxis.label, ax.yaxis.label]
        labelled += [ax.zaxis.label] if len(columns) == 3 else []  # type: ignore[attr-defined]
        boxes = [one.get_window_extent(renderer) for one in labelled]
        for box in boxes:
            assert box.x0 >= 0
            assert box.y0 >= 0
            assert box.x1 <= figure.bbox.x1
            assert box.y1 <= figure.bbox.y1
        assert not boxes[1].overlaps(boxes[2])
        assert len(legend(figure)) == len(model.classes_) + 3


def test_only_neighbours_have_boundaries() -> None:
    figure = plots.decision_surface(FOUR, MANY, LABELS, [0, 1])
    assert len(artists(figure, "regions")) == 4
    segments = np.concatenate([np.concatenate(one.get_segments()) for one in artists(figure, "boundary")])
    rows = pd.DataFrame(np.column_stack([segments, np.full(len(segments), np.nan)]), columns=NAMES)
    best = np.sort(FOUR.predict_log_proba(rows), axis=1)
    np.testing.assert_allclose(best[:, -1], best[:, -2], atol=1e-7)


def test_rows_are_optional_and_may_have_holes() -> None:
    assert len(legend(plots.decision_surface(QDA, features=[0, 1]))) == 4
    bare = plots.decision_surface(QDA, X, features=[0, 1])
    assert len(legend(bare)) == 4
    assert len(artists(bare, "points")) == 1
    holes = X.copy()
    holes.iloc[::2, 0] = np.nan
    figure = plots.decision_surface(QDA, holes, Y, [0, 1])
    assert sum(len(one.get_xdata()) for one in artists(figure, "points")) == len(X) // 2
    assert legend(figure)[3].endswith(f"of {len(X)} ({len(X) // 2} not drawn)")


def test_where_no_class_has_any_density_there_is_no_region() -> None:
    rows, labels = np.array([[0.0], [1.0], [9.0], [10.0]]), ["a", "a", "b", "b"]
    kinds = {"x0": likely.Parzen("box", 1.0)}
    model = likely.NaiveBayes(kinds=kinds, estimate="mle").fit(rows, labels)
    figure = plots.decision_surface(model, rows, labels, "x0")
    spans = [(one.get_x(), one.get_x() + one.get_width()) for one in artists(figure, "regions")]
    assert not any(low < 5 < high for low, high in spans)
    assert len(spans) == 2


def test_axes_may_be_given() -> None:
    before = dict(matplotlib.rcParams)
    shared = Figure(figsize=(12, 5))
    flat, solid = shared.add_subplot(121), shared.add_subplot(122, projection="3d")
    assert plots.decision_surface(QDA, X, Y, [0, 1], ax=flat) is shared
    plots.decision_surface(QDA, X, Y, ax=solid)
    shared.draw_without_rendering()
    assert dict(matplotlib.rcParams) == before


def test_names_tell_models_apart() -> None:
    parzen = likely.ParzenBayes("epanechnikov", "cv")
    assert model_names([QDA, LDA, parzen]) == [
        "GaussianBayes full",
        "GaussianBayes shared",
        "ParzenBayes epanechnikov cv",
    ]
    assert model_names([QDA]) == ["GaussianBayes"]
    assert model_names([NAIVE, NAIVE]) == ["NaiveBayes real 1", "NaiveBayes real 2"]
    shrunk = likely.GaussianBayes(shrinkage=0.25, smoothing=2)
    assert model_names([QDA, shrunk]) == ["GaussianBayes smoothing=1.0", "GaussianBayes shrinkage=0.25 smoothing=2"]
    assert model_names([object(), 3]) == ["object", "int"]


def test_marks_of_priors_are_explained_once() -> None:
    figure = plots.roc([QDA, LDA, NAIVE], X, Y, priors=[0.3, 0.5, 0.7])
    said = legend(figure)
    assert len(said) == 1 + 3 + 3
    assert said[1].startswith("GaussianBayes full (")
    assert sum("decided" in str(one.get_label()) for one in figure.axes[0].lines) == 9


@pytest.mark.parametrize(("rows", "labels"), [(X, Y), (MANY, LABELS)])
def test_projections_are_those_of_the_model_and_of_a_pca(rows: pd.DataFrame, labels: np.ndarray) -> None:
    model = likely.LinearDiscriminant().fit(rows, labels)
    figure = plots.projection(model, rows, labels)
    figure.draw_without_rendering()
    left, right = (
        {one.get_label(): np.column_stack(one.get_data()) for one in artists(figure, "points", panel)}
        for panel in (0, 1)
    )
    oracle = PCA(2).fit(StandardScaler().fit_transform(rows))
    expected = oracle.transform(StandardScaler().fit_transform(rows))
    for name, level in zip(left, model.classes_, strict=True):
        directions = model.transform(rows[labels == level])[:, :2]
        np.testing.assert_allclose(left[name][:, : directions.shape[1]], directions)
        np.testing.assert_allclose(np.abs(right[name]), np.abs(expected[labels == level]), atol=1e-10)
    shares = " + ".join(f"{100 * share:.0f} %" for share in oracle.explained_variance_ratio_)
    assert shares in figure.axes[1].get_title()
    assert len(artists(figure, "density")) == (4 if len(model.classes_) == 2 else 0)


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: plots.decision_surface(likely.GaussianBayes().fit(X.assign(more=X[NAMES[0]] ** 2), Y)), "O432"),
        (lambda: plots.decision_surface(likely.NaiveBayes().fit([["a"], ["b"]], [0, 1])), "O432"),
        (lambda: plots.decision_surface(QDA, X, Y, priors=[]), "O433"),
        (lambda: plots.decision_surface(QDA, X, Y, [0, 1], priors=[0.1, 0.2], ax=Figure().add_subplot()), "O434"),
        (lambda: plots.decision_surface(QDA, X, Y, ax=Figure().add_subplot()), "O434"),
        (lambda: plots.decision_surface(QDA, X, Y, [0], ax=Figure().add_subplot(projection="3d")), "O434"),
        (lambda: plots.decision_surface([]), "O437"),
        (lambda: plots.decision_surface(likely.GaussianBayes()), "O438"),
        (lambda: plots.decision_surface([QDA, FOUR]), "O435"),
        (lambda: plots.decision_surface("model"), "O438"),
        (lambda: plots.decision_surface(QDA, y=Y, features=[0]), "O436"),
        (lambda: plots.projection(likely.LinearDiscriminant().fit(X, Y), X, None), "O439"),
        (lambda: plots.projection(QDA, X, Y), "O374"),
        (lambda: plots.decision_surface(QDA, X, Y[:3], [0]), "D126"),
        (lambda: plots.decision_surface(QDA, X, Y, "身长"), "O421"),
        (lambda: plots.decision_surface(QDA, X, Y, [0], priors=2.0), "O426"),
        (lambda: plots.decision_surface(FOUR, MANY, LABELS, [0], priors=[0.5]), "O426"),
    ],
)
def test_refusals(call: Callable[[], object], code: str) -> None:
    with pytest.raises(LikelyError) as caught:
        call()
    assert caught.value.code == code
    assert caught.value.place
    assert caught.value.hint
