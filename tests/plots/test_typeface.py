"""Chinese text is drawn as characters, on a machine without any Chinese font too."""

from __future__ import annotations

import csv
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from matplotlib import font_manager
from matplotlib.ft2font import FT2Font

from likely import plots
from likely.evaluation import confusion
from likely.plots import typeface

MELONS = Path(__file__).parents[3] / "shared/data/watermelon3.csv"
NAMES = "色泽 根蒂 敲声 纹理 脐部 触感 密度 含糖率 好瓜 编号 是 否 好 坏"
VALUES = "青绿 乌黑 浅白 蜷缩 稍蜷 硬挺 浊响 沉闷 清脆 清晰 稍糊 模糊 凹陷 稍凹 平坦 硬滑 软粘 ，。：（）《》、％＝"


def has(font: str, sign: str) -> bool:
    found = font_manager.findfont(font_manager.FontProperties(family=font), fallback_to_default=False)
    return FT2Font(found).get_char_index(ord(sign)) != 0


def signs() -> set[str]:
    text = NAMES + VALUES
    if MELONS.exists():
        with open(MELONS, encoding="utf-8") as file:
            text += "".join("".join(row) for row in csv.reader(file))
    return set(text) - set(" ")


def test_every_sign_of_the_melons_has_a_glyph() -> None:
    for sign in signs():
        assert any(has(family, sign) for family in typeface.families()), sign


def test_the_packaged_font_has_all_of_gb2312_and_kana() -> None:
    file = Path(typeface.__file__).parent / "fonts" / "LikelyHan.ttf"
    font = FT2Font(file)
    every = [bytes([first, last]) for first in range(0xB0, 0xF8) for last in range(0xA1, 0xFF)]
    common = {code.decode("gb2312", "ignore") for code in every} - {""}
    assert len(common) == 6763
    assert all(font.get_char_index(ord(sign)) for sign in common | set("あいうアイウ龍國學體"))
    assert file.stat().st_size < 2_000_000
    assert {path.name for path in file.parent.iterdir()} == {"LikelyHan.ttf", "LICENSE.txt", "NOTICE.txt"}


def test_the_packaged_font_is_found_where_nothing_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    manager = font_manager.fontManager
    bare = [font for font in manager.ttflist if font.name.startswith(("DejaVu", "STIX"))]
    monkeypatch.setattr(manager, "ttflist", bare)
    assert typeface.families.__wrapped__() == ["DejaVu Sans", "Likely Han"]
    assert "Likely Han" in {font.name for font in manager.ttflist}


@pytest.mark.parametrize("name", ["Noto Sans CJK SC", "Microsoft YaHei", "PingFang SC", "SimHei"])
def test_an_installed_font_is_preferred(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    manager = font_manager.fontManager
    others = [font for font in manager.ttflist if font.name not in typeface.INSTALLED]
    monkeypatch.setattr(manager, "ttflist", [*others, SimpleNamespace(name=name)])
    assert typeface.families.__wrapped__() == ["DejaVu Sans", name]


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_chinese_labels_are_drawn_without_a_warning(tmp_path: Path, ending: str) -> None:
    """A missing glyph is a warning, and warnings are errors here."""
    levels = ["好瓜", "坏瓜", "纹理 清晰"]
    figure = plots.confusion(confusion([levels[0], *levels], [*levels, levels[2]], levels))
    plots.save(figure, tmp_path / f"瓜.{ending}")
    written = (tmp_path / f"瓜.{ending}").read_bytes()
    if ending == "svg" and typeface.families()[1] == typeface.PACKAGED:
        assert b"LikelyHan" in written  # outlines of the signs, not references to a font
        assert b"<text" not in written


def test_ticks_made_later_are_in_our_fonts_too() -> None:
    ax = plots.confusion(confusion(["好"], ["好"], ["好"])).axes[0]
    ax.set_xticks(range(9), "一二三四五六七八九")
    assert all(tick.get_fontfamily() == typeface.families() for tick in ax.get_xticklabels())


@pytest.mark.parametrize(
    ("label", "most", "cut"),
    [
        ("short", 10, "short"),
        ("a b\n c\t d", 10, "a b c d"),
        ("好瓜好瓜", 8, "好瓜好瓜"),
        ("好瓜好瓜好", 8, "好瓜好…"),
        ("x\x00y", 5, "x�y"),
        (1.5, 5, "1.5"),
    ],
)
def test_labels_are_cut(label: Any, most: int, cut: str) -> None:
    assert typeface.short(label, most) == cut
    assert typeface.display_width(typeface.short(label, most)) <= most


def test_cut_labels_stay_apart() -> None:
    long = [f"the level with the number {at}" for at in range(30)]
    assert len(set(typeface.shorts(long, 12))) == 30
    assert typeface.shorts(["same", "same"]) == ["same", "same"]
