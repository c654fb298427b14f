"""likely demo: the tour on embedded data, every step a command that the reader can type too."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import Annotated, Any

from likely.cli.options import option
from likely.cli.terminal.session import Session

EXAMPLE = "likely demo"
TOUR_TARGET = "diagnosis"
ROWS_TO_LEARN = 400  # rows to learn from; the others come later
TOUR = (
    ("What is in the table?", "inspect patients.csv --target diagnosis"),
    ("Learn from it, and judge it on rows not seen.", "fit patients.csv --target diagnosis -o patients.likely"),
    (
        "How good is it on patients it never saw?",
        "evaluate patients.likely later.csv --positive malignant -o evaluation.png",
    ),
    ("What of each of them?", "predict patients.likely later.csv -o scored.csv --proba"),
    ("Why this patient?", "explain patients.likely later.csv --row {row} -o why.png"),
    (
        "What does naive Bayes of one hospital believe? A nomogram to read with a ruler.",
        "explain north.likely --nomogram -o nomogram.png",
    ),
    (
        "What to do? A missed malignant tumour costs 20 false alarms, a second opinion 0.3 of one.",
        "decide patients.likely later.csv --loss loss.csv --reject 0.3 -o decisions.csv",
    ),
    ("Two hospitals, one model: adding is exact.", "merge north.likely south.likely -o both.likely"),
    ("A patient wants to be forgotten: so is subtracting.", "forget both.likely gone.csv -o rest.likely"),
    ("Which model is best here?", "compare patients.csv --target diagnosis --folds 5 -o comparison.png"),
    ("And now for something to look at: digits.", "digits -o ."),
)


def run(
    session: Session,
    output: Annotated[Path, option("--output -o FOLDER", "Where everything goes.")] = Path("likely-demo"),
) -> None:
    """Take the tour on embedded data: fit, evaluate, explain, decide, merge, forget; pictures go to ./likely-demo."""
    from likely.cli.startup import warmup
    from likely.output.atomic_write import make_folder

    make_folder(output)
    coming = warmup.toured()
    if warmup.pending(coming):
        session.note("this is the first tour: its loops are compiled, once, on all cores")
    with warmup.ahead(coming):
        _tour(session, output)


def _tour(session: Session, output: Path) -> None:
    from likely.cli.main import app

    row = _prepare(output, session.seed)
    session.tell(
        f"The tour of likely: scikit-learn's breast cancer table, with missing values, in {output}/: "
        f"{ROWS_TO_LEARN} patients to learn"
        " from, 169 that come later."
    )
    back = os.getcwd()
    os.chdir(output)
    try:
        for heading, line in TOUR:
            command = line.format(row=row)
            session.say("", f"── {heading}", f"$ likely {command}", "")
            silence = ["--quiet"] if session.quiet or session.as_json else []
            app([*shlex.split(command), *silence], prog_name="likely", standalone_mode=False)
    finally:
        os.chdir(back)
    files = sorted(
        str(output / path.name) for path in output.iterdir() if path.is_file() and not path.name.startswith(".")
    )
    session.answer({"folder": str(output), "files": files})
    pictures = [name for name in files if name.endswith(".png")]
    session.say("")
    session.tell(f"Look at the pictures: {', '.join(pictures)}")
    session.say(f"Go on: cd {output}; {_program()} --help")


def _program() -> str:
    """How to call likely from anywhere: by its name, if the shell finds it."""
    if shutil.which("likely"):
        return "likely"
    program = os.path.abspath(sys.argv[0])
    return f"{sys.executable} -m likely" if program.endswith("__main__.py") else program


def _prepare(folder: Path, seed: int) -> int:
    """The files of the tour; and a row of later.csv that is hard to tell."""
    import numpy as np

    from likely.data.files.writer import write_rows
    from likely.estimators.fit_and_load import fit

    table = patients(seed)
    learnt, later = table.slice(0, ROWS_TO_LEARN), table.slice(ROWS_TO_LEARN)
    for name, part in {"patients": learnt, "later": later, "gone": table.slice(0, 1)}.items():
        write_rows(folder / f"{name}.csv", part.schema, part.to_batches())
    (folder / "loss.csv").write_text("true,benign,malignant\nbenign,0,1\nmalignant,20,0\n", encoding="utf-8")
    half = ROWS_TO_LEARN // 2
    for name, part in {"north": table.slice(0, half), "south": table.slice(half, ROWS_TO_LEARN - half)}.items():
        fit(part, TOUR_TARGET).save(folder / f"{name}.likely")
    proba = fit(learnt, TOUR_TARGET).predict_proba(later.drop_columns([TOUR_TARGET]))
    return int(np.abs(proba[:, 0] - 0.5).argmin())


def patients(seed: int = 0) -> Any:
    """Mixed data with missing values, from scikit-learn's breast cancer table: 3 measurements, a grade, a yes/no."""
    import numpy as np
    import pyarrow as pa
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer()
    column = dict(zip(data.feature_names, data.data.T, strict=True))
    rng = np.random.default_rng(seed)
    holes = rng.random((2, len(data.target))) < 0.1
    grade = np.array(["low", "middle", "high"])[np.searchsorted([0.03, 0.1], column["mean concavity"])]
    table = pa.table(
        {
            "radius_mm": column["mean radius"],
            "texture": pa.array(column["mean texture"], mask=holes[0]),
            "smoothness": column["mean smoothness"],
            "concavity": pa.array(grade, mask=holes[1]),
            "symmetric": column["mean symmetry"] < 0.18,
            TOUR_TARGET: np.array(["malignant", "benign"])[data.target],
        }
    )
    return table.take(rng.permutation(len(table)))  # in the table, most of the ill come first
