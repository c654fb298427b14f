"""What the command line shows is as written down; `python -m tests.golden.test_screens` writes it anew."""

from __future__ import annotations

import io
import os
import re
import shutil
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

import pyarrow.csv
import pytest

import likely
from likely.cli.main import run
from tests.golden.test_model_files import read_rows

HERE = Path(__file__).parent
SCREENS = HERE / "screens"
COMMANDS = {
    "help": "--help",
    **{
        f"help-{verb.replace(' ', '-')}": f"{verb} --help"
        for verb in (
            "inspect", "split", "fit", "predict", "evaluate", "compare", "explain", "decide", "surface", "report",
            "sample", "merge", "forget", "doctor", "explain-error", "demo", "digits", "belief", "network",
            "network query", "network learn",
        )
    },
    "inspect": "inspect rows.csv --target kind",
    "fit": "fit rows.csv --target kind -o new.likely",
    "fit-tree": "fit rows.csv --target kind --model tree",
    "inspect-json": "inspect rows.csv --target kind --json",
    "fit-length": "fit rows.csv --target length --model linear",
    "predict": "predict naive.likely animals.csv -o scored.csv --proba",
    "evaluate": "evaluate naive.likely animals.csv --no-picture",
    "compare": "compare rows.csv --target kind --model naive,tan,tree --folds 3",
    "explain": "explain naive.likely animals.csv --row 3",
    "report": "report rows.csv --target kind --model naive,tan -o report.html",
    "decide": "decide naive.likely animals.csv --reject 0.3",
    "sample": "sample naive.likely -n 5",
    "split": "split rows.csv kind --test 0.3",
    "merge": "merge naive.likely naive.likely -o both.likely",
    "forget": "forget naive.likely animals.csv -o rest.likely",
    "belief-coin": "belief coin --heads 7 --tails 3",
    "network-show": "network show asia.bif",
    "network-query": "network query asia.bif lung -e xray=yes,dysp=yes",
    "network-sample": "network sample asia.bif 5",
    "no-file": "fit nowhere.csv --target kind",
    "no-target": "fit rows.csv --target knd",
    "no-model": "fit rows.csv --target kind --model naiv",
    "no-option": "fit rows.csv --target kind --set smothing=2",
    "no-verb": "ft rows.csv",
    "explain-error": "explain-error o467",
    "no-code": "explain-error O4677",
}  # fmt: skip
TIME = re.compile(r"\d+(\.\d+)? ?(ms|s|min)\b")
SIZE = re.compile(r"(?<=\()[\d,]+ bytes(?=\)$)", re.MULTILINE)  # of a file
# at the end of a line of a comparison; what memory was taken is not told on every machine
COSTS = re.compile(r"(?m)  +(fit +predict( +memory)?|TIME +TIME( +(<1|\d+(\.\d)?) [MG]iB)?)$")
LONG = re.compile(r"-?\d+\.\d{6,}(e-?\d+)?")
FIRST_USE = "used for the first time"  # said where nothing is compiled yet


def prepared(folder: Path) -> None:
    shutil.copy(HERE / "models" / "rows.csv", folder)
    shutil.copy(HERE / "models" / "naive.likely", folder)
    animals = read_rows().drop_columns(["length"])
    pyarrow.csv.write_csv(animals, folder / "animals.csv")
    likely.networks.asia().write(folder / "asia.bif")


def shown(command: str, folder: Path) -> str:
    """What is printed, and the exit code; times are not the same twice, nor the last digits on every processor."""
    out, before = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True), os.getcwd()
    told = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
    try:
        os.chdir(folder)
        with patch.dict(os.environ, told), redirect_stdout(out), redirect_stderr(out):
            code = run(command.split())
    finally:
        os.chdir(before)
    lines = [line.rstrip() for line in out.buffer.getvalue().decode().split("\n") if FIRST_USE not in line]
    text = COSTS.sub("  COSTS", TIME.sub("TIME", SIZE.sub("SIZE", "\n".join(lines))))
    text = LONG.sub(lambda found: f"{float(found[0]):.3g}", text)
    return f"$ likely {command}\n{text}[exit {code}]\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_a_screen_is_as_written_down(name: str, tmp_path: Path) -> None:
    """Each in a folder of its own: what one command writes is nothing to another."""
    prepared(tmp_path)
    assert shown(COMMANDS[name], tmp_path) == (SCREENS / f"{name}.txt").read_text()


def main() -> None:
    import tempfile

    SCREENS.mkdir(exist_ok=True)
    for name, command in COMMANDS.items():
        with tempfile.TemporaryDirectory() as place:
            prepared(Path(place))
            (SCREENS / f"{name}.txt").write_text(shown(command, Path(place)))


if __name__ == "__main__":
    main()
