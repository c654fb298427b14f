"""Threads that begin at one moment and give way at every step, and children of fork."""

import os
import signal
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest


@pytest.fixture(autouse=True)
def hasty():
    """Threads give way at every step."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.fixture
def together():
    """What so many threads find that begin at one moment: together(work of a number, how many)."""

    def run(work, number=16):
        barrier = threading.Barrier(number)

        def begin(at):
            barrier.wait()
            return work(at)

        with ThreadPoolExecutor(number) as pool:
            return list(pool.map(begin, range(number)))

    return run


@pytest.fixture
def forked():
    """A child of fork that does some work; what is returned waits for it, and is true if the work was.

    A child that hangs is ended after minutes by the system: pytest's own watchdog is a thread, which it does not have.
    """
    if not hasattr(os, "fork"):
        pytest.skip("there is no fork here")

    def start(work):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 and later: of fork beside threads
            child = os.fork()
        if child == 0:
            status = 2
            try:
                signal.alarm(600)
                status = int(not work())
            finally:
                os._exit(status)
        return lambda: os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0

    return start
