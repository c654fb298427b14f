"""pyAgrum reads what we write, and we read what it writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from likely.networks.formats import Parts, read, write

from . import oracles

gum = pytest.importorskip("pyagrum")
pytestmark = pytest.mark.skipif(not oracles.FILES, reason="the shared networks are not here")
CLOSE = 1e-6  # it holds BIF and .net numbers as 32-bit floats
SMALL = [name for name in oracles.FILES if name not in ("munin1", "water", "andes")]
PLAIN = [name for name in SMALL if name != "child"]  # where every level is an identifier, which it insists on


def turned(table: np.ndarray) -> np.ndarray:
    """A table of several parents as pyAgrum reads it from .xdsl: first parent fastest, where GeNIe has the last."""
    parents = table.ndim - 1
    return table.reshape(*table.shape[-2::-1], table.shape[-1]).transpose(*range(parents - 1, -1, -1), parents)


def check(parts: Parts, net: Any, turn: bool = False) -> None:
    assert set(net.names()) == set(parts.nodes)
    for node, levels, parents, table in zip(parts.nodes, parts.levels, parts.parents, parts.tables, strict=True):
        assert tuple(net.variable(node).labels()) == levels
        cpt = net.cpt(node)
        axes = list(cpt.names)[::-1]  # its arrays have the axes the other way round
        assert sorted(axes) == sorted((*parents, node))
        theirs = cpt.toarray().transpose([axes.index(name) for name in (*parents, node)])
        np.testing.assert_allclose(turned(table) if turn else table, theirs, atol=CLOSE, rtol=0)


@pytest.mark.parametrize("name", oracles.FILES)
def test_an_independent_reader_of_bif_agrees(name: str) -> None:
    plain, parts = oracles.read(name), read(oracles.bif(name))
    assert tuple(plain.nodes) == parts.nodes
    for node, levels, parents, table in zip(parts.nodes, parts.levels, parts.parents, parts.tables, strict=True):
        assert tuple(plain.levels[node]) == levels
        assert tuple(plain.parents[node]) == parents
        np.testing.assert_allclose(table, plain.tables[node], atol=1e-15)


@pytest.mark.parametrize(
    ("name", "ending"),
    [(name, ending) for name in SMALL for ending in (".bif", ".bifxml", ".net", ".xdsl") if name in PLAIN]
    + [("child", ".bifxml"), ("child", ".net")],
)
def test_pyagrum_reads_what_we_write(name: str, ending: str, tmp_path: Path) -> None:
    parts = read(oracles.bif(name))
    write(parts, tmp_path / f"x{ending}")
    check(parts, gum.loadBN(str(tmp_path / f"x{ending}")), turn=ending == ".xdsl")


@pytest.mark.parametrize("ending", [".bif", ".bifxml", ".net", ".xdsl"])
@pytest.mark.parametrize("name", PLAIN)
def test_we_read_what_pyagrum_writes(name: str, ending: str, tmp_path: Path) -> None:
    net = gum.loadBN(str(oracles.bif(name)))
    gum.saveBN(net, str(tmp_path / f"x{ending}"))
    check(read(tmp_path / f"x{ending}"), net, turn=ending == ".xdsl")


def test_pyagrum_agrees_on_tables_with_parents(tmp_path: Path) -> None:
    (tmp_path / "x.bif").write_text(
        "network x { } variable a { type discrete [ 2 ] { x, y }; } variable b { type discrete [ 3 ] { p, q, r }; }"
        "variable c { type discrete [ 2 ] { u, v }; } probability ( a ) { table 0.5, 0.5; }"
        "probability ( b ) { default 0.25, 0.25, 0.5; } probability ( c | a, b ) {"
        "table 0.0625, 0.125, 0.25, 0.375, 0.5, 0.75, 0.9375, 0.875, 0.75, 0.625, 0.5, 0.25; }"
    )
    check(read(tmp_path / "x.bif"), gum.loadBN(str(tmp_path / "x.bif")))
