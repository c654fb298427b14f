"""A graph from rows with holes: nearer to that of rows without, its score summed over the holes, the best one kept."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import likely
from likely.errors import OptionError
from likely.networks.learning.em import EMReport
from likely.networks.sampling.likelihood_weighting import draw
from likely.networks.structure.plan import Plan
from likely.networks.structure.row_codes import Coded
from likely.networks.structure.scorer import RowScorer
from likely.networks.structure.structural_em import ScoredGraph, StructuralEMReport, structural_em
from likely.structures.graph import Graph
from likely.structures.search.result import SearchResult
from likely.structures.search.scores import LikelihoodScore

ASIA = likely.networks.asia().factored
BIC = LikelihoodScore("bic")


def graph(parents):
    names = ASIA.graph.nodes[: len(parents)]
    return Graph(names, tuple(tuple(names[at] for at in mine) for mine in parents))


def acyclic(parents):
    try:
        return bool(graph(parents).nodes)
    except OptionError:
        return False


def moved(parents):
    """Every graph that differs by one arc: added, taken away or turned round."""
    for child, mine in enumerate(parents):
        for parent in set(range(len(parents))) - {child}:
            new = [set(others) for others in parents]
            new[child] ^= {parent}
            yield new
            if parent in mine:
                yield [others | ({child} if at == parent else set()) for at, others in enumerate(new)]


def climb(rows):
    """A plain greedy climb, written for eight nodes."""
    scorer = RowScorer(rows, BIC)

    def score(parents):
        return sum(scorer.score(at, tuple(sorted(mine))) for at, mine in enumerate(parents))

    best = [set() for _ in rows.names]
    while True:
        better = max((new for new in moved(best) if acyclic(new)), key=score)
        if score(better) <= score(best) + 1e-9:
            return SearchResult(tuple(tuple(sorted(mine)) for mine in best), score(best))
        best = better


def always(*graphs):
    """A search that finds these graphs, one after the other, and the last for ever; it counts how often it is asked."""
    asked = []

    def search(rows):
        parents = graphs[min(len(asked), len(graphs) - 1)]
        asked.append(rows)
        scorer = RowScorer(rows, BIC)
        return SearchResult(parents, sum(scorer.score(at, mine) for at, mine in enumerate(parents)))

    search.asked = asked
    return search


def rows_of(n, seed, share):
    codes = np.ascontiguousarray(draw(ASIA, n, seed))
    holes = np.random.default_rng(seed).random(codes.shape) < share
    whole = Coded(ASIA.graph.nodes, ASIA.levels, codes)
    return whole, replace(whole, codes=np.where(holes, 2, codes).astype(np.uint8))


def apart(one, other):
    """In how many pairs of nodes two equivalence classes differ."""

    def links(parents):
        pattern = graph(parents).equivalence_class()
        return {frozenset(pair): pair for pair in pattern.directed} | {
            frozenset(pair): 0 for pair in pattern.undirected
        }

    mine, theirs = links(one), links(other)
    return sum(mine.get(pair) != theirs.get(pair) for pair in mine.keys() | theirs.keys())


TRUTH = tuple(tuple(sorted(mine)) for mine in ASIA.graph.parent_places)
EMPTY = ((),) * 8


def test_graphs_are_nearer_to_those_of_complete_rows_than_by_available_cases():
    filled, available = [], []
    for seed in range(3):
        whole, holed = rows_of(3000, seed, 0.2)
        complete, search = Plan().find(whole).parents, Plan().find
        found, report = structural_em(search, holed)
        filled += [apart(found.parents, complete), apart(found.parents, TRUTH)]
        available += [apart(parents, other) for parents in [search(holed).parents] for other in (complete, TRUTH)]
        assert found.score >= report.turns[0].score
        assert found.score == report.turns[report.best].score == max(turn.score for turn in report.turns)
    print(filled, available)
    assert sum(filled[::2]) <= sum(available[::2])
    assert sum(filled[1::2]) <= sum(available[1::2])


def test_the_score_is_that_of_what_is_seen_less_the_price():
    _, holed = rows_of(300, 1, 0.3)
    found, report = structural_em(always(TRUTH), holed)
    frame = {
        name: [None if code == 2 else ASIA.levels[at][code] for code in holed.codes[:, at]]
        for at, name in enumerate(holed.names)
    }
    tables = likely.Network(
        dict(zip(holed.names, graph(TRUTH).parents, strict=True)),
        levels=dict(zip(holed.names, ASIA.levels, strict=True)),
    )
    tables.fit(frame, prior="bdeu")
    likelihood = float(tables.log_likelihood(frame).sum())  # by the tables of another EM, with the same prior
    assert report.turns[0].log_likelihood == pytest.approx(likelihood, abs=0.1)
    price = 0.5 * np.log(300) * sum(2 ** len(mine) for mine in TRUTH)
    assert found.score == pytest.approx(report.turns[0].log_likelihood - price, abs=1e-8)


def test_it_ends_when_the_graph_says_what_it_said_before():
    _, holed = rows_of(200, 0, 0.2)
    turned = tuple((1,) if at == 0 else () for at in range(8)), tuple((0,) if at == 1 else () for at in range(8))
    search = always(*turned)
    found, report = structural_em(search, holed)  # asia - tub, this way or that
    assert (len(search.asked), len(report.turns), report.ended) == (2, 1, "the graph stays")
    assert found.parents == turned[0]
    assert search.asked[0] is holed
    assert not search.asked[1].holes
    assert search.asked[1].weight == pytest.approx(200)


def test_it_ends_when_turns_gain_nothing_and_keeps_the_best():
    _, holed = rows_of(400, 0, 0.2)
    worse = [tuple((at - 1,) if 0 < at <= many else () for at in range(8)) for many in (1, 2, 3)]
    found, report = structural_em(always(TRUTH, EMPTY, *worse), holed)
    assert report.ended == "the score rises no more"
    assert (len(report.turns), report.best, report.monotone) == (3, 0, False)
    assert found.parents == TRUTH
    assert "turn 1 is kept" in repr(report)
    found, report = structural_em(always(EMPTY, TRUTH), holed, turns=2)
    assert report.ended == "all turns were taken"
    assert report.monotone
    assert found.parents == TRUTH


def test_without_holes_there_is_one_search():
    whole, _ = rows_of(200, 0, 0.2)
    search = always(TRUTH)
    found, report = structural_em(search, whole)
    assert len(search.asked) == 1
    assert search.asked[0] is whole
    assert found.score == pytest.approx(search(whole).score)
    assert repr(report) == "structural EM: there are no missing values"


def test_ctrl_c_keeps_the_best_so_far():
    _, holed = rows_of(200, 0, 0.2)
    search = always(TRUTH)

    def stopped(rows):
        if search.asked:
            raise KeyboardInterrupt
        return search(rows)

    found, report = structural_em(stopped, holed)
    assert found.interrupted
    assert found.parents == TRUTH
    assert report.ended == "interrupted"
    assert len(report.turns) == 1

    def short(rows):  # a search that keeps its own best
        return SearchResult(EMPTY, -1.0, interrupted=True)

    found, report = structural_em(short, holed)
    assert found.interrupted
    assert found.parents == EMPTY
    assert not report.turns

    def none(rows):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        structural_em(none, holed)


def test_ctrl_c_while_the_tables_are_learnt_keeps_the_graph(monkeypatch):
    _, holed = rows_of(200, 0, 0.2)

    def stopped(start, codes, weights, complete, *_, **__):
        return [mine + 1.0 for mine in complete], EMReport((-1000.0,), (-1000.0,), False, interrupted=True)

    monkeypatch.setattr("likely.networks.structure.structural_em.fill_in", stopped)
    found, report = structural_em(always(TRUTH), holed)
    assert found.interrupted
    assert found.parents == TRUTH
    assert (len(report.turns), report.ended) == (1, "interrupted")


def test_it_is_told_as_it_goes_and_the_same_every_time():
    _, holed = rows_of(300, 2, 0.4)
    told = []
    one, report = structural_em(climb, holed, seed=3, draws=2, tick=told.append)
    again, same = structural_em(climb, holed, seed=3, draws=2)
    assert one.parents == again.parents
    assert report == same
    assert any("filling in missing values" in now.doing for now in told)
    assert told[-1].score == one.score
    assert one.trace[-1].arcs == sum(map(len, one.parents))


def test_weights_count_as_rows():
    _, holed = rows_of(150, 4, 0.2)
    twice = replace(holed, weights=np.full(150, 2.0))
    double = replace(holed, codes=np.concatenate([holed.codes, holed.codes]))
    one, other = (structural_em(always(TRUTH), rows, draws=256)[0] for rows in (twice, double))
    assert one.score == pytest.approx(other.score, rel=1e-9)


def test_a_node_that_no_row_has():
    whole, holed = rows_of(600, 5, 0.1)
    hidden = replace(whole, codes=np.where(np.arange(8) == 5, 2, holed.codes).astype(np.uint8))  # either
    found, report = structural_em(always(TRUTH), hidden)
    assert found.notes == ("no row has 'either': the rows say nothing of its arcs",)
    empty, _ = structural_em(always(EMPTY), hidden)
    assert report.turns[0].log_likelihood > empty.score  # what is hidden still joins what it explains


def wide(nodes):
    codes = np.random.default_rng(0).integers(0, 3, (20, nodes)).astype(np.uint8)  # 2 is a hole
    names = tuple(f"n{at}" for at in range(nodes))
    return Coded(names, ((0, 1),) * nodes, codes)


def test_a_graph_too_dense_to_be_asked():
    nodes, first = 32 + 496, 32
    pairs = tuple((one, other) for one in range(first) for other in range(one + 1, first))
    tangled = ((),) * first + pairs
    rows = wide(nodes)

    def search(parents):
        return lambda _: SearchResult(parents, -1.0)

    with pytest.raises(OptionError, match="missing values cannot be filled in") as caught:
        structural_em(search(tangled), rows)
    assert caught.value.code == "O537"
    found, report = structural_em(always(((),) * nodes, tangled), rows)
    assert "too dense" in found.notes[-1]
    assert found.parents == ((),) * nodes
    assert len(report.turns) == 1


@pytest.mark.parametrize("options", [{"turns": 0}, {"draws": 0}, {"turns": 1.5}, {"draws": True}, {"draws": "many"}])
def test_options_are_checked(options):
    with pytest.raises(OptionError) as caught:
        structural_em(climb, rows_of(20, 0, 0.2)[1], **options)
    assert caught.value.code == "O536"
    assert next(iter(options)) in str(caught.value)


def test_the_report_in_words():
    turns = ScoredGraph(-10.0, -8.0, ((), (0,)), 5), ScoredGraph(-9.0, -8.0, ((), ()), 9)
    assert repr(StructuralEMReport(turns, "the graph stays")) == (
        "structural EM, 2 turns (the graph stays): score -10 -> -9, arcs 1 -> 0"
    )
    assert [turn.arcs for turn in turns] == [1, 0]
