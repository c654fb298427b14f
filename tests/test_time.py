"""No test depends on time: none reads a clock, sleeps, or has a deadline that a busy machine could pass."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[1]
WATCHDOG = 600  # seconds after which a test that hangs is ended with its stacks: `faulthandler_timeout`
CLOCKS = re.compile(
    r"\b(?:perf_counter|process_time|thread_time|monotonic|sleep|setitimer|alarm)(?:_ns)?\b(?=\()|\btime\.time\b"
    r"|^\s*(?:import|from) time(?:it)?\b|\bdeadline=(?!None\b)"
)
TIMEOUT = re.compile(r"\btimeout(?:_seconds)?=(\d+)")
ALLOWED = {  # a file, and why it must read a clock
    "tests/files/limited.py": "of commands of their own: what keeps the processor busy for ever is what they look for",
    "tests/threads/conftest.py": "ends a child of fork that hangs: it has no thread that could watch it",
}


def files() -> list[Path]:
    return [path for path in sorted((ROOT / "tests").rglob("*.py")) if path != Path(__file__).resolve()]


def timed(text: str) -> list[int]:
    """The lines that depend on time."""
    return [
        number
        for number, line in enumerate(text.splitlines(), 1)
        if CLOCKS.search(line) or any(int(seconds) < WATCHDOG for seconds in TIMEOUT.findall(line))
    ]


def test_no_test_reads_a_clock() -> None:
    found = {str(path.relative_to(ROOT)): timed(path.read_text(encoding="utf-8")) for path in files()}
    wrong = [f"{name}:{line}" for name, lines in found.items() for line in lines if name not in ALLOWED]
    assert not wrong, "count work or wait for an event instead (CONTRIBUTING.md)"
    assert all(found[name] for name in ALLOWED), "what is allowed is needed no more"


@pytest.mark.parametrize(
    "line",
    [
        "import time",
        "from time import perf_counter",
        "    start = perf_counter()",
        "    start = time.time()",
        "    begun = time.monotonic_ns()",
        "    sleep(0.1)",
        "@settings(deadline=500)",
        "subprocess.run(words, timeout=60)",
    ],
)
def test_what_reads_a_clock_is_seen(line: str) -> None:
    assert timed(line) == [1]


@pytest.mark.parametrize("line", ["@settings(deadline=None)", "times = 3", "bar.wait(timeout=600)", "import timeline"])
def test_what_reads_no_clock_is_let_through(line: str) -> None:
    assert timed(line) == []


def test_no_law_has_a_deadline(request: pytest.FixtureRequest) -> None:
    laws = [settings.default]
    for item in request.session.items:
        run = getattr(item, "obj", None)
        if getattr(run, "is_hypothesis_test", False):
            laws.append(run._hypothesis_internal_use_settings)
    for law in laws:
        assert law is not None
        assert law.deadline is None
        assert law.derandomize
        assert HealthCheck.too_slow in law.suppress_health_check


def test_a_test_that_hangs_is_ended_with_its_stacks(request: pytest.FixtureRequest) -> None:
    assert float(request.config.getini("faulthandler_timeout")) >= WATCHDOG
    assert request.config.getini("faulthandler_exit_on_timeout")
