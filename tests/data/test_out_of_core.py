"""Larger than memory should be, and the same model."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "speed" / "outofcore.py"


@pytest.mark.slow
def test_five_million_rows_in_a_gibibyte_give_the_model_that_they_give_in_memory() -> None:
    run = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True, check=True)
    assert "peak" in run.stdout
    assert "0 counts differ" in run.stdout
    assert "MISSED" not in run.stdout
