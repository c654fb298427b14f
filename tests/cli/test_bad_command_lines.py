"""Bad command lines and files: each gives one screen with a code, a place and a hint, and loses nothing."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from likely.cli.terminal.failures import DATA, MODEL, OUTPUT, USAGE
from tests.cli.conftest import Command, loans

OLD = "what was there before\n"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8
DIGITS = Path(__file__).parents[3] / "shared/data/digits"


def model_with(shop: Path, change: Callable[[dict[str, object]], object]) -> bytes:
    """The model of the shop with another first page."""
    with zipfile.ZipFile(shop / "loans.likely") as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    page = json.loads(parts["model.json"])
    change(page)
    parts["model.json"] = json.dumps(page).encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return out.getvalue()


def zipped(**parts: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name.replace("__", "/").replace("up/", "../"), part)
    return out.getvalue()


@pytest.fixture(scope="module")
def yard(shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of broken things, beside good ones."""
    yard = tmp_path_factory.mktemp("yard")
    for name in ("loans.csv", "new.csv", "loss.csv", "loans.likely"):
        (yard / name).write_bytes((shop / name).read_bytes())
    text, frame = (shop / "loans.csv").read_text(encoding="utf-8"), loans(300, 0)
    frame.to_parquet(yard / "good.parquet")
    parquet = (yard / "good.parquet").read_bytes()
    packed = gzip.compress(text.encode())
    files: dict[str, bytes] = {
        "empty.csv": b"",
        "blank.csv": b"\n\n\n",
        "header.csv": text.encode().split(b"\n")[0] + b"\n",
        "ragged.csv": b"a,b,default\n1,2,yes\n" + b"1,2,no\n" * 50 + b"1,2,3,4,5,no\n" + b"1,2,yes\n" * 50,
        "quote.csv": b'a,b,default\n1,"open,yes\n' + b"1,2,no\n" * 30,
        "odd-letters.csv": b"city,default\n" + "Köln\x01,yes\nBonn,no\n".encode("latin-1") * 20,
        "nul.csv": b"a,default\n1,yes\n\x00\x00\x00,no\n",
        "random.csv": np.random.default_rng(0).bytes(20_000),
        "picture.csv": PNG,
        "really.csv": parquet,
        "sheet.csv": zipped(xl__workbook=b"x"),
        "packed.csv": packed,
        "sqlite.csv": b"SQLite format 3\x00" + bytes(100),
        "paper.csv": b"%PDF-1.7\n" + bytes(range(128, 256)),
        "long.csv": b"a,default\n" + b"x" * (48 << 20) + b",yes\n",
        "twice.csv": b"a,a,default\n1,2,yes\n3,4,no\n",
        "one-class.csv": b"a,default\n1,yes\n2,yes\n",
        "no-label.csv": b"a,default\n1,yes\n2,\n3,no\n",
        "amounts.csv": b"a,default\n" + b"".join(f"{k},{k}.5\n".encode() for k in range(60)),
        "table.xlsx": zipped(xl__workbook=b"x"),
        "table.cvs": text.encode(),
        "cut.csv.gz": packed[: len(packed) // 2],
        "crc.csv.gz": packed[:-8] + b"\x00" * 8,
        "not.csv.gz": text.encode(),
        "cut.parquet": parquet[: len(parquet) // 2],
        "tail.parquet": parquet[:-4] + b"XXXX",
        "rubbish.parquet": np.random.default_rng(1).bytes(5000),
        "text.parquet": text.encode(),
        "empty.parquet": b"",
        "broken.jsonl": b'{"a": 1, "default": "yes"}\n{"a": 2, "default": "no"\n{"a": 3}\n',
        "nested.jsonl": b'{"a": {"b": 1}, "default": "yes"}\n{"a": {"b": 2}, "default": "no"}\n',
        "words.jsonl": b"hello world\nthis is no JSON\n",
        "empty.jsonl": b"",
        "bad.arff": b"@relation x\n@attribute a numeric\n@data\nhello\n",
        "nodata.arff": b"@relation x\n@attribute a numeric\n",
        "odd.arff": b"@relation x\n@attribute a wonder\n@data\n1\n",
        "mixed.csv": b"a,default\n" + b"1,yes\n2,no\n" * 20,
        "huge.csv": b"a,default\n1e308,yes\n2,no\n1e308,no\n",
        "infinite.csv": b"a,default\n2,no\n3,no\ninf,yes\n",
        "strange-columns.csv": b"x,y,z\n1,2,3\n4,5,6\n",
        "unlearnt.csv": loans(5, 9).assign(income=1e6).to_csv(index=False).encode(),
        "unknown-class.csv": loans(5, 9).assign(default="maybe").to_csv(index=False).encode(),
        "words-for-numbers.csv": loans(5, 9).assign(income="many").to_csv(index=False).encode(),
        "weights.csv": loans(20, 3).assign(w=-1.0).to_csv(index=False).encode(),
        "text.likely": b"this is not a model",
        "empty.likely": b"",
        "cut.likely": (shop / "loans.likely").read_bytes()[:-300],
        "newer.likely": model_with(shop, lambda page: page.update(version=99)),
        "older.likely": model_with(shop, lambda page: page.update(version=0)),
        "other.likely": model_with(shop, lambda page: page.update(format="something else")),
        "stranger.likely": model_with(shop, lambda page: page["face"].update(estimator="Oracle")),  # type: ignore[attr-defined]
        "params.likely": model_with(shop, lambda page: page["face"].update(params={"wish": 3})),  # type: ignore[attr-defined]
        "lying.likely": model_with(shop, lambda page: page.update(answers=[])),
        "traversal.likely": zipped(up__up__etc__passwd=b"root"),
        "stowaway.likely": (shop / "loans.likely").read_bytes(),
        "bomb.likely": zipped(**{"model.json": b" " * (100 << 20)}),
        "zip.likely": zipped(readme=b"hello"),
        "shape.csv": b"true,no,yes\nno,0\nyes,1,0,4\n",
        "stranger.csv": b"true,no,yeah\nno,0,1\nyeah,5,0\n",
        "words-loss.csv": b"true,no,yes\nno,zero,one\nyes,five,zero\n",
        "loss.json": b'{"no": {"yes": 1}, "yes": ',
        "short.txt": b"   \n" * 27 + b"#\n",
        "odd.txt": (b" " * 27 + b"x\n") * 28,
        "part.txt": (b" " * 28 + b"\n") * 27,
        "one.txt": (b" " * 28 + b"\n") * 28,
        "labels.txt": b"1\n2\n3\n",
        "letters.txt": b"one\n",
        "cut-images": b"\x00\x00\x08\x03\x00\x00\x00\x05",
    }
    for name, content in files.items():
        (yard / name).write_bytes(content)
    with zipfile.ZipFile(yard / "stowaway.likely", "a") as archive:
        archive.writestr("../../stowaway", b"hello")
    (yard / "folder").mkdir()
    (yard / "loop.csv").symlink_to("loop.csv")
    (yard / "gone.csv").symlink_to("nowhere.csv")
    os.mkfifo(yard / "pipe.csv")
    pd.DataFrame({"x": [1.0, 2.0], "y": ["p", "q"]}).to_csv(yard / "other.csv", index=False)
    from likely.cli.main import run

    assert run(["fit", str(yard / "other.csv"), "-t", "y", "-o", str(yard / "unlike.likely"), "--quiet"]) == 0
    words = ["fit", str(yard / "loans.csv"), "-t", "default", "-o", str(yard / "mle.likely"), "--quiet"]
    assert run([*words, "--estimate", "mle"]) == 0
    return yard


FIT = "fit {} --target default -o out.likely"
LINES: dict[str, tuple[int, list[str]]] = {
    # exit: command lines; each code is checked to be of the family that the exit stands for
    "usage": (
        USAGE,
        [
            "fti loans.csv",
            "Fit loans.csv",
            "--jsn",
            "fit",
            "fit loans.csv",
            "fit loans.csv --targt default",
            "fit loans.csv --target",
            "fit loans.csv extra.csv --target default",
            "fit loans.csv --target default --seed many",
            "fit loans.csv --target default --seed -1",
            "fit loans.csv --target default --smoothing lots",
            "fit loans.csv --target default --smoothing -1",
            "fit loans.csv --target default --smoothing nan",
            "fit loans.csv --target default --estimate bays",
            "fit loans.csv --target default --missing ignor",
            "fit loans.csv --target default --model naiv",
            "fit loans.csv --target default --kind age",
            "fit loans.csv --target default --kind age=",
            "fit loans.csv --target default --kind =real",
            "fit loans.csv --target default --kind age=number",
            "fit loans.csv --target default --priors yes=0.5,no=half",
            "fit loans.csv --target default --priors yes=0.5",
            "fit loans.csv --target default --priors yes=-0.9,no=0.9",
            "fit loans.csv --target default --priors yes=0.5,maybe=0.5",
            "fit loans.csv --target default --priors even",
            "predict",
            "predict loans.likely",
            "predict loans.likely new.csv -o out.xml",
            "predict loans.likely new.csv -o out",
            "predict loans.likely new.csv -o out.cvs",
            "predict loans.likely new.csv --priors yes=2,no=-1",
            "evaluate loans.likely",
            "evaluate loans.likely new.csv --positive maybe",
            "evaluate loans.likely new.csv -o out.gif",
            "evaluate loans.likely new.csv -o out",
            "evaluate loans.likely new.csv --loss shape.csv",
            "evaluate loans.likely new.csv --reject -1",
            "explain",
            "explain loans.likely new.csv --row minus",
            "explain loans.likely new.csv --row -1",
            "explain loans.likely new.csv --unit bits",
            "explain loans.likely new.csv --for maybe",
            "explain loans.likely new.csv --against yse",
            "explain loans.likely new.csv -o out.bmp",
            "decide loans.likely new.csv --loss nope.csv",
            "decide loans.likely new.csv --loss zero-two",
            "decide loans.likely new.csv --loss shape.csv",
            "decide loans.likely new.csv --loss stranger.csv",
            "decide loans.likely new.csv --loss words-loss.csv",
            "decide loans.likely new.csv --loss loss.json",
            "decide loans.likely new.csv --loss folder",
            "decide loans.likely new.csv --reject many",
            "decide loans.likely new.csv --reject nan",
            "decide loans.likely new.csv --threshold high",
            "decide loans.likely new.csv --threshold 0.5 --positive maybe",
            "decide loans.likely new.csv --threshold 0.5 --loss loss.csv",
            "decide loans.likely new.csv --threshold 1.5 --positive yes",
            "explain loans.likely new.csv --for yes --against yes",
            "fit loans.csv --target default --weight default",
            "fit loans.csv --target default --format xml",
            "inspect ",
            "decide loans.likely new.csv --false-alarms 0.1",
            "decide loans.likely new.csv --labelled new.csv",
            "decide loans.likely new.csv --false-alarms 2 --labelled loans.csv",
            "merge",
            "merge loans.likely -o out.likely",
            "merge loans.likely loans.likely",
            "forget loans.likely -o out.likely",
            "compare loans.csv",
            "compare loans.csv --target default --folds 1",
            "compare loans.csv --target default --folds 1000",
            "compare loans.csv --target default --model nave",
            "compare loans.csv --target default --repeats 0",
            "digits trian",
            "digits train",
            "digits train one.txt labels.txt -o out.likely --size big",
            "digits draw one.txt --row -3",
            "inspect",
            "inspect loans.csv --knid age=real",
            "doctor now",
            "explain-error",
            "explain-error O4677",
            "demo --otput here",
        ],
    ),
    "data": (
        DATA,
        [
            *(
                FIT.format(name)
                for name in ("nope.csv", "folder", "loop.csv", "gone.csv", "pipe.csv", "/dev/null", "a\0b.csv")
            ),
            *(
                FIT.format(name)
                for name in ("http://example.org/a.csv", "s3://bucket/a.parquet", "no/such/folder/a.csv")
            ),
            FIT.format("x" * 5000 + ".csv"),
            *(
                FIT.format(f"{name}.csv")
                for name in ("empty", "blank", "header", "ragged", "quote", "nul", "random", "long")
            ),
            *(FIT.format(f"{name}.csv") for name in ("odd-letters", "picture", "really")),
            *(FIT.format(f"{name}.csv") for name in ("sheet", "packed", "sqlite", "paper", "twice")),
            *(FIT.format(f"{name}.csv") for name in ("huge", "infinite")),
            *(FIT.format(name) for name in ("table.xlsx", "table.cvs", "*.nope")),
            *(FIT.format(f"{name}.csv.gz") for name in ("cut", "crc", "not")),
            *(FIT.format(f"{name}.parquet") for name in ("cut", "tail", "rubbish", "text", "empty")),
            *(FIT.format(f"{name}.jsonl") for name in ("broken", "nested", "words", "empty")),
            *(FIT.format(f"{name}.arff") for name in ("bad", "nodata", "odd")),
            "fit loans.csv --target defualt",
            "fit loans.csv --target default --kind aeg=real",
            "fit loans.csv --target default --kind purpose=real",
            "fit loans.csv --target default --kind purpose=binary",
            "fit loans.csv --target default --kind income=count",
            "fit loans.csv --target default --weight wieght",
            "fit loans.csv --target default --weight purpose",
            "fit weights.csv --target default --weight w",
            "fit loans.csv --target default --missing error",
            FIT.format("no-label.csv") + " --strict",
            FIT.format("amounts.csv") + " --model naive",
            "compare no-label.csv --target default --strict",
            "inspect nope.csv",
            "inspect loans.csv --target defalt",
            "predict loans.likely nope.csv -o out.csv",
            "predict loans.likely strange-columns.csv -o out.csv",
            "predict loans.likely words-for-numbers.csv -o out.csv",
            "predict loans.likely ragged.csv -o out.csv",
            "evaluate loans.likely strange-columns.csv -o out.png",
            "evaluate loans.likely header.csv -o out.png",
            "explain loans.likely new.csv --row 40",
            "explain loans.likely nope.csv -o out.png",
            "decide loans.likely strange-columns.csv -o out.csv",
            "compare nope.csv --target default -o out.png",
            "compare loans.csv --target defualt",
            "digits train nope.txt labels.txt -o out.likely",
            "digits train short.txt labels.txt -o out.likely",
            "digits train odd.txt labels.txt -o out.likely",
            "digits train part.txt labels.txt -o out.likely",
            "digits train one.txt labels.txt -o out.likely",
            "digits train one.txt letters.txt -o out.likely",
            "digits train cut-images labels.txt -o out.likely",
            "digits train picture.csv labels.txt -o out.likely",
            "digits draw one.txt --row 7",
            "digits draw folder",
        ],
    ),
    "model": (
        MODEL,
        [
            *(
                f"predict {name}.likely new.csv -o out.csv"
                for name in ("nope", "lians", "text", "empty", "cut", "newer", "older")
            ),
            *(
                f"predict {name}.likely new.csv -o out.csv"
                for name in ("other", "stranger", "params", "lying", "traversal")
            ),
            *(f"predict {name}.likely new.csv -o out.csv" for name in ("bomb", "zip", "stowaway")),
            "predict folder new.csv -o out.csv",
            "predict /dev/zero new.csv -o out.csv",
            "predict new.csv loans.likely -o out.csv",
            "evaluate nope.likely new.csv",
            "evaluate loans.likely unknown-class.csv -o out.png",
            "explain cut.likely",
            "decide text.likely new.csv",
            "merge loans.likely nope.likely -o out.likely",
            "merge loans.likely mle.likely -o out.likely",
            "forget loans.likely unlearnt.csv -o out.likely",
            "forget loans.likely unknown-class.csv -o out.likely",
            "digits evaluate nope.likely one.txt labels.txt",
            "digits predict text.likely one.txt",
        ],
    ),
    "output": (
        OUTPUT,
        [
            "fit loans.csv --target default -o no/such/folder/m.likely",
            "fit loans.csv --target default -o folder",
            "fit loans.csv --target default -o /dev/full",
            "predict loans.likely new.csv -o no/such/folder/out.csv",
            "predict loans.likely new.csv -o /proc/out.csv",
            "evaluate loans.likely new.csv -o no/such/out.png",
            "explain loans.likely new.csv -o no/such/out.png",
            "decide loans.likely new.csv -o no/such/out.csv",
            "compare loans.csv --target default -o no/such/out.png",
            "merge loans.likely loans.likely -o no/such/out.likely",
            "forget loans.likely new.csv -o folder",
            "digits train one.txt labels.txt -o no/such/out.likely",
            "demo -o loans.csv/inside",
        ],
    ),
}
CASES = [(line, code) for code, lines in LINES.values() for line in lines]
FAMILIES = {USAGE: "UO", DATA: "DS", MODEL: "MF", OUTPUT: "F"}


def test_there_are_enough_of_them() -> None:
    assert len({line for line, _ in CASES}) >= 120


@pytest.mark.parametrize(("line", "code"), CASES, ids=lambda value: str(value)[:70].replace("\0", "NUL"))
def test_a_bad_command_line(
    yard: Path, likely_says: Command, monkeypatch: pytest.MonkeyPatch, line: str, code: int
) -> None:
    monkeypatch.chdir(yard)
    words = line.split(" ")
    outputs = [yard / name for name in ("out.likely", "out.csv", "out.png")]
    for path in outputs:
        path.write_text(OLD, encoding="utf-8")
    before = sorted(os.listdir(yard))
    told = likely_says(*words)
    assert told.exit == code, told
    assert told.out == ""
    lines = told.err.rstrip("\n").split("\n")
    lines = [one for one in lines if not one.startswith("note: ")]
    assert re.match(r"\[[A-Z]\d{3}\] \S", lines[0]), told.err
    assert lines[0][1] in FAMILIES[code]
    assert "  at: " in told.err
    assert "  hint: " in told.err
    assert "Traceback" not in told.err
    assert len(lines) <= 12
    assert max(map(len, lines)) <= 620
    for path in outputs:
        assert path.read_text(encoding="utf-8") == OLD
    assert sorted(os.listdir(yard)) == before


def test_an_error_may_be_json(yard: Path, likely_says: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(yard)
    told = likely_says("predict", "lians.likely", "new.csv", "--json")
    error = json.loads(told.err)
    assert told.exit == error["exit"] == MODEL
    assert error["error"]["code"] == "F403"
    assert "loans.likely" in error["error"]["hint"]
    assert told.out == ""


@pytest.mark.parametrize(
    ("line", "near"),
    [
        ("fti loans.csv", "'fit'"),
        ("fit loans.csv --targt default", "'--target'"),
        ("fit loans.csv --target defualt", "'default'"),
        ("fit loans.csv --target default --kind aeg=real", "'age'"),
        ("fit loans.csv --target default --estimate bays", "'bayes'"),
        ("fit loan.csv --target default", "'loans.csv'"),
        ("predict lians.likely new.csv", "'loans.likely'"),
        ("evaluate loans.likely new.csv --positive yess", "'yes'"),
        ("digits trian", "'train'"),
    ],
)
def test_the_nearest_name_is_offered(
    yard: Path, likely_says: Command, monkeypatch: pytest.MonkeyPatch, line: str, near: str
) -> None:
    monkeypatch.chdir(yard)
    assert f"Did you mean {near}?" in likely_says(*line.split()).err
