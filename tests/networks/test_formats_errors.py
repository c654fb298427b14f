"""What is wrong with a file is said with its line and column, what was expected and what was found; nothing hangs."""

from __future__ import annotations

import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from likely.errors import StoreError
from likely.networks.formats import FORMATS, loads, read, write

TWO = """network two {
}
variable cause {
  type discrete [ 2 ] { low, high };
}
variable effect {
  type discrete [ 2 ] { yes, no };
}
probability ( cause ) {
  table 0.9, 0.1;
}
probability ( effect | cause ) {
  (low) 0.2, 0.8;
  (high) 0.7, 0.3;
}
"""
XML = """<?xml version="1.0"?>
<BIF VERSION="0.3"><NETWORK><NAME>two</NAME>
<VARIABLE TYPE="nature"><NAME>cause</NAME>
<OUTCOME>low</OUTCOME>
<OUTCOME>high</OUTCOME></VARIABLE>
<VARIABLE TYPE="nature"><NAME>effect</NAME><OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME></VARIABLE>
<DEFINITION><FOR>cause</FOR><TABLE>0.9 0.1</TABLE></DEFINITION>
<DEFINITION><FOR>effect</FOR><GIVEN>cause</GIVEN><TABLE>
<!-- low --> 0.2 0.8
0.7 0.3
</TABLE></DEFINITION></NETWORK></BIF>
"""
NET = """net { }
node cause { states = ("low" "high"); }
node effect { states = ("yes" "no"); }
potential (cause) { data = (0.9 0.1); }
potential (effect | cause) {
  data = ((0.2 0.8)
          (0.7 0.3)); }
"""
XDSL = """<smile version="1.0" id="two"><nodes>
<cpt id="cause"><state id="low"/><state id="high"/><probabilities>0.9 0.1</probabilities></cpt>
<cpt id="effect"><state id="yes"/><state id="no"/><parents>cause</parents>
<probabilities>0.2 0.8 0.7 0.3</probabilities></cpt>
<deterministic id="echo"><state id="a"/><state id="b"/><parents>cause</parents>
<resultingstates>a b</resultingstates></deterministic></nodes></smile>
"""
JSON = """{"format": "likely-network", "version": 1, "name": "nodes", "nodes": [
{"name": "cause", "levels": ["low", "high"], "parents": [], "table": [[0.9, 0.1]]},
{"name": "effect", "levels": ["yes", "no"], "parents": ["cause"], "table": [[0.2, 0.8], [0.7, 0.3]]}]}
"""
TEXTS = {"bif": TWO, "xmlbif": XML, "net": NET, "xdsl": XDSL, "json": JSON}
CASES = [  # format, what to replace, with what, code, line, column (0: any), words of the message
    ("bif", "network two", "netwrk two", "F414", 1, 1, "expected 'network', found 'netwrk'"),
    ("bif", "network two {", "network {", "F414", 1, 9, "expected the name of the network, found '{'"),
    ("bif", "variable effect {", "variable effect", "F414", 7, 3, "expected '{', found 'type'"),
    ("bif", "variable effect", "varible effect", "F414", 6, 1, "expected 'variable', 'probability' or the end"),
    ("bif", "variable effect", "variable cause", "F416", 6, 10, "'cause' is declared twice"),
    ("bif", "{ yes, no }", "{ yes, yes }", "F416", 7, 30, "'effect' has the level 'yes' twice"),
    ("bif", "[ 2 ] { yes, no }", "[ 0 ] { }", "F416", 6, 10, "'effect' has no levels"),
    ("bif", "  type discrete [ 2 ] { yes, no };\n", "", "F416", 6, 10, "'effect' has no levels"),
    ("bif", "[ 2 ] { yes, no }", "[ 3 ] { yes, no }", "F416", 7, 19, "expected 3 levels, as declared, found 2"),
    ("bif", "[ 2 ] { yes, no }", "[ 1000000000 ] { yes, no }", "F416", 7, 19, "expected 1000000000 levels"),
    ("bif", "{ yes, no };", "{ yes, no }", "F414", 8, 1, "expected ';', found '}'"),
    ("bif", "{ yes, no };", "{ yes, no ;", "F414", 7, 33, "expected a level or '}', found ';'"),
    ("bif", "discrete [ 2 ] { yes", "continuous [ 2 ] { yes", "F423", 7, 8, "a continuous variable"),
    ("bif", "type discrete [ 2 ] { yes", "kind discrete [ 2 ] { yes", "F414", 7, 3, "expected 'type'"),
    ("bif", "( effect | cause )", "( effct | cause )", "F417", 12, 15, "no variable 'effct'. Did you mean 'effect'?"),
    ("bif", "( effect | cause )", "( effect | Cause )", "F417", 12, 24, "no variable 'Cause'. Did you mean 'cause'?"),
    ("bif", "( effect | cause )", "( effect | )", "F414", 12, 24, "expected the name of a parent, found ')'"),
    ("bif", "( effect | cause )", "( effect | cause, cause )", "F428", 12, 31, "'cause' is a parent of 'effect' twice"),
    ("bif", "( effect | cause )", "( effect | cause ", "F414", 12, 31, "expected the name of a parent or ')'"),
    ("bif", "( effect | cause )", "( cause | effect )", "F429", 12, 15, "a second table of 'cause'"),
    ("bif", "probability ( cause ) {\n  table 0.9, 0.1;\n}\n", "", "F418", 3, 10, "'cause' has no table"),
    ("bif", "(low)", "(lo)", "F417", 13, 4, "'cause' has no level 'lo'. Did you mean 'low'?"),
    ("bif", "(low)", "(low, low)", "F419", 13, 3, "expected 1 levels, one for each parent of 'effect', found 2"),
    ("bif", "(low)", "(high)", "F430", 14, 3, "a second row: the row of 'effect' for ('high')"),
    ("bif", "  (low) 0.2, 0.8;\n", "", "F419", 12, 15, "expected 2 rows, found 1: the row of 'effect' for ('low')"),
    ("bif", "0.2, 0.8", "0.2", "F419", 13, 9, "expected 2 values, one for each level of 'effect', found 1"),
    ("bif", "0.2, 0.8", "0.2, 0.8, 0", "F419", 13, 9, "found 3"),
    ("bif", "0.9, 0.1", "0.9", "F419", 10, 9, "expected 2 values in the table of 'cause', found 1"),
    ("bif", "0.2, 0.8", "0.2, o.8", "F420", 13, 14, "expected a probability, found 'o.8'"),
    ("bif", "0.2, 0.8", "-0.2, 1.2", "F420", 13, 9, "found '-0.2'"),
    ("bif", "0.2, 0.8", "nan, 0.8", "F420", 13, 9, "found 'nan'"),
    ("bif", "0.2, 0.8", "1e999, 0.8", "F420", 13, 9, "found '1e999'"),
    ("bif", "0.2, 0.8", "0_1, 0", "F420", 13, 9, "found '0_1'"),
    ("bif", "0.2, 0.8", "0.2, 0.7", "F421", 13, 9, "sums to one, found one that sums to 0.9"),
    ("bif", "0.2, 0.8", "0.2, 0.8011", "F421", 13, 9, "for ('low')"),
    ("bif", "0.2, 0.8", "1e308, 1e308", "F421", 13, 9, "sums to inf"),
    ("bif", "0.9, 0.1", "0.9, 0.2", "F421", 10, 9, "the row of 'cause'"),
    ("bif", "0.2, 0.8;", "0.2, 0.8", "F414", 14, 3, "expected a probability or ';', found '('"),
    ("bif", "0.7, 0.3;\n}", "0.7, 0.3;\n", "F414", 12, 1, "expected '}' at the end of this block, found the end"),
    ("bif", "0.7, 0.3;\n}", "0.7, 0.3\n}", "F414", 15, 1, "expected a probability or ';', found '}'"),
    ("bif", "0.7, 0.3;\n}", "0.7, 0.3;\n} /* more", "F414", 15, 3, "a comment that does not close"),
    ("bif", "(low) 0.2", '("low) 0.2', "F414", 13, 4, "a quote that does not close"),
    ("bif", "{ low, high }", '{ "low, high }', "F414", 4, 25, "a quote that does not close"),
    ("bif", "( cause ) {\n  table", "( cause | effect ) {\n  table", "F419", 10, 9, "expected 4 values (2 x 2)"),
    (
        "bif",
        "( cause ) {\n  table 0.9, 0.1",
        "( cause | effect ) {\n  default 0.9, 0.1",
        "F422",
        9,
        15,
        "a cycle: 'cause' -> 'effect' -> 'cause'",
    ),
    ("bif", "( effect | cause )", "( effect | effect )", "F417", 13, 4, "'effect' has no level 'low'"),
    ("xmlbif", "<BIF", "<BIFF", "F414", 11, 0, "expected </BIFF>, found </BIF>"),
    ("xmlbif", "<OUTCOME>low", "<OUTCOM>low", "F414", 4, 0, "expected </OUTCOM>, found </OUTCOME>"),
    (
        "xmlbif",
        "<OUTCOME>low</OUTCOME>",
        "<OUTCOM>low</OUTCOM>",
        "F414",
        4,
        1,
        "found <OUTCOM>. Did you mean 'OUTCOME'?",
    ),
    ("xmlbif", "<OUTCOME>low</OUTCOME>\n", "low", "F414", 3, 1, "expected no text in <VARIABLE>, found 'low'"),
    ("xmlbif", "<OUTCOME>low</OUTCOME>", "<OUTCOME>high</OUTCOME>", "F416", 5, 1, "has the level 'high' twice"),
    ("xmlbif", "<NAME>effect", "<NAME>cause", "F416", 6, 25, "'cause' is declared twice"),
    ("xmlbif", "<NAME>effect</NAME>", "", "F414", 6, 1, "expected one <NAME> in <VARIABLE>, found 0"),
    ("xmlbif", "<NAME>effect</NAME>", "<NAME/>", "F416", 6, 25, "a variable whose name is empty"),
    ("xmlbif", "<NAME>effect</NAME>", "<NAME><B/>effect</NAME>", "F414", 6, 31, "expected text only in <NAME>"),
    ("xmlbif", "<OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME>", "", "F416", 6, 25, "'effect' has no levels"),
    ("xmlbif", '"nature"><NAME>effect', '"decision"><NAME>effect', "F423", 6, 1, "a decision node"),
    ("xmlbif", "<FOR>effect", "<FOR>effekt", "F417", 8, 13, "no variable 'effekt'. Did you mean 'effect'?"),
    ("xmlbif", "<GIVEN>cause", "<GIVEN>case", "F417", 8, 30, "no variable 'case'. Did you mean 'cause'?"),
    ("xmlbif", "<GIVEN>cause</GIVEN>", "", "F419", 8, 30, "expected 2 values in the table of 'effect', found 4"),
    ("xmlbif", "0.7 0.3", "0.7 x0.3", "F420", 10, 5, "expected a probability, found 'x0.3'"),
    ("xmlbif", "0.7 0.3", "0.7 0.4", "F421", 10, 1, "for ('high')"),
    ("xmlbif", "0.2 0.8", "0.2 -0.8", "F420", 9, 18, "found '-0.8'"),
    ("xmlbif", "<TABLE>0.9 0.1</TABLE>", "", "F414", 7, 1, "expected one <TABLE> in <DEFINITION>, found 0"),
    ("xmlbif", "</NETWORK></BIF>", "", "F414", 0, 0, "expected </NETWORK>, found the end"),
    ("xmlbif", "</BIF>", "</BIF><BIF/>", "F414", 11, 0, "junk after document element"),
    ("xmlbif", "<NAME>two", "<NAME>&two;", "F414", 2, 0, "undefined entity"),
    ("xmlbif", "<NAME>two", "<NAME>&#1;", "F414", 2, 0, "expected XML"),
    ("xmlbif", "<BIF", '<!DOCTYPE BIF [<!ENTITY x "y">]><BIF', "F415", 2, 0, "defines an entity, 'x'"),
    ("xmlbif", "<BIF", '<!DOCTYPE BIF [<!ENTITY % x "y">]><BIF', "F415", 2, 0, "defines an entity, 'x'"),
    ("xmlbif", "<BIF", '<!DOCTYPE BIF [<!ENTITY x SYSTEM "file:///etc/passwd">]><BIF', "F415", 2, 0, "entity, 'x'"),
    ("xmlbif", "<BIF", '<!DOCTYPE BIF SYSTEM "http://example.org/bif.dtd"><BIF', "F415", 2, 0, "refers to 'http://ex"),
    ("xmlbif", "<BIF", '<!DOCTYPE BIF PUBLIC "-//x" "x.dtd"><BIF', "F415", 2, 0, "refers to 'x.dtd'"),
    ("xmlbif", "<BIF", '<!DOCTYPE BIF [<!NOTATION n SYSTEM "n">]><BIF', "F415", 2, 0, "a notation, 'n'"),
    ("xmlbif", XML[XML.index("<BIF") :], "<smile/>", "F414", 2, 1, "expected <BIF>, found <smile>"),
    ("net", "node effect", "continuous node effect", "F423", 3, 1, "a continuous node"),
    ("net", "node effect", "utility effect", "F423", 3, 1, "a utility node"),
    ("net", "node effect", "decision effect", "F423", 3, 1, "a decision node"),
    ("net", "net {", "class x {", "F423", 1, 1, "a network of classes"),
    ("net", "node effect", "node cause", "F416", 3, 6, "'cause' is declared twice"),
    ("net", ' states = ("yes" "no");', "", "F416", 3, 6, "'effect' has no levels"),
    ("net", '("yes" "no")', '("yes" "yes")', "F416", 3, 31, "has the level 'yes' twice"),
    ("net", '("yes" "no")', '("yes" "no"', "F414", 3, 35, "expected a state or ')', found ';'"),
    ("net", '"no")', '"no)', "F414", 3, 31, "a quote that does not close"),
    ("net", "effect | cause", "effect | case", "F417", 5, 21, "no variable 'case'"),
    ("net", "effect | cause", "effect cause", "F414", 5, 19, "expected '|', found 'cause'"),
    ("net", "0.7 0.3", "0.7", "F419", 6, 10, "expected 4 values (2 x 2) in the table of 'effect', found 3"),
    ("net", "0.7 0.3", "0.7 0.2", "F421", 7, 12, "for ('high')"),
    ("net", "0.7 0.3", "0.7 zero", "F420", 7, 16, "found 'zero'"),
    ("net", "(0.7 0.3)", "(0.7 0.3", "F414", 7, 20, "expected ')', found ';'"),
    ("net", "data = (0.9 0.1);", "", "F418", 4, 12, "'cause' has no table"),
    ("net", "data = (0.9 0.1)", "data = normal (0.9, 0.1)", "F414", 4, 28, "expected '(', found 'normal'"),
    ("net", "potential (cause) { data = (0.9 0.1); }", "", "F418", 2, 6, "'cause' has no table"),
    ("xdsl", '<cpt id="effect">', '<cpt id="cause">', "F416", 3, 1, "'cause' is declared twice"),
    ("xdsl", '<cpt id="effect">', "<cpt>", "F414", 3, 1, "expected an attribute 'id' of <cpt>, found none"),
    ("xdsl", "<parents>cause</parents>\n<prob", "<parents>case</parents>\n<prob", "F417", 3, 51, "no variable 'case'"),
    ("xdsl", "0.2 0.8 0.7 0.3", "0.2 0.8 0.7", "F419", 4, 1, "expected 4 values (2 x 2)"),
    ("xdsl", "0.2 0.8 0.7 0.3", "0.2 0.8 0.7 0.2", "F421", 4, 24, "for ('high')"),
    ("xdsl", "<resultingstates>a b<", "<resultingstates>a c<", "F417", 6, 20, "'echo' has no level 'c'"),
    (
        "xdsl",
        "<resultingstates>a b<",
        "<resultingstates>a<",
        "F419",
        6,
        1,
        "expected 2 resulting states of 'echo', found 1",
    ),
    ("xdsl", "<nodes>", "<nodes><noisymax id='n'/>", "F423", 1, 0, "a noisy-max node"),
    ("xdsl", "<nodes>", "<nodes><equation id='n'/>", "F423", 1, 0, "an equation node"),
    ("xdsl", "<nodes>", "<nodes><what id='n'/>", "F414", 1, 0, "expected <cpt> or <deterministic>, found <what>"),
    ("json", '"version": 1', '"version": 2', "F426", 1, 1, "expected version 1 of the format, found 2"),
    ("json", "likely-network", "other", "F426", 1, 1, "found another kind of JSON"),
    ("json", "[[0.9, 0.1]]}", "[[0.9, 0.1]]", "F414", 3, 1, "Expecting property name"),
    ("json", '"name": "effect"', '"name": "cause"', "F416", 3, 1, "'cause' is declared twice"),
    ("json", '"name": "effect"', '"name": 3', "F414", 3, 1, 'expected a text as "name" of a node, found a number'),
    ("json", '["yes", "no"]', '["yes", null]', "F414", 3, 1, 'expected a list of texts, numbers or truths as "levels"'),
    ("json", '["cause"]', '["case"]', "F417", 3, 1, "no variable 'case'. Did you mean 'cause'?"),
    ("json", "[0.7, 0.3]]", "[0.7]]", "F419", 3, 1, "expected 2 values"),
    ("json", ", [0.7, 0.3]]", "]", "F419", 3, 1, "expected 4 values (2 x 2)"),
    ("json", "0.7, 0.3", '0.7, "0.3"', "F420", 3, 1, "expected a row of 2 numbers"),
    ("json", "0.7, 0.3", "NaN, 0.3", "F420", 3, 1, "found nan"),
    ("json", "0.7, 0.3", "0.7, 0.2", "F421", 3, 1, "for ('high')"),
    ("json", '"nodes": [', '"nodes": [3, ', "F414", 1, 1, "expected a node, {...}, as number 1, found a number"),
]


@pytest.mark.parametrize(("form", "old", "new", "code", "line", "column", "words"), CASES)
def test_faults_are_named_and_placed(
    form: str, old: str, new: str, code: str, line: int, column: int, words: str
) -> None:
    text = TEXTS[form]
    assert old in text
    loads(text, form)
    with pytest.raises(StoreError) as caught:
        loads(text.replace(old, new, 1), form)
    error = caught.value
    assert error.code == code, error
    assert words in error.message
    assert error.place.startswith(f"<text>, line {line or ''}"), error
    assert not column or error.place.endswith(f", column {column}"), error


@pytest.mark.parametrize(("off", "said"), [("0.80000000001", False), ("0.8000001", True), ("0.8009", True)])
@pytest.mark.parametrize("form", FORMATS)
def test_rows_nearly_sum_to_one(form: str, off: str, said: bool) -> None:
    found = loads(TEXTS[form].replace("0.8", off), form)
    assert len(found.notes) == said
    assert not said or found.notes[0].startswith("table of 'effect': 1 of 2 rows did not sum to one, by up to ")
    assert abs(found.tables[1].sum(axis=-1) - 1).max() < (1e-15 if said else 1e-10)


def test_a_failure_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "two.bif"
    path.write_text(TWO.replace("0.2, 0.8", "0.2, 0.9"))
    with pytest.raises(StoreError) as caught:
        read(path)
    assert caught.value.place == f"{path}, line 13, column 9"


def test_files_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "asia.bif").write_bytes(b"")
    (tmp_path / "folder.bif").mkdir()
    for name, words in (("asai.bif", "Did you mean 'asia.bif'?"), ("folder.bif", "a folder"), ("a\0.bif", "no such")):
        with pytest.raises(StoreError) as caught:
            read(tmp_path / name)
        assert caught.value.code == "F411"
        assert words in str(caught.value)
    os.mkfifo(tmp_path / "pipe.bif")  # opening it would wait for ever
    with pytest.raises(StoreError, match="F411"):
        read(tmp_path / "pipe.bif")


@pytest.mark.parametrize("name", ["asia.bfi", "asia", "asia.txt", ".bif"])
def test_unknown_endings_and_formats(tmp_path: Path, name: str) -> None:
    for act in (lambda: read(tmp_path / name), lambda: write(loads(TWO, "bif"), tmp_path / name)):
        with pytest.raises(StoreError) as caught:
            act()
        assert caught.value.code == "F412"
        assert ".bif, .xmlbif, .bifxml, .xml, .net, .xdsl, .json" in caught.value.hint
    with pytest.raises(StoreError, match="no format 'biff'"):
        loads(TWO, "biff")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "expected a network, found nothing"),
        (b" \n\n", "expected a network, found nothing"),
        (b"\xef\xbb\xbf", "expected a network, found nothing"),
        (TWO.encode("utf-16"), "found UTF-16"),
        (TWO.encode("utf-16-le"), r"expected text, found '\x00'"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "found the byte 0x89"),
        (b"\x1f\x8b\x08\0", "found the byte 0x8b"),
        (TWO.replace("low", "丂").encode("gbk"), "expected text in UTF-8"),
        (TWO.replace("high", "a\x01").encode(), r"found '\x01'"),
    ],
)
@pytest.mark.parametrize("form", FORMATS)
def test_what_is_no_text(tmp_path: Path, data: bytes, words: str, form: str) -> None:
    (tmp_path / "x").write_bytes(data)
    with pytest.raises(StoreError) as caught:
        read(tmp_path / "x", form)
    assert caught.value.code == ("F413" if "nothing" not in words else "F427")
    assert words in caught.value.message
    assert "line " in caught.value.place


def fan(parents: int) -> str:
    names = [f"v{i}" for i in range(parents + 1)]
    head = "".join(f"variable {name} {{ type discrete [ 2 ] {{ a, b }}; }}\n" for name in names)
    return f"network x {{ }}\n{head}probability ( v0 | {', '.join(names[1:])} ) {{ "


@pytest.mark.parametrize(
    ("form", "text", "code"),
    [
        ("bif", "network a { }" + '"\n' * 1_000_000, "F414"),
        ("bif", "network a { }" + '"' * 1_000_001, "F414"),
        ("bif", "network a { }" + "/* " * 1_000_000, "F414"),
        ("bif", 'network a { } "' + "\\" * 1_000_000, "F414"),
        ("bif", "network a { }" + "(" * 20_000, "F414"),
        ("bif", "network a { } variable a { type discrete [ 2 ] { " + "a " * 20_000, "F414"),
        ("bif", "network a { } variable a { type discrete [ " + "9" * 9999 + " ] { a };", "F416"),
        (
            "bif",
            f"network a {{ }} variable a {{ type discrete [ 20001 ] {{ {' '.join(map(str, range(20_000)))} 7 }}; }}",
            "F416",
        ),
        ("bif", fan(2000) + "default 0.5, 0.5; }", "F424"),
        ("bif", fan(35) + "default 0.5, 0.5; }", "F424"),
        ("bif", fan(25) + "default 0.5, 0.5; }", "F424"),
        ("bif", fan(35) + f"({'a, ' * 35}) 0.5, 0.5; }}", "F419"),
        ("bif", fan(35) + "table 0.5, 0.5; }", "F419"),
        ("net", "node a { states = (" + "(" * 20_000, "F414"),
        ("net", "net { x = " + '"\\' * 1_000_001, "F414"),
        ("xmlbif", "<BIF>" * 100_000, "F414"),
        ("xmlbif", "<BIF " + " ".join(f"a{i}='1'" for i in range(20_000)) + ">", "F414"),
        ("json", "[" * 100_000, "F414"),
        ("json", '{"nodes":' * 100_000, "F414"),
    ],
    ids=lambda value: value[:30],
)
def test_hostile_texts_neither_hang_nor_fill_memory(calls: Callable[..., int], form: str, text: str, code: str) -> None:
    def refuse() -> None:
        with pytest.raises(StoreError, match=code):
            loads(text, form)

    assert calls(refuse) < 5 * len(text) + 1000
    tracemalloc.start()
    refuse()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 50 * len(text) + 100_000
