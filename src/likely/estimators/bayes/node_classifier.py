"""NodeClassifier: one node of a Bayesian network predicted from the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import KW_ONLY, field
from typing import Annotated, Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from likely.core.numerics import Array, Floats, log, log_sum_exp
from likely.core.state import in_turn, still, swap
from likely.data.arrow_columns import one_array
from likely.data.levels.level_text import spelt_places
from likely.data.tables import open_rows
from likely.data.weights import read_row_weights
from likely.decisions import decide
from likely.errors import ModelError, OptionError, listed, nearest
from likely.estimators.bayes.node_rows import NamedRows, decoded, joined, sheets, spelt_classes, unnamed
from likely.estimators.face.options import Limits, ShownType, declared
from likely.estimators.face.rows import UnfittedError, fitted_now, refuse_merge
from likely.explanations import Explanation
from likely.networks.inference import elimination
from likely.networks.inference.evidence import Findings
from likely.networks.inference.markov_blanket import Blanket
from likely.networks.network import Network
from likely.structures.graph import Graph

CLASSES_PRINTED = 12  # classes and nodes that are printed
OPTIONS = ("estimate", "prior", "strength", "missing")  # how tables are learnt


@declared
class NodeClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Predicts one node of a Bayesian network from the others, any of which may be missing.

    A row that is complete around the target (its parents, its children and their other parents) is looked up in the
    tables; of any other row the rest is summed out, exactly. A level that the network does not know counts as missing.
    Of a row that the tables make impossible whatever the class, nothing can be learnt: its answer is the target's
    distribution without evidence. `classes_` are the target's levels, sorted.

    A network that is fitted already has its classifiers: `net.classifier("play")`. To save one, write its network:
    `model.network_.write("play.bif")`.

    Examples
    --------
    >>> import likely
    >>> arcs = likely.Network([("play", "sky"), ("play", "wind"), ("sky", "wind")])
    >>> rows = [["sun", "calm"], ["sun", "calm"], ["rain", "calm"], ["rain", "gale"]]
    >>> model = NodeClassifier(network=arcs, target="play").fit(rows, ["out", "out", "out", "in"])
    >>> model.predict([["sun", "calm"], ["rain", "gale"], ["rain", None]]).tolist()
    ['out', 'in', 'out']
    """

    network_: Annotated[Network, "Network", "The network with the tables that were learnt."] = field(init=False)
    target_: Annotated[str, "str", "The node that is predicted."] = field(init=False)
    classes_: Annotated[Array, "ndarray", "(classes,): the levels of the target, sorted."] = field(init=False)
    n_features_in_: Annotated[int, "int", "How many nodes it predicts from."] = field(init=False)
    _places: Array = field(init=False)
    _blanket: Blanket = field(init=False)
    feature_names_in_: Annotated[Array, "ndarray", "(nodes,): their names."] = field(init=False)

    _: KW_ONLY
    network: Annotated[
        Any,
        ShownType("Network"),
        "Its arcs say what depends on what; its tables are learnt anew by `fit`.",
    ] = None
    target: Annotated[
        str | None,
        "The node to predict; None for the one that y is named after, or the only one that is no column of X.",
    ] = None
    estimate: Annotated[
        Literal["bayes", "mle"], Limits(), "Of the tables: 'bayes' (the posterior mean) or 'mle' (the shares)."
    ] = "bayes"
    prior: Annotated[
        Any,
        ShownType("{'uniform', 'bdeu', 'backoff'} or {node: pseudo-counts}"),
        "What is added to the counts, as in Network.fit.",
    ] = "uniform"
    strength: Annotated[float, Limits(least=0), "What the prior is worth, as in Network.fit."] = 1.0
    missing: Annotated[
        Literal["em", "ignore", "error"],
        Limits(),
        "Missing values: filled in by turns ('em'), each table counted where all its nodes are seen ('ignore'), or"
        " refused ('error').",
    ] = "em"

    @classmethod
    def of(cls, network: Network, target: str) -> Self:
        """A fitted classifier of the tables of a network as they are."""
        now = still(network)
        now.graph.at(target)
        features = [name for name in now.nodes if name != target]
        if not features:
            hint = "predict a node of a network that has at least two"
            raise OptionError("O497", f"{target!r} is the only node", place="classifier(target)", hint=hint)
        return cls(network=network, target=target)._hold(now, target, features)

    @in_turn
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the tables from rows and their classes: columns are nodes by name, or in order without the target.

        A failed fit leaves the old model. Nodes that are no column are hidden.
        """
        network = self._given()
        target, names = self._chosen(network.nodes, X, y)
        features = [name for name in names or network.nodes if name != target]
        data, labels = joined(X, y, features, target, type(self).__name__)
        weights = read_row_weights(sample_weight, len(labels.codes))
        fitted = copy(network).fit(data, weights=weights, **{name: getattr(self, name) for name in OPTIONS})
        return self._hold(fitted, target, features, labels.levels)

    @in_turn
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn more rows: in whatever parts they come, the tables are those that `fit` gives on all at once.

        `classes` is scikit-learn's, and not needed: later rows may bring classes of their own.
        """
        if not hasattr(self, "network_"):
            return self.fit(X, y, sample_weight)
        return self._moved(Network.partial_fit, X, y, sample_weight)

    @in_turn
    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Take learnt rows back: the tables are as if they had never been seen. In place; a failure changes nothing."""
        self._refuse_unfitted()
        return self._moved(Network.forget, X, y, sample_weight)

    def merge(self, other: Self) -> Self:
        """A new classifier, as if fitted on the rows of both."""
        self = fitted_now(self)
        refuse_merge(self, other, "network_")
        other = still(other)
        if other.target_ != self.target_:
            what = f"one predicts {self.target_!r}, the other {other.target_!r}"
            hint = "merge their networks instead, and take a classifier of the result"
            raise ModelError("M354", what, place="merge(other)", hint=hint)
        merged, known = self.network_.merge(other.network_), [*self.classes_, *other.classes_]
        twin: Self = clone(self)
        return twin._hold(merged, self.target_, self.feature_names_in_.tolist(), known)

    def predict_log_proba(self, X: Any) -> Floats:
        """(rows, classes): log posterior probabilities."""
        self = fitted_now(self)
        blanket = self._blanket
        parts = [self._log_posterior(blanket, sheet) for sheet in self._sheets(X)]
        return np.concatenate([np.empty((0, len(self.classes_))), *parts])[:, self._places]

    def predict_proba(self, X: Any) -> Floats:
        """(rows, classes): posterior probabilities, in the order of classes_."""
        return np.asarray(np.exp(self.predict_log_proba(X)))

    def predict(self, X: Any) -> Array:
        """(rows,): the likeliest class of each row."""
        self = still(self)
        likeliest = self.predict_log_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[likeliest])

    def decide(self, X: Any, loss: Any = None, reject: float | None = None) -> Array:
        """(rows,): the action of least expected loss; None where abstaining, at the cost `reject`, is cheaper."""
        self = still(self)
        return decide(self.predict_proba(X), self.classes_, loss, reject)

    def explain(self, X: Any) -> Explanation:
        """The terms of each row: log P(class | its parents) as the prior, then log P(child | its parents) by child.

        Other nodes have terms of zero: they speak through those terms that are given them. The terms add up to the
        joint log probability, but for what is the same whatever the class. Rows with missing values around the target
        are refused: there, nothing adds up.
        """
        self = fitted_now(self)
        blanket, features = self._blanket, self.feature_names_in_.tolist()
        graph = blanket.factored.graph
        every = range(len(graph.nodes))
        parts = [sheet.codes(blanket.factored, every) for sheet in self._sheets(X)]
        codes = np.concatenate([np.empty((0, len(every)), dtype=np.int64), *parts])
        around = codes[:, list(blanket.places)]
        self._refuse_holes(np.flatnonzero(~blanket.known(around)))
        terms = np.zeros((len(codes), 1 + len(features), len(self.classes_)))
        given = np.full((len(codes), len(features)), None, dtype=object)
        words = np.stack([decoded(blanket.factored, codes[:, at], at) for at in every], axis=1)
        places = {name: at for at, name in enumerate(features)}
        for node, term in blanket.terms(around):
            if node == blanket.target:
                terms[:, 0] = term[:, self._places]
            elif (at := places.get(graph.nodes[node])) is not None:  # else it is hidden, and silent
                others = [parent for parent in graph.parent_places[node] if parent != blanket.target]
                terms[:, 1 + at] = term[:, self._places]
                given[:, at] = [", ".join(f"{graph.nodes[one]}={row[one]}" for one in others) or None for row in words]
        values = words[:, [graph.places[name] for name in features]]
        target = str(graph.nodes[blanket.target])
        return Explanation(terms, ("prior", *features), tuple(self.classes_.tolist()), values, given, target)

    def sample(self, n: int = 1, seed: Any = None) -> tuple[Any, Array]:
        """n rows and their classes, drawn from the network."""
        self = fitted_now(self)
        drawn = self.network_.sample(n, seed=seed)
        at = self.network_.graph.at(self.target_)
        found, _, rows = spelt_places(one_array(drawn[self.target_], self.target_), self.network_.factored.levels[at])
        codes = found[rows]
        return drawn[self.feature_names_in_.tolist()], self.classes_[np.argsort(self._places)[codes]]

    def _given(self) -> Network:
        if not isinstance(self.network, Network):
            what = "there is no network" if self.network is None else f"network is a {type(self.network).__name__}"
            hint = "give a network with its arcs, as in likely.Network([('play', 'sky'), ('play', 'wind')])"
            raise OptionError("O495", what, place="network=", hint=hint)
        return self.network

    def _chosen(self, nodes: Sequence[str], X: Any, y: Any) -> tuple[str, Sequence[str]]:
        """The node to predict, and the names of the columns where they have any."""
        names = () if unnamed(X) else open_rows(X, nodes, place="X").names
        if self.target is not None:
            if self.target not in nodes:
                hint = f"name one of the nodes.{nearest(self.target, nodes)}"
                raise OptionError("O496", f"there is no node {self.target!r}", place="target=", hint=hint)
            return self.target, names
        left, called = [name for name in nodes if name not in names], getattr(y, "name", None)
        if called in nodes:
            return str(called), names
        if len(left) != 1:
            hint = f"say target=, one of {listed(left or nodes, 12)}"
            raise OptionError("O496", "it is not clear which node y is", place="target=", hint=hint)
        return left[0], names

    def _sheets(self, X: Any) -> Iterator[NamedRows]:
        return sheets(X, self.feature_names_in_.tolist(), self.target_)

    def _moved(self, move: Callable[..., Network], X: Any, y: Any, sample_weight: Any) -> Self:
        """Rows learnt or forgotten by a copy, which takes over when that went well."""
        features = self.feature_names_in_.tolist()
        data, labels = joined(X, y, features, self.target_, type(self).__name__)
        self.network_.learnt  # noqa: B018  tables that were read or written down have no counts to add to: that is said
        network = copy(self.network_)
        move(network, data, weights=read_row_weights(sample_weight, len(labels.codes)))
        return self._hold(network, self.target_, features, [*self.classes_, *labels.levels])

    def _hold(self, network: Network, target: str, features: Sequence[str], known: Sequence[Any] = ()) -> Self:
        classes, places = spelt_classes(network.levels(target), known)
        learnt = {
            "network_": network,
            "target_": target,
            "classes_": classes,
            "feature_names_in_": np.array(features, dtype=object),
            "n_features_in_": len(features),
            "_places": places,
            "_blanket": Blanket(network.factored, network.graph.at(target)),
        }
        return swap(self, learnt)

    def _log_posterior(self, blanket: Blanket, sheet: NamedRows) -> Floats:
        """(rows, levels): log P(level | row), levels in the order of the network."""
        codes = sheet.codes(blanket.factored, blanket.places)
        known = blanket.known(codes)
        out = np.empty((len(codes), blanket.factored.sizes[blanket.target]))
        out[known] = blanket.joint(codes[known])
        if not known.all():
            holed = sheet.codes(blanket.factored, range(len(blanket.factored.sizes)), ~known)
            out[~known] = self._summed_out(holed, blanket.target)
        impossible = np.isneginf(out).all(axis=1)
        if impossible.any():
            out[impossible] = log(self.network_.query(self.target_).probabilities)
        return np.asarray(out - log_sum_exp(out)[:, None])

    def _summed_out(self, codes: Array, target: int) -> Floats:
        """(rows, levels): log P(level, row), up to a number of each row, where something is missing."""
        exact = self.network_.exact
        if not exact.cost.feasible:
            return log(np.stack([self._alone(row, target) for row in codes]))
        found, logs = exact.junction.marginals_of_rows(codes, (target,))
        out = log(found)
        out[np.isneginf(logs)] = -np.inf
        faint = np.flatnonzero((found == 0.0).any(axis=1) & ~np.isneginf(logs))
        if len(faint):  # too small beside the others for a double, or impossible: each level is asked for by itself
            for level in range(found.shape[1]):
                asked = codes[faint].copy()
                asked[:, target] = level
                out[faint, level] = exact.junction.marginals_of_rows(asked, (target,))[1]
        return out

    def _alone(self, codes: Array, target: int) -> Floats:
        """(levels,): the same for one row of a network that is too large as a whole: what is seen cuts it down."""
        try:
            values, _ = elimination.joint(self.network_.factored, Findings(codes), (target,))
        except ModelError as error:
            around = [self.network_.nodes[at] for at in self._blanket.places]
            hint = f"fill in {listed(around, 12)}, or sample: network_.query({self.target_!r}, ..., method='weighting')"
            what = f"a row with missing values is too much for exact inference: {error.message}"
            raise ModelError("M351", what, place="X", hint=hint) from None
        return values / (values.sum() or 1.0)

    def _refuse_holes(self, rows: Array) -> None:
        if len(rows):
            shown = ", ".join(map(str, rows[:5])) + (f" and {len(rows) - 5} more" if len(rows) > 5 else "")
            needed = [self.network_.nodes[at] for at in self._blanket.places]
            what = f"rows with missing values have no terms: row {shown}"
            hint = f"fill in {listed(needed, 12)}, or leave these rows out; predict_proba takes them as they are"
            raise ModelError("M352", what, place="explain(X)", hint=hint)

    def _refuse_unfitted(self) -> None:
        if not hasattr(self, "network_"):
            hint = "call fit(X, y) first, or take net.classifier(target) of a network with tables"
            raise UnfittedError("M307", "this NodeClassifier is not fitted yet", place="NodeClassifier", hint=hint)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        """The options that were changed, the network in short; what it predicts, from what."""
        self = still(self)
        head = in_short(self, self.network.graph if isinstance(self.network, Network) else None, N_CHAR_MAX)
        if not hasattr(self, "network_"):
            return head
        around = ", ".join(self.network_.nodes[at] for at in self._blanket.places[:CLASSES_PRINTED])
        more = len(self._blanket.places) - CLASSES_PRINTED
        classes = ", ".join(map(str, self.classes_[:CLASSES_PRINTED].tolist()))
        tail = f" and {more} more" if more > 0 else ""
        return (
            f"{head}\n  predicts {self.target_} ({classes}) from {self.n_features_in_} nodes, around it {around}{tail}"
        )


def in_short(model: Any, graph: Graph | None, most: int) -> str:
    """The estimator as scikit-learn prints it, with the graph that `network` gives in a few letters."""
    plain = model if graph is None else clone(model).set_params(network=_Short(graph))
    return str(BaseEstimator.__repr__(plain, most))


class _Short:
    """A graph in a few letters."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def __repr__(self) -> str:
        return f"<{len(self.graph.nodes)} nodes>"
