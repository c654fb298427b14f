"""What is shown while the work goes on: a bar, and above it what is known so far."""

import io
import sys

import pytest

from likely.cli.terminal import session
from likely.cli.terminal.session import Session


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_what_is_known_so_far_stands_above_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "SECONDS_BEFORE_BAR", 1e9)  # the bar opens when it is told to
    monkeypatch.setattr(sys, "stderr", Terminal())
    one = Session(as_json=False, quiet=False, seed=0)
    with one.watch("comparing", 4, "fits") as tick:
        tick(1)
        one.grow("naive 0.9")
        assert one.bar is not None
        one.bar._open()
        one.bar.shown.refresh()
        written = sys.stderr.getvalue()
    assert written.index("naive 0.9") < written.rindex("comparing")
    assert one.bar is None


@pytest.mark.parametrize("given", [{"quiet": True}, {"as_json": True}])
def test_who_wants_silence_sees_nothing_grow(
    given: dict[str, bool], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    one = Session(**{"as_json": False, "quiet": False, "seed": 0, **given})
    with one.watch("comparing"):
        one.grow("naive 0.9")
    assert not sys.stderr.getvalue()
