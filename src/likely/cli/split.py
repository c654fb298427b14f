"""likely split: the rows of a file in two, to learn from and to be judged on."""

from __future__ import annotations

import os
from typing import Annotated, Any

from likely.cli import options
from likely.cli.options import argument, option
from likely.cli.terminal.failures import UsageError
from likely.cli.terminal.session import Session
from likely.errors import listed
from likely.output.phrases import plural

EXAMPLE = "likely split loans.csv default --test 0.3 --stratify"


def run(
    session: Session,
    data: Annotated[str, argument("DATA", "A file: CSV, TSV, Parquet, ARFF or JSON lines.")],
    column: Annotated[
        str | None, argument("[COLUMN]", "The column that --stratify is about, as --target says.")
    ] = None,
    test: Annotated[float, option("--test SHARE", "Rows for the test: a share below 1, or how many.")] = 0.3,
    stratify: Annotated[
        bool, option("--stratify", "Take the same share of the rows of every value of the column.")
    ] = False,
    target: options.Target = None,
    output: Annotated[
        str | None, option("--output -o NAME", "Files NAME-train.* and NAME-test.*; by default as DATA.")
    ] = None,
    form: options.Format = None,
) -> None:
    """Split DATA at random into NAME-train and NAME-test, in the same file format; rows stay as they were written."""
    import numpy as np

    from likely.cli.inputs import open_rows, target_said
    from likely.data.files.paths import find_files
    from likely.data.files.records import deal_out

    name = column if column is not None else target
    if column is not None and target is not None and column != target:
        hint = "say the column once: likely split DATA COLUMN --stratify"
        raise UsageError("U143", f"{column!r} or {target!r}?", place="--target", hint=hint)
    if data == "-" or len(find_files(data)) != 1:
        hint = "give one file at a time; of a pipe, save the rows to a file first"
        raise UsageError("U144", "one file is split", place=data, hint=hint)
    source = open_rows(session, data, form, named=(name,))
    if stratify and name is None:
        hint = f"likely split {data} COLUMN --stratify; the columns are {listed(source.columns)}"
        raise UsageError("U143", "by which column?", place="--stratify", hint=hint)
    if name is not None:
        name = target_said(name, source)
        if not stratify:
            session.note(f"{name!r} is not looked at without --stratify")
    with session.watch("reading") as tick:
        codes = _codes(source, name if stratify else None, tick)
    part = _dealt(codes, _wanted(test, len(codes)), session.seed)
    places = _places(data, output)
    with session.watch("writing", unit=""):
        counts = deal_out(find_files(data)[0], part, places, form, session.header, source.columns)
    held = {"train": places[0], "test": places[1]}
    told: dict[str, Any] = {"data": data, **held, "rows": dict(zip(held, counts, strict=True)), "seed": session.seed}
    session.answer({**told, "stratified": name if stratify else None})
    how = f", the same share of each {name}" if stratify else ""
    train, rest = (plural(count, "row") for count in counts)
    session.say(f"{train} to learn from: {places[0]}", f"{rest} for the test{how}: {places[1]}")
    short = sum(len(np.unique(part[codes == code])) < 2 for code in np.unique(codes)) if stratify else 0
    if short:
        session.note(f"{plural(short, 'value')} of {name!r} have too few rows to be in both files")


def _wanted(test: float, rows: int) -> int:
    """How many rows are for the test."""
    wanted = round(test * rows) if 0 < test < 1 else int(test)
    if not (0 < test < 1 or test == wanted) or not 0 < wanted < rows:
        hint = f"say a share between 0 and 1, or a whole number of rows from 1 to {rows - 1:,}"
        raise UsageError("U145", f"{test:g} of {rows:,} rows cannot be for the test", place="--test", hint=hint)
    return wanted


def _codes(source: Any, name: str | None, tick: Any) -> Any:
    """(rows,): the number of the value that each row has in a column; a missing one is a value too."""
    import numpy as np
    import pyarrow as pa

    if name is None:
        rows = 0
        for batch in source.read():
            rows += batch.num_rows
            tick(batch.num_rows)
        return np.zeros(rows, dtype=np.int64)
    at, chunks = source.columns.index(name), []
    for batch in source.read():
        chunks.append(batch.column(at))
        tick(batch.num_rows)
    values = pa.chunked_array(chunks).combine_chunks()
    values = values.dictionary_decode() if pa.types.is_dictionary(values.type) else values
    coded = values.dictionary_encode(null_encoding="encode")
    return np.asarray(coded.indices.to_numpy(zero_copy_only=False), dtype=np.int64)


def _dealt(codes: Any, wanted: int, seed: int) -> Any:
    """(rows,): 1 for the test and 0 else; of every value, and of all, the share is right to less than a row."""
    import numpy as np

    order = np.random.default_rng(seed).permutation(len(codes))
    order = order[np.argsort(codes[order], kind="stable")]
    steps = (np.arange(len(codes) + 1) * wanted + len(codes) // 2) // len(codes)  # whole numbers: the last is exact
    part = np.empty(len(codes), dtype=np.int64)
    part[order] = np.diff(steps)
    return part


def _places(data: str, output: str | None) -> list[str]:
    folder, name = os.path.split(os.path.expanduser(data))
    packed = ".gz" if name.lower().endswith(".gz") else ""
    stem, ending = os.path.splitext(name[: len(name) - len(packed)])
    base = os.path.join(folder, stem)
    if output is not None:  # with or without the ending
        base = output.removesuffix(packed).removesuffix(ending)
    return [f"{base}-{part}{ending}{packed}" for part in ("train", "test")]
