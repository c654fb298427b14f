"""Error, log loss, Brier score and calibration error over ../shared/data/uci: five times two folds, the same for all.

    python benchmarks/accuracy/uci.py                       measure what results/ has not, then show it
    python benchmarks/accuracy/uci.py --only-show           show what results/ has
    python benchmarks/accuracy/uci.py --only-show --write   the same into benchmarks/README.md

Each model, table and fold is measured once and kept in results/: a later run measures what is not there, or is of other
settings or another version of its package (with --sources, of ours also what is of another src/likely). A peer's
probability counts as 1e-15 at least, or one row would make its log loss infinite; ours count as they are. Encoders are
fitted inside each fold (see _models.py). What takes longer than the limit, or fails, is left out and named.
"""

from __future__ import annotations

import argparse
import os
import sys

os.environ |= {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}  # threads that spin would count

from _measure import MODELS, Measurer
from _page import page, write
from _results import add, read, settings_of, stale
from _tables import FOLDS, REPEATS, cells, names, table

AGAINST = "models that the others stand beside"


def fill(models: list[str], tables: list[str], count: int, limit: float, sources: bool) -> None:
    """Measure the first folds of each table under each model, those alone that results/ has not."""
    measurer = Measurer(limit)
    for model in models:
        for name in sorted(tables, key=cells):
            known = read(model)
            settings = settings_of(MODELS[model](table(name)[0]))
            had = [known.get((name, place)) for place in range(count)]
            fresh = [one is not None and not stale(one, settings, model, limit, sources) for one in had]
            if any(good and one is not None and one.failure for good, one in zip(fresh, had, strict=True)):
                continue  # it would fail again
            missing = [place for place, good in enumerate(fresh) if not good]
            if not missing:
                continue
            for one in measurer.results(model, name, missing):
                add(model, [one])
                if one.failure:
                    print(f"{model} on {name}: {one.failure}", file=sys.stderr, flush=True)
            print(f"{model} on {name}: measured", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="+", choices=list(MODELS), default=list(MODELS), metavar="MODEL")
    parser.add_argument("--tables", nargs="+", choices=names(), default=names(), metavar="TABLE")
    parser.add_argument("--folds", type=int, default=REPEATS * FOLDS, help="of each table, the first so many")
    first = ["auto", "auto-companions"]
    parser.add_argument("--against", nargs="+", choices=list(MODELS), default=first, metavar="MODEL", help=AGAINST)
    parser.add_argument("--limit", type=float, default=300, help="seconds for one model on one fold")
    parser.add_argument("--sources", action="store_true", help="measure ours again if src/likely is another")
    parser.add_argument("--only-show", action="store_true", help="measure nothing")
    parser.add_argument("--write", action="store_true", help="put the tables into benchmarks/README.md")
    asked = parser.parse_args()
    if not asked.only_show:
        fill(asked.models, asked.tables, asked.folds, asked.limit, asked.sources)
    text = page(asked.models, asked.tables, asked.against)
    print(text)
    if asked.write:
        write(text)


if __name__ == "__main__":
    main()
