"""likely doctor: is this installation in good health?"""

from __future__ import annotations

import os
import platform
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, Any

import typer

from likely import __version__
from likely.cli.options import option
from likely.cli.terminal.failures import INTERNAL
from likely.cli.terminal.session import Session

EXAMPLE = "likely doctor"
REQUIRED = ("numpy", "scipy", "numba", "scikit-learn", "narwhals", "duckdb", "pyarrow", "matplotlib", "typer", "rich")
OPTIONAL = ("pandas", "polars")


def run(
    session: Session,
    compiling: Annotated[
        bool, option("--compile", "First compile all loops that models and networks need, on all cores.")
    ] = False,
) -> None:
    """Show versions, threads, memory and fonts, and let the compiled kernels prove themselves on a small example."""
    if compiling:
        _compile(session)
    told = {**_machine(), **{name: _version(name) for name in (*REQUIRED, *OPTIONAL)}}
    checks = {name: check() for name, check in CHECKS.items()}
    healthy = all(fine for fine, _ in checks.values()) and all(told[name] for name in REQUIRED)
    proofs = {name: {"fine": fine, "told": words} for name, (fine, words) in checks.items()}
    session.answer({"healthy": healthy, "facts": told, "checks": proofs})
    session.say(*_lines(told, checks, healthy))
    if not healthy:
        raise typer.Exit(INTERNAL)


def _compile(session: Session) -> None:
    from likely.cli.startup import warmup
    from likely.core.threads import cores

    with session.watch("compiling, once", len(warmup.pending(warmup.tasks())), "uses") as tick:
        warmup.compile_all(min(cores(), warmup.HELPERS + 1), lambda: tick(1))


def _machine() -> dict[str, Any]:
    from likely.core.threads import cores
    from likely.kernels.cache_folder import count, folder

    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 0
    return {
        "likely": __version__,
        "python": platform.python_version(),
        "system": platform.platform(),
        "threads": cores(),
        "memory": f"{memory / 2**30:.1f} GiB",
        "place": os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
        "compiled": f"{count()} functions in {folder()}"
        if folder()
        else "not kept: no folder of yours can be written to",
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _kernels() -> tuple[bool, str]:
    """Two halves merged are the whole, and forgetting one leaves the other."""
    import numpy as np

    from likely.estimators.bayes.naive import NaiveBayes

    start, rng = time.perf_counter(), np.random.default_rng(0)
    X, y = np.column_stack([rng.normal(size=200), rng.integers(0, 2, 200)]), rng.integers(0, 2, 200)
    whole, half = NaiveBayes().fit(X, y), NaiveBayes().fit(X[:100], y[:100])
    merged = half.merge(NaiveBayes().fit(X[100:], y[100:]))
    same = np.allclose(merged.predict_proba(X), whole.predict_proba(X), rtol=1e-9)
    merged.forget(X[100:], y[100:])
    back = np.allclose(merged.predict_proba(X), half.predict_proba(X), rtol=1e-9)
    seconds = time.perf_counter() - start
    return bool(same and back), f"merge and forget are exact; {seconds:.1f} s, compilation included"


def _files() -> tuple[bool, str]:
    """A table goes to a file and comes back."""
    import tempfile

    import pyarrow as pa

    from likely.data.files.source import file_source
    from likely.data.files.writer import write_rows

    table = pa.table({"名": ["a,b", None], "x": [0.1, 2.5]})
    with tempfile.TemporaryDirectory() as folder:
        for ending in ("csv", "parquet", "jsonl"):
            path = os.path.join(folder, f"table.{ending}")
            write_rows(path, table.schema, table.to_batches())
            if pa.Table.from_batches(list(file_source(path, None).read())).to_pydict() != table.to_pydict():
                return False, f"a table does not come back from {ending}"
    return True, "CSV, Parquet and JSON lines written and read back"


def _letters() -> tuple[bool, str]:
    from likely.plots.typeface import families

    return True, f"pictures are lettered in {', '.join(families())}"


CHECKS = {"files": _files, "fonts": _letters, "kernels": _kernels}  # meanwhile another core compiles


def _lines(told: dict[str, Any], checks: dict[str, tuple[bool, str]], healthy: bool) -> list[Any]:
    from likely.cli.terminal.render import table

    facts = table("likely doctor", "", "")
    for name, value in told.items():
        facts.add_row(name, str(value) if value else "not installed" + ("" if name in OPTIONAL else ": needed"))
    for name, (fine, words) in checks.items():
        facts.add_row(name, f"{'fine' if fine else 'NOT FINE'}: {words}")
    verdict = (
        "in good health" if healthy else f"not in good health; try: {sys.executable} -m pip install --upgrade likely"
    )
    return [facts, verdict]
