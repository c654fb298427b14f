"""NetworkClassifier: a Bayesian network learnt around the class, or tables for one that is given."""

from __future__ import annotations

from collections.abc import Mapping
from types import MethodType
from typing import Any

from sklearn.base import BaseEstimator, ClassifierMixin, clone

from likely.core.schema import Schema
from likely.core.state import still
from likely.data import Source
from likely.data.levels.column_kinds import IF_FEW
from likely.errors import listed
from likely.errors.options import choose
from likely.estimators.bayes.dependent import DependentClassifier
from likely.estimators.bayes.em import fill_holes
from likely.estimators.bayes.network_tables import network_of
from likely.estimators.bayes.node_classifier import NodeClassifier
from likely.estimators.face.arguments import read_setting
from likely.estimators.face.summary import in_lines
from likely.families.predictor import MISSING_TREATMENTS, Setting
from likely.models.dependent import Grounds
from likely.models.network import NetworkModel
from likely.networks.classes.class_graph import class_node, given_parents, planted
from likely.networks.classes.class_search import code_rows, search_parents
from likely.networks.network import Network
from likely.structures import Structure
from likely.structures.graph import Graph

NODES_PRINTED_AROUND_CLASS = 12  # nodes around the class that are printed


class _ScoreOption:
    """As an option, what a search maximises; as a method, how scikit-learn judges a classifier.

    Three things must hold at once: `NetworkClassifier.score` is a function (scikit-learn's metadata routing looks for
    one), `model.score(X, y)` calls it, and `model.score = "aic"`, which is how scikit-learn sets options, does not hide
    it. A property fails the first, an option held under a private name the last.
    """

    def __get__(self, model: Any, owner: type) -> Any:
        return ClassifierMixin.score if model is None else MethodType(ClassifierMixin.score, model)

    def __set__(self, model: Any, value: Any) -> None:
        vars(model)["score"] = value


class NetworkClassifier(DependentClassifier):
    """A Bayesian network in which the class is a node: which column depends on which is learnt, or given.

    score : what the search maximises: "bic", "aic", "bdeu", "fnml", ... as in likely.learn_network; or "cll".
    search : how it looks for it: "hill-climb", "tabu", "tree", "exact", ... as in likely.learn_network.
    scope : "all" (the network of all columns), "blanket" (only the arcs that bear on the class are looked for), or
        "augmented" (every column depends on the class, and what else pays is added).
    network : a Network, Graph or arcs, to be taken as they are instead of a search; the tables are learnt.
    target : the name of the class as a node, where y has none.
    required, forbidden, tiers, max_parents, strength, seed : as in likely.learn_network; the class goes by its name.
    options : those of the search, as in {"restarts": 5}.
    missing : as in SPODE, or "em": missing values are filled in by what the network expects of them, by turns, while it
        is learnt; such rows cannot be forgotten or left out one by one.
    kinds, estimate, smoothing, backoff, priors, numbers, cuts, bins : as in SPODE.

    >>> import likely
    >>> X = [["sun", "calm"], ["sun", "gale"], ["rain", "calm"], ["rain", "gale"]] * 5
    >>> y = ["out" if sky == "sun" or wind == "calm" else "in" for sky, wind in X]
    >>> model = likely.NetworkClassifier().fit(X, y)
    >>> model.predict([["sun", "gale"], ["rain", "gale"], ["rain", None]]).tolist()
    ['out', 'in', 'out']
    >>> model.graph_.edges
    (('x0', 'y'), ('x1', 'y'))
    """

    _leaning = (5.0, 0.5)
    score = _ScoreOption()

    def __init__(
        self,
        score: Any = "bic",
        search: str = "hill-climb",
        scope: str = "all",
        network: Any = None,
        target: str | None = None,
        required: Any = (),
        forbidden: Any = (),
        tiers: Any = None,
        max_parents: int | None = None,
        strength: float = 1.0,
        options: Mapping[str, Any] | None = None,
        kinds: Any = "auto",
        estimate: str = "bayes",
        smoothing: float = 1.0,
        backoff: str = "class",
        priors: Any = None,
        missing: str = "ignore",
        numbers: str = "auto",
        cuts: Any = "mdl",
        bins: int = 5,
        seed: int = 0,
    ) -> None:
        self.score = score
        self.search = search
        self.scope = scope
        self.network = network
        self.target = target
        self.required = required
        self.forbidden = forbidden
        self.tiers = tiers
        self.max_parents = max_parents
        self.strength = strength
        self.options = options
        self.kinds = kinds
        self.estimate = estimate
        self.smoothing = smoothing
        self.backoff = backoff
        self.priors = priors
        self.missing = missing
        self.numbers = numbers
        self.cuts = cuts
        self.bins = bins
        self.seed = seed

    @staticmethod
    def of(network: Network, target: str) -> NodeClassifier:
        """The classifier of a node of a network whose tables are taken as they are."""
        return NodeClassifier.of(network, target)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The options by name."""
        return {**super().get_params(deep), "score": vars(self)["score"]}

    @property
    def network_(self) -> Network:
        """The network with its tables, to be asked, drawn and written; numbers are binned as parents see them."""
        self = still(self)
        self._refuse_unfitted()
        assert isinstance(self.model_, NetworkModel), "what fit holds"
        return network_of(self.model_, self.target_)

    @property
    def graph_(self) -> Graph:
        """Which node depends on which: columns, and the class by its name."""
        found = self.structure_
        return Graph(found.columns, found.parents)

    @property
    def target_(self) -> str:
        """The name of the class as a node."""
        self = still(self)
        self._refuse_unfitted()
        return self._target(self.model_.schema)

    def _target(self, schema: Any) -> str:
        return class_node(schema, self.target, self._graph())

    def _graph(self) -> Graph | None:
        """The graph that is given."""
        given = self.network
        return None if given is None else given.graph if isinstance(given, Network) else Graph.of(given)

    def _grown(self, source: Source, grounds: Grounds) -> NetworkModel:
        graph, target = self._graph(), self._target(grounds.schema)
        coded = code_rows(source, grounds.schema, grounds.nodes, target)
        options = self.get_params(deep=False)
        parents = search_parents(options, coded) if graph is None else given_parents(grounds, graph, target)
        model = planted(grounds, parents, coded)
        self._refuse_large(model)
        model = self._taught(source, model)
        return fill_holes(model, coded) if self.missing == "em" and coded.holes else model

    def _survey(self, source: Source, kinds: Any, classes: tuple[Any, ...]) -> Schema:
        """Nodes have levels: numbers that are few are levels here as they are where networks are learnt."""
        if isinstance(kinds, Mapping) or (isinstance(kinds, str) and kinds == "auto"):
            kinds = {**dict.fromkeys(source.names, IF_FEW), **(kinds if isinstance(kinds, Mapping) else {})}
        return source.survey(kinds, classes)

    def _setting(self) -> Setting:
        if isinstance(self.missing, str) and self.missing == "em":
            return read_setting(self.estimate, self.smoothing, "ignore", self.backoff, *self._leaning)
        choose(self.missing, (*MISSING_TREATMENTS, "em"), "missing", "O555")
        return super()._setting()

    def _chosen(self) -> bool:
        return self.network is None

    def _structure(self, model: NetworkModel) -> Structure:
        names = [column.name for column in model.schema.columns]
        target, apart = self._target(model.schema), {*model.apart, *model.schema.of("skip")}
        parents, nats = [], []
        for at, by in enumerate(model.parents):
            own = () if at in apart else (target,)
            parents.append((*own, *(names[one] for one in by)))
            nats.append((*(model.told[at] for _ in own), *model.strengths[at]))
        parents.append(tuple(names[one] for one in model.above))
        nats.append(model.above_told)
        return Structure((*names, target), tuple(parents), tuple(nats), target, "network")

    def _smaller(self) -> str:
        return "say max_parents=2, "

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        """As every classifier's, with a network that is given in short; and what bears on the class."""
        self = still(self)
        graph = self._graph() if isinstance(self.network, Network | Graph) else None
        plain = self if graph is None else clone(self).set_params(network=_Short(graph))
        head = str(BaseEstimator.__repr__(plain, N_CHAR_MAX))
        if not hasattr(self, "model_"):
            return head
        names = self.graph_.markov_blanket(self.target_)
        around = f"  around {self.target_}: {listed(names, NODES_PRINTED_AROUND_CLASS) if names else 'nothing'}"
        return "\n".join([head, *in_lines(self.model_, self.notes_), around])


class _Short:
    """A graph in a few letters."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def __repr__(self) -> str:
        return f"<{len(self.graph.nodes)} nodes>"
