"""Networks come back from every format as they were, whatever they are called; dialects are understood."""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likely
from likely.errors import StoreError
from likely.networks.formats import FORMATS, Parts, dumps, loads, read, write

BIF = Path(__file__).resolve().parents[3] / "shared" / "data" / "bif"
NETWORKS = sorted(BIF.glob("*.bif"))
shared = pytest.mark.skipif(not NETWORKS, reason="the shared networks are not here")
ODD = (
    ("a b", ("x y", "<5", '"', "0-10%")),
    ('q"u,o{t}e', ("\\", "a//b", "a/*b")),
    ("中文", ("是", "否")),
    ("<x>&y", ("&amp;", "]]>", "Asy/Patch")),
    ("plain", ("yes", "no")),
    ("plain_", ("", "z")),
    ("1", ("default", "table", "property")),
    ("table", ("(", ")", "|", ";")),
    ("node", ("%", "=", "'")),
    (" lead\n", ("a\tb", "a\r", "a\n", " ", "\u00a0", "\u2028")),
    ("a_b", ("a b", "a_b", "a-b")),
)


def same(one: Parts, other: Parts) -> bool:
    return (
        (one.nodes, one.levels, one.parents) == (other.nodes, other.levels, other.parents)
        and [table.shape for table in one.tables] == [table.shape for table in other.tables]
        and [table.tobytes() for table in one.tables] == [table.tobytes() for table in other.tables]
    )


def random_parts(variables: tuple[tuple[str, tuple[str, ...]], ...], seed: int, name: str = "") -> Parts:
    """Every variable with up to three of those before it as parents, in any order."""
    rng = np.random.default_rng(seed)
    nodes, levels = tuple(name for name, _ in variables), tuple(levels for _, levels in variables)
    parents, tables = [], []
    for at, own in enumerate(levels):
        chosen = rng.permutation(at)[: rng.integers(0, min(at, 3) + 1)].tolist()
        parents.append(tuple(nodes[parent] for parent in chosen))
        table = rng.dirichlet(np.full(len(own), 0.3), size=[len(levels[parent]) for parent in chosen])
        tables.append(table / table.sum(axis=-1, keepdims=True))
    return Parts(nodes, levels, tuple(parents), tuple(tables), name)


@shared
@pytest.mark.parametrize("path", NETWORKS, ids=lambda path: path.stem)
def test_every_network_comes_back_from_every_format(path: Path, tmp_path: Path) -> None:
    parts = read(path)
    for name, form in FORMATS.items():
        for ending in form.endings:
            place = tmp_path / f"{path.stem}{ending}"
            write(parts, place)
            found = read(place)
            assert same(found, parts), name
            assert (found.name, found.notes) == (parts.name, ())


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("seed", range(5))
def test_odd_names_come_back(name: str, seed: int) -> None:
    parts = random_parts(ODD, seed, 'the "net" of <1>\n')
    found = loads(dumps(parts, name), name)
    assert same(found, parts)
    assert found.name == parts.name


texts = st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff"), max_size=6)
levels = st.lists(texts, min_size=1, max_size=3, unique=True).map(tuple)
variables = st.lists(st.tuples(texts.filter(bool), levels), min_size=1, max_size=4, unique_by=lambda pair: pair[0])


@settings(derandomize=True, deadline=None, max_examples=60)
@given(variables, st.integers(0, 9), st.sampled_from(sorted(FORMATS)), texts)
def test_any_names_come_back(variables: list[tuple[str, tuple[str, ...]]], seed: int, name: str, title: str) -> None:
    parts = random_parts(tuple(variables), seed, title)
    found = loads(dumps(parts, name), name)
    assert same(found, parts)
    assert found.name == title or (name == "bif" and title == "unknown")


@pytest.mark.parametrize("name", FORMATS)
def test_a_single_level_and_tiny_numbers_come_back(name: str) -> None:
    tiny = np.array([5e-324, 1.0 - 1e-17, 1e-300])
    parts = Parts(("a", "b"), (("only",), ("x", "y", "z")), ((), ("a",)), (np.ones(1), tiny[None]))
    assert same(loads(dumps(parts, name), name), parts)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("bad", ["a\0", "\x1b", "\ud800", "\uffff"])
def test_a_name_that_no_text_can_hold_is_refused(name: str, bad: str) -> None:
    with pytest.raises(StoreError, match="F425"):
        dumps(Parts((bad,), (("a",),), ((),), (np.ones(1),)), name)


@shared
def test_a_large_file_is_read_with_few_calls_for_each_word(calls: Callable[..., int]) -> None:
    words = re.findall(r"[\w.]+", (BIF / "munin1.bif").read_text(encoding="utf-8"))
    assert len(read(BIF / "munin1.bif").nodes) == 186
    assert calls(lambda: read(BIF / "munin1.bif")) < 3 * len(words)  # a look at each sign would be eight


@shared
def test_published_numbers_are_where_they_should_be() -> None:
    asia, child = read(BIF / "asia.bif"), read(BIF / "child.bif")
    dysp = asia.nodes.index("dysp")
    assert asia.parents[dysp] == ("bronc", "either")
    np.testing.assert_array_equal(asia.tables[dysp][..., 0], [[0.9, 0.8], [0.7, 0.1]])  # Lauritzen & Spiegelhalter 1988
    assert child.levels[child.nodes.index("ChestXray")][-1] == "Asy/Patch"
    assert child.levels[child.nodes.index("LowerBodyO2")] == ("<5", "5-12", "12+")


@shared
def test_rows_that_nearly_sum_to_one_are_scaled_and_said() -> None:
    notes = read(BIF / "alarm.bif").notes
    assert notes[0] == "table of 'HREKG': 3 of 6 rows did not sum to one, by up to 1e-07; scaled to one"
    assert all(abs(table.sum(axis=-1) - 1).max() < 1e-9 for table in read(BIF / "munin1.bif").tables)
    assert read(BIF / "asia.bif").notes == ()


DOG = r"""
// made by hand
network "Dog Problem" { //5 variables
	property "credal-set ; }" ;
	property version = 1.0 ;
}
/* "not a string */ variable  "light-on"{
	type discrete[2] {  "true"  "false" };
	property "position = (218, 195)" ;
}
probability (  "light-on"  "family out" "x" ) { //before its parents
	property at = (3, 4) ;
	table 0.6 0.05 .5 0.25e0 0.4 0.95 5E-1 0.75;
	property "y" ;
}
variable  "family out" { property a; type discrete[2] { "true", "false", }; }
variable x { type discrete [ 2 ] { <5, "say \"5\" \\ c:\d" }; }
variable y { type discrete [ 2 ] { u, v }; }
probability ( "family out" ) { default 0.15, 0.85; }
probability ( y | x, "family out" ) { // in any order
  default 0.5, 0.5;
  ("say \"5\" \\ c:\d", false) 1, 0; /* between */
  ("<5", true) 0.25, 0.75;
}
probability ( x ) { table 0.5, 0.5; }
"""


def test_dialects_of_bif() -> None:
    dog = loads(DOG, "bif")
    assert dog.name == "Dog Problem"
    assert dog.nodes == ("light-on", "family out", "x", "y")
    assert dog.levels[2] == ("<5", 'say "5" \\ c:\\d')
    assert dog.parents[0] == ("family out", "x")
    # A table of the format lists the own level slowest, and the last parent fastest.
    np.testing.assert_array_equal(dog.tables[0][..., 0], [[0.6, 0.05], [0.5, 0.25]])
    np.testing.assert_array_equal(dog.tables[3], [[[0.25, 0.75], [0.5, 0.5]], [[0.5, 0.5], [1.0, 0.0]]])
    with pytest.raises(StoreError, match="expected ';', found '}'\n  at: <text>, line 6, column 1"):
        loads(DOG.replace("version = 1.0 ;", "version = 1.0"), "bif")


def test_dialects_of_hugin() -> None:
    text = """% a comment (
    net { node_size = (80 40); HR_Desc = "two
    lines; }"; name = x; }
    discrete node a { states = (l0 "l 1" 3); label = "A"; position = (-1 2); subtype = label; }
    node b { states = ("y" "n"); }
    potential (b | a c) { data = (((0.1 0.9) % a
       (0.2 0.8)) ((0.3 0.7)(0.4 0.6)) ((.5 0.5)(1 0))); experience = (1 2); }
    potential (a) { data = (0.2 0.3 0.5); }
    potential (c | ) { data = ((0.5) (0.5)); }
    node c { states = ("0" "1"); }"""
    found = loads(text, "net")
    assert found.name == "x"
    assert found.levels == (("l0", "l 1", "3"), ("y", "n"), ("0", "1"))
    np.testing.assert_array_equal(found.tables[1][..., 0], [[0.1, 0.2], [0.3, 0.4], [0.5, 1.0]])
    flat = loads(text.replace("((0.5) (0.5))", "(0.5 0.5)"), "net")
    assert same(flat, found)


def test_dialects_of_xmlbif() -> None:
    text = """<?xml version="1.0" encoding="US-ASCII"?>
    <!-- DTD of the format -->
    <!DOCTYPE BIF [ <!ELEMENT BIF ( NETWORK )*> <!ATTLIST BIF VERSION CDATA #REQUIRED>
      <!ELEMENT NETWORK ( NAME, ( PROPERTY | VARIABLE | DEFINITION )* )> <!ELEMENT NAME (#PCDATA)>
      <!ATTLIST VARIABLE TYPE (nature|decision|utility) "nature"> ]>
    <BIF VERSION="0.3"><NETWORK><NAME>Dog</NAME><PROPERTY>author <b>me</b></PROPERTY>
    <DEFINITION><FOR>b</FOR><GIVEN>a</GIVEN><TABLE>0.6 0.4 <!-- 7 --> 0.05
      0.95</TABLE></DEFINITION>
    <VARIABLE><NAME>
       a </NAME><OUTCOME>&lt;5</OUTCOME><OUTCOME><![CDATA[>=5]]></OUTCOME><PROPERTY/></VARIABLE>
    <VARIABLE TYPE="nature"><NAME>b</NAME><VALUE>&#20013;</VALUE><VALUE>no</VALUE></VARIABLE>
    <DEFINITION><FOR>a</FOR><TABLE>1 0</TABLE></DEFINITION></NETWORK></BIF>"""
    found = loads(text, "xmlbif")
    assert (found.name, found.nodes) == ("Dog", ("a", "b"))
    assert found.levels == (("<5", ">=5"), ("中", "no"))
    np.testing.assert_array_equal(found.tables[1], [[0.6, 0.4], [0.05, 0.95]])


def test_dialects_of_xdsl() -> None:
    text = """<?xml version="1.0" encoding="ISO-8859-1"?>
    <smile version="1.0" id="Network1" numsamples="1000"><nodes>
    <cpt id="a" target="true"><state id="y" label="Yes" fault="true"/><state id="n"/>
      <probabilities>0.25 0.75</probabilities></cpt>
    <cpt id="b"><state id="s0"/><state id="s1"/><state id="s2"/><probabilities>0.2 0.3 0.5</probabilities>
      <property id="source">x</property></cpt>
    <deterministic id="d"><state id="lo"/><state id="hi"/><parents>a b</parents>
      <resultingstates>lo lo hi lo hi hi</resultingstates></deterministic>
    </nodes><extensions><genie version="1.0" app="GeNIe 4" name="N"><node id="a"><name>A</name></node></genie>
    </extensions></smile>"""
    found = loads(text, "xdsl")
    assert found.nodes == ("a", "b", "d")
    np.testing.assert_array_equal(found.tables[2][..., 1], [[0, 0, 1], [0, 1, 1]])
    assert found.notes == ()
    assert "first parent fastest" in loads(text.replace("GeNIe 4", "aGrUM 3"), "xdsl").notes[0]


def test_xdsl_has_parents_before_children_and_keeps_the_order() -> None:
    tables = (np.array([[0.5, 0.5], [0.25, 0.75]]), np.array([0.5, 0.5]))
    parts = Parts(("child", "parent"), (("y", "n"), ("<5", "5+")), (("parent",), ()), tables, "x")
    text = dumps(parts, "xdsl")
    assert text.index('<cpt id="parent">') < text.index('<cpt id="child">')
    assert same(loads(text, "xdsl"), parts)
    added = text.replace('<state id="x_5" />', '<state id="x_5" /><state id="more" />')  # as if in GeNIe
    added = added.replace("<probabilities>0.5 0.5<", "<probabilities>0.5 0.5 0<").replace(
        ">0.5 0.5 0.25", ">1 0 0.5 0.5 0.25"
    )
    assert loads(added, "xdsl").levels[1] == ("x_5", "more", "x5_")


def test_our_json_is_as_documented() -> None:
    parts = loads(dumps(random_parts(ODD, 1, "odd"), "json"), "json")
    page = json.loads(dumps(parts, "json"))
    assert (page["format"], page["version"], page["name"]) == ("likely-network", 1, "odd")
    node = next(one for one in page["nodes"] if len(one["parents"]) > 1)
    sizes = [len(one["levels"]) for parent in node["parents"] for one in page["nodes"] if one["name"] == parent]
    assert np.shape(node["table"]) == (np.prod(sizes), len(node["levels"]))
    assert np.ravel(node["table"]).tolist() == parts.tables[parts.nodes.index(node["name"])].ravel().tolist()


COIN = """network coin {
}
variable c {
  type discrete [ 2 ] { über, tails };
}
probability ( c ) {
  table 0.5, 0.5;
}
"""


@pytest.mark.parametrize("breaks", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_encodings_and_line_breaks(tmp_path: Path, breaks: str, encoding: str) -> None:
    path = tmp_path / "coin.BIF"
    path.write_bytes(COIN.replace("\n", breaks).encode(encoding))
    found = read(path)
    assert found.levels == (("über", "tails"),)
    assert bool(found.notes) == (encoding == "latin-1")
    path.write_bytes(COIN.replace("0.5;", "0.5.;").replace("\n", breaks).encode(encoding))
    with pytest.raises(StoreError, match=r"line 7, column 14"):
        read(path)


def test_xml_in_the_encoding_that_it_names(tmp_path: Path) -> None:
    text = dumps(loads(COIN, "bif"), "xmlbif")
    for encoding in ("iso-8859-1", "gb18030", "windows-1252"):
        path = tmp_path / "coin.xml"
        path.write_bytes(text.replace("UTF-8", encoding).encode(encoding))
        assert read(path).levels == (("über", "tails"),)
        assert read(path).notes == ()
    assert loads(text.replace("UTF-8", "iso-8859-1"), "xmlbif").levels == (("über", "tails"),)  # a text is a text


def test_a_format_may_be_named(tmp_path: Path) -> None:
    coin = loads(COIN, "bif")
    write(coin, tmp_path / "coin.txt", format="xdsl")
    assert same(read(tmp_path / "coin.txt", format="xdsl"), coin)


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "coin.bif"
    path.write_text("old")
    with pytest.raises(StoreError, match="F425"):
        write(Parts(("\0",), (("a",),), ((),), (np.ones(1),)), path)
    assert path.read_text() == "old"
    write(loads(COIN, "bif"), path)
    assert read(path).nodes == ("c",)
    assert os.listdir(tmp_path) == ["coin.bif"]
    with pytest.raises(StoreError, match="F401"):
        write(loads(COIN, "bif"), tmp_path / "none" / "coin.bif")


@pytest.mark.parametrize("ending", ["bif", "xmlbif", "net", "xdsl", "json"])
def test_files_may_be_packed(ending: str, tmp_path: Path) -> None:
    net = likely.networks.asia()
    net.write(tmp_path / f"asia.{ending}")
    net.write(tmp_path / f"asia.{ending}.gz")
    plain, packed = ((tmp_path / f"asia.{ending}{gz}").read_bytes() for gz in ("", ".gz"))
    assert gzip.decompress(packed) == plain
    assert likely.Network.read(tmp_path / f"asia.{ending}.gz").name == net.name


def test_packed_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "asia.bif.gz"
    likely.networks.asia().write(path)
    whole = path.read_bytes()
    for content in (whole[:-20], b"network asia {}", whole[:30] + b"\0\0" + whole[32:]):
        path.write_bytes(content)
        with pytest.raises(likely.LikelyError, match="F432"):
            likely.Network.read(path)
    path.write_bytes(whole)
    monkeypatch.setattr("likely.networks.formats.MOST_UNPACKED", 100)
    with pytest.raises(likely.LikelyError, match=r"F433.*100 bytes"):
        likely.Network.read(path)
