"""The page of a surface holds all it needs, shows what the model says, and cannot be broken by names."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from base64 import b64decode
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import likely
from likely import plots
from likely.errors import OptionError
from likely.plots.boundaries.interactive import Page

rng = np.random.default_rng(0)
NASTY = "</script><b>&amp;\u2028"
Y = np.repeat([NASTY, "好瓜"], 40)
X = rng.normal(size=(80, 3)) * [1, 10, 0.1] + np.where(Y == NASTY, 0, 1.5)[:, None] * [1, 10, 0.1]
X[40:] *= 1.3
QDA = likely.GaussianBayes().fit(X, Y)
NAIVE = likely.NaiveBayes(kinds="parzen", estimate="mle").fit(X, Y)
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")


def embedded(page: Page) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.html, re.DOTALL)
    assert found
    return dict(json.loads(found[1]))


def log_odds(model: Any, points: np.ndarray) -> np.ndarray:
    logs = model.log_likelihood(points)
    return logs[:, 1] - logs[:, 0]


def test_names_stay_names_and_nothing_is_fetched() -> None:
    page = plots.interactive_surface(QDA, X, Y)
    assert page.html.count("</script>") == 2
    assert NASTY not in page.html
    assert "\u2028" not in page.html
    assert not re.search(r"https?:|src=|url\(|import\(|fetch|<link", page.html)
    assert "default-src 'none'" in page.html
    data = embedded(page)
    assert data["classes"] == [" ".join(NASTY.split()), "好瓜"]
    assert data["features"] == ["x0", "x1", "x2"]


def test_the_coefficients_are_the_models() -> None:
    data = embedded(plots.interactive_surface(QDA, X, Y))
    u = rng.uniform(-1, 1, size=(50, 3))
    scores = [
        np.einsum("ni,ij,nj->n", u, quadratic, u) + u @ linear + constant
        for quadratic, linear, constant in zip(
            *(np.array(data[n]) for n in ("quadratic", "linear", "constant")), strict=True
        )
    ]
    low, high = X.min(axis=0), X.max(axis=0)
    low, high = low - 0.1 * (high - low), high + 0.1 * (high - low)
    points = low + (u + 1) / 2 * (high - low)
    np.testing.assert_allclose(scores[1] - scores[0], log_odds(QDA, points), atol=1e-9)


def test_other_models_are_laid_on_a_grid() -> None:
    data = embedded(plots.interactive_surface(NAIVE, X, Y, features=[0, 1, 2]))
    n, reach = data["nodes"], data["reach"]
    logs = np.frombuffer(b64decode(data["grid"]), "<f4").reshape(n, n, n, 2)
    low, high = X.min(axis=0), X.max(axis=0)
    low, high = low - 0.1 * (high - low), high + 0.1 * (high - low)
    spots = rng.integers(n, size=(40, 3))
    points = low + (np.linspace(-reach, reach, n)[spots] + 1) / 2 * (high - low)
    np.testing.assert_allclose(logs[tuple(spots.T)], NAIVE.log_likelihood(points), rtol=1e-5)


def test_points_bring_what_each_class_says_of_them() -> None:
    holes = X.copy()
    holes[3, 1] = np.nan
    data = embedded(plots.interactive_surface(QDA, holes, Y, priors=0.25))
    assert data["priors"] == pytest.approx([0.75, 0.25])
    assert data["rows"] == [row for row in range(80) if row != 3]
    np.testing.assert_allclose(data["values"], np.delete(X, 3, axis=0), rtol=1e-6)
    np.testing.assert_allclose(data["logs"], np.delete(QDA.log_likelihood(X), 3, axis=0), rtol=1e-6)
    assert data["codes"] == np.delete((QDA.classes_[1] == Y).astype(int), 3).tolist()
    assert embedded(plots.interactive_surface(QDA, X))["codes"] is None
    assert embedded(plots.interactive_surface(QDA))["points"] == []


@pytest.mark.parametrize("prior", [None, 0.25])
def test_a_page_and_a_picture_count_the_errors_on_the_same_rows(prior: float | None) -> None:
    """Rows with a missing value are no points, and are judged by what they have: by the page as by the picture."""
    holes = X.copy()
    holes[:9, 1] = np.nan
    holes[7] = np.nan
    page = embedded(plots.interactive_surface(QDA, holes, Y, priors=prior))
    drawn = np.array(page["logs"]) + np.log(page["priors"])
    errors = int((drawn.argmax(axis=1) != page["codes"]).sum()) + page["undrawn"]["errors"][0]
    under = QDA if prior is None else QDA.with_priors(dict(zip(QDA.classes_, [1 - prior, prior], strict=True)))
    assert errors == int((under.predict(holes) != Y).sum())
    assert (len(drawn), page["undrawn"]["rows"]) == (71, 9)
    for at in (1, 20, 50, 99):
        moved = QDA.with_priors(dict(zip(QDA.classes_, [1 - at / 100, at / 100], strict=True)))
        assert page["undrawn"]["errors"][at] == int((moved.predict(holes[:9]) != Y[:9]).sum())
    figure = plots.decision_surface(QDA, holes, Y, [0, 1, 2], priors=None if prior is None else [prior])
    texts = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert f"errors {errors} of 80 (9 not drawn)" in texts


def test_a_page_is_saved_whole_and_shown_in_a_frame(tmp_path: Path) -> None:
    page = plots.interactive_surface(QDA, X, Y)
    page.save(tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == page.html
    assert [file.name for file in tmp_path.iterdir()] == ["a.html"]
    with pytest.raises(OptionError) as caught:
        page.save(tmp_path / "a.png")
    assert caught.value.code == "O121"
    frame = re.fullmatch(
        r'<iframe sandbox="allow-scripts" style="[^"]*" srcdoc="([^"]*)"></iframe>', page._repr_html_()
    )
    assert frame
    assert html.unescape(frame[1]) == page.html


@pytest.mark.parametrize("features", [[0], ["x0", "x1"]])
def test_only_three_columns_are_a_space(features: Any) -> None:
    with pytest.raises(OptionError) as caught:
        plots.interactive_surface(QDA, X, Y, features)
    assert caught.value.code == "O431"
    assert "decision_surface" in caught.value.hint


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="there is no browser")
@pytest.mark.parametrize(("model", "bound"), [(QDA, 1e-8), (NAIVE, 0.2)])
def test_a_browser_finds_the_boundary(tmp_path: Path, model: Any, bound: float) -> None:
    """The vertices that the page itself makes, put back into the model; under the prior that its slider is moved to."""
    tell = """<script>window.addEventListener("load", () => {
      const slider = document.querySelector("input[type=range]");
      slider.value = 0.8; slider.dispatchEvent(new Event("input")); draw();
      document.body.textContent = JSON.stringify(faces.flatMap(face => face.corners)); });</script></body>"""
    page = plots.interactive_surface(model, X, Y, [0, 1, 2]).html.replace("</body>", tell)
    (tmp_path / "a.html").write_text(page, encoding="utf-8")
    command = [str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'user'}"]
    command += ["--dump-dom", (tmp_path / "a.html").as_uri()]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    u = np.array(json.loads(re.search(r"<body>(.*)</body>", told, re.DOTALL)[1]))  # type: ignore[index]
    low, high = X.min(axis=0), X.max(axis=0)
    low, high = low - 0.1 * (high - low), high + 0.1 * (high - low)
    assert len(u) > 1000
    assert np.abs(u).max() <= 1 + 1e-9
    off = log_odds(model, low + (u + 1) / 2 * (high - low)) + np.log(0.8 / 0.2)
    assert np.quantile(np.abs(off), 0.99) < bound
