"""Sixteen threads ask while another teaches: every answer is that of one state or the other, to the last bit."""

import pickle
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_regressor

import likely
from likely.estimators.face.arguments import check_rows
from likely.estimators.registry import ESTIMATORS, estimator

THREADS = 16
COLUMNS = ["sky", "wind", "warm", "damp"]


@pytest.fixture(autouse=True)
def few_draws(monkeypatch):
    """Intervals rest on a few draws: it is not their width that matters here."""
    monkeypatch.setattr("likely.estimators.face.generative.PARAMETER_DRAWS", 8)


def table(seed, rows, classes=("in", "out")):
    """Words and numbers, some of them missing; the last column is the class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(len(classes), size=rows)
    sky, wind = (np.array(words, dtype=object)[(rng.random(rows) < 0.7) * y] for words in (SKIES, WINDS))
    warm, damp = rng.normal(y, 1.0), rng.normal(-y, 2.0)
    frame = pd.DataFrame(dict(zip(COLUMNS, (sky, wind, warm, damp), strict=True)))
    for at, name in enumerate(COLUMNS):
        frame.loc[(np.arange(rows) % 11) == at, name] = None
    return frame.assign(play=np.array(classes, dtype=object)[y])


SKIES, WINDS = ("sun", "rain", "snow"), ("calm", "gale", "gale")
FIRST, SECOND, OTHER = table(0, 60), table(1, 40, ("in", "out", "away")), table(2, 50)
ASKED = table(3, 24)[COLUMNS]


class Subject:
    """An estimator, how it is taught, and all that it can be asked."""

    def __init__(self, name, make, moves):
        self.name, self.make, self.moves = name, make, moves

    def __repr__(self):
        return self.name

    def target(self, rows):
        return rows["warm"].fillna(0.0) * 2 + 1 if is_regressor(self.make()) else rows["play"]

    def columns(self, rows):
        return rows[COLUMNS]

    def fitted(self, rows):
        return self.make().fit(self.columns(rows), self.target(rows))

    def teach(self, model):
        """The second state: more rows learnt, or others where nothing can be added."""
        move = model.partial_fit if "partial_fit" in self.moves else model.fit
        move(self.columns(SECOND), self.target(SECOND))

    def questions(self, path):
        """What can be asked, each as a function of the model whose answer is bytes."""
        X, y = self.columns(FIRST), self.target(FIRST)
        every = {
            "predict": lambda model: model.predict(self.columns(ASKED)),
            "predict_proba": lambda model: model.predict_proba(self.columns(ASKED)),
            "explain": lambda model: model.explain(self.columns(ASKED)).terms,
            "leave_one_out": lambda model: model.leave_one_out(X, y),
            "interval": lambda model: model.interval(self.columns(ASKED)[:2]),
            "merge": lambda model: model.merge(self.other).predict(self.columns(ASKED)),
            "classes_": lambda model: model.classes_,
            "structure_": lambda model: repr(model.structure_),
            "decide": lambda model: model.decide(self.columns(ASKED)),
            "staged_predict": lambda model: list(model.staged_predict(self.columns(ASKED))),
            "transform": lambda model: model.transform(self.columns(ASKED)),
            "with_priors": lambda model: model.with_priors("uniform").predict(self.columns(ASKED)),
            "save": lambda model: self.kept(model, path),
            "__repr__": repr,
        }
        return {name: ask for name, ask in every.items() if hasattr(self.old, name)}

    @staticmethod
    def kept(model, path):
        """What a file holds that was written meanwhile: it is read while others write the same."""
        model.save(path)
        found = likely.load(path)
        return repr(found)

    def prepare(self):
        self.old = self.fitted(FIRST)
        self.other = pickle.loads(pickle.dumps(self.old))
        self.new = pickle.loads(pickle.dumps(self.old))
        self.teach(self.new)


class OfWords(Subject):
    """Networks know words, and every node has a name."""

    def columns(self, rows):
        return rows[["sky", "wind"]].where(rows[["sky", "wind"]].notna(), "sun")


class OfText(Subject):
    """Tables as people write them: a currency, dates and truth values are words, read as the model has learnt."""

    def columns(self, rows):
        warm = rows["warm"].fillna(0.0)
        days = pd.Timestamp("2024-02-01") + pd.to_timedelta((20 * warm).round(), unit="D")
        fees = [f"€ {1000 * abs(value):,.2f}" for value in warm]
        words = {"fee": fees, "day": days.dt.strftime("%d/%m/%Y"), "wet": np.where(rows["damp"] > 0, "yes", "no")}
        return rows[["sky"]].assign(**words)


class OfNetwork(Subject):
    """A network itself: its rows hold all nodes."""

    def fitted(self, rows):
        return self.make().fit(rows[["sky", "play"]].dropna())

    def teach(self, model):
        model.partial_fit(SECOND[["sky", "play"]].dropna())

    def questions(self, path):
        text = path.with_suffix(".bif")

        def kept(model):
            model.write(text)
            return likely.Network.read(text).dumps("bif").partition("{")[2]

        rows = FIRST[["sky", "play"]].dropna()
        return {
            "query": lambda model: repr(model.query("play", {"sky": "sun"})),
            "query_many": lambda model: [model.query_many(rows[["sky"]], "play")["play"]],
            "marginals": lambda model: repr(model.marginals()),
            "most_probable": lambda model: repr(model.most_probable()),
            "merge": lambda model: repr(model.merge(self.other).tables),
            "tables": lambda model: repr(model.tables),
            "log_likelihood": lambda model: model.log_likelihood(rows),
            "sample": lambda model: repr(model.sample(20, seed=1).values.tolist()),
            "counts_": lambda model: repr(model.counts_),
            "dumps": lambda model: model.dumps("bif"),
            "write": kept,
            "__repr__": repr,
        }


ARCS = [("play", "sky"), ("play", "wind"), ("sky", "wind")]
CUTS = {"warm": (0.0, 1.0), "damp": (-1.0, 0.0)}
FEW = {
    **{kind: {"n_estimators": 5} for kind in (likely.Bagging, likely.AdaBoost, likely.BayesForest)},
    likely.BayesClassifier: {"candidates": ["naive", "lda"]},
}


def subjects():
    for kind in map(estimator, ESTIMATORS):
        options = dict(FEW.get(kind, {}))
        known = kind().get_params()
        options |= {"random_state": 0} if "random_state" in known else {}
        options |= {"cuts": CUTS, "numbers": "density"} if "cuts" in known else {}  # parts that can be merged
        moves = [name for name in ("partial_fit", "merge") if hasattr(kind, name)]
        yield Subject(kind.__name__, lambda kind=kind, options=options: kind(**options), moves)
    for kind in (likely.NaiveBayes, likely.AODE):
        yield OfText(f"{kind.__name__}, text as values", kind, ["partial_fit", "merge"])
    network = likely.Network(ARCS)
    node = network_classifier(network)
    yield OfWords("NodeClassifier", lambda: clone(node), ["partial_fit", "merge"])
    yield OfNetwork("Network", lambda: likely.Network([("play", "sky")]), ["partial_fit", "merge"])


def network_classifier(network):
    rows = OTHER[["sky", "wind", "play"]].dropna()
    return network.fit(rows).classifier("play")


SUBJECTS = list(subjects())


def plain(answer):
    """An answer as something that is equal only to the last bit."""
    if isinstance(answer, np.ndarray):
        return answer.shape, str(answer.dtype), answer.tolist() if answer.dtype == object else answer.tobytes()
    return [plain(one) for one in answer] if isinstance(answer, list) else answer


@pytest.fixture(params=SUBJECTS, ids=repr)
def subject(request):
    request.param.prepare()
    return request.param


def stress(subject, path, rounds, each):
    questions = subject.questions(path)
    names = list(questions)
    allowed = {}
    for name, ask in questions.items():
        allowed[name] = [plain(ask(pickle.loads(pickle.dumps(model)))) for model in (subject.old, subject.new)]
    for turn in range(rounds):
        model = pickle.loads(pickle.dumps(subject.old))  # a copy has nothing reckoned yet
        start = threading.Barrier(THREADS + 1)

        def ask(at, model=model, start=start, turn=turn):
            start.wait()
            mine = [names[(at + turn + step) % len(names)] for step in range(each)]
            return [(name, plain(questions[name](model))) for name in mine]

        with ThreadPoolExecutor(THREADS) as pool:
            asked = [pool.submit(ask, at) for at in range(THREADS)]
            start.wait()
            subject.teach(model)
            for one in asked:
                for name, answer in one.result():
                    assert answer in allowed[name], name
        for name, ask_it in questions.items():
            assert plain(ask_it(model)) == allowed[name][1], name


def test_answers_are_those_of_one_state(subject, tmp_path):
    stress(subject, tmp_path / "model.likely", 1, 1)


@pytest.mark.slow
def test_answers_are_those_of_one_state_again_and_again(subject, tmp_path):
    stress(subject, tmp_path / "model.likely", 40, 2)


IN_THE_MIDST = ("predict", "predict_proba", "explain", "leave_one_out", "interval", "decide", "transform")


@pytest.mark.parametrize("subject", [one for one in SUBJECTS if type(one) is Subject], ids=repr)
def test_rows_learnt_in_the_midst_of_an_answer_do_not_change_it(subject, tmp_path, monkeypatch):
    """No thread is needed to see it: the model is taught when the question's own rows are looked at."""
    subject.prepare()
    for name, ask in subject.questions(tmp_path / "model.likely").items():
        if name not in IN_THE_MIDST:
            continue
        model, taught = pickle.loads(pickle.dumps(subject.old)), []

        def look(*given, model=model, taught=taught):
            if not taught:
                taught.append(True)
                subject.teach(model)
            return check_rows(*given)

        wanted = plain(ask(pickle.loads(pickle.dumps(subject.old))))
        with monkeypatch.context() as context:
            context.setattr("likely.estimators.face.rows.check_rows", look)
            assert plain(ask(model)) == wanted, name
        assert taught
        assert plain(ask(model)) == plain(ask(subject.new)), name


def test_a_child_of_fork_answers_as_its_parent(subject, tmp_path, forked):
    """Forked while other threads are in the midst of reckoning what the child needs too."""
    questions = subject.questions(tmp_path / "model.likely")
    wanted = {name: plain(ask(pickle.loads(pickle.dumps(subject.old)))) for name, ask in questions.items()}
    model, start, names = pickle.loads(pickle.dumps(subject.old)), threading.Barrier(5), list(questions)

    def ask(at):
        start.wait()
        return [plain(questions[name](model)) == wanted[name] for name in names[at::4]]

    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(ask, at) for at in range(4)]
        start.wait()
        child = forked(lambda: all(plain(questions[name](model)) == wanted[name] for name in names))
        assert all(all(one.result()) for one in asked)
    assert child()
