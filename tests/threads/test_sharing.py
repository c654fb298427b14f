"""One model in many hands: tables filled by whoever comes first, rows learnt by several, files written at once."""

import os
import pickle
import stat
import zipfile

import numpy as np
import pytest

import likely
from likely.core.threads import in_threads
from likely.models.cells import cell_counts


def test_threads_that_share_a_wide_average_agree(together):
    """784 super-parents, whose tables are filled in by all threads at once, and for which there is not room for all."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(2, size=(40, 784)), rng.integers(2, size=40)
    model = likely.AODE(kinds="category").fit(X, y)
    wanted = pickle.loads(pickle.dumps(model)).predict_log_proba(X).tobytes()
    assert {said.tobytes() for said in together(lambda at: model.predict_log_proba(X), 6)} == {wanted}


@pytest.mark.parametrize("room", [0, cell_counts.MOST_TABLE_BYTES_KEPT])
def test_what_was_asked_before_does_not_change_an_answer(room, monkeypatch):
    """A table is made whole, or of the cells of a few rows, or found again: to the last bit, it says the same."""
    monkeypatch.setattr(cell_counts, "BYTES_OF_SMALL_TABLE", 0)
    monkeypatch.setattr(cell_counts, "MOST_TABLE_BYTES_KEPT", room)
    rng = np.random.default_rng(1)
    X, y = rng.integers(7, size=(300, 5)), rng.integers(3, size=300)
    model = likely.AODE(kinds="category").fit(X, y, sample_weight=rng.random(300))
    one_by_one = np.concatenate([model.predict_log_proba(X[at : at + 1]) for at in range(20)])
    assert (model.predict_log_proba(X)[:20] == one_by_one).all()
    again = np.concatenate([model.predict_log_proba(X[at : at + 1]) for at in range(20)])
    assert (again == one_by_one).all()


@pytest.mark.parametrize("kind", [likely.NaiveBayes, likely.AODE, likely.LinearRegression])
def test_rows_that_several_threads_teach_are_all_learnt(kind, together):
    model = kind().fit([[0.0, 1.0], [1.0, 0.5], [2.0, 0.0]], [0, 1, 1])
    together(lambda at: model.partial_fit([[at * 1.0, 1.0], [at * 2.0, 0.0]], [0, 1]))
    assert model.model_.rows.sum() == 3 + 2 * 16
    together(lambda at: model.forget([[at * 1.0, 1.0]], [0]))
    assert model.model_.rows.sum() == 3 + 16


def test_rows_that_several_threads_teach_a_network_are_all_learnt(together):
    net = likely.Network([("play", "sky")]).fit({"play": ["in", "out"], "sky": ["rain", "sun"]})
    together(lambda at: net.partial_fit({"play": ["in"], "sky": ["sun"]}))
    assert net.counts_["play"].sum() == 2 + 16


def test_models_are_saved_to_one_place_whole(tmp_path, together):
    """Sixteen write it while it is read; nothing is left beside it."""
    models = [likely.NaiveBayes().fit(np.arange(20.0 + at)[:, None], np.arange(20 + at) % 2) for at in range(16)]
    path = tmp_path / "model.likely"
    models[0].save(path)

    def work(at):
        models[at].save(path)
        return likely.load(path).model_.rows.sum() in range(20, 36)

    assert all(together(work))
    assert zipfile.ZipFile(path).testzip() is None
    assert os.listdir(tmp_path) == ["model.likely"]


@pytest.mark.skipif(os.name != "posix", reason="there are no such modes here")
def test_new_files_have_the_mode_that_the_process_gives(tmp_path, monkeypatch, together):
    """To ask for the mask of a process is to change it: threads that did would leave it changed for good."""
    model = likely.NaiveBayes().fit([[0.0], [1.0]], [0, 1])
    before = os.umask(0o027)
    try:
        with monkeypatch.context() as context:
            context.delattr(os, "umask")
            together(lambda at: model.save(tmp_path / f"{at}.likely"))
        assert {stat.S_IMODE(os.stat(one).st_mode) for one in tmp_path.iterdir()} == {0o640}
        os.chmod(tmp_path / "0.likely", 0o400)
        model.save(tmp_path / "0.likely")
        assert stat.S_IMODE(os.stat(tmp_path / "0.likely").st_mode) == 0o400
        assert os.umask(0o027) == 0o027
    finally:
        os.umask(before)


def test_work_within_work_within_work_has_threads_of_its_own() -> None:
    def deep(level: int) -> int:
        return 1 if level == 0 else sum(in_threads(deep, [level - 1] * 3, threads=2))

    assert deep(4) == 81


def test_bags_of_bags() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), rng.integers(0, 2, 60)
    inner = likely.Bagging(likely.NaiveBayes(), n_estimators=3, random_state=0)
    assert len(likely.Bagging(inner, n_estimators=4, random_state=0).fit(X, y).predict(X)) == 60
