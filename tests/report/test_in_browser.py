"""The page in a browser: no error, no request, charts that move as they should, nothing hidden from screen readers."""

from __future__ import annotations

import io
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from likely.report import Report, report
from tests.report.browser import Browser
from tests.report.conftest import loans

AXE = "axe-core@4.10.3"
CACHE = Path(__file__).parents[2] / "build" / "axe"
STATE = """(() => ({
  curve: document.getElementById("roc-curve").getAttribute("d"),
  point: ["cx", "cy"].map(name => document.getElementById("roc-point").getAttribute(name)),
  threshold: document.getElementById("roc-threshold").textContent,
  cases: document.getElementById("roc-cases").textContent,
  cost: document.getElementById("roc-expected").textContent,
  prior: document.getElementById("roc-prior").getAttribute("aria-valuetext"),
}))()"""


def move(browser: Browser, slider: str, value: int) -> None:
    browser.run(
        f"(() => {{ const one = document.getElementById({slider!r}); one.value = {value};"
        "one.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )


def test_nothing_goes_wrong_and_nothing_is_fetched(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert browser.complaints() == []
    assert browser.requests() == [page.as_uri()]
    drawn = browser.run(
        "[...document.querySelectorAll('[data-chart]')].filter(one => !one.querySelector('svg')).length"
    )
    assert drawn == 0, "a chart is not drawn"


@pytest.mark.parametrize("name", ["tree", "aode", "forest", "linear"])
def test_pictures_of_other_models_are_drawn(browser: Browser, tmp_path: Path, name: str) -> None:
    target = "income" if name == "linear" else "default"
    report(loans(), target, model=name, language="zh").save(tmp_path / "other.html")
    browser.open(tmp_path / "other.html")
    assert browser.complaints() == []
    assert browser.run("[...document.querySelectorAll('[data-chart]')].every(one => one.querySelector('svg'))")
    assert browser.run("document.documentElement.lang") == "zh"


def test_a_class_without_spread_is_drawn_all_the_same(browser: Browser, tmp_path: Path) -> None:
    table = loans(40)
    table.loc[0, "default"] = "once"  # whose log loss is infinite in the fold that holds it out
    report(table, "default", model=["naive", "prior"]).save(tmp_path / "once.html")
    browser.open(tmp_path / "once.html")
    assert browser.complaints() == []


def test_names_that_are_scripts_execute_nothing(browser: Browser, injected: Report, tmp_path: Path) -> None:
    injected.save(tmp_path / "injected.html")
    browser.open(tmp_path / "injected.html")
    assert browser.complaints() == []
    assert browser.requests() == [(tmp_path / "injected.html").as_uri()]
    assert browser.run("document.querySelectorAll('img, [onerror], [onmouseover]').length") == 0


def test_the_prior_moves_all_but_the_curve(browser: Browser, page: Path) -> None:
    browser.open(page)
    before = browser.run(STATE)
    move(browser, "roc-prior", -300)
    after = browser.run(STATE)
    assert after["curve"] == before["curve"]
    assert after["prior"] == "4.7 %"
    for name in ("point", "threshold", "cases", "cost"):
        assert after[name] != before[name], name
    move(browser, "roc-cost", 130)  # a miss weighs twenty times as much: nearly the odds that the prior took away
    dear = browser.run(STATE)
    assert dear["curve"] == before["curve"]
    assert dear["threshold"] != after["threshold"]
    browser.run("document.getElementById('roc-reset').click()")
    assert browser.run(STATE) == before


def test_the_point_is_dragged_along_the_curve(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.run("document.getElementById('roc-point').scrollIntoView({block: 'center', behavior: 'instant'})")
    before = browser.run(STATE)
    x, y = browser.run(
        "(() => { const box = document.getElementById('roc-point').getBoundingClientRect();"
        "return [box.x + box.width / 2, box.y + box.height / 2]; })()"
    )
    for kind, right in (("mousePressed", 0), ("mouseMoved", 120), ("mouseReleased", 120)):
        browser.ask("Input.dispatchMouseEvent", type=kind, x=x + right, y=y, button="left", buttons=1, clickCount=1)
    after = browser.run(STATE)
    assert after["curve"] == before["curve"]
    assert float(after["point"][0]) > float(before["point"][0])
    assert browser.run("Number(document.getElementById('roc-cost').value)") > 0


def test_keys_move_the_sliders(browser: Browser, page: Path) -> None:
    browser.open(page)
    before = browser.run(STATE)
    browser.run("document.getElementById('roc-prior').focus()")
    for kind in ("keyDown", "keyUp"):
        browser.ask("Input.dispatchKeyEvent", type=kind, key="ArrowRight", code="ArrowRight", windowsVirtualKeyCode=39)
    assert browser.run(STATE)["prior"] != before["prior"]


def test_the_nomogram_adds_up_to_what_the_model_says(browser: Browser, told: Report, tmp_path: Path) -> None:
    found = report(loans(), "default", model="naive")
    found.save(tmp_path / "naive.html")
    browser.open(tmp_path / "naive.html")
    columns = found.content["nomogram"]["columns"]
    at = next(place for place, one in enumerate(columns) if one["name"] == "home")
    move(browser, f"nomogram-{at}", columns[at]["values"].index("rent"))
    import pyarrow as pa

    rows = pa.table(
        {name: pa.array([["rent"] if name == "home" else [None]][0]) for name in ("income", "age", "home", "purpose")}
    )
    share = found.model.predict_proba(rows)[0, 1]
    assert browser.run("document.getElementById('nomogram-says').textContent").startswith(f"{100 * share:.1f} %")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser: Browser, page: Path, scheme: str) -> None:
    browser.open(page, prefers_color_scheme=scheme)
    browser.run("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    browser.ask("Runtime.evaluate", expression=axe())
    found = browser.run("axe.run().then(told => told.violations.map(one => [one.impact, one.id, one.nodes[0].html]))")
    assert [one for one in found if one[0] in ("serious", "critical")] == []


def axe() -> str:
    """The source of axe-core, fetched once."""
    place = CACHE / f"{AXE}.js"
    if not place.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("there is no npm to fetch axe-core with")
        CACHE.mkdir(parents=True, exist_ok=True)
        told = subprocess.run([npm, "pack", AXE], cwd=CACHE, capture_output=True, text=True, check=False)
        if told.returncode:
            pytest.skip(f"axe-core cannot be fetched: {told.stderr[-200:]}")
        packed = CACHE / told.stdout.split()[-1]
        with tarfile.open(fileobj=io.BytesIO(packed.read_bytes())) as archive:
            member = archive.extractfile("package/axe.min.js")
            assert member is not None
            place.write_bytes(member.read())
        packed.unlink()
    return place.read_text(encoding="utf-8")
