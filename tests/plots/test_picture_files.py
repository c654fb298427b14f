"""Files of pictures: whole or not at all, and the same bytes for the same picture."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from likely import plots
from likely.errors import LikelyError, OptionError, StoreError
from likely.evaluation import roc

ENDINGS = ("png", "svg", "pdf")
STARTS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


def picture() -> Any:
    return plots.roc(roc(["坏", "好", "坏", "好"], [0.1, 0.4, 0.4, 0.8], "好"))


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_ending_says_the_kind(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a.{ending.upper()}"
    plots.save(picture(), path)
    assert path.read_bytes().startswith(STARTS[ending])
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_png_has_150_dots_an_inch(tmp_path: Path) -> None:
    figure = picture()
    plots.save(figure, tmp_path / "a.png")
    with Image.open(tmp_path / "a.png") as image:
        assert image.size == tuple(round(150 * side) for side in figure.get_size_inches())


@pytest.mark.parametrize("ending", ENDINGS)
def test_equal_pictures_are_equal_files(tmp_path: Path, ending: str) -> None:
    for name in "ab":
        plots.save(picture(), tmp_path / f"{name}.{ending}")
    first, second = ((tmp_path / f"{name}.{ending}").read_bytes() for name in "ab")
    assert first == second
    assert not any(word in first for word in (b"dc:date", b"CreationDate", b"Matplotlib v"))


def test_equal_in_another_process(tmp_path: Path) -> None:
    code = (
        "from likely import plots; from likely.evaluation import roc\n"
        "plots.save(plots.roc(roc(['坏', '好', '坏', '好'], [0.1, 0.4, 0.4, 0.8], '好')), 'other.svg')"
    )
    folders = os.pathsep.join(sys.path)
    subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        check=True,
        env={**os.environ, "PYTHONPATH": folders, "PYTHONHASHSEED": "7"},
    )
    plots.save(picture(), tmp_path / "this.svg")
    assert (tmp_path / "other.svg").read_bytes() == (tmp_path / "this.svg").read_bytes()


@pytest.mark.parametrize(
    ("name", "code", "kind"),
    [
        ("a.gif", "O121", OptionError),
        ("a", "O121", OptionError),
        ("no/a.png", "F401", StoreError),
        ("folder.png", "F401", StoreError),
    ],
)
def test_refusals(tmp_path: Path, name: str, code: str, kind: type[LikelyError]) -> None:
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(kind) as caught:
        plots.save(picture(), tmp_path / name)
    assert caught.value.code == code
    assert caught.value.hint
    assert [file.name for file in tmp_path.iterdir()] == ["folder.png"]


def test_what_is_no_figure(tmp_path: Path) -> None:
    with pytest.raises(OptionError) as caught:
        plots.save(3, tmp_path / "a.png")  # type: ignore[arg-type]
    assert caught.value.code == "O374"


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.svg"
    plots.save(picture(), path)
    before = path.read_bytes()

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        with pytest.raises(StoreError) as caught:
            plots.save(plots.images([[1.0]]), path)
    assert caught.value.code == "F402"
    assert "No space left" in str(caught.value)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_drawing_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, figure = tmp_path / "a.png", picture()
    path.write_bytes(b"old")
    monkeypatch.setattr(figure, "savefig", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        plots.save(figure, path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name == "nt", reason="modes and links are those of POSIX")
def test_mode_and_link_are_kept(tmp_path: Path) -> None:
    path, link = tmp_path / "a.svg", tmp_path / "link.svg"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    plots.save(picture(), link)
    assert link.is_symlink()
    assert path.read_bytes().startswith(b"<?xml")
    assert path.stat().st_mode & 0o777 == 0o640
