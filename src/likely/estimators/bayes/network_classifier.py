"""NetworkClassifier: a Bayesian network learnt around the class, or tables for one that is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

from sklearn.base import ClassifierMixin

from likely.core.state import still
from likely.data import Source
from likely.errors import listed
from likely.estimators.bayes.dependent import DependentClassifier
from likely.estimators.bayes.em import fill_holes
from likely.estimators.bayes.network_tables import network_of
from likely.estimators.bayes.node_classifier import NodeClassifier, in_short
from likely.estimators.face.options import BesideMethod, Limits, ShownType, declared, declared_options
from likely.estimators.face.rows import fitted_now
from likely.estimators.face.shared_options import (
    Backoff,
    Bins,
    CellSmoothing,
    ClassWeight,
    Cuts,
    Estimate,
    Kinds,
    Numbers,
    Priors,
)
from likely.estimators.face.summary import in_lines
from likely.families.predictor import Setting
from likely.models.dependent import StructureInputs
from likely.models.network import NetworkModel
from likely.networks.classes.class_graph import class_node, given_parents, planted
from likely.networks.classes.class_search import code_rows, search_parents
from likely.networks.network import Network
from likely.structures import Structure
from likely.structures.graph import Graph

NODES_PRINTED_AROUND_CLASS = 12  # nodes around the class that are printed


@declared
class NetworkClassifier(DependentClassifier):
    """A Bayesian network in which the class is a node: which column depends on which is learnt, or given.

    Examples
    --------
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

    score: Annotated[
        Any,
        ShownType("str or score"),
        "What the search maximises: 'bic', 'aic', 'bdeu', 'fnml', ... as in likely.learn_network; or 'cll', how well"
        " the class is told, each row left out.",
    ] = BesideMethod("bic", ClassifierMixin.score)
    search: Annotated[
        str, "How it looks for it: 'hill-climb', 'tabu', 'tree', 'exact', ... as in likely.learn_network."
    ] = "hill-climb"
    scope: Annotated[
        Literal["all", "blanket", "augmented"],
        Limits("O553"),
        "'all' (the network of all columns), 'blanket' (only the arcs that bear on the class are looked for), or"
        " 'augmented' (every column depends on the class, and what else pays is added).",
    ] = "all"
    network: Annotated[
        Any,
        ShownType("Network, Graph, arcs or None"),
        "What to take as it is instead of a search; the tables are learnt.",
    ] = None
    target: Annotated[str | None, "The name of the class as a node, where y has none."] = None
    required: Annotated[
        Any, ShownType("arcs"), "Arcs (parent, child) that must be there; the class goes by its name."
    ] = ()
    forbidden: Annotated[Any, ShownType("arcs"), "Arcs (parent, child) that must not be there."] = ()
    tiers: Annotated[
        Any,
        ShownType("groups of columns or None"),
        "The earliest group first; no arc leads from a later group to an earlier one.",
    ] = None
    max_parents: Annotated[int | None, "How many parents a node may have."] = None
    strength: Annotated[float, Limits(above=0), "Pseudo-counts of the score 'bdeu'."] = 1.0
    options: Annotated[
        Mapping[str, Any] | None, ShownType("dict or None"), "Options of the search, as in {'restarts': 5}."
    ] = None
    kinds: Kinds = "auto"
    estimate: Estimate = "bayes"
    smoothing: CellSmoothing = 1.0
    backoff: Backoff = "class"
    priors: Priors = None
    missing: Annotated[
        Literal["ignore", "informative", "error", "em"],
        Limits("O555"),
        "As in NaiveBayes, or 'em': missing values are filled in by what the network expects of them, by turns, while"
        " it is learnt; such rows cannot be forgotten or left out one by one.",
    ] = "ignore"
    numbers: Numbers = "auto"
    cuts: Cuts = "mdl"
    bins: Bins = 5
    seed: Annotated[int, "The same seed finds the same network."] = 0
    class_weight: ClassWeight = None

    @staticmethod
    def of(network: Network, target: str) -> NodeClassifier:
        """The classifier of a node of a network whose tables are taken as they are.

        Examples
        --------
        >>> import likely
        >>> net = likely.Network([("play", "sky")]).fit({"play": ["out", "out", "in"], "sky": ["sun", "sun", "rain"]})
        >>> likely.NetworkClassifier.of(net, "play").predict([["sun"]]).tolist()
        ['out']
        """
        return NodeClassifier.of(network, target)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The options by name.

        Examples
        --------
        >>> import likely
        >>> likely.NetworkClassifier("aic").get_params()["score"]
        'aic'
        """
        found = super().get_params(deep)
        return found if "score" not in found else {**found, "score": vars(self)["score"]}  # the method has the name

    @property
    def network_(self) -> Network:
        """The network with its tables, to be asked, drawn and written; numbers are binned as parents see them."""
        self = fitted_now(self)
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
        self = fitted_now(self)
        return self._target(self.model_.schema)

    def _target(self, schema: Any) -> str:
        return class_node(schema, self.target, self._graph())

    def _graph(self) -> Graph | None:
        """The graph that is given."""
        given = self.network
        return None if given is None else given.graph if isinstance(given, Network) else Graph.of(given)

    def _grown(self, source: Source, grounds: StructureInputs) -> NetworkModel:
        graph, target = self._graph(), self._target(grounds.schema)
        coded = code_rows(source, grounds.schema, grounds.nodes, target)
        options = {option.name: vars(self)[option.name] for option in declared_options(NetworkClassifier)}
        parents = search_parents(options, coded) if graph is None else given_parents(grounds, graph, target)
        model = planted(grounds, parents, coded)
        self._refuse_large(model.schema, model.questions)
        model = self._taught(source, model)
        return fill_holes(model, coded) if self.missing == "em" and coded.holes else model

    def _setting(self) -> Setting:
        setting = super()._setting()
        return replace(setting, missing="ignore") if self.missing == "em" else setting

    def _chosen(self) -> bool:
        return self.network is None

    @property
    def _tries_densities(self) -> bool:
        """Never: its parts are learnt to tell the classes apart."""
        return False

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
        head = in_short(self, graph, N_CHAR_MAX)
        if not hasattr(self, "model_"):
            return head
        names = self.graph_.markov_blanket(self.target_)
        around = f"  around {self.target_}: {listed(names, NODES_PRINTED_AROUND_CLASS) if names else 'nothing'}"
        return "\n".join([head, *in_lines(self.model_, self.notes_), around])
