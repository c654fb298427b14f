"""Wide CSV files: the columns are told by a few questions, whatever their number, as if each were asked alone."""

from pathlib import Path

import numpy as np
import pytest

from likely.data import open_source
from likely.data.files import csv
from likely.data.files.source import file_source

FORMS = ("1", "-7", "2.5", "0.5", "true", "2024-02-01", "01/02/2024", "2024-02-01 10:00:00", "007", "word", "")


def written(path: Path, columns: int, rows: int = 12) -> Path:
    """Columns of every form, some with a value that is of no number."""
    rng = np.random.default_rng(0)
    cells = np.array(FORMS, dtype=object)[rng.integers(len(FORMS), size=columns)]
    table = np.repeat(cells[None], rows, axis=0)
    table[rng.random(table.shape) < 0.1] = ""
    table[-1, rng.random(columns) < 0.1] = "odd"
    lines = [",".join(f"x{at}" for at in range(columns)), *(",".join(row) for row in table)]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("columns", [33, 100])
def test_columns_are_what_they_are_beside_any_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    path = written(tmp_path / "wide.csv", columns)
    (together,) = (batch for batch in file_source(path, None).read() if batch.num_rows)
    monkeypatch.setattr(csv, "LONE_COLUMNS", 1000)  # each column by itself
    (alone,) = (batch for batch in file_source(path, None).read() if batch.num_rows)
    assert together.equals(alone)


def test_the_questions_do_not_grow_with_the_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    real = csv._passed

    class Listening:
        def __init__(self, connection: object) -> None:
            self.connection = connection

        def sql(self, query: str) -> object:
            asked.append(query.count("bool_and"))
            return self.connection.sql(query)  # type: ignore[attr-defined]

    monkeypatch.setattr(csv, "_passed", lambda connection, *given: real(Listening(connection), *given))
    most = []
    for columns in (200, 400):
        open_source(written(tmp_path / f"wide{columns}.csv", columns), None)
        most.append(max(asked))
        asked.clear()
    assert most[1] <= most[0] * 1.1
