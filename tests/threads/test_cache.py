"""What values keep of their own reckoning: once for all threads, never between two of them, and not after fork."""

import copy
import pickle
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import likely
from likely.core import threads
from likely.core.cache import Cache, cached_property, turn


@dataclass(frozen=True)
class Value:
    """Reckons what it is told to, and counts how often."""

    reckon: Any
    count: Any = None

    @cached_property
    def found(self) -> Any:
        """What was reckoned."""
        if self.count is not None:
            self.count.append(threading.get_ident())
        return self.reckon()


def test_all_threads_get_the_one_result_that_was_reckoned_once(together):
    value = Value(object, [])
    found = together(lambda at: value.found)
    assert len({id(one) for one in found}) == 1
    assert len(value.count) == 1


def test_two_values_of_a_class_do_not_wait_for_each_other():
    """One lock for all of a class, as in functools of Python 3.11, would never let these two end."""
    there = threading.Event()
    first, second = Value(lambda: there.wait(300)), Value(lambda: there.set() or "second")
    with ThreadPoolExecutor(2) as pool:
        waiting = pool.submit(lambda: first.found)
        assert pool.submit(lambda: second.found).result() == "second"
        assert waiting.result() is True


def test_what_was_reckoned_is_no_part_of_copies():
    value = Value(dict)
    fresh = pickle.dumps(value)
    assert value.found is value.found
    assert pickle.dumps(value) == fresh
    for twin in (pickle.loads(fresh), copy.copy(value), copy.deepcopy(value), replace(value)):
        assert twin == value
        assert "found" not in vars(twin)


def test_a_value_may_be_pickled_while_another_thread_reckons():
    """Pickle goes through what a value holds: were that its own dict, it would find it grown meanwhile."""

    class Meanwhile(list):
        def __reduce__(self):
            other = threading.Thread(target=lambda: value.found)
            other.start()
            other.join()
            return list, ()

    value = Value(int, Meanwhile())
    assert pickle.loads(pickle.dumps(value)) == Value(int, [])
    assert "found" in vars(value)


def test_an_error_is_not_kept():
    answers = iter([ValueError("not yet"), 7])

    def reckon():
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    value = Value(reckon)
    with pytest.raises(ValueError, match="not yet"):
        value.found  # noqa: B018
    assert value.found == 7


def test_the_class_itself_tells_what_it_is():
    assert Value.found.__doc__ == "What was reckoned."
    assert Value.found.__module__ == __name__


def test_a_cache_makes_each_key_once(together):
    made, cache = [], Cache()
    found = together(lambda at: cache.get(at % 4, lambda: made.append(at % 4) or object()))
    assert sorted(made) == [0, 1, 2, 3]
    assert len({id(one) for one in found}) == 4


def test_keys_of_a_cache_do_not_wait_for_each_other():
    there, cache = threading.Event(), Cache()
    with ThreadPoolExecutor(2) as pool:
        waiting = pool.submit(cache.get, "first", lambda: there.wait(300))
        pool.submit(cache.get, "second", there.set).result()
        assert waiting.result() is True


def test_a_cache_keeps_no_more_than_it_has_room_for(together):
    cache = Cache(10)
    together(lambda at: cache.get(at, object, 3))
    assert cache.used == 9
    assert sum(cache.find(at) is not None for at in range(16)) == 3
    assert pickle.loads(pickle.dumps(cache)).used == 0


@pytest.mark.parametrize("what", ["property", "cache", "turn"])
def test_a_child_of_fork_does_not_wait_for_threads_that_it_does_not_have(what, forked):
    begun, end, main = threading.Event(), threading.Event(), threading.get_ident()

    def slow():
        if threading.get_ident() != main:
            begun.set()
            end.wait(300)
        return "found"

    value, cache = Value(slow), Cache()

    def ask():
        if what == "property":
            return value.found
        if what == "cache":
            return cache.get("key", slow)
        with turn("key"):
            return slow()

    other = threading.Thread(target=ask)
    other.start()
    begun.wait(300)
    assert forked(lambda: ask() == "found")()
    end.set()
    other.join()
    assert ask() == "found"


def test_threads_that_need_workers_at_once_share_them(together):
    threads._pools.clear()
    found = together(lambda at: list(threads.in_threads(lambda number: number + 1, range(3), 2)))
    assert found == [[1, 2, 3]] * 16
    assert len(threads._pools) == 1


@pytest.mark.parametrize("what", ["property", "cache"])
def test_work_for_a_value_does_not_wait_for_threads_that_wait_for_the_value(what):
    """All threads that are kept stand before the value when it begins to need threads of its own."""
    threads._pools.clear()
    begun, standing, cache = threading.Event(), threading.Semaphore(0), Cache()

    def reckon():
        begun.set()
        assert all(standing.acquire(timeout=600) for _ in range(2))
        return sum(threads.in_threads(lambda number: number, range(4), 2))

    value = Value(reckon)

    def ask(_):
        return value.found if what == "property" else cache.get("key", reckon)

    def stand(at):
        standing.release()
        return ask(at)

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(ask, 0)
        assert begun.wait(300)
        assert list(threads.in_threads(stand, range(2), 2)) == [6, 6]
        assert first.result() == 6


def test_no_file_takes_the_property_of_functools():
    """Its lock, or the lack of one, is what ours is there for."""
    root = Path(likely.__file__).parent
    taking = re.compile(r"from functools import .*\bcached_property")
    assert [
        str(file) for file in root.rglob("*.py") if file.name != "cache.py" and taking.search(file.read_text("utf-8"))
    ] == []
