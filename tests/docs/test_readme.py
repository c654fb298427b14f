"""The documents are programs: their Python blocks run, and the commands they name exist."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import textwrap
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
DOCUMENTS = [README, *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>\w*)(?P<about>[^\n]*)\n(?P<body>.*?)^(?P=indent)``` *$", re.M | re.S
)
WITH = re.compile(r'title="with ([\w.-]+\.bif)"')  # blocks that read a network which everybody has and we do not ship
BIF = ROOT.parent / "shared" / "data" / "bif"


class Block(NamedTuple):
    language: str
    body: str
    line: int  # of the first line of the body, from 0
    about: str  # what stands behind the language


def blocks(text: str) -> list[Block]:
    return [
        Block(
            found["language"],
            textwrap.dedent(found["body"]),
            text.count("\n", 0, found.start("body")),
            found["about"],
        )
        for found in FENCE.finditer(text)
    ]


def at_hand(block: Block, folder: Path) -> bool:
    """Whether the folder has the network that a block reads; it is put there where it is to be had."""
    named = WITH.search(block.about)
    if named is None:
        return True
    if (BIF / named[1]).exists():
        shutil.copy(BIF / named[1], folder)
    return (folder / named[1]).exists()


def run(block: Block, namespace: dict[str, Any], document: Path) -> None:
    """Run one block in `namespace`; a failure names the document and its line."""
    if not block.body.lstrip().startswith(">>>"):
        exec(compile("\n" * block.line + block.body, document, "exec"), namespace)
        return
    test = doctest.DocTestParser().get_doctest(block.body, namespace, document.name, str(document), block.line)
    runner = doctest.DebugRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    try:
        runner.run(test, clear_globs=False)
    except doctest.DocTestFailure as failure:
        place = f"{document.name}:{block.line + failure.example.lineno + 1}"
        pytest.fail(f"{place}\n{failure.example.source}expected: {failure.example.want}got: {failure.got}")
    except doctest.UnexpectedException as failure:
        place = f"{document.name}:{block.line + failure.example.lineno + 1}"
        raise AssertionError(f"{place}\n{failure.example.source}") from failure.exc_info[1]
    namespace.update(test.globs)


def commands(document: Path) -> list[str]:
    """Every line of shell code in a document, fenced or inline, without its prompt."""
    text = document.read_text(encoding="utf-8")
    fenced = [line for block in blocks(text) for line in block.body.splitlines()]
    inline = re.findall(r"`([^`\n]+)`", FENCE.sub("", text))
    return [line.strip().removeprefix("$ ") for line in fenced + inline]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_python_blocks_run(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(document.read_text(encoding="utf-8")):
        if block.language in {"python", "py", "pycon"} and at_hand(block, tmp_path):
            run(block, namespace, document)


def test_blocks_share_a_namespace_and_failures_name_the_line() -> None:
    text = "# T\n\n```python\nx = 1\n```\n\n- item\n\n  ```python\n  >>> x + 1\n  2\n  ```\n\n```pycon\n>>> x\n7\n```"
    first, second, third = blocks(text)
    namespace: dict[str, Any] = {}
    run(first, namespace, Path("some.md"))
    run(second, namespace, Path("some.md"))
    with pytest.raises(pytest.fail.Exception, match=r"some\.md:15"):
        run(third, namespace, Path("some.md"))


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_make_targets_exist(name: str) -> None:
    targets = set(re.findall(r"^([a-z][\w-]*):(?!=)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    named = {line.split()[1] for line in commands(ROOT / name) if re.match(r"make \w", line)}
    assert named >= {"demo", "test"}
    assert named <= targets


def test_ci_runs_the_test_command_of_the_readme() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert "make test" in commands(README)
    assert "make test" in script.read_text(encoding="utf-8").splitlines()
