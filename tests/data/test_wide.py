"""Wide CSV files: a column is what it is beside any others, and the work grows with their number."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from likely.data import open_source
from likely.data.files.source import file_source

FORMS = ("1", "-7", "2.5", "0.5", "true", "2024-02-01", "01/02/2024", "2024-02-01 10:00:00", "007", "word", "")


def written(path: Path, columns: int, rows: int = 12) -> tuple[Path, np.ndarray]:
    """Columns of every form, some with a value that is of no number; and the cells."""
    rng = np.random.default_rng(0)
    cells = np.array(FORMS, dtype=object)[rng.integers(len(FORMS), size=columns)]
    table = np.repeat(cells[None], rows, axis=0)
    table[rng.random(table.shape) < 0.1] = ""
    table[-1, rng.random(columns) < 0.1] = "odd"
    lines = [",".join(f"x{at}" for at in range(columns)), *(",".join(row) for row in table)]
    path.write_text("\n".join(lines) + "\n")
    return path, table


def test_columns_are_what_they_are_beside_any_others(tmp_path: Path) -> None:
    path, table = written(tmp_path / "wide.csv", 100)
    (together,) = (batch for batch in file_source(path, None).read() if batch.num_rows)
    for at in range(100):
        alone = tmp_path / "alone.csv"
        alone.write_text(f"x{at},end\n" + "".join(f"{cell},e\n" for cell in table[:, at]))
        (batch,) = (batch for batch in file_source(alone, None).read() if batch.num_rows)
        assert together.column(at).equals(batch.column(0))


def test_the_work_grows_with_the_columns(tmp_path: Path, calls: Any) -> None:
    few, many = (written(tmp_path / f"wide{columns}.csv", columns)[0] for columns in (500, 1000))
    assert calls(lambda: open_source(many).survey("auto")) < 2.5 * calls(lambda: open_source(few).survey("auto"))
