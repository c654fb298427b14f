"""The documentation site builds without a warning, holds every page, and asks the network for nothing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
QUIET = {"NO_MKDOCS_2_WARNING": "1"}  # the theme's notice about its own future is no warning about these pages
OUTSIDE = re.compile(r"\s*(https?:)?//", re.I)
CSS_OUTSIDE = re.compile(r"""(?:url\(|@import)\s*["']?\s*(?:https?:)?//[^"')\s]*""", re.I)
ONLY_NAMED = {"canonical", "alternate", "prev", "next", "author", "license", "help", "me"}  # links that load nothing


class Loads(HTMLParser):
    """What a browser would fetch from outside for a page, without a click."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        names = ["src", "srcset", "poster", "data"]
        if tag == "link" and not set(given.get("rel", "").split()) <= ONLY_NAMED:
            names.append("href")
        if tag in {"image", "use"}:  # of SVG
            names += ["href", "xlink:href"]
        wanted = [place for name in names for place in given.get(name, "").split(",") if OUTSIDE.match(place)]
        self.found += wanted + CSS_OUTSIDE.findall(given.get("style", ""))
        if "mermaid" in given.get("class", "").split():
            self.found.append("mermaid, which the theme's script fetches")

    def handle_data(self, data: str) -> None:
        if self.lasttag == "style":
            self.found += CSS_OUTSIDE.findall(data)


def loads(page: str) -> list[str]:
    parser = Loads()
    parser.feed(page)
    return parser.found


def pages_of(nav: Any) -> list[str]:
    """The files that a nav names, sections and all."""
    if isinstance(nav, str):
        return [nav]
    return [page for part in (nav.values() if isinstance(nav, dict) else nav) for page in pages_of(part)]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | QUIET, capture_output=True, encoding="utf-8", check=False)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    strange = [line for line in said.splitlines() if line.strip() and not line.startswith("INFO ")]
    assert not strange, said
    return folder


def test_every_page_is_in_the_nav() -> None:
    nav = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))["nav"]
    there = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert sorted(pages_of(nav)) == sorted(there), "add the page to the nav of mkdocs.yml"


def test_the_site_has_a_page_for_each_document(site: Path) -> None:
    for document in (ROOT / "docs").glob("*.md"):
        assert (site / document.with_suffix(".html").name).is_file()


def test_no_page_loads_anything_from_outside(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert pages
    outside = {str(page.relative_to(site)): loads(page.read_text("utf-8")) for page in pages}
    assert not {page: found for page, found in outside.items() if found}


def test_no_style_sheet_loads_anything_from_outside(site: Path) -> None:
    sheets = sorted(site.rglob("*.css"))
    assert sheets
    assert not [found for sheet in sheets for found in CSS_OUTSIDE.findall(sheet.read_text("utf-8"))]


@pytest.mark.parametrize(
    "page",
    [
        '<script src="https://cdn.example/x.js"></script>',
        '<script src="//cdn.example/x.js"></script>',
        '<link rel="stylesheet" href="https://fonts.example/css?family=Roboto">',
        '<link rel="preconnect" href="https://fonts.example" crossorigin>',
        '<img src="small.png" srcset="small.png 1x, https://cdn.example/large.png 2x">',
        "<style>@font-face { src: url(https://fonts.example/a.woff2) }</style>",
        "<style>@import 'https://fonts.example/a.css';</style>",
        '<p style="background: url(http://cdn.example/a.png)">',
        '<iframe src="https://video.example"></iframe>',
        '<pre class="mermaid"><code>graph LR</code></pre>',
    ],
)
def test_what_loads_from_outside_is_found(page: str) -> None:
    assert loads(page)


@pytest.mark.parametrize(
    "page",
    [
        '<a href="https://example.org">a link to click</a>',
        '<link rel="canonical" href="https://example.org/">',
        '<script src="assets/x.js"></script><link rel="stylesheet" href="assets/x.css">',
        '<svg xmlns="http://www.w3.org/2000/svg"></svg><code>url(https://shown.example)</code>',
    ],
)
def test_what_loads_nothing_is_let_be(page: str) -> None:
    assert not loads(page)
