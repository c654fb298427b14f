"""How steady arcs are: a graph learnt from each bootstrap sample, and what the graphs agree on."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from threading import Event

import numpy as np

from likely.core.threads import cores
from likely.errors import OptionError
from likely.errors.options import whole
from likely.networks.sampling.likelihood_weighting import read_seed
from likely.networks.structure.row_codes import Coded
from likely.networks.trust.arc_strength import ArcStrengths
from likely.structures.graph import Graph
from likely.structures.search.orientation import Partial, class_of
from likely.structures.search.result import Progress, SearchResult, Tick
from likely.structures.search.rules import Rules

BOOTSTRAP_SAMPLES = 200  # where nobody says how many
Search = Callable[[Coded, Tick | None], SearchResult]


def bootstrap_arcs(
    coded: Coded,
    search: Search,
    rules: Rules,
    *,
    bootstrap: int = BOOTSTRAP_SAMPLES,
    seed: int = 0,
    threads: int | None = None,
    tick: Tick | None = None,
) -> ArcStrengths:
    """How often a search finds each arc in bootstrap samples of the rows, as many as there are, with replacement.

    Each graph counts as its equivalence class: an arc that may point either way there counts half for either way,
    unless the `rules` tell it. The same seed gives the same strengths, whatever the number of threads. Ctrl-C keeps the
    graphs that were learnt so far.
    """
    asked, workers = whole(bootstrap, "bootstrap", "O546", least=1), cores()
    if threads is not None:
        workers = whole(threads, "threads", "O547", least=1)
    if not coded.rows:
        hint = "give the rows that the network was learnt from, or others like them"
        raise OptionError("O548", "there are no rows to draw from", place="arc_strength(data)", hint=hint)
    classes: list[Partial] = []
    started = time.perf_counter()
    with closing(_graphs(coded, search, asked, read_seed(seed), workers)) as graphs:
        try:
            for found in graphs:
                classes.append(class_of(Graph.placed(coded.names, found.parents), rules))
                if tick is not None:
                    tick(_progress(found, len(classes), asked, started))
        except KeyboardInterrupt:
            if not classes:
                raise
    together, pointing = np.zeros((2, len(coded.names), len(coded.names)), dtype=np.int64)
    for one in classes:
        together += one.linked
        pointing += one.arrows
    return ArcStrengths(coded.names, together, pointing, len(classes), asked)


def _graphs(coded: Coded, search: Search, asked: int, entropy: int, threads: int) -> Generator[SearchResult]:
    """What the search finds in each draw of the rows, in order."""
    stop = Event()

    def hear(_: Progress) -> None:
        if stop.is_set():  # the signal itself reaches the first thread only
            raise KeyboardInterrupt

    def learn(which: int) -> SearchResult:
        rng = np.random.default_rng(np.random.SeedSequence(entropy, spawn_key=(which,)))
        return search(drawn(coded, rng), hear)

    with ThreadPoolExecutor(threads) as pool:
        waiting = [pool.submit(learn, which) for which in range(asked)]
        try:
            for future in waiting:
                yield future.result()
        finally:
            stop.set()
            for future in waiting:
                future.cancel()


def drawn(coded: Coded, rng: np.random.Generator) -> Coded:
    """As many rows as there are, drawn with replacement.

    Whole weights say how often a row was seen: then it is drawn as if it were there that often.
    """
    weights = coded.weights
    if weights is None or not (weights == np.floor(weights)).all() or not weights.any():
        return coded.take(np.sort(rng.integers(coded.rows, size=coded.rows)))
    often = rng.multinomial(int(weights.sum()), weights / weights.sum())
    seen = np.flatnonzero(often)
    return replace(coded.take(seen), weights=often[seen].astype(np.float64))


def _progress(found: SearchResult, done: int, asked: int, started: float) -> Progress:
    arcs = sum(map(len, found.parents))
    doing = f"graph {done:,} of {asked:,}"
    return Progress(time.perf_counter() - started, found.score, done, arcs, doing, done / asked)
